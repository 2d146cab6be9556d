"""Reports for people who design games."""

import math
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.analysis.games import points_of, random_game
from ludoport.analysis.numbers import mean_of, share_of

SUICIDE = """(game "Last" (players 2)
    (equipment {(board (square 1)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))"""


@pytest.fixture(scope="module")
def report() -> lp.Analysis:
    return lp.analyse(lp.load("Tic-Tac-Toe", jit=False), games=4, simulations=30, seed=5)


def test_numbers_agree_with_games(report: lp.Analysis) -> None:
    assert report.random.games == 80
    assert sum(seat.value for seat in report.random.seats) == pytest.approx(1)
    assert 5 <= report.random.length.value <= 9
    # Nine moves at first, one fewer at every ply.
    assert 4.9 < report.random.choices.value < 7.1
    assert report.random.seats[0].low > 0.5
    assert report.uct is not None
    assert report.uct.player == "uct:30"
    assert report.skill is not None
    assert report.skill.record.games == 4
    assert (report.skill.weaker, report.skill.stronger) == (30, 120)


def test_the_centre_is_the_best_first_move(report: lp.Analysis) -> None:
    assert report.first[0].label == "B2"
    assert report.heat[4] == 1.0
    assert sum(move.share for move in report.first) == pytest.approx(1)
    assert report.picture.count('class="heat"') == 9


def test_the_same_seed_gives_the_same_report(report: lp.Analysis) -> None:
    again = lp.analyse(lp.load("Tic-Tac-Toe", jit=False), games=4, simulations=30, seed=5)
    assert {**again.as_json(), "seconds": 0} == {**report.as_json(), "seconds": 0}


def test_texts(report: lp.Analysis) -> None:
    text = repr(report)
    assert "random seed 5" in text
    assert "uct:120 against uct:30" in text
    assert "legal moves" in text
    assert "<svg" in report._repr_html_()
    assert report.page().startswith("<!doctype html>")


def test_a_game_that_the_first_player_always_wins(tmp_path: Path) -> None:
    path = tmp_path / "last.lud"
    path.write_text(SUICIDE)
    report = lp.analyse(lp.load(path, jit=False), games=4, simulations=5)
    assert report.random.seats[0].value == 1
    assert report.random.length.value == 1
    assert any(sentence.startswith("White has the advantage") for sentence in report.findings)
    assert report.skill is not None
    assert report.skill.score.value == 0.5


def test_long_games_are_stopped() -> None:
    sample = random_game(lp.load("Tic-Tac-Toe", jit=False), 1, limit=3)
    assert (sample.plies, sample.finished, sample.points) == (3, False, (0.5, 0.5))


def test_points_are_shared() -> None:
    assert points_of(lp.load("three-in-a-row-for-three.kif", jit=False).start()) == (1 / 3, 1 / 3, 1 / 3)


def test_time_is_kept() -> None:
    report = lp.analyse(lp.load("Tic-Tac-Toe", jit=False), 0.4)
    assert report.seconds < 5
    assert report.random.games > 0


def test_three_players_have_no_test_of_skill() -> None:
    report = lp.analyse(lp.load("three-in-a-row-for-three.kif", jit=False), games=1, simulations=5)
    assert len(report.random.seats) == 3
    assert report.skill is None
    assert report.uct is not None
    assert report.uct.leads is None


def test_estimates() -> None:
    assert math.isnan(mean_of([2]).low)
    assert mean_of([2]).as_json() == {"value": 2, "low": None, "high": None, "count": 1}
    assert share_of(0, 10).low == 0


@pytest.mark.parametrize("wrong", [{"seconds": 0}, {"games": 0}, {"simulations": -1}, {"limit": 0}])
def test_bad_numbers(wrong: dict[str, int]) -> None:
    with pytest.raises(lp.LudoportError, match="must be"):
        lp.analyse("Tic-Tac-Toe", **wrong)  # type: ignore[arg-type]
