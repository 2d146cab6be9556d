"""A file of matches, one a line. Several processes may append to it."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator, Sequence
from pathlib import Path

from ludoport.files import parse_json

log = logging.getLogger(__name__)

Joint = Sequence[str]
"""The moves of one step, one for each role."""


class Journal:
    """The matches of one rulesheet.

    Args:
        path: the file, which need not exist.
        roles: number of moves of a step.
    """

    def __init__(self, path: Path, roles: int) -> None:
        self.path, self.roles = path, roles

    def add(self, steps: Sequence[Joint]) -> None:
        """Write a match down."""
        line = json.dumps([list(moves) for moves in steps], separators=(",", ":")) + "\n"
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with self.path.open("ab") as file:
            # A line that was not finished must not spoil this one.
            if file.tell() and not _ends_a_line(self.path):
                line = "\n" + line
            file.write(line.encode())

    def matches(self, begin: int) -> Iterator[tuple[list[Joint], int]]:
        """The matches from a byte on, and the byte at which each ends; damaged ones are left out."""
        try:
            with self.path.open("rb") as file:
                file.seek(begin)
                content = file.read()
        except FileNotFoundError:
            return
        except OSError as error:
            log.warning("cannot read %s: %s", self.path, error.strerror)
            return
        end = begin
        for line in content.splitlines(keepends=True):
            if not line.endswith(b"\n"):
                return  # another process is writing it
            end += len(line)
            steps = self._read(line)
            if steps is not None:
                yield steps, end
            elif line.strip():
                log.warning("%s: the match that ends at byte %d is damaged and left out", self.path, end)

    def _read(self, line: bytes) -> list[Joint] | None:
        try:
            steps = parse_json(line)
        except ValueError:
            return None
        if not isinstance(steps, list):
            return None
        for moves in steps:
            if not isinstance(moves, list) or len(moves) != self.roles or not all(isinstance(x, str) for x in moves):
                return None
        return steps


def _ends_a_line(path: Path) -> bool:
    with path.open("rb") as file:
        file.seek(-1, 2)
        return file.read(1) == b"\n"
