"""Lines and records from other programs: every one is answered, in time that grows with its length."""

from __future__ import annotations

import io
import sys
import time
from contextlib import suppress

import pytest

from ludoport.bridges.gtp import GtpEngine, GtpSettings
from ludoport.bridges.records.convert import read
from ludoport.bridges.thinking import lines_of_input
from ludoport.bridges.uci import UciEngine, UciSettings, limits
from ludoport.errors import LudoportError

HUGE = "9" * 5000
UCI = [
    f"setoption name Seed value {HUGE}",
    "setoption name Seed value -5",
    "setoption name Seed value ²",
    "setoption",
    "position",
    "position fen",
    f"position fen {HUGE}",
    "position startpos moves",
    "position startpos moves \ufffd",
    f"go movetime {HUGE}",
    "go wtime -5 btime ² movestogo 0",
    "go nodes -3",
    "go nodes",
]
GTP = [
    "boardsize",
    "boardsize 99999999999",
    f"boardsize {HUGE}",
    "komi nan",
    "time_settings 1",
    "time_settings nan 1 1",
    "time_settings 1e999 0 0",
    "time_left black inf 1",
    "time_left black 5 -99999999999999999999",
    "time_left purple 5 5",
    "play",
    "play black",
    "play \ufffd A1",
    "genmove",
    "genmove \ufffd",
    "known_command",
    f"{HUGE}",
    "undo",
]


@pytest.fixture(autouse=True)
def plain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")


def test_uci() -> None:
    said: list[str] = []
    engine = UciEngine(UciSettings("gardner", "random"), said.append)
    engine.run([*UCI, "isready"])
    assert said[-1] == "readyok"
    assert sum(line.startswith("info string error") for line in said) >= 7
    assert limits(["nodes", HUGE], 1).simulations == int("9" * 15)


def test_gtp() -> None:
    said: list[str] = []
    engine = GtpEngine(GtpSettings("Tic-Tac-Toe", (), "random", 0.01), said.append)
    engine.run([*GTP, "7 name"])
    assert said[-1] == "=7 Ludoport\n\n"
    assert sum(line.startswith("?") for line in said) >= 14
    assert engine.clock.share("black") <= 10_000_000


def test_bytes_that_are_no_text(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"play \xff A1\n\xc3\nname\n"), encoding="utf-8"))
    assert [line.rstrip() for line in lines_of_input()] == ["play \ufffd A1", "\ufffd", "name"]


@pytest.mark.parametrize(
    "text",
    [
        "# Ludoport game record\n__class__: x\n\nA1\n",
        "# Ludoport game record\n__dict__: x\ngame: /dev/zero\n\nA1\n",
        "(;GM[²]SZ[3])",
        f"(;GM[11]SZ[{HUGE}])",
        "(;GM[11]SZ[x:-4])",
        "(;GM[11]SZ[]RE[];B[a1])",
        "(;GM[4]SZ[15];B[a])",
        '[FEN "x"]\n\n1. e4\n',
        '[Variant "../../etc/passwd"]\n\n1. e4\n',
    ],
)
def test_records(text: str) -> None:
    with pytest.raises(LudoportError) as error:
        [record.line() for record in read(text)]
    assert len(str(error.value)) < 2000


@pytest.mark.parametrize("part", ["{", "(", "a", "a[", "[", "\n{", "1", "\n", ";", "(;", "\\"])
@pytest.mark.parametrize("head", ["1. ", "(;GM[11]SZ[3]", "# Ludoport game record\ngame: x\n\n"])
def test_long_texts_are_read_in_one_go(head: str, part: str) -> None:
    """300,000 characters; what takes the square of that would take minutes."""
    begin = time.thread_time()
    with suppress(LudoportError):
        read(head + part * (300_000 // len(part)))
    assert time.thread_time() - begin < 15
