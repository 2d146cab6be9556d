"""Ratings of checkpoints: games against fixed players and older checkpoints, and Elo from all of them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.rating import rate
from ludoport.arena.statistics import Elo
from ludoport.search.puct import PuctSettings, Searches
from ludoport.selfplay.kernels import selfplay_source
from ludoport.selfplay.rating_process import RatingProcess

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.guide import Guide
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.run import Run

FILE = "ratings.jsonl"
STORE = "matches.sqlite"
SAMPLED = 8
"""Plies at the start of a game in which moves are drawn, so that games differ."""


@dataclass(frozen=True)
class Rating:
    """The strength of a checkpoint.

    Attributes:
        epoch: number of its epoch.
        seconds: time of the run until then.
        elo: above the first opponent, with its 95 % interval.
    """

    epoch: int
    seconds: float
    elo: Elo


class RunPlayer(NetworkPlayer):
    """A network that searches with the kernels of self-play, so that no others have to be compiled."""

    def _new_searches(self, game: Game, guide: Guide) -> Searches:
        layout = guide.layout
        source = selfplay_source(game, layout)
        return Searches(game, 1, self.settings, evaluator="batch", layout=layout, source=source)


def network_player(config: TrainConfig, file: Path | str, simulations: int | None = None) -> RunPlayer:
    """A player with a network of a run, which searches as the run does."""
    return RunPlayer(str(file), rated_search(config, simulations), sampled=SAMPLED)


def rated_search(config: TrainConfig, simulations: int | None = None) -> PuctSettings:
    """Search settings of a run's network when it plays for strength."""
    return PuctSettings(
        simulations=simulations or config.rating_simulations, weight=config.weight, fpu=config.fpu,
        fpu_kind=config.fpu_kind, terminal=config.terminal, solve=config.solve, forced=config.forced,
        gumbel=config.gumbel, considered=config.considered, sigma_scale=config.sigma_scale,
    )  # fmt: skip


def search_facts(config: TrainConfig) -> dict[str, Any]:
    """The same for the network's file, as ``net:RUN`` reads it."""
    return {"sampled": SAMPLED, **asdict(rated_search(config))}


class Ratings:
    """Has the checkpoints of a run rated in a process beside it.

    Args:
        run: the run.
        game: its game.
        share: the share of the run's time; default: as its configuration says.

    Attributes:
        spent: seconds that checkpoints had played before this process.
    """

    def __init__(self, run: Run, game: Game, share: float | None = None) -> None:
        self.run, self.game, self.share = run, game, run.config.rating_share if share is None else share
        self.before = 0.0
        self._process: RatingProcess | None = None

    @property
    def spent(self) -> float:
        """Seconds that checkpoints have played."""
        return self.before + (self._process.spent if self._process is not None else 0.0)

    @contextmanager
    def beside(self) -> Iterator[None]:
        """Have the process as long as this lasts, if the run wants ratings."""
        if self.share <= 0:
            yield
            return
        self._process = RatingProcess(self.run.folder, self.game)
        try:
            yield
        finally:
            self._process.end()
            self.before, self._process = self.spent, None

    def ask(self, epoch: int, seconds: float) -> float:
        """Have a checkpoint rated, if the share of the run's time allows it; returns how long that may take."""
        allowed = 1e9 if self.share >= 1 else self.share * seconds - self.spent
        if self._process is None or allowed <= 0:
            return 0.0
        self._process.rate(epoch, seconds, allowed)
        return allowed

    def wait(self, seconds: float, patient: bool) -> None:
        """Wait for the checkpoint that was asked for last, see ``RatingProcess``."""
        if self._process is not None:
            self._process.wait(seconds, patient)

    def latest(self, always: bool = True) -> Rating | None:
        """The rating of the newest checkpoint that played; None if there is none.

        Args:
            always: otherwise None too if there are no new results.
        """
        if self._process is not None:
            if not always and not self._process.changed:
                return None
            self._process.changed = False
        found = ratings(self.run, newest=True)
        return found[-1] if found else None


def ratings(run: Run, newest: bool = False) -> list[Rating]:
    """The ratings of the checkpoints of a run that played, in their order, from all games of the run.

    Args:
        run: the run.
        newest: rate only the newest checkpoint, which is quicker.
    """
    lines = {(line["epoch"], line["against"]): line for line in run.lines(FILE)}.values()
    if not lines:
        return []
    anchor = run.config.opponents[0] if run.config.opponents else ""
    ages = {line["epoch"]: line["seconds"] for line in lines}
    names = [anchor, *(f"epoch {epoch}" for epoch in ages)]
    names += sorted({line["against"] for line in lines} - set(names))
    number = {name: place for place, name in enumerate(names)}
    results = [
        (
            number[f"epoch {line['epoch']}"], number[line["against"]], line["wins"] + line["draws"] / 2,
            line["losses"] + line["draws"] / 2,
        )
        for line in lines
    ]  # fmt: skip
    epochs = sorted(ages)[-1:] if newest else sorted(ages)
    found = rate(len(names), results, [number[f"epoch {epoch}"] for epoch in epochs])
    return [Rating(epoch, ages[epoch], elo) for epoch, elo in zip(epochs, found, strict=True)]


def records(found: Sequence[Rating]) -> list[dict[str, Any]]:
    """Ratings for programs."""
    return [{"epoch": rating.epoch, "seconds": rating.seconds, **rating.elo.as_json()} for rating in found]
