"""A running job: its inputs and its files."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job

if TYPE_CHECKING:
    from ludoport.game import Game

Result = dict[str, Any]


class Stopped(Exception):  # noqa: N818, since nothing went wrong
    """The work was asked to stop; what was done is kept."""


@dataclass(frozen=True)
class Task:
    """A job and what it needs.

    Attributes:
        job: the job.
        folder: the folder of the study.
        results: results of the jobs that it needs.
        device: device of the networks, ``cpu`` or ``cuda``.
        note: called with news of the job.
    """

    job: Job
    folder: Path
    results: dict[str, Result] = field(default_factory=dict)
    device: str = "cpu"
    note: Callable[[str], None] = lambda _: None

    @property
    def place(self) -> Path:
        """The folder of this job."""
        return self.folder / self.job.id

    def need(self, number: int) -> Result:
        """Result of one of the jobs that it needs."""
        return self.results[self.job.needs[number]]

    def tree(self, number: int) -> Path:
        """The saved tree that one of the jobs made which it needs."""
        return self._inside(str(self.need(number)["tree"]), "tree")

    def network(self, number: int, epochs: int | None = None) -> Path:
        """The network that one of these jobs made; with a number of epochs, its checkpoint.

        Two checkpoints of one run need the same job, which is named once.
        """
        found = self.need(min(number, len(self.job.needs) - 1))
        return self._inside(network_of(found, epochs), "network")

    def _inside(self, name: str, what: str) -> Path:
        """A file of the study by its path there."""
        file = self.folder / name
        if not file.resolve().is_relative_to(self.folder.resolve()):
            raise LudoportError(f"{file}: this {what} of job {self.job.id} is outside the study")
        if not file.is_file():
            raise LudoportError(f"{file}: this {what} is missing; was it left behind when the study was packed?")
        return file


def network_of(result: Result, epochs: int | None = None) -> str:
    """The file of a network that a job made, in the folder of its study; with a number of epochs, its checkpoint."""
    if epochs is None or epochs == result.get("epochs", epochs):
        return str(result["network"])
    return str(result["checkpoints"][str(epochs)])


def game_of(params: dict[str, Any]) -> Game:
    """The game of a job; jobs of one game share it, and so its compiled kernels."""
    return _game(params["game"], tuple(params["options"]))


@lru_cache(maxsize=8)
def _game(name: str, options: tuple[str, ...]) -> Game:
    import ludoport as lp

    return lp.load(name, options=list(options))
