"""Many positions of one game as arrays: steps, legal masks and tensors without a loop over states."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, State, as_game
from ludoport.kernels.cuda_batch import seed_words
from ludoport.tensors.batch_kernels import KINDS, REFUSED
from ludoport.tensors.batch_runners import runner_on
from ludoport.tensors.kernels import HISTORY_SIZE
from ludoport.tensors.layout import LayoutName, TensorLayout, tensor_layout

NO_LIMIT = 2**31 - 1


def batch(
    game: Game | str | Path,
    size: int,
    *,
    options: Sequence[str] = (),
    seed: int = 0,
    device: str = "cpu",
    threads: int = 1,
    auto_reset: bool = False,
    limit: int | None = None,
    layout: LayoutName = "compact",
) -> GameBatch:
    """Many games side by side, all at their initial positions.

    Args:
        game: a game, or its name.
        size: number of positions, B.
        options: options of a game given by name.
        seed: random seed; position i depends on it and on i only.
        device: ``cpu`` (numpy arrays) or ``cuda`` (torch tensors on the device).
        threads: threads of the CPU that share the positions.
        auto_reset: whether a game that ends restarts in the same step; ``terminated``, ``truncated`` and
            ``utilities`` then describe the game that ended, everything else the new one.
        limit: most plies of a game, after which it is ``truncated``; default: none.
        layout: tensors, ``compact``, ``paper`` or ``ludii-1.3.14``.

    Example:
        >>> import ludoport as lp
        >>> games = lp.batch("Tic-Tac-Toe", 4, auto_reset=True)
        >>> games.legal.shape, games.tensors().shape
        ((4, 27), (4, 9, 3, 3))
        >>> _ = games.step([4, 0, 1, 2])
        >>> games.legal.sum(axis=1).tolist(), games.mover.tolist()
        ([8, 8, 8, 8], [2, 2, 2, 2])
    """
    return GameBatch(as_game(game, options), size, seed, device, threads, auto_reset, limit, layout)


class GameBatch:
    """Positions of one game, and what the last step came to; see `batch`.

    An action is a place in the policy, as networks give it: an index into the flat tensor of moves (channels, height,
    width). Several legal moves may share a place; one of them is then drawn with the position's own random generator.
    ``step(numbers, kind="moves")`` chooses by place in the list of legal moves instead, which reaches every move.

    Arrays are numpy arrays on the CPU and torch tensors on a device. They are views: the next step changes them.

    Attributes:
        game: the game.
        layout: layout of the tensors.
        states: rows, shape [B, state size].
        histories: origin and destination of the last two moves, shape [B, 4].
        plies: plies of each game, shape [B].
        utilities: result of each colour, shape [B, players]; 0 while a game is running.
    """

    def __init__(
        self,
        game: Game,
        size: int,
        seed: int = 0,
        device: str = "cpu",
        threads: int = 1,
        auto_reset: bool = False,
        limit: int | None = None,
        layout: LayoutName = "compact",
    ) -> None:
        for name, value in (("size of a batch", size), ("number of threads", threads), ("limit of plies", limit or 1)):
            if value < 1:
                raise LudoportError(f"the {name} must be at least 1, not {value}")
        if device not in ("cpu", "cuda"):
            raise LudoportError(f"the device of a batch is cpu or cuda, not `{device}`")
        self.game, self.size, self.auto_reset = game, size, auto_reset
        self.layout: TensorLayout = tensor_layout(game, layout)
        self._limit = NO_LIMIT if limit is None else limit
        self._runner = runner_on(device, game, self.layout, size, threads)
        make, rules = self._runner.make, game.rules
        self._arrays: dict[str, Any] = {
            "states": make((size, rules.state_size)),
            "histories": make((size, HISTORY_SIZE)),
            "chosen": make((size, rules.move_size)),
            "rngs": self._runner.there(np.array([seed_words(seed * 1_000_003 + i) for i in range(size)])),
            "masks": make((size, int(np.prod(self.layout.move_shape))), np.uint8),
            "counts": make((size,), np.int32),
            "planes_out": make((size, int(np.prod(self.layout.shape))), np.uint8),
            "actions": make((size,), np.int64),
            "choices": make((size,), np.int8),
            "results": make((size, game.n_players), np.float32),
            "flags": make((size, 4), np.uint8),
            "plies": make((size,), np.int32),
            "refusals": make((size, 2), np.int64),
            "wrong": make((1,), np.int64),
        }
        self.states, self.histories, self.plies, self.utilities = (
            self._arrays[name] for name in ("states", "histories", "plies", "results")
        )
        self._fresh: set[str] = set()
        self._checks, self._turn = device == "cpu", 0
        self.reset()

    def __len__(self) -> int:
        return self.size

    def __repr__(self) -> str:
        return f"GameBatch({self.game.title!r}, {self.size} positions)"

    @property
    def n_actions(self) -> int:
        """Places of the policy, A."""
        return int(self._arrays["masks"].shape[1])

    def reset(self) -> GameBatch:
        """Restarts all games."""
        self._run("begin")
        for name in ("results", "flags", "plies", "refusals", "wrong"):
            self._arrays[name][:] = 0
        self._turn = 0
        self._fresh.clear()
        return self

    def step(self, actions: Any, kind: str = "slots", *, check: bool | None = None) -> GameBatch:
        """Play one move in each position; positions whose game is over stay as they are.

        Args:
            actions: integers, shape [B].
            kind: ``slots`` (places of the policy) or ``moves`` (places in the list of legal moves).
            check: whether to wait until all actions are known to be legal; default: on the CPU, not on a device. If
                not, positions whose action is not legal stay as they are, and an error is raised later: by `check`, or
                by the next property or method that is used after the device has found out.

        Raises:
            LudoportError: an action is not legal; with ``check`` nothing is played then.
        """
        self._report()
        if kind not in KINDS:
            raise LudoportError(f"actions are slots or moves, not `{kind}`")
        given = self._runner.there(actions)
        if tuple(given.shape) != (self.size,):
            raise LudoportError(f"{self.size} positions need actions of shape ({self.size},), not {tuple(given.shape)}")
        self._arrays["actions"][:] = given
        self._run("choose", by_slot=KINDS[kind])
        if self._checks if check is None else check:
            self._refuse()
        self._turn += 1
        self._run("step", limit=self._limit, again=int(self.auto_reset), turn=self._turn)
        self._runner.tell(self._arrays["wrong"])
        self._fresh.clear()
        return self

    def check(self) -> GameBatch:
        """Wait for the device and make sure that all actions were legal.

        Raises:
            LudoportError: some were not, since the last error or reset.
        """
        self._report(wait=True)
        return self

    def _refuse(self) -> None:
        """Raise an error if an action is not legal, before anything is played."""
        refused = self._arrays["choices"] == REFUSED
        if bool(refused.any()):
            number = int(np.flatnonzero(self._runner.here(refused))[0])
            action = int(self._arrays["actions"][number])
            more = int(refused.sum()) - 1
            others = f", and {more} more of the {self.size} actions are not legal" if more else ""
            raise LudoportError(f"action {action} is not legal in position {number}{others}; nothing was played")

    def _report(self, wait: bool = False) -> None:
        """Raise an error if an earlier step had actions that were not legal; without waiting, if that is known."""
        if not self._runner.told(self._arrays["wrong"], wait):
            return
        refusals = self._runner.here(self._arrays["refusals"]).copy()
        numbers = np.flatnonzero(refusals[:, 0])
        for name in ("refusals", "wrong"):
            self._arrays[name][:] = 0
        self._runner.tell(self._arrays["wrong"])
        if not len(numbers):  # reported already; the device had not yet heard of it
            return
        number = int(numbers[refusals[numbers, 0].argmin()])
        turn, action = refusals[number].tolist()
        others = f", nor were actions in {len(numbers) - 1} more positions" if len(numbers) > 1 else ""
        raise LudoportError(
            f"action {action} was not legal in position {number} at step {turn}{others}; those positions did not change"
        )

    def random_actions(self) -> Any:
        """An action for each position: the place of a legal move drawn uniformly, -1 where the game is over; [B]."""
        self._report()
        self._run("random")
        return self._arrays["actions"]

    @property
    def legal(self) -> Any:
        """Mask of legal actions, shape [B, A], bool; none where the game is over."""
        self._report()
        if "masks" not in self._fresh:
            self._run("mask")
            self._fresh.add("masks")
        return self._runner.as_bool(self._arrays["masks"])

    @property
    def n_moves(self) -> Any:
        """Number of legal moves, shape [B]; larger than that of legal actions where moves share places."""
        _ = self.legal
        return self._arrays["counts"]

    def tensors(self) -> Any:
        """State tensors, shape [B, C, H, W], bytes; the layout says what channels mean."""
        self._report()
        if "planes_out" not in self._fresh:
            self._run("planes")
            self._fresh.add("planes_out")
        return self._arrays["planes_out"].reshape(self.size, *self.layout.shape)

    @property
    def terminated(self) -> Any:
        """Whether the game has come to its end, shape [B], bool; with ``auto_reset``, whether it did in this step."""
        return self._flag(0)

    @property
    def truncated(self) -> Any:
        """Whether the game was given up at the limit of plies, shape [B], bool."""
        return self._flag(1)

    @property
    def ended(self) -> Any:
        """Whether the last step ended the game, at its end or at the limit, shape [B], bool."""
        return self._flag(2)

    @property
    def rewards(self) -> Any:
        """Results by seat of the games that ended in the last step, 0 for all others, shape [B, players]."""
        return self.seat_utilities * self.ended[:, None]

    @property
    def seat_utilities(self) -> Any:
        """Result of each seat, shape [B, players]; differs from ``utilities`` where the seats exchanged colours."""
        if "SWAPPED" not in self.game.rules.fields:
            return self.utilities
        exchanged = self._flag(3)[:, None]
        return self._runner.where(exchanged, self._runner.flipped(self.utilities), self.utilities)

    @property
    def mover(self) -> Any:
        """Colour to move, shape [B], from 1."""
        self._report()
        return self.states[:, self.game.rules.fields["MOVER"]]

    @property
    def seat(self) -> Any:
        """Seat to move, shape [B], from 1; differs from the mover after a swap."""
        fields = self.game.rules.fields
        if "SWAPPED" not in fields:
            return self.mover
        return self._runner.where(self.states[:, fields["SWAPPED"]] != 0, 3 - self.mover, self.mover)

    def state(self, number: int) -> State:
        """One of the positions as a State."""
        self.check()
        row = self._runner.here(self.states[number])
        return State(self.game, np.array(row, dtype=self.game.dtype))

    def _flag(self, number: int) -> Any:
        """A column of the flags that ``batch_step`` sets, shape [B], bool."""
        self._report()
        return self._runner.as_bool(self._arrays["flags"])[:, number]

    def _run(self, name: str, **numbers: int) -> None:
        self._runner.run(name, {**self._arrays, **numbers})
