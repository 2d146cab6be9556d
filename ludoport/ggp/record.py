"""The record of a match."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Literal

from ludoport.errors import LudoportError
from ludoport.files import read_json, write_atomically

FORMAT = 1
"""Raised whenever the shape of records changes."""

ErrorKind = Literal["late", "connection", "garbage", "illegal", "refused"]
"""Mistakes: no answer in time, no connection, no move in the answer, an illegal move, a START that was refused."""

Ending = Literal["terminal", "limit", "stuck", "failed", "aborted"]
"""Ends: by the rules, too many steps, a role without a move, a game that could not be computed, an interruption."""


@dataclass(frozen=True)
class Mistake:
    """A mistake of a player; in a step, a random legal move replaced it.

    Attributes:
        kind: kind of the mistake.
        role: the player's role.
        detail: one sentence, or the answer that was wrong.
    """

    kind: ErrorKind
    role: str
    detail: str


@dataclass
class RecordedStep:
    """One step of a match.

    Attributes:
        state: the facts before it, or their hash only.
        moves: one for each role.
        seconds: time of each player, None for roles that the manager plays.
        mistakes: mistakes in this step.
    """

    state: list[str] | str
    moves: list[str]
    seconds: list[float | None]
    mistakes: list[Mistake] = field(default_factory=list)


@dataclass
class MatchRecord:
    """A match.

    Attributes:
        match: its name.
        game: the game's name.
        fingerprint: of the rules.
        engine: engine that computed the positions: ``network``, ``compiled`` or ``interpreter``.
        roles: in their order.
        players: address and name of each role's player; None for roles that the manager plays.
        startclock: seconds.
        playclock: seconds.
        grace: seconds by which an answer may be late.
        seed: of everything random.
        version: of Ludoport.
        started: when, in UTC.
        seconds: duration.
        start_mistakes: mistakes at the beginning.
        steps: the steps.
        final: the last state.
        goals: goal of each role; None where the rules give no single value.
        ended: why it ended.
    """

    match: str
    game: str
    fingerprint: str
    engine: str
    roles: list[str]
    players: list[dict[str, str] | None]
    startclock: float
    playclock: float
    grace: float
    seed: int
    version: str
    started: str
    seconds: float = 0.0
    start_mistakes: list[Mistake] = field(default_factory=list)
    steps: list[RecordedStep] = field(default_factory=list)
    final: list[str] | str = ""
    goals: list[int | None] = field(default_factory=list)
    ended: Ending = "aborted"

    def mistakes(self, role: str | None = None) -> list[Mistake]:
        """Everything that went wrong in the steps, of one role or of all."""
        found = [mistake for step in self.steps for mistake in step.mistakes]
        return [mistake for mistake in found if role is None or mistake.role == role]

    def longest(self) -> float:
        """The longest time that an answer took, in seconds."""
        return max((s for step in self.steps for s in step.seconds if s is not None), default=0.0)

    def as_json(self) -> dict[str, Any]:
        """The record for programs."""
        return {"format": FORMAT, **asdict(self)}


def read_record(path: Path) -> MatchRecord:
    """A record from a file."""
    try:
        found = read_json(path)
        if found.pop("format") != FORMAT:
            raise LudoportError(f"{path} is a record of another format than {FORMAT}")
        found["start_mistakes"] = [Mistake(**item) for item in found["start_mistakes"]]
        found["steps"] = [
            RecordedStep(**{**item, "mistakes": [Mistake(**mistake) for mistake in item["mistakes"]]})
            for item in found["steps"]
        ]
        return MatchRecord(**found)
    except (KeyError, TypeError, AttributeError):
        raise LudoportError(f"{path} is not the record of a match") from None


def write_record(folder: Path, record: MatchRecord) -> Path:
    """Write a record into a folder; a reader never sees half of one."""
    name = "".join(c if c.isalnum() or c in "-_." else "_" for c in record.match)
    path = folder / f"{name}.json"
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(path, json.dumps(record.as_json(), ensure_ascii=False), sync=False)
    return path


def standings(records: Sequence[MatchRecord]) -> list[dict[str, Any]]:
    """For each player the matches, the mean goal over those that ended with one, and the mistakes."""
    table: dict[str, dict[str, Any]] = {}
    for record in records:
        for number, player in enumerate(record.players):
            if player is None:
                continue
            label = f"{player['name']} at {player['address']}"
            row = table.setdefault(label, {"player": label, "matches": 0, "goals": [], "mistakes": 0})
            row["matches"] += 1
            row["mistakes"] += len(record.mistakes(record.roles[number]))
            goal = record.goals[number] if record.ended == "terminal" else None
            if goal is not None:
                row["goals"].append(goal)
    for row in table.values():
        goals = row.pop("goals")
        row["finished"] = len(goals)
        row["mean_goal"] = sum(goals) / len(goals) if goals else None
    return list(table.values())
