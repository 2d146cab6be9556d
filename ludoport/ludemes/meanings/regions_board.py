"""Regions that the board fixes: rows, sides, corners, named regions, and the algebra of regions."""

from __future__ import annotations

from collections.abc import Callable

from ludoport.boards import Sites
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.known import entry_of, filtered
from ludoport.ludemes.core.region import (
    Difference,
    Filtered,
    Intersection,
    PerPlayer,
    Region,
    Static,
    Union,
)
from ludoport.ludemes.core.registry import condition, number, region, region_ludeme
from ludoport.ludemes.fields.facings import owner_facings
from ludoport.ludemes.fields.named_regions import named_region
from ludoport.ludemes.fields.site_kinds import as_numbers, is_mixed, kind_of
from ludoport.ludemes.meanings.arrays import array_region
from ludoport.ludemes.meanings.regions_state import expand_region, iterated_region, region_for_each
from ludoport.ludemes.meanings.regions_walks import walk_region

_PLAIN = {
    "sites Top": "top",
    "sites Bottom": "bottom",
    "sites Left": "left",
    "sites Right": "right",
    "sites Outer": "outer",
    "sites Inner": "inner",
    "sites Perimeter": "perimeter",
    "sites Corners": "corners",
    "sites Centre": "centre",
}
_RARE = {
    "sites ConvexCorners": "convex",
    "sites ConcaveCorners": "concave",
    "sites Major": "major",
    "sites Minor": "minor",
}


@region_ludeme(*_PLAIN, reads=[], known=True)
@region_ludeme(*_RARE, reads=[])
def plain(node: Ludeme, cx: Cx) -> Region:
    """A region that the board names."""
    base, sites = cx.program.kind_block(node.get("elementType"))
    return Static(tuple(base + s for s in getattr(sites, {**_PLAIN, **_RARE}[node.keyword])), cx.program)


@region_ludeme("sites Board", reads=[], known=True)
def board(node: Ludeme, cx: Cx) -> Region:
    """All sites of the board."""
    base, sites = cx.program.kind_block(node.get("elementType"))
    return Static(tuple(range(base, base + sites.n)), cx.program)


_GROUPS: dict[str, Callable[[Sites], list[list[int]]]] = {
    "sites Row": lambda s: s.rows,
    "sites Column": lambda s: s.columns,
    "sites Phase": lambda s: s.phases,
    "sites Layer": lambda s: s.layers,
}


@region_ludeme(*_GROUPS, reads=[], known=True)
def numbered(node: Ludeme, cx: Cx) -> Region:
    """A row, column, phase or layer by its number."""
    base, sites = cx.program.kind_block(node.get("elementType"))
    groups = _GROUPS[node.keyword](sites)
    index = number(node.get("index"), cx, 0)
    if isinstance(index, int):
        chosen = groups[index] if 0 <= index < len(groups) else []
        return Static(tuple(base + s for s in chosen), cx.program)
    name = cx.name(index)
    of_site = [-1] * cx.program.n_sites
    for k, group in enumerate(groups):
        for s in group:
            of_site[base + s] = k
    table = cx.program.module.table("GROUP", of_site)
    everything = Static(tuple(base + s for group in groups for s in group), cx.program)
    return Filtered(everything, lambda place, site: f"{table}[{site}] == {name}")


@region_ludeme("sites Side", reads=[], known=True)
def side(node: Ludeme, cx: Cx) -> Region:
    """A side of the board, by compass direction or by the player who faces it."""
    base, sites = cx.program.kind_block(node.get("elementType"))
    direction = node.get("direction")
    if direction is not None:
        return Static(tuple(base + s for s in sites.sides.get(str(direction), [])), cx.program)
    who = number(node.get("role") if node.get("role") is not None else node.get("player"), cx)
    facings = owner_facings(cx.program)
    choices = tuple(tuple(base + s for s in sites.sides.get(f, [])) for f in facings)
    if isinstance(who, int):
        return Static(entry_of(choices, who, ()), cx.program)
    return PerPlayer(cx.name(who), choices, cx.program)


@region_ludeme("sites", reads=[], known=True)
def sites(node: Ludeme, cx: Cx) -> Region:
    """Sites by label, by number, by a walk, or the regions of a player or of a name."""
    program = cx.program
    coords = node.get("coords")
    if isinstance(coords, list):
        base, kind = program.kind_block(node.get("elementType"))
        # Labels that the board does not have name no site.
        found = [kind.site_of(str(c)) for c in coords]
        return Static(tuple(base + site for site in found if site is not None), program)
    listed = node.get("sites")
    if isinstance(listed, list):
        # Where sites of another kind are meant, plain numbers count within that kind.
        shift = program.literal_base
        return region([item + shift if isinstance(item, int) else item for item in listed], cx)
    if node.get("array") is not None:
        return array_region(node.args["array"], cx)
    if node.get("possibleSteps") is not None:
        return walk_region(node, cx)
    name = str(node.args["name"]) if node.get("name") is not None else None
    who = node.get("role") if node.get("role") is not None else node.get("player")
    if name is None and who is None:
        return iterated_region(node, cx)
    return named_region(cx, name, who, node)


