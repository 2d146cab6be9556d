"""Arrays that the kernels of the learner take together."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class LookaheadDesk(NamedTuple):
    """Space that looking ahead works in, one level for each move.

    Attributes:
        rows: positions, shape (levels + 1, state size).
        lists: legal moves, shape (levels, moves times move size).
        kids: codes of the children so far, ascending; shape (levels, moves).
        levels: number of moves, moves looked at, different codes, whether an outcome was met, whether the learner
            moves; shape (levels, 5).
        sums: values by search so far, and the number of children; shape (levels, 4).
        work: scratch space.
    """

    rows: NDArray[Any]
    lists: NDArray[Any]
    kids: NDArray[np.int64]
    levels: NDArray[np.int64]
    sums: NDArray[np.float64]
    work: NDArray[Any]


class MatchTerms(NamedTuple):
    """Inputs of a match.

    Attributes:
        orders: whole numbers, see ``ORDERS``.
        numbers: real numbers, see ``NUMBERS``.
        outcomes: rewards and the numbers of their classes, shape (2, rewards).
    """

    orders: NDArray[np.int64]
    numbers: NDArray[np.float64]
    outcomes: NDArray[np.float64]


class Entries(NamedTuple):
    """Afterstates that a learner remembers.

    Attributes:
        slots: places of entries by key, -1 is free; shape (a power of two,).
        book: key, visits and code of each entry, see ``BOOK``; shape (3, room).
        q: values, shape (room,).
        kept: positions, if they are kept; shape (room or 0, state size).
        counts: number of entries, and space for a code; shape (2,).
    """

    slots: NDArray[np.int64]
    book: NDArray[np.int64]
    q: NDArray[np.float64]
    kept: NDArray[Any]
    counts: NDArray[np.int64]


class Values(NamedTuple):
    """Values of features.

    Attributes:
        codes: codes of the features, ascending.
        values: their values.
    """

    codes: NDArray[np.int64]
    values: NDArray[np.float64]


class ChoiceSpace(NamedTuple):
    """Buffers for choosing a move.

    Attributes:
        rng: random state.
        moves: space for the legal moves.
        wanted: preference of a simple opponent for each move, shape (moves,).
        seen: findings about positions, by key; shape (a power of two,).
    """

    rng: NDArray[np.int64]
    moves: NDArray[Any]
    wanted: NDArray[np.int64]
    seen: NDArray[np.int64]


class Journey(NamedTuple):
    """The learner's afterstates in one match.

    Attributes:
        path: their rows, shape (moves, state size).
        trail: their entries and errors, shape (2, moves).
    """

    path: NDArray[Any]
    trail: NDArray[np.float64]
