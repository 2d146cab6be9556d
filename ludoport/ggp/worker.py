"""The process in which a player thinks about one rulesheet: all matches of that game, each in its own thread.

Rules come from strangers. If reading or evaluating them takes for ever or too much memory, only this process suffers,
and the server, which holds the clocks, continues without it.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from ludoport.errors import LudoportError
from ludoport.gdl.kif import Term
from ludoport.ggp.playing import NOTHING, MatchPlaying, MoveJob, WorkerRules, WorkerTask
from ludoport.ggp.positions import compiled_game, read_rules
from ludoport.ggp.role_player import role_player
from ludoport.limited import limit_memory

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class ServerOrder:
    """A request of the server.

    Attributes:
        number: by which the answer is known.
        verb: ``start``, ``play``, ``stop``, ``abort``, or ``compiled`` when there is something to load.
        match: name of the match.
        role: for ``start``.
        seed: for ``start``.
        history: for ``start``, the steps that were already played, if a worker takes over from another one.
        moves: of the last step.
        until: end of thinking, by ``time.monotonic``.
        answer_by: time at which an answer is due.
        good: for ``compiled``, whether it is.
    """

    number: int
    verb: str
    match: str = ""
    role: str = ""
    seed: int = 0
    history: tuple[tuple[Term, ...], ...] = ()
    moves: tuple[Term, ...] | None = None
    until: float = 0.0
    answer_by: float = 0.0
    good: bool = False


class MatchWorker:
    """Answers the server's orders."""

    def __init__(self, connection: Connection, task: WorkerTask) -> None:
        self.connection, self.task = connection, task
        self.host = WorkerRules(task)
        self.matches: dict[str, MatchPlaying] = {}
        self.loader = ThreadPoolExecutor(1)
        self.loaded = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def run(self) -> None:
        """Serve until the server is gone."""
        asyncio.get_running_loop().add_reader(self.connection.fileno(), self._readable)
        await asyncio.Event().wait()

    def _readable(self) -> None:
        try:
            order: ServerOrder = self.connection.recv()
        except (EOFError, OSError):
            os._exit(0)
        task = asyncio.create_task(self._obey(order))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _obey(self, order: ServerOrder) -> None:
        good, text = True, ""
        try:
            text = await self._answer(order)
        except LudoportError as error:
            good, text = False, str(error)
        except Exception as error:
            log.exception("an order failed")
            good, text = False, f"{type(error).__name__}: {error}"
        with suppress(OSError):
            self.connection.send((order.number, good, text))

    async def _answer(self, order: ServerOrder) -> str:
        if order.verb == "compiled":
            return await self._load(order.good)
        if order.verb == "start":
            return await self._start(order)
        match = self.matches.get(order.match)
        if match is None:
            raise LudoportError(f"there is no match {order.match}")
        # Whatever the match is thinking about now is no longer wanted.
        match.latest.until = 0.0
        if order.verb == "play":
            # Where a look at the rules takes no time, no thread has to be woken up for it.
            at_once = self.host.game is not None and match.idle
            job = match.latest = MoveJob(order.until)
            if at_once:
                match.look(job, order.moves)
            if not job.done:
                think = partial(match.consider, job) if at_once else partial(match.play, job, order.moves)
                await self._do(match, order.answer_by, think)
            # No move at all is worth nothing, so for the first one there is some more time.
            last_moment = order.answer_by + 0.6 * (order.answer_by - order.until)
            while job.best == NOTHING and time.monotonic() < last_moment and not job.done:
                await asyncio.sleep(0.005)
            return job.best
        del self.matches[order.match]
        if order.verb == "stop":
            await self._do(match, order.answer_by, lambda: match.stop(order.moves))
        match.thread.shutdown(wait=False)
        return "done"

    async def _start(self, order: ServerOrder) -> str:
        match = self.matches[order.match] = MatchPlaying(self.host, order.role, order.seed)
        try:
            await self._do(match, order.answer_by, lambda: match.begin(order.history))
        except LudoportError:
            del self.matches[order.match]
            match.thread.shutdown(wait=False)
            raise
        with suppress(TimeoutError):
            await asyncio.wait_for(self.loaded.wait(), max(0.0, order.until - time.monotonic()))
            await self._do(match, order.answer_by, partial(match.prepare, order.until))
        return "ready"

    async def _load(self, good: bool) -> str:
        if good:
            try:
                await asyncio.wrap_future(self.loader.submit(self.host.load))
            except LudoportError as error:
                log.warning("the compiled game cannot be used: %s", error)
        self.loaded.set()
        return getattr(self.host.game.rules, "engine", "network") if self.host.game is not None else "interpreter"

    async def _do(self, match: MatchPlaying, by: float, work: Callable[[], None]) -> None:
        """Let the match's thread do something, and wait for it, but not for too long."""
        future: Future[None] = match.thread.submit(work)
        done, _ = await asyncio.wait([asyncio.wrap_future(future)], timeout=max(0.0, by - time.monotonic()))
        for finished in done:
            finished.result()
        if not done:
            log.info("match of %s: what was asked is not finished in time", match.role_name)


def serve(connection: Connection, task: WorkerTask) -> None:
    """The main function of the process."""
    _prepare(task.memory)
    # Threads that search hold the interpreter's lock for a moment only; the one that answers should not wait longer.
    sys.setswitchinterval(0.001)
    asyncio.run(MatchWorker(connection, task).run())


def compile_rules(connection: Connection, task: WorkerTask) -> None:
    """The main function of a process that only fills the cache of compiled games."""
    _prepare(task.memory)
    os.nice(10)  # moves are more urgent
    # If the server goes away, its end of the connection closes.
    threading.Thread(target=_exit_with, args=(connection,), daemon=True).start()
    try:
        game = compiled_game(read_rules(task.rules), task.jit)
        if game is not None:
            role_player(task.player).warm(game)
    except (LudoportError, MemoryError, RecursionError) as error:
        log.warning("the game is not compiled: %s", error or type(error).__name__)
        sys.exit(1)
    sys.exit(0 if game is not None else 1)


def _exit_with(connection: Any) -> None:
    with suppress(EOFError, OSError):
        connection.recv()
    os._exit(1)


def _prepare(memory: int) -> None:
    """Limit the memory of a process that runs foreign rules; it ends when the server does."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    gc.freeze()
    if memory:
        limit_memory(memory)