# Algebra -------------------------------------------------------------------------------------------


def _regions(node: Ludeme, cx: Cx) -> list[Region]:
    return [region(part, cx) for part in _parts(node)]


def _parts(node: Ludeme) -> list[Value]:
    values = node.get("regions")
    return list(values) if isinstance(values, list) else list(node.args.values())


def _one_kind(node: Ludeme, parts: list[Region], cx: Cx) -> list[Region]:
    """The parts of a region as sites of the kind that the board is played on, where they are of several kinds."""
    if not is_mixed(node, cx):
        return parts
    kinds = [kind_of(value, cx.program.board.kind) for value in _parts(node)]
    return [part if kind is None else as_numbers(part, kind, cx) for part, kind in zip(parts, kinds, strict=True)]


@region_ludeme("union", reads=[], known=True)
def union(node: Ludeme, cx: Cx) -> Region:
    """Sites that are in some part."""
    parts = _regions(node, cx)
    if all(p.static is not None for p in parts):
        merged = dict.fromkeys(s for p in parts if p.static is not None for s in p.static)
        return Static(tuple(merged), cx.program)
    return Union(parts)


@region_ludeme("intersection", reads=[], known=True)
def intersection(node: Ludeme, cx: Cx) -> Region:
    """Sites that are in every part."""
    parts = _one_kind(node, _regions(node, cx), cx)
    if all(p.static is not None for p in parts):
        first, *rest = [p.static or () for p in parts]
        return Static(tuple(s for s in first if all(s in other for other in rest)), cx.program)
    return Intersection(parts)


@region_ludeme("difference", reads=[], known=True)
def difference(node: Ludeme, cx: Cx) -> Region:
    """Sites of one region that are not in another."""
    source = region(node.args["source"], cx)
    less = node.get("subtraction")
    removed = region(less if less is not None else [node.args["siteToRemove"]], cx)
    source, removed = _one_kind(node, [source, removed], cx)
    if source.static is not None and removed.static is not None:
        gone = set(removed.static)
        return Static(tuple(s for s in source.static if s not in gone), cx.program)
    return Difference(source, removed)


@region_ludeme("if", reads=[], known=True)
def if_(node: Ludeme, cx: Cx) -> Region:
    """One of two regions, depending on a condition."""
    test = condition(node.args["cond"], cx)
    other = node.get("notOk")
    if isinstance(test, bool):
        settle(other if test else node.args["ok"])
        if test:
            return region(node.args["ok"], cx)
        return region(other, cx) if other is not None else Static((), cx.program)
    chosen = cx.fresh("chosen")
    cx.line(f"{chosen} = {test}")
    yes = Filtered(region(node.args["ok"], cx), lambda place, site: chosen)
    if other is None:
        return yes
    return Union([yes, Filtered(region(other, cx), lambda place, site: f"(not {chosen})")])


@region_ludeme("forEach", reads=[], known=True)
def for_each(node: Ludeme, cx: Cx) -> Region:
    """The sites of a region that fulfil a condition."""
    if node.get("if") is None:
        return region_for_each(node, cx)
    test = node.args["if"]
    base = region(node.args["region"], cx)
    if base.static is not None:
        kept = filtered(base.static, test, cx)
        if kept is not None:
            return Static(kept, cx.program)
    return Filtered(base, lambda place, site: condition(test, place.bind(site=site)))


@region_ludeme("expand", reads=[], known=True)
def expand(node: Ludeme, cx: Cx) -> Region:
    """A region grown by steps."""
    program = cx.program
    source = region(node.args["region"], cx) if node.get("region") is not None else region([node.args["origin"]], cx)
    steps = number(node.get("steps"), cx, 1)
    direction = node.get("dirn")
    if source.static is None or not isinstance(steps, int):
        return expand_region(source, steps, str(direction) if direction is not None else "Adjacent", cx)
    found = dict.fromkeys(source.static)
    frontier = list(source.static)
    name = str(direction) if direction is not None else "Adjacent"
    for _ in range(steps):
        around = (t for s in frontier if s < program.n_board for t in program.steps(s, [name]))
        fresh = dict.fromkeys(t for t in around if t not in found)
        if not fresh:
            break
        found.update(fresh)
        frontier = list(fresh)
    return Static(tuple(sorted(found)), program)
