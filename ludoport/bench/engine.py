"""The engine bench: every variant beside the figures of other engines, and how the cost grows with the board."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludoport.bench.figures import ludii, rivals
from ludoport.bench.measure import Measurement, measure_apart
from ludoport.errors import LudoportError
from ludoport.verify.variants import BUNDLED, Variant, choose, read_variants

CURVE = tuple(range(5, 20, 2))
"""Sizes of the Hex boards on the curve."""


@dataclass(frozen=True, slots=True)
class EngineRow:
    """One variant: our figures, those of others, and how often ours contains theirs."""

    id: str
    playouts_per_second: float = 0.0
    moves_per_second: float = 0.0
    mean_moves: float = 0.0
    ludii: float | None = None
    ratio: float | None = None
    rbg: float | None = None
    rbg_ratio: float | None = None
    rbg_option: str = ""
    rbg_playouts_per_second: float | None = None
    handwritten: float | None = None
    first_load_seconds: float | None = None
    cached_load_seconds: float | None = None
    peak_mb: float = 0.0
    failure: str | None = None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        return {key: round(value, 4) if isinstance(value, float) else value for key, value in asdict(self).items()}


@dataclass(frozen=True, slots=True)
class CurvePoint:
    """One board of the curve."""

    size: int
    sites: int
    playouts_per_second: float
    nanoseconds_per_move: float
    nanoseconds_per_playout_and_site: float


def chosen(only: Sequence[str]) -> list[Variant]:
    """The variants to measure: all, or those named (a name, or the beginning of several)."""
    variants = read_variants(BUNDLED)
    if not only:
        return list(variants.values())
    picked: dict[str, Variant] = {}
    for name in only:
        begun = {key: variant for key, variant in variants.items() if key.startswith(name)}
        exact = {name: variants[name]} if name in variants else begun
        picked |= exact or {name: choose(variants, name)}
    return list(picked.values())


def rows(variants: Sequence[Variant], seconds: float, loads: bool = True) -> Iterator[EngineRow]:
    """Measures variants one after the other.

    Args:
        variants: which.
        seconds: time for each.
        loads: also measure loading, with an empty cache and then from the cache.
    """
    for variant in variants:
        try:
            yield _row(variant, seconds, loads)
        except LudoportError as error:
            yield EngineRow(variant.id, ludii=ludii().get(variant.id), failure=str(error))


def curve(seconds: float, sizes: Sequence[int] = CURVE) -> Iterator[CurvePoint]:
    """Growth of the cost of a Hex playout with the number of sites."""
    for size in sizes:
        measured = measure_apart("Hex", [f"Board Size/{size}x{size}"], seconds)
        sites = size * size
        per_playout = 1e9 / measured.playouts_per_second
        yield CurvePoint(
            size, sites, measured.playouts_per_second, 1e9 / measured.moves_per_second, per_playout / sites
        )


def _row(variant: Variant, seconds: float, loads: bool) -> EngineRow:
    first: Measurement | None = None
    if loads:
        with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
            first = measure_apart(variant.game, variant.options, 0, Path(folder))
            ours = measure_apart(variant.game, variant.options, seconds, Path(folder))
    else:
        ours = measure_apart(variant.game, variant.options, seconds)
    theirs, rival = ludii().get(variant.id), rivals().get(variant.id)
    pps = ours.playouts_per_second
    same = pps
    if rival is not None and rival.option:
        same = measure_apart(variant.game, [*variant.options, rival.option], seconds).playouts_per_second
    return EngineRow(
        id=variant.id,
        playouts_per_second=pps,
        moves_per_second=ours.moves_per_second,
        mean_moves=ours.mean_moves,
        ludii=theirs,
        ratio=pps / theirs if theirs else None,
        rbg=rival.rbg if rival else None,
        rbg_ratio=same / rival.rbg if rival else None,
        rbg_option=rival.option if rival else "",
        rbg_playouts_per_second=same if rival else None,
        handwritten=rival.handwritten if rival else None,
        first_load_seconds=first.load_seconds if first else None,
        cached_load_seconds=ours.load_seconds if first else None,
        peak_mb=max(ours.peak_mb, first.peak_mb if first else 0.0),
    )
