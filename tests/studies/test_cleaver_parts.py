"""Sizes of the study of chess and Chessplus, its part about networks, and its pictures of pieces."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from xml.etree import ElementTree

import pytest

from ludoport.chess import chess_rules, named_rules
from ludoport.drawing.glyphs import CHESS
from ludoport.drawing.symbols import PREFIX
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.search.build import Cluster
from ludoport.search.graph_files import read_header
from ludoport.studies.cleaver.diagrams import game_svg
from ludoport.studies.cleaver.networks import MATCHES, network_blocks, network_results
from ludoport.studies.cleaver.report import CleaverContent, _made
from ludoport.studies.cleaver.size import PRESETS, THESIS, CleaverSize, NetworkSize, preset_of, size_of
from ludoport.studies.cleaver.study import ROOM_BYTES, TUNING_BYTES, Study
from ludoport.studies.report.blocks import CommandLine, to_markdown


class Short(Study):
    """Games of few moves, so that random games are short."""

    def _load(self, number: int) -> Game:
        return Game(chess_rules("gardner", chessplus=bool(number), ply_cap=6), jit=False)


def test_a_report_names_the_whole_command() -> None:
    results = {
        "machine": {"python": "3.11", "processors": 2}, "size": asdict(THESIS), "board": "gardner", "seed": 3,
        "version": "1", "draw": 0.5, "exploration": 1.4, "times": {},
    }  # fmt: skip
    command = "ludoport study chessplus --board gardner --preset thesis --seed 3"
    assert CommandLine(f"{command} --out FOLDER") in list(_made(CleaverContent(results, {})))
    learned = {"networks": {"size": asdict(NetworkSize(7)), "matches": {}}}
    assert CommandLine(f"{command} --network-epochs 7 --out FOLDER") in list(
        _made(CleaverContent(results | learned, {}))
    )


def test_sizes_have_names() -> None:
    assert size_of("thesis") is THESIS
    tenfold = size_of("10x")
    assert (tenfold.simulations, tenfold.nodes, tenfold.workers) == (100_000, 40_000, 30)
    assert tenfold.discounts == ()
    assert preset_of(asdict(tenfold)) == "10x"
    assert [preset_of(asdict(size)) for size in PRESETS.values()] == list(PRESETS)
    assert preset_of({**asdict(THESIS), "games": 3}) == "..."
    for name in ("0x", "x", "2000x", "huge"):
        with pytest.raises(LudoportError, match=f"unknown preset `{name}`"):
            size_of(name)


def test_only_as_many_workers_tune_at_a_time_as_memory_holds(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    study = Short(tmp_path / "a", CleaverSize(5, 5, 3, 400, 3000, 2, 3), on=Cluster(threads=3), tell=said.append)
    study.prepare()
    study.build("target", 1)
    edges = int(read_header(study.path("target"))["edges"])
    assert study._fitting(study.path("target")).threads == 3
    assert not said or "instead" not in said[-1]
    monkeypatch.setattr("ludoport.studies.cleaver.study.free_memory", lambda: TUNING_BYTES * edges + ROOM_BYTES * 5)
    assert study._fitting(study.path("target")).threads == 2
    assert "2 workers at a time instead of 3" in said[-1]


@pytest.mark.slow
def test_networks_learn_are_carried_over_and_play(tmp_path: Path) -> None:
    study = Short(tmp_path / "a", CleaverSize(5, 5, 1, 400, 3000, 2, 3), workers=1)
    study.prepare()
    settings = {"games": 2, "simulations": 2, "considered": 2, "positions": 12, "warmup": 4, "batch": 4, "ply_limit": 8}
    results = network_results(study, NetworkSize(2, 2, 2, settings))
    assert list(results["matches"]) == [f"{a}-{b}" for a, b in MATCHES]
    assert all(sum(match["record"].values()) == 2 for match in results["matches"].values())
    again = network_results(study, NetworkSize(2, 2, 2, settings))
    assert again == results, "what is finished is not done again"
    text = to_markdown(network_blocks(results))
    assert text.count("\n| trained on chess, transferred |") == 2
    with pytest.raises(LudoportError, match="epochs of networks must be at least 1"):
        NetworkSize(0)


def test_every_kind_of_piece_has_a_shape() -> None:
    rules = named_rules("gardner-chessplus")
    assert rules is not None
    picture = game_svg(rules.variant, [rules.variant.start, "rnbqk/ppppp/5/P1PPP/R(NP)BQK b - - 1 1"], ["b&b1"])
    uses = [node.get("href") or "" for node in ElementTree.fromstring(picture).iter("{http://www.w3.org/2000/svg}use")]
    assert {f"#{PREFIX}{symbol}" for symbol in CHESS.values()} <= set(uses)
    assert sum(use.startswith(("#w", "#b")) and use != "#board" for use in uses) == 40, "a merged piece has two shapes"
