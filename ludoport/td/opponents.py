"""Opponents of the learner."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, Protocol

from ludoport.errors import LudoportError
from ludoport.td.match_kernels import KINDS

if TYPE_CHECKING:
    from ludoport.game import Move, State

Habit = Literal["fresh", "fixed"]


class Chooser(Protocol):
    """An opponent that chooses moves: a player of the arena, a search, a person."""

    @property
    def name(self) -> str:
        """Name under which features are stored."""

    def choose(self, state: State, seed: int) -> Move | str:
        """A legal move or its text; all randomness comes from the seed."""


@dataclass(frozen=True)
class Opponent:
    """One of the simple opponents of the paper, all of whose moves are chosen by kernels.

    ``random`` plays any move. ``eps-greedy`` looks ahead: it takes winning moves, avoids moves that lose at once (or,
    with a sight of 2, after which the learner can win), and otherwise plays any move; ``weak`` does the opposite. Both
    explore now and then.

    Args:
        kind: ``random``, ``eps-greedy`` or ``weak``.
        epsilon: probability of a random move.
        habit: whether equally good moves are drawn afresh every time, or always alike in the same position.
        sight: moves that it looks ahead: 1 for its own, 2 for one full turn.
        salt: seed of the fixed habits.
    """

    kind: str = "eps-greedy"
    epsilon: float = 0.01
    habit: Habit = "fresh"
    sight: int = 2
    salt: int = 0

    def __post_init__(self) -> None:
        if self.kind not in KINDS:
            raise LudoportError(f"unknown opponent `{self.kind}`; choose from {', '.join(KINDS)}")
        if not 0 <= self.epsilon <= 1:
            raise LudoportError(f"the opponent's epsilon must lie between 0 and 1, not {self.epsilon:g}")
        if self.sight not in (1, 2):
            raise LudoportError(f"an opponent looks 1 or 2 moves ahead, not {self.sight}")
        if self.habit not in ("fresh", "fixed"):
            raise LudoportError(f"the habit must be fresh or fixed, not `{self.habit}`")

    @property
    def name(self) -> str:
        """Name under which features are stored."""
        return self.kind
