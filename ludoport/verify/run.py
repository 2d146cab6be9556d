"""Runs comparisons over many files; one that fails never stops the others."""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from ludoport.errors import LudoportError
from ludoport.lud.subgames import library_folder
from ludoport.verify import chance, perft, tensor, trace
from ludoport.verify.pool import run_apart
from ludoport.verify.reference import read_trials
from ludoport.verify.report import FileComparison
from ludoport.verify.variants import Variant, choose, find_variants, variant_id

if TYPE_CHECKING:
    from ludoport.game import Game

Kind = Literal["trace", "perft", "tensor", "chance"]
UNITS: dict[Kind, str] = {"trace": "plies", "perft": "depths", "tensor": "positions", "chance": "plies"}
_COMPARE: dict[Kind, Callable[[Game, Path, FileComparison], None]] = {
    "trace": trace.compare_file,
    "perft": perft.compare_file,
    "tensor": tensor.compare_file,
    "chance": chance.compare_file,
}


WORTH_COMPILING = 1000
"""Recorded plies up to which a replay in plain Python is faster than compiling first."""


@dataclass(frozen=True, slots=True)
class FileTask:
    """One file to compare with the game it belongs to."""

    kind: Kind
    path: Path
    variant: Variant
    lud_root: Path | None = None


def plan(
    kind: Kind, files: Sequence[Path], lud_root: Path | None = None, variants: Path | None = None
) -> list[FileTask]:
    """Finds the variant of every file; an unknown one is an error before any work is done."""
    tasks = []
    for path in files:
        if not path.is_file():
            raise LudoportError(f"{path}: no such file")
        variant = choose(find_variants(path, variants), variant_id(path))
        tasks.append(FileTask(kind, path, variant, lud_root))
    return tasks


def compare(task: FileTask) -> FileComparison:
    """Loads the game of a task and compares it with the file."""
    import ludoport as lp

    result = FileComparison(task.variant.id, unit=UNITS[task.kind])
    begin = time.perf_counter()
    try:
        with library_folder(task.lud_root):
            game = lp.load(task.variant.text(task.lud_root), options=list(task.variant.options), jit=_compiled(task))
        game.start()  # kernels are made when they are first needed
    except Exception as error:
        result.failure = f"cannot load: {sentence(error)}"
    else:
        try:
            _COMPARE[task.kind](game, task.path, result)
        except Exception as error:
            result.failure = f"cannot compare: {sentence(error)}"
    result.seconds = time.perf_counter() - begin
    return result


def _compiled(task: FileTask) -> bool | None:
    """Whether to compare in machine code; None leaves it to ``LUDOPORT_JIT``."""
    if task.kind == "chance":
        return False
    if task.kind != "trace" or "LUDOPORT_JIT" in os.environ:
        return None
    return sum(len(trial.plies) for trial in read_trials(task.path)) > WORTH_COMPILING


def compare_all(tasks: Sequence[FileTask], jobs: int = 0, limit: float | None = None) -> Iterator[FileComparison]:
    """Compares all tasks.

    Args:
        tasks: the tasks.
        jobs: 0 for this process; otherwise each task has its own process, and this many run at a time.
        limit: time limit in seconds of each task in its own process.

    Yields:
        The results, in the order of the tasks.
    """
    if jobs == 0:
        yield from map(compare, tasks)
        return
    for task, outcome in zip(tasks, run_apart(compare, tasks, jobs, limit), strict=True):
        if isinstance(outcome, FileComparison):
            yield outcome
        else:
            yield FileComparison(task.variant.id, unit=UNITS[task.kind], failure=outcome)


def sentence(error: Exception) -> str:
    """An error of ours as it is; anything else with its type and place, since it is a bug worth finding."""
    if isinstance(error, LudoportError):
        return str(error)
    frames = traceback.extract_tb(error.__traceback__)
    place = f" at {Path(frames[-1].filename).name}:{frames[-1].lineno}" if frames else ""
    text = " ".join(str(error).split())
    if len(text) > 400:
        text = f"{text[:80]} ... {text[-300:]}"
    return f"{type(error).__name__}{place}: {text}"
