"""The page about a library."""

from __future__ import annotations

from ludoport.verify.coverage import coverage
from ludoport.verify.report import Disagreement, Result


def test_page_counts_and_names_what_is_missing() -> None:
    missing = "cannot load: a/b c.lud:3:4: the ludeme `sow` (moves) is not implemented yet"
    results = [
        Result("a", trials=3, agreeing_trials=3, checks=30, agreeing=30),
        Result("b", trials=3, checks=30, agreeing=10, first=Disagreement("trial 1", "mover", "1", "2")),
        Result("c", failure=missing),
        Result("d", failure=missing.replace(":3:4", ":7:1")),
    ]
    page = coverage({"variants": [result.record() for result in results]})
    assert "| agree at every ply | 1 |" in page
    assert "| 2 | `sow` (moves) |" in page
    assert "Of 60 plies replayed in the games that load, 40 agree." in page
    assert "Games that differ: b." in page
