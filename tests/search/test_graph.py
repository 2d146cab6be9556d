"""Graphs hold exactly what the trees knew, once, whichever way a state was reached."""

from __future__ import annotations

from collections import deque
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import ludoport as lp
from ludoport.search.graph import About, SearchGraph, about_game, arranged, merged
from ludoport.search.graph_files import graph_bytes, read_graph
from ludoport.search.graph_lines import best_lines
from ludoport.search.graph_trees import graph_of, into_tree
from ludoport.search.memory import BoundedSearch
from ludoport.search.tree import EXACT, LINK, VISITS, Tree, UctSettings

from .graphs import added, as_dictionary, assert_same, lines_of


@pytest.fixture(scope="module")
def tic_tac_toe() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


def grown(game: lp.Game, seed: int = 0, simulations: int = 400, entries: int = 20_000, **more: object) -> Tree:
    tree = Tree(game.start(), entries, UctSettings(**more), seed)  # type: ignore[arg-type]
    tree.run(simulations)
    return tree


def edge_graph(edges: list[tuple[int, int, int, int, float]], root: int = 1) -> SearchGraph:
    """A graph from (parent, child, move, visits, worth)."""
    parents, children, moves, visits, worth = (np.array(column) for column in zip(*edges, strict=True))
    person = np.ones(len(edges), dtype=np.int8)
    about = About("None", "none", 2)
    return arranged(
        about, root, parents, children, moves[:, None].astype(np.int16), person, visits, worth.astype(float)
    )


@pytest.mark.slow
def test_a_graph_holds_what_the_tree_knew(tic_tac_toe: lp.Game) -> None:
    tree = grown(tic_tac_toe)
    lines, graph = lines_of(tree), graph_of(tree)
    assert as_dictionary(graph) == added(lines)
    assert int(graph.visits.sum()) == sum(line[4] for line in lines.values())
    assert int(graph.visits[graph.edges_from(graph.root)].sum()) == 400
    # Equal states were reached by several lines, and each is there once.
    assert graph.states == len({key for line in lines.values() for key in line[:2]}) < len(lines)


@pytest.mark.slow
def test_machine_code_and_plain_python_give_the_same_graph(tic_tac_toe: lp.Game) -> None:
    compiled = lp.load("Tic-Tac-Toe", jit=True)
    assert_same(graph_of(grown(tic_tac_toe)), graph_of(grown(compiled)))
    assert_same(graph_of(grown(tic_tac_toe, transpose=True)), graph_of(grown(compiled, transpose=True)))


def test_persons_who_swapped_colours_keep_their_results() -> None:
    game = lp.load("Hex", options=["Board Size/3x3", "End Rules/Standard"], jit=False)
    assert "SWAPPED" in game.rules.fields
    tree = grown(game, simulations=150)
    assert as_dictionary(graph_of(tree)) == added(lines_of(tree))


@pytest.mark.parametrize("transpose", [False, True])
@pytest.mark.parametrize("seed", range(4))
def test_a_tree_is_what_is_left_out_and_the_rest(tic_tac_toe: lp.Game, seed: int, transpose: bool) -> None:
    tree = grown(tic_tac_toe, seed, transpose=transpose)
    whole = graph_of(tree)
    edges = tree.edges()
    best = edges.start + int(np.argmax(tree.pool.nodes[VISITS, edges]))
    rest = graph_of(tree, leave_out=int(tree.pool.nodes[LINK, best]))
    tree.advance(tree.found().moves[best - edges.start])
    kept = graph_of(tree, root=whole.root)
    assert 0 < rest.edges < whole.edges
    assert 0 < kept.edges < whole.edges
    assert_same(merged([rest, kept]), whole)


