"""Functions in processes of their own: limited, and stopped at once.

Games come from strangers and searches take long, so neither runs in the server. A worker is a process that calls
functions one after another; what a function keeps (a compiled game) is there for the next call. Processes are forked
from one that has everything imported, so a new one starts within some hundredths of a second.
"""

from __future__ import annotations

import asyncio
import importlib
import multiprocessing
import os
import pickle
import signal
import sys
import threading
import time
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection
from typing import Any

from ludoport.errors import LudError, LudoportError
from ludoport.limited import OverLimit, limit_memory
from ludoport.processes import without_script

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

PATIENCE = 0.3
"""Seconds in which a function that is told to stop must do so; otherwise its process ends."""

PRELOADED = ("ludoport", "ludoport.web.workers", "ludoport.web.positions")


@dataclass(frozen=True)
class CallLimits:
    """Limits of one call.

    Attributes:
        seconds: time by the clock; None for no limit.
        cpu: seconds of CPU time.
        memory: bytes beside the interpreter and its modules.
        nice: niceness of the process.
    """

    seconds: float | None = 20.0
    cpu: float = 20.0
    memory: int = 1_600_000_000
    nice: int = 0


class WebWorker:
    """A process that calls functions for the server's event loop."""

    def __init__(self, limits: CallLimits = CallLimits()) -> None:  # noqa: B008 (it is frozen)
        self.limits = limits
        self.used = time.monotonic()
        self._loop = asyncio.get_running_loop()
        self._answers: asyncio.Queue[tuple[str, Any]] = asyncio.Queue()
        self._lock = asyncio.Lock()
        self._running = False
        self._killed = False
        context = _context()
        self._pipe, theirs = context.Pipe()
        arguments = (theirs, limits, _settings())
        self._process = context.Process(target=_serve, args=arguments, daemon=True)
        with without_script(pickle.dumps(limits)):
            self._process.start()
        theirs.close()
        threading.Thread(target=self._read, daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether it can be asked."""
        return not self._killed and bool(self._process.is_alive())

    @property
    def busy(self) -> bool:
        """Whether a call is running or waiting."""
        return self._lock.locked()

    @property
    def pid(self) -> int | None:
        """The number of the process."""
        number: int | None = self._process.pid
        return number

    async def call(self, function: Callable[..., Any], *arguments: Any, limits: CallLimits | None = None) -> Any:
        """Result of a function in this process.

        Args:
            function: a function of a module.
            arguments: its arguments; anything that can be pickled.
            limits: for this call; default: those of the worker.

        Raises:
            OverLimit: it exceeded a limit; the worker is gone.
            LudoportError: raised by the function.
        """
        results = [result async for result in self.stream(function, *arguments, limits=limits)]
        return results[-1] if results else None

    async def stream(
        self, function: Callable[..., Any], *arguments: Any, limits: CallLimits | None = None
    ) -> AsyncIterator[Any]:
        """The items of a generator, or the one result of a function.

        A caller that stops listening stops the function, at once.
        """
        bounds = limits or self.limits
        async with self._lock:
            self.used = time.monotonic()
            until = None if bounds.seconds is None else time.monotonic() + bounds.seconds
            self._running = True
            try:
                self._pipe.send((_name(function), arguments, bounds.cpu))
                while True:
                    kind, value = await self._next(until, bounds)
                    if kind == "end":
                        self._running = False
                        return
                    if kind in ("error", "gone"):
                        self._running = False
                        raise value
                    yield value
            except OSError:
                self._running = False
                raise OverLimit(f"ended its process ({self._ending()})") from None
            finally:
                self.used = time.monotonic()
                if self._running:
                    await asyncio.shield(self._stop())

    async def _next(self, until: float | None, bounds: CallLimits) -> tuple[str, Any]:
        try:
            left = None if until is None else max(0.0, until - time.monotonic())
            return await asyncio.wait_for(self._answers.get(), left)
        except TimeoutError:
            self.kill()
            self._running = False
            raise OverLimit(f"takes more than {bounds.seconds:g} s") from None

    async def _stop(self) -> None:
        """Let the running call end; end the process if it does not."""
        self._running = False
        try:
            self._pipe.send(None)
            async with asyncio.timeout(PATIENCE):
                while (await self._answers.get())[0] == "item":
                    pass
        except (TimeoutError, OSError):
            self.kill()

    def kill(self) -> None:
        """End the process; it may still be there for a moment, but gets no further calls."""
        self._killed = True
        if self._process.is_alive():
            self._process.kill()

    def _read(self) -> None:
        """Pass on what the process says, in a thread of its own."""
        while True:
            try:
                answer = self._pipe.recv()
            except (EOFError, OSError):
                self._process.join(5)
                answer = ("gone", OverLimit(f"ended its process ({self._ending()})"))
            with suppress(RuntimeError):  # the loop is closed
                self._loop.call_soon_threadsafe(self._answers.put_nowait, answer)
            if answer[0] == "gone":
                return

    def _ending(self) -> str:
        code = self._process.exitcode
        if code is not None and code < 0:
            name = signal.Signals(-code).name
            return "too much CPU time" if name == "SIGXCPU" else name
        return f"exit code {code}"


def _context() -> Any:
    """Start method of processes: forked from one that is ready, where the system can do that."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(list(PRELOADED))
    return context


def _name(function: Callable[..., Any]) -> str:
    return f"{function.__module__}:{function.__qualname__}"


def _settings() -> dict[str, str]:
    """The environment that Ludoport looks at; processes that are forked have that of the first start."""
    return {name: value for name, value in os.environ.items() if name.startswith("LUDOPORT_")}


def _serve(pipe: Connection, limits: CallLimits, settings: dict[str, str]) -> None:
    """The main function of a process."""
    for name in _settings():
        del os.environ[name]
    os.environ.update(settings)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the server, which ends this process
    if hasattr(os, "nice"):
        os.nice(limits.nice)
    limit_memory(limits.memory)
    with suppress(EOFError, OSError):  # the server is gone
        while True:
            order = pipe.recv()
            if order is not None:  # otherwise told to stop what has ended already
                _obey(pipe, limits, *order)


def _obey(pipe: Connection, limits: CallLimits, name: str, arguments: tuple[Any, ...], cpu: float) -> None:
    """Call a function and send what it gives."""
    _limit_cpu(cpu)
    try:
        _answer(pipe, _found(name)(*arguments))
        last: tuple[str, Any] = ("end", None)
    except MemoryError:
        last = ("error", OverLimit(f"needs more than {limits.memory / 1e9:.1f} GB of memory"))
    except LudError as error:
        place = (getattr(error.source, "line", None), getattr(error.source, "column", None))
        last = ("error", TextError(str(error), error.message, *place))
    except (LudoportError, ArithmeticError, RecursionError) as error:
        last = ("error", LudoportError(str(error) or type(error).__name__))
    except (EOFError, OSError):
        raise
    except Exception as error:
        last = ("error", LudoportError(f"internal error, {type(error).__name__}: {error}"))
    pipe.send(last)


class TextError(LudoportError):
    """A game text is wrong; an error that can travel.

    Attributes:
        message: the message.
        line: where, from 1; None where that is unknown.
        column: from 1.
    """

    def __init__(self, text: str, message: str, line: int | None, column: int | None) -> None:
        super().__init__(text)
        self.text, self.message, self.line, self.column = text, message, line, column

    def __reduce__(self) -> tuple[type[TextError], tuple[str, str, int | None, int | None]]:
        return TextError, (self.text, self.message, self.line, self.column)


def _found(name: str) -> Callable[..., Any]:
    module, _, function = name.partition(":")
    found: Callable[..., Any] = getattr(importlib.import_module(module), function)
    return found


def _answer(pipe: Connection, given: Any) -> None:
    """Send the results of a function one by one, until it is asked to stop."""
    if not isinstance(given, Iterator):
        pipe.send(("item", given))
        return
    for item in given:
        pipe.send(("item", item))
        if pipe.poll():
            pipe.recv()
            return


def _limit_cpu(seconds: float) -> None:
    """Let this process use a number of seconds more."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_CPU)[1]
        wanted = int(time.process_time() + seconds) + 1
        resource.setrlimit(resource.RLIMIT_CPU, (wanted if hard == resource.RLIM_INFINITY else min(wanted, hard), hard))
