"""Rules: what each language provides, so that later code does not depend on the language."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.geometry import Die, Figure, Geometry, MoveSites

COLOURS = ("White", "Black", "Red", "Blue", "Green", "Yellow", "Purple", "Orange")


def default_names(players: int) -> tuple[str, ...]:
    """Names of players whose game gives them none: colours, as pictures show them."""
    return tuple(COLOURS[p] if p < len(COLOURS) else f"Player {p + 1}" for p in range(players))


def rules_at(rules: Rules, state: NDArray[Any]) -> Rules:
    """The rules of the game that is played in a position: of a match, those of the current game, with its board."""
    at = getattr(rules, "at", None)
    return rules if at is None else at(state)


class Rules(Protocol):
    """A game as kernels, with the means to name its moves and to show its positions.

    ``source`` is complete kernel text: the functions of the contract (``docs/architecture.md``), the constants
    ``STATE_SIZE``, ``MOVE_SIZE``, ``MAX_MOVES``, ``WORK_SIZE``, ``N_PLAYERS``, and the places of fields in a row.
    """

    @property
    def name(self) -> str:
        """The game's name."""

    @property
    def title(self) -> str:
        """The name with the options that were chosen, such as ``Hex 7x7``."""

    @property
    def player_names(self) -> tuple[str, ...]:
        """How people call the players, by colour: ``("White", "Black")``."""

    @property
    def source(self) -> str:
        """The text of the kernels."""

    @property
    def n_players(self) -> int:
        """Number of players."""

    @property
    def teams(self) -> bool:
        """Whether players form teams, which win together."""

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
        """The recorded notation of the legal moves of one position, all different; files of games hold it."""

    def move_labels(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The legal moves of one position as people read and type them, all different: ``E2-E4``, ``D4``."""

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """Names of pieces by site; stacks from the bottom. Empty if the game has no board."""

    @property
    def geometry(self) -> Geometry:
        """The board as shapes; without sites where a game has no board."""

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """Owners and names of all kinds of pieces, as figures have them; empty where they are not known beforehand."""

    def figures(self, state: NDArray[Any]) -> dict[int, list[Figure]]:
        """The pieces as figures: by site of the geometry, from the bottom."""

    def move_sites(self, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
        """Sites where a legal move begins and ends, and its effects there."""

    def dice(self, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
        """The dice as the player to move sees them; ``after``: the position after a legal move, the same at the end."""

    def picture(self, state: NDArray[Any]) -> str:
        """The position as text."""
