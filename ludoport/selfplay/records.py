"""Arrays that the kernels of self-play and duels take together, beside the ``Pool`` of a tree.

Each record describes one game; the entry points take the same records with the games as a first axis.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Live(NamedTuple):
    """A game under way.

    Attributes:
        root: its position, shape (state size,).
        history: its last two moves.
        rng: random state.
        noise: noise of the root's moves, shape (moves,).
    """

    root: NDArray[Any]
    history: NDArray[Any]
    rng: NDArray[np.int64]
    noise: NDArray[np.float32]


class Log(NamedTuple):
    """Record of one game of self-play.

    Attributes:
        counts: see ``GAME_FACTS`` of ``kernels.py``.
        places: the numbers of its positions in the run, -1 for those that are not recorded; shape (plies,).
    """

    counts: NDArray[np.int64]
    places: NDArray[np.int64]


class Manner(NamedTuple):
    """Settings of the search and of a step.

    Attributes:
        settings: of the search, see ``SETTINGS`` of ``search/puct_kernels.py``.
        numbers: of a step, see ``STEP_NUMBERS`` of ``kernels.py``.
    """

    settings: NDArray[np.float64]
    numbers: NDArray[np.float64]


class ReplayArrays(NamedTuple):
    """The arrays of a replay, one place for each position; see ``Replay``."""

    seen: NDArray[np.uint8]
    policies: NDArray[np.int16]
    judged: NDArray[np.float32]
    persons: NDArray[np.int8]
    results: NDArray[np.float32]
    replies: NDArray[np.int32]
    finals: NDArray[np.int8]


class Scratch(NamedTuple):
    """Space that a step works in.

    Attributes:
        shares: shares of the root's moves, shape (moves,).
        ended: planes of the last position.
        forward: new places of the nodes of a tree, shape (entries,).
        work: scratch space of the rules.
    """

    shares: NDArray[np.float32]
    ended: NDArray[np.uint8]
    forward: NDArray[np.int32]
    work: NDArray[Any]
