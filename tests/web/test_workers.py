"""Functions in processes of their own: limits, errors, and stopping."""

from __future__ import annotations

import asyncio
import itertools
import time
from collections.abc import Callable
from contextlib import aclosing
from typing import Any

import pytest

from ludoport.errors import LudoportError
from ludoport.limited import OverLimit
from ludoport.web.positions import GameSpec, open_game
from ludoport.web.workers import CallLimits, TextError, WebWorker

resource = pytest.importorskip("resource", reason="this system has no limits")


def asked(limits: CallLimits, function: Callable[..., Any], *arguments: Any) -> tuple[Any, bool]:
    """Answer of a worker, and whether it lives on."""

    async def ask() -> tuple[Any, bool]:
        worker = WebWorker(limits)
        try:
            return await worker.call(function, *arguments), worker.alive
        except LudoportError as error:
            return error, worker.alive
        finally:
            worker.kill()

    return asyncio.run(ask())


def test_memory_is_limited() -> None:
    found, alive = asked(CallLimits(seconds=120.0, memory=200_000_000), bytearray, 2_000_000_000)
    assert isinstance(found, OverLimit)
    assert "memory" in str(found)
    assert alive, "only the call failed"


@pytest.mark.slow
def test_cpu_time_is_limited() -> None:
    found, alive = asked(CallLimits(seconds=120.0, cpu=1.0), pow, 3, 10**9)
    assert isinstance(found, OverLimit)
    assert "CPU" in str(found)
    assert not alive


def test_time_by_the_clock_is_limited() -> None:
    found, alive = asked(CallLimits(seconds=0.5), time.sleep, 600)
    assert isinstance(found, OverLimit)
    assert "takes more than 0.5 s" in str(found)
    assert not alive


def test_a_call_has_limits_of_its_own() -> None:
    async def ask() -> None:
        worker = WebWorker(CallLimits(seconds=600.0))
        with pytest.raises(OverLimit, match=r"takes more than 0\.25 s"):
            await worker.call(time.sleep, 600, limits=CallLimits(seconds=0.25))

    asyncio.run(ask())


def test_errors_of_a_text_keep_their_place() -> None:
    found, alive = asked(CallLimits(seconds=120.0), open_game, GameSpec("A", text='(game "A"\n (player 2))'))
    assert isinstance(found, TextError)
    assert found.line == 2
    assert alive


def test_who_stops_listening_stops_the_function() -> None:
    async def listen() -> None:
        worker = WebWorker(CallLimits(seconds=None, cpu=600.0))
        async with aclosing(worker.stream(itertools.count, 5)) as numbers:  # type: ignore[type-var]
            assert [await anext(numbers) for _ in range(3)] == [5, 6, 7]
            assert worker.busy
        assert not worker.busy
        if worker.alive:  # it may have been ended because it did not stop in time
            assert await worker.call(abs, -4) == 4
        worker.kill()

    asyncio.run(listen())
