"""Trees of many workers: all of it is there, nothing twice, and what was finished is never lost."""

from __future__ import annotations

import errno
import json
import os
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.testing import CliRunner

import ludoport as lp
from ludoport import cli
from ludoport.commands.tree import app
from ludoport.search import build, graph_files, shares
from ludoport.search.build import Cluster, build_tree, parts_folder
from ludoport.search.graph import SearchGraph, about_game, merged
from ludoport.search.graph_files import read_graph, write_graph
from ludoport.search.graph_trees import graph_of, into_tree
from ludoport.search.shares import BuildPlan, grow_share, share_path
from ludoport.search.tree import Tree, UctSettings

from .graphs import assert_same

run = CliRunner().invoke


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module")
def plan(game: lp.Game) -> BuildPlan:
    return BuildPlan(about_game(game), simulations=150, nodes=300, seed=5)


def full_disk(*_: object, **__: object) -> None:
    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))


def test_a_build_is_the_sum_of_its_workers(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    built = build_tree(game, plan, 3, tmp_path / "a.tree", on=Cluster(threads=2))
    assert built.path == tmp_path / "a.tree"
    (tmp_path / "single").mkdir()
    alone = [grow_share(game, plan, number, tmp_path / "single") for number in range(3)]
    assert_same(built.graph(), merged([share.load() for share in alone if share is not None]))
    about = built.graph().about
    assert about.simulations == 450
    assert about.seeds == tuple(plan.worker_seed(number) for number in range(3))
    assert not parts_folder(tmp_path / "a.tree").exists()


def test_a_share_that_is_never_full_is_a_plain_tree(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    share = grow_share(game, replace(plan, nodes=20_000), 0, tmp_path)
    tree = Tree(game.start(), 20_000, seed=plan.worker_seed(0))
    tree.run(150)
    assert share is not None
    assert share.note == ""
    assert_same(share.load(), graph_of(tree))


def test_dropped_branches_are_part_of_the_share(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    parts: list[SearchGraph] = []
    original = shares.write_graph

    def watch(graph: SearchGraph, path: Path, **more: Any) -> None:
        if "branch" in path.name or path.name.endswith(".last"):
            parts.append(graph)
        original(graph, path, **more)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(shares, "write_graph", watch)
        share = grow_share(game, plan, 0, tmp_path)
    assert share is not None
    assert len(parts) > 1, "the pool was small enough to be full"
    graph = share.load()
    assert int(graph.visits.sum()) == sum(int(part.visits.sum()) for part in parts)
    assert graph.worth.sum() == sum(part.worth.sum() for part in parts)
    assert graph.root == game.start().key
    assert [file.name for file in tmp_path.iterdir()] == ["worker-0.tree"]


def test_an_interrupted_build_does_only_what_is_missing(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "a.tree"
    expected = build_tree(game, plan, 4, out).graph()
    out.unlink()
    asked: list[int] = []
    original = grow_share

    def dies_later(own: lp.Game, plan: BuildPlan, number: int, *more: Any) -> Any:
        asked.append(number)
        if number == 2 and asked.count(2) == 1:
            raise RuntimeError("lightning")
        return original(own, plan, number, *more)

    monkeypatch.setattr(build, "grow_share", dies_later)
    with pytest.raises(RuntimeError, match="lightning"):
        build_tree(game, plan, 4, out, on=Cluster(threads=1))
    assert not out.exists()
    finished = [number for number in range(4) if share_path(parts_folder(out), number).exists()]
    assert finished[:2] == [0, 1]
    assert 2 not in finished
    share_path(parts_folder(out), 0).write_bytes(b"damaged")
    share_path(parts_folder(out), 1).with_suffix(".json").write_bytes(b"{")  # a note that was cut short
    asked[:] = [2]
    told: list[str] = []
    built = build_tree(game, plan, 4, out, on=Cluster(threads=1), tell=told.append)
    assert told[0] == f"workers finished before: {len(finished) - 1} of 4"
    assert sorted(asked[1:]) == sorted({0, 2} | ({3} - set(finished)))
    assert_same(built.graph(), expected)


def test_parts_of_another_build_are_not_touched(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    folder = parts_folder(tmp_path / "a.tree")
    folder.mkdir()
    (folder / "plan.json").write_text(plan.identity)
    share_path(folder, 3).write_bytes(b"finished")
    with pytest.raises(lp.LudoportError, match="holds parts of another tree"):
        build_tree(game, replace(plan, simulations=10), 1, tmp_path / "a.tree")
    (folder / "plan.json").unlink()
    (folder / "letter.txt").write_text("dear")
    with pytest.raises(lp.LudoportError, match="holds parts of another tree"):
        build_tree(game, plan, 1, tmp_path / "a.tree")
    assert (folder / "letter.txt").read_text() == "dear"


def test_a_build_that_finished_nothing_is_not_in_the_way(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    folder = parts_folder(tmp_path / "a.tree")
    folder.mkdir()
    (folder / "plan.json").write_text(plan.identity)
    (folder / "worker-7.branch-0").write_bytes(b"interrupted")
    assert build_tree(game, replace(plan, simulations=10), 1, tmp_path / "a.tree").graph().about.simulations == 10
    assert not folder.exists()


def test_a_folder_of_parts_whose_writer_was_killed_at_once(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    folder = parts_folder(tmp_path / "a.tree")
    folder.mkdir()
    (folder / ".plan.json.abc.tmp").write_bytes(b"")
    assert build_tree(game, plan, 1, tmp_path / "a.tree").path is not None


def test_an_address_where_nobody_answers_leaves_nothing_behind(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    with pytest.raises(lp.LudoportError, match=r"no Ray answers at 127\.0\.0\.1:1"):
        build_tree(game, plan, 1, tmp_path / "a.tree", on=Cluster(ray=True, address="127.0.0.1:1"))
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_while_a_branch_is_saved_ends_the_search_and_keeps_the_result(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    original, calls = shares.write_graph, []

    def full_for_branches(graph: SearchGraph, path: Path, **more: Any) -> None:
        calls.append(path.name)
        if "branch-1" in path.name:
            full_disk()
        original(graph, path, **more)

    monkeypatch.setattr(shares, "write_graph", full_for_branches)
    built = build_tree(game, replace(plan, nodes=120), 1, tmp_path / "a.tree")
    assert "could not be saved: No space left on device" in built.notes[0]
    graph = built.graph()
    assert 0 < graph.about.simulations < 150
    assert calls == ["worker-0.branch-0", "worker-0.branch-1", "worker-0.last"]
    assert int(graph.visits.sum()) > graph.about.simulations


def test_a_disk_that_is_full_all_the_time_loses_nothing(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    quiet = replace(plan, nodes=20_000)
    expected = build_tree(game, quiet, 2, tmp_path / "b.tree").graph()
    for module in (shares, build):
        monkeypatch.setattr(module, "write_graph", full_disk)
    built = build_tree(game, quiet, 2, tmp_path / "a.tree")
    assert built.path is None
    assert built.notes == [
        "worker 0: its tree could not be saved: No space left on device",
        "worker 1: its tree could not be saved: No space left on device",
        f"{tmp_path / 'a.tree'} could not be written: No space left on device; "
        f"the finished parts are in {parts_folder(tmp_path / 'a.tree')}",
    ]
    assert_same(built.graph(), expected)


def test_a_disk_that_is_full_in_the_end_keeps_the_parts(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patch:
        patch.setattr(build, "merge_files", full_disk)
        built = build_tree(game, plan, 2, tmp_path / "a.tree")
    assert built.path is None
    told: list[str] = []
    again = build_tree(game, plan, 2, tmp_path / "a.tree", tell=told.append)
    assert told[0] == "workers finished before: 2 of 2"
    assert_same(again.graph(), built.graph())


def test_bad_input_is_refused_before_anything_is_written(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    out = tmp_path / "a.tree"
    with pytest.raises(lp.LudoportError, match="simulations must be at least 1, not 0"):
        replace(plan, simulations=0)
    with pytest.raises(lp.LudoportError, match="`forget`; choose from stop"):
        replace(plan, policy="forget")  # type: ignore[arg-type]
    with pytest.raises(lp.LudoportError, match="`ensemble` keeps no tree"):
        replace(plan, policy="ensemble")
    with pytest.raises(lp.LudoportError, match="workers must be at least 1, not 0"):
        build_tree(game, plan, 0, out)
    with pytest.raises(lp.LudoportError, match="a pool of 5 nodes is too small: this position has 9 moves"):
        build_tree(game, replace(plan, nodes=5), 1, out)
    with pytest.raises(lp.LudoportError, match="its folder does not exist"):
        build_tree(game, plan, 1, tmp_path / "nowhere" / "a.tree")
    with pytest.raises(lp.LudoportError, match="it is a folder"):
        build_tree(game, plan, 1, tmp_path)
    with pytest.raises(lp.LudoportError, match="built for Tic-Tac-Toe; this one is Hex"):
        build_tree(lp.load("Hex", options=["Board Size/3x3"], jit=False), plan, 1, out)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.slow
@pytest.mark.parametrize("nodes", [200, 5000])
def test_workers_go_on_from_a_saved_tree_and_count_it_once(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, nodes: int
) -> None:
    first = build_tree(game, replace(plan, simulations=200), 2, tmp_path / "a.tree").graph()
    further = replace(plan, nodes=nodes, seed=8, settings=UctSettings(transpose=True))
    built = build_tree(game, further, 3, tmp_path / "b.tree", begin=tmp_path / "a.tree").graph()
    alone = []
    for number in range(3):
        share = grow_share(game, further, number, tmp_path, begin=first)
        assert share is not None
        alone.append(share.load())
    assert_same(built, merged([first, *alone]))
    assert built.about.simulations == 400 + sum(graph.about.simulations for graph in alone)
    if nodes == 5000:  # nothing was pruned, so every simulation chose one move of the root
        assert [int(graph.visits[graph.edges_from(graph.root)].sum()) for graph in alone] == [150] * 3
        loaded = into_tree(first, game.start(), nodes, further.settings, further.worker_seed(1))
        loaded.tree.run(150)
        assert_same(merged([first, replace(alone[1], about=first.about)]), loaded.graph())
    assert min(graph.visits.min() for graph in alone) > 0
    other = replace(further, about=replace(plan.about, moves=("4",)))
    with pytest.raises(lp.LudoportError, match="not the root"):
        build_tree(game, other, 1, tmp_path / "c.tree", begin=tmp_path / "a.tree")


def test_settings_reach_the_search(game: lp.Game, plan: BuildPlan, tmp_path: Path) -> None:
    chosen = replace(plan, settings=UctSettings(draw=0.2, exploration=0.5), nodes=20_000)
    graph = build_tree(game, chosen, 1, tmp_path / "a.tree").graph()
    tree = Tree(game.start(), 20_000, chosen.settings, plan.worker_seed(0))
    tree.run(150)
    assert_same(graph, graph_of(tree))
    assert graph.about.draw == 0.2
    assert graph.about.settings["exploration"] == 0.5


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("trees") / "a.tree"
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("LUDOPORT_JIT", "0")
        arguments = ["build", "Tic-Tac-Toe", "--simulations", "100", "--workers", "2", "--moves", "4 0", "--json"]
        result = run(app, [*arguments, "--out", str(path)])
    assert result.exit_code == 0, result.output
    answer = json.loads(result.stdout)
    assert answer["simulations"] == 200
    assert answer["moves"] == ["4", "0"]
    assert answer["file"] == str(path)
    return path


def test_show(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    graph = read_graph(saved)
    result = run(app, ["show", str(saved), "--json", "--lines", "2", "--svg", str(tmp_path / "a.svg")])
    answer = json.loads(result.stdout)
    assert (answer["states"], answer["edges"], answer["depth"]) == (graph.states, graph.edges, graph.depth)
    assert answer["visits"] == int(graph.visits.sum())
    assert len(answer["lines"]) == 2
    drawing = ElementTree.parse(tmp_path / "a.svg").getroot()
    texts = [text.text or "" for text in drawing.iter("{http://www.w3.org/2000/svg}text")]
    best = answer["lines"][0]
    assert any(text.startswith(f"{best['moves'][0]}  {best['visits']}  ") for text in texts)
    widths = [float(path.attrib["stroke-width"]) for path in drawing.iter("{http://www.w3.org/2000/svg}path")]
    assert len(widths) == len(texts) - 1
    assert max(widths) == pytest.approx(14 * best["visits"] / _shown_visits(graph), abs=0.01)
    people = run(app, ["show", str(saved)])
    assert f"{graph.states:,} states" in people.stdout


def _shown_visits(graph: SearchGraph) -> int:
    """Visits of the four moves that are drawn of the root."""
    return sum(sorted(graph.visits[graph.edges_from(graph.root)].tolist())[-4:])


def test_tune(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    result = run(app, ["tune", str(saved), "--simulations", "50", "--workers", "2", "--out", str(tmp_path / "b.tree")])
    assert result.exit_code == 0, result.output
    before, after = read_graph(saved), read_graph(tmp_path / "b.tree")
    assert after.about.simulations == 200 + 100
    assert int(after.visits[after.edges_from(after.root)].sum()) == 200 + 100
    assert after.root == before.root
    assert after.about.seeds == (*before.about.seeds, 1009, 1010)
    assert "300 simulations by 4 workers" in result.stdout


def test_without_ray_there_is_a_sentence(
    game: lp.Game, plan: BuildPlan, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(lp.LudoportError, match="Ray is not installed"):
        build_tree(game, plan, 1, tmp_path / "a.tree", on=Cluster(ray=True))


def test_merge(saved: Path, tmp_path: Path) -> None:
    result = run(app, ["merge", str(saved), str(saved), "--out", str(tmp_path / "b.tree"), "--json"])
    answer = json.loads(result.stdout)
    graph = read_graph(saved)
    assert answer["visits"] == 2 * int(graph.visits.sum())
    assert answer["states"] == graph.states
    assert_same(read_graph(tmp_path / "b.tree"), merged([graph, graph]))


def test_a_tree_of_another_game_is_not_shown(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    result = run(app, ["show", str(saved), "--game", "Hex"])
    assert isinstance(result.exception, lp.LudoportError)
    assert "built for Tic-Tac-Toe; this one is Hex" in str(result.exception)
    write_graph(read_graph(saved), tmp_path / "b.tree")
    assert run(app, ["show", str(tmp_path / "b.tree"), "--lines", "-1"]).exit_code != 0


def out_of_memory(*_: object) -> None:
    raise MemoryError


def test_a_merge_reads_nothing_but_the_visits_of_its_result(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    total = int(read_graph(saved).visits.sum())
    monkeypatch.setattr(graph_files, "read_graph", out_of_memory)
    result = run(app, ["merge", str(saved), str(saved), "--out", str(tmp_path / "b.tree"), "--json"])
    assert json.loads(result.stdout)["visits"] == 2 * total


def test_a_tree_that_is_too_large_to_be_shown_is_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    monkeypatch.setattr(build.Built, "graph", out_of_memory)
    out = tmp_path / "a.tree"
    result = run(app, ["build", "Tic-Tac-Toe", "--simulations", "5", "--out", str(out)])
    assert f"the tree is saved in {out}, but there is not enough memory to show it" in str(result.exception)
    assert out.exists()


def test_running_out_of_memory_is_a_sentence(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(cli, "app", lambda **_: out_of_memory())
    with pytest.raises(SystemExit) as stopped:
        cli.main([])
    assert stopped.value.code == 2
    assert capsys.readouterr().err == "ludoport: not enough memory\n"


def test_a_game_text_that_has_moved_can_be_named(saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    graph, moved = read_graph(saved), tmp_path / "moved.tree"
    write_graph(replace(graph, about=replace(graph.about, source="gone/Tic-Tac-Toe.lud")), moved)
    result = run(app, ["show", str(moved)])
    assert isinstance(result.exception, lp.LudoportError)
    assert "gone/Tic-Tac-Toe.lud" in str(result.exception)
    assert "This is the name in the tree's file; give another one with --game." in str(result.exception)
    carried = run(app, ["transfer", str(moved), "Tic-Tac-Toe", "--out", str(tmp_path / "b.tree")])
    assert "give another one with --source" in str(carried.exception)
    assert run(app, ["show", str(moved), "--game", "Tic-Tac-Toe"]).exit_code == 0
