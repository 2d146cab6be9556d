"""Hostile game files: numbers, nesting, sizes. Each ends in a sentence and exit code 1, within limits."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.budget import limited, spend
from ludoport.errors import LudoportError
from ludoport.gdl import load_rules
from ludoport.limited import Limited, OverLimit
from ludoport.lud import read_text
from ludoport.ludemic import LudemicRules

from .texts import GAMES, HUGE, PUZZLES, SHEETS


def compile_text(text: str) -> LudemicRules:
    rules = LudemicRules(read_text(text, "text.lud"))
    _ = rules.source
    return rules


@pytest.mark.parametrize(("text", "sentence"), GAMES.values(), ids=GAMES)
def test_game_files(text: str, sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence) as error:
        compile_text(text)
    assert len(str(error.value)) < 1000


@pytest.mark.parametrize("pairs", PUZZLES)
def test_values_of_puzzles(pairs: str) -> None:
    text = (
        '(game "P" (players 1) (equipment {(board (square 3) (values Cell (range 1 9)))}) '
        f"(rules (start (set {{{pairs}}})) (play (satisfy (all Different))) (end (if (is Solved) (result P1 Win)))))"
    )
    with pytest.raises(LudoportError, match=r"text.lud:1:\d+: (a value of a puzzle|`\{.*\}` is not on the board)"):
        compile_text(text)


@pytest.mark.slow
@pytest.mark.parametrize(("text", "sentence"), SHEETS.values(), ids=SHEETS)
def test_rulesheets(text: str, sentence: str) -> None:
    def play() -> None:
        state = lp.Game(load_rules(text, engine="interpreter"), jit=False).start()
        for _ in range(1000):
            state = state.play(state.moves()[0])

    with pytest.raises(LudoportError, match=sentence) as error:
        play()
    assert len(str(error.value)) < 1000


def test_terms_that_grow_have_no_network() -> None:
    rules = load_rules(SHEETS["terms that grow from ply to ply"][0])
    assert rules.engine == "interpreter"
    assert "nest deeper" in rules.why or "nested deeper" in rules.why


@pytest.mark.parametrize("goal", ["²", "٣", "9" * 5000, "99999999999"])
def test_goals_that_are_no_numbers(goal: str) -> None:
    text = (
        f"(role a) (init (p 1)) (legal a go) (<= (next (p 2)) (true (p 1))) (<= terminal (true (p 2))) (goal a {goal})"
    )
    for engine in ("network", "compiled", "interpreter"):
        state = lp.Game(load_rules(text, engine=engine), jit=False).start()  # type: ignore[arg-type]
        state = state.play(state.moves()[0])
        assert state.over
        assert list(state.utilities) == [0.0]


@pytest.mark.parametrize("engine", ["network", "compiled", "interpreter"])
def test_goals_beyond_100(engine: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """Searches rely on utilities from -1 to 1."""
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    text = (
        "(role a) (role b) (init (p 0)) (legal a go) (legal a stay) (legal b go) (legal b stay) "
        "(<= (next (p 1)) (true (p 0))) (<= terminal (true (p 1))) (goal a 0) (goal b 1000)"
    )
    state = lp.Game(load_rules(text, engine=engine), jit=False).start()
    assert str(lp.search(state, "minimax:2").best) in ("go", "stay")
    while not state.over:
        state = state.play(state.moves()[0])
    assert list(state.utilities) == [-1.0, 1.0]


@pytest.mark.slow
def test_large_numbers_are_kept() -> None:
    """Rows have 16 bits, unless a text writes a number that needs more."""
    text = (
        '(game "G" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)}) '
        "(rules (start (set Score P1 40000)) (play (move Add (to (sites Empty)) (then (addScore Mover 40000)))) "
        "(end (if (>= (score P1) 120000) (result P1 Win)))))"
    )
    for jit in (False, True):
        game = lp.Game(compile_text(text), jit=jit)
        state = game.start()
        for _ in range(3):
            state = state.play(state.moves()[0])
        assert state.over
        assert list(state.utilities) == [1.0, -1.0]


def test_a_budget_ends_what_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoport.budget.time.thread_time", lambda: 1e9)

    def work() -> None:
        with limited("game.lud"):
            while True:
                spend()

    with pytest.raises(LudoportError, match=r"game.lud: compiling takes more than 90 s; make the board"):
        work()
    spend()  # nothing is limited outside


def sleep(seconds: float) -> float:
    time.sleep(seconds)
    return seconds


def work_for(seconds: float) -> float:
    while time.process_time() < seconds:
        pass
    return seconds


def allocate(size: int) -> int:
    return len(bytearray(size))


def end(code: int) -> None:
    os._exit(code)


def crash(number: int) -> None:
    os.kill(os.getpid(), number)


@pytest.mark.slow
def test_limits_of_a_process() -> None:
    with Limited(sleep, seconds=0.2, patience=5) as call:
        assert call(0.4) == 0.4, "a process that waits for its turn has used no time"
        with pytest.raises(OverLimit, match=r"takes more than 0\.2 s"):
            call(100.0)
        assert call(0.01) == 0.01, "another process takes over"
        assert call(1.5, 5.0) == 1.5, "a call may have more time than the others"
    with Limited(work_for, seconds=0.5, patience=1000) as call, pytest.raises(OverLimit, match=r"more than 0\.5 s"):
        call(100.0)
    with Limited(allocate, memory=200_000_000) as call_:
        assert call_(1000) == 1000
        with pytest.raises(OverLimit, match=r"needs more than 0.2 GB of memory"):
            call_(10**9)
        assert call_(1000) == 1000
    with Limited(crash) as crashing, pytest.raises(OverLimit, match="SIGSEGV"):
        crashing(11)
    with Limited(end) as ending, pytest.raises(OverLimit, match="exit code 3"):
        ending(3)
    with Limited(int) as wrong, pytest.raises(LudoportError, match="internal error, ValueError"):
        wrong("x")


@pytest.mark.slow
@pytest.mark.parametrize(("suffix", "text", "code"), HUGE.values(), ids=HUGE)
def test_check_answers_within_its_limits(tmp_path: Path, suffix: str, text: str, code: int) -> None:
    """Up to 1 MB of anything: 0 compiles, 1 cannot, and never more than 2 GB."""
    path = tmp_path / f"text{suffix}"
    path.write_text(text)
    assert path.stat().st_size <= 1_000_000
    program = f"import sys; from ludoport.cli import main; main(['check', {str(path)!r}])"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=600, check=False)
    assert done.returncode in (code, 1), done.stdout + done.stderr  # a slow machine may run out of time
    assert "Traceback" not in done.stderr
    assert "internal error" not in done.stdout + done.stderr
    assert len(done.stdout + done.stderr) < 1000
    assert resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss < 2_000_000


@pytest.mark.slow
def test_exit_codes_of_check(tmp_path: Path) -> None:
    from ludoport.cli import main

    good, wrong = tmp_path / "good.lud", tmp_path / "wrong.lud"
    good.write_text('(game "G" (players 2))')
    wrong.write_text("(game")
    codes = []
    for arguments in ([good], [good, wrong], [tmp_path / "none.lud"], [tmp_path / "none"]):
        with pytest.raises(SystemExit) as stop:
            main(["check", *map(str, arguments)])
        codes.append(stop.value.code)
    assert codes == [0, 1, 2, 2]


@pytest.mark.slow
@pytest.mark.parametrize("text", ["(" * 999_000, "{" * 999_000, "(a " * 300_000, '(define "A" {}) ' * 50_000])
def test_a_megabyte_on_one_line_is_read_in_one_go(text: str) -> None:
    """Quadratic time would take minutes."""
    begin = time.thread_time()
    with pytest.raises(LudoportError):
        read_text(text, "text.lud")
    assert time.thread_time() - begin < 15
