"""The board of a rulesheet, which is read from the names of its facts, as shapes and figures."""

from __future__ import annotations

from collections.abc import Sequence

from ludoport.gdl.tensors import SheetBoard, coordinates, parts
from ludoport.kernels.geometry import Figure, Geometry, MoveSites, Site

EMPTY = frozenset({"b", "blank", "e", "empty", "nil", "none"})
"""Words by which rulesheets say that nothing stands on a cell."""

MARKS = frozenset({"x", "o"})
"""Words that are pictures of pieces, though they may be letters of players."""

IDLE = frozenset({"noop", "pass", "skip", "wait"})
"""Words by which rulesheets call doing nothing."""


def sheet_geometry(board: SheetBoard) -> Geometry:
    """The cells that facts speak of, as squares; nothing where there is no board."""
    if not board.real:
        return Geometry()
    sites = []
    for x, column in enumerate(board.columns):
        for y, row in enumerate(board.rows):
            outline = tuple((x + dx, y + dy) for dx, dy in ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5)))
            shown = outline if (x, y) in board.cells else ()
            sites.append(Site(f"{column} {row}", float(x), float(y), "cell", column, row, shown, (x + y) % 2))
    return Geometry(tuple(sites))


def sheet_figures(facts: Sequence[str], board: SheetBoard, roles: Sequence[str]) -> dict[int, list[Figure]]:
    """Figures of facts, by site; the owner is the role that a fact names, or whose name begins like a word of it."""
    found: dict[int, list[Figure]] = {}
    for fact in facts:
        term = parts(fact)
        places = list(coordinates(term, board))
        if len(places) != 1:
            continue
        place, cell = places[0]
        words = [*term[1:place], *term[place + 2 :]]
        if any(word in EMPTY for word in words):
            continue
        owner = next((number for word in words if (number := _owner(word, roles))), 0)
        name = " ".join(word for word in words if word in MARKS or not _owner(word, roles)) or (
            term[0] if not owner else ""
        )
        found.setdefault(board.number(cell), []).append(Figure(name, owner))
    return found


def sheet_move_sites(text: str, board: SheetBoard, mover: int) -> MoveSites:
    """The cells that a move names: one for a placement, or origin, cells between and destination."""
    term = parts(text)
    cells = [board.number(cell) for _, cell in coordinates(term, board)]
    if not cells:
        return MoveSites("pass" if term[0] in IDLE else "other")
    if len(cells) == 1:
        return MoveSites("place", None, cells[0], piece=Figure("", mover))
    return MoveSites("move", cells[0], cells[-1], tuple(cells[1:-1]))


def _owner(word: str, roles: Sequence[str]) -> int:
    fits = [number for number, role in enumerate(roles, 1) if role == word or role.startswith(word)]
    return fits[0] if len(fits) == 1 else 0
