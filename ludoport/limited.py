"""Calling a function in a process of its own, with limits on time and memory.

Game files come from strangers. Whatever a compiler estimates beforehand, this catches the rest: an endless loop, memory
without end, a crash.
"""

from __future__ import annotations

import multiprocessing
import os
import pickle
import signal
import time
from collections.abc import Callable
from multiprocessing.connection import Connection
from multiprocessing.context import SpawnProcess
from typing import Any, Generic, Self, TypeVar

from ludoport.errors import LudoportError
from ludoport.processes import without_script

try:
    import resource
except ImportError:  # Windows has no such limits
    resource = None  # type: ignore[assignment]

SECONDS = 16.0
"""CPU time for one call: a busy machine refuses nothing that an idle one takes."""

PATIENCE = 10.0
"""Clock time for one call, as a multiple of its CPU time; for what waits instead of working."""

LOOK = 0.1
"""Seconds between two looks at the CPU time of a process."""

MEMORY = 1_600_000_000
"""Bytes that a call may use beside the interpreter and its modules."""

Task = TypeVar("Task")
Answer = TypeVar("Answer")


class OverLimit(LudoportError):  # noqa: N818 - it is a result, not a mistake
    """A call took too long, needed too much memory, or ended its process."""


class Limited(Generic[Task, Answer]):
    """A function that is called in a process with limits; the process is replaced when it exceeds one.

    Args:
        function: a function of a module, which may be sent to another process.
        seconds: CPU time for one call; clock time where a system does not tell it.
        memory: bytes for one call.
        patience: clock time for one call, as a multiple of ``seconds``.

    Example:
        >>> with Limited(abs, seconds=60) as call:
        ...     call(-3)
        3
    """

    def __init__(
        self,
        function: Callable[[Task], Answer],
        seconds: float = SECONDS,
        memory: int = MEMORY,
        patience: float = PATIENCE,
    ) -> None:
        self.function, self.seconds, self.memory, self.patience = function, seconds, memory, patience
        self._process: SpawnProcess | None = None
        self._pipe: Connection | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __call__(self, task: Task, seconds: float | None = None) -> Answer:
        """The function's result.

        Args:
            task: what the function is called with.
            seconds: CPU time for this call, if it is not that of all calls.

        Raises:
            OverLimit: it exceeded a limit.
            LudoportError: raised by the function itself.
        """
        process, pipe = self._worker()
        most = self.seconds if seconds is None else seconds
        try:
            begin, used = time.monotonic(), _cpu_time(process.pid)
            pipe.send(task)
            while not pipe.poll(min(LOOK, most)):
                passed = time.monotonic() - begin
                spent = passed if used is None else (_cpu_time(process.pid) or used) - used
                if spent > most or passed > self.patience * most:
                    self.close()
                    raise OverLimit(f"takes more than {most:g} s")
            kind, answer = pipe.recv()
        except (EOFError, BrokenPipeError, ConnectionResetError):
            process.join(5)
            code = process.exitcode
            self.close()
            raise OverLimit(f"ended its process ({_ending(code)})") from None
        if kind == "memory":
            self.close()  # what it still holds is not known
            raise OverLimit(f"needs more than {self.memory / 1e9:.1f} GB of memory")
        if kind == "error":
            raise answer
        result: Answer = answer
        return result

    def close(self) -> None:
        """End the process."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.join()
        self._process = self._pipe = None

    def _worker(self) -> tuple[SpawnProcess, Connection]:
        if self._process is not None and self._pipe is not None and self._process.is_alive():
            return self._process, self._pipe
        self.close()
        context = multiprocessing.get_context("spawn")
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(self.function, self.memory, theirs), daemon=True)
        with without_script(pickle.dumps(self.function)):
            self._process.start()
        theirs.close()
        if not self._pipe.poll(120):  # the modules are there
            self.close()
            raise OverLimit("could not be started")
        try:
            self._pipe.recv()
        except EOFError:
            self._process.join()
            raise OverLimit(f"could not be started ({_ending(self._process.exitcode)})") from None
        return self._process, self._pipe


def _cpu_time(process: int | None) -> float | None:
    """CPU seconds of a process and its threads; None if the system does not report them."""
    try:
        with open(f"/proc/{process}/stat", encoding="ascii", errors="replace") as file:  # noqa: PTH123
            user, system = file.read().rpartition(")")[2].split()[11:13]
        return (int(user) + int(system)) / os.sysconf("SC_CLK_TCK")
    except (OSError, ValueError):
        return None


def _ending(code: int | None) -> str:
    if code is None or code >= 0:
        return f"exit code {code}"
    return signal.Signals(-code).name


def _serve(function: Callable[[Any], Any], memory: int, pipe: Connection) -> None:
    """Answers calls until the caller is gone."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # Ctrl-C is for the caller, who ends this process
    limit_memory(memory)
    pipe.send(None)
    while True:
        try:
            task = pipe.recv()
        except EOFError:
            return
        try:
            answer = ("answer", function(task))
        except MemoryError:
            answer = ("memory", None)
        except LudoportError as error:
            answer = ("error", LudoportError(str(error)))
        except Exception as error:
            answer = ("error", LudoportError(f"internal error, {type(error).__name__}: {error}"))
        pipe.send(answer)


def limit_memory(more: int) -> None:
    """Limits this process to ``more`` bytes beyond what it uses now; beyond them, allocating is a MemoryError."""
    if resource is None:
        return
    hard = resource.getrlimit(resource.RLIMIT_DATA)[1]
    wanted = _used() + more if hard == resource.RLIM_INFINITY else min(_used() + more, hard)
    # Data, not addresses: each thread reserves addresses that it never uses.
    resource.setrlimit(resource.RLIMIT_DATA, (wanted, hard))
    resource.setrlimit(resource.RLIMIT_CORE, (0, resource.getrlimit(resource.RLIMIT_CORE)[1]))


def _used() -> int:
    """Bytes of data that this process has."""
    try:
        with open("/proc/self/statm", encoding="ascii") as file:  # noqa: PTH123
            return int(file.read().split()[5]) * os.sysconf("SC_PAGE_SIZE")
    except OSError:
        return 2**30
