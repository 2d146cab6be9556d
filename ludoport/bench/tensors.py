"""The tensor bench: how fast state tensors and the slots of legal moves are written, on one core."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.bench.engine import chosen
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.tensors.layout import LayoutName
    from ludoport.verify.variants import Variant

BATCH = 4096
"""States of a batch."""

USUAL = ("hex_11x11", "yavalath_5x5", "gomoku_15x15", "breakthrough_8x8_square", "chess", "shogi")
"""Variants that are measured by default."""

TYPES = ("uint8", "float32")
"""Types of numbers that are written."""

HEAD = (
    "| variant | state tensor | moves | type | states/s | ns for planes | ns for slots | legal moves |\n"
    "|---|--:|--:|---|--:|--:|--:|--:|"
)


@dataclass(frozen=True, slots=True)
class TensorRow:
    """One variant with one type of numbers.

    Attributes:
        id: the variant.
        layout: the layout of the tensors.
        dtype: the type of numbers.
        batch: states of a batch.
        shape: shape of a state tensor.
        move_shape: shape of the tensor of moves.
        states_per_second: states per CPU-second, whose planes and whose legal moves' slots were written.
        planes_ns: nanoseconds of CPU time for the planes of one state.
        slots_ns: nanoseconds for listing the legal moves of one state and writing their slots.
        mean_moves: legal moves of one state.
        failure: why nothing was measured, if so.
    """

    id: str
    layout: str
    dtype: str
    batch: int
    shape: tuple[int, ...] = ()
    move_shape: tuple[int, ...] = ()
    states_per_second: float = 0.0
    planes_ns: float = 0.0
    slots_ns: float = 0.0
    mean_moves: float = 0.0
    failure: str | None = None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        return {key: round(value, 2) if isinstance(value, float) else value for key, value in asdict(self).items()}


def rows(
    names: Sequence[str] = (),
    seconds: float = 1.0,
    batch: int = BATCH,
    layout: LayoutName = "compact",
    types: Sequence[str] = TYPES,
) -> Iterator[TensorRow]:
    """Measures variants one after the other.

    Args:
        names: which, or beginnings of their names; the usual ones if none is given.
        seconds: CPU time for each figure.
        batch: states of a batch.
        layout: the layout of the tensors.
        types: types of numbers.
    """
    for variant in chosen(names or USUAL):
        for dtype in types:
            try:
                yield _row(variant, seconds, batch, layout, dtype)
            except LudoportError as error:
                yield TensorRow(variant.id, layout, dtype, batch, failure=str(error))


def line(row: TensorRow) -> str:
    """One row of the table, in Markdown."""
    if row.failure is not None:
        return f"| {row.id} | {row.failure} | | {row.dtype} | | | | |"
    shape, moves = ("x".join(map(str, given)) for given in (row.shape, row.move_shape))
    return (
        f"| {row.id} | {shape} | {moves} | {row.dtype} | {row.states_per_second:,.0f} | {row.planes_ns:,.0f} | "
        f"{row.slots_ns:,.0f} | {row.mean_moves:.1f} |"
    )


def _row(variant: Variant, seconds: float, batch: int, layout: LayoutName, dtype: str) -> TensorRow:
    import ludoport as lp
    from ludoport.tensors.encoder import TensorEncoder

    encoder = TensorEncoder(lp.load(variant.game, options=list(variant.options)), layout)
    states = encoder.wander(batch, seed=1)
    out = np.empty((batch, *encoder.layout.shape), dtype=dtype)
    planes = _nanoseconds(lambda: encoder.planes(*states, out=out), seconds) / batch
    slots = _nanoseconds(lambda: encoder.slots(states.rows), seconds) / batch
    return TensorRow(
        variant.id,
        layout,
        dtype,
        batch,
        encoder.layout.shape,
        encoder.layout.move_shape,
        1e9 / (planes + slots),
        planes,
        slots,
        len(encoder.slots(states.rows).slots) / batch,
    )


def _nanoseconds(work: Callable[[], object], seconds: float) -> float:
    """Mean CPU time of a call, over calls for about this long; the first one, which may compile, is left out."""
    work()
    begin = time.process_time()
    calls = 0
    while time.process_time() - begin < seconds:
        work()
        calls += 1
    return (time.process_time() - begin) / calls * 1e9
