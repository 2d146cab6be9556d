"""Saved trees come back as they were; what is damaged or foreign is refused with a sentence."""

from __future__ import annotations

import errno
import io
import json
import os
import random
import zipfile
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.search import graph_files, graph_merge
from ludoport.search.graph import SearchGraph, about_game, merged
from ludoport.search.graph_files import graph_bytes, read_graph, read_header, write_graph
from ludoport.search.graph_merge import merge_files
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree

from .graphs import assert_same


def grown(seed: int, simulations: int = 120, moves: tuple[str, ...] = ()) -> SearchGraph:
    game = lp.load("Tic-Tac-Toe", jit=False)
    about = about_game(game, source="Tic-Tac-Toe", moves=moves, simulations=simulations, seeds=(seed,))
    tree = Tree(about.root(game), 20_000, seed=seed)
    tree.run(simulations)
    return graph_of(tree, about=about)


@pytest.fixture(scope="module")
def graph() -> SearchGraph:
    return grown(1)


def rewritten(path: Path, **changes: Any) -> None:
    """Change the header of a saved tree."""
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    header = {**json.loads(parts["header.json"]), **changes}
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in parts.items():
            archive.writestr(name, json.dumps(header) if name == "header.json" else content)


@pytest.mark.parametrize("compress", [False, True])
def test_round_trip(graph: SearchGraph, tmp_path: Path, compress: bool) -> None:
    path = tmp_path / "a.tree"
    write_graph(graph, path, compress=compress)
    again = read_graph(path)
    assert_same(again, graph)
    assert again.about == graph.about
    assert [file.name for file in tmp_path.iterdir()] == ["a.tree"]


def test_equal_trees_are_equal_files_and_bytes(graph: SearchGraph, tmp_path: Path) -> None:
    write_graph(graph, tmp_path / "a.tree")
    assert (tmp_path / "a.tree").read_bytes() == graph_bytes(graph) == graph_bytes(grown(1))
    assert_same(read_graph(graph_bytes(graph)), graph)


def test_numpy_reads_the_arrays(graph: SearchGraph) -> None:
    with np.load(io.BytesIO(graph_bytes(graph)), allow_pickle=False) as arrays:
        np.testing.assert_array_equal(arrays["visits"], graph.visits)


def test_a_header_says_where_a_tree_comes_from(graph: SearchGraph, tmp_path: Path) -> None:
    write_graph(graph, tmp_path / "a.tree")
    header = read_header(tmp_path / "a.tree")
    assert header["game"] == "Tic-Tac-Toe"
    assert header["version"] == 1
    assert header["made_by"] == f"ludoport {lp.__version__}"
    assert (header["states"], header["edges"]) == (graph.states, graph.edges)


@pytest.mark.slow
def test_no_flipped_byte_goes_unnoticed() -> None:
    """Whatever is read in spite of the damage is the same graph: some bytes of a zip mean nothing."""
    graph = grown(1, simulations=30)
    content = graph_bytes(graph)
    chance = random.Random(5)
    refused = 0
    for place in range(len(content)):
        broken = bytearray(content)
        broken[place] ^= 1 << chance.randrange(8)
        try:
            again = read_graph(bytes(broken))
        except lp.LudoportError:
            refused += 1
        else:
            assert_same(again, graph)
            assert again.about == graph.about
    assert refused > 0.7 * len(content)


