"""Every variant that Ludoport is measured on plays exactly like the recorded reference.

Each variant is one test, so that its game is loaded and compiled once. Compiling takes longer than counting a few
thousand positions in plain Python, so only one variant of each game is machine code, which `check_game` compares with
plain Python, and those with many positions.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.games import bundled
from ludoport.verify import perft, trace
from ludoport.verify.reference import read_counts
from ludoport.verify.report import FileComparison
from ludoport.verify.variants import BUNDLED, Variant, read_variants
from tests.conftest import DATA

VARIANTS = read_variants(BUNDLED)
WORTH_COMPILING = 8_000
"""Positions to count from which machine code is faster, compiling included."""


def _positions(variant: Variant) -> int:
    return sum(read_counts(DATA / "perft" / f"{variant.id}.json").perft[:-1])


def _rank(variant: Variant) -> tuple[bool, int]:
    """Default options last, after few positions to count."""
    return not variant.options, _positions(variant)


CHECKED = {variant.game: variant.id for variant in sorted(VARIANTS.values(), key=_rank)}
"""The variant of each game whose machine code is compared with plain Python."""


@pytest.mark.slow
@pytest.mark.parametrize("name", VARIANTS)
def test_variant_agrees(name: str, data: Path) -> None:
    variant = VARIANTS[name]
    check = CHECKED[variant.game] == name
    jit = check or _positions(variant) > WORTH_COMPILING
    game = lp.load(variant.game, options=list(variant.options), jit=jit)
    counted, replayed = FileComparison(name), FileComparison(name)
    perft.compare_file(game, data / "perft" / f"{name}.json", counted)
    trace.compare_file(game, data / "traces" / f"{name}.jsonl.gz", replayed)
    for result in (counted, replayed):
        assert result.agrees, f"{result.line()}\n{result.first or ''}"
        assert result.checks > 0
    if check:
        check_game(game, playouts=2)


def test_every_bundled_game_is_checked() -> None:
    assert set(CHECKED) == set(bundled())
