"""Signals that wait: Ctrl-C at the moments at which it used to be lost, while LLVM calls back into Python."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from ludoport.signals import deferred

PRESSED_IN = """
import os, signal, sys
signal.signal(signal.SIGINT, signal.default_int_handler)
from numba.core.codegen import CPUCodeLibrary
usual = CPUCodeLibrary.{hook}.__func__

def pressed(cls, *arguments):
    os.kill(os.getpid(), signal.SIGINT)
    return usual(cls, *arguments)

if {press}:
    CPUCodeLibrary.{hook} = classmethod(pressed)
from ludoport.cli import main
main(["perft", "Tic-Tac-Toe", "--depth", "2"])
"""


def run(cache: Path, hook: str, press: bool) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-c", PRESSED_IN.format(hook=hook, press=press)],
        env={**os.environ, "LUDOPORT_CACHE": str(cache), "LUDOPORT_JIT": "1"},
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


@pytest.mark.slow
def test_interrupted_while_llvm_assembles_and_while_code_is_loaded(tmp_path: Path) -> None:
    stopped = run(tmp_path, "_object_compiled_hook", press=True)
    assert (stopped.returncode, stopped.stderr) == (130, "ludoport: interrupted\n")
    assert run(tmp_path, "_object_compiled_hook", press=False).returncode == 0
    stopped = run(tmp_path, "_object_getbuffer_hook", press=True)
    assert (stopped.returncode, stopped.stderr) == (130, "ludoport: interrupted\n")


def test_held_until_the_end() -> None:
    reached = []

    def held() -> None:
        with deferred():
            os.kill(os.getpid(), signal.SIGINT)
            reached.append("the end of the block")
        reached.append("what follows it")

    with pytest.raises(KeyboardInterrupt):
        held()
    assert reached == ["the end of the block"]
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_nothing_happens_in_other_threads() -> None:
    def look() -> None:
        with deferred():
            seen.append(signal.getsignal(signal.SIGINT))

    seen: list[object] = []
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [signal.default_int_handler]


def test_sigterm_waits_for_its_own_handler() -> None:
    heard: list[int] = []
    before = signal.signal(signal.SIGTERM, lambda number, _: heard.append(number))
    try:
        with deferred():
            os.kill(os.getpid(), signal.SIGTERM)
            assert not heard
        assert heard == [signal.SIGTERM]
    finally:
        signal.signal(signal.SIGTERM, before)
