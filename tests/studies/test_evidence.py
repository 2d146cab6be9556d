"""The study of what transfer is worth: its scale, its intervals, and a whole block at work."""

from __future__ import annotations

import json
import random
import shlex
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.game import load
from ludoport.nets.files import load_network
from ludoport.studies.engine.packing import pack, unpack
from ludoport.studies.engine.plan import GameVariant
from ludoport.studies.engine.store import Store
from ludoport.studies.evidence import blocks
from ludoport.studies.evidence.blocks import BLOCKS, Block, Size
from ludoport.studies.evidence.model import Estimate, Played, Scale
from ludoport.studies.evidence.plan import Entrant, plan_block
from ludoport.zoo import zoo_network
from tools.interval_coverage import WORLDS, coverage

TRUE = {"untrained": 0.0, "scratch 1": 150.0, "scratch 8": 600.0, "zero-shot": 300.0, "shuffled": 0.0}


def entrant(name: str, seed: int) -> Entrant:
    kind, _, eighths = name.partition(" ")
    return Entrant(kind, seed, int(eighths or 0), "" if kind in ("untrained", "scratch") else "elsewhere")


def scale(games: int = 200, between_seeds: float = 0.0) -> Scale:
    """Matches of players whose strengths are known, one seed as strong as the other or not."""
    rng = random.Random(3)
    own = {entrant(name, seed): elo + rng.gauss(0, between_seeds) for name, elo in TRUE.items() for seed in (1, 2, 3)}
    played = []
    for one in own:
        for two in own:
            if (one.kind, one.eighths) < (two.kind, two.eighths):
                chance = 1 / (1 + 10 ** ((own[two] - own[one]) / 400))
                wins = sum(rng.random() < chance for _ in range(games))
                played.append(Played("here", one, two, wins, 0, games - wins))
    return Scale("here", played)


def test_strengths_are_found() -> None:
    found = scale()
    for name, elo in TRUE.items():
        who = entrant(name, 1)
        estimate = found.elo(who.kind, who.eighths, who.source)
        assert abs(estimate.value - elo) < 40
        assert estimate.low <= estimate.value <= estimate.high


def test_carried_is_nothing_for_first_weights_and_all_for_the_target_s_own() -> None:
    found = scale()
    assert found.carried("untrained") == Estimate(0.0, 0.0, 0.0)
    assert found.carried("scratch", 8) == Estimate(1.0, 1.0, 1.0)
    half = found.carried("zero-shot", 0, "elsewhere")
    assert half.low < 0.5 < half.high
    control = found.carried("shuffled", 0, "elsewhere")
    assert control.low < 0 < control.high or abs(control.value) < 0.1


def test_seeds_that_differ_widen_the_interval() -> None:
    alike, apart = (scale(between_seeds=elo).elo("zero-shot", 0, "elsewhere") for elo in (0.0, 150.0))
    assert apart.high - apart.low > 2 * (alike.high - alike.low)


def test_the_score_counts_seeds_too() -> None:
    matches = [
        Played("here", Entrant("zero-shot", one, 0, "elsewhere"), Entrant("scratch", two, 8), *result)
        for one, result in ((1, (190, 0, 10)), (2, (100, 0, 100)), (3, (10, 0, 190)))
        for two in (1, 2, 3)
    ]
    found = Scale("here", matches).score(lambda e: e.kind == "zero-shot", lambda _: True)
    assert found.value == pytest.approx(0.5)
    assert found.high - found.low > 0.4


def test_estimates_lie_inside_their_intervals_where_nearly_all_games_are_won() -> None:
    """A chain of matches with hardly a loss; a bootstrap put +1959 outside of 1664 to 1930 here."""
    line = [("untrained", 0), *(("scratch", eighths) for eighths in (1, 2, 4, 8))]
    played = [
        Played("here", Entrant(two[0], seed, two[1]), Entrant(one[0], other, one[1]), 100 - lost, 0, lost)
        for step, (one, two) in enumerate(pairwise(line))
        for seed in (1, 2, 3)
        for other, lost in ((seed, 0), (seed % 3 + 1, step))
    ]
    found = Scale("here", played)
    for one in (*(found.elo("scratch", eighths) for eighths in (1, 2, 4, 8)), found.carried("scratch", 4)):
        assert one.low < one.value < one.high
    lost = Scale("here", [Played("here", Entrant("zero-shot", n), "uct:800", 0, 0, 20) for n in (1, 2, 3)])
    nothing = lost.score(lambda _: True, lambda _: True)
    assert (nothing.value, nothing.low) == (0.0, 0.0)
    assert 0.01 < nothing.high < 0.15


@pytest.mark.slow
def test_intervals_hold_the_truth() -> None:
    """About 95 of 100 intervals do; `python -m tools.interval_coverage` has more studies."""
    shares = coverage(WORLDS[1], 12)
    assert all(share >= 80 for share in shares.values())
    assert np.mean(list(shares.values())) >= 88


def test_nothing_played_is_no_number() -> None:
    assert np.isnan(scale().elo("tuned", 8, "elsewhere").value)
    assert str(scale().elo("tuned", 8, "elsewhere")) == "-"


