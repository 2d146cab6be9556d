"""Live views: in a terminal, in a notebook, and nowhere else."""

from __future__ import annotations

import io
import os
import pty
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest
from rich.table import Table

import ludoport as lp
from ludoport.progress import as_html, bar, live, place

MATCH = """
import ludoport as lp
print(repr(lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), games=3, workers=1{more})))
"""


def in_a_terminal(code: str) -> str:
    """Output of a program whose standard error is a terminal."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "100", "PYTHONIOENCODING": "utf-8"}
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=theirs, env=environment)
    os.close(theirs)
    seen = b""
    try:
        while part := os.read(ours, 4096):
            seen += part
    except OSError:  # the other end was closed
        pass
    os.close(ours)
    assert process.wait() == 0, seen.decode()
    return seen.decode()


@pytest.mark.slow
def test_match_in_a_terminal() -> None:
    shown = in_a_terminal(MATCH.format(more=""))
    assert "3/3" in shown
    assert in_a_terminal(MATCH.format(more=", progress=False")) == ""


def test_match_elsewhere_is_quiet(capfd: pytest.CaptureFixture[str]) -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    lp.match("random", "random", game, games=2, workers=1)
    assert capfd.readouterr().err == ""
    lp.match("random", "random", game, games=2, workers=1, progress=True)
    assert "2/2" in capfd.readouterr().err


@pytest.fixture
def notebook(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """A notebook that keeps what it was shown."""
    seen: list[str] = []

    class Handle:
        def update(self, html: str) -> None:
            seen.append(html)

    def display(html: str, display_id: bool) -> Handle:
        seen.append(html)
        return Handle()

    module, views = ModuleType("IPython"), ModuleType("IPython.display")
    module.get_ipython = lambda: SimpleNamespace(kernel=object())  # type: ignore[attr-defined]
    views.HTML, views.display = str, display  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    monkeypatch.setitem(sys.modules, "IPython.display", views)
    monkeypatch.setattr("ludoport.progress.REST", 0.0)
    return seen


def test_match_in_a_notebook(notebook: list[str]) -> None:
    assert place() == "notebook"
    lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), games=2, workers=1)
    assert "2/2" in notebook[-2]
    assert notebook[-1] == ""


def test_last_picture_is_kept_where_wanted(notebook: list[str]) -> None:
    with live(keep=True) as show:
        show("one & two")
    assert "one &amp; two" in notebook[-1]


def test_tables_in_html() -> None:
    table = Table("a", "b")
    table.add_row("1", "<2>")
    assert "&lt;2&gt;" in as_html(table)


def test_quiet_without_a_terminal(tmp_path: Path) -> None:
    stream = io.StringIO()
    with live(stream=stream) as show:
        show("nothing")
    assert stream.getvalue() == ""
    with live(True, stream=stream, keep=True) as show:
        show("something")
    assert "something" in stream.getvalue()


def test_bar() -> None:
    assert [bar(done, 4, 4) for done in (0, 1, 4, 9)] == ["░░░░", "█░░░", "████", "████"]
    assert bar(0, 0, 2) == "██"
