"""What a language makes of a game text, so that everything after it need not know the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray


class Rules(Protocol):
    """A game as kernels, with the means to name its moves and to show its positions.

    ``source`` is complete kernel text: the functions of the contract (``docs/architecture.md``), the constants
    ``STATE_SIZE``, ``MOVE_SIZE``, ``MAX_MOVES``, ``WORK_SIZE``, ``N_PLAYERS``, and the places of fields in a row.
    """

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def source(self) -> str:
        """The text of the kernels."""

    @property
    def n_players(self) -> int:
        """How many players."""

    @property
    def state_size(self) -> int:
        """Numbers in a state row."""

    @property
    def move_size(self) -> int:
        """Numbers in a move row."""

    @property
    def max_moves(self) -> int:
        """No position has more legal moves."""

    @property
    def work_size(self) -> int:
        """Numbers of scratch space."""

    @property
    def fields(self) -> Mapping[str, int]:
        """Where the fields of a row begin; all games have MOVER and OVER, and SWAPPED if persons may change colours."""

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of rows in machine code; plain Python always has 64 bits."""

    @property
    def fingerprint(self) -> str:
        """The same for two games exactly if their rules are the same text; saved knowledge carries it."""

    def tidy(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Copies of moves in which numbers that mean nothing are 0; so equal moves are equal rows."""

    def move_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The notation of the legal moves of one position, all different."""

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """What stands where: names by site; stacks from the bottom. Empty where a game has no board."""

    def picture(self, state: NDArray[Any]) -> str:
        """The position as text."""
