"""The loop of a run: play, learn, keep."""

from __future__ import annotations

import json
import math
import random
import signal
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import asdict, dataclass, fields, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.config import preset as network_preset
from ludoport.nets.files import load_network, save_network
from ludoport.nets.guide import fitting_layout, origin_of
from ludoport.nets.network import PolicyValueNet
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.games import Progress, SelfPlay
from ludoport.selfplay.learner import DivergedError, Learner
from ludoport.selfplay.plots import plot_runs
from ludoport.selfplay.rating import Ratings
from ludoport.selfplay.replay import Replay, replay_sizes
from ludoport.selfplay.run import Run
from ludoport.selfplay.tournament import NEWEST, Tournament
from ludoport.tensors.layout import TensorLayout, tensor_layout
from ludoport.tensors.symmetry import symmetries

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.selfplay.cluster import ClusterSelfPlay, OnRay
    from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay


SHOWN_SECONDS = 60.0
"""Checkpoints that follow each other faster are not all drawn, because that takes a second of the run's time."""


@dataclass(frozen=True)
class Budget:
    """How long a run goes: minutes of work or epochs, whichever comes first."""

    minutes: float | None = None
    epochs: int | None = None

    def __post_init__(self) -> None:
        if self.minutes is None and self.epochs is None:
            raise LudoportError("a run needs a number of minutes or of epochs")
        for name, value in (("minutes", self.minutes), ("epochs", self.epochs)):
            if value is not None and not 0 < value < math.inf:
                what = "finite" if value == math.inf else "positive"
                raise LudoportError(f"the number of {name} must be {what}, not {value}")

    def progress(self, seconds: float, epoch: int) -> float:
        """How much of the run is over, from 0 to 1."""
        parts = [seconds / (60 * self.minutes)] if self.minutes is not None else []
        parts += [epoch / self.epochs] if self.epochs is not None else []
        return max(parts)

    def left(self, seconds: float, epoch: int, pace: float) -> float:
        """About how many seconds are left, if an epoch takes so many."""
        parts = [60 * self.minutes - seconds] if self.minutes is not None else []
        parts += [(self.epochs - epoch) * pace] if self.epochs is not None else []
        return max(0.0, min(parts))