@pytest.mark.slow
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 10_000), entries=st.integers(60, 400))
def test_drop_and_merge_keep_the_last_statistics_of_every_line(seed: int, entries: int) -> None:
    """For every line of moves, visits and results are those it had when it was pruned, or has in the end."""
    game = lp.load("Tic-Tac-Toe", jit=False)
    tree = Tree(game.start(), entries, seed=seed)
    root = tree.state.key
    known, parts, before = {}, [], ()

    def save(tree: Tree, link: int) -> None:
        nonlocal before
        known.update(lines_of(tree, before))
        parts.append(graph_of(tree, link, root=root))
        edge = next(k for k in range(*tree.edges().indices(tree.pool.used)) if tree.pool.nodes[LINK, k] == link)
        before = (*before, game.rules.tidy(tree.pool.moves[edge : edge + 1])[0].tobytes())

    search = BoundedSearch(tree, "drop", save=save)
    search.run(300)
    known.update(lines_of(tree, before))
    graph = merged([*parts, graph_of(tree, root=root)])
    assert as_dictionary(graph) == added(known)
    assert search.pruned > 0
    assert graph.about.seeds == (seed,) * (len(parts) + 1)


def test_dropping_that_never_happens_changes_nothing(tic_tac_toe: lp.Game) -> None:
    with_drop, without = Tree(tic_tac_toe.start(), 20_000), Tree(tic_tac_toe.start(), 20_000)
    saved: list[int] = []
    BoundedSearch(with_drop, "drop", save=lambda _, link: saved.append(link)).run(300)
    BoundedSearch(without, "stunt").run(300)
    assert saved == []
    assert_same(graph_of(with_drop), graph_of(without))


def test_merging_is_commutative_and_associative(tic_tac_toe: lp.Game) -> None:
    a, b, c = (graph_of(grown(tic_tac_toe, seed)) for seed in range(3))
    assert_same(merged([a, b]), merged([b, a]))
    assert_same(merged([merged([a, b]), c]), merged([a, merged([b, c])]))
    assert_same(merged([a, b, c]), merged([c, a, b]))
    assert int(merged([a, b, c]).visits.sum()) == sum(int(graph.visits.sum()) for graph in (a, b, c))


def test_results_that_are_not_halves_add_up_but_for_rounding(tic_tac_toe: lp.Game) -> None:
    a, b, c = (graph_of(grown(tic_tac_toe, seed, draw=0.2)) for seed in range(3))
    one, other = merged([merged([a, b]), c]), merged([a, merged([b, c])])
    np.testing.assert_array_equal(one.visits, other.visits)
    np.testing.assert_allclose(one.worth, other.worth, rtol=1e-12)


def test_several_moves_between_two_states_stay_apart() -> None:
    one = edge_graph([(1, 2, 7, 1, 0.5), (1, 2, 5, 2, 1.0), (2, 3, 5, 1, 0.0)])
    other = edge_graph([(1, 2, 5, 10, 4.0), (1, 3, 5, 1, 1.0), (1, 2, 7, 100, 3.0)])
    both = merged([one, other])
    found = {(*edge[:2], int(np.frombuffer(edge[2], dtype=np.int64)[0])): n for edge, n in as_dictionary(both).items()}
    assert found == {(1, 2, 7): (101, 3.5), (1, 2, 5): (12, 5.0), (1, 3, 5): (1, 1.0), (2, 3, 5): (1, 0.0)}


def test_keys_may_be_any_numbers_of_64_bits() -> None:
    low, high = -(2**63), 2**63 - 1
    graph = edge_graph([(low, high, 0, 3, 1.0), (high, 0, 0, 2, 1.0), (0, low, 0, 2, 1.0)], root=low)
    assert graph.keys.tolist() == [low, 0, high]
    assert_same(read_graph(graph_bytes(graph)), graph)
    assert_same(merged([graph, graph]), replace(graph, visits=2 * graph.visits, worth=2 * graph.worth))


def test_size_of_a_graph_with_a_cycle() -> None:
    graph = edge_graph([(1, 2, 0, 3, 1.0), (2, 3, 0, 2, 1.0), (3, 1, 0, 1, 1.0), (1, 4, 1, 1, 0.0), (8, 9, 0, 1, 0.0)])
    assert (graph.states, graph.edges, graph.depth) == (6, 5, 2)
    assert graph.branching == 5 / 4
    assert graph.visits_of_states().tolist() == [1, 3, 2, 1, 0, 1]


