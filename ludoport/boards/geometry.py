"""Plane geometry with the tolerances that board measuring depends on."""

from __future__ import annotations

import math
import struct
from collections.abc import Sequence
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]

EPSILON = 1e-7


def float32(value: float) -> float:
    """The value as single precision stores it.

    Explicit vertex lists keep their positions in single precision, and numbering by position can hang on the last bits.
    """
    return float(struct.unpack("f", struct.pack("f", value))[0])


def distance(a: Point, b: Point) -> float:
    """Length of the segment ab."""
    return math.hypot(b[0] - a[0], b[1] - a[1])


def distance_to_line(point: Point, a: Point, b: Point) -> float:
    """Distance from a point to the infinite line through a and b."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    if abs(dx) + abs(dy) < EPSILON:
        return distance(point, a)
    cross = (point[1] - a[1]) * dx - (point[0] - a[0]) * dy
    return math.sqrt(cross * cross / (dx * dx + dy * dy))


def distance_to_segment(point: tuple[float, ...], a: tuple[float, ...], b: tuple[float, ...]) -> float:
    """Distance from a point to the segment ab, in as many dimensions as the points have."""
    ab = [q - p for p, q in zip(a, b, strict=True)]
    ap = [q - p for p, q in zip(a, point, strict=True)]
    length2 = sum(v * v for v in ab)
    if length2 < EPSILON:
        return math.sqrt(sum(v * v for v in ap))
    t = min(1.0, max(0.0, sum(u * v for u, v in zip(ap, ab, strict=True)) / length2))
    return math.sqrt(sum((u - t * v) ** 2 for u, v in zip(ap, ab, strict=True)))


def bend(a: Point, b: Point, c: Point) -> float:
    """How much the path a-b-c bends: the tangent of the angle, or infinity for a right angle and more."""
    vx, vy = b[0] - a[0], b[1] - a[1]
    ux, uy = c[0] - b[0], c[1] - b[1]
    along = ux * vx + uy * vy
    if along <= 0.0:
        return math.inf
    return abs((uy * vx - ux * vy) / along)


def turns_clockwise(a: Point, b: Point, c: Point) -> bool:
    """Whether a-b-c turns clockwise or runs straight on."""
    return (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]) < EPSILON


def side_of(point: Point, a: Point, b: Point) -> int:
    """1 if the point lies left of the line from a to b, -1 if right, 0 if on it."""
    cross = (b[0] - a[0]) * (point[1] - a[1]) - (b[1] - a[1]) * (point[0] - a[0])
    if cross < -EPSILON:
        return -1
    return 1 if cross > EPSILON else 0


def signed_area(polygon: Sequence[Point]) -> float:
    """Area of a polygon, negative if its points run clockwise."""
    total = 0.0
    for (ax, ay), (bx, by) in zip(polygon, [*polygon[1:], polygon[0]], strict=True):
        total += ax * by - bx * ay
    return total / 2.0


def in_polygon(point: Point, polygon: Sequence[Point]) -> bool:
    """Whether a point lies inside a polygon that may be concave."""
    x, y = point
    odd = False
    jx, jy = polygon[-1]
    for ix, iy in polygon:
        if (iy < y <= jy or jy < y <= iy) and (ix <= x or jx <= x) and ix + (y - iy) / (jy - iy) * (jx - ix) < x:
            odd = not odd
        jx, jy = ix, iy
    return odd


def inflate(polygon: Sequence[Point], amount: float) -> list[Point]:
    """A polygon with every corner moved outwards, so that points on its outline count as inside."""
    grown: list[Point] = []
    for n, b in enumerate(polygon):
        a, c = polygon[n - 1], polygon[(n + 1) % len(polygon)]
        sign = 1.0 if turns_clockwise(a, b, c) else -1.0
        into, out = _unit(a, b), _unit(c, b)
        grown.append((b[0] + sign * amount * (into[0] + out[0]) / 2, b[1] + sign * amount * (into[1] + out[1]) / 2))
    return grown


def _unit(a: Point, b: Point) -> Point:
    length = distance(a, b)
    if length < EPSILON:
        return (0.0, 0.0)
    return ((b[0] - a[0]) / length, (b[1] - a[1]) / length)


def bounds(points: Sequence[Point]) -> tuple[float, float, float, float]:
    """Bounding box as ``(x, y, width, height)``; all zero without points."""
    if not points:
        return (0.0, 0.0, 0.0, 0.0)
    xs = [p[0] for p in points]
    ys = [p[1] for p in points]
    return (min(xs), min(ys), max(xs) - min(xs), max(ys) - min(ys))


def _line_parameters(a0: Point, a1: Point, b0: Point, b1: Point) -> tuple[float, float] | None:
    ax, ay = a1[0] - a0[0], a1[1] - a0[1]
    bx, by = b1[0] - b0[0], b1[1] - b0[1]
    mx, my = b0[0] - a0[0], b0[1] - a0[1]
    det = bx * ay - by * ax
    if abs(det) < EPSILON:
        return None
    return ((bx * my - by * mx) / det, (ax * my - ay * mx) / det)


def crossing_point(a0: Point, a1: Point, b0: Point, b1: Point) -> Point | None:
    """Where two segments cross well inside both, if they do."""
    margin = 0.01
    st = _line_parameters(a0, a1, b0, b1)
    if st is None or not all(margin < v < 1 - margin for v in st):
        return None
    return (a0[0] + st[0] * (a1[0] - a0[0]), a0[1] + st[0] * (a1[1] - a0[1]))
