"""The GPU bench: random games of several variants on a CUDA device, in batches of growing size."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.game import Game, load
from ludoport.kernels.cuda import playouts
from ludoport.kernels.cuda_batch import playouts_here

BATCHES = (1 << 16, 1 << 20, 1 << 22)
"""Numbers of games played at once."""

CHECKED = 256
"""Games that are compared with the CPU, to the last integer."""


@dataclass(frozen=True, slots=True)
class GpuCase:
    """A game to measure.

    Attributes:
        id: its name in tables.
        game: the bundled game.
        options: its options.
        limit: most moves of one game.
        share: divisor of its batches, because its games are long.
    """

    id: str
    game: str
    options: tuple[str, ...] = ()
    limit: int = 1_000_000
    share: int = 1


CASES = (
    GpuCase("hex_11x11_no_swap", "Hex", ("Board Size/11x11", "Swap Rules/Off")),
    GpuCase("hex_11x11", "Hex", ("Board Size/11x11",)),
    GpuCase("breakthrough_8x8_square", "Breakthrough", ("Board Size/8x8", "Board/Square")),
    GpuCase("yavalath_5x5", "Yavalath"),
    GpuCase("gomoku_15x15", "Gomoku", ("Board Size/15x15",)),
    GpuCase("minishogi", "Minishogi", share=64),
    GpuCase("chess", "Chess", share=64),
)
"""Games that are measured by default."""


@dataclass(frozen=True, slots=True)
class GpuRow:
    """One batch of one variant.

    Attributes:
        id: the variant.
        batch: number of games.
        seconds: duration, without compiling and without bringing results back.
        moves_per_second: moves per second.
        playouts_per_second: games per second.
        mean_moves: moves per game.
        compile_seconds: compiling the kernels for the device.
        identical: whether the first games were the same on the CPU.
        failure: why nothing was measured.
    """

    id: str
    batch: int = 0
    seconds: float = 0.0
    moves_per_second: float = 0.0
    playouts_per_second: float = 0.0
    mean_moves: float = 0.0
    compile_seconds: float = 0.0
    identical: bool = False
    failure: str | None = None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        return {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(self).items()}


HEAD = (
    "| variant | games at once | moves/s | playouts/s | moves per playout | seconds | compiling s | as on the CPU |\n"
    "|---|--:|--:|--:|--:|--:|--:|---|"
)


def line(row: GpuRow) -> str:
    """One row of the table, in Markdown."""
    if row.failure is not None:
        return f"| {row.id} | {row.failure} | | | | | | |"
    cells = [
        row.id,
        f"{row.batch:,}",
        f"{row.moves_per_second:,.0f}",
        f"{row.playouts_per_second:,.0f}",
        f"{row.mean_moves:.1f}",
        f"{row.seconds:.4f}",
        f"{row.compile_seconds:.1f}",
        "yes" if row.identical else "NO",
    ]
    return f"| {' | '.join(cells)} |"


def chosen(only: Sequence[str]) -> list[GpuCase]:
    """The cases to measure: all, or those whose name begins with one of these."""
    if not only:
        return list(CASES)
    picked = [case for case in CASES if any(case.id.startswith(name) for name in only)]
    if not picked:
        raise LudoportError(f"unknown case {' or '.join(only)}; choose from {', '.join(case.id for case in CASES)}")
    return picked


def rows(
    cases: Sequence[GpuCase], batches: Sequence[int] = BATCHES, repeats: int = 3, seed: int = 1
) -> Iterator[GpuRow]:
    """Measures cases one after the other; of several repeats the fastest counts.

    Args:
        cases: which.
        batches: numbers of games at once.
        repeats: number of runs of each batch, with other seeds each time.
        seed: the seed of the first game.
    """
    for case in cases:
        try:
            yield from _case_rows(case, batches, repeats, seed)
        except LudoportError as error:
            yield GpuRow(case.id, failure=str(error))


def _case_rows(case: GpuCase, batches: Sequence[int], repeats: int, seed: int) -> Iterator[GpuRow]:
    game = load(case.game, options=case.options)
    begin = time.perf_counter()
    playouts(game, 1, seed)
    compiled = time.perf_counter() - begin
    same = identical(game, CHECKED, seed, case.limit)
    for batch in batches:
        count = max(1, batch // case.share)
        runs = [playouts(game, count, seed + i * count, case.limit) for i in range(repeats)]
        best = max(runs, key=lambda run: run.moves_per_second)
        yield GpuRow(
            case.id,
            count,
            best.seconds,
            best.moves_per_second,
            best.playouts_per_second,
            best.moves / count,
            compiled,
            same,
        )


def identical(game: Game, count: int, seed: int = 1, limit: int = 1_000_000) -> bool:
    """Whether the device and the CPU play the same games."""
    return playouts(game, count, seed, limit, rows=True).same_as(playouts_here(game, count, seed, limit))
