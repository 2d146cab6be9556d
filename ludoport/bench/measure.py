"""Measures one game in a process of its own, so that time and memory are those of this game alone.

Run as ``python -m ludoport.bench.measure GAME SECONDS [OPTION...]``, it prints one JSON object.
"""

from __future__ import annotations

import json
import os
import resource
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from ludoport.errors import LudoportError


@dataclass(frozen=True, slots=True)
class Measurement:
    """A measurement.

    Attributes:
        import_seconds: importing Ludoport and what it stands on.
        load_seconds: reading, compiling and the first playout.
        playouts_per_second: per CPU-second; 0 where speed was not asked for.
        moves_per_second: per CPU-second.
        mean_moves: moves per playout.
        peak_mb: the most memory the process had, in megabytes.
    """

    import_seconds: float
    load_seconds: float
    playouts_per_second: float
    moves_per_second: float
    mean_moves: float
    peak_mb: float


def measure_here(name: str, options: Sequence[str], seconds: float) -> Measurement:
    """Measures a game in this process; with ``seconds`` 0 only its loading."""
    begin = time.perf_counter()
    import ludoport as lp

    load = lp.load  # the first use of a name imports what is behind it
    imported = time.perf_counter()
    game = load(name, options=list(options))
    game.start().moves()
    game.playouts(count=1)
    loaded = time.perf_counter()
    pps = mps = mean = 0.0
    if seconds > 0:
        cpu = time.process_time()
        stats = game.playouts(seconds=seconds)
        cpu = time.process_time() - cpu
        pps, mps, mean = stats.playouts / cpu, stats.moves / cpu, stats.moves / stats.playouts
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return Measurement(
        imported - begin, loaded - imported, pps, mps, mean, peak / (1e6 if sys.platform == "darwin" else 1e3)
    )


def measure_apart(name: str, options: Sequence[str], seconds: float, cache: Path | None = None) -> Measurement:
    """Measures a game in a fresh process.

    Args:
        name: the game.
        options: its options.
        seconds: time to play; 0 for loading only.
        cache: the folder for compiled kernels; None for the usual one.
    """
    command = [sys.executable, "-m", "ludoport.bench.measure", name, str(seconds), *options]
    environment = dict(os.environ) if cache is None else {**os.environ, "LUDOPORT_CACHE": str(cache)}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        last = (done.stderr.strip().splitlines() or [f"exit code {done.returncode}"])[-1]
        raise LudoportError(f"{name}: cannot be measured: {last}")
    return Measurement(**json.loads(done.stdout))


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    name, seconds, *options = arguments
    try:
        print(json.dumps(asdict(measure_here(name, options, float(seconds)))))
    except LudoportError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
