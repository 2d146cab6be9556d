"""The study of three kinds of knowledge at equal compute."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.search.graph_trees import graph_of
from ludoport.search.tree import Tree, UctSettings
from ludoport.studies.engine.jobs import Job, JobEntry
from ludoport.studies.engine.packing import pack, unpack
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.trees import visited
from ludoport.studies.knowledge.model import CONTROL, KnowledgeScore, Strengths, differences, played_of
from ludoport.studies.knowledge.plan import (
    CARRIED,
    DISTILLED,
    NETWORK,
    OWN,
    PLAIN,
    TREE,
    UNTRAINED,
    KnowledgeEntrant,
    plan,
)
from ludoport.studies.knowledge.sizes import SIZES, batches_of, epochs_of, simulations_of


@pytest.mark.parametrize("preset", SIZES)
def test_every_kind_gets_the_same_compute(preset: str) -> None:
    size, jobs = SIZES[preset], {job.id: job for job in plan(preset, 1).jobs}
    assert all(set(job.needs) <= set(jobs) for job in jobs.values())
    for level in size.levels:
        for seed in range(1, size.seeds + 1):
            place = {kind: KnowledgeEntrant(kind, level, seed).place for kind in CARRIED}
            tree, half = (jobs[f"grow/{place[kind]}"].params["simulations"] for kind in (TREE, DISTILLED))
            assert tree == simulations_of(level) == 2 * half
            assert jobs[f"distill/{place[DISTILLED]}"].params["batches"] == batches_of(level / 2)
            assert jobs[f"carry/{place[NETWORK]}"].params["at"] == [epochs_of(level)]
            for kind, own in OWN.items():
                mine = [job for job in jobs.values() if job.params.get("entrant", {}).get("kind") == own]
                assert len(mine) == len(size.levels) * size.seeds * len(size.anchors), kind


def test_parts_of_the_study() -> None:
    kinds = {job.params["entrant"]["kind"] for job in plan("tiny", 1, ["tree"]).jobs if "entrant" in job.params}
    assert kinds == {PLAIN, TREE, OWN[TREE]}
    assert {job.kind for job in plan("tiny", 1, ["Distilled tree"]).jobs} >= {"distill", "untrained", "transfer"}
    with pytest.raises(LudoportError, match="no kind of knowledge `rook`"):
        plan("tiny", 1, ["rook"])
    with pytest.raises(LudoportError, match="unknown preset"):
        plan("paper", 1)


def games(kind: str, level: float, seed: int, share: float, count: int = 400) -> KnowledgeScore:
    return KnowledgeScore(KnowledgeEntrant(kind, level, seed), "uct:16", share * count, count)


def test_differences_are_found_where_there_are_some() -> None:
    strong = [games(TREE, 1, seed, 0.8) for seed in (1, 2, 3)]
    weak = [games(NETWORK, 1, seed, 0.5 + 0.01 * seed) for seed in (1, 2, 3)]
    strengths = Strengths([games(PLAIN, 0, 0, 0.5), games(UNTRAINED, 0, 1, 0.5), *strong, *weak])
    found = {(one.one, one.two): (one, holm) for one, holm in differences(strengths)}
    better, corrected = found[(TREE, 1), (PLAIN, 0.0)]
    assert better.elo.low > 100
    assert better.p <= corrected < 0.05
    same, corrected = found[(NETWORK, 1), (UNTRAINED, 0.0)]
    assert same.elo.low < 0 < same.elo.high
    assert corrected > 0.05
    assert set(CONTROL) == set(CARRIED)


def test_moves_of_trees_and_cpu_time_are_counted() -> None:
    train = JobEntry(Job("train", "train", {"epochs": 10}), "done", result={"cpu_seconds": 20.0})
    carry = JobEntry(Job("carry", "transfer", {"at": [5]}, needs=("train",)), "done", result={"network": "n"})
    counts = {"wins": 3, "draws": 2, "losses": 5}
    match = {"entrant": {"kind": NETWORK, "level": 1.0, "seed": 1}, "against": "uct:16"}
    network = JobEntry(Job("games", "evaluate", match, needs=("carry",)), "done", result=counts)
    grow = JobEntry(Job("grow", "grow", {}), "done", result={"cpu_seconds": 7.0})
    match = {**match, "entrant": {"kind": TREE, "level": 1.0, "seed": 1}}
    result = {**counts, "tree_moves": 15, "own_moves": 200}
    tree = JobEntry(Job("more", "evaluate", match, needs=("grow",)), "done", result=result)
    strengths = Strengths(played_of([train, carry, network, grow, tree]))
    assert strengths.score((NETWORK, 1.0), "uct:16") == (4, 10)
    assert strengths.cpu_seconds((NETWORK, 1.0)) == 10
    assert strengths.cpu_seconds((TREE, 1.0)) == 7
    assert strengths.from_tree((TREE, 1.0)) == (1.5, 20)
    assert np.isnan(strengths.from_tree((NETWORK, 1.0))[0])


def test_trees_keep_positions_with_enough_visits() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    tree = Tree(game.start(), 20_000, UctSettings(), 1)
    tree.run(200)
    whole = graph_of(tree)
    left = visited(whole, 8)
    counts = np.bincount(left.parent, left.visits, left.states)
    assert counts[counts > 0].min() >= 8
    assert left.visits[left.edges_from(left.root)].sum() == 200
    assert 0 < left.edges < whole.edges
    assert (left.spanning[0] >= 0).all()


@pytest.mark.slow
def test_a_whole_study(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    from ludoport.studies.knowledge import plan as planned
    from ludoport.studies.knowledge import sizes

    monkeypatch.setenv("LUDOPORT_JIT", "0")
    for name, value in (("SIMULATIONS", 60), ("EPOCHS", 2), ("BATCHES", 4)):
        monkeypatch.setattr(sizes, name, value)
    monkeypatch.setattr(planned, "TIMED", 1)
    learning = {"games": 4, "simulations": 2, "positions": 8, "warmup": 8, "batch": 8, "symmetries": False}
    own = replace(SIZES["tiny"], levels=(1,), seeds=1, games=2, simulations=4, anchors=("random",), settings=learning)
    monkeypatch.setitem(SIZES, "tiny", own)
    out = tmp_path / "study"
    with pytest.raises(SystemExit):
        main(["study", "chessplus-knowledge", "--out", str(out), "--workers", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["done"], answer["failed"]) == (answer["total"], {})
    with pytest.raises(SystemExit):
        main(["report", str(out)])
    page = (out / "report" / "report.md").read_text()
    assert "It answers" in page
    assert "Incomplete" not in page
    assert (out / "report" / "figures" / "knowledge.svg").is_file()
    kinds = json.loads((out / "report" / "results.json").read_text())["kinds"]
    assert len(kinds) == 2 + len(CARRIED) + len(OWN)
    trees = [kind for kind in kinds if kind["kind"] in ("tree, carried", "tree of the target")]
    assert all(kind["moves a game from the tree"] > 0 for kind in trees)
    pack(out, tmp_path / "packed")
    unpack(tmp_path / "packed", tmp_path / "there")
    with Store(tmp_path / "there", create=False) as store:
        states = {entry.job.kind: entry.state for entry in store.entries()}
    assert states["grow"] == states["transfer"] == "waiting", "trees stay behind, and are built again where needed"
    assert states["distill"] == states["train"] == states["evaluate"] == "done"
