"""The bench as tables, in Markdown, which is readable in a terminal too."""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.bench.engine import CurvePoint, EngineRow

COLUMNS = (
    "variant",
    "playouts/s",
    "moves/s",
    "moves per playout",
    "Ludii",
    "times Ludii",
    "RBG",
    "times RBG",
    "first load s",
    "cached load s",
    "MB",
)
HEAD = f"| {' | '.join(COLUMNS)} |\n|---|{'--:|' * (len(COLUMNS) - 1)}"


def line(row: EngineRow) -> str:
    """One variant."""
    if row.failure is not None:
        return f"| {row.id} | {row.failure} | | | {_number(row.ludii)} | | | | | | |"
    cells = [
        row.id,
        _number(row.playouts_per_second),
        _number(row.moves_per_second),
        f"{row.mean_moves:.1f}",
        _number(row.ludii),
        _number(row.ratio, 1),
        _number(row.rbg),
        _number(row.rbg_ratio, 2),
        _number(row.first_load_seconds, 2),
        _number(row.cached_load_seconds, 2),
        _number(row.peak_mb),
    ]
    return f"| {' | '.join(cells)} |"


def totals(rows: Sequence[EngineRow]) -> str:
    """Summary of the table, in one paragraph."""
    ratios = sorted(row.ratio for row in rows if row.ratio is not None and row.failure is None)
    if not ratios:
        return "Nothing was measured."
    against = [row for row in rows if row.rbg_ratio is not None]
    ahead = sum(row.rbg_ratio is not None and row.rbg_ratio > 1 for row in against)
    many, very_many = (sum(ratio >= times for ratio in ratios) for times in (15, 100))
    return (
        f"{len(ratios)} of {len(rows)} variants measured: at least {ratios[0]:.1f} times Ludii, "
        f"median {ratios[len(ratios) // 2]:.0f}, {many} at 15 times or more, {very_many} at 100 times or more; "
        f"ahead of Regular Boardgames in {ahead} of {len(against)}."
    )


def curve_lines(points: Sequence[CurvePoint]) -> list[str]:
    """The curve of Hex boards."""
    lines = [
        "| Hex board | sites | playouts/s | ns per move | ns per playout and site |",
        "|---|--:|--:|--:|--:|",
    ]
    for point in points:
        lines.append(
            f"| {point.size}x{point.size} | {point.sites} | {_number(point.playouts_per_second)} | "
            f"{point.nanoseconds_per_move:.1f} | {point.nanoseconds_per_playout_and_site:.1f} |"
        )
    return lines


def _number(value: float | None, digits: int | None = None) -> str:
    """A figure with about three meaningful digits, empty for None."""
    if value is None:
        return ""
    if digits is None:
        digits = 0 if value >= 100 else 1
    return f"{value:,.{digits}f}"
