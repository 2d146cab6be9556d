"""Late moves while many matches run at once on one machine."""

from __future__ import annotations

import os
import resource
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from tempfile import TemporaryDirectory
from typing import Any

from ludoport.ggp.local import local_players
from ludoport.ggp.manager import Series, load_sheet, manage
from ludoport.ggp.record import MatchRecord
from ludoport.ggp.terms import Terms

CASES: tuple[tuple[str, tuple[str, str]], ...] = (
    ("tic-tac-toe", ("random", "random")),
    ("tic-tac-toe", ("uct", "random")),
    ("connect-four", ("random", "random")),
    ("connect-four", ("uct", "uct")),
    ("connect-four", ("learner", "random")),
)
"""Bundled rulesheets and who plays them."""


@dataclass(frozen=True)
class ClockRow:
    """Some matches at once.

    Attributes:
        game: the rulesheet.
        players: the players.
        matches: number of matches, all at once.
        playclock: seconds for a move.
        moves: number of moves that were asked for.
        late: how many came after the clock, whether they were still accepted or not.
        mistakes: number of missing or wrong ones.
        longest: seconds that the slowest answer took.
        median: seconds that half of the answers took at most.
        seconds: of all matches together.
        manager_seconds: CPU time of the manager.
        load: number of other processes that wanted the processor when it began.
    """

    game: str
    players: str
    matches: int
    playclock: float
    moves: int
    late: int
    mistakes: int
    longest: float
    median: float
    seconds: float
    manager_seconds: float
    load: float

    @property
    def reached(self) -> bool:
        """Whether every move came within its clock."""
        return self.late == 0 and self.mistakes == 0

    def record(self) -> dict[str, Any]:
        """Record for programs."""
        rounded = {key: round(value, 4) for key, value in asdict(self).items() if isinstance(value, float)}
        return asdict(self) | rounded | {"longest_of_clock": round(self.longest / self.playclock, 3)}


async def many_at_once(
    game: str, texts: Sequence[str], matches: int = 50, playclock: float = 1.0, startclock: float = 30.0
) -> ClockRow:
    """Run many matches at once and measure how long answers took."""
    rules, compiled = load_sheet(game)
    load = os.getloadavg()[0]
    with TemporaryDirectory() as folder:
        # A learner that begins with nothing, and leaves nothing behind.
        chosen = [f"learner:memory={folder}" if text == "learner" else text for text in texts]
        async with local_players(chosen, game=compiled) as players:
            terms = Terms(startclock, playclock, grace=1.0, states=False)
            begin, used = time.monotonic(), _cpu_seconds()
            records = await manage(rules, Series(players, terms, matches, matches), compiled)
            seconds, used = time.monotonic() - begin, _cpu_seconds() - used
    return _row(game, texts, records, playclock, seconds, used, load)


def _cpu_seconds() -> float:
    usage = resource.getrusage(resource.RUSAGE_SELF)
    return usage.ru_utime + usage.ru_stime


def _row(
    game: str,
    texts: Sequence[str],
    records: Sequence[MatchRecord],
    clock: float,
    seconds: float,
    used: float,
    load: float,
) -> ClockRow:
    times = sorted(s for record in records for step in record.steps for s in step.seconds if s is not None)
    return ClockRow(
        game, " - ".join(texts), len(records), clock, len(times), sum(s > clock for s in times),
        sum(len(record.mistakes()) for record in records), times[-1], times[len(times) // 2], seconds, used, load,
    )  # fmt: skip