def test_depth_is_the_distance_of_the_farthest_state(tic_tac_toe: lp.Game) -> None:
    graph = graph_of(grown(tic_tac_toe, simulations=900))
    after: dict[int, list[int]] = {}
    for parent, child in zip(graph.parent.tolist(), graph.child.tolist(), strict=True):
        after.setdefault(parent, []).append(child)
    start = graph.number(graph.root)
    far, queue = {start: 0}, deque([start])
    while queue:
        state = queue.popleft()
        for child in after.get(state, ()):
            if child not in far:
                far[child] = far[state] + 1
                queue.append(child)
    assert graph.depth == max(far.values())
    assert graph.branching == graph.edges / len(after)


@pytest.mark.parametrize("transpose", [False, True])
def test_a_graph_becomes_a_tree_and_a_graph_again(tic_tac_toe: lp.Game, transpose: bool) -> None:
    graph = merged([graph_of(grown(tic_tac_toe, seed, transpose=transpose)) for seed in range(2)])
    loaded = into_tree(graph, tic_tac_toe.start(), room=10)
    assert loaded.rest.edges == 0
    assert_same(graph_of(loaded.tree), graph)
    nodes = loaded.tree.pool.nodes
    for head, moves in zip(*loaded.tree.heads(), strict=True):
        visits = nodes[VISITS, head + 1 : head + 1 + moves]
        assert (np.diff(visits) <= 0).all(), "known moves come first, in order of visits"
        assert nodes[EXACT, head] == (visits > 0).sum()
        assert nodes[VISITS, head] == visits.sum()


def test_search_goes_on_and_counts_everything_once(tic_tac_toe: lp.Game) -> None:
    graph = graph_of(grown(tic_tac_toe))
    loaded = into_tree(graph, tic_tac_toe.start(), room=5000, seed=3)
    lengths = 0
    for _ in range(60):
        before = int(loaded.tree.pool.nodes[VISITS, : loaded.tree.pool.used][loaded.tree.edge_mask()].sum())
        assert loaded.tree.run(1) == 1
        lengths += int(loaded.tree.pool.nodes[VISITS, : loaded.tree.pool.used][loaded.tree.edge_mask()].sum()) - before
    later = loaded.graph()
    root = later.edges_from(later.root)
    assert int(later.visits[root].sum()) == 400 + 60
    assert int(later.visits.sum()) == int(graph.visits.sum()) + lengths
    old, new = as_dictionary(graph), as_dictionary(later)
    assert all(new[edge][0] >= visits and new[edge][1] >= worth for edge, (visits, worth) in old.items())


def learned(known: SearchGraph, game: lp.Game, room: int, *, new: bool) -> tuple[SearchGraph, int]:
    """The graph after a search that continues one, or its new part, and the number of times that its pool was full."""
    loaded = into_tree(known, game.start(), room, seed=5)
    loaded.tree.remember()
    parts = [] if new else [loaded.rest]

    def save(tree: Tree, link: int) -> None:
        parts.append(graph_of(tree, link, root=known.root, new=new))

    search = BoundedSearch(loaded.tree, "drop", save=save)
    search.run(300)
    save(loaded.tree, 0)
    return merged([replace(part, about=known.about) for part in parts]), search.pruned


@pytest.mark.parametrize(("room", "drops"), [(5000, 0), (60, 2)])
def test_what_is_new_is_what_was_not_known_before(tic_tac_toe: lp.Game, room: int, drops: int) -> None:
    known = graph_of(grown(tic_tac_toe, simulations=60))
    whole, pruned = learned(known, tic_tac_toe, room, new=False)
    assert pruned >= drops
    old = as_dictionary(known)
    more = {
        edge: (visits - old.get(edge, (0, 0.0))[0], worth - old.get(edge, (0, 0.0))[1])
        for edge, (visits, worth) in as_dictionary(whole).items()
        if visits > old.get(edge, (0, 0.0))[0]
    }
    assert as_dictionary(learned(known, tic_tac_toe, room, new=True)[0]) == more
    assert sum(visits for visits, _ in more.values()) > 300


