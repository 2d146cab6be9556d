"""Searches whose pool is full."""

from __future__ import annotations

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.search.memory import POLICIES, BoundedSearch, Policy
from ludoport.search.tree import Tree


@pytest.fixture(scope="module")
def hex5() -> lp.Game:
    return lp.load("Hex", options=["Board Size/5x5"])


def bounded(game: lp.Game, policy: Policy, entries: int, **options: int) -> BoundedSearch:
    return BoundedSearch(Tree(game.start(), entries, seed=2), policy, **options)


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_keeps_to_its_pool_and_goes_on(hex5: lp.Game, policy: Policy) -> None:
    search = bounded(hex5, policy, 1500)
    done = search.run(20_000)
    found = search.found()
    assert search.tree.pool.used <= 1500
    assert len(found.moves) == 25
    if policy == "stop":
        assert done < 20_000
        assert found.stopped == "the pool is full"
    else:
        assert done == 20_000
        assert found.stopped == ""
    if policy == "drop":
        # Nothing changes at the first root after the first drop.
        assert 0 < found.visits.sum() < 20_000
        assert found.nodes > 1500
    else:
        assert found.visits.sum() == done
    _sound(search.tree)


def _sound(tree: Tree) -> None:
    """Every link leads to a head, and the results of edges are within their visits."""
    heads, sizes = tree.heads()
    nodes, sums = tree.pool.nodes, tree.pool.sums
    assert 1 + int((sizes + 1).sum()) == tree.pool.used
    known = set(heads.tolist())
    for head in heads:
        edges = tree.edges(int(head))
        links = nodes[1, edges]
        assert all(link in known for link in links[links > 0].tolist())
        assert (sums[0, edges] <= nodes[0, edges]).all()
        assert (sums[0, edges] >= 0).all()


@pytest.mark.slow
@pytest.mark.parametrize("policy", POLICIES)
def test_a_pool_that_is_never_full_changes_nothing(hex5: lp.Game, policy: Policy) -> None:
    search = bounded(hex5, policy, 100_000)
    search.run(3000)
    plain = Tree(hex5.start(), 100_000, seed=2)
    plain.run(3000)
    assert search.pruned == 0
    assert search.found().visits.tolist() == plain.found().visits.tolist()
    np.testing.assert_array_equal(search.found().values, plain.found().values)


@pytest.mark.slow
def test_collect_keeps_what_was_visited_often(hex5: lp.Game) -> None:
    tree = Tree(hex5.start(), 100_000, seed=1)
    tree.run(3000)
    before = {tuple(row) for row in _lines(tree, 5)}
    tree.keep(tree.pool.root, visits=5)
    assert {tuple(row) for row in _lines(tree, 5)} == before
    assert all(tree.pool.nodes[0, head] >= 5 for head in tree.heads()[0])


def _lines(tree: Tree, least: int) -> list[tuple[int, ...]]:
    """All lines to positions with so many visits, each with its visits at the end."""
    found = []

    def walk(head: int, line: tuple[int, ...]) -> None:
        edges = tree.edges(head)
        for edge in range(edges.start, edges.stop):
            link = int(tree.pool.nodes[1, edge])
            if link > 0 and tree.pool.nodes[0, link] >= least:
                here = (*line, int(tree.pool.moves[edge, -1]))
                found.append((*here, int(tree.pool.nodes[0, link])))
                walk(link, here)

    walk(tree.pool.root, ())
    return found


def test_advancing_keeps_the_subtree(hex5: lp.Game) -> None:
    tree = Tree(hex5.start(), 100_000, seed=1)
    tree.run(3000)
    found = tree.found()
    link = int(tree.pool.nodes[1, tree.edges().start + found.best_index])
    visits = tree.pool.nodes[0, tree.edges(link)].tolist()
    tree.advance(found.best)
    assert tree.pool.nodes[0, tree.edges()].tolist() == visits
    assert tree.found().visits.tolist() == visits
    tree.run(100)
    assert tree.found().visits.sum() == sum(visits) + 100


def test_dropping_saves_what_it_prunes(hex5: lp.Game) -> None:
    saved: list[int] = []

    def save(tree: Tree, kept: int) -> None:
        saved.append(kept)
        assert tree.pool.nodes[1, kept] > 0

    search = BoundedSearch(Tree(hex5.start(), 1500, seed=2), "drop", save=save)
    search.run(20_000)
    assert len(saved) > 1
    assert len(saved) in (search.pruned, search.pruned - 1)  # below the last pseudoroot nothing more may be prunable


def test_a_full_disk_ends_the_search_and_keeps_its_result(hex5: lp.Game) -> None:
    def fail(tree: Tree, kept: int) -> None:
        raise OSError(28, "No space left on device")

    search = BoundedSearch(Tree(hex5.start(), 1500, seed=2), "drop", save=fail)
    done = search.run(20_000)
    found = search.found()
    assert 0 < done < 20_000
    assert found.visits.sum() == done
    assert "No space left on device" in found.stopped


def test_bad_input(hex5: lp.Game) -> None:
    with pytest.raises(LudoportError, match="a pool of 20 nodes is too small: this position has 25 moves"):
        Tree(hex5.start(), 20)
    with pytest.raises(LudoportError, match="unknown memory policy `forget`; choose from stop"):
        bounded(hex5, "forget", 1000)  # type: ignore[arg-type]
    with pytest.raises(LudoportError, match="at least 1, not 0"):
        bounded(hex5, "stop", 1000).run(0)
    with pytest.raises(LudoportError, match="not enough memory"):
        Tree(hex5.start(), 10**15)
