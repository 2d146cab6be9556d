"""A small share of `python -m tools.torture`: hostile inputs of every format, and what once broke something."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ludoport as lp
from tools.torture.bounds import CHECKED
from tools.torture.commands import COMMANDS
from tools.torture.faults import two_at_once
from tools.torture.formats import FORMATS as FILES
from tools.torture.fuzz import fuzz, make_input, try_input
from tools.torture.grammar import FREE, HOSTS, game_in
from tools.torture.kept import FORMATS as KEPT
from tools.torture.kills import kill
from tools.torture.talk import FORMATS as TALK

FORMATS = {**FILES, **KEPT, **TALK}
CORPUS = Path(__file__).parent / "corpus"


@pytest.mark.slow
@pytest.mark.parametrize("name", FORMATS)
def test_hostile_inputs(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    count = {"lud": 25, "kif": 60, "network": 40, "onnx": 10}.get(name, 12 if name in TALK else 120)
    assert list(map(str, fuzz(FORMATS[name], 1_000_000, count))) == []


def test_inputs_are_the_same_for_the_same_seed() -> None:
    assert [make_input(FORMATS["fen"], k) for k in range(50)] == [make_input(FORMATS["fen"], k) for k in range(50)]
    assert len({make_input(FORMATS["fen"], k) for k in range(50)}) > 40


@pytest.mark.parametrize("host", HOSTS)
def test_games_around_ludemes_compile(host: str, tmp_path: Path) -> None:
    """Otherwise every ludeme that is tried in one of them is refused for another reason."""
    play = "(remove 0)" if host == "no players" else f"(or (forEach Piece) {FREE})"
    (tmp_path / "made.lud").write_text(game_in(host, play))
    assert not lp.load(tmp_path / "made.lud", jit=False).start().over


@pytest.mark.parametrize("path", sorted(CORPUS.glob("*/*")), ids=lambda path: f"{path.parent.name}-{path.name}")
def test_what_once_broke(path: Path) -> None:
    assert try_input(FORMATS[path.parent.name], path.read_bytes()) == ""


def test_a_finding_is_found() -> None:
    def broken(data: bytes, folder: Path) -> object:
        del folder
        return data[10**9]

    format = FORMATS["fen"]
    assert "IndexError" in try_input(type(format)("broken", format.samples, broken), b"x")


@pytest.mark.slow
@pytest.mark.parametrize("name", COMMANDS)
def test_kills_and_two_processes_at_once(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Both compare with one undisturbed run."""
    if name != "tree":  # the others do so little that every process would rather load machine code than use it
        monkeypatch.setenv("LUDOPORT_JIT", "0")
    assert list(kill(name, seed=1, most=2)) == []
    assert list(two_at_once(name, seed=1)) == []


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CHECKED.keys() - {"compiled"}))
def test_games_with_every_index_checked(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.torture.bounds.SECONDS", 0.03)
    assert list(map(str, fuzz(CHECKED[name], 1_000_000, 4))) == []


@pytest.mark.slow
def test_machine_code_with_every_index_checked() -> None:
    """In a process of its own: code that is compiled already has no checks."""
    words = ["-m", "tools.torture", "fuzz", "compiled", "--seed", "1000000", "--count", "4"]
    done = subprocess.run([sys.executable, *words], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done.stdout
    assert "0 findings" in done.stdout
