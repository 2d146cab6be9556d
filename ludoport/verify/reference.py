"""Reference data: recorded trials and move counts, read from their files.

A file of trials has one JSON object a line, in one of two forms.

*Full*: ``plies`` is a list of objects with ``m`` (colour to move), ``a`` (seat, where it is not the colour), ``legal``
(the strings, or ``{"n": count, "sha1": hex}``), ``mv`` (the move played) and ``forced``.

*Compact*: the same in columns, so that it compresses well: lists ``mv`` (moves played), ``m`` (colours), ``a`` (seats,
absent where they never differ) and ``n`` (counts), one entry a ply; ``hash`` (the first ``DIGITS`` hex digits of each
digest, joined) and ``forced`` (the plies that are). ``ludoport.verify.compact`` writes it.

Both end with ``over``, ``winner``, ``utilities``, ``agentUtilities``, ``final`` (pieces by site) and, in games with
scores, ``scores``.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import zlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError

DIGITS = 6
"""Hex digits kept of each digest in the compact form."""

Pieces = dict[int, "str | list[str]"]


@dataclass(frozen=True, slots=True)
class RecordedPly:
    """Reference data of one position and the move played in it.

    Attributes:
        mover: colour to move.
        seat: seat to move.
        count: number of legal moves.
        legal: their strings, or None where only a digest was kept.
        digest: SHA-1 of the sorted strings, or the beginning of it; empty where ``legal`` is there.
        move: the move that was played.
        forced: the only move is a pass because there was no other.
        listed: results of chance while the moves were listed, as ``LUDEME:N=V``.
        applied: results of chance while the move was played.
    """

    mover: int
    seat: int
    count: int
    legal: tuple[str, ...] | None
    digest: str
    move: str
    forced: bool
    listed: tuple[str, ...] = ()
    applied: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class RecordedGame:
    """One recorded game, from the start to its end or to where the recording was cut.

    ``start`` is what chance decided before the first move, and ``after`` what it decided for the list of moves after
    the last one. ``scores`` is None in games without scores, ``match_scores`` in all but matches. Games
    without players have no utilities; their mover is 0.
    """

    id: str
    plies: tuple[RecordedPly, ...]
    over: bool
    winner: int
    utilities: tuple[float, ...]
    seat_utilities: tuple[float, ...]
    final: Pieces | None
    start: tuple[str, ...] = ()
    after: tuple[str, ...] = ()
    scores: tuple[int, ...] | None = None
    match_scores: tuple[int, ...] | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    """Recorded numbers of move sequences: ``perft[d - 1]`` of length d, and per root move at ``divide_depth``."""

    perft: tuple[int, ...]
    divide_depth: int = 0
    divide: Mapping[str, int] | None = None


def digest(strings: Iterable[str]) -> str:
    """SHA-1 of the sorted strings joined by newlines, in hex."""
    return hashlib.sha1("\n".join(sorted(strings)).encode(), usedforsecurity=False).hexdigest()


def read_trials(path: Path) -> list[RecordedGame]:
    """Reads a file of trials, plain or gzipped."""
    trials = []
    for number, line in enumerate(read_text(path).splitlines(), start=1):
        if line.strip():
            try:
                trials.append(_trial(json.loads(line)))
            except (ValueError, KeyError, TypeError, AttributeError, IndexError) as error:
                raise LudoportError(
                    f"{path}:{number}: not a recorded trial ({type(error).__name__}: {error})"
                ) from None
    return trials


def read_counts(path: Path) -> Counts:
    """Reads a file of move counts, plain or gzipped."""
    try:
        record = json.loads(read_text(path))
        divide = record.get("divide")
        return Counts(
            perft=tuple(int(count) for count in record["perft"]),
            divide_depth=int(record.get("divideDepth", 0)),
            divide=None if divide is None else {str(move): int(count) for move, count in divide.items()},
        )
    except LudoportError:
        raise
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise LudoportError(f"{path}: not a record of move counts ({type(error).__name__}: {error})") from None


def read_text(path: Path) -> str:
    """The text of a file, unpacked if its name ends in ``.gz``."""
    try:
        data = path.read_bytes()
        return (gzip.decompress(data) if path.suffix == ".gz" else data).decode()
    except (OSError, EOFError, UnicodeDecodeError, zlib.error) as error:
        reason = getattr(error, "strerror", None) or str(error) or type(error).__name__
        raise LudoportError(f"{path}: cannot be read ({reason})") from None


def _trial(record: dict[str, Any]) -> RecordedGame:
    plies = list(_full(record["plies"]) if "plies" in record else _compact(record))
    final = record.get("final")
    simulation = bool(plies) and all(ply.mover == 0 for ply in plies)
    utilities = () if simulation else tuple(float(value) for value in record["utilities"])
    return RecordedGame(
        id=str(record.get("id", record.get("seed", "?"))),
        plies=tuple(plies),
        over=bool(record["over"]),
        winner=int(record["winner"]),
        utilities=utilities,
        seat_utilities=tuple(float(value) for value in record.get("agentUtilities", utilities)),
        final=None if final is None else {int(site): piece for site, piece in final.items() if site.isdigit()},
        start=tuple(record["start"].get("rnd", ())) if isinstance(record.get("start"), dict) else (),
        after=tuple(record.get("rlNext", ())),
        scores=_scores(record, "scores"),
        match_scores=_scores(record, "matchScores"),
    )


def _scores(record: dict[str, Any], name: str) -> tuple[int, ...] | None:
    return tuple(int(score) for score in record[name]) if name in record else None


def _full(plies: list[dict[str, Any]]) -> Iterable[RecordedPly]:
    for ply in chain.from_iterable(map(_choices, plies)):
        legal = ply["legal"]
        listed = isinstance(legal, list)
        yield RecordedPly(
            mover=ply["m"],
            seat=ply.get("a", ply["m"]),
            count=len(legal) if listed else legal["n"],
            legal=tuple(legal) if listed else None,
            digest="" if listed else legal["sha1"],
            move=ply["mv"],
            forced=bool(ply.get("forced", False)),
            listed=tuple(ply.get("rl", ())),
            applied=tuple(ply.get("ra", ())),
        )


def _choices(ply: dict[str, Any]) -> list[dict[str, Any]]:
    """A ply as it is; where all players choose together, the choice of each player."""
    legal = ply["legal"]
    if not isinstance(legal, dict) or "sha1" in legal:
        return [ply]
    players = sorted(map(int, legal))
    return [{"m": p, "legal": legal[str(p)], "mv": ply["mv"][str(p)], "ra": ply.get("ra", ())} for p in players]


def _compact(record: dict[str, Any]) -> Iterable[RecordedPly]:
    movers, counts, hashes = record["m"], record["n"], record["hash"]
    seats = record.get("a", movers)
    forced = set(record.get("forced", ()))
    for i, move in enumerate(record["mv"]):
        short = hashes[i * DIGITS : (i + 1) * DIGITS]
        yield RecordedPly(movers[i], seats[i], counts[i], None, short, move, i in forced)
