"""Lists of points: those that differ, and those a unit apart."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence

from ludoport.boards.geometry import Point
from ludoport.boards.limits import check_size


def distinct_points(points: Iterable[Point], tolerance: float = 0.1) -> list[Point]:
    """The points in order, without those within a tolerance of an earlier one."""
    kept: list[Point] = []
    grid: dict[tuple[int, int], list[Point]] = {}
    for x, y in points:
        i, j = math.floor(x / tolerance), math.floor(y / tolerance)
        near = (p for a in (i - 1, i, i + 1) for b in (j - 1, j, j + 1) for p in grid.get((a, b), ()))
        if any(math.hypot(p[0] - x, p[1] - y) < tolerance for p in near):
            continue
        kept.append((x, y))
        grid.setdefault((i, j), []).append((x, y))
        check_size(len(kept))
    return kept


def unit_pairs(points: Sequence[Sequence[float]], unit: float = 1.0, *, space: bool = False) -> list[tuple[int, int]]:
    """Index pairs of points a unit apart within 0.01, by first and then second index.

    Args:
        points: in the plane or in space.
        unit: the distance to look for.
        space: measure in three dimensions instead of from above.
    """
    grid: dict[tuple[int, int], list[int]] = {}
    size = unit * 1.05
    for n, point in enumerate(points):
        grid.setdefault((math.floor(point[0] / size), math.floor(point[1] / size)), []).append(n)
    pairs: list[tuple[int, int]] = []
    for n, point in enumerate(points):
        i, j = math.floor(point[0] / size), math.floor(point[1] / size)
        found: list[int] = []
        for a in (i - 1, i, i + 1):
            for b in (j - 1, j, j + 1):
                for m in grid.get((a, b), ()):
                    if m <= n:
                        continue
                    other = points[m]
                    length = math.hypot(point[0] - other[0], point[1] - other[1])
                    if space and len(point) > 2:
                        length = math.hypot(length, point[2] - other[2])
                    if abs(length - unit) < 0.01:
                        found.append(m)
        pairs.extend((n, m) for m in sorted(found))
    return pairs
