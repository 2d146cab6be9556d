"""Elo of several players."""

from __future__ import annotations

import math

import pytest

from ludoport.arena.rating import rate
from ludoport.arena.statistics import Elo, WinLoss, elo_of_score


@pytest.mark.parametrize(("wins", "losses"), [(60, 40), (10, 0), (0, 10), (1, 0), (5, 1), (7500, 2500)])
def test_rating_against_one_opponent_is_the_estimate_of_a_match(wins: int, losses: int) -> None:
    rated, match = rate(2, [(1, 0, wins, losses)])[1], WinLoss(wins=wins, losses=losses).elo_estimate()
    assert rated.value == pytest.approx(match.value, abs=0.2)
    assert rated.low == pytest.approx(match.low, abs=0.2)
    assert rated.high == pytest.approx(match.high, abs=0.2)
    assert str(rated) == str(match)


def test_ratings_add_up_over_a_chain() -> None:
    _, near, far = rate(3, [(1, 0, 6000, 4000), (2, 1, 6000, 4000)])
    assert far.value == pytest.approx(2 * elo_of_score(0.6), abs=0.5)
    assert far.high - far.low > near.high - near.low


def test_what_no_game_bounds_is_infinite() -> None:
    anchor, winner, equal, loser, other = rate(5, [(1, 0, 10, 0), (2, 1, 5, 5), (3, 0, 0, 10)])
    assert anchor == Elo(0.0, 0.0, 0.0)
    assert winner.value == winner.high == math.inf
    assert winner.low == pytest.approx(WinLoss(wins=10).elo_estimate().low, abs=0.2)
    assert equal.value == equal.high == math.inf
    assert equal.low < winner.low
    assert loser.value == loser.low == -math.inf
    assert math.isnan(other.value)
    assert [elo.short for elo in (winner, loser, other)] == ["> +166", "< -166", "unknown"]
    assert str(winner) == "above +166 (95 % bound)"


def test_only_some_players() -> None:
    results = [(1, 0, 6.0, 4.0), (2, 1, 3.0, 7.0)]
    assert rate(3, results, only=[2]) == rate(3, results)[2:]


@pytest.mark.parametrize("wins", [0, 3, 10])
def test_elo_survives_json(wins: int) -> None:
    elo = WinLoss(wins=wins, losses=10 - wins).elo_estimate()
    again = Elo.from_json(elo.as_json())
    assert again is not None
    assert str(again) == str(elo)
    assert Elo.from_json({"elo": None}) is None
