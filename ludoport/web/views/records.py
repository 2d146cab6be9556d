"""Games in the formats of other programs: PGN, SGF and plain text."""

from __future__ import annotations

import os
from collections.abc import Sequence
from contextlib import suppress

from ludoport.bridges.records import pgn
from ludoport.bridges.records.convert import format_of, read, write
from ludoport.bridges.records.record import Record
from ludoport.errors import LudoportError
from ludoport.languages import named_game
from ludoport.web.positions import SHELF, GameSpec

RESULTS = {0: "1/2-1/2", 1: "1-0", 2: "0-1"}


def read_record(text: str) -> tuple[GameSpec, list[str]]:
    """The first game of a record: which game, and its moves.

    Raises:
        LudoportError: it is none, or names a game that is not bundled.
    """
    _plain_python()
    if format_of(text) == "pgn":
        # Reading plays the moves, so names are looked at before; a name could be a path.
        tags = (pgn._TAG.match(line.strip()) for line in text.replace("\ufeff", "").splitlines())
        for tag in tags:
            if tag is not None and tag[1] == "Variant":
                _known(tag[2])
    records = read(text)
    if not records:
        raise LudoportError("this record holds no game")
    record = records[0]
    name = _known(record.game)
    if record.start:
        return GameSpec(name, text=record.start), list(record.moves)
    return GameSpec(name, record.options), list(record.moves)


def write_record(spec: GameSpec, seed: int, moves: Sequence[str]) -> tuple[str, str]:
    """A game as PGN or SGF where these formats know it, otherwise as plain text; with the ending of its file.

    Raises:
        LudoportError: the game is a text, which records do not hold.
    """
    _plain_python()
    chess = spec.text and spec.language == "chess"
    if spec.text and not chess:
        raise LudoportError("a record names a bundled game; games of own texts are exported as files of this page")
    state, labels = SHELF.state(spec, seed, ()), list[str]()
    for text in moves:
        move = state.find(text)
        labels.append(move.label)
        state = state.play(move)
    name, start = (state.game.rules.name, spec.text.strip()) if chess else (spec.name, "")
    result = RESULTS.get(state.winner, "*") if state.over else "*"
    record = Record(name, spec.options, tuple(labels), result, start)
    for kind in ("pgn", "sgf"):
        with suppress(LudoportError):
            return write(record, kind), kind
    return write(record), "txt"


def _known(name: str) -> str:
    """The name of a bundled game."""
    return "Chess 8x8" if name in pgn.CHESS else named_game(name).name


def _plain_python() -> None:
    """One game is read in this process: compiling it would take longer."""
    os.environ["LUDOPORT_JIT"] = "0"
