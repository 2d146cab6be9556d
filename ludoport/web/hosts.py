"""The processes that know a game: one for each game that is on a table, and the one that compiles."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from ludoport.errors import LudoportError
from ludoport.limited import OverLimit
from ludoport.web import positions
from ludoport.web.positions import GameSpec
from ludoport.web.workers import CallLimits, WebWorker

MOST_HOSTS = 12
"""Games that are open at once; the one used longest ago is closed, and opened again when it is needed."""

OPENING = CallLimits(seconds=60.0, cpu=30.0)
ANSWERING = CallLimits(seconds=20.0, cpu=10.0)
COMPILING = CallLimits(seconds=900.0, cpu=600.0, memory=4_000_000_000, nice=10)


class Host:
    """A game in a process of its own.

    Attributes:
        compiled: whether positions come from machine code.
        compiling: start of the compilation, by ``time.monotonic``; None while none is under way.
        note: why there is no machine code, if that failed.
    """

    def __init__(self, spec: GameSpec, hosts: Hosts) -> None:
        self.spec = spec
        self._hosts = hosts
        self.used = time.monotonic()
        self.compiled = False
        self.compiling: float | None = None
        self.note = ""
        self.changed: list[Callable[[], None]] = []
        self._worker: WebWorker | None = None
        self._scene: dict[str, Any] | None = None
        self._opening = asyncio.Lock()
        self._compilation: asyncio.Task[None] | None = None

    async def open(self) -> dict[str, Any]:
        """The board; the first call reads the rules and starts to compile them."""
        async with self._opening:
            if self._scene is None or self._worker is None or not self._worker.alive:
                self._hosts.admit(self)
                self._worker = WebWorker(ANSWERING)
                self._scene = await self._worker.call(positions.open_game, self.spec, limits=OPENING)
                if self.compiled:
                    await self._worker.call(positions.load_game, self.spec, limits=OPENING)
                elif self._compilation is None:
                    self._compilation = asyncio.create_task(self._compile())
        return self._scene

    async def ask(self, function: Callable[..., Any], *arguments: Any) -> Any:
        """Result of a function of ``positions`` for this game."""
        await self.open()
        assert self._worker is not None
        self.used = time.monotonic()
        try:
            return await self._worker.call(function, self.spec, *arguments)
        except OverLimit as error:
            raise LudoportError(f"{self.spec.name}: {error}") from None

    async def _compile(self) -> None:
        """Fill the cache in another process, then use what is there."""
        if not positions.has_machine_code():
            self.compiled = True  # plain Python is what was asked for
            return
        self.compiling = time.monotonic()
        self._tell()
        try:
            async with self._hosts.turn:
                maker = WebWorker(COMPILING)
                try:
                    await maker.call(positions.compile_game, self.spec)
                finally:
                    maker.kill()
            if self._worker is not None and self._worker.alive:
                await self._worker.call(positions.load_game, self.spec, limits=OPENING)
            self.compiled = True
        except LudoportError as error:
            self.note = f"no machine code: {error}"
        finally:
            self.compiling = None
            self._tell()

    async def ready(self) -> None:
        """Wait until compilation has ended."""
        await self.open()
        if self._compilation is not None:
            await asyncio.shield(self._compilation)

    @property
    def busy(self) -> bool:
        """Whether its process is answering."""
        return self._worker is not None and self._worker.busy

    def _tell(self) -> None:
        for call in list(self.changed):
            call()

    def close(self) -> None:
        """End the process; what it knows is read again when it is needed."""
        if self._worker is not None:
            self._worker.kill()
        if self._compilation is not None and not self._compilation.done():
            self._compilation.cancel()
            self._compilation = None


class Hosts:
    """All games that something refers to, and those of them that are open.

    Attributes:
        turn: one game is compiled at a time.
    """

    def __init__(self) -> None:
        self._known: WeakValueDictionary[GameSpec, Host] = WeakValueDictionary()
        self._open: list[Host] = []
        self.turn = asyncio.Semaphore(1)

    def get(self, spec: GameSpec) -> Host:
        """The host of a game."""
        host = self._known.get(spec)
        if host is None:
            host = self._known[spec] = Host(spec, self)
        return host

    def admit(self, host: Host) -> None:
        """Make room for the process of a host, which tables may hold for longer than its process lives."""
        self._open = [other for other in self._open if other is not host]
        while len(self._open) >= MOST_HOSTS:
            oldest = min(self._open, key=lambda known: (known.busy, bool(known.changed), known.used))
            oldest.close()
            self._open.remove(oldest)
        self._open.append(host)

    def close(self) -> None:
        """End all processes."""
        for host in self._open:
            host.close()
