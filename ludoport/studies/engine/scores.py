"""Scores of players in studies that are not tables of transfer: architectures, ablations, the demonstration."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.arena.statistics import WinLoss
from ludoport.studies.engine.cells import Cell

if TYPE_CHECKING:
    from ludoport.studies.engine.jobs import JobEntry


@dataclass(frozen=True)
class Score:
    """Games of one player against another.

    Attributes:
        group: name of the table or picture to which it belongs, such as a game.
        player: the player.
        against: the opponent.
        wins: of the player.
        draws: games without a winner.
        losses: of the player.
        seed: tells repetitions apart; 0 where there are none.
        parameters: number of parameters of the player's network; 0 if that does not matter.
        job: the job in the study's store that played the games.
    """

    group: str
    player: str
    against: str
    wins: int
    draws: int
    losses: int
    seed: int = 0
    parameters: int = 0
    job: str = ""

    @property
    def record(self) -> WinLoss:
        """Wins, draws and losses, with what they say."""
        return WinLoss(self.wins, self.draws, self.losses)


def cells_of(entries: list[JobEntry]) -> list[Cell]:
    """The cells of all finished games of a study of transfer, in the order of the plan."""
    found = []
    for entry in entries:
        if entry.result is not None and "cell" in entry.job.params:
            result = entry.result
            counts = {name: result[name] for name in ("wins", "draws", "losses", "source_epochs", "target_epochs")}
            found.append(Cell(**entry.job.params["cell"], **counts, job=entry.job.id))
    return found


def scores_of(entries: list[JobEntry]) -> list[Score]:
    """The scores of all finished games of other studies, in the order of the plan."""
    found = []
    for entry in entries:
        if entry.result is not None and "score" in entry.job.params:
            result = entry.result
            counts = {name: result[name] for name in ("wins", "draws", "losses")}
            parameters = int(result.get("parameters", 0)) if entry.job.params.get("sized") else 0
            found.append(Score(**entry.job.params["score"], **counts, parameters=parameters, job=entry.job.id))
    return found


def added(scores: list[Score]) -> list[Score]:
    """Repetitions of the same two players as one score."""
    sums: dict[tuple[str, str, str], Score] = {}
    for score in scores:
        key = (score.group, score.player, score.against)
        before = sums.get(key)
        record = score.record if before is None else before.record + score.record
        sums[key] = Score(*key, record.wins, record.draws, record.losses, parameters=score.parameters)
    return list(sums.values())
