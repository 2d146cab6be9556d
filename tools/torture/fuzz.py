"""Hostile inputs by seed: input number k of a format is always the same."""

from __future__ import annotations

import os
import random
import shutil
import signal
import tempfile
import traceback
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.limited import limit_memory
from tools.torture.formats import Format
from tools.torture.mutate import damage

PATIENCE = 10
"""Ratio of clock time to CPU time above which an input is a finding, also on a busy machine."""

MEMORY = 2_500_000_000
"""Bytes of data that a process may have."""

CHUNK = 500
"""Inputs of one process; a crash costs one of these."""


@dataclass(frozen=True)
class Finding:
    """A fault that an input causes; ``number`` is the seed that makes it happen again."""

    format: str
    number: int
    what: str

    def __str__(self) -> str:
        return f"{self.format} {self.number}: {self.what}"


class HangError(BaseException):
    """An input took too long."""


def make_input(format: Format, number: int) -> bytes:
    """Input number so much of a format."""
    if format.make:
        return format.make(number)
    rng = random.Random(f"{format.name} {number}")
    return damage(rng.choice(list(format.samples())), rng, format.words)


def try_input(format: Format, data: bytes) -> str:
    """Fault of reading an input; empty if there is none."""
    folder = Path(tempfile.mkdtemp(prefix="torture-"))
    try:
        format.read(data, folder)
    except LudoportError as error:
        return "" if len(str(error)) < 5000 else f"a message of {len(str(error))} characters"
    except HangError:
        return f"takes more than {format.seconds:.0f} s"
    except MemoryError:
        return "takes too much memory"
    except Exception as error:
        place = traceback.extract_tb(error.__traceback__)[-1]
        return f"{type(error).__name__} at {Path(place.filename).name}:{place.lineno}: {str(error)[:120]}"
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return ""


def fuzz(format: Format, begin: int, count: int) -> Iterator[Finding]:
    """Try inputs in processes of their own; a process that dies takes one input with it."""
    number, end = begin, begin + count
    format.samples()
    while number < end:
        number = yield from _chunk(format, number, min(end, number + CHUNK))


def _chunk(format: Format, begin: int, end: int) -> Any:
    """Try inputs in one process; returns the first that was not tried."""
    ours, theirs = os.pipe()
    child = os.fork()
    if not child:
        os.close(ours)
        _work(format, begin, end, theirs)
    os.close(theirs)
    done = begin
    with os.fdopen(ours, encoding="utf-8") as pipe:
        for line in pipe:
            number, _, what = line.rstrip("\n").partition(" ")
            done = int(number) + 1
            if what:
                yield Finding(format.name, int(number), what)
    _, status = os.waitpid(child, 0)
    if done < end:
        signalled = os.WTERMSIG(status) if os.WIFSIGNALED(status) else 0
        ended = signal.Signals(signalled).name if signalled else f"exit code {os.waitstatus_to_exitcode(status)}"
        yield Finding(format.name, done, f"ended its process ({ended})")
        done += 1
    return done


def _work(format: Format, begin: int, end: int, pipe: int) -> None:
    def late(*_: object) -> None:
        raise HangError

    signal.signal(signal.SIGPROF, late)
    signal.signal(signal.SIGALRM, late)
    limit_memory(MEMORY)
    with os.fdopen(pipe, "w", encoding="utf-8") as out:
        for number in range(begin, end):
            data = make_input(format, number)
            try:
                signal.setitimer(signal.ITIMER_PROF, format.seconds)
                signal.alarm(int(PATIENCE * format.seconds))
                what = try_input(format, data)
            except HangError:
                what = f"takes more than {format.seconds:.0f} s"
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.alarm(0)
            out.write(f"{number} {ascii(' '.join(what.split()))[1:-1]}\n")
            out.flush()
    os._exit(0)
