"""Layouts of playouts on a CUDA device side by side.

    python -m tools.gpu_plans Chess --plan "" --plan small=true --plan small=true,long=12
    python -m tools.gpu_plans Chess --plan "" --plan small=true --compile 9.0

A plan names what differs from the layout that is chosen for the game (`LaunchPlan` in ludoport/kernels/cuda_plan.py).
Each batch has the same games, and its first ones are compared with the CPU. With `--compile`, nothing is played: the
kernels are compiled into the cache for devices of a capability, which need not be here.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from dataclasses import fields, replace

from ludoport.errors import LudoportError
from ludoport.game import Game, load
from ludoport.kernels import cuda
from ludoport.kernels.cuda_absent import compile_absent, read_capability
from ludoport.kernels.cuda_apart import numba_types
from ludoport.kernels.cuda_batch import playouts_here
from ludoport.kernels.cuda_find import Capability, assume_capability
from ludoport.kernels.cuda_kernels import CudaKernels
from ludoport.kernels.cuda_plan import LaunchPlan, best_plan, row_bits

CHECKED = 64
"""Games that are compared with the CPU."""


def read_plan(text: str, chosen: LaunchPlan) -> LaunchPlan:
    """A layout with some settings changed, such as ``small=true,long=12``."""
    kinds = {field.name: type(field.default) for field in fields(LaunchPlan)}
    changes: dict[str, int | bool] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        if name not in kinds or not (value in ("true", "false") if kinds[name] is bool else value.isdecimal()):
            raise LudoportError(f"`{part}` is not a setting of a layout; choose from {', '.join(kinds)}")
        changes[name] = value == "true" if kinds[name] is bool else int(value)
    return replace(chosen, **changes)  # type: ignore[arg-type]


def compile_ahead(game: Game, plan: LaunchPlan, capability: Capability) -> int:
    """Compile the kernel that plays a batch for devices of a capability; returns the bytes of its file."""
    row = f"int{row_bits(game.rules.dtype)}"
    arguments = [("int64", 0)] * 3 + [("int16", 1), (row, 1), ("int32", 1), ("float32", 2), (row, 2)]
    function, types = CudaKernels(game.rules.source, plan).playouts(), numba_types(arguments)
    path = function._cache.path(types)
    return (path if path.exists() else compile_absent(function, types, capability)).stat().st_size


def measure(game: Game, plan: LaunchPlan, count: int, repeats: int) -> str:
    """Cells of a row: seconds of the first call, moves per second, and whether the games are those of the CPU."""
    begin = time.perf_counter()
    first = cuda.playouts(game, CHECKED, rows=True, plan=plan)
    ready = time.perf_counter() - begin
    same = first.same_as(playouts_here(game, CHECKED))
    best = max(cuda.playouts(game, count, 1 + i * count, plan=plan).moves_per_second for i in range(repeats))
    return f"{ready:.1f} | {best:,.0f} | {'yes' if same else 'NO'}"


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table for each game."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", nargs="+", metavar="GAME")
    parser.add_argument("--plan", action="append", metavar="NAME=VALUE,...", help="layout; may be repeated")
    parser.add_argument("--count", type=int, default=65_536, help="games at once")
    parser.add_argument("--repeats", type=int, default=3, help="batches of each layout; the fastest counts")
    parser.add_argument("--compile", metavar="X.Y", help="compile for this compute capability only")
    given = parser.parse_args(arguments)
    capability = read_capability(given.compile) if given.compile else None
    if capability:
        assume_capability(capability)
    print("| game | layout | bytes |\n|---|---|--:|" if capability else HEAD, flush=True)
    for name in given.games:
        game = load(name)
        for text in given.plan or [""]:
            plan = read_plan(text, best_plan(game))
            cells = f"{compile_ahead(game, plan, capability):,}" if capability else _tried(game, plan, given)
            print(f"| {game.name} | {text or 'chosen'} | {cells} |", flush=True)


HEAD = "| game | layout | ready after s | moves/s | as on the CPU |\n|---|---|--:|--:|---|"


def _tried(game: Game, plan: LaunchPlan, given: argparse.Namespace) -> str:
    """Row of a measurement, or of its failure; one layout that fails does not end the others."""
    try:
        return measure(game, plan, given.count, given.repeats)
    except Exception as error:  # also of the driver
        return f"failed: {str(error).splitlines()[0][:200]} | |"


if __name__ == "__main__":
    main()
