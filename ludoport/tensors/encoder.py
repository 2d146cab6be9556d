"""States and moves of a game as tensors, in batches and one by one."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import DTypeLike, NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, Kernels, Move, State, seeded
from ludoport.tensors.entries import ENTRIES
from ludoport.tensors.kernels import HISTORY_SIZE, kernel_text
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout


class Slots(NamedTuple):
    """Slots of the legal moves of a batch of states.

    Attributes:
        slots: indices into the flat tensor of moves, state after state; shape (all moves,). Moves may share a slot.
        first: start of the moves of each state, and the end of the last ones; shape (states + 1,).
    """

    slots: NDArray[np.int32]
    first: NDArray[np.int64]


class Batch(NamedTuple):
    """States and what was played before.

    Attributes:
        rows: one state a row; shape (states, state size).
        histories: origin and destination of the last move and of the one before, -1 for none; shape (states, 4).
    """

    rows: NDArray[Any]
    histories: NDArray[Any]


class TensorEncoder:
    """Writes the tensors of a game.

    Args:
        game: a game whose positions can become tensors.
        layout: ``compact``, ``paper`` or ``ludii-1.3.14``.

    Arrays of a batch may be memory of torch tensors (``tensor.numpy()``, or ``torch.from_numpy(array)``), so that
    nothing is copied. Bytes are the fastest to write and to send to a device, where they become what a network needs.

    Example:
        >>> import ludoport as lp
        >>> encoder = TensorEncoder(lp.load("Tic-Tac-Toe", jit=False))
        >>> batch = encoder.trial(["4", "0"])
        >>> encoder.planes(batch.rows, batch.histories).shape
        (3, 9, 3, 3)
        >>> encoder.slots(batch.rows).first.tolist()
        [0, 9, 17, 24]
    """

    def __init__(self, game: Game, layout: LayoutName = "compact") -> None:
        self.game = game
        self.layout: TensorLayout = tensor_layout(game, layout)

    @cached_property
    def kernels(self) -> Kernels:
        """The kernels of the game together with those of its tensors."""
        return self.game.kernels_with(kernel_text(self.layout) + ENTRIES)

    def new_histories(self, count: int) -> NDArray[Any]:
        """Histories of states in which nothing was played yet."""
        return np.full((count, HISTORY_SIZE), -1, dtype=self.game.dtype)

    def planes(
        self,
        rows: NDArray[Any],
        histories: NDArray[Any] | None = None,
        out: NDArray[Any] | None = None,
        dtype: DTypeLike = np.uint8,
    ) -> NDArray[Any]:
        """State tensors of a batch.

        Args:
            rows: the states; shape (states, state size).
            histories: last moves before each state; shape (states, 4); default: none.
            out: array to write to; shape (states, channels, height, width), contiguous.
            dtype: the type of a new array, where ``out`` is not given.
        """
        rows = self._rows(rows)
        shape = (len(rows), *self.layout.shape)
        if out is None:
            out = np.empty(shape, dtype=dtype)
        elif out.shape != shape or not out.flags.c_contiguous:
            raise LudoportError(f"the planes need a contiguous array of shape {shape}, not {out.shape}")
        histories = self.new_histories(len(rows)) if histories is None else self._histories(histories, len(rows))
        self.kernels.call("enter_tensor_planes", rows, histories, out.reshape(len(rows), -1))
        return out

    def slots(self, rows: NDArray[Any]) -> Slots:
        """Slots of all legal moves of a batch of states, in the order of ``State.moves``."""
        rows, game = self._rows(rows), self.game
        first = np.zeros(len(rows) + 1, dtype=np.int64)
        slots = np.empty(max(64, self._room * len(rows)), dtype=np.int32)
        done = 0
        while True:
            done = int(self.kernels.call("enter_tensor_slots", rows, done, first, slots, game.move_list, game.work))
            if done == len(rows):
                break
            more = np.empty(2 * len(slots) + game.rules.max_moves, dtype=np.int32)
            more[: first[done]] = slots[: first[done]]
            slots = more
        return Slots(slots[: first[-1]], first)

    @property
    def _room(self) -> int:
        """Moves of a state that room is made for at once; where there are more, the array grows."""
        return min(self.game.rules.max_moves, len(self.layout.cells) + 1)

    def slots_of(self, rows: NDArray[Any], moves: NDArray[Any]) -> NDArray[np.int32]:
        """Slots of one move for each state; ``moves`` has shape (states, move size)."""
        rows = self._rows(rows)
        slots = np.empty(len(rows), dtype=np.int32)
        self.kernels.call("enter_tensor_slots_of", rows, self._moves(moves, len(rows)), slots)
        return slots

    def remember(self, histories: NDArray[Any], rows: NDArray[Any], moves: NDArray[Any]) -> None:
        """Moves are going to be played, one in each state: they become the last ones; histories change in place."""
        rows, histories = self._rows(rows), self._histories(histories, len(rows))
        self.kernels.call("enter_tensor_remember", histories, rows, self._moves(moves, len(rows)))

    def play(self, rows: NDArray[Any], histories: NDArray[Any], moves: NDArray[Any]) -> None:
        """Remember and play one legal move in each state of a batch; states and histories change in place."""
        rows, histories = self._rows(rows), self._histories(histories, len(rows))
        self.kernels.call("enter_tensor_play", rows, histories, self._moves(moves, len(rows)), self.game.work)

    def wander(self, count: int, seed: int = 0) -> Batch:
        """All positions of random games, one game after another, until there are ``count``; ends are left out."""
        game = self.game
        batch = Batch(np.zeros((count, game.rules.state_size), dtype=game.dtype), self.new_histories(count))
        self.kernels.call("enter_tensor_wander", *batch, seeded(seed), game.move_list, game.work)
        return batch

    def trial(self, moves: Iterable[Move | str]) -> Batch:
        """All positions of a game, from the start to behind the last of these moves."""
        state, history = self.game.start(), self.new_histories(1)
        rows, histories = [state.row], [history[0].copy()]
        for text in moves:
            move = state.find(text) if isinstance(text, str) else text
            after = state.play(move)
            self.remember(history, state.row[None], move.row[None])
            state = after
            rows.append(state.row)
            histories.append(history[0].copy())
        return Batch(np.stack(rows), np.stack(histories))

    def state_tensor(self, state: State, history: NDArray[Any] | None = None) -> NDArray[np.float32]:
        """The tensor of one state; shape (channels, height, width)."""
        histories = None if history is None else np.asarray(history, dtype=self.game.dtype)[None]
        tensor: NDArray[np.float32] = self.planes(state.row[None], histories, dtype=np.float32)[0]
        return tensor

    def move_slots(self, state: State) -> dict[str, int]:
        """The slot of every legal move of a state, by its recorded text."""
        moves = state.moves()
        if not moves:
            return {}
        slots = self.slots_of(np.repeat(state.row[None], len(moves), axis=0), np.stack([move.row for move in moves]))
        return dict(zip((move.text for move in moves), slots.tolist(), strict=True))

    def _rows(self, rows: NDArray[Any]) -> NDArray[Any]:
        return self._checked("states", rows, (len(rows), self.game.rules.state_size))

    def _histories(self, histories: NDArray[Any], count: int) -> NDArray[Any]:
        return self._checked("histories", histories, (count, HISTORY_SIZE))

    def _moves(self, moves: NDArray[Any], count: int) -> NDArray[Any]:
        return self._checked("moves", moves, (count, self.game.rules.move_size))

    def _checked(self, name: str, array: NDArray[Any], shape: tuple[int, int]) -> NDArray[Any]:
        """The array itself; kernels do not look whether they read beyond its end."""
        if array.shape != shape or array.dtype != self.game.dtype or not array.flags.c_contiguous:
            given = f"{array.dtype} of shape {array.shape}"
            wanted = f"{np.dtype(self.game.dtype)} of shape {shape}"
            raise LudoportError(f"the {name} of {self.game.name} are contiguous arrays of {wanted}, not {given}")
        return array
