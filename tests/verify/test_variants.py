"""Every variant that Ludoport is measured on plays exactly like the recorded reference.

Each variant is one test, so that its game is loaded and compiled once.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.verify import perft, trace
from ludoport.verify.report import Result
from ludoport.verify.variants import BUNDLED, read_variants

VARIANTS = read_variants(BUNDLED)


@pytest.mark.parametrize("name", VARIANTS)
def test_variant_agrees(name: str, data: Path) -> None:
    game = lp.load(VARIANTS[name].game, options=list(VARIANTS[name].options))
    counted, replayed = Result(name), Result(name)
    perft.compare_file(game, data / "perft" / f"{name}.json", counted)
    trace.compare_file(game, data / "traces" / f"{name}.jsonl.gz", replayed)
    for result in (counted, replayed):
        assert result.agrees, f"{result.line()}\n{result.first or ''}"
        assert result.checks > 0
