"""The server's side of a worker: starts the processes of one rulesheet, asks, and never waits longer than it may."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import pkgutil
import time
from contextlib import suppress
from dataclasses import replace
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path

from ludoport.arena import kinds as arena_kinds
from ludoport.errors import LudoportError
from ludoport.ggp import kinds as ggp_kinds
from ludoport.ggp.playing import WorkerTask
from ludoport.ggp.worker import ServerOrder, compile_rules, serve

log = logging.getLogger(__name__)

_KINDS = (arena_kinds, ggp_kinds)
_PRELOAD = [
    *("ludoport.ggp.worker", "ludoport.kernels.jit"),
    *(f"{package.__name__}.{module.name}" for package in _KINDS for module in pkgutil.iter_modules(package.__path__)),
]
"""Modules that a process of a game needs, imported once in the process that the others fork from."""


def process_context() -> ForkServerContext:
    """Processes that start quickly, because one has loaded everything before."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(_PRELOAD)
    return context


def usable_memory() -> int:
    """Bytes of physical memory, or fewer where the system gives its processes fewer."""
    physical = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    try:
        return min(physical, int(Path("/sys/fs/cgroup/memory.max").read_text()))
    except (OSError, ValueError):  # no such limit
        return physical


GONE = "the process of this game is gone"


class LateError(LudoportError):
    """A worker did not answer in time."""


class Room:
    """The worker of one rulesheet; ``engine`` says what computes its positions.

    Args:
        task: the rulesheet and who plays it.
        compiling: lets only a few games be compiled at once.
        compile_seconds: time limit of compiling.
    """

    def __init__(self, task: WorkerTask, compiling: asyncio.Semaphore, compile_seconds: float) -> None:
        self.task, self.compile_seconds = task, compile_seconds
        self.matches: set[str] = set()
        self.idle_since = time.monotonic()
        self.dead = False
        self.engine = "interpreter"
        self._compiling = compiling
        self._waiting: dict[int, asyncio.Future[tuple[bool, str]]] = {}
        self._number = 0
        self._connection: Connection | None = None
        self._unsent: list[ServerOrder] = []
        self._processes: list[ForkServerProcess] = []
        self._started = asyncio.ensure_future(self._begin())
        self._compile = asyncio.ensure_future(self._compiled())

    async def _begin(self) -> None:
        try:
            connection, process = await asyncio.to_thread(_start, serve, self.task)
        except (OSError, EOFError) as error:
            log.error("the process of a game cannot be started: %s", error)
            self.close()
            return
        self._processes.append(process)
        self._connection = connection
        if self.dead:
            self._kill()
            return
        asyncio.get_running_loop().add_reader(connection.fileno(), self._readable)
        for order in self._unsent:
            self.tell(order)

    async def _compiled(self) -> None:
        """Compile in a process of its own, then tell the worker."""
        async with self._compiling:
            if self.dead:
                return
            connection, process = await asyncio.to_thread(_start, compile_rules, self.task)
            self._processes.append(process)
            end = time.monotonic() + self.compile_seconds
            while process.is_alive() and time.monotonic() < end and not self.dead:
                await asyncio.sleep(0.02)
            if process.is_alive():
                process.kill()
                await asyncio.to_thread(process.join, 5)
            connection.close()
            good = process.exitcode == 0
        if not self.dead:
            if not good:
                log.info("a game is left to the interpreter")
            with suppress(LudoportError):
                order = ServerOrder(0, "compiled", good=good, answer_by=time.monotonic() + self.compile_seconds)
                self.engine = await self.ask(order)

    def _readable(self) -> None:
        assert self._connection is not None
        try:
            number, good, text = self._connection.recv()
        except (EOFError, OSError):
            if not self.dead:
                log.error("the process of a game has ended")
            self.close()
            return
        future = self._waiting.pop(number, None)
        if future is not None and not future.done():
            future.set_result((good, text))

    async def ask(self, order: ServerOrder, patience: float = 0.1) -> str:
        """The worker's answer.

        Args:
            order: the question.
            patience: seconds to wait longer than the answer should take; for a worker that is itself delayed.

        Raises:
            LateError: if there is no answer in time; the order is carried out all the same, but later.
            LudoportError: if the worker says that something is wrong, or is dead.
        """
        if self.dead:
            raise LudoportError(GONE)
        self._number += 1
        number = self._number
        future: asyncio.Future[tuple[bool, str]] = asyncio.get_running_loop().create_future()
        self._waiting[number] = future
        try:
            self.tell(replace(order, number=number))
            good, text = await asyncio.wait_for(future, max(0.0, order.answer_by + patience - time.monotonic()))
        except TimeoutError:
            raise LateError("the process of this game does not answer") from None
        finally:
            self._waiting.pop(number, None)
        if not good:
            raise LudoportError(text)
        return text

    def tell(self, order: ServerOrder) -> None:
        """Send an order whose answer does not matter, or keep it until the process has begun."""
        if self._connection is None:
            self._unsent.append(order)
            return
        try:
            self._connection.send(order)
        except OSError:
            self.close()

    def close(self) -> None:
        """End the processes."""
        if self.dead:
            return
        self.dead = True
        for future in self._waiting.values():
            if not future.done():
                future.set_result((False, GONE))
        self._kill()

    def _kill(self) -> None:
        if self._connection is not None and not self._connection.closed:
            with suppress(RuntimeError):
                asyncio.get_running_loop().remove_reader(self._connection.fileno())
            self._connection.close()
        for process in self._processes:
            if process.is_alive():
                process.kill()


def _start(function: object, task: WorkerTask) -> tuple[Connection, ForkServerProcess]:
    context = process_context()
    ours, theirs = context.Pipe()
    process = context.Process(target=function, args=(theirs, task), daemon=True)  # type: ignore[arg-type]
    process.start()
    theirs.close()
    return ours, process
