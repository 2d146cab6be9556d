"""Compares a whole library with recorded trials and measures it; the results are kept as they come.

    python -m ludoport.verify.library LIBRARY --lud-root LUD --out machine.jsonl --jobs 8 --limit 120 --seconds 1200
    python -m ludoport.verify.library LIBRARY --lud-root LUD --out plain.jsonl --jobs 8 --plain

``LIBRARY`` holds ``index.jsonl`` and ``traces/``. Each line of ``--out`` is the record of one game; games that it holds
are skipped, so a run that was cut off resumes where it stopped. ``ludoport.verify.coverage`` makes a page of the files.

After a change ``--known OLD.jsonl`` compiles every game and replays only those whose kernels differ from the ones of
the record in ``OLD.jsonl``; the other records are copied.
"""

from __future__ import annotations

import argparse
import dataclasses
import hashlib
import json
import random
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.lud.subgames import library_folder
from ludoport.verify import trace
from ludoport.verify.pool import run_apart
from ludoport.verify.report import FileComparison
from ludoport.verify.run import FileTask, plan, sentence

PLAYOUTS = 0.7
"""Seconds of random games that are measured in machine code."""

ORDER = 5
"""Random seed of the order of the games: a run that is cut off has seen a fair sample."""


@dataclasses.dataclass(frozen=True, slots=True)
class Examination:
    """One game to compare, in machine code or in plain Python.

    Attributes:
        task: the game and its recorded trials.
        jit: whether to compile to machine code.
        out: file that the record is added to.
        known: record of an earlier run, which holds as long as the kernels are the same.
    """

    task: FileTask
    jit: bool
    out: Path
    known: dict[str, Any] | None = None


def examine(examination: Examination) -> dict[str, Any]:
    """The record of one game: the comparison and, in machine code, CPU seconds to load and playouts per CPU second."""
    import ludoport as lp

    task = examination.task
    result = FileComparison(task.variant.id)
    measured: dict[str, Any] = {}
    begin, loading = time.perf_counter(), time.process_time()
    try:
        with library_folder(task.lud_root):
            game = lp.load(task.variant.text(task.lud_root), options=list(task.variant.options), jit=examination.jit)
        measured["kernels"] = digest = hashlib.sha1(game.rules.source.encode(), usedforsecurity=False).hexdigest()
        known = examination.known
        if known is not None and known["jit"] == examination.jit and known.get("kernels") == digest:
            return known
        state = game.start()
        if state.moves():
            state.play(state.moves()[0])
        if examination.jit:
            game.playouts(count=1)
        measured["load_seconds"] = round(time.process_time() - loading, 2)
        trace.compare_file(game, task.path, result)
        if examination.jit:
            stats = game.playouts(seconds=PLAYOUTS)
            measured |= {"pps": round(stats.playouts_per_second, 2), "mean_moves": round(stats.mean_moves, 2)}
    except Exception as error:
        result.failure = sentence(error)
    result.seconds = time.perf_counter() - begin
    return result.record() | measured | {"jit": examination.jit}


def examine_all(
    tasks: Sequence[FileTask],
    out: Path,
    *,
    jit: bool,
    jobs: int,
    limit: float,
    seconds: float,
    known: Sequence[dict[str, Any]] = (),
) -> None:
    """Examines the games that ``out`` does not hold yet, until ``seconds`` have passed, and adds their records.

    Games without a record in ``known``, or with one that disagrees, come first; otherwise the order is random.
    """
    held = {record["id"] for record in read_records(out)}
    left = [task for task in tasks if task.variant.id not in held]
    random.Random(ORDER).shuffle(left)
    earlier = {record["id"]: record for record in known}
    agreeing = {name for name, record in earlier.items() if record["agrees"]}
    left.sort(key=lambda task: task.variant.id in agreeing)
    end = time.monotonic() + seconds
    # Each process writes its record itself: the pool answers in order, and a slow game would hold back the others.
    examinations = [Examination(task, jit, out, earlier.get(task.variant.id)) for task in left]
    answers = run_apart(_write, examinations, jobs, limit, end)
    for task, answer in zip(left, answers, strict=True):
        if answer and time.monotonic() < end:  # a game that the end cuts off is examined next time
            _append(out, FileComparison(task.variant.id, failure=answer).record() | {"jit": jit})


def _write(examination: Examination) -> str:
    _append(examination.out, examine(examination))
    return ""


def _append(out: Path, record: dict[str, Any]) -> None:
    with out.open("ab", buffering=0) as file:
        file.write(json.dumps(record).encode() + b"\n")


def read_records(path: Path) -> list[dict[str, Any]]:
    """The records of a file, which need not exist; a last line that was cut off is left out."""
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    return [json.loads(line) for line in text.splitlines(keepends=True) if line.endswith("\n")]


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.verify.library", description="Compare a whole library.")
    parser.add_argument("library", type=Path, help="folder with index.jsonl and traces/")
    parser.add_argument("--lud-root", type=Path, required=True, help="folder of game files")
    parser.add_argument("--out", type=Path, required=True, help="JSON lines that are added to")
    parser.add_argument("--plain", action="store_true", help="plain Python instead of machine code")
    parser.add_argument("--jobs", type=int, default=2, help="number of processes (default: 2)")
    parser.add_argument("--limit", type=float, default=120.0, help="seconds for one game (default: 120)")
    parser.add_argument("--seconds", type=float, default=1e9, help="seconds for everything (default: no limit)")
    parser.add_argument("--known", type=Path, help="earlier records, copied where the kernels are unchanged")
    parser.add_argument("--only", default="", help="games whose name contains this text")
    chosen = parser.parse_args(arguments)
    paths = sorted(path for path in (chosen.library / "traces").glob("*.jsonl.gz") if chosen.only in path.name)
    try:
        tasks = plan("trace", paths, chosen.lud_root)
        examine_all(
            tasks,
            chosen.out,
            jit=not chosen.plain,
            jobs=chosen.jobs,
            limit=chosen.limit,
            seconds=chosen.seconds,
            known=read_records(chosen.known) if chosen.known is not None else (),
        )
        records = read_records(chosen.out)
    except (LudoportError, OSError, ValueError) as error:
        print(f"library: {error}", file=sys.stderr)
        return 2
    agreeing = sum(record["agrees"] for record in records)
    print(f"{agreeing} of {len(records)} games agree; records in {chosen.out}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
