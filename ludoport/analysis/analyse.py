"""``lp.analyse``: what kind of game a game is, after some seconds of play."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from ludoport.analysis.games import SampleGame, random_game, searched_game
from ludoport.analysis.result import Analysis, FirstMove, PlayedGames, Skill, heat_of, summed
from ludoport.arena.kinds.uct import uct
from ludoport.arena.playing import derived
from ludoport.arena.statistics import WinLoss
from ludoport.errors import LudoportError
from ludoport.game import Game, State, as_game

LIMIT = 1000
"""Plies after which a game is stopped and counts as a draw."""

SHARES = {"random": 0.15, "first moves": 0.1, "uct": 0.35, "skill": 0.4}
"""Shares of the time."""

RANDOM_GAMES = 20
"""Random games for each game of UCT, where numbers of games are given."""

SIMULATIONS = 100
"""Simulations of UCT where numbers of games are given and this number is not."""

FACTOR = 4
"""Ratio of simulations between the two players of the test of skill."""

Told = Callable[[str, float], None]


def analyse(
    game: Game | str | Path,
    seconds: float = 10.0,
    *,
    options: Sequence[str] = (),
    games: int | None = None,
    simulations: int | None = None,
    seed: int = 1,
    limit: int = LIMIT,
    progress: Told | None = None,
) -> Analysis:
    """Find out how a game plays: balance, length, draws, choices, changes of the lead, skill, first moves.

    Random games, games of UCT against itself, and games of UCT against UCT with four times as many simulations are
    played. With a number of games the same call gives the same report.

    Args:
        game: a game, its name, or the path of its file.
        seconds: time to play, without compiling.
        options: options of the game, if it is given by name.
        games: games of UCT to play of each kind, and 20 times as many random ones; the time then does not matter.
        simulations: simulations of UCT; default: as many as the time allows for some tens of games.
        seed: random seed.
        limit: maximum number of moves of a game.
        progress: called with the current part and the share that is done.

    Example:
        >>> report = analyse("Tic-Tac-Toe", games=2, simulations=20)
        >>> report.random.games, report.skill.record.games
        (40, 2)
    """
    loaded = as_game(game, options)
    for name, value in (("time", seconds), ("number of games", games), ("number of simulations", simulations)):
        if value is not None and not value > 0:
            raise LudoportError(f"the {name} must be positive, not {value:g}")
    if limit < 1:
        raise LudoportError(f"the limit of moves must be at least 1, not {limit}")
    return _Analyst(loaded, seconds, games, simulations, seed, limit, progress or (lambda stage, share: None)).report()


class _Analyst:
    def __init__(
        self, game: Game, seconds: float, games: int | None, simulations: int | None, seed: int, limit: int, told: Told
    ) -> None:
        self.game, self.seconds, self.games, self.simulations = game, seconds, games, simulations
        self.seed, self.limit, self.told = seed, limit, told

    def report(self) -> Analysis:
        game = self.game
        self.told("compiling", 0.0)
        searches = game.n_players > 1 and not game.start().over
        random_game(game, 0, 2)
        if searches:
            uct(1).warm(game)
        began = time.monotonic()
        randomly = summed("random", list(self._random()))
        first = self._first(randomly) if searches else ()
        played = self._uct() if searches else None
        skill = self._skill() if game.n_players == 2 and searches else None
        picture = game.start().svg(heat=heat_of(first))
        names = tuple(game.rules.player_names)
        took = time.monotonic() - began
        return Analysis(game.title, names, self.seed, took, self.limit, randomly, played, skill, first, picture)

    def _numbers(self, stage: str, games: int | None) -> Iterator[tuple[int, float]]:
        """Numbers of games while there is time, or as many as there are to be; each with the end of its time."""
        share = SHARES[stage] * self.seconds
        begin = time.monotonic()
        number = 0
        while number < games if games is not None else (number < 1 or time.monotonic() - begin < share):
            part = number / games if games is not None else min(1.0, (time.monotonic() - begin) / share)
            self.told(stage, part)
            yield number, float("inf") if games is not None else begin + 3 * share
            number += 1

    def _random(self) -> Iterator[SampleGame]:
        games = None if self.games is None else RANDOM_GAMES * self.games
        for number, _ in self._numbers("random", games):
            yield random_game(self.game, derived(self.seed, "random", number), self.limit)

    def _first(self, randomly: PlayedGames) -> tuple[FirstMove, ...]:
        """The first moves as a long search sees them; its speed decides how much the games search."""
        self.told("first moves", 0.0)
        state = self.game.start()
        if self.simulations is None and self.games is not None:
            self.simulations = SIMULATIONS
        elif self.simulations is None:
            wished = 0.012 * self.seconds * _speed(state, self.seed) / max(randomly.length.value, 1.0)
            self.simulations = max(8, min(1000, int(wished)))
        found = uct(20 * self.simulations).search(state, self.seed)
        visits = found.visits if found.visits is not None else [0] * len(found.moves)
        total = max(1, int(sum(visits)))
        return tuple(
            FirstMove(
                move.text,
                move.label,
                self.game.rules.move_sites(state.row, move.row).end,
                int(count) / total,
                float(value) if count else None,
            )
            for move, count, value in zip(found.moves, visits, found.values, strict=True)
        )

    def _uct(self) -> PlayedGames | None:
        player = uct(self.simulations)
        players = [player] * self.game.n_players
        samples = [
            sample
            for number, until in self._numbers("uct", self.games)
            if (sample := searched_game(self.game, players, derived(self.seed, "uct", number), self.limit, until))
        ]
        return summed(player.spec, samples) if samples else None

    def _skill(self) -> Skill | None:
        assert self.simulations is not None
        weaker, stronger = uct(self.simulations), uct(FACTOR * self.simulations)
        counts = {1.0: 0, 0.5: 0, 0.0: 0}
        for number, until in self._numbers("skill", self.games):
            first = number % 2 == 0
            seats = [stronger, weaker] if first else [weaker, stronger]
            sample = searched_game(self.game, seats, derived(self.seed, "skill", number), self.limit, until)
            if sample is not None:
                counts[sample.points[0 if first else 1]] += 1
        record = WinLoss(counts[1.0], counts[0.5], counts[0.0])
        return Skill(self.simulations, FACTOR * self.simulations, record) if record.games else None


def _speed(state: State, seed: int) -> float:
    """Simulations per second, from a search that is long enough to be measured."""
    trial = 50
    while True:
        begin = time.monotonic()
        uct(trial).search(state, seed)
        took = time.monotonic() - begin
        if took > 0.05 or trial > 100_000:
            return trial / max(took, 1e-4)
        trial *= 4
