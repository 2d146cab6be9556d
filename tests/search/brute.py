"""The value of a position by trying everything: what searches are measured against."""

from __future__ import annotations

import ludoport as lp

TWICE = """
(game "Twice"
    (players 2)
    (equipment { (board (square 3)) (piece "Marker" Each) })
    (rules
        (play (move Add (to (sites Empty)) (then (if (is Even (count Moves)) (moveAgain)))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""
"""A game in which every player moves twice in a row."""


def solve(state: lp.State, known: dict[int, float] | None = None) -> float:
    """The result for the person to move if everybody plays best: 1, 0 or -1."""
    known = {} if known is None else known
    found = known.get(state.key)
    if found is None:
        found = known[state.key] = max(value_of(state, move, known) for move in state.moves())
    return found


def value_of(state: lp.State, move: lp.Move, known: dict[int, float] | None = None) -> float:
    """The result of a move for the person who plays it."""
    person, after = state.seat, state.play(move)
    if after.over:
        return after.seat_utilities[person - 1]
    value = solve(after, known)
    return value if after.seat == person else -value


def after(game: lp.Game, *moves: str) -> lp.State:
    """The position after some moves."""
    state = game.start()
    for move in moves:
        state = state.play(move)
    return state
