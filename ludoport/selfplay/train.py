"""The loop of a run: play, learn, keep."""

from __future__ import annotations

import json
import math
import time
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ludoport.arena.statistics import Elo
from ludoport.errors import LudoportError
from ludoport.selfplay.background import Background
from ludoport.selfplay.budget import Budget
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.costs import Costs
from ludoport.selfplay.learner import DivergedError, Losses
from ludoport.selfplay.one_game import OneGame
from ludoport.selfplay.playing import Progress, together
from ludoport.selfplay.plots import plot_runs
from ludoport.selfplay.rating import search_facts
from ludoport.selfplay.run import Run
from ludoport.selfplay.signals import stopped_by_signals
from ludoport.selfplay.subject import Subject
from ludoport.selfplay.tournament import NEWEST

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.cluster import OnRay

__all__ = ["Budget", "Trainer"]

SHOWN_SECONDS = 60.0
"""Checkpoints that follow each other faster are not all drawn."""

LAST_SHARE = 0.005
"""Longest wait of a run on a device for its last rating, as a share of its time."""


class Trainer:
    """A run at work.

    Args:
        config: every setting.
        folder: the folder of the run.
        start: the file of a network to start from; fresh weights by default.
        device: device of the network and the learner.
        game: the game, if it is loaded already; not for a list of games.
        on: the cluster whose actors play; this process plays by default.
        since: start of the run, for the costs of starting; default: now.
        warm: use what an earlier run of this process has left on the device, and leave it to the next; then there is no
            checkpoint after the last epoch and no picture, because the run is one of many.

    Attributes:
        subject: the game or games that are learned.
        interrupted: whether the run was stopped before its time.
        costs: time by kinds of work.
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
        since: float | None = None,
        warm: bool = False,
    ) -> None:
        self.costs, self.warm = Costs(since), warm
        if on is not None:
            on.check()
        self.config = config
        self.run = Run(Path(folder), config)
        self.subject = subject = _subject(self.run, game, device, on, warm)
        kept = self.run.checkpoints.load()
        if kept is not None:
            subject.check(kept[1]["fingerprint"])
            if start is not None:
                warnings.warn(f"{folder} resumes from its last checkpoint; {start} is not used", stacklevel=2)
        subject.assemble(self.run.network_file if kept else start)
        self.learner, self.replay, self.play = subject.learner, subject.replay, subject.play
        self.ratings, self.tournament = subject.ratings, subject.tournament
        self.epoch, self.seconds = 0, 0.0
        self.elo: Elo | None = None
        self.interrupted = False
        self.records: list[dict[str, Any]] = []
        self._played, self._saved, self._shown, self._begin = 0, 0.0, 0.0, 0.0
        self._showing = Background("metrics")
        if kept is not None:
            self._resume(*kept)

    def stop(self) -> bool:
        """Stop as soon as that loses nothing; returns whether this was asked for before."""
        before, self.interrupted = self.interrupted, True
        return before

    def train(self, budget: Budget, watch: Callable[[dict[str, Any]], object] | None = None) -> Path:
        """Work until the budget is used up or the run is interrupted; returns the file of the newest network.

        The first Ctrl-C saves the run and ends it, a second one ends it at once. Whatever else goes wrong, the run
        keeps its last checkpoint, if there was one, and a line in the log says what it was.

        Args:
            budget: limit of the run, together with what it did before.
            watch: called with the record of every epoch.
        """
        self.interrupted = False
        # Signals are listened to inside of what plays, because Ray listens too.
        with (
            self.run.working(), self._noting(), self.ratings.beside(), self.play.at_work(),
            stopped_by_signals(self.stop),
        ):  # fmt: skip
            self._saved = self._shown = time.perf_counter()
            self._begin = self._saved - self.seconds
            self.costs.started()
            self._admit()
            while not self._over(budget):
                record = self._epoch(budget)
                if record is None:
                    break
                self._keep(record)
                self._admit()
                if self.epoch % self.config.checkpoint_epochs == 0 or self._overdue():
                    self.save()
                    self.ratings.ask(self.epoch, self.seconds)
                    self._show(SHOWN_SECONDS)
                if watch is not None:
                    watch(record)
            self.play.rest()
            one_of_many = self.warm and not self.interrupted
            if one_of_many:
                self._save_network(self.run.network_file)
            else:
                self.save()
            if not self.interrupted:
                self._last_rating()
            if not one_of_many:
                self._show()
        return self.run.network_file

    def save(self) -> None:
        """Keep the network and all that the next epoch needs; the disk gets it in the background."""
        with self.costs.on("checkpoint"):
            self.learner.check()
            for path in (self.run.checkpoint_file(self.epoch), self.run.network_file):
                self._save_network(path)
            facts = {
                "epoch": self.epoch,
                "seconds": self.seconds,
                "played": self._played,
                "fingerprint": self.subject.rules,
                "player": self._player,
                "rating_seconds": self.ratings.spent,
                "learner_rng": self.learner.rng.bit_generator.state,
            }
            self.run.checkpoints.save(self.replay.memories, {**self.play.arrays(), **self.learner.arrays()}, facts)
            self._saved = time.perf_counter()

    def _epoch(self, budget: Budget) -> dict[str, Any] | None:
        """Play and learn; None if the games of this epoch have not been played to their end."""
        clock = time.perf_counter()
        played = self._games(budget)
        if played is None:
            return None
        learned = None
        ready = self.replay.ready
        if ready >= max(1, min(self.config.warmup, self.config.replay // 2)):
            with self.costs.on("learn"):
                progress = budget.progress(self._elapsed(), self.epoch)
                learned = self.learner.learn(self.replay, self.config.batches_of_epoch(), progress)
                self.play.update(self.learner.averaged)
        self.run.checkpoints.check()
        self.epoch += 1
        self._played, self.seconds = 0, self._elapsed()
        left = budget.left(self.seconds, self.epoch, time.perf_counter() - clock)
        return self._record(played, learned, {"ready": ready, "seconds_left": round(left, 1)})

    def _games(self, budget: Budget) -> Progress | None:
        """Play the games of an epoch, with checkpoints where they take long; returns what was done.

        None if the run is interrupted or its time is over; the same games continue when it resumes.
        """
        parts = list[Progress]()

        def overdue() -> bool:
            # Without minutes between checkpoints there is one after every epoch, not after every move.
            return self.config.checkpoint_minutes > 0 and self.replay.written > first and self._overdue()

        while self._played < self.config.positions:
            if self._over(budget):
                self.seconds = self._elapsed()
                return None
            first = self.replay.written
            with self.costs.on("play"):
                more = self.config.positions - self._played
                parts.append(self.play.play(more, lambda: self._over(budget) or overdue()))
            self._played += self.replay.written - first
            self.seconds = self._elapsed()
            if self._played < self.config.positions and not self._over(budget):
                self.save()
        return together(parts)

    def _over(self, budget: Budget) -> bool:
        return self.interrupted or budget.progress(self._elapsed(), self.epoch) >= 1

    def _elapsed(self) -> float:
        """Seconds that the run has worked, also before it was interrupted."""
        return time.perf_counter() - self._begin

    def _overdue(self) -> bool:
        """Whether the last checkpoint is too old."""
        return time.perf_counter() - self._saved > 60 * self.config.checkpoint_minutes

    def _record(self, played: Progress, learned: Losses | None, facts: dict[str, Any]) -> dict[str, Any]:
        """Metrics of an epoch; ``_keep`` adds its cost."""
        pace = max(1e-9, played.play_seconds)
        return {
            "epoch": self.epoch,
            "seconds": round(self.seconds, 3),
            **{name: value for name, value in asdict(played).items() if name != "play_seconds"},
            **facts,
            "policy_loss": learned.policy if learned else None,
            "value_loss": learned.value if learned else None,
            "reply_loss": learned.reply if learned and self.config.reply_weight else None,
            "ownership_loss": learned.ownership if learned and self.config.ownership_weight else None,
            "rate": learned.rate if learned else None,
            **self.subject.metrics(),
            "games_per_second": round(played.games / pace, 3),
            "positions_per_second": round(played.positions / pace, 3),
            "evaluations_per_second": round(played.evaluations / pace, 3),
        }

    def _elo(self) -> dict[str, float | None]:
        """The newest rating with its interval, as metrics keep it."""
        return (self.elo or Elo(math.nan, -math.inf, math.inf)).as_json()

    def _keep(self, record: dict[str, Any]) -> None:
        """Write down an epoch, with its costs and the newest rating."""
        with self.costs.on("rating"):
            self._hear()
        record |= {**self.costs.lap(), **self._elo()}
        self.records.append(record)
        self.run.keep_metrics(self.records)
        self.run.log(json.dumps(record))

    def _show(self, least: float = 0.0) -> None:
        """Write metrics for other programs and draw them in the background, at most every ``least`` seconds."""
        if time.perf_counter() - self._shown < least:
            return
        self.run.keep_metrics(self.records)

        def show() -> None:
            self.run.export_metrics()
            plot_runs({self.subject.name: self.run}, self.run.folder / "learning.png")

        self._showing.start(show)
        self._shown = time.perf_counter()

    def _last_rating(self) -> None:
        """Let the last checkpoint play for a moment, and one on a CPU for what is left of its share of the time."""
        with self.costs.on("rating"):
            allowed = self.ratings.ask(self.epoch, self.seconds) if self.epoch else 0.0
            here = self.learner.device.type == "cpu"
            self.ratings.wait(min(allowed, self.seconds if here else LAST_SHARE * self.seconds), patient=here)
            self._hear()
        if self.records:
            self.records[-1] |= self._elo()

    def _hear(self) -> None:
        """Take over a new rating, if there is one."""
        rating = self.ratings.latest(always=False)
        if rating is not None:
            self.elo = rating.elo

    def _admit(self) -> None:
        """Let a checkpoint into the tournament, if there is one now; what the run begins with is there at once."""
        tournament = self.tournament
        if tournament is None or self.epoch % self.config.checkpoint_epochs or self.epoch in tournament.ratings:
            return
        self._save_network(self.run.checkpoint_file(self.epoch))
        tournament.admit(self.epoch)

    def _save_network(self, path: Path) -> None:
        # Nothing about time: equal runs have equal files.
        training = {"epochs": self.epoch, "seed": self.config.seed, "search": search_facts(self.config)}
        self.subject.save(path, training)

    @contextmanager
    def _noting(self) -> Iterator[None]:
        """Finish pending writes, and log their errors."""
        try:
            try:
                yield
            finally:
                with self.costs.on("checkpoint"):
                    self.run.checkpoints.wait()
                self._showing.wait()
        except DivergedError as error:
            told = DivergedError(error.what, kept=self.run.checkpoints.exists)
            self._note(told)
            raise told from None
        except Exception as error:
            self._note(error)
            raise

    def _note(self, error: Exception) -> None:
        with suppress(LudoportError):  # a full disk may have no room for this either
            self.run.log(json.dumps({"epoch": self.epoch, "failure": f"{type(error).__name__}: {error}"}))

    def _resume(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        self.replay.restore(arrays)
        if facts.get("player", self._player) == self._player:
            self.play.restore(arrays)
        elif self.tournament is not None and "play_tournament" in arrays:
            # Games start again: those of a cluster cannot continue in one process, nor the other way round.
            self.tournament.restore(arrays)
            self.tournament.opponent = NEWEST
        self.learner.restore(arrays)
        self.learner.rng.bit_generator.state = facts["learner_rng"]
        self.epoch, self.seconds, self._played = facts["epoch"], facts["seconds"], facts["played"]
        self.ratings.before, rated = facts["rating_seconds"], self.ratings.latest()
        self.elo = rated.elo if rated else None
        self.records = self.run.metrics()[: self.epoch]
        self.play.update(self.learner.averaged)

    @property
    def _player(self) -> str:
        return type(self.play).__name__


def _subject(run: Run, game: Game | None, device: str, on: OnRay | None, warm: bool) -> Subject:
    """The subject of a run, by its settings: one game, or many."""
    if not run.config.game_list:
        return OneGame(run, game, device, on, warm)
    from ludoport.selfplay.many_games import ManyGames  # reads descriptions, which other runs do without

    if on is not None:
        raise LudoportError("runs of many games play in one process, not on Ray")
    return ManyGames(run, device, warm)
