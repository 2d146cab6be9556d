"""The study of what transfer is worth: its scale, its intervals, and a whole block at work."""

from __future__ import annotations

import json
import random
from pathlib import Path

import numpy as np
import pytest

from ludoport.cli import main
from ludoport.errors import LudoportError
from ludoport.nets.files import load_network
from ludoport.studies.engine.plan import Variant
from ludoport.studies.evidence import blocks
from ludoport.studies.evidence.blocks import BLOCKS, Block, Size
from ludoport.studies.evidence.model import Estimate, Played, Scale
from ludoport.studies.evidence.plan import Entrant, plan_block

SEEDS = 3
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
    return Scale("here", played, SEEDS)


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
    found = Scale("here", matches, SEEDS).score(lambda e: e.kind == "zero-shot", lambda _: True)
    assert found.value == pytest.approx(0.5)
    assert found.high - found.low > 0.4


def test_nothing_played_is_no_number() -> None:
    assert np.isnan(scale().elo("tuned", 8, "elsewhere").value)
    assert str(scale().elo("tuned", 8, "elsewhere")) == "-"


@pytest.mark.parametrize("name", BLOCKS)
def test_tuned_pairs_are_pairs_of_the_block(name: str) -> None:
    block = BLOCKS[name]
    names = {variant.name for variant in block.variants}
    assert all(set(pair) <= names and pair[0] != pair[1] for pair in block.tuned)
    assert len(block.tuned) >= 6


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
    small = (Variant("Hex 3×3", "Hex", ("Board Size/3x3",)), Variant("Tic-Tac-Toe", "Tic-Tac-Toe"))
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
    assert (out / "report" / "figures" / "curves-tic-tac-toe.svg").is_file()
    found = json.loads((out / "report" / "results.json").read_text())
    cell = next(cell for cell in found["cells"] if cell["target"] == "Tic-Tac-Toe")
    assert {"zero-shot score", "zero-shot carried", "tuned score, equal compute", "share of T needed"} <= set(cell)
    # The untrained network and the one that learned differ; a checkpoint is not the last network.
    first = load_network(out / "untrained" / "hex-3x3" / "1" / "network.safetensors").net
    run = out / "train" / "hex-3x3" / "1"
    half, last = (
        load_network(run / name).net for name in ("checkpoints/epoch_00008.safetensors", "network.safetensors")
    )
    weights = [net.state_dict()["stem.conv.weight"] for net in (first, half, last)]
    assert not (weights[0] == weights[1]).all()
    assert not (weights[1] == weights[2]).all()
