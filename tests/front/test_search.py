"""``lp.search``: what players that search find out about a position."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.search.build import build_tree
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan
from tests.selfplay.conftest import SMALL


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module")
def near_win(game: lp.Game) -> lp.State:
    """White wins with C1; otherwise Black would win with C2."""
    state = game.start()
    for move in ("A1", "A2", "B1", "B2"):
        state = state.play(move)
    return state


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory, game: lp.Game) -> Path:
    folder = tmp_path_factory.mktemp("runs") / "ttt"
    lp.train(game, epochs=1, out=folder, device="cpu", **{**SMALL, "rating_simulations": 12})
    return folder


def playable(found: lp.SearchResult) -> None:
    state = found.state
    assert set(found.moves) == set(state.moves())
    for move in found.line:
        state = state.play(move)
    assert found.line[0] == found.best == found.moves[0]


@pytest.mark.parametrize("player", ["uct:300", "uct:300,solve=true", "minimax:4", "minimax:exact", lp.uct(300)])
def test_every_search_finds_the_win(near_win: lp.State, player: str | lp.Player) -> None:
    found = lp.search(near_win, player, seed=1)
    playable(found)
    assert str(found.best) == "C1"
    assert found.value == 1.0
    assert [str(move) for move in found.line] == ["C1"]


def test_visits_of_uct(game: lp.Game) -> None:
    found = lp.search(game.start(), "uct:200", seed=3)
    playable(found)
    assert found.visits is not None
    assert found.visits.sum() == found.simulations == 200
    assert found.visits[0] == found.visits.max()
    assert np.all((found.values >= -1) & (found.values <= 1))
    assert found.priors is None
    assert len(found.line) > 2
    assert lp.search(game.start(), "uct:200", seed=3).line == found.line


@pytest.mark.slow
def test_alpha_beta_knows_its_best_move_only(game: lp.Game) -> None:
    found = lp.search(game.start(), "minimax:exact")
    playable(found)
    assert (found.visits, found.value, bool(found.proved[0])) == (None, 0.0, True)
    assert np.isnan(found.values[1:]).all()
    last = game.start()
    for move in found.line:
        last = last.play(move)
    assert (last.over, last.winner) == (True, 0)
    assert repr(found).splitlines()[2].split() == [str(found.best), "drawn"]


@pytest.mark.slow
@pytest.mark.parametrize("more", ["", ",gumbel=false,simulations=20"])
def test_network(near_win: lp.State, run: Path, more: str) -> None:
    found = lp.search(near_win, f"net:{run}{more}", seed=1)
    playable(found)
    assert found.visits is not None
    assert found.visits.sum() == found.simulations > 0
    assert found.priors is not None
    assert found.priors.sum() == pytest.approx(1.0, abs=1e-4)
    assert str(found.best) == "C1"


@pytest.mark.slow
def test_settings_of_a_run(run: Path, game: lp.Game, tmp_path: Path) -> None:
    player = lp.player(f"net:{run}")
    assert isinstance(player, NetworkPlayer)
    assert (player.spec, player.settings.simulations, player.settings.gumbel) == (f"net:{run}", 12, True)
    assert player.sampled == 8
    more = lp.player(f"net:{run},simulations=30")
    assert more.spec == f"net:{run},simulations=30"
    assert player.identity != more.identity
    assert lp.player(f"net:{run / 'network.safetensors'},simulations=12,gumbel=true,sampled=8").identity == (
        player.identity
    )
    carried = lp.transfer(run, game, tmp_path / "carried")
    assert lp.network(carried.parent).settings == player.settings  # type: ignore[attr-defined]
    assert lp.match(player, "random", game, games=2, workers=1).record.games == 2


@pytest.mark.slow
def test_folder_that_does_not_say_how_to_search(run: Path, tmp_path: Path) -> None:
    from ludoport.nets.files import load_network, save_network

    saved = load_network(run / "network.safetensors")
    save_network(tmp_path / "network.safetensors", saved.net, saved.header.origin)
    player = lp.player(f"net:{tmp_path}")
    assert isinstance(player, NetworkPlayer)
    assert (player.settings.simulations, player.settings.gumbel, player.sampled) == (64, True, 8)
    with pytest.raises(lp.LudoportError, match=r"no network here \(missing network\.safetensors\)"):
        lp.player(f"net:{run.parent}")


def test_tree(tmp_path: Path, game: lp.Game, near_win: lp.State) -> None:
    build_tree(game, BuildPlan(about_game(game), 300, 4000, seed=5), 1, tmp_path / "a.tree")
    known = lp.search(game.start(), f"tree:{tmp_path / 'a.tree'}")
    playable(known)
    assert known.visits is not None
    assert known.visits.sum() == 300
    unknown = lp.search(near_win.play("A3"), f"tree:{tmp_path / 'a.tree'},least=100000")
    playable(unknown)


def test_result_is_frozen_and_readable(game: lp.Game) -> None:
    found = lp.search(game.start(), "uct:100")
    assert found.visits is not None
    with pytest.raises(ValueError, match="read-only"):
        found.visits[0] = 3
    with pytest.raises(AttributeError):
        found.line = ()  # type: ignore[misc]
    lines = repr(found).splitlines()
    assert lines[0] == "Tic-Tac-Toe, ply 0, White to move: uct:100, 100 simulations"
    assert lines[1].split() == ["move", "visits", "value"]
    assert lines[2].split()[0] == str(found.best)
    assert lines[-1].startswith("  line: ")
    answer = found.as_json()
    assert answer["moves"][0]["move"] == found.best.text
    assert answer["line"] == [move.text for move in found.line]


def test_what_cannot_search_is_refused(game: lp.Game, near_win: lp.State) -> None:
    with pytest.raises(lp.LudoportError, match="player random does not search; `uct:1000` does"):
        lp.search(game.start(), "random")
    with pytest.raises(lp.LudoportError, match="the game is over"):
        lp.search(near_win.play("C1"))
    with pytest.raises(lp.LudoportError, match=r"search needs a position, as `game\.start\(\)` gives it"):
        lp.search(game)  # type: ignore[arg-type]
