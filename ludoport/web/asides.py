"""Processes that answer the questions of pages beside the games: one for each kind of question."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from typing import Any

from starlette.requests import Request

from ludoport.errors import LudoportError
from ludoport.limited import OverLimit
from ludoport.web.workers import CallLimits, WebWorker

LIMITS = {
    "text": CallLimits(seconds=30.0, cpu=20.0, nice=2),
    "record": CallLimits(seconds=60.0, cpu=40.0, nice=2),
    "transfer": CallLimits(seconds=300.0, cpu=200.0, memory=4_000_000_000),
    "tree": CallLimits(seconds=600.0, cpu=600.0, memory=16_000_000_000, nice=5),
    "study": CallLimits(seconds=60.0, cpu=60.0),
    "game": CallLimits(seconds=900.0, cpu=600.0, memory=4_000_000_000, nice=5),
    "report": CallLimits(seconds=900.0, cpu=900.0, memory=3_000_000_000, nice=10),
}
"""Texts come from strangers; all else is what the server was started with."""


class Asides:
    """The processes by kind; each is started when it is first asked, and again after it has died."""

    def __init__(self) -> None:
        self._workers: dict[str, WebWorker] = {}

    async def ask(self, kind: str, function: Callable[..., Any], *arguments: Any) -> Any:
        """Result of a function of the views."""
        worker = self._workers.get(kind)
        if worker is None or not worker.alive:
            worker = self._workers[kind] = WebWorker(LIMITS[kind])
        try:
            return await worker.call(function, *arguments)
        except OverLimit as error:
            raise LudoportError(f"this {error}") from None


def asides(request: Request) -> Asides:
    """The asides of the server."""
    state = request.app.state
    if not hasattr(state, "asides"):
        state.asides = Asides()
    found: Asides = state.asides
    return found


async def streamed(kind: str, function: Callable[..., Any], *arguments: Any) -> AsyncIterator[Any]:
    """The items of a generator, in a process of its own, which ends with it or when the caller stops listening."""
    worker = WebWorker(LIMITS[kind])
    try:
        async for item in worker.stream(function, *arguments):
            yield item
    finally:
        worker.kill()
