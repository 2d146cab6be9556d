"""The page of claims about transfer is what its program writes from the committed results."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.studies.evidence.model import Estimate
from ludoport.studies.report.html import to_html
from tools import transfer_page
from tools.transfer_page import FAILS, HOLDS, OPEN, Block, decided, mean, page, parts, read_blocks


def test_the_page_is_of_today(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(Path(transfer_page.__file__).parent.parent)
    assert transfer_page.PAGE.read_text(encoding="utf-8") == page(read_blocks())
    html = transfer_page.PAGE.with_suffix(".html").read_text(encoding="utf-8")
    assert html == to_html(parts(read_blocks()), transfer_page.RESULTS)
    assert html.count('src="data:image/') == html.count("<img ") >= 5


def cell(source: str, target: str, **measures: tuple[float, float, float]) -> dict[str, object]:
    names = {"score": "zero-shot score", "carried": "zero-shot carried", "shuffled": "random mapping carried"}
    found = {names[name]: dict(zip(("value", "low", "high"), value, strict=True)) for name, value in measures.items()}
    return {"source": source, "target": target, "undertrained": False, **found}


def test_verdicts_follow_intervals() -> None:
    assert [decided(Estimate(0.6, low, 0.9), 0.5) for low in (0.55, 0.45)] == [HOLDS, OPEN]
    assert decided(Estimate(0.2, 0.1, 0.4), 0.5) == FAILS
    assert mean([Estimate(0.2, 0.1, 0.3), Estimate(0.4, 0.3, 0.5)]).value == pytest.approx(0.3)


def test_zeros_that_hide_something() -> None:
    hidden = cell("Hex 9×9", "Hex 7×7", score=(0.02, 0.0, 0.05), carried=(0.7, 0.6, 0.8), shuffled=(0.0, -0.1, 0.1))
    empty = cell("Hex 9×9", "Hex 7×7", score=(0.0, 0.0, 0.01), carried=(0.0, -0.1, 0.1), shuffled=(0.0, -0.1, 0.1))
    assert transfer_page.zeros([Block("x", {"cells": [hidden]})]).verdict == HOLDS
    assert transfer_page.zeros([Block("x", {"cells": [empty]})]).verdict == FAILS
    weak = {**hidden, "undertrained": True}
    assert transfer_page.zeros([Block("x", {"cells": [weak]})]).verdict == OPEN
    assert transfer_page.sized([Block("x", {"cells": [hidden]})], larger=False).verdict == HOLDS
    assert transfer_page.sized([Block("x", {"cells": [hidden]})], larger=True).verdict == OPEN
