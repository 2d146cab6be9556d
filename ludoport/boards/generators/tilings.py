"""Semi-regular tilings, named by the polygons around a vertex."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from typing import TypeAlias

from ludoport.boards.generators.outlines import four_way_walk, six_way_walk
from ludoport.boards.geometry import Point, bounds, in_polygon, inflate
from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size
from ludoport.errors import LudoportError

_Lattice: TypeAlias = Callable[[int, int], Point]

_S3 = math.sqrt(3)


def _hexagon_and_squares() -> list[Point]:
    height = _S3 / 2
    points = [(-0.5, height), (0.5, height), (1.0, 0.0), (0.5, -height), (-0.5, -height), (-1.0, 0.0)]
    reach = (1 + _S3 / 2.0) / math.cos(math.radians(15))
    for n in range(12):
        theta = math.radians(15 + n * 30)
        points.append((reach * math.cos(theta), reach * math.sin(theta)))
    return points


def _dodecagon() -> list[Point]:
    radius = 1 / math.sqrt(2 - _S3)
    angles = [math.pi / 12 + s / 12.0 * 2 * math.pi for s in range(12)]
    return [(radius * math.cos(angle), radius * math.sin(angle)) for angle in angles]


def _swapped(points: Iterable[Point]) -> list[Point]:
    return [(y, x) for x, y in points]


_V = 1 + 2 / math.sqrt(2)
_OCTAGON = [
    *((0.5, _V / 2), (_V / 2, 0.5), (_V / 2, -0.5), (0.5, -_V / 2)),
    *((-0.5, -_V / 2), (-_V / 2, -0.5), (-_V / 2, 0.5), (-0.5, _V / 2)),
]
_HEXAGON = [
    (0.0, 1.0),
    (_S3 / 2, 0.5),
    (_S3 / 2, -0.5),
    (0.0, -1.0),
    (-_S3 / 2, -0.5),
    (-_S3 / 2, 0.5),
]
_STARRED_HEXAGON = [
    (x * 0.5, y * _S3 / 2)
    for x, y in (
        *((-1, 1), (1, 1), (2, 0), (1, -1), (-1, -1), (-2, 0)),
        *((-2, 2), (0, 2), (2, 2), (3, 1), (4, 0), (3, -1), (2, -2), (0, -2), (-2, -2), (-3, -1), (-4, 0), (-3, 1)),
    )
]
_CAIRO_DUAL = [
    ((a * 1 + b * _S3) / 2, (c * 1 + d * _S3) / 2)
    for a, b, c, d in (
        *((-1, 0, -1, -1), (1, 0, -1, -1), (-1, -1, 0, -1), (1, 1, 0, -1), (0, 0, -1, 0), (-2, -1, 0, 0)),
        *((0, -1, 0, 0), (0, 1, 0, 0), (2, 1, 0, 0), (0, 0, 1, 0), (-1, -1, 0, 1), (1, 1, 0, 1)),
        *((-1, 0, 1, 1), (1, 0, 1, 1)),
    )
]
_SQUARE = [(0.0, 0.0), (0.0, 1.0), (1.0, 1.0), (1.0, 0.0)]


def _at_488(row: int, column: int) -> Point:
    return (column * _V, row * _V)


def _at_3636(row: int, column: int) -> Point:
    return (2 * (column - 0.5 * row), _S3 * row)


def _at_33344(row: int, column: int) -> Point:
    return (column + 0.5 * row, row * (1 + _S3 / 2))


def _at_3464(row: int, column: int) -> Point:
    return ((3 + _S3) / 2 * (column - row), (1 + _S3) * (row + column) * 0.5)


def _at_3464_rows(row: int, column: int) -> Point:
    return ((1 + _S3) * (column - 0.5 * row), (3 + _S3) / 2 * row)


def _at_33434(row: int, column: int) -> Point:
    return ((1 + _S3) / 2 * (column - row), (1 + _S3) / 2 * (row + column))


def _at_33336(row: int, column: int) -> Point:
    return (column * 2.5 - row * 2, row * _S3 + column * _S3 / 2)


def _at_31212(row: int, column: int) -> Point:
    return ((column - 0.5 * row) * 3.7320508, row * 3.7320508 * _S3 / 2)


def _at_4612(row: int, column: int) -> Point:
    return ((column - 0.5 * row) * 4.7320508, row * 4.7320508 * _S3 / 2)


def _at_333333_33434(row: int, column: int) -> Point:
    return ((1.5 + _S3) * (column - row), (2 + _S3) * (row + column) * 0.5)


def _place(middles: Iterable[Point], satellites: Sequence[Point]) -> Graph:
    return Graph.from_cells([[(x + dx, y + dy) for dx, dy in satellites] for x, y in middles])


def _finish(graph: Graph, name: str, shape: str, dim: tuple[int, ...]) -> Graph:
    graph.basis, graph.shape, graph.dim = name, shape, dim
    graph.reorder()
    return graph


def _in_hexagon(size: int) -> list[tuple[int, int]]:
    span = 2 * size - 1
    check_size(12 * size * size)
    return [(r, c) for r in range(span) for c in range(span) if abs(r - c) <= span // 2]


_HEXAGONS: dict[str, tuple[_Lattice, list[Point]]] = {
    "T3464": (_at_3464, _hexagon_and_squares()),
    "T4612": (_at_4612, _dodecagon()),
    "T31212": (_at_31212, _dodecagon()),
    "T33336": (_at_33336, _STARRED_HEXAGON),
    "T3636": (_at_3636, _swapped(_HEXAGON)),
    "T333333_33434": (_at_333333_33434, _hexagon_and_squares()),
}


def of_size(name: str, a: int, b: int | None) -> Graph:
    """A tiling in its usual outline.

    Args:
        name: such as ``T3464``.
        a: size, or rows.
        b: columns, where the tiling has a form with two dimensions.
    """
    if name == "T488":
        columns = a if b is None else b
        check_size(a * columns * 4)
        graph = _place((_at_488(r, c) for r in range(a) for c in range(columns)), _OCTAGON)
        # The only tiling that keeps the order in which its points were laid.
        graph.basis, graph.shape, graph.dim = name, "Square" if a == columns else "Rectangle", (a, columns)
        return graph
    if name == "T33344":
        columns = a if b is None else b
        check_size(a * columns * 3)
        middles = (_at_33344(r, c) for r in range(a) for c in range(columns))
        return _finish(_place(middles, _swapped(_SQUARE)), name, "Rhombus", (a, columns))
    if name == "T33434":
        check_size(a * a * 6)
        middles = (_at_33434(r, c) for r in range(a) for c in range(a))
        return _finish(_place(middles, _CAIRO_DUAL), name, "Diamond", (a,))
    if name not in _HEXAGONS:
        raise LudoportError(f"unknown tiling `{name}`")
    lattice, satellites = _HEXAGONS[name]
    if b is None or name not in ("T3464", "T3636"):
        return _finish(_place((lattice(r, c) for r, c in _in_hexagon(a)), satellites), name, "Hexagon", (a,))
    rows, columns = (a, b) if name == "T3464" else (2 * a - 1, 2 * b - 1)
    check_size(rows * columns * 6)
    middles = (lattice(r, c) for r in range(rows) for c in range(columns))
    return _finish(_place(middles, satellites), name, "Rhombus", (a, b))


_OUTLINES: dict[str, tuple[_Lattice, list[Point]]] = {
    "T3464": (_at_3464_rows, _swapped(_hexagon_and_squares())),
    "T3636": (_at_3636, _swapped(_HEXAGON)),
    "T33344": (_at_33344, _swapped(_SQUARE)),
    "T488": (_at_488, _OCTAGON),
}


def outline(name: str, corners: Sequence[Point]) -> Graph:
    """The tiles whose centres are inside a polygon; tilings without free outlines use a small standard one."""
    if name == "T33434":
        graph = of_size(name, 5, None)
        grown = inflate(corners, 0.1)
        kept = [v for v in graph.vertices if in_polygon(v.point, grown)]
        inside = set(kept)
        return Graph.rebuilt(kept, [e for e in graph.edges if e.a in inside and e.b in inside])
    if name not in _OUTLINES:
        return of_size(name, _standard_size(name), None)
    lattice, satellites = _OUTLINES[name]
    grown = inflate(corners, 0.1)
    x, y, width, height = bounds(grown)
    rows, columns = range(int(y) - 2, int(y + height) + 3), range(int(x) - 2, int(x + width) + 3)
    check_size(len(rows) * len(columns) // 4)
    middles = (lattice(r, c) for r in rows for c in columns)
    return _finish(_place((m for m in middles if in_polygon(m, grown)), satellites), name, "Custom", ())


def _standard_size(name: str) -> int:
    return 2 if name == "T333333_33434" else 3


def of_sides(name: str, sides: Sequence[int]) -> Graph:
    """The board inside an outline walked by side lengths."""
    if name == "T488":
        return outline(name, four_way_walk(sides, ((0, 1), (1, 0), (0, -1), (-1, 0))))
    if name not in _OUTLINES:
        return of_size(name, _standard_size(name), None)
    return outline(name, six_way_walk(_OUTLINES[name][0], sides))
