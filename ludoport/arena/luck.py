"""Mirrored dice: in all games of a pair, what chance gives a seat in its n-th turn is the same.

The random words of a row decide all outcomes. A match replaces them at every position by words that depend only on the
seed of the start, the seat to move, the number of its turn and of its move in the turn. So luck does not depend on how
many moves other turns took, and a player that tries moves out does not see the outcomes of the game.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from ludoport.game import State
from ludoport.kernels.library import LUCK_SIZE
from ludoport.moves import Move
from ludoport.search.chance import has_chance

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from ludoport.game import Game


class Luck:
    """The luck of one game.

    Args:
        game: the game.
        seed: random seed of the start; games with the same seed have the same luck.
    """

    def __init__(self, game: Game, seed: int) -> None:
        self.seed = seed
        self._place = game.rules.fields["LUCK"] if has_chance(game) else -1
        self._seat, self._step = 0, 0
        self._turns: Counter[int] = Counter()

    def deal(self, row: NDArray[Any], seat: int) -> None:
        """Give a position its luck; to be called for every position of the game, in order."""
        if seat != self._seat:
            self._seat, self._step = seat, 0
            self._turns[seat] += 1
        else:
            self._step += 1
        if self._place >= 0:
            row[self._place : self._place + LUCK_SIZE] = self._numbers()

    def dealt(self, state: State) -> State:
        """The position with its luck; the position itself in games without chance, and at the end of a game."""
        if self._place < 0 or state.over:
            return state
        found = State(state.game, state.row.copy())
        found.last = state.last
        self.deal(found.row, state.seat)
        return found

    def _numbers(self) -> list[int]:
        """The four words of a row, in the parts that the row holds them in."""
        text = f"{self.seed}/luck/{self._seat}/{self._turns[self._seat]}/{self._step}"
        digest = hashlib.sha256(text.encode()).digest()
        words = [int.from_bytes(digest[4 * k : 4 * k + 4], "big") for k in range(4)]
        words[2] |= 1  # the generator of what is still unseen must not begin with zeros
        return [part for word in words for part in (word & 2047, (word >> 11) & 2047, word >> 22)]


def luck_after(game: Game, seed: int, seats: Sequence[int]) -> Luck:
    """The luck of a game whose positions so far had these seats to move."""
    luck = Luck(game, seed)
    row = game.new_row()
    for seat in seats:
        luck.deal(row, seat)
    return luck


def replay(game: Game, seed: int, moves: Sequence[str]) -> Iterator[tuple[Move | None, State]]:
    """The positions of a game of a match, each with the move that led there.

    Args:
        game: the game.
        seed: random seed of the start.
        moves: in recorded notation.
    """
    luck = Luck(game, seed)
    state = luck.dealt(game.start(seed=seed))
    yield None, state
    for text in moves:
        move = state.find(text)
        state = luck.dealt(state.play(move))
        yield move, state
