"""Helpers of tests of chess: list moves, play them, and walk through random games."""

from __future__ import annotations

import random
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from ludoport.chess import ChessRules

Row = NDArray[np.int64]


def coordinates(rules: ChessRules, fen: str) -> set[str]:
    """The legal moves of a position by their squares."""
    state = rules.state_row(fen)
    return set(rules.coordinate_texts(state, rules.moves_of(state)))


def played(rules: ChessRules, state: Row, move: str | Row) -> Row:
    """The position after a move, by the plain kernels."""
    after = state.copy()
    chosen = rules.find(state, move) if isinstance(move, str) else move
    rules.plain["play"](after, chosen, np.zeros(rules.work_size, dtype=np.int64))
    return after


def after(rules: ChessRules, fen: str, *moves: str) -> str:
    """The FEN after some moves."""
    state = rules.state_row(fen)
    for move in moves:
        state = played(rules, state, move)
    return rules.fen_of(state)


def random_game(rules: ChessRules, seed: int, plies: int, fen: str | None = None) -> Iterator[tuple[Row, Row]]:
    """Positions of a random game, each with its legal moves; the last one has none if the game is over."""
    rng = random.Random(seed)
    state = rules.state_row(fen or rules.variant.start)
    for _ in range(plies):
        moves = rules.moves_of(state)
        yield state, moves
        if state[rules.fields["OVER"]]:
            return
        state = played(rules, state, rng.choice(list(moves)))
