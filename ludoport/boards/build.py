"""From a bound board description to a graph and a board."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.boards import editing, mancala, operators, surakarta
from ludoport.boards.board import Board, BoardOptions
from ludoport.boards.entries import add_elements, check_entries, remove_elements
from ludoport.boards.generate import GENERATORS, GraphMaker
from ludoport.boards.generators import hexagonal, square, triangular
from ludoport.boards.graph import Graph
from ludoport.boards.measure.marks import KINDS
from ludoport.boards.values import integer, integer_or, items, polygon, real, truth, word
from ludoport.errors import LudError, LudoportError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value

FARTHEST = 1_000_000
"""Coordinates beyond this are refused; rounding would spoil what is measured."""


def build_graph(ludeme: Ludeme, kind: str = "Cell") -> Graph:
    """The graph that a generator or operator makes.

    Args:
        ludeme: such as ``(hex 5)`` or ``(rotate 90 (square 3))``.
        kind: the kind of site that play is on; square grids count cells or points by it.

    Raises:
        LudError: if the description is wrong.
        UnsupportedError: if the generator is not known.
    """
    maker = MAKERS.get(ludeme.keyword)
    if maker is None and ludeme.keyword.startswith("tiling "):
        maker = MAKERS.get("tiling")
    if maker is None:
        raise UnsupportedError(f"({ludeme.keyword} ...) is not a known board generator.", ludeme.source)
    graph = maker(ludeme, kind)
    if any(not max(abs(vertex.x), abs(vertex.y), abs(vertex.z)) <= FARTHEST for vertex in graph.vertices):
        raise LudError(f"a point of this board is farther than {FARTHEST:,} from the middle", ludeme.source)
    return graph


def build_board(ludeme: Ludeme) -> Board:
    """The board that ``(board ...)``, ``(mancalaBoard ...)``, ``(surakartaBoard ...)`` or ``(boardless ...)`` makes."""
    maker = BOARDS.get(ludeme.keyword)
    if maker is None:
        raise UnsupportedError(f"({ludeme.keyword} ...) is not a known board.", ludeme.source)
    try:
        return maker(ludeme)
    except LudError:
        raise
    except LudoportError as error:  # generators know sizes and shapes, and not where these are written
        raise LudError(str(error), ludeme.source) from None


def _graph_argument(ludeme: Ludeme, *names: str) -> Ludeme:
    for name in names:
        value = ludeme.get(name)
        if isinstance(value, Ludeme):
            return value
    raise LudError(f"({ludeme.keyword} ...) needs a graph.", ludeme.source)


def _graphs(ludeme: Ludeme, kind: str) -> list[Graph]:
    values: list[Value] = items(ludeme.get("graphs"))
    values += [value for name in ("graphA", "graphB") for value in items(ludeme.get(name))]
    found = [build_graph(value, kind) for value in values if isinstance(value, Ludeme)]
    if not found:
        raise LudError(f"({ludeme.keyword} ...) needs graphs.", ludeme.source)
    return found


def _inner(ludeme: Ludeme, kind: str) -> Graph:
    return build_graph(_graph_argument(ludeme, "graph", "graphFn"), kind)


def _rotate(ludeme: Ludeme, kind: str) -> Graph:
    return operators.rotate(_inner(ludeme, kind), real(ludeme.get("degreesFn")))


def _shift(ludeme: Ludeme, kind: str) -> Graph:
    dz = ludeme.get("dz")
    offsets = (real(ludeme.get("dx")), real(ludeme.get("dy")), 0.0 if dz is None else real(dz))
    return operators.shift(_inner(ludeme, kind), *offsets)


def _union(ludeme: Ludeme, kind: str) -> Graph:
    return operators.union(_graphs(ludeme, kind), connect=truth(ludeme.get("connect")))


def _merge(ludeme: Ludeme, kind: str) -> Graph:
    return operators.merge(_graphs(ludeme, kind), connect=truth(ludeme.get("connect")))


def _intersect(ludeme: Ludeme, kind: str) -> Graph:
    return operators.intersect(_graphs(ludeme, kind))


def _scale(ludeme: Ludeme, kind: str) -> Graph:
    sx = real(ludeme.get("scaleX"))
    sy, sz = ludeme.get("scaleY"), ludeme.get("scaleZ")
    return operators.scale(_inner(ludeme, kind), sx, sx if sy is None else real(sy), 1.0 if sz is None else real(sz))


def _skew(ludeme: Ludeme, kind: str) -> Graph:
    return operators.skew(_inner(ludeme, kind), real(ludeme.get("amount")))


def _add(ludeme: Ludeme, kind: str) -> Graph:
    check_entries(ludeme)
    return add_elements(ludeme, _inner(ludeme, kind) if isinstance(ludeme.get("graph"), Ludeme) else Graph())


def _remove(ludeme: Ludeme, kind: str) -> Graph:
    check_entries(ludeme)
    return remove_elements(ludeme, _inner(ludeme, kind))


def _hole(ludeme: Ludeme, kind: str) -> Graph:
    return editing.hole(_inner(ludeme, kind), polygon(ludeme.get("poly")))


def _keep(ludeme: Ludeme, kind: str) -> Graph:
    return editing.keep(_inner(ludeme, kind), polygon(ludeme.get("poly")))


def _clip(ludeme: Ludeme, kind: str) -> Graph:
    return editing.keep(_inner(ludeme, kind), polygon(ludeme.get("poly")), inside=False)


def _dual(ludeme: Ludeme, kind: str) -> Graph:
    return operators.dual(_inner(ludeme, kind))


def _complete(ludeme: Ludeme, kind: str) -> Graph:
    return operators.complete(_inner(ludeme, kind), each_cell=truth(ludeme.get("eachCell")))


def _subdivide(ludeme: Ludeme, kind: str) -> Graph:
    return editing.subdivide(_inner(ludeme, kind), integer_or(ludeme.get("min"), 1), kind)


def _split(ludeme: Ludeme, kind: str) -> Graph:
    return editing.split_crossings(_inner(ludeme, kind))


def _layers(ludeme: Ludeme, kind: str) -> Graph:
    return operators.layers([_inner(ludeme, kind) for _ in range(max(1, integer(ludeme.get("layers"))))])


def _trim(ludeme: Ludeme, kind: str) -> Graph:
    graph = _inner(ludeme, kind)
    graph.trim()
    return graph


def _make_faces(ludeme: Ludeme, kind: str) -> Graph:
    graph = _inner(ludeme, kind)
    graph.make_faces(check_crossings=True)
    return graph


def _renumber(ludeme: Ludeme, kind: str) -> Graph:
    graph = _inner(ludeme, kind)
    named = {word(ludeme.get(name)) for name in ("siteTypeA", "siteTypeB", "siteTypeC")} - {""}
    graph.reorder([name for name in KINDS if not named or name in named])
    return graph


MAKERS: dict[str, GraphMaker] = {
    **GENERATORS,
    "rotate": _rotate,
    "shift": _shift,
    "scale": _scale,
    "skew": _skew,
    "union": _union,
    "merge": _merge,
    "intersect": _intersect,
    "add": _add,
    "remove": _remove,
    "hole": _hole,
    "keep": _keep,
    "clip": _clip,
    "dual": _dual,
    "complete": _complete,
    "subdivide": _subdivide,
    "splitCrossings": _split,
    "layers": _layers,
    "trim": _trim,
    "makeFaces": _make_faces,
    "renumber": _renumber,
    "recoordinate": _inner,
}


def _options(ludeme: Ludeme) -> BoardOptions:
    return BoardOptions(
        tracks=items(ludeme.get("tracks")) + items(ludeme.get("track")),
        values=items(ludeme.get("valuesArray")) + items(ludeme.get("values")),
        large_stack=truth(ludeme.get("largeStack")),
    )


def _board(ludeme: Ludeme) -> Board:
    kind = word(ludeme.get("use"), "Cell")
    return Board(build_graph(_graph_argument(ludeme, "graphFn", "graph"), kind), kind, _options(ludeme))


def _mancala_board(ludeme: Ludeme) -> Board:
    rows, columns = integer(ludeme.get("rows")), integer(ludeme.get("columns"))
    store, stores = word(ludeme.get("store"), "Outer"), integer_or(ludeme.get("numStores"), 2)
    options = _options(ludeme)
    options.mancala = (rows, columns, store, stores)
    return Board(mancala.mancala(rows, columns, store, stores), "Vertex", options)


def _surakarta_board(ludeme: Ludeme) -> Board:
    board = Board(build_graph(_graph_argument(ludeme, "graphFn"), "Vertex"), "Vertex", _options(ludeme))
    loops = ludeme.get("loops")
    count = None if loops is None else integer(loops)
    board.options.loops = surakarta.loops_of(board, count, integer_or(ludeme.get("from"), 1))
    return board


def _boardless(ludeme: Ludeme) -> Board:
    tiling = word(ludeme.get("tiling"), "Square")
    size = integer_or(ludeme.get("dimension"), 21 if tiling == "Hexagonal" else 41)
    if tiling == "Square":
        graph = square.rectangle(size, size, "Cell")
    elif tiling == "Hexagonal":
        graph = hexagonal.hexagon(size)
    else:
        graph = triangular.triangle(size, "Cell")
    options = _options(ludeme)
    options.boardless = True
    return Board(graph, "Cell", options)


BOARDS: dict[str, Callable[[Ludeme], Board]] = {
    "board": _board,
    "mancalaBoard": _mancala_board,
    "surakartaBoard": _surakarta_board,
    "boardless": _boardless,
}
