"""Search on several threads of one process (section 2.2.5 of the thesis): leaf, root and tree parallel."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from functools import partial
from typing import Any, Literal, get_args

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, State, seeded
from ludoport.search.memory import BoundedSearch, Policy
from ludoport.search.tree import STUNTED, SearchFindings, Tree, UctSettings, combine, new_hands

Way = Literal["root", "vote", "tree", "leaf"]
WAYS: tuple[Way, ...] = get_args(Way)

SLICE = 2048
"""Simulations that a thread runs before it looks whether the others have found the end."""


def search_parallel(
    state: State,
    *,
    simulations: int,
    threads: int = 2,
    way: Way = "root",
    seed: int = 0,
    nodes: int = 4_000_000,
    memory: Policy = "stunt",
    **settings: Any,
) -> SearchFindings:
    """Search one position on several threads.

    Args:
        state: a position that is not the end of a game.
        simulations: number of simulations, all threads together.
        threads: number of threads.
        way: ``root``: a tree for every thread, results added up (average selection); ``vote``: the same, and every tree
            has one vote for its best move; ``tree``: all threads grow one tree; ``leaf``: one thread grows the tree,
            the rollouts of each new position are played side by side.
        seed: random seed; with ``tree`` the order of threads matters too.
        nodes: room of all pools together.
        memory: memory policy, for full pools (``root`` and ``vote``).
        settings: see ``UctSettings``.
    """
    if way not in WAYS:
        raise LudoportError(f"unknown parallel search `{way}`; choose from {', '.join(WAYS)}")
    if threads < 1:
        raise LudoportError(f"the number of threads must be at least 1, not {threads}")
    if simulations < 1:
        raise LudoportError(f"the number of simulations must be at least 1, not {simulations}")
    chosen = UctSettings(**settings)
    room = max(len(state.moves()) + 2, min(nodes, threads * (2 + (simulations + 1) * (state.game.rules.max_moves + 1))))
    if way == "tree":
        return _together(Tree(state, room, chosen, seed, together=True), simulations, threads)
    if way == "leaf":
        return _leaves(Tree(state, room, chosen, seed), simulations, threads)
    share = max(len(state.moves()) + 2, room // threads)
    # A game has scratch space for one caller at a time, so every thread gets a game of its own.
    states = [State(Game(state.game.rules, state.game.jit), state.row) for _ in range(threads)]
    trees = [Tree(own, share, chosen, seed * 1009 + k) for k, own in enumerate(states)]
    searches = [BoundedSearch(tree, memory) for tree in trees]
    shares = [simulations // threads + (k < simulations % threads) for k in range(threads)]
    _in_threads([partial(search.run, share) for search, share in zip(searches, shares, strict=True) if share > 0])
    found = combine([search.found() for search in searches])
    return voted(found, [search.found() for search in searches]) if way == "vote" else found


def _in_threads(tasks: list[Callable[[], object]]) -> None:
    """Run tasks side by side; kernels let go of the interpreter."""
    with ThreadPoolExecutor(len(tasks)) as pool:
        for task in [pool.submit(task) for task in tasks]:
            task.result()


def voted(together: SearchFindings, parts: list[SearchFindings]) -> SearchFindings:
    """Visits become votes, so that the best move is the one that most trees chose; ties go to the more visited."""
    votes = np.zeros(len(together.moves))
    places = {move.row.tobytes(): place for place, move in enumerate(together.moves)}
    for part in parts:
        votes[places[part.best.row.tobytes()]] += 1
    visits = np.where(votes == votes.max(), together.visits, 0)
    return replace(together, visits=visits)


def _together(tree: Tree, simulations: int, threads: int) -> SearchFindings:
    tree.pool.facts[STUNTED] = 1
    # Both compile here, before threads would do it at once.
    tree.run(0)
    rave = tree.settings.rave > 0

    def grow(number: int) -> None:
        hands, rng = new_hands(tree.state.game, rave), seeded(tree.seed * 1009 + number)
        left = simulations // threads + (number < simulations % threads)
        while left > 0:
            share = min(left, SLICE)
            if tree.run(share, hands, rng) < share:
                return
            left -= share

    _in_threads([partial(grow, number) for number in range(threads)])
    return tree.found()


def _leaves(tree: Tree, simulations: int, threads: int) -> SearchFindings:
    """One thread descends, all threads play rollouts from where it arrived, one thread counts them."""
    tree.pool.facts[STUNTED] = 1
    settings, pool, hands = tree.settings, tree.pool, tree.hands
    rollouts = max(settings.rollouts, threads)
    rave = settings.rave > 0
    if rave:
        raise LudoportError("leaf-parallel search cannot be combined with RAVE, which must see every rollout")
    others = [new_hands(tree.state.game, rave)._replace(state=hands.state) for _ in range(threads)]
    generators = [seeded(tree.seed * 1009 + k + 1) for k in range(threads)]
    shares = [rollouts // threads + (k < rollouts % threads) for k in range(threads)]
    numbers = (settings.exploration, settings.draw, settings.rave)
    hands.numbers[:3] = numbers
    weight = 1 if settings.average else rollouts
    arguments = (tree.state.row, hands, tree.rng, pool, tree.table, weight, int(settings.solve))

    def play(number: int) -> None:
        mine = others[number]
        mine.numbers[:3] = numbers
        mine.numbers[3:] = 0
        tree.kernels.call("enter_rollouts", mine, generators[number], pool, shares[number])

    with ThreadPoolExecutor(threads) as workers:
        for _ in range(simulations):
            depth = tree.kernels.call("enter_descend", *arguments)
            list(workers.map(play, range(threads)))
            hands.numbers[3:] = sum(mine.numbers[3:] for mine in others)
            tree.kernels.call("enter_count", hands, pool, depth, weight, rollouts)
    return tree.found()
