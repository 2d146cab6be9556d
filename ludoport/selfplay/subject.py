"""Subjects of learning: one game, or many with one network."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from ludoport.selfplay.learner import Learner
    from ludoport.selfplay.playing import Plays
    from ludoport.selfplay.rating import Ratings
    from ludoport.selfplay.tournament import Tournament


class Subject(Protocol):
    """Subject of a ``Trainer``.

    Attributes:
        name: for pictures.
        title: for people, with options.
        rules: digests of the rules, as a checkpoint keeps them.
        learner: improves the network.
        replay: the replay of the positions.
        play: plays games.
        ratings: has checkpoints rated.
        tournament: past checkpoints as opponents, if there are any.
    """

    name: str
    title: str
    rules: Any
    learner: Learner[Any]
    replay: Any
    play: Plays
    ratings: Ratings
    tournament: Tournament | None

    def check(self, rules: Any) -> None:
        """Refuse a checkpoint of other rules.

        Raises:
            LudoportError: the rules are others.
        """

    def assemble(self, start: Path | str | None) -> None:
        """Put the parts together, with a network from a file or with fresh weights."""

    def save(self, path: Path, training: Mapping[str, Any]) -> None:
        """Write the network."""

    def metrics(self) -> dict[str, float]:
        """More numbers about the last epoch, for the metrics."""
