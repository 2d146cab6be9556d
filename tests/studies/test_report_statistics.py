from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoport.errors import LudoportError
from ludoport.studies.report.statistics import (
    difference_two_sided,
    expected_by_chance,
    holm,
    points_two_sided,
    spearman,
)

probabilities = st.floats(0, 1)


def heads(games: int, wins: int) -> float:
    return math.comb(games, wins) / 2**games


@given(st.integers(1, 60), st.data())
@pytest.mark.slow
def test_the_test_of_whole_points_is_the_binomial_test(games: int, data: st.DataObject) -> None:
    wins = data.draw(st.integers(0, games))
    distance = abs(wins - games / 2)
    exact = sum(heads(games, k) for k in range(games + 1) if abs(k - games / 2) >= distance)
    assert points_two_sided(wins, games) == pytest.approx(min(1.0, exact))


def test_half_a_point_never_makes_a_result_more_significant() -> None:
    for halves in range(201):
        points = halves / 2
        nearer = round(points + (0.25 if points < 50 else -0.25) * (halves % 2))
        assert points_two_sided(points, 100) == pytest.approx(points_two_sided(nearer, 100))


@pytest.mark.parametrize("games", [1, 5, 6, 20, 61, 300])
def test_chance_is_the_size_of_the_test(games: int) -> None:
    size = sum(heads(games, k) for k in range(games + 1) if points_two_sided(k, games) <= 0.05)
    assert expected_by_chance(games) == pytest.approx(size)
    assert size <= 0.05


@given(st.lists(probabilities, max_size=30))
def test_holm_keeps_the_order_and_never_lowers(values: list[float]) -> None:
    corrected = holm(values)
    assert all(p <= q <= 1 for p, q in zip(values, corrected, strict=True))
    assert [q for _, q in sorted(zip(values, corrected, strict=True))] == sorted(corrected)
    if values:
        assert min(corrected) == pytest.approx(min(1.0, len(values) * min(values)))


@pytest.mark.slow
@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20)), min_size=2, max_size=30))
def test_rank_correlation_depends_on_ranks_only(pairs: list[tuple[int, int]]) -> None:
    first, second = [float(a) for a, _ in pairs], [float(b) for _, b in pairs]
    value = spearman(first, second)
    if math.isnan(value):
        assert len(set(first)) == 1 or len(set(second)) == 1
        return
    assert -1.000001 <= value <= 1.000001
    assert spearman([x**3 + 5 for x in first], second) == pytest.approx(value)
    assert spearman(first, [-y for y in second]) == pytest.approx(-value)


def test_rank_correlation_with_ties() -> None:
    # By hand: ranks 1, 2.5, 2.5, 4 and 1, 2, 3, 4.
    assert spearman([1, 2, 2, 9], [1, 2, 3, 4]) == pytest.approx(4.5 / math.sqrt(4.5 * 5))
    assert math.isnan(spearman([1], [2]))
    with pytest.raises(LudoportError, match="needs pairs"):
        spearman([1, 2], [1])


def test_difference_of_two_scores() -> None:
    assert difference_two_sided(50, 100, 50, 100) == pytest.approx(1)
    assert difference_two_sided(0, 300, 300, 300) < 1e-100
    one, other = difference_two_sided(60, 100, 45, 100), difference_two_sided(45, 100, 60, 100)
    assert one == pytest.approx(other) == pytest.approx(0.0337, abs=1e-4)
