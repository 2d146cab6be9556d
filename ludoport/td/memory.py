"""Memory of a learner: the afterstates that it met, in arrays that grow."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.td.memory_kernels import BOOK
from ludoport.td.records import Entries, LookaheadDesk

if TYPE_CHECKING:
    from ludoport.game import Game, Kernels

KEY, VISITS, CODE = range(len(BOOK))


class AfterstateMemory:
    """Entries of afterstates, one after another, found by their keys.

    Attributes:
        slots, book, q, kept, counts: see ``Entries``.
    """

    def __init__(self, game: Game, kernels: Kernels, room: int, keep: bool) -> None:
        self._kernels = kernels
        self.counts: NDArray[np.int64] = np.zeros(2, dtype=np.int64)
        self.book: NDArray[np.int64] = np.zeros((len(BOOK), room), dtype=np.int64)
        self.q: NDArray[np.float64] = np.zeros(room, dtype=np.float64)
        self.kept: NDArray[Any] = np.zeros((room if keep else 0, game.rules.state_size), dtype=game.dtype)
        self._rehash()

    def __len__(self) -> int:
        return int(self.counts[0])

    @property
    def entries(self) -> Entries:
        """All arrays, as kernels take them."""
        return Entries(self.slots, self.book, self.q, self.kept, self.counts)

    @property
    def visits(self) -> NDArray[np.int64]:
        """Visits of each afterstate; shape (entries,)."""
        return self.book[VISITS, : len(self)]

    @property
    def values(self) -> NDArray[np.float64]:
        """The value of each afterstate; shape (entries,)."""
        return self.q[: len(self)]

    @property
    def keeps(self) -> bool:
        """Whether the positions themselves are kept."""
        return bool(self.kept.shape[0])

    def grow(self) -> None:
        """Room for twice as many entries."""
        self._widen(2 * self.q.shape[0])

    def fill(self, book: NDArray[np.int64], q: NDArray[np.float64], kept: NDArray[Any]) -> None:
        """Replace all entries; ``book``, ``q`` and ``kept`` as the attributes, without room for more."""
        entries = q.shape[0]
        self.counts[:] = 0
        self._widen(max(self.q.shape[0], 2 * entries))
        self.book[:, :entries], self.q[:entries] = book, q
        if self.keeps:
            self.kept[:entries] = kept
        self.counts[0] = entries
        self._rehash()

    def _widen(self, room: int) -> None:
        self.book = _wider(self.book, (self.book.shape[0], room))
        self.q = _wider(self.q, (room,))
        if self.keeps:
            self.kept = _wider(self.kept, (room, self.kept.shape[1]))
        self._rehash()

    def _rehash(self) -> None:
        size = 1 << (2 * self.q.shape[0] - 1).bit_length()
        self.slots: NDArray[np.int64] = np.empty(size, dtype=np.int64)
        self._kernels.call("enter_td_rehash", self.entries, len(self))


def _wider(array: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    wider = np.zeros(shape, dtype=array.dtype)
    wider[tuple(slice(0, size) for size in array.shape)] = array
    return wider


def new_desk(game: Game, depth: int) -> LookaheadDesk:
    """Enough space for a lookahead of some depth; opponents look two moves ahead."""
    rules, levels = game.rules, max(depth, 2)
    return LookaheadDesk(
        rows=np.zeros((levels + 1, rules.state_size), dtype=game.dtype),
        lists=np.zeros((levels, (rules.max_moves + 1) * rules.move_size), dtype=game.dtype),
        kids=np.zeros((levels, rules.max_moves + 1), dtype=np.int64),
        levels=np.zeros((levels, 5), dtype=np.int64),
        sums=np.zeros((levels, 4), dtype=np.float64),
        work=np.zeros(rules.work_size, dtype=game.dtype),
    )
