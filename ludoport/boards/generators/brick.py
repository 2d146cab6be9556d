"""Brick tilings of 1 x 2 bricks."""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.boards.graph import Graph
from ludoport.boards.limits import check_size

_BRICK = ((0, 0), (0, 1), (1, 1), (2, 1), (2, 0), (1, 0))
_HALF = ((0, 0), (0, 1), (1, 1), (1, 0))
_STANDING = ((0, 0), (0, 1), (0, 2), (1, 2), (1, 1), (1, 0))


def _lay(graph: Graph, row: int, column: int, shape: Sequence[tuple[int, int]]) -> None:
    ring = [graph.find_or_add_vertex(float(column + dx), float(row + dy)) for dx, dy in shape]
    for a, b in zip(ring, [*ring[1:], ring[0]], strict=True):
        graph.find_or_add_edge(a, b)
    graph.add_face(ring)


def _lay_in_wall(graph: Graph, row: int, column: int, columns: int, *, trim: bool) -> None:
    if trim and column == 0:
        _lay(graph, row, column + 1, _HALF)
    elif trim and column >= columns - 1:
        _lay(graph, row, column, _HALF)
    else:
        _lay(graph, row, column, _BRICK)


def _finish(graph: Graph, shape: str, dim: tuple[int, ...]) -> Graph:
    graph.basis, graph.shape, graph.dim = "Brick", shape, dim
    graph.reorder()
    return graph


def rectangle(rows: int, bricks: int, *, trim: bool = False) -> Graph:
    """A wall; every second row is shifted by half a brick."""
    check_size(rows * bricks)
    columns = bricks * 2 + 1
    graph = Graph()
    for row in range(rows):
        for column in range(row % 2, columns, 2):
            _lay_in_wall(graph, row, column, columns, trim=trim)
    return _finish(graph, "Square" if rows == bricks else "Rectangle", (rows, bricks))


def diamond(side: int, middle: int = 0, *, trim: bool = False) -> Graph:
    """A wall in the shape of a diamond, or of a prism with a middle part."""
    check_size(side * (side + middle))
    columns = 2 * side
    graph = Graph()
    for row in range(2 * side + 2 * middle):
        for column in range((row + 1) % 2, columns, 2):
            if side - 1 <= row + column < 3 * side - 1 and column - row < side and row - column <= side:
                _lay_in_wall(graph, row, column, columns, trim=trim)
    return _finish(graph, "Prism" if middle else "Diamond", (side, middle or side))


def spiral(rings: int) -> Graph:
    """Bricks around half a brick, ring by ring."""
    check_size(4 * rings * rings)
    graph = Graph()
    _lay(graph, rings - 1, rings - 1, _HALF)
    for ring in range(1, rings):
        for n in range(0, 2 * ring, 2):
            _lay(graph, rings - ring + n, rings - ring - 1, _STANDING)
            _lay(graph, rings + ring - 1, rings - ring + n, _BRICK)
            _lay(graph, rings - ring - 1 + n, rings + ring - 1, _STANDING)
            _lay(graph, rings - ring - 1, rings - ring - 1 + n, _BRICK)
    return _finish(graph, "Spiral", (rings,))
