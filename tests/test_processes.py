"""Processes that do tasks for a caller."""

from __future__ import annotations

import signal
import time
from concurrent.futures import Future

import pytest

from ludoport.processes import pool


def test_ctrl_c_is_for_the_caller() -> None:
    with pool(1, b"") as submit:
        assert signal.SIGINT in submit(signal.pthread_sigmask, signal.SIG_BLOCK, []).result()
    assert signal.SIGINT not in signal.pthread_sigmask(signal.SIG_BLOCK, [])


def test_an_interrupted_caller_does_not_wait() -> None:
    tasks: list[Future[None]] = []

    def interrupted() -> None:
        with pool(1, b"") as submit:
            assert submit(abs, -1).result() == 1
            tasks.append(submit(time.sleep, 3600))
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert tasks[0].done()