def test_edges_that_a_tree_cannot_take_are_kept(tic_tac_toe: lp.Game) -> None:
    graph = graph_of(grown(tic_tac_toe))
    odd = arranged(graph.about, graph.root, *(np.array([k]) for k in (graph.root, 12345)), graph.moves[:1] * 0 + 99,
                   graph.person[:1], np.array([7]), np.array([2.0]))  # fmt: skip
    both = merged([graph, odd])
    loaded = into_tree(both, tic_tac_toe.start(), room=10)
    assert as_dictionary(loaded.rest) == as_dictionary(odd)
    assert_same(loaded.graph(), both)


def test_moves_of_a_position_are_found_by_its_key(tic_tac_toe: lp.Game) -> None:
    tree = grown(tic_tac_toe)
    graph, found = graph_of(tree), tree.found()
    moves, visits, values = graph.moves_at(tic_tac_toe.start())
    known = {move.text: (n, value) for move, n, value in zip(found.moves, found.visits, found.values, strict=True)}
    assert {move.text: (n, value) for move, n, value in zip(moves, visits, values, strict=True)} == known
    # The same position in another order of moves.
    one = tic_tac_toe.start().play("4").play("0").play("8")
    other = tic_tac_toe.start().play("8").play("0").play("4")
    assert [move.text for move in graph.moves_at(one)[0]] == [move.text for move in graph.moves_at(other)[0]]
    far = other.play("1").play("2").play("3")
    assert graph.moves_at(far)[0] == []


def test_best_lines_follow_the_visits(tic_tac_toe: lp.Game) -> None:
    graph = graph_of(grown(tic_tac_toe))
    lines = best_lines(graph, tic_tac_toe.start(), 3)
    assert [line.visits for line in lines] == sorted(graph.visits[graph.edges_from(graph.root)].tolist())[:-4:-1]
    state = tic_tac_toe.start()
    for move in lines[0].moves:
        moves, visits, _ = graph.moves_at(state)
        assert max(visits) == visits[[m.label for m in moves].index(move)]
        state = state.play(move)


def test_the_root_is_remembered(tic_tac_toe: lp.Game) -> None:
    state = tic_tac_toe.start().play("4").play("0")
    tree = Tree(state, 2000)
    tree.run(50)
    graph = graph_of(tree, about=about_game(tic_tac_toe, moves=("4", "0")))
    assert graph.root_state(tic_tac_toe).key == state.key
    with pytest.raises(lp.LudoportError, match="do not lead to its root"):
        replace(graph, about=about_game(tic_tac_toe, moves=("4",))).root_state(tic_tac_toe)
    above = graph_of(grown(tic_tac_toe))
    assert merged([graph, above]).root == merged([above, graph]).root == tic_tac_toe.start().key


def test_what_does_not_belong_together_is_refused(tic_tac_toe: lp.Game) -> None:
    graph = graph_of(grown(tic_tac_toe, simulations=20))
    hexagons = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    with pytest.raises(lp.LudoportError, match="different games cannot be merged: Tic-Tac-Toe and Hex"):
        merged([graph, graph_of(grown(hexagons, simulations=20))])
    with pytest.raises(lp.LudoportError, match="built for Tic-Tac-Toe; this one is Hex"):
        into_tree(graph, hexagons.start(), room=10)
    with pytest.raises(lp.LudoportError, match="count draws differently"):
        merged([graph, graph_of(grown(tic_tac_toe, simulations=20, draw=0.2))])
    with pytest.raises(lp.LudoportError, match=r"a draw is worth 0\.5 in this tree"):
        into_tree(graph, tic_tac_toe.start(), 10, UctSettings(draw=0.2))
    with pytest.raises(lp.LudoportError, match="not the root of this tree"):
        into_tree(graph, tic_tac_toe.start().play("4"), room=10)
    elsewhere = Tree(tic_tac_toe.start().play("4"), 2000)
    elsewhere.run(5)
    with pytest.raises(lp.LudoportError, match="different positions"):
        merged([graph, graph_of(elsewhere)])
    with pytest.raises(lp.LudoportError, match="too many to continue the search"):
        into_tree(replace(graph, visits=graph.visits * 2**31), tic_tac_toe.start(), room=10)
    with pytest.raises(lp.LudoportError, match="no trees to merge"):
        merged([])
