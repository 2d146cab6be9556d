"""The notebooks in ``examples``: executed, small, and their cells run, at tiny size."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import matplotlib as mpl
import pytest

from tools.notebooks import FOLDER, notebooks, page, read, source

TINY = (
    (r"\bepochs=\d+, positions=1024", "epochs=1, positions=16, warmup=8, games=4, simulations=2, rating_simulations=2"),
    (
        r'"epochs": \d+, "positions": 1024',
        '"epochs": 1, "positions": 16, "warmup": 8, "games": 4, "simulations": 2, "rating_simulations": 2',
    ),
    (r"\bgames=\d+, workers", "games=2, workers"),
    (r"\bgames=10, simulations=50", "games=1, simulations=2"),
    (r'"Tic-Tac-Toe", 128', '"Tic-Tac-Toe", 4'),
    (r"STEPS = \d+", "STEPS = 1"),
    (r"uct:\d+", "uct:2"),
    (r"lp\.zoo\(large\)", "lp.zoo(large, simulations=2)"),
    (r'"warmup": 1000', '"warmup": 1000, "simulations": 2, "rating_simulations": 2'),
)
"""Long tasks in notebooks, with short ones to run in their place."""


def code(path: Path) -> list[dict[str, Any]]:
    """The cells with code."""
    return [cell for cell in read(path)["cells"] if cell["cell_type"] == "code"]


def tiny(text: str) -> str:
    """The same work, much less of it."""
    for long, short in TINY:
        text = re.sub(long, short, text)
    return text


def test_there_are_four() -> None:
    assert len(notebooks()) == 4


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_they_were_executed(path: Path) -> None:
    cells = code(path)
    assert [cell["execution_count"] for cell in cells] == list(range(1, len(cells) + 1))
    assert any(cell["outputs"] for cell in cells)
    assert path.stat().st_size < 150_000
    text = path.read_text(encoding="utf-8")
    assert '"error"' not in text
    assert not re.search(r"/(?:tmp|home|root|work)/", text)


@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_pages_have_code_and_outputs(path: Path) -> None:
    text = page(path)
    assert text.startswith("# ")
    assert "```python\n" in text
    assert "```text\n" in text or "<img" in text


@pytest.mark.slow
@pytest.mark.parametrize("path", notebooks(), ids=lambda path: path.stem)
def test_cells_run(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One after another, in the folder of the notebook; the last line of a cell is shown, as a notebook does it."""
    monkeypatch.chdir(FOLDER)
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    mpl.use("Agg")
    scope: dict[str, object] = {"__name__": "notebook"}
    for number, cell in enumerate(code(path), 1):
        tree = ast.parse(tiny(source(cell)), f"{path.name}, cell {number}")
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"{path.name}, cell {number}", "exec"), scope)
        if last is not None:
            shown = eval(compile(ast.Expression(last.value), f"{path.name}, cell {number}", "eval"), scope)
            assert isinstance(repr(shown), str)
