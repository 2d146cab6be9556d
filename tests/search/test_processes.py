"""Workers in processes of their own do what workers on threads do."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.search.build import Cluster, build_tree
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan

from .graphs import assert_same


@pytest.mark.slow
def test_processes_and_threads_build_the_same_trees(tmp_path: Path) -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    plan = BuildPlan(about_game(game), simulations=60, nodes=300, seed=5)
    first = build_tree(game, plan, 2, tmp_path / "first.tree", on=Cluster(threads=1))
    more = replace(plan, nodes=4_000, settings=replace(plan.settings, transpose=True))
    here, there = (
        build_tree(
            game, more, 2, tmp_path / f"{processes}.tree", begin=first.path, on=Cluster(threads=2, processes=processes)
        )
        for processes in (False, True)
    )
    assert_same(here.graph(), there.graph())
    assert there.graph().about.simulations == 240
