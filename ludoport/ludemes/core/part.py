"""Programs of a match: one for each of its games, and one for the rules around them (the *frame*).

All of them share one row. It begins with the fields of the match; those of the game that is being played follow, so a
game's kernels work on the row of the match as on their own. Fields of which the match and a game have one each have
another name where the other one is meant: ``MATCH_SCORE`` in a game, ``GAME_OVER`` in the frame.
"""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.kernels import library
from ludoport.kernels.layout import Layout

MOST_INSTANCES = 1000
"""Number of games after which a match ends as a draw."""

LARGEST = 1_000_000_000
"""Match scores stay between this and its negative."""

_TWICE = ("OVER", "RANK", "SCORE")
"""Fields that a match and its games have."""


@dataclass(frozen=True)
class Part:
    """What a program of a match needs to know about the match.

    Attributes:
        games: number of games that the match lists.
        chance: whether any of them draws at random.
        frame: whether the program is that of the rules around the games.
    """

    games: int
    chance: bool
    frame: bool = False

    def own(self, name: str) -> str:
        """The name of a field of the match in this program."""
        return name if self.frame or name not in _TWICE else f"MATCH_{name}"

    def of_game(self, name: str) -> str:
        """The name of a field of the current game in this program."""
        return f"GAME_{name}" if self.frame and name in _TWICE else name

    def want_fields(self, state: Layout, players: int) -> None:
        """Ask for the fields at the beginning of all rows."""
        for name, size in (("OVER", 1), ("RANK", players + 2), ("SCORE", players + 2), ("INSTANCE", 1), ("TRIALS", 1)):
            state.want(self.own(name), size)
        state.want("FIRST")
        if self.chance:
            state.want("LUCK", library.LUCK_SIZE)
            state.want("UNSEEN")

    def held(self, players: int) -> dict[str, tuple[int, int]]:
        """What the fields hold that other programs write."""
        kept = {
            "INSTANCE": (0, self.games - 1),
            "TRIALS": (0, MOST_INSTANCES),
            "FIRST": (0, LARGEST),
            self.own("SCORE"): (-LARGEST, LARGEST),
        }
        if not self.frame:
            return kept | {"MATCH_OVER": (0, 3), "MATCH_RANK": (0, 2 * players)}
        seats = dict.fromkeys(("MOVER", "NEXT"), (1, players))
        numbers = dict.fromkeys(("PLY", "TURN"), (0, LARGEST))
        return kept | seats | numbers | {"PREV": (0, players), "GAME_OVER": (0, 3), "GAME_RANK": (0, 2 * players)}
