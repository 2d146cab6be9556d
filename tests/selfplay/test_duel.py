"""Duels: two networks play all games at once, as strong as one after another."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

import ludoport as lp
from ludoport.arena.match import match
from ludoport.arena.playing import Pairing, pairing
from ludoport.arena.storage import MatchStore
from ludoport.errors import LudoportError
from ludoport.game import State
from ludoport.nets.build import build_network
from ludoport.nets.files import load_network, save_network
from ludoport.nets.guide import origin_of
from ludoport.nets.registry import preset as network_preset
from ludoport.search.puct import PuctSettings, Searches
from ludoport.selfplay.duel import duel
from ludoport.selfplay.duel_board import Contestant, CpuBoard, DuelRules
from ludoport.selfplay.rating import RunPlayer
from ludoport.tensors.layout import LayoutName, tensor_layout
from tests.search.brute import TWICE


def fresh(game: lp.Game, seed: int, layout: LayoutName = "compact", network: str = "tiny") -> Contestant:
    """A network that knows nothing."""
    shape = tensor_layout(game, layout)
    net = build_network(network_preset(network, shape.shape[0], shape.move_shape[0]), seed=seed).eval()
    return Contestant(f"fresh {seed}", net, shape)


@pytest.fixture(scope="module")
def weak(hex3: lp.Game, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The file of a network that knows nothing."""
    side = fresh(hex3, 11)
    file = tmp_path_factory.mktemp("networks") / "weak.safetensors"
    save_network(file, side.net, origin_of(hex3, side.layout, ("Board Size/3x3",)))
    return file


def games_of(file: Path) -> list[tuple[str, ...]]:
    """The moves of all games of a store, one match after another."""
    with MatchStore(file) as store:
        return [played.moves for record in store.matches() for played in store.games(record["id"])]


@pytest.mark.slow
def test_without_draws_games_are_those_of_a_match(hex3: lp.Game, whole: Path, weak: Path, tmp_path: Path) -> None:
    strong = whole / "network.safetensors"
    duel(hex3, strong, weak, games=2, simulations=12, sampled=0, store=tmp_path / "duel.sqlite")
    a, b = (RunPlayer(str(file), PuctSettings(simulations=12)) for file in (strong, weak))
    match(a, b, hex3, 2, workers=1, store=tmp_path / "match.sqlite")
    assert games_of(tmp_path / "duel.sqlite") == games_of(tmp_path / "match.sqlite")


@pytest.mark.slow
@pytest.mark.parametrize("gumbel", [False, True])
def test_as_strong_as_in_a_match(hex3: lp.Game, whole: Path, weak: Path, gumbel: bool) -> None:
    strong = whole / "network.safetensors"
    settings = PuctSettings(simulations=4, gumbel=gumbel)
    found = duel(hex3, strong, weak, games=200, simulations=4, sampled=3, settings=settings).record
    a, b = (RunPlayer(str(file), settings, sampled=3) for file in (strong, weak))
    other = match(a, b, hex3, 40, workers=1).record
    spread = math.sqrt(found.score * (1 - found.score) / 200 + other.score * (1 - other.score) / 40)
    assert abs(found.score - other.score) < 4 * spread
    assert found.score > 0.6


@pytest.mark.slow
def test_seats_and_seeds(hex3: lp.Game, weak: Path, tmp_path: Path) -> None:
    saved = load_network(weak)
    one, two, other = (
        duel(hex3, saved, weak, games=20, simulations=4, seed=seed, store=tmp_path / f"{name}.sqlite")
        for name, seed in (("one", 5), ("two", 5), ("other", 6))
    )
    assert (one.first.games, one.second.games) == (10, 10)
    assert games_of(tmp_path / "one.sqlite") == games_of(tmp_path / "two.sqlite")
    assert one.record == two.record
    assert games_of(tmp_path / "one.sqlite") != games_of(tmp_path / "other.sqlite")
    assert other.record.games == 20
    # The same network on both sides, which think long enough to see that beginning wins.
    best = duel(hex3, weak, weak, games=2, simulations=400, sampled=0)
    assert (best.first.wins, best.second.wins) == (1, 0)


@pytest.mark.slow
def test_goes_on_where_it_stopped(hex3: lp.Game, whole: Path, weak: Path, tmp_path: Path) -> None:
    strong, file = whole / "network.safetensors", tmp_path / "games.sqlite"
    seen: list[int] = []
    options: dict[str, Any] = {"simulations": 4, "store": file, "at_once": 8}
    duel(hex3, strong, weak, games=8, **options)
    result = duel(hex3, strong, weak, games=20, **options, progress=lambda now: seen.append(now.record.games))
    assert seen == [16, 20]
    assert result.complete
    assert len(games_of(file)) == 20


class Watched(CpuBoard):
    """Notes who was asked about which positions."""

    def watch(self, pairs: list[Pairing]) -> list[tuple[int, int, str]]:
        """Play; returns for every root that was searched: the side that judged it, its person, and who begins."""
        asked: list[tuple[int, int, str]] = []
        for side, guide in enumerate(list(self.guides)):

            def judge(searches: Searches, side: int = side, guide: Any = guide) -> tuple[NDArray[Any], NDArray[Any]]:
                for g in np.flatnonzero(searches.active):
                    asked.append((side, State(self.game, searches.roots[g].copy()).seat, pairs[g].first))
                answer: tuple[NDArray[Any], NDArray[Any]] = guide(searches)
                return answer

            self.guides[side] = judge  # type: ignore[call-overload]
        self.begin([pairs])
        while self.move(0) + self.move(1):
            pass
        return asked


def test_everybody_moves_for_themselves(tmp_path: Path) -> None:
    """Different layouts and networks, and a game in which somebody moves twice."""
    file = tmp_path / "Twice.lud"
    file.write_text(TWICE)
    game = lp.load(file, jit=False)
    rules = DuelRules(PuctSettings(simulations=3), 4, "polygames", 1.0, 100)
    board = Watched(game, (fresh(game, 1), fresh(game, 2, "paper", "conv-conv-pool")), rules, 4)
    asked = board.watch([pairing(3, k) for k in range(4)])
    assert {side for side, _, _ in asked} == {0, 1}
    for side, person, first in asked:
        assert (side == 0) == ((person == 1) == (first == "a"))
    rows, moves = board.ended()
    assert all(State(game, row).over for row in rows)
    assert {len(of_game) for of_game in moves} <= set(range(5, 10))


@pytest.mark.slow
def test_long_games_are_drawn(hex3: lp.Game, weak: Path) -> None:
    result = duel(hex3, weak, weak, games=6, simulations=2, limit=3)
    assert result.record.draws == result.unfinished == 6
    assert result.moves == 18


def test_refused(hex3: lp.Game, weak: Path) -> None:
    with pytest.raises(LudoportError, match="the number of games must be at least 1, not 0"):
        duel(hex3, weak, weak, games=0)
    with pytest.raises(LudoportError, match="a duel is played on cpu or cuda, not on tpu"):
        duel(hex3, weak, weak, device="tpu")
    knights = lp.load("Breakthrough", options=["Board Size/6x6"], jit=False)
    with pytest.raises(LudoportError, match="whose channels have other meanings"):
        duel(knights, weak, weak)
