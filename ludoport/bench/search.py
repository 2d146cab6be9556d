"""Speed of search next to OpenSpiel's, and matches between memory policies."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from itertools import combinations
from typing import Any

import numpy as np

import ludoport as lp
from ludoport.search.memory import POLICIES, BoundedSearch, Policy
from ludoport.search.parallel import search_parallel
from ludoport.search.pool import new_pool
from ludoport.search.puct import PuctSettings, Searches
from ludoport.search.tree import STUNTED, Tree, UctSettings

PEERS: tuple[tuple[str, list[str], str, float], ...] = (
    ("Hex", ["Board Size/11x11"], "hex(board_size=11)", 8.0),
    ("Breakthrough", [], "breakthrough(rows=8,columns=8)", 5.0),
    ("Tic-Tac-Toe", [], "tic_tac_toe", 5.0),
)
"""Game, options, OpenSpiel's name for it, and how many times its speed are aimed at."""

SIMULATIONS = 2000
"""Simulations of each search, ours and theirs."""


@dataclass(frozen=True)
class SpeedLine:
    """One measurement.

    Attributes:
        what: the quantity that was measured.
        value: the number.
        unit: of what.
        beside: the peer or the limit it is compared with, measured in the same run or named in ``against``.
        against: name of ``beside``.
        goal: the ratio aimed at; for ``bytes`` a limit.
    """

    what: str
    value: float
    unit: str
    beside: float
    against: str
    goal: float

    @property
    def ratio(self) -> float:
        """The value in units of what it is compared with."""
        return self.value / self.beside if self.beside else float("nan")

    @property
    def reached(self) -> bool:
        """Whether the goal was reached."""
        return self.ratio <= self.goal if self.unit == "bytes" else self.ratio >= self.goal

    def record(self) -> dict[str, Any]:
        """The line for programs."""
        return {**vars(self), "ratio": self.ratio, "reached": self.reached}


def measure(seconds: float = 1.0) -> Iterator[SpeedLine]:
    """All measurements on one CPU."""
    for name, options, peer, goal in PEERS:
        yield _beside_open_spiel(name, options, peer, goal, seconds)
    yield _two_threads(seconds)
    yield _free_evaluator(seconds)
    pool = new_pool(lp.load("Hex", options=["Board Size/11x11"]), 10_000_000)
    yield SpeedLine("pool of 10 million nodes for Hex 11x11", pool.bytes, "bytes", 1e9, "1 GB", 1.0)


def uct_speed(game: lp.Game, seconds: float) -> float:
    """Simulations per CPU-second on one thread, each with one rollout, from the start of the game."""
    tree = Tree(game.start(), 4_000_000)
    tree.pool.facts[STUNTED] = 1
    tree.run(10)
    spent, done = 0.0, 0
    while spent < seconds:
        tree.clear()
        begin = time.process_time()
        done += tree.run(SIMULATIONS)
        spent += time.process_time() - begin
    return done / spent


def _beside_open_spiel(name: str, options: list[str], peer: str, goal: float, seconds: float) -> SpeedLine:
    ours = uct_speed(lp.load(name, options=options), seconds)
    if find_spec("pyspiel") is None:
        return SpeedLine(f"UCT {name}", ours, "simulations/s", 0.0, "OpenSpiel is not installed", goal)
    theirs = open_spiel_uct(peer, seconds)
    return SpeedLine(f"UCT {name}", ours, "simulations/s", theirs, "OpenSpiel's MCTSBot, one rollout, same run", goal)


def open_spiel_uct(peer: str, seconds: float) -> float:
    """Simulations per CPU-second of OpenSpiel's C++ search, each with one rollout, from the start of the game."""
    spiel = import_module("pyspiel")
    game = spiel.load_game(peer)
    spent, done = 0.0, 0
    while spent < seconds:
        evaluator = spiel.RandomRolloutEvaluator(1, 42 + done)
        bot = spiel.MCTSBot(game, evaluator, 2**0.5, SIMULATIONS, 1000, False, 42 + done, False)
        state = game.new_initial_state()
        begin = time.process_time()
        bot.mcts_search(state)
        spent += time.process_time() - begin
        done += SIMULATIONS
    return done / spent


def _two_threads(seconds: float, repeats: int = 4) -> SpeedLine:
    state = lp.load("Hex", options=["Board Size/11x11"]).start()
    simulations = max(2000, int(300_000 * seconds))
    best = {1: 0.0, 2: 0.0}
    for _ in range(repeats):
        for threads in best:
            begin = time.perf_counter()
            search_parallel(state, simulations=simulations, threads=threads, nodes=30_000_000)
            best[threads] = max(best[threads], simulations / (time.perf_counter() - begin))
    what = "root parallel on two threads, Hex 11x11"
    return SpeedLine(what, best[2], "simulations/s", best[1], "one thread, same run", 1.8)


def _free_evaluator(seconds: float) -> SpeedLine:
    game = lp.load("Hex", options=["Board Size/7x7"])
    searches = Searches(game, 64, PuctSettings(simulations=128))
    rows = np.stack([game.start().row] * 64)
    searches.set_roots(rows)
    searches.run()
    spent, done = 0.0, 0
    while spent < seconds:
        searches.set_roots(rows)
        begin = time.process_time()
        done += searches.run()
        spent += time.process_time() - begin
    limit = "one million, one core"
    return SpeedLine("PUCT, free evaluator, Hex 7x7, 64 games", done / spent, "simulations/s", 1e6, limit, 1.0)


def measure_device(games: int = 16_384, simulations: int = 128) -> SpeedLine:
    """PUCT with a free evaluator on a CUDA device."""
    from ludoport.search.cuda import DeviceSearches

    game = lp.load("Hex", options=["Board Size/7x7"])
    searches = Searches(game, games, PuctSettings(simulations=simulations))
    row = game.start().row
    searches.set_roots(np.broadcast_to(row, (games, len(row))))
    there = DeviceSearches(searches)
    there.run()
    best = max(done / seconds for done, seconds in (there.run() for _ in range(5)))
    what = f"PUCT, free evaluator, Hex 7x7, {games:,} games on a device"
    return SpeedLine(what, best, "simulations/s", 50e6, "50 million", 1.0)


@dataclass(frozen=True)
class Contest:
    """A match between two memory policies; a draw counts half."""

    first: Policy
    second: Policy
    games: int
    score: float


def contests(games: int, simulations: int, entries: int, seed: int = 1, board: str = "7x7") -> Iterator[Contest]:
    """Matches between memory policies on Hex, with the same pool and the same simulations per move."""
    game = lp.load("Hex", options=[f"Board Size/{board}"])
    for first, second in combinations(POLICIES, 2):
        score = 0.0
        for number in range(games):
            seats: tuple[Policy, Policy] = (first, second) if number % 2 == 0 else (second, first)
            won = _duel(game, seats, simulations, entries, seed * 100_003 + number)
            score += won if number % 2 == 0 else 1.0 - won
        yield Contest(first, second, games, score)


def _duel(game: lp.Game, seats: tuple[Policy, Policy], simulations: int, entries: int, seed: int) -> float:
    """Plays one game; the result of the first player, from 0 to 1."""
    state, ply = game.start(), 0
    while not state.over:
        tree = Tree(state, entries, UctSettings(), seed=seed * 997 + ply)
        bounded = BoundedSearch(tree, seats[state.seat - 1])
        bounded.run(simulations)
        state, ply = state.play(bounded.found().best), ply + 1
    return 0.5 + 0.5 * state.seat_utilities[0]