class Trainer:
    """A run at work.

    Args:
        config: every setting.
        folder: where the run lies.
        start: a network to start from instead of fresh weights; a path.
        device: where network and learner are.
        game: the game, if it is loaded already.
        on: the cluster whose actors play; this process plays if not given.

    Attributes:
        interrupted: whether somebody stopped the run before its time.
    """

    def __init__(
        self,
        config: TrainConfig,
        folder: Path | str,
        *,
        start: Path | str | None = None,
        device: str = "cpu",
        game: Game | None = None,
        on: OnRay | None = None,
    ) -> None:
        if on is not None:
            on.check()
        self.config = config
        self.run = Run(Path(folder), config)
        self.game = game or lp.load(config.game, options=list(config.options))
        check_game(self.game, config.ply_limit)
        kept = self._kept()
        if kept is not None and start is not None:
            warnings.warn(f"{folder} goes on from its last checkpoint; {start} is not used", stacklevel=2)
        net, self.layout = self._network(self.run.network_file if kept else start)
        check_heads(net, config)
        turns = symmetries(self.game, self.layout) if config.symmetries else []
        self.learner = Learner(net, self.layout, config, turns, device)
        sizes = replay_sizes(config, self.layout)
        self.tournament = Tournament(config.seed, self.run.checkpoint_file) if config.tournament else None
        self.replay: Replay | DeviceReplay
        self.play: SelfPlay | DeviceSelfPlay | ClusterSelfPlay
        if device == "cuda":
            from ludoport.selfplay.device import DeviceReplay, DeviceSelfPlay

            self.replay = DeviceReplay(*sizes)
        else:
            self.replay = Replay(*sizes)
        if on is not None:
            from ludoport.selfplay.cluster import ClusterSelfPlay

            self.play = ClusterSelfPlay(
                self.game, self.layout, config, self.replay, self.learner.averaged, on, self.tournament
            )
        elif isinstance(self.replay, Replay):
            self.play = SelfPlay(self.game, self.layout, config, self.replay, self.learner.averaged, self.tournament)
        else:
            self.play = DeviceSelfPlay(
                self.game, self.layout, config, self.replay, self.learner.averaged, self.tournament
            )
        self.ratings = Ratings(self.run, self.game)
        if config.rating_share > 0:
            self.ratings.prepare()
        self.epoch, self.seconds = 0, 0.0
        self.elo: float | None = None
        self.interrupted = False
        self.records: list[dict[str, Any]] = []
        self._played, self._saved, self._shown = 0, 0.0, 0.0
        if kept is not None:
            self._resume(*kept)

    def _network(self, start: Path | str | None) -> tuple[PolicyValueNet, TensorLayout]:
        if start is None:
            layout = tensor_layout(self.game, self.config.layout)  # type: ignore[arg-type]
            heads = {"reply": self.config.reply_weight > 0, "ownership": 3 if self.config.ownership_weight > 0 else 0}
            config = network_preset(self.config.network, layout.shape[0], layout.move_shape[0], **heads)
            return build_network(config, seed=self.config.seed), layout
        saved = load_network(start)
        return saved.net, fitting_layout(self.game, saved.header.origin, str(start))

    def _kept(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        """What the run goes on from, if it is a run of this game."""
        kept = self.run.load_state()
        if kept is not None and kept[1]["fingerprint"] != self.game.rules.fingerprint:
            raise LudoportError(
                f"{self.run.folder} holds a run of other rules than those of {self.game.name}; choose another folder"
            )
        return kept

    def _resume(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        self.replay.restore(arrays)
        if facts.get("player", self._player) == self._player:
            self.play.restore(arrays)
        elif self.tournament is not None and "play_tournament" in arrays:
            # Games begin anew: those of a cluster cannot go on in one process, nor the other way round.
            self.tournament.restore(arrays)
            self.tournament.opponent = NEWEST
        self.learner.restore(arrays)
        self.learner.rng.bit_generator.state = facts["learner_rng"]
        self.epoch, self.seconds, self._played = facts["epoch"], facts["seconds"], facts["played"]
        self.ratings.spent, self.elo = facts["rating_seconds"], facts["elo"]
        self.records = self.run.metrics()[: self.epoch]
        self.play.update(self.learner.averaged)

    @property
    def _player(self) -> str:
        return type(self.play).__name__

    def stop(self) -> None:
        """Stop as soon as that can be done without losing anything."""
        self.interrupted = True

    def train(self, budget: Budget, watch: Callable[[dict[str, Any]], None] | None = None) -> Path:
        """Go on until the budget is used up or somebody interrupts; returns the file of the newest network.

        The first Ctrl-C saves the run and ends it, a second one ends it at once. Whatever else goes wrong, the run
        keeps its last checkpoint, if there was one, and a line in the log says what it was.

        Args:
            budget: how long, together with what the run did before.
            watch: called with the record of every epoch.
        """
        self.interrupted = False
        with self.run.working(), self._noting(), self._actors(), self._listening():
            self._saved = self._shown = time.perf_counter()
            begin = self._saved - self.seconds
            self._admit()
            while budget.progress(self.seconds, self.epoch) < 1 and not self.interrupted:
                record = self._epoch(budget, begin)
                if record is None:
                    break
                self._keep(record)
                self._admit()
                if self._due():
                    self.save()
                    self._rate(begin)
                    record["elo"] = self.elo
                    self._show(SHOWN_SECONDS)
                if watch is not None:
                    watch(record)
            if hasattr(self.play, "rest"):
                self.play.rest()
            self.save()
            if not self.interrupted:
                self._rate(begin, final=True)
            self._show()
        return self.run.network_file

    def _show(self, least: float = 0.0) -> None:
        """Write metrics for other programs and draw them, unless that was done less than so many seconds ago."""
        if time.perf_counter() - self._shown < least:
            return
        self.run.keep_metrics(self.records)
        self.run.export_metrics()
        plot_runs({self.game.name: self.run}, self.run.folder / "learning.png")
        self._shown = time.perf_counter()

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Write what goes wrong into the log."""
        try:
            yield
        except DivergedError as error:
            told = DivergedError(error.what, kept=self.run.state_file.exists())
            self._note(told)
            raise told from None
        except Exception as error:
            self._note(error)
            raise

    def _note(self, error: Exception) -> None:
        with suppress(LudoportError):  # a full disk may have no room for this either
            self.run.log(json.dumps({"epoch": self.epoch, "failure": f"{type(error).__name__}: {error}"}))

    def _actors(self) -> AbstractContextManager[None]:
        """Where others play: have them. Signals are listened to inside of this, because Ray listens too."""
        return self.play.at_work() if hasattr(self.play, "at_work") else nullcontext()

    def _admit(self) -> None:
        """Let a checkpoint into the tournament, if there is one now; what the run begins with is there at once."""
        tournament = self.tournament
        if tournament is None or self.epoch % self.config.checkpoint_epochs or self.epoch in tournament.ratings:
            return
        self._save_network(self.run.checkpoint_file(self.epoch))
        tournament.admit(self.epoch)

    def _due(self) -> bool:
        """Whether it is time for a checkpoint."""
        return self.epoch % self.config.checkpoint_epochs == 0 or self._overdue()

    def _overdue(self) -> bool:
        """Whether the last checkpoint is too old."""
        return time.perf_counter() - self._saved > 60 * self.config.checkpoint_minutes

    @contextmanager
    def _listening(self) -> Iterator[None]:
        """Let signals stop the run; only the main thread hears them."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return

        def heard(number: int, frame: object) -> None:
            if self.interrupted and number == signal.SIGINT:
                raise KeyboardInterrupt
            self.stop()

        before = {number: signal.signal(number, heard) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)

    def _games(self, budget: Budget, begin: float) -> tuple[Progress, float] | None:
        """Play the games of an epoch, with checkpoints where they take long; returns what was done, and the seconds.

        None if somebody interrupts the games or the time is over; they go on from there another time.
        """
        parts, seconds = list[Progress](), 0.0

        def ended() -> bool:
            return self.interrupted or budget.progress(time.perf_counter() - begin, self.epoch) >= 1

        def overdue() -> bool:
            # Without minutes between checkpoints there is one after every epoch, not after every move.
            return self.config.checkpoint_minutes > 0 and self.replay.written > first and self._overdue()

        while self._played < self.config.positions:
            if ended():
                self.seconds = time.perf_counter() - begin
                return None
            clock, first = time.perf_counter(), self.replay.written
            more = self.config.positions - self._played
            parts.append(self.play.play(more, lambda: ended() or overdue()))
            # Actors also play while the network learns, and know how long they did.
            seconds += getattr(parts[-1], "play_seconds", time.perf_counter() - clock)
            self._played += self.replay.written - first
            self.seconds = time.perf_counter() - begin
            if self._played < self.config.positions and not ended():
                self.save()
        return together(parts), seconds

    def _epoch(self, budget: Budget, begin: float) -> dict[str, Any] | None:
        """Play and learn; None if the games of this epoch have not been played to their end."""
        clock = time.perf_counter()
        done = self._games(budget, begin)
        if done is None:
            return None
        played, played_seconds = done
        self._played = 0
        learned = None
        ready = self.replay.ready
        if ready >= max(1, min(self.config.warmup, self.config.replay // 2)):
            progress = budget.progress(time.perf_counter() - begin, self.epoch)
            learned = self.learner.learn(self.replay, self.config.batches_of_epoch(), progress)
            self.play.update(self.learner.averaged)
        self.epoch += 1
        self.seconds = time.perf_counter() - begin
        return {
            "epoch": self.epoch,
            "seconds": round(self.seconds, 3),
            "play_seconds": round(played_seconds, 3),
            "ready": ready,
            **asdict(played),
            "policy_loss": learned.policy if learned else None,
            "value_loss": learned.value if learned else None,
            "reply_loss": learned.reply if learned and self.config.reply_weight else None,
            "ownership_loss": learned.ownership if learned and self.config.ownership_weight else None,
            "rate": learned.rate if learned else None,
            "games_per_second": round(played.games / played_seconds, 3),
            "positions_per_second": round(played.positions / played_seconds, 3),
            "evaluations_per_second": round(played.evaluations / played_seconds, 3),
            "seconds_left": round(budget.left(self.seconds, self.epoch, time.perf_counter() - clock), 1),
            "elo": self.elo,
        }

    def _keep(self, record: dict[str, Any]) -> None:
        self.records.append(record)
        self.run.keep_metrics(self.records)
        self.run.log(json.dumps(record))

    def _rate(self, begin: float, final: bool = False) -> None:
        """Let the newest checkpoint play, if the share of the time that games may take allows it."""
        share = self.config.rating_share
        games = sum(record["games"] for record in self.records)
        allowed = share * self.seconds - self.ratings.spent
        if not games or allowed <= 0 or (final and self.epoch % self.config.checkpoint_epochs == 0):
            return
        moves = sum(record["moves"] for record in self.records) / games
        rating = self.ratings.rate(self.epoch, self.seconds, allowed, moves, lambda: self.interrupted)
        self.elo = rating.elo if rating else self.elo
        self.seconds = time.perf_counter() - begin

    def _save_network(self, path: Path) -> None:
        # Nothing about time: equal runs have equal files.
        training = {"epochs": self.epoch, "seed": self.config.seed}
        save_network(path, self.learner.averaged, origin_of(self.game, self.layout, self.config.options), training)

    def save(self) -> None:
        """Keep the network and all that the next epoch needs."""
        self.learner.check()
        for path in (self.run.checkpoint_file(self.epoch), self.run.network_file):
            self._save_network(path)
        facts = {
            "epoch": self.epoch,
            "seconds": self.seconds,
            "played": self._played,
            "fingerprint": self.game.rules.fingerprint,
            "player": self._player,
            "rating_seconds": self.ratings.spent,
            "elo": self.elo,
            "learner_rng": self.learner.rng.bit_generator.state,
        }
        self.run.save_state({**self.replay.arrays(), **self.play.arrays(), **self.learner.arrays()}, facts)
        self._saved = time.perf_counter()


def together(parts: list[Progress]) -> Progress:
    """What the stretches of an epoch did; all numbers add up but that of the actors who play."""
    names = [field.name for field in fields(parts[-1]) if field.name != "actors"]
    return replace(parts[-1], **{name: sum(getattr(part, name) for part in parts) for name in names})


def check_heads(net: PolicyValueNet, config: TrainConfig) -> None:
    """Make sure that a network has all the heads that learn.

    Raises:
        LudoportError: one is missing.
    """
    for name, what in (("reply", "replies"), ("ownership", "owners")):
        if getattr(config, f"{name}_weight") > 0 and not getattr(net.config, name):
            raise LudoportError(f"the network has no head for {what}; set {name}_weight to 0")


def _hides_a_choice(state: State) -> bool:
    """Whether somebody has chosen a move that whoever is to move may not know."""
    choice = state.game.rules.fields.get("CHOICE")
    return choice is not None and bool(state.row[choice : choice + state.game.n_players].any())


def check_game(game: Game, limit: int, seed: int = 1) -> None:
    """Make sure that a game is one that self-play can learn.

    Raises:
        LudoportError: it is not for two players, they choose at the same time, or what one of them wins the other does
            not lose.
    """
    if game.n_players != 2:
        raise LudoportError(f"training is for games of two players; {game.name} has {game.n_players}")
    rng = random.Random(seed)
    for number in range(4):
        state, plies = game.start(seed + number), 0
        while not state.over and plies < limit:
            if _hides_a_choice(state):
                raise LudoportError(
                    f"training is for games in which players move in turn; in {game.name} they choose at the same time"
                )
            state, plies = state.play(rng.choice(state.moves())), plies + 1
        if state.over and abs(sum(state.utilities)) > 1e-6:
            raise LudoportError(
                f"training is for games in which one player loses what the other wins; "
                f"a game of {game.name} ended with {' and '.join(f'{u:g}' for u in state.utilities)}"
            )
