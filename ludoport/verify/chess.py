"""Compares chess and Chessplus with recorded counts, lists of moves, and examples of the rules."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.chess import NAMED, ChessRules, ChessVariant
from ludoport.chess.perft import Perft
from ludoport.errors import LudoportError
from ludoport.verify.report import Disagreement

OPTIONS = ("chessplus", "double_step", "castling", "pawn_merge", "merged_promo", "ep_victim", "castle_merged")

STARTS = {"start5": "gardner-chessplus", "start8": "chessplus"}
"""Positions that records of other rules name without writing them down."""


ABOUT = ("format", "meta")
"""Parts that say something about a record."""


@dataclass(slots=True)
class Section:
    """Findings in one part of a record.

    Attributes:
        id: the name of the part.
        positions: number of positions.
        checks: number of comparisons of counts, lists of moves and following positions.
        agreeing: number of them that agree.
        skipped: how many numbers are larger than the limit, or belong to positions that the record does not show, or to
            games that are not of this family.
        nodes: the sum of all counts that were compared.
        seconds: wall-clock time.
        first: the first disagreement, if there is one.
        known: whether it is a part that can be compared.
    """

    id: str
    positions: int = 0
    checks: int = 0
    agreeing: int = 0
    skipped: int = 0
    nodes: int = 0
    seconds: float = 0.0
    first: Disagreement | None = None
    known: bool = True

    def compare(self, where: str, what: str, expected: object, found: object, picture: str = "") -> None:
        """Counts one comparison."""
        self.checks += 1
        if expected == found:
            self.agreeing += 1
        elif self.first is None:
            self.first = Disagreement(where, what, str(expected), str(found), picture=picture)

    def line(self) -> str:
        """One line for people."""
        if not self.known:
            return f"skip {self.id:<20} not compared: no part with positions of chess, Gardner chess or Chessplus"
        mark = "ok  " if self.first is None else "DIFF"
        skipped = f", {self.skipped} skipped" if self.skipped else ""
        return (
            f"{mark} {self.id:<20} {self.agreeing} of {self.checks} agree{skipped}; "
            f"{self.nodes:,} nodes in {self.seconds:.1f} s"
        )

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        numbers = ("positions", "checks", "agreeing", "skipped", "nodes")
        first = None if self.first is None else str(self.first)
        return (
            {"id": self.id, "known": self.known}
            | {name: getattr(self, name) for name in numbers}
            | {
                "seconds": round(self.seconds, 3),
                "first": first,
            }
        )


@dataclass
class Comparison:
    """Compares one record, part by part.

    Args:
        data: the record.
        max_nodes: larger counts are skipped.
        jit: count with machine code, or in plain Python.
    """

    data: Mapping[str, Any]
    max_nodes: int
    jit: bool = True
    _perfts: dict[ChessVariant, Perft] = field(default_factory=dict)

    def sections(self) -> Iterator[Section]:
        """One after another, as soon as each is done."""
        known: dict[str, str] = {}
        for name, part in self.data.items():
            section = Section(name)
            begin = time.perf_counter()
            if isinstance(part, Mapping) and "positions" in part:
                for entry in part["positions"]:
                    known.setdefault(entry["name"], entry["fen"])
                    self._position(section, entry["name"], part["rules"], entry)
            elif name == "examples":
                for entry in part:
                    self._example(section, entry)
            elif name == "alternatives":
                for entry in part:
                    self._alternative(section, entry, known)
            elif isinstance(part, list) and part and "rules" in part[0]:
                for number, entry in enumerate(part):
                    self._position(section, f"{name} {number}", entry["rules"], entry)
            elif name in ABOUT:
                continue
            else:
                section.known, section.skipped = False, _numbers(part)
            section.seconds = time.perf_counter() - begin
            yield section

    def _perft(self, rules: Mapping[str, Any], fen: str) -> Perft:
        """The counter for some rules on the board of a position; one for all positions that have room in it."""
        chosen = {option: rules[option] for option in OPTIONS if option in rules}
        variant = ChessVariant("record", fen, **chosen)
        start = next((named.start for named in NAMED.values() if named.size == variant.size), fen)
        if not variant.castling or variant.size != (8, 8):
            fields = start.split(" ")
            start = " ".join((*fields[:2], "-", *fields[3:]))
        perft = self._perfts.setdefault(base := variant.with_start(start), Perft(ChessRules(base), self.jit))
        return perft if perft.rules.holds(fen) else Perft(ChessRules(variant), self.jit)

    def _position(self, section: Section, name: str, options: Mapping[str, Any], entry: Mapping[str, Any]) -> None:
        perft = self._perft(options, entry["fen"])
        rules = perft.rules
        state = rules.state_row(entry["fen"])
        section.positions += 1
        where = f"{section.id}, {name} ({entry['fen']})"
        section.compare(where, "FEN written again", entry["fen"], rules.fen_of(state))
        if entry.get("moves") is not None:
            found = sorted(rules.coordinate_texts(state, rules.moves_of(state)))
            section.compare(where, "legal moves", sorted(entry["moves"]), found, rules.picture(state))
        if "check" in entry:
            section.compare(where, "check", bool(entry["check"]), bool(rules.plain["in_check"](state)))
        self._counts(section, where, perft, state, entry["perft"])

    def _counts(
        self, section: Section, where: str, perft: Perft, state: np.ndarray[Any, np.dtype[np.int64]], counts: list[int]
    ) -> None:
        for depth, count in enumerate(counts, start=1):
            if count > self.max_nodes:
                section.skipped += 1
                continue
            found = perft.count(state, depth)
            section.nodes += found
            section.compare(where, f"perft({depth})", count, found, perft.rules.picture(state))

    def _example(self, section: Section, entry: Mapping[str, Any]) -> None:
        small = entry["board"] == "5x5"
        options = {"chessplus": entry["flag"] == "chessplus", "double_step": not small, "castling": not small}
        rules = self._perft(options, entry["fen"]).rules
        state = rules.state_row(entry["fen"])
        section.positions += 1
        where = f"{section.id}, {entry['name']} ({entry['fen']})"
        found = sorted(rules.coordinate_texts(state, rules.moves_of(state)))
        section.compare(where, "legal moves", sorted(entry["expected"]), found, rules.picture(state))
        for move, fen in entry["after"]:
            after = state.copy()
            rules.plain["play"](after, rules.find(state, move), np.zeros(rules.work_size, dtype=np.int64))
            section.compare(where, f"position after {move}", fen, rules.fen_of(after))

    def _alternative(self, section: Section, entry: Mapping[str, Any], known: Mapping[str, str]) -> None:
        option, _, value = entry["option"].partition("=")
        for name, counts in entry["perft"].items():
            named = NAMED[STARTS.get(name, "chessplus")]
            fen = named.start if name in STARTS else known.get(name)
            if fen is None:
                section.skipped += len(counts)
                continue
            options = {key: getattr(named, key) for key in OPTIONS} | ({option: value} if value else {})
            perft = self._perft(options, fen)
            section.positions += 1
            where = f"{section.id}, {entry['option']}, {name} ({fen})"
            self._counts(section, where, perft, perft.rules.state_row(fen), counts)


def _numbers(part: object) -> int:
    """Number of counts in a part."""
    entries = part if isinstance(part, list) else [part]
    counts = [entry.get("perft") for entry in entries if isinstance(entry, Mapping)]
    return sum(len(count) for count in counts if isinstance(count, list | Mapping))


def verify_chess(path: Path, max_nodes: int = 10**9, jit: bool = True) -> Iterator[Section]:
    """Compares the games of the chess family with a file of recorded data, part by part.

    Args:
        path: a JSON file with positions and their counts.
        max_nodes: larger counts are skipped.
        jit: count with machine code, or in plain Python.

    Raises:
        LudoportError: the file cannot be read.
    """
    try:
        data = json.loads(path.read_text())
    except OSError as error:
        raise LudoportError(f"cannot read {path}: {error.strerror}") from None
    except ValueError as error:
        raise LudoportError(f"{path} is not JSON: {error}") from None
    if not isinstance(data, dict) or data.get("format") != 1:
        raise LudoportError(f"{path} is not a record of chess positions in format 1")
    yield from Comparison(data, max_nodes, jit).sections()