def test_a_file_that_ends_too_early_is_refused(graph: SearchGraph, tmp_path: Path) -> None:
    content, path = graph_bytes(graph), tmp_path / "a.tree"
    for size in (0, 1, 100, len(content) // 2, len(content) - 1):
        path.write_bytes(content[:size])
        with pytest.raises(lp.LudoportError, match=r"a\.tree is (not a saved tree, or its end is missing|damaged)"):
            read_graph(path)


def test_foreign_files_are_refused(graph: SearchGraph, tmp_path: Path) -> None:
    path = tmp_path / "a.tree"
    with pytest.raises(lp.LudoportError, match="there is no file"):
        read_graph(path)
    with pytest.raises(lp.LudoportError, match="is a folder"):
        read_graph(tmp_path)
    np.savez(path.with_suffix(".npz"), keys=graph.keys)
    with pytest.raises(lp.LudoportError, match="is not a saved tree: it has no header"):
        read_graph(path.with_suffix(".npz"))
    write_graph(graph, path)
    rewritten(path, format="something else")
    with pytest.raises(lp.LudoportError, match="its header belongs to something else"):
        read_graph(path)
    write_graph(graph, path)
    rewritten(path, version=99)
    with pytest.raises(lp.LudoportError, match=r"newer Ludoport \(version 99 .* please upgrade"):
        read_graph(path)
    write_graph(graph, path)
    rewritten(path, edges=3)
    with pytest.raises(lp.LudoportError, match=r"damaged \(its size is not what its header says"):
        read_graph(path)


@pytest.mark.parametrize(
    ("field", "value", "problem"),
    [
        ("root", "1", "`root` in its header is not a whole number"),
        ("states", None, "`states` in its header is not a whole number"),
        ("edges", 2.5, "`edges` in its header is not a whole number"),
        ("fingerprint", 7, "`fingerprint` in its header is not a text"),
        ("players", "3", "`players` in its header is not a whole number"),
        ("draw", "half", "`draw` in its header is not a number from 0 to 1"),
        ("draw", float("nan"), "`draw` in its header is not a number from 0 to 1"),
        ("ruleset", 1, "`ruleset` in its header is not a text or null"),
        ("moves", [4], "`moves` in its header is not a list of texts"),
        ("seeds", 4, "`seeds` in its header is not a list of whole numbers"),
        ("settings", [], "`settings` in its header is not an object"),
    ],
)
def test_damaged_headers_are_refused(
    graph: SearchGraph, tmp_path: Path, field: str, value: object, problem: str
) -> None:
    path = tmp_path / "a.tree"
    write_graph(graph, path)
    rewritten(path, **{field: value})
    for reads in (read_graph, read_header):
        with pytest.raises(lp.LudoportError, match=rf"a\.tree is damaged \({problem}"):
            reads(path)


@pytest.mark.parametrize("field", ["fingerprint", "states", "root", "moves"])
def test_headers_without_a_field_are_refused(graph: SearchGraph, tmp_path: Path, field: str) -> None:
    path = tmp_path / "a.tree"
    write_graph(graph, path)
    with zipfile.ZipFile(path) as archive:
        header = json.loads(archive.read("header.json"))
    del header[field]
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("header.json", json.dumps(header))
    with pytest.raises(lp.LudoportError, match=rf"a\.tree is damaged \(its header has no `{field}`"):
        read_header(path)


def test_the_number_of_players_is_that_of_the_game(graph: SearchGraph) -> None:
    with pytest.raises(lp.LudoportError, match="the tree is damaged: it has 3 players, and Tic-Tac-Toe 2"):
        replace(graph, about=replace(graph.about, players=3)).root_state(lp.load("Tic-Tac-Toe", jit=False))


@pytest.mark.parametrize(
    ("name", "index", "value", "problem"),
    [
        ("parent", -1, 10**6, "moves are out of order"),
        ("child", 0, -1, "moves are out of order"),
        ("visits", 0, 0, "numbers are impossible"),
        ("worth", 0, np.nan, "numbers are impossible"),
        ("keys", 1, -(2**63), "states are out of order"),
    ],
)
def test_impossible_arrays_are_refused(graph: SearchGraph, name: str, index: int, value: float, problem: str) -> None:
    array = getattr(graph, name).copy()
    array[index] = value
    with pytest.raises(lp.LudoportError, match=problem):
        read_graph(graph_bytes(SearchGraph(**{**vars_of(graph), name: array})))


def vars_of(graph: SearchGraph) -> dict[str, Any]:
    return {name: getattr(graph, name) for name in ("about", "root", *graph_files.ARRAYS)}


def test_a_full_disk_leaves_the_old_file(graph: SearchGraph, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "a.tree"
    write_graph(graph, path)
    before = path.read_bytes()

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_graph(merged([graph, graph]), path)
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["a.tree"]


def test_a_place_that_cannot_be_written_is_refused(graph: SearchGraph, tmp_path: Path) -> None:
    with pytest.raises(lp.LudoportError, match="no such folder"):
        write_graph(graph, tmp_path / "nowhere" / "a.tree")
    with pytest.raises(lp.LudoportError, match="is a folder"):
        write_graph(graph, tmp_path)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, 20_000, 10**9])
