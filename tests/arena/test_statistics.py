"""Statistics agree with published numbers, with exact sums and with another implementation."""

from __future__ import annotations

import math
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.arena.sprt import Sprt
from ludoport.arena.statistics import (
    WinLoss,
    binomial_at_least,
    binomial_two_sided,
    elo_of_score,
    score_of_elo,
    wilson,
)
from ludoport.errors import LudoportError

THESIS = WinLoss(wins=474, draws=169, losses=357)
"""1000 games of a transferred search tree against one made from nothing; its p was published as 0.0000279."""


def test_the_published_number_is_one_sided() -> None:
    assert f"{THESIS.p_better:.7f}" == "0.0000279"
    assert THESIS.p_different == pytest.approx(2 * THESIS.p_better)
    assert THESIS.score == pytest.approx(0.5585)


@given(st.integers(0, 60), st.integers(0, 60))
def test_binomial_is_the_exact_sum(wins: int, losses: int) -> None:
    n = wins + losses
    exact = Fraction(sum(math.comb(n, k) for k in range(wins, n + 1)), 2**n)
    assert binomial_at_least(wins, n) == pytest.approx(float(exact), rel=1e-12)
    extreme = [k for k in range(n + 1) if abs(2 * k - n) >= abs(wins - losses)]
    both = Fraction(sum(math.comb(n, k) for k in extreme), 2**n)
    assert binomial_two_sided(wins, n) == pytest.approx(float(both), rel=1e-12)


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 1500), st.integers(0, 1500))
def test_binomial_and_wilson_agree_with_scipy(wins: int, losses: int) -> None:
    stats = pytest.importorskip("scipy.stats")
    if wins + losses == 0:
        return
    record = WinLoss(wins=wins, losses=losses)
    test = stats.binomtest(wins, wins + losses)
    assert record.p_different == pytest.approx(test.pvalue, rel=1e-9, abs=1e-280)
    greater = stats.binomtest(wins, wins + losses, alternative="greater").pvalue
    assert record.p_better == pytest.approx(greater, rel=1e-9, abs=1e-14)
    interval = test.proportion_ci(method="wilson")
    assert record.interval() == pytest.approx((interval.low, interval.high), abs=1e-12)


def test_intervals() -> None:
    assert wilson(0, 0) == (0.0, 1.0)
    assert wilson(0, 10) == pytest.approx((0.0, 0.2775), abs=1e-4)
    assert wilson(10, 10) == pytest.approx((0.7225, 1.0), abs=1e-4)
    low, high = WinLoss(draws=10).interval()
    assert (low, high) == wilson(5, 10)
    narrow, wide = (wilson(5, 10, confidence) for confidence in (0.5, 0.99))
    assert wide[0] < low < narrow[0] < 0.5 < narrow[1] < high < wide[1]


def test_elo() -> None:
    assert elo_of_score(10 / 11) == pytest.approx(400)
    assert WinLoss(wins=3).elo == math.inf
    assert WinLoss(losses=3).elo == -math.inf
    assert WinLoss(draws=3).elo == 0
    assert math.isnan(WinLoss().score)
    for elo in (-321.5, 0.0, 17.0):
        assert elo_of_score(score_of_elo(elo)) == pytest.approx(elo)
    estimate = THESIS.elo_estimate()
    low, high = estimate.low, estimate.high
    assert low < THESIS.elo < high
    assert score_of_elo(low) == pytest.approx(THESIS.interval()[0])


def test_bad_numbers() -> None:
    with pytest.raises(LudoportError, match="negative"):
        WinLoss(wins=-1)
    with pytest.raises(LudoportError, match="impossible"):
        binomial_at_least(3, 2)
    with pytest.raises(LudoportError, match="confidence"):
        wilson(1, 2, 1.0)


@pytest.mark.parametrize("record", [THESIS, WinLoss(60, 30, 40), WinLoss(5, 500, 9), WinLoss(12, 0, 3)])
@pytest.mark.parametrize("elos", [(0.0, 20.0), (-5.0, 0.0), (30.0, 80.0)])
def test_sprt_finds_the_most_likely_chances(record: WinLoss, elos: tuple[float, float]) -> None:
    """Compare with a search over all chances of win, draw and loss that have the right score."""
    optimize = pytest.importorskip("scipy.optimize")
    counts = [max(n, 1e-3) for n in (record.wins, record.draws, record.losses)]

    def log_likelihood(score: float) -> float:
        def minus(draw: float) -> float:
            chances = (score - draw / 2, draw, 1 - score - draw / 2)
            return -sum(n * math.log(p) for n, p in zip(counts, chances, strict=True))

        most = 2 * min(score, 1 - score)
        return -float(optimize.minimize_scalar(minus, bounds=(1e-12, most - 1e-12), options={"xatol": 1e-13}).fun)

    expected = log_likelihood(score_of_elo(elos[1])) - log_likelihood(score_of_elo(elos[0]))
    assert Sprt(*elos).llr(record) == pytest.approx(expected, abs=1e-4)


def test_sprt_verdicts() -> None:
    test = Sprt(0, 20)
    assert test.bounds == pytest.approx((-2.9444, 2.9444), abs=1e-4)
    assert test.llr(WinLoss()) == 0
    assert test.verdict(WinLoss(1, 1, 1)) == "running"
    assert test.verdict(THESIS) == "accepted"
    assert test.verdict(WinLoss(THESIS.losses, THESIS.draws, THESIS.wins)) == "rejected"
    mirrored = Sprt(-20, 0).llr(WinLoss(THESIS.losses, THESIS.draws, THESIS.wins))
    assert mirrored == pytest.approx(-test.llr(THESIS))
    with pytest.raises(LudoportError, match="smaller"):
        Sprt(10, 10)
    with pytest.raises(LudoportError, match="alpha"):
        Sprt(0, 10, alpha=0)
