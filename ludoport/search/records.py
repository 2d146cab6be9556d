"""Arrays that the kernels of network-guided search take together, beside the ``Pool`` of a tree.

Each record describes one search; the entry points take the same records with the games as a first axis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Line(NamedTuple):
    """The line that a simulation follows.

    Attributes:
        state: the position at its end, shape (state size,).
        path: heads and edges from the root on, one after the other.
    """

    state: NDArray[Any]
    path: NDArray[np.int32]


class NetworkView(NamedTuple):
    """Inputs of a network.

    Attributes:
        history: the last two moves before the root.
        trail: the last two moves before the position at the end of the line.
        inputs: planes of that position.
    """

    history: NDArray[Any]
    trail: NDArray[Any]
    inputs: NDArray[np.uint8]


class Tuning(NamedTuple):
    """The numbers that guide a search.

    Attributes:
        settings: see ``SETTINGS`` of ``puct_kernels.py``.
        noise: noise of the root's moves, shape (moves,).
        schedule: see ``halving_schedule``.
        rng: random state, which outcomes of chance are drawn from.
    """

    settings: NDArray[np.float64]
    noise: NDArray[np.float32]
    schedule: NDArray[np.int32]
    rng: NDArray[np.int64]


class Bench(NamedTuple):
    """Space of an evaluator that is a kernel.

    Attributes:
        scratch: a row for rollouts.
        rng: random state.
        moves: space for legal moves.
        work: scratch space.
    """

    scratch: NDArray[Any]
    rng: NDArray[np.int64]
    moves: NDArray[Any]
    work: NDArray[Any]


class Verdicts(NamedTuple):
    """Logits and values of positions from an evaluator.

    Attributes:
        logits: policy logits, shape (games, leaves, slots).
        value: values for the movers, shape (games, leaves).
    """

    logits: NDArray[Any]
    value: NDArray[Any]