@pytest.mark.parametrize("name", BLOCKS)
def test_tuned_pairs_are_pairs_of_the_block(name: str) -> None:
    block = BLOCKS[name]
    names = {variant.name for variant in block.variants}
    assert all(set(pair) <= names and pair[0] != pair[1] for pair in block.tuned)
    assert len(block.tuned) >= 6


def test_committed_networks_end_the_ladder() -> None:
    jobs = plan_block("evidence/hex")("small", 1, ["Hex 7x7", "Hex 9x9"]).jobs
    against = [job.params["anchored"] for job in jobs if job.params.get("against") == "net:zoo/hex-7x7,simulations=64"]
    assert {(one["kind"], one["eighths"]) for one in against} == {("scratch", 8), ("scratch", 16), ("tuned", 8)}
    variants = {v.name: v for block in BLOCKS.values() for v in block.variants}
    for name, network in blocks.STRONG.items():
        found, variant = zoo_network(network), variants[name]
        assert found.fingerprint == load(variant.game, options=variant.options).rules.fingerprint, name


def test_a_part_of_a_block() -> None:
    plan = plan_block("evidence/hex")("tiny", 1, ["Hex 4x4", "Hex 5x5"])
    assert {variant.name for variant in plan.variants} == {"Hex 4×4", "Hex 5×5"}
    with pytest.raises(LudoportError, match="no variant `Hex 6x6`"):
        plan_block("evidence/hex")("tiny", 1, ["Hex 6x6"])
    with pytest.raises(LudoportError, match="at least two variants"):
        plan_block("evidence/hex")("tiny", 1, ["Hex 4x4"])


@pytest.fixture
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """A block that takes seconds."""
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    small = (GameVariant("Hex 3×3", "Hex", ("Board Size/3x3",)), GameVariant("Tic-Tac-Toe", "Tic-Tac-Toe"))
    settings = {"games": 16, "simulations": 4, "positions": 32, "warmup": 32, "batch": 32, "replay": 1024}
    monkeypatch.setitem(blocks.BLOCKS, "evidence/hex", Block(small, (("Hex 3×3", "Tic-Tac-Toe"),), small))
    size = Size("tiny", 8, 1, 2, 4, ("random", blocks.REAL.replace("800", "2")), 2, settings, tiny=True)
    monkeypatch.setitem(blocks.SIZES, "tiny", size)


@pytest.mark.slow
def test_a_whole_block(tmp_path: Path, quick: None, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "study"
    with pytest.raises(SystemExit):
        main(["study", "evidence/hex", "--preset", "tiny", "--out", str(out), "--workers", "1", "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert (answer["done"], answer["failed"]) == (answer["total"], {})
    with pytest.raises(SystemExit):
        main(["report", str(out)])
    page = (out / "report" / "report.md").read_text()
    assert "carried, mapped at random" in page
    assert "**Undertrained**" in page
    assert {"curves-tic-tac-toe.svg", "curves-hex-3x3.svg", "heat.svg"} <= {
        path.name for path in (out / "report" / "figures").iterdir()
    }
    found = json.loads((out / "report" / "results.json").read_text())
    cell = next(cell for cell in found["cells"] if cell["target"] == "Tic-Tac-Toe")
    assert {"zero-shot score", "zero-shot carried", "tuned score, equal compute", "share of T needed"} <= set(cell)
    _travels(out, tmp_path, capsys)
    _repeats(out, page, tmp_path / "again")
    # The untrained network and the one that learned differ; a checkpoint is not the last network.
    first = load_network(out / "untrained" / "hex-3x3" / "1" / "network.safetensors").net
    run = out / "train" / "hex-3x3" / "1"
    half, last = (
        load_network(run / name).net for name in ("checkpoints/epoch_00008.safetensors", "network.safetensors")
    )
    weights = [net.state_dict()["stem.conv.weight"] for net in (first, half, last)]
    assert not (weights[0] == weights[1]).all()
    assert not (weights[1] == weights[2]).all()


def _travels(out: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Packed and unpacked elsewhere, nothing is left to do but what a network needs that stayed behind."""
    files = pack(out, tmp_path / "packed", most=150_000)
    assert len(files) > 1
    assert all(file.stat().st_size <= 150_000 + 20_480 for file in files[1:])
    there = tmp_path / "there"
    capsys.readouterr()
    again = ["study", "evidence/hex", "--preset", "tiny", "--out", str(there), "--workers", "1", "--json"]
    with pytest.raises(SystemExit):
        main([*again, "--unpack", str(tmp_path / "packed")])
    assert json.loads(capsys.readouterr().out)["failed"] == {}
    with Store(there, create=False) as new, Store(out, create=False) as old:
        done = {entry.job.id: entry.result for entry in new.entries()}
        assert done == {entry.job.id: entry.result for entry in old.entries()}
    with pytest.raises(LudoportError, match="already holds a study"):
        unpack(tmp_path / "packed", there)


def _repeats(out: Path, page: str, again: Path) -> None:
    """The command that the report prints makes the same numbers."""
    printed = next(line for line in page.splitlines() if line.startswith("    ludoport study "))
    with pytest.raises(SystemExit):
        main([*shlex.split(printed)[1:], "--out", str(again)])
    with Store(again, create=False) as new, Store(out, create=False) as old:
        games, before = ({e.job.id: e.result for e in s.entries() if e.job.kind == "evaluate"} for s in (new, old))
    assert games == before
    assert any("matches" in (result or {}) for result in games.values())
