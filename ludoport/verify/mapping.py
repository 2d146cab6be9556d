"""Compares how channels correspond between two games with recorded correspondences.

A file has one JSON object a line: ``source`` and ``target`` (variants), ``state`` and ``move``: for each channel of the
target the number of the source's channel, -1 for none. Where the reference has no answer, it says why under
``stateError`` or ``moveError``; such a part is not compared. Only game texts are read, and no kernel is made.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.sides import Side, find_side
from ludoport.verify.reference import read_text
from ludoport.verify.report import Disagreement, FileComparison
from ludoport.verify.variants import BUNDLED, Variant, choose, read_variants


@dataclass(frozen=True, slots=True)
class Pair:
    """The recorded correspondence of two variants; a part is None where there is none."""

    source: str
    target: str
    state: tuple[int, ...] | None
    moves: tuple[int, ...] | None


@dataclass(slots=True)
class PairsResult(FileComparison):
    """The comparison of all pairs with one source; what other comparisons call trials are pairs here."""

    def line(self) -> str:
        """One line for people."""
        return FileComparison.line(self).replace(" trials, ", " pairs, ")


@dataclass
class Games:
    """The sides of all variants that were asked for, each read once."""

    variants: dict[str, Variant]
    lud_root: Path | None = None
    known: dict[str, Side] = field(default_factory=dict)

    def side(self, name: str) -> Side:
        """The side of a variant."""
        if name not in self.known:
            variant = choose(self.variants, name)
            self.known[name] = find_side(variant.text(self.lud_root), variant.options)
        return self.known[name]


def read_pairs(path: Path) -> list[Pair]:
    """Reads a file of correspondences, plain or gzipped."""
    pairs = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            try:
                record = json.loads(line)
                parts = [None if f"{part}Error" in record else tuple(map(int, record[part])) for part in _PARTS]
                pairs.append(Pair(str(record["source"]), str(record["target"]), *parts))
            except (ValueError, KeyError, TypeError) as error:
                raise LudoportError(
                    f"{path}:{number}: not a recorded mapping ({type(error).__name__}: {error})"
                ) from None
    return pairs


_PARTS = ("state", "move")


def nearby_variants(path: Path, given: Path | None = None) -> dict[str, Variant]:
    """The variants that a file may speak of: the list that was given, or the bundled one with one beside the file."""
    if given is not None:
        return read_variants(given)
    beside = path.resolve().parent / "variants.tsv"
    return {**read_variants(BUNDLED), **(read_variants(beside) if beside.is_file() else {})}


def compare_mappings(
    files: Sequence[Path], lud_root: Path | None = None, variants: Path | None = None
) -> Iterator[FileComparison]:
    """Compares all pairs of some files.

    Args:
        files: the files.
        lud_root: folder of game files; default: the bundled ones.
        variants: the list of variants.

    Yields:
        One result for each source, in the order of the files.
    """
    for path in files:
        if not path.is_file():
            raise LudoportError(f"{path}: no such file")
        games = Games(nearby_variants(path, variants), lud_root)
        by_source: dict[str, list[Pair]] = {}
        for pair in read_pairs(path):
            by_source.setdefault(pair.source, []).append(pair)
        for source, pairs in by_source.items():
            yield _compare_source(games, source, pairs)


def _compare_source(games: Games, source: str, pairs: Sequence[Pair]) -> FileComparison:
    result = PairsResult(source, unit="channels", trials=len(pairs))
    begin = time.perf_counter()
    for pair in pairs:
        try:
            found = compare_pair(games, pair, result)
        except LudoportError as error:
            result.failure = result.failure or f"{pair.target}: {error}"
            continue
        result.agreeing_trials += found is None
        result.first = result.first or found
    result.seconds = time.perf_counter() - begin
    return result


def compare_pair(games: Games, pair: Pair, result: FileComparison) -> Disagreement | None:
    """Compares one pair, counts its channels, and returns the first that differs."""
    mapping = map_channels(games.side(pair.source), games.side(pair.target))
    first = None
    for part, recorded, rows in (("state", pair.state, mapping.state), ("moves", pair.moves, mapping.moves)):
        if recorded is None:
            continue
        result.checks += len(recorded)
        where = f"{pair.source} -> {pair.target}"
        if len(recorded) != len(rows):
            first = first or Disagreement(where, f"channels of {part}", str(len(recorded)), str(len(rows)))
            continue
        for row, expected in zip(rows, recorded, strict=True):
            result.agreeing += row.index == expected
            if row.index != expected and first is None:
                first = Disagreement(where, row.target, str(expected), f"{row.index} ({row.reason})")
    return first
