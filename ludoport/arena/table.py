"""Matches of three and more players: all seatings, and a score for each player."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import closing
from dataclasses import dataclass
from fractions import Fraction
from itertools import permutations
from math import factorial
from typing import Any

from ludoport.arena.player import Player
from ludoport.arena.playing import Seated, Seating, derived
from ludoport.arena.statistics import wilson
from ludoport.arena.workers import MatchJob, play_apart, play_here


@dataclass(frozen=True)
class TableScore:
    """Score of one player in a match.

    Attributes:
        player: its text.
        games: number of games.
        wins: games in which no other player got as much.
        points: sum over the games; a game is one point, which the players with the best result share.
        utility: sum of its results, from -1 to 1 each.
        by_seat: points in each seat.
    """

    player: str
    games: int
    wins: int
    points: float
    utility: float
    by_seat: tuple[float, ...]

    @property
    def share(self) -> float:
        """Points per game; 1 divided by the number of players if all are equally strong. NaN without games."""
        return self.points / self.games if self.games else float("nan")

    def interval(self) -> tuple[float, float]:
        """Wilson's 95 % interval of the share."""
        return wilson(self.points, self.games)


@dataclass(frozen=True, repr=False)
class TableResult:
    """The result of a match of three or more players.

    Attributes:
        game: name of the game.
        scores: of the players, in the order in which they were given.
        games: number of games to be played.
        ended: number of games that were played.
        seed: random seed of the match.
        limit: maximum number of moves of a game.
        unfinished: games that the limit ended; all players share their point.
        moves: moves of all games together.
        seconds: time of all games together.
        mirrored: whether the game has chance, so that the games of one round of seatings share their luck.
    """

    game: str
    scores: tuple[TableScore, ...]
    games: int
    ended: int
    seed: int
    limit: int
    unfinished: int
    moves: int
    seconds: float
    mirrored: bool

    @property
    def complete(self) -> bool:
        """Whether all games were played."""
        return self.ended >= self.games

    @property
    def seatings(self) -> int:
        """Number of seatings, all of which are played before the first one comes again."""
        return factorial(len(self.scores))

    def as_json(self) -> dict[str, Any]:
        """The result as data for JSON."""
        return {
            "game": self.game, "games": self.ended, "wanted": self.games, "complete": self.complete,
            "seed": self.seed, "limit": self.limit, "seatings": self.seatings, "unfinished": self.unfinished,
            "moves": self.moves, "seconds": round(self.seconds, 3), "mirrored_luck": self.mirrored,
            "players": [
                {
                    "player": score.player, "games": score.games, "wins": score.wins, "points": round(score.points, 6),
                    "share": round(score.share, 6) if score.games else None,
                    "interval": [round(end, 6) for end in score.interval()],
                    "utility": round(score.utility, 6), "by_seat": [round(points, 6) for points in score.by_seat],
                }
                for score in self.scores
            ],
        }  # fmt: skip

    @property
    def line(self) -> str:
        """The score so far in one line."""
        if not self.ended:
            return "no game has ended yet"
        return ", ".join(f"{score.player} {100 * score.share:.1f} %" for score in self.scores)

    def __repr__(self) -> str:
        return f"<TableResult {self.game}, {self.ended} of {self.games} games: {self.line}>"

    def __str__(self) -> str:
        names = ", ".join(score.player for score in self.scores)
        lines = [f"{names}: {self.ended} of {self.games} games of {self.game} (seed {self.seed})"]
        for number, score in enumerate(self.scores, 1):
            low, high = score.interval()
            seats = ", ".join(f"{points:g}" for points in score.by_seat)
            lines.append(
                f"  {number}. {score.player}: {score.points:g} points, {100 * score.share:.1f} % (95 % interval "
                f"{100 * low:.1f} to {100 * high:.1f} %), {score.wins} won alone; by seat {seats}"
                if score.games
                else f"  {number}. {score.player}: no game has ended yet"
            )
        lines.append(f"  {self.seatings} seatings in turn; equal players get {100 / len(self.scores):.1f} % each")
        if self.games % self.seatings:
            lines.append(f"  {self.games} is not a multiple of {self.seatings}: some seatings are played more often")
        if self.mirrored:
            lines.append(f"  mirrored dice: the {self.seatings} games of a round of seatings have the same luck")
        if self.unfinished:
            lines.append(f"  {self.unfinished} unfinished after {self.limit} moves")
        return "\n".join(lines)


def seating(seed: int, number: int, players: int) -> Seating:
    """Game number ``number`` of a match: all seatings in turn, with the same start and luck in each round of them.

    Rotations follow each other, so that after as many games as there are players each had every seat.

    >>> [seating(1, number, 3).players for number in range(6)]
    [(0, 1, 2), (1, 2, 0), (2, 0, 1), (0, 2, 1), (2, 1, 0), (1, 0, 2)]
    """
    rounds, place = divmod(number, factorial(players))
    circle, turned = divmod(place, players)
    rest = list(permutations(range(1, players)))[circle]
    order = (0, *rest)
    return Seating(
        number, order[turned:] + order[:turned], derived(seed, "start", rounds), derived(seed, "game", number)
    )


class TableTally:
    """Counts the games of a match as they come, in any order; sums are exact, so their order does not matter."""

    def __init__(self, game: str, players: Sequence[Player], games: int, seed: int, limit: int, mirrored: bool) -> None:
        self._facts = (game, games, seed, limit, mirrored)
        self._names, count = [player.spec for player in players], len(players)
        self._wins, self._points, self._utility = [0] * count, [Fraction()] * count, [Fraction()] * count
        self._seats = [[Fraction()] * count for _ in players]
        self._ended = self._unfinished = self._moves = 0
        self._seconds = 0.0

    def add(self, played: Seated) -> None:
        """Count a game."""
        self._ended += 1
        self._unfinished += not played.finished
        self._moves += len(played.moves)
        self._seconds += played.seconds
        best = [value == max(played.utilities) for value in played.utilities]
        for seat, player in enumerate(played.seating.players):
            points = Fraction(best[player], sum(best))
            self._points[player] += points
            self._seats[player][seat] += points
            self._wins[player] += points == 1
            self._utility[player] += Fraction(played.utilities[player])

    def result(self) -> TableResult:
        """The result so far."""
        game, games, seed, limit, mirrored = self._facts
        scores = tuple(
            TableScore(
                name, self._ended, self._wins[k], float(self._points[k]), float(self._utility[k]),
                tuple(map(float, self._seats[k])),
            )
            for k, name in enumerate(self._names)
        )  # fmt: skip
        return TableResult(
            game, scores, games, self._ended, seed, limit, self._unfinished, self._moves, self._seconds, mirrored
        )


def play_table(
    job: MatchJob, tally: TableTally, games: int, seed: int, workers: int, watch: Callable[[Any], None]
) -> None:
    """Play all games of a match, and count them."""
    wanted = [seating(seed, number, len(job.players)) for number in range(games)]
    watch(tally.result())
    with closing(play_here(job, wanted) if workers == 1 else play_apart(job, wanted, workers)) as results:
        for played in results:
            assert isinstance(played, Seated)
            tally.add(played)
            watch(tally.result())
