"""Readings of the texts of games by a network for many games."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.analysis.inside import believe, distances, placed, rule_vector, token_effects
from ludoport.cli import main
from ludoport.descriptions.game import describe
from ludoport.nets.universal.config import UniversalConfig
from ludoport.nets.universal.files import save_universal
from ludoport.nets.universal.network import UniversalNet
from tests.nets.universal.making import lively

CONFIG = UniversalConfig(blocks=2, width=8, pool_every=2)


@pytest.fixture(autouse=True, scope="module")
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def games() -> list[lp.Game]:
    three = ["Board Size/3x3"]
    misere = [*three, "End Rules/Misere"]
    return [lp.load("Tic-Tac-Toe", jit=False), *(lp.load("Hex", options=o, jit=False) for o in (three, misere))]


@pytest.fixture(scope="module")
def net(games: list[lp.Game]) -> UniversalNet:
    return lively(CONFIG, *(describe(game) for game in games))


def test_beliefs(net: UniversalNet, games: list[lp.Game]) -> None:
    belief = believe(net, games[0], against="random", games=20)
    assert 0 < belief.first < 1
    assert belief.played is not None
    assert 0.3 < belief.played.value < 0.9  # the first player of Tic-Tac-Toe wins most random games
    assert believe(net, games[1]).first != believe(net, games[2]).first


def test_tokens_that_matter(net: UniversalNet, games: list[lp.Game]) -> None:
    effects = token_effects(net, games[1], positions=8)
    assert effects == sorted(effects, key=lambda effect: (-effect.value - effect.policy, effect.token))
    assert {effect.part for effect in effects} == {"state", "move", "rule"}
    assert effects[0].value + effects[0].policy > 0
    known = {effect.token for effect in effects}
    assert "enemy region +0" in known
    assert "end boolean:is Line" not in known  # of another game
    silent = next(effect for effect in effects if effect.token == "enemy to-move")
    assert silent.policy == pytest.approx(0, abs=1e-6)  # a plane that is always 0 says nothing


def test_distances(net: UniversalNet, games: list[lp.Game]) -> None:
    told = [describe(game) for game in games]
    apart = distances([rule_vector(net, game) for game in (*told, told[0])])
    assert apart[0, 3] == 0
    assert apart[1, 2] > 0
    assert np.allclose(apart, apart.T)


def test_points_of_a_plane_keep_their_distances() -> None:
    points = np.array([[0.0, 0.0], [3.0, 0.0], [0.0, 1.0], [2.0, 2.0]])
    apart = np.linalg.norm(points[:, None] - points[None], axis=2)
    found = placed(apart)
    assert np.allclose(np.linalg.norm(found[:, None] - found[None], axis=2), apart)


@pytest.mark.slow
def test_the_command(
    net: UniversalNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("matplotlib")
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    save_universal(tmp_path / "network.safetensors", net, ["Tic-Tac-Toe", "Hex; Board Size/3x3"])
    with pytest.raises(SystemExit):
        main(["inside", str(tmp_path), "--tokens", "2", "--picture", str(tmp_path / "map.svg"), "--json"])
    answer = json.loads(capsys.readouterr().out)
    assert [game["game"] for game in answer["games"]] == ["Tic-Tac-Toe", "Hex 3x3"]
    assert all(len(game["tokens"]) == 2 for game in answer["games"])
    assert (tmp_path / "map.svg").stat().st_size > 1000


@pytest.mark.slow
def test_a_list_that_is_kept(
    net: UniversalNet, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A second run asks only about games that the file lacks, and games that cannot be loaded do not stop it."""
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    save_universal(tmp_path / "network.safetensors", net, ["Tic-Tac-Toe"])
    (tmp_path / "games").mkdir()
    (tmp_path / "games" / "Broken.lud").write_text("(game")
    kept = tmp_path / "kept.jsonl"

    def run(games: str) -> dict[str, Any]:
        with pytest.raises(SystemExit):
            main(["inside", str(tmp_path), "--games", games, "--keep", str(kept), "--tokens", "1", "--json"])
        answer: dict[str, Any] = json.loads(capsys.readouterr().out)
        return answer

    first = run("Tic-Tac-Toe")
    line = kept.read_text()
    kept.write_text(line + line[:50])  # cut short
    second = run("Tic-Tac-Toe, Hex; Board Size/3x3")
    assert second["games"][0] == first["games"][0]
    assert np.shape(second["distances"]) == (2, 2)
    assert kept.read_text().startswith(line)
    assert len(kept.read_text().splitlines()) == 3
    broken = run(str(tmp_path / "games"))
    assert "Broken.lud" in broken["games"][0]["error"]
    assert broken["distances"] == []
