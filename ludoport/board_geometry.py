"""The board and the pieces of a ludemic game as shapes and figures."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from numpy.typing import NDArray

from ludoport.boards.elements import Vertex
from ludoport.errors import LudError
from ludoport.kernels.geometry import Die, Figure, Geometry, HandSites, MoveSites, Site
from ludoport.kernels.source import Function
from ludoport.ludemes import Compiled
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.registry import region
from ludoport.ludemes.fields.dice import all_faces
from ludoport.ludemes.fields.large_pieces import covered
from ludoport.ludemes.fields.stacks import height_limit, max_height
from ludoport.notation import Labels


def board_geometry(program: Program) -> Geometry:
    """The board of a game, its hands, and whose side is where."""
    board, places = program.board, program.sites
    owners: dict[int, list[int]] = {}
    for player in range(1, program.n_players + 1):
        for site in _sides(program, player):
            owners.setdefault(site, []).append(player)
    lines = [] if board.kind == "Cell" else board.graph.edges
    sites = [_site(program, board.kind, number, tuple(owners.get(number, ()))) for number in range(places.n)]
    rack = _rack(program, sites)
    return Geometry(
        tuple(_upright(site, rack) for site in sites) if rack else tuple(sites),
        tuple(((edge.a.x, edge.a.y), (edge.b.x, edge.b.y)) for edge in lines),
        tuple(HandSites(hand.owner, tuple(range(hand.base, hand.base + hand.size))) for hand in program.hands),
        tuple(
            (base + number, _site(program, kind, number))
            for kind, base in program._kind_base.items()
            for number in range(board.sites(kind).n)
        ),
        rack,
    )


TALLEST_RACK = 12
"""Levels of a rack at most; higher piles are drawn from above."""


def _rack(program: Program, sites: Sequence[Site]) -> int:
    """Levels of a row of cells on which pieces are piled up to a limit that the text gives; 0 for other boards."""
    row = len(sites) > 1 and all(site.kind == "cell" and abs(site.y - sites[0].y) < 1e-6 for site in sites)
    if not program.stacking or not row:
        return 0
    return limit if 1 < (limit := height_limit(program)) <= TALLEST_RACK else 0


def _upright(site: Site, levels: int) -> Site:
    """A cell as a column of a rack; its centre is that of its lowest level."""
    top, bottom = max(y for _, y in site.outline), min(y for _, y in site.outline)
    more = (levels - 1) * (top - bottom)
    return replace(site, outline=tuple((x, y + more if y > site.y else y) for x, y in site.outline))


def _site(program: Program, kind: str, number: int, owners: tuple[int, ...] = ()) -> Site:
    """A site of a kind by its number among those."""
    places, graph = program.board.sites(kind), program.board.graph
    corners: Sequence[Vertex] = ()
    if kind == "Cell":
        corners = graph.faces[number].vertices
    elif kind == "Edge":
        corners = (graph.edges[number].a, graph.edges[number].b)
    column, row = re.fullmatch(r"([A-Za-z]*)(.*)", places.label[number]).groups()  # type: ignore[union-attr]
    return Site(
        label=places.label[number],
        x=places.x[number],
        y=places.y[number],
        kind=kind.lower(),
        column=column,
        row=row,
        outline=tuple((corner.x, corner.y) for corner in corners),
        shade=places.phase[number] if kind == "Cell" else 0,
        owners=owners,
    )


def figures(compiled: Compiled, state: NDArray[Any]) -> dict[int, list[Figure]]:
    """Pieces on each occupied site, from the bottom."""
    program, fields = compiled.program, compiled.fields
    values = [int(value) for value in state]
    height = max_height(program) if program.stacking else 1
    found: dict[int, list[Figure]] = {}
    roots = covered(program, fields, values)
    for site in range(program.n_sites):
        if program.stacking:
            places = [site * height + level for level in range(values[fields["HEIGHT"] + site])]
            names = {"WHAT": "LEVELS", "STATE": "STATES", "VALUE": "VALUES"}
        else:
            places, names = [roots.get(site, site)], {}
        for place in places:

            def held(name: str, otherwise: int, place: int = place, names: Mapping[str, str] = names) -> int:
                first = fields.get(names.get(name, name))
                return otherwise if first is None or (names and name not in names) else values[first + place]

            piece = held("WHAT", 0)
            if piece:
                shown = {name: held(name.upper(), 0) for name in ("state", "rotation", "value")}
                found.setdefault(site, []).append(_figure(compiled, piece, held("COUNT", 1), shown))
    return found


def _figure(compiled: Compiled, piece: int, count: int, shown: Mapping[str, int]) -> Figure:
    """A piece by its number; puzzles put numbers on sites instead."""
    program = compiled.program
    if "DOMAIN" in compiled.fields or piece >= len(program.components):
        return Figure(str(piece), 0, count, **shown)
    component, owner = program.components[piece], program.components[piece].owner
    if not 1 <= owner <= program.n_players:
        # Pieces that belong to both players, as in Reversi, show by their state whose they are now.
        owner = shown["state"] if shown["state"] <= program.n_players else 0
    return Figure(component.label, owner, count, **shown)


def move_sites(compiled: Compiled, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
    """Where a legal move of a position begins and ends."""
    texts = Labels(compiled, state)
    rule, start, end = texts.rule(move), texts.column(move, "FROM"), texts.column(move, "TO")
    kind = "pass" if rule is None else rule.spec.kind
    if start < 0 and end < 0:
        return MoveSites(kind if kind in ("pass", "swap") else "other")
    component = texts.component(move)
    piece = None if component is None else Figure(component.label, component.owner)
    if (value := texts.puzzle_value(move)) is not None:
        piece = Figure(str(value))
    if kind in ("add", "remove", "select", "promote"):
        site = end if end >= 0 else start
        return MoveSites({"add": "place"}.get(kind, kind), None, site, piece=piece)
    if kind not in ("move", "select2") or start == end:
        return MoveSites("other", None, end if end >= 0 else start, piece=piece)
    began, ended = (site if site >= 0 else None for site in (start, end))
    return MoveSites("move", began, ended, texts.between(move), piece, texts.level(move))


def shown_dice(compiled: Compiled, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
    """The dice as the player to move sees them.

    Most games roll while moves are listed, which leaves no trace in the position; the position after a move has it.
    """
    program, fields = compiled.program, compiled.fields
    if "DICE" not in fields:
        return []
    faces = all_faces(program)
    before, later = ([int(row[fields["FACES"] + k]) for k in range(len(faces))] for row in (state, after))
    left, then = ([int(row[fields["DICE"] + k]) for k in range(len(faces))] for row in (state, after))
    again = any(not old and new for old, new in zip(left, then, strict=True))
    rolled = before != later or again or state[fields["PREV"]] != state[fields["MOVER"]]
    values = [faces[k][face] for k, face in enumerate(later if rolled else before)]
    owners = [dice.owner if dice.owner <= program.n_players else 0 for dice in program.dice for _ in dice.faces]
    used = [not rolled and not rest and bool(value) for value, rest in zip(values, left, strict=True)]
    return [Die(*die) for die in zip(values, owners, used, strict=True)]


def _sides(program: Program, player: int) -> list[int]:
    """The sites of the regions that a player has without a name of their own, as the sides in Hex."""
    cx = program.root(Function("sides", []))
    found: list[int] = []
    for named in program.regions:
        if named.owner != player or not named.name.startswith("Region"):
            continue
        for part in named.parts:
            try:
                found += region(part, cx).static or ()
            except LudError:  # a region that changes is not a side of the board
                continue
    return [site for site in found if site < program.n_board]
