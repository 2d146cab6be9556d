"""Compares compiled games with the interpreter: ``python -m ludoport.verify.slow FILES --games 3 --plies 40``.

Prints a line for each game: ``agree`` with the number of positions, ``differ`` with seed, ply and both lists,
``not covered`` with the ludeme, ``no time``, ``not compiled`` with the compiler's sentence, or ``unlike record`` where
the interpreter itself does not agree with a recorded trial, so that its answer is worth nothing. Exits with 1 if a
game differs.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.game import load
from ludoport.verify.reference import read_trials
from ludoport.verify.slow.compare import compare, interpreter_of, replay
from ludoport.verify.slow.registry import NotCovered


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.verify.slow", description=__doc__.split("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, help="game files, or folders of game files")
    parser.add_argument("--games", type=int, default=3, help="random games for each game file (default: 3)")
    parser.add_argument("--plies", type=int, default=40, help="longest random game in plies (default: 40)")
    parser.add_argument("--seed", type=int, default=0, help="random seed of the first game (default: 0)")
    parser.add_argument("--seconds", type=float, default=60.0, help="time limit for each game file (default: 60)")
    parser.add_argument("--record", type=Path, help="folder with index.jsonl and traces to check the interpreter with")
    options = parser.parse_args(arguments)
    traces = _traces(options.record) if options.record else {}
    totals: Counter[str] = Counter()
    for path in _files(options.paths):
        verdict, detail, positions = _examine(path, options, traces)
        totals[verdict] += 1
        totals["positions"] += positions
        print(f"{verdict:13} {path.stem}: {detail}", flush=True)
    positions = totals.pop("positions", 0)
    print(", ".join(f"{count} {verdict}" for verdict, count in totals.items()) + f"; {positions} positions agree")
    return 1 if totals["differ"] else 0


def _files(paths: list[Path]) -> Iterator[Path]:
    for path in paths:
        yield from sorted(path.rglob("*.lud")) if path.is_dir() else [path]


def _traces(folder: Path) -> dict[str, Path]:
    """Files of recorded trials by the end of the path of their game file."""
    found = {}
    for line in (folder / "index.jsonl").read_text().splitlines():
        entry = json.loads(line)
        if entry.get("trace"):
            found[entry["lud"]] = folder / "traces" / f"{entry['id']}.jsonl.gz"
    return found


def _examine(path: Path, options: argparse.Namespace, traces: dict[str, Path]) -> tuple[str, str, int]:
    try:
        slow = interpreter_of(path)
        full = path.resolve().as_posix()
        record = next((trace for lud, trace in traces.items() if full.endswith(lud)), None)
        if record is not None:
            replayed = replay(slow, read_trials(record), options.plies, options.seconds)
            if replayed.difference is not None:
                return "unlike record", str(replayed.difference), 0
        game = load(path)
        seeds = range(options.seed, options.seed + options.games)
        result = compare(slow, game, seeds, options.plies, options.seconds)
    except NotCovered as missing:
        return "not covered", str(missing), 0
    except RecursionError:
        return "not covered", "rules that nest too deep", 0
    except LudoportError as error:
        return "not compiled", str(error), 0
    if result.difference is not None:
        return "differ", str(result.difference), result.positions
    if not result.positions:
        return "no time", f"no position in {options.seconds:g} s", 0
    return "agree", f"{result.positions} positions", result.positions


if __name__ == "__main__":
    sys.exit(main())
