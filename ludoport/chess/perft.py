"""Counting move sequences from any position, and below each first move (equations 10 and 11 of the thesis)."""

from __future__ import annotations

from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.chess.rules import ChessRules
from ludoport.errors import LudoportError
from ludoport.kernels.build import cpu_module, plain_functions


class Perft:
    """Counts for one variant; kernels are compiled once for all positions.

    Args:
        rules: the rules.
        jit: count with machine code, or in plain Python.
    """

    def __init__(self, rules: ChessRules, jit: bool = True) -> None:
        self.rules, self.jit = rules, jit

    @cached_property
    def _functions(self) -> dict[str, Any]:
        source = self.rules.source
        return vars(cpu_module(self.rules.name, source)) if self.jit else plain_functions(source)

    def count(self, state: NDArray[np.int64], depth: int) -> int:
        """The number of legal move sequences of a length; draws by the clock do not end them."""
        if depth < 0:
            raise LudoportError(f"the depth must not be negative, not {depth}")
        if depth == 0:
            return 1
        rules = self.rules
        states = np.zeros((depth + 1, rules.state_size), dtype=np.int64)
        lists = np.zeros((depth, rules.max_moves + 1), dtype=np.int64)
        states[0] = state
        work = np.zeros(rules.work_size, dtype=np.int64)
        return int(self._functions["enter_perft"](states, lists, work, depth))

    def divide(self, state: NDArray[np.int64], depth: int) -> dict[str, int]:
        """For each first move, by coordinates, the number of sequences of a length that begin with it."""
        if depth < 1:
            raise LudoportError(f"the depth must be at least 1, not {depth}")
        counts = {}
        rows = self.rules.moves_of(state)
        for text, move in zip(self.rules.coordinate_texts(state, rows), rows.reshape(-1), strict=True):
            after = state.copy()
            self.rules.plain["make"](after, int(move))
            counts[text] = self.count(after, depth - 1)
        return dict(sorted(counts.items()))
