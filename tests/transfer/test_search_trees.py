"""Trees carried over from one game to another: what exists there is kept with its numbers, nothing else."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from typer.testing import CliRunner

import ludoport as lp
from ludoport.commands.tree import app
from ludoport.game import State
from ludoport.search.build import Cluster, build_tree
from ludoport.search.graph_files import read_graph, write_graph
from ludoport.search.shares import BuildPlan
from ludoport.search.tree import UctSettings
from ludoport.transfer.search_trees import discounted, transfer_tree
from ludoport.transfer.tree_names import LudemicNames, names_of, piece_names, same_position
from ludoport.transfer.tree_replay import replay
from ludoport.transfer.tree_rows import replay_rows, same_rows

from ..search.graphs import as_dictionary, assert_same
from .tree_games import Edges, brute_force, gardner, only, random_tree, row_game, whole_tree

SMALL, LARGE = row_game("Small", 3), row_game("Large", 4)
LEFT, RIGHT = row_game("Left", 4, only(0, 1, 2)), row_game("Right", 4, only(1, 2, 3))

run = CliRunner().invoke


def assert_equal_edges(one: Edges, other: Edges) -> None:
    assert one.keys() == other.keys()
    for edge, (visits, worth) in one.items():
        assert other[edge] == (visits, pytest.approx(worth))


@pytest.mark.parametrize(
    ("source", "target", "case"),
    [
        (SMALL, LARGE, "sub-domain"),
        (LARGE, SMALL, "super-domain"),
        (LEFT, RIGHT, "partial overlap"),
        (LARGE, row_game("Misere", 4, verdict="Loss"), "same domain"),
        (LARGE, row_game("Other pieces", 4, piece="Marker"), "same domain"),
    ],
    ids=lambda value: value if isinstance(value, str) else value.name,
)
def test_the_cases_of_figure_13(source: lp.Game, target: lp.Game, case: str) -> None:
    graph = whole_tree(source)
    moved = transfer_tree(graph, source, target)
    assert moved.case == case
    expected = brute_force(graph, (source.start(), target.start()), {})
    assert_equal_edges(as_dictionary(moved.graph), expected)
    assert moved.graph.root == target.start().key
    assert moved.visits == sum(visits for visits, _ in expected.values())
    if case in ("sub-domain", "same domain"):
        assert (moved.states, moved.edges, moved.visits) == (graph.states, graph.edges, int(graph.visits.sum()))
        assert moved.graph.worth.sum() == pytest.approx(graph.worth.sum())
    else:
        assert 0 < moved.edges < graph.edges


@pytest.mark.parametrize(
    ("source", "target", "why"),
    [
        (row_game("First", 4, only(0, 1)), row_game("Last", 4, only(2, 3)), "no move of its root leads to the same"),
        (LARGE, row_game("Begun", 4, start='(start (place "Disc1" 0))'), "their start positions differ"),
    ],
)
def test_disjoint_domains_are_refused(source: lp.Game, target: lp.Game, why: str) -> None:
    with pytest.raises(lp.LudoportError, match=f"{source.name} can be transferred to {target.name}.*disjoint.*{why}"):
        transfer_tree(whole_tree(source), source, target)


@pytest.mark.slow
def test_moves_of_a_larger_board_are_known_by_their_labels() -> None:
    # Three by three on four by four: the same site has other numbers.
    one, two = (lp.load("Hex", options=[f"Board Size/{n}x{n}", "Swap Rules/Off"], jit=False) for n in (3, 4))
    graph = random_tree(one, walks=40, depth=4)
    moved = transfer_tree(graph, one, two)
    assert moved.edges == graph.edges
    labels = [game.rules.board.sites("Cell").label for game in (one, two)]  # type: ignore[attr-defined]
    names = {str(site): str(labels[1].index(label)) for site, label in enumerate(labels[0])}
    assert any(site != name for site, name in names.items())
    assert_equal_edges(as_dictionary(moved.graph), brute_force(graph, (one.start(), two.start()), names))


def test_pieces_correspond_by_name_or_else_by_their_rules() -> None:
    assert piece_names(LARGE.rules, SMALL.rules) == {}  # type: ignore[arg-type]
    other = row_game("Other pieces", 4, piece="Marker")
    assert piece_names(LARGE.rules, other.rules) == {"Marker1": "Disc1", "Marker2": "Disc2"}  # type: ignore[arg-type]
    one, two = names_of(LARGE, other)
    assert isinstance(two, LudemicNames)
    there = other.start().play("2").row
    assert same_position(one, LARGE.start().play("2").row, two, there)
    assert not same_position(one, LARGE.start().play("1").row, two, there)
    assert not same_position(one, LARGE.start().row, two, there)


@pytest.mark.parametrize(
    ("text", "name"),
    [("3", "D1"), ("0-1", "A1-B1"), ("2-off", "C1-off"), ("0-3/b1.2", "A1-D1/bB1.C1"), ("1=Marker2", "B1=Disc2")]
    + [(text, text) for text in ("pass", "swap", "propose:3", "move:something 3")],
)
def test_names_of_moves(text: str, name: str) -> None:
    names = LudemicNames(LARGE.rules, True, {"Marker2": "Disc2"})  # type: ignore[arg-type]
    assert names._move(text) == name


def test_everything_of_chess_exists_in_chessplus() -> None:
    chess, chessplus = gardner(False), gardner(True)
    graph = random_tree(chess, walks=25, depth=6)
    moved = transfer_tree(graph, chess, chessplus, loaded=("gardner-chessplus", (), None))
    assert moved.case == "sub-domain"
    assert_same(moved.graph, graph)
    about = moved.graph.about
    assert about.fingerprint == chessplus.rules.fingerprint
    assert (about.source, about.draw, about.simulations) == ("gardner-chessplus", 0.25, 25)
    assert about.settings["transferred_from"]["game"] == "Gardner chess"
    assert moved.graph.root_state(chessplus).key == graph.root


def test_what_only_chessplus_has_is_pruned_in_chess() -> None:
    chess, chessplus = gardner(False), gardner(True)
    graph = random_tree(chessplus, walks=40, depth=5, seed=3)
    moved = transfer_tree(graph, chessplus, chess)
    assert moved.case == "super-domain"
    assert 0 < moved.edges < graph.edges
    # Moves have the same rows in both, and how they are written depends on what else is legal.
    found: Edges = {}
    waiting, seen = [chess.start()], {chess.start().key}
    while waiting:
        state = waiting.pop(0)
        legal = {move.row.tobytes(): move for move in state.moves()}
        edges = graph.edges_from(state.key)
        for k in range(edges.start, edges.stop):
            move = legal.get(graph.moves[k].tobytes())
            if move is not None:
                after = state.play(move)
                found[state.key, after.key, graph.moves[k].tobytes(), state.seat] = (
                    int(graph.visits[k]),
                    float(graph.worth[k]),
                )
                if after.key not in seen:
                    seen.add(after.key)
                    waiting.append(after)
    assert_equal_edges(as_dictionary(moved.graph), found)


@settings(max_examples=5, deadline=None)
@given(st.integers(0, 1000), st.booleans())
def test_kernels_and_names_find_the_same(seed: int, from_chess: bool) -> None:
    one, two = gardner(not from_chess), gardner(from_chess)
    assert same_rows(one, two)
    graph = random_tree(one, walks=12, depth=5, seed=seed)
    roots = (graph.root_state(one), two.start())
    quick, slow = replay_rows(graph, roots), replay(graph, roots, names_of(one, two))
    order = np.argsort(slow.edges)
    np.testing.assert_array_equal(quick.edges, slow.edges[order])
    np.testing.assert_array_equal(quick.children, slow.children[order])
    np.testing.assert_array_equal(quick.moves, slow.moves[order])
    for name in ("positions", "both", "only_source", "only_target"):
        assert getattr(quick, name) == getattr(slow, name)


def test_positions_with_the_same_pieces_but_another_key_are_the_same() -> None:
    # The literal rules have the right to castle in the start position, which is part of its key.
    plain, literal = gardner(False), gardner(False, literal=True)
    assert plain.start().key != literal.start().key
    graph = random_tree(plain, walks=15, depth=4)
    moved = transfer_tree(graph, plain, literal)
    assert moved.edges == graph.edges
    assert moved.graph.root == literal.start().key
    assert moved.visits == int(moved.graph.visits.sum())


def test_a_root_below_the_start_is_found_again() -> None:
    chess, chessplus = gardner(False), gardner(True)
    state = chess.start()
    moves = []
    for _ in range(3):
        moves.append(state.moves()[0].text)
        state = state.play(moves[-1])
    graph = random_tree(chess, walks=5, depth=3, moves=tuple(moves))
    moved = transfer_tree(graph, chess, chessplus)
    assert moved.graph.root_state(chessplus).key == graph.root == state.key
    begun = random_tree(LEFT, walks=5, depth=2, moves=("0",))
    with pytest.raises(lp.LudoportError, match="the way to its root has the move 0, which Right has not"):
        transfer_tree(begun, LEFT, RIGHT)


def test_a_discount_keeps_means_and_forgets_little_evidence() -> None:
    graph = whole_tree(LARGE)
    lighter = discounted(graph, 0.25)
    before, after = as_dictionary(graph), as_dictionary(lighter)
    reachable = {graph.root}
    while True:  # states that moves with visits left lead to
        more = {edge[1] for edge, (visits, _) in before.items() if edge[0] in reachable and visits >= 2} | reachable
        if more == reachable:
            break
        reachable = more
    expected = {edge for edge, (visits, _) in before.items() if visits >= 2 and edge[0] in reachable}
    assert after.keys() == expected
    assert len(expected) < len(before)
    for edge, (visits, worth) in after.items():
        assert visits == int(before[edge][0] / 4 + 0.5)
        assert worth / visits == pytest.approx(before[edge][1] / before[edge][0])
    assert discounted(graph, 1.0) is graph
    moved = transfer_tree(graph, LARGE, SMALL, discount=0.5)
    assert_same(moved.graph, discounted(transfer_tree(graph, LARGE, SMALL).graph, 0.5))
    assert moved.visits > int(moved.graph.visits.sum())


def test_a_discount_that_leaves_no_move_is_refused() -> None:
    graph = whole_tree(LARGE)
    with pytest.raises(lp.LudoportError, match="of Large is left in Small if a visit is worth 1e-06"):
        transfer_tree(graph, LARGE, SMALL, discount=1e-6)
    single = graph.chosen(np.arange(graph.edges) == graph.edges_from(graph.root).start)
    assert "2 states, 1 move and 1 visit are left" in str(
        transfer_tree(replace(single, visits=np.array([2])), LARGE, LARGE, discount=0.5)
    )


@pytest.mark.parametrize("discount", [0, -1, 1.5, float("nan")])
def test_a_discount_that_makes_no_sense_is_refused(discount: float) -> None:
    with pytest.raises(lp.LudoportError, match="it must be above 0 and at most 1"):
        transfer_tree(whole_tree(SMALL), SMALL, LARGE, discount=discount)


def test_fine_tuning_counts_old_and_new_once(tmp_path: Path) -> None:
    moved = transfer_tree(whole_tree(SMALL), SMALL, LARGE).graph
    write_graph(moved, tmp_path / "moved.tree")
    about = replace(moved.about, simulations=0, seeds=(), settings={})
    plan = BuildPlan(about, simulations=40, nodes=5000, settings=UctSettings(draw=0.5, transpose=True))
    built = build_tree(LARGE, plan, 3, tmp_path / "tuned.tree", begin=tmp_path / "moved.tree", on=Cluster(threads=1))
    tuned = built.graph()
    first, before = tuned.edges_from(tuned.root), moved.edges_from(moved.root)
    assert int(tuned.visits[first].sum()) == int(moved.visits[before].sum()) + 3 * 40
    old, new = as_dictionary(moved), as_dictionary(tuned)
    assert all(new[edge][0] >= visits for edge, (visits, _) in old.items())
    fourth = LARGE.start().find("3").row.astype(np.int64).tobytes()
    assert any(move == fourth for _, _, move, _ in new), "the move that only the target has was tried"


def test_trees_of_other_games_are_refused() -> None:
    with pytest.raises(lp.LudoportError, match="belongs to another game: it was built for Small; this one is Large"):
        transfer_tree(whole_tree(SMALL), LARGE, LEFT)
    three = lp.load("Tic-Tac-Toe", jit=False)
    with pytest.raises(lp.LudoportError, match="disjoint"):
        transfer_tree(whole_tree(SMALL), SMALL, lp.load("Breakthrough", options=["Board Size/4x4"], jit=False))
    assert transfer_tree(whole_tree(SMALL), SMALL, three).case in ("sub-domain", "partial overlap")


@pytest.mark.slow
def test_the_commands(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    source, out = tmp_path / "a.tree", tmp_path / "b.tree"
    board = "Board Size/3x3"
    hexes = lp.load("Hex", options=[board], jit=False)
    graph = random_tree(hexes, walks=30, depth=4)
    write_graph(replace(graph, about=replace(graph.about, source="Hex", options=(board,))), source)
    misere = ["Hex", "-o", board, "-o", "End Rules/Misere"]
    answer = run(app, ["transfer", str(source), *misere, "--out", str(out), "--json"])
    assert answer.exit_code == 0, answer.output
    said = json.loads(answer.stdout)
    assert said["case"] == "same domain"
    assert said["edges"] == graph.edges
    written = read_graph(out)
    assert written.about.options == (board, "End Rules/Misere")
    again = run(app, ["transfer", str(source), *misere, "--out", str(out), "--discount", "0.2"])
    assert "a visit is worth 0.2" in again.stdout
    answer = run(app, ["match", str(out), str(out), "--games", "2", "--simulations", "5", "--workers", "1", "--json"])
    assert answer.exit_code == 0, answer.output
    assert json.loads(answer.stdout)["games"] == 2
    wrong = run(app, ["match", str(source), str(out)])
    assert "trees of different games cannot play each other" in str(wrong.exception)
    wrong = run(app, ["transfer", str(source), *misere, "--out", str(tmp_path / "no" / "b.tree")])
    assert "its folder does not exist" in str(wrong.exception)


def test_positions_that_are_over_in_the_target_have_nothing_behind_them() -> None:
    moved = transfer_tree(whole_tree(LARGE), LARGE, SMALL)
    states = set(moved.graph.keys.tolist())
    waiting = [SMALL.start()]
    seen: dict[int, State] = {}
    while waiting:
        state = waiting.pop()
        seen[state.key] = state
        waiting += [state.play(move) for move in ([] if state.over else state.moves())]
    assert states <= seen.keys()
    for number, key in enumerate(moved.graph.keys.tolist()):
        if seen[key].over:
            assert moved.graph.first[number] == moved.graph.first[number + 1]