def test_files_are_merged_in_memory_and_on_disk(tmp_path: Path, memory: int) -> None:
    graphs = [grown(seed) for seed in range(3)]
    paths = [tmp_path / f"{number}.tree" for number in range(3)]
    for graph, path in zip(graphs, paths, strict=True):
        write_graph(graph, path)
    told: list[str] = []
    merge_files(paths, tmp_path / "all.tree", memory=memory, tell=told.append)
    assert bool(told) == (memory < 10**9)
    again = read_graph(tmp_path / "all.tree")
    assert_same(again, merged(graphs))
    assert again.about == merged(graphs).about
    assert again.about.simulations == 360
    assert sorted(file.name for file in tmp_path.iterdir()) == ["0.tree", "1.tree", "2.tree", "all.tree"]


def test_a_merge_that_runs_out_of_memory_goes_on_on_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    graphs = [grown(seed) for seed in range(2)]
    for number, graph in enumerate(graphs):
        write_graph(graph, tmp_path / f"{number}.tree")

    def out_of_memory(_: object) -> None:
        raise MemoryError

    monkeypatch.setattr(graph_merge, "merged", out_of_memory)
    told: list[str] = []
    merge_files([tmp_path / "0.tree", tmp_path / "1.tree"], tmp_path / "0.tree", tell=told.append)
    assert "merging on disk" in told[0]
    assert_same(read_graph(tmp_path / "0.tree"), merged(graphs))


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, None])
def test_a_root_below_another_may_have_been_reached_by_other_moves(tmp_path: Path, memory: int | None) -> None:
    for number, moves in enumerate([("4",), ("8", "0", "4"), ("4", "1", "2", "3")]):
        write_graph(grown(1, moves=moves), tmp_path / f"{number}.tree")
    merge_files([tmp_path / f"{number}.tree" for number in (2, 1, 0)], tmp_path / "all.tree", memory=memory)
    assert read_graph(tmp_path / "all.tree").about.moves == ("4",)


@pytest.mark.slow
@pytest.mark.parametrize("memory", [1, None])
def test_files_that_cannot_be_merged(tmp_path: Path, memory: int | None) -> None:
    write_graph(grown(1), tmp_path / "a.tree")
    write_graph(grown(1, moves=("4",)), tmp_path / "b.tree")
    write_graph(grown(1, moves=("0",)), tmp_path / "c.tree")
    with pytest.raises(lp.LudoportError, match="different positions"):
        merge_files([tmp_path / "b.tree", tmp_path / "c.tree"], tmp_path / "d.tree", memory=memory)
    write_graph(grown(1, moves=("0", "1")), tmp_path / "e.tree")
    with pytest.raises(lp.LudoportError, match="neither root lies above the other"):
        merge_files([tmp_path / "b.tree", tmp_path / "e.tree"], tmp_path / "d.tree", memory=memory)
    content = bytearray((tmp_path / "b.tree").read_bytes())
    content[content.index(b"worth.npy") + 60] ^= 255
    (tmp_path / "b.tree").write_bytes(content)
    with pytest.raises(lp.LudoportError, match=r"b\.tree is damaged"):
        merge_files([tmp_path / "a.tree", tmp_path / "b.tree"], tmp_path / "d.tree", memory=memory)
    with pytest.raises(lp.LudoportError, match="no trees"):
        merge_files([], tmp_path / "d.tree")
    assert not (tmp_path / "d.tree").exists()


def test_trees_of_earlier_versions_are_read(tmp_path: Path) -> None:
    graph = grown(1, simulations=30)
    write_graph(graph, tmp_path / "new.tree")
    with zipfile.ZipFile(tmp_path / "new.tree") as new, zipfile.ZipFile(tmp_path / "old.tree", "w") as old:
        for name in new.namelist():
            data = new.read(name)
            old.writestr(name, data.replace(b'"simulations"', b'"iterations"') if name == "header.json" else data)
    assert read_graph(tmp_path / "old.tree").about == graph.about
