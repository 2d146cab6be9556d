"""Results of matches, for people and for programs."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.sprt import Sprt, Verdict
from ludoport.arena.statistics import WinLoss

if TYPE_CHECKING:
    from ludoport.arena.playing import Outcome, PlayedGame
    from ludoport.arena.storage import MatchEntry


@dataclass(frozen=True, repr=False)
class MatchResult:
    """The result of a match, from the view of player a.

    ``print`` shows scores, intervals and tests.

    Attributes:
        game: name of the game.
        a: the player whose wins are counted.
        b: the other player.
        games: number of games to be played, at most.
        seed: random seed of the match.
        limit: maximum number of moves of a game.
        first: record of the games in which a moved first.
        second: record of the games in which b moved first.
        unfinished: draws because of the limit.
        moves: moves of all games together.
        seconds: time of all games together.
        sprt: the sequential test, if there was one.
        verdict: of the sequential test.
        store: the file with the games.
        mirrored: whether the game has chance, so that the two games of a pair share their luck.
    """

    game: str
    a: str
    b: str
    games: int
    seed: int
    limit: int
    first: WinLoss
    second: WinLoss
    unfinished: int
    moves: int
    seconds: float
    sprt: Sprt | None
    verdict: Verdict
    store: Path | None
    mirrored: bool = False

    @property
    def record(self) -> WinLoss:
        """Wins, draws and losses of player a."""
        return self.first + self.second

    @property
    def ended(self) -> int:
        """Number of games that were played."""
        return self.record.games

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return self.record.games >= self.games or self.verdict != "running"

    def as_json(self) -> dict[str, Any]:
        """The result as data for JSON; null where it is infinite or undefined."""
        record, elo = self.record, self.record.elo_estimate()
        answer: dict[str, Any] = {
            "game": self.game, "a": self.a, "b": self.b, "games": record.games, "wanted": self.games,
            "complete": self.complete, "seed": self.seed, "limit": self.limit,
            "wins": record.wins, "draws": record.draws, "losses": record.losses,
            "score": _finite(record.score), "interval": [_finite(x) for x in record.interval()],
            "p_two_sided": record.p_different, "p_one_sided": record.p_better,
            "elo": _finite(elo.value), "elo_interval": [_finite(elo.low), _finite(elo.high)],
            "first": _counts(self.first), "second": _counts(self.second),
            "unfinished": self.unfinished, "moves": self.moves, "seconds": round(self.seconds, 3),
            "mirrored_luck": self.mirrored, "store": None if self.store is None else str(self.store), "sprt": None,
        }  # fmt: skip
        if self.sprt is not None:
            test = self.sprt
            answer["sprt"] = {
                "elo0": test.elo0, "elo1": test.elo1, "alpha": test.alpha, "beta": test.beta,
                "llr": round(test.llr(record), 4), "bounds": [round(x, 4) for x in test.bounds],
                "verdict": self.verdict,
            }  # fmt: skip
        return answer

    @property
    def line(self) -> str:
        """The score so far in one line."""
        record = self.record
        if not record.games:
            return "no game has ended yet"
        low, high = record.interval()
        llr = "" if self.sprt is None else f", LLR {self.sprt.llr(record):.2f}"
        return f"{record}, {100 * record.score:.1f} % ({100 * low:.1f} to {100 * high:.1f} %){llr}"

    def __repr__(self) -> str:
        played = f"{self.record.games} of {self.games}" if self.record.games != self.games else f"{self.games}"
        return f"<MatchResult {self.a} vs {self.b}, {self.game}, {played} games: {self.line}>"

    def __str__(self) -> str:
        record = self.record
        lines = [
            f"{self.a} against {self.b}, {record.games} of {self.games} games of {self.game} (seed {self.seed})",
            f"  wins {record.wins}, draws {record.draws}, losses {record.losses}"
            f" (moving first {self.first}, second {self.second})",
        ]
        if record.games:
            low, high = record.interval()
            lines += [
                f"  score {100 * record.score:.1f} %, 95 % interval {100 * low:.1f} to {100 * high:.1f} %",
                f"  Elo difference {record.elo_estimate()}",
                f"  binomial test without draws: p = {_p(record.p_different)} two-sided,"
                f" {_p(record.p_better)} one-sided",
            ]
        if self.mirrored:
            lines.append("  mirrored dice: games 2k and 2k + 1 have the same luck, with seats exchanged")
        if self.unfinished:
            lines.append(f"  {_counted(self.unfinished, 'game')} drawn after {self.limit} moves")
        if self.sprt is not None:
            low, high = self.sprt.bounds
            said = {"running": "no verdict yet", "accepted": "accepted", "rejected": "rejected"}[self.verdict]
            lines.append(
                f"  SPRT of {self.sprt.elo1:g} against {self.sprt.elo0:g} Elo: {said},"
                f" log-likelihood ratio {self.sprt.llr(record):.2f} in ({low:.2f}, {high:.2f})"
            )
        return "\n".join(lines)


class Tally:
    """Counts the games of a match as they come, in any order."""

    def __init__(
        self, entry: MatchEntry, games: int, sprt: Sprt | None, store: Path | None, *, mirrored: bool = False
    ) -> None:
        self.entry, self.games, self.sprt, self.store, self.mirrored = entry, games, sprt, store, mirrored
        self._known: dict[int, tuple[Outcome, bool, int, float]] = {}
        self._all = _Sum()
        self._in_order, self._next = _Sum(), 0
        self.verdict: Verdict = "running"

    @property
    def decided(self) -> bool:
        """Whether the sequential test has a verdict."""
        return self.verdict != "running"

    def missing(self) -> list[int]:
        """The numbers of the games that are still to be played."""
        return [number for number in range(self.games) if number not in self._known]

    def add(self, played: PlayedGame) -> None:
        """Count a game, unless it is beyond those that are wanted."""
        number = played.pairing.number
        if number >= self.games or number in self._known:
            return
        self._known[number] = (played.outcome, played.finished, len(played.moves), played.seconds)
        self._all.add(number, *self._known[number])
        # The test looks at games in the order of their numbers, after every pair; so what it says, and after how many
        # games, does not depend on which game ended first.
        while self.sprt is not None and not self.decided and self._next in self._known:
            self._in_order.add(self._next, *self._known[self._next])
            self._next += 1
            if self._next % 2 == 0:
                self.verdict = self.sprt.verdict(self._in_order.first + self._in_order.second)

    def result(self) -> MatchResult:
        """The result so far; after a verdict without the games that came later."""
        entry, counted = self.entry, self._in_order if self.decided else self._all
        return MatchResult(
            entry.game, entry.a, entry.b, self.games, entry.seed, entry.limit, counted.first, counted.second,
            counted.unfinished, counted.moves, counted.seconds, self.sprt, self.verdict, self.store, self.mirrored,
        )  # fmt: skip


class _Sum:
    """Sums over games."""

    def __init__(self) -> None:
        self.first = self.second = WinLoss()
        self.unfinished = self.moves = 0
        self.seconds = 0.0

    def add(self, number: int, outcome: Outcome, finished: bool, moves: int, seconds: float) -> None:
        one = WinLoss(int(outcome == "win"), int(outcome == "draw"), int(outcome == "loss"))
        if number % 2 == 0:
            self.first += one
        else:
            self.second += one
        self.unfinished += not finished
        self.moves += moves
        self.seconds += seconds


def _counted(number: int, thing: str) -> str:
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def _counts(record: WinLoss) -> dict[str, int]:
    return {"wins": record.wins, "draws": record.draws, "losses": record.losses}


def _finite(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else f"{value:.3g}"
