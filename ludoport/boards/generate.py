"""Graphs of board generators, such as ``(hex 5)``."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

from ludoport.boards.generators import (
    brick,
    celtic,
    concentric,
    hexagonal,
    quadhex,
    shapes,
    square,
    tilings,
    triangular,
)
from ludoport.boards.generators.outlines import four_way_walk
from ludoport.boards.graph import Graph
from ludoport.boards.values import integer, integer_or, items, points, polygon, reals, truth, word
from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme

GraphMaker: TypeAlias = Callable[[Ludeme, str], Graph]
"""Makes the graph of a ludeme; the text is the kind of site that play is on."""


def _square(ludeme: Ludeme, kind: str) -> Graph:
    diagonals = word(ludeme.get("diagonals"))
    if ludeme.get("poly") is not None:
        return square.outline(polygon(ludeme.get("poly")), diagonals)
    if ludeme.get("sides") is not None:
        return square.outline(four_way_walk([integer(v) for v in items(ludeme.get("sides"))]), diagonals)
    size = integer(ludeme.get("dim"))
    shape = word(ludeme.get("shape"), "Square")
    if shape == "Diamond":
        return square.diamond(size, diagonals)
    columns = size + 1 if shape == "Limping" else size
    return square.rectangle(size, columns, kind, diagonals, pyramid=truth(ludeme.get("pyramidal")))


def _rectangle(ludeme: Ludeme, kind: str) -> Graph:
    rows = integer(ludeme.get("dimA"))
    columns = integer_or(ludeme.get("dimB"), rows)
    return square.rectangle(rows, columns, kind, word(ludeme.get("diagonals")))


def _hex(ludeme: Ludeme, kind: str) -> Graph:
    if ludeme.get("poly") is not None:
        return hexagonal.outline(polygon(ludeme.get("poly")))
    if ludeme.get("sides") is not None:
        return hexagonal.of_sides([integer(v) for v in items(ludeme.get("sides"))])
    a = integer(ludeme.get("dimA"))
    b = ludeme.get("dimB")
    shape = word(ludeme.get("shape"), "Hexagon")
    if shape == "Hexagon":
        return hexagonal.hexagon(a) if b is None else hexagonal.of_sides([a, integer(b)])
    if shape == "Limping":
        return hexagonal.of_sides([a, a + 1])
    if shape == "Diamond":
        return hexagonal.diamond(a)
    if shape == "Triangle":
        return hexagonal.triangle(a)
    if shape == "Star":
        return hexagonal.star(a)
    if shape == "Prism":
        return hexagonal.prism(a, integer_or(b, a))
    if shape in ("Rectangle", "Square"):
        return hexagonal.rectangle(a, a if shape == "Square" else integer_or(b, a))
    raise LudError(f"There is no {shape} on a hexagonal tiling.", ludeme.source)


def _tri(ludeme: Ludeme, kind: str) -> Graph:
    if ludeme.get("poly") is not None:
        return triangular.outline(polygon(ludeme.get("poly")))
    if ludeme.get("sides") is not None:
        return triangular.of_sides([integer(v) for v in items(ludeme.get("sides"))])
    a = integer(ludeme.get("dimA"))
    b = integer_or(ludeme.get("dimB"), a)
    shape = word(ludeme.get("shape"), "Triangle")
    makers: dict[str, Callable[[], Graph]] = {
        "Hexagon": lambda: triangular.hexagon(a, kind),
        "Triangle": lambda: triangular.triangle(a, kind),
        "Diamond": lambda: triangular.diamond(a, kind),
        "Prism": lambda: triangular.prism(a, b, kind),
        "Square": lambda: triangular.rectangle(a, a, kind),
        "Rectangle": lambda: triangular.rectangle(a, b, kind),
        "Star": lambda: triangular.star(a),
        "Limping": lambda: triangular.of_sides([a, a + 1]),
    }
    if shape not in makers:
        raise LudError(f"There is no {shape} on a triangular tiling.", ludeme.source)
    return makers[shape]()


def _brick(ludeme: Ludeme, kind: str) -> Graph:
    a = integer(ludeme.get("dimA"))
    b = integer_or(ludeme.get("dimB"), a)
    trim = truth(ludeme.get("trim"))
    shape = word(ludeme.get("shape"), "Rectangle")
    if shape == "Spiral":
        return brick.spiral(a)
    if shape == "Diamond":
        return brick.diamond(a, trim=trim)
    if shape == "Prism":
        return brick.diamond(a, b, trim=trim)
    return brick.rectangle(a, a + 1 if shape == "Limping" else b, trim=trim)


def _concentric(ludeme: Ludeme, kind: str) -> Graph:
    if ludeme.get("cells") is not None:
        counts = [integer(v) for v in items(ludeme.get("cells"))]
        return concentric.circle(counts, kind, stagger=truth(ludeme.get("stagger")))
    rings = integer_or(ludeme.get("rings"), 3)
    shape = word(ludeme.get("shape"))
    if shape == "Target":
        steps = ludeme.get("steps")
        return concentric.target(rings, kind) if steps is None else concentric.circle([integer(steps)] * rings, kind)
    sides = {"Triangle": 3, "Square": 4, "Hexagon": 6}.get(shape)
    return concentric.polygons(
        integer(ludeme.get("sides")) if sides is None else sides,
        rings,
        kind,
        midpoints=truth(ludeme.get("midpoints"), True),
        join_midpoints=truth(ludeme.get("joinMidpoints"), True),
        join_corners=truth(ludeme.get("joinCorners")),
    )


def _wedge(ludeme: Ludeme, kind: str) -> Graph:
    return shapes.wedge(integer(ludeme.get("rows")), integer_or(ludeme.get("columns"), 3))


def _regular(ludeme: Ludeme, kind: str) -> Graph:
    return shapes.regular(integer(ludeme.get("numSides")), kind, star=ludeme.get("star") is not None)


def _spiral(ludeme: Ludeme, kind: str) -> Graph:
    clockwise = truth(ludeme.get("clockwise"), True)
    return shapes.spiral(integer(ludeme.get("turns")), integer(ludeme.get("sites")), clockwise=clockwise)


def _repeat(ludeme: Ludeme, kind: str) -> Graph:
    polygons = [polygon(v) for v in items(ludeme.get("polys")) + items(ludeme.get("poly"))]
    rows, columns = integer(ludeme.get("rows")), integer(ludeme.get("columns"))
    return shapes.repeat(rows, columns, points(ludeme.get("step")), polygons)


def _tiling(ludeme: Ludeme, kind: str) -> Graph:
    name = ludeme.keyword.partition(" ")[2] or word(ludeme.get("tiling"))
    if ludeme.get("poly") is not None:
        return tilings.outline(name, polygon(ludeme.get("poly")))
    if ludeme.get("sides") is not None:
        return tilings.of_sides(name, [integer(v) for v in items(ludeme.get("sides"))])
    b = ludeme.get("dimB")
    return tilings.of_size(name, integer(ludeme.get("dimA")), None if b is None else integer(b))


def _celtic(ludeme: Ludeme, kind: str) -> Graph:
    if ludeme.get("poly") is not None:
        return celtic.outline(polygon(ludeme.get("poly")))
    if ludeme.get("sides") is not None:
        return celtic.outline(celtic.corners_from_sides([integer(v) for v in items(ludeme.get("sides"))]))
    rows = integer(ludeme.get("rows"))
    return celtic.of_size(rows, integer_or(ludeme.get("columns"), rows))


def _quadhex(ludeme: Ludeme, kind: str) -> Graph:
    return quadhex.quadhex(integer(ludeme.get("layers")), thirds=truth(ludeme.get("thirds")))


def _explicit(ludeme: Ludeme, kind: str) -> Graph:
    pairs = [[integer(v) for v in items(pair)] for pair in items(ludeme.get("edges"))]
    places = [reals(v) for v in items(ludeme.get("vertices"))]
    for pair in pairs:
        if len(pair) != 2 or not all(0 <= n < len(places) for n in pair):
            raise LudError("An edge of (graph ...) needs two numbers of vertices.", ludeme.source)
    return Graph.from_lists(places, pairs)


GENERATORS: dict[str, GraphMaker] = {
    "square": _square,
    "rectangle": _rectangle,
    "hex": _hex,
    "tri": _tri,
    "brick": _brick,
    "celtic": _celtic,
    "quadhex": _quadhex,
    "tiling": _tiling,
    "concentric": _concentric,
    "wedge": _wedge,
    "regular": _regular,
    "spiral": _spiral,
    "repeat": _repeat,
    "graph": _explicit,
}
