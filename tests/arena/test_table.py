"""Matches of three and more players."""

from __future__ import annotations

from collections import Counter
from itertools import permutations
from pathlib import Path

import pytest
from typer.testing import CliRunner

import ludoport as lp
from ludoport.arena.players import player
from ludoport.arena.playing import Seated
from ludoport.arena.table import TableTally, seating
from ludoport.cli import app
from ludoport.errors import LudoportError
from ludoport.search.uct import search

GAMES = Path(__file__).parent.parent / "search/games"


@pytest.fixture(scope="module")
def three() -> lp.Game:
    return lp.load(GAMES / "three.lud", jit=False)


@pytest.mark.parametrize("players", [3, 4])
def test_all_seatings_come_in_turn(players: int) -> None:
    every = sorted(permutations(range(players)))
    rounds = [[seating(1, k + len(every) * r, players) for k in range(len(every))] for r in (0, 1)]
    for games in rounds:
        assert sorted(game.players for game in games) == every
        assert len({game.start_seed for game in games}) == 1
        assert len({game.seed for game in games}) == len(every)
    assert rounds[0][0].start_seed != rounds[1][0].start_seed
    # Among the first games, as many as there are players, each player has every seat once.
    first = Counter((seat, who) for game in rounds[0][:players] for seat, who in enumerate(game.players))
    assert len(first) == players * players


@pytest.mark.slow
def test_scores_of_every_player(three: lp.Game) -> None:
    result = lp.match("uct:40", "random", three, 18, others=["random"], workers=1)
    strong, *others = result.scores
    assert sum(score.points for score in result.scores) == pytest.approx(18)
    assert strong.share > 0.6
    assert strong.interval()[0] > 1 / 3
    assert all(score.share < 0.35 for score in others)
    assert sum(strong.by_seat) == pytest.approx(strong.points)
    assert result.complete
    said = str(result)
    assert "1. uct:40: " in said
    assert "6 seatings in turn; equal players get 33.3 % each" in said
    assert [one["player"] for one in result.as_json()["players"]] == ["uct:40", "random", "random"]
    again = lp.match("uct:40", "random", three, 18, others=["random"], workers=1)
    assert again.scores == result.scores


def test_points_are_shared(three: lp.Game) -> None:
    tally = TableTally("Three", [player("random")] * 3, 3, 1, 100, mirrored=False)
    for number, utilities in enumerate([(1.0, -1.0, -1.0), (0.5, 0.5, -1.0), (0.0, 0.0, 0.0)]):
        tally.add(Seated(seating(1, number, 3), utilities, number < 2, ("0",), 0.1))
    result = tally.result()
    assert [score.points for score in result.scores] == pytest.approx([1 + 1 / 2 + 1 / 3, 1 / 2 + 1 / 3, 1 / 3])
    assert [score.wins for score in result.scores] == [1, 0, 0]
    # Player 0 had the seats 0, 2 and 1.
    assert result.scores[0].by_seat == pytest.approx((1, 1 / 3, 1 / 2))
    assert result.unfinished == 1


@pytest.mark.slow
def test_other_processes_play_the_same(three: lp.Game) -> None:
    here, there = (
        lp.match("random", "random", three, 6, others=["random"], workers=workers).scores for workers in (1, 2)
    )
    assert here == there


def test_every_seat_needs_a_player(three: lp.Game) -> None:
    with pytest.raises(LudoportError, match=r"Three has 3 players, and 2 were given; name the others too \(`others`\)"):
        lp.match("random", "random", three, 6)
    noughts = lp.load("Tic-Tac-Toe", jit=False)
    with pytest.raises(LudoportError, match="Tic-Tac-Toe has 2 players, and 3 were given"):
        lp.match("random", "random", noughts, 6, others=["random"])
    with pytest.raises(LudoportError, match="only matches of two players are stored and tested"):
        lp.match("random", "random", three, 6, others=["random"], store="x.db")  # type: ignore[call-overload]


def test_uct_has_a_value_for_each_player() -> None:
    """Player 2 gets the same in all cases: players 1 and 3 each have values of their own."""
    game = lp.load(GAMES / "favour.lud", jit=False)
    found = search(game.start(), simulations=200)
    values = {move.text: value for move, value in zip(found.moves, found.values, strict=True)}
    # The first square leaves players 1 and 2 to share what player 3 has left, which is half of it.
    assert values["0"] == pytest.approx(0.5)
    assert values["1"] == values["2"] == pytest.approx(1)


def test_training_says_that_it_is_for_two(three: lp.Game, tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="training is for games of two players; Three has 3"):
        lp.train(three, out=tmp_path / "run", epochs=1)


@pytest.mark.slow
def test_command(tmp_path: Path) -> None:
    call = ["match", "random", "random", "random", "--game", str(GAMES / "three.lud"), "--games", "6", "--workers", "1"]
    done = CliRunner().invoke(app, call)
    assert "6 seatings in turn" in done.stdout
    refused = CliRunner().invoke(app, [*call, "--out", str(tmp_path / "x.db")])
    assert refused.exit_code != 0
