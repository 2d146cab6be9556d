"""Regions: lists of sites."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme, Word
from ludoport.verify.slow import directions
from ludoport.verify.slow.context import Context, kind, moves, number, numbers, player, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.registry import NotCovered, evaluate, means

_STATIC = {
    "Top": "top",
    "Bottom": "bottom",
    "Left": "left",
    "Right": "right",
    "Outer": "outer",
    "Inner": "inner",
    "Perimeter": "perimeter",
    "Corners": "corners",
    "Centre": "centre",
    "ConvexCorners": "convex",
    "ConcaveCorners": "concave",
    "Major": "major",
    "Minor": "minor",
}
for _word, _attribute in _STATIC.items():
    means(f"region:sites {_word}", "elementType")(
        lambda node, cx, name=_attribute: getattr(cx.game.sites(kind(node, cx, "elementType")), name)
    )


@means("region:sites Board", "elementType")
def board(node: Ludeme, cx: Context) -> list[int]:
    """All sites of the board."""
    return list(range(cx.game.sites(kind(node, cx, "elementType")).n))


@means("region:sites Empty", "elementType")
def empty(node: Ludeme, cx: Context) -> list[int]:
    """The empty sites of the board."""
    of = kind(node, cx, "elementType")
    return [site for site in range(cx.game.sites(of).n) if cx.empty(site, of)]


def _numbered(groups: list[list[int]], node: Ludeme, cx: Context) -> list[int]:
    index = number(node.args["index"], cx)
    return groups[index] if 0 <= index < len(groups) else []


means("region:sites Row", "elementType index")(
    lambda node, cx: _numbered(cx.game.sites(kind(node, cx, "elementType")).rows, node, cx)
)
means("region:sites Column", "elementType index")(
    lambda node, cx: _numbered(cx.game.sites(kind(node, cx, "elementType")).columns, node, cx)
)
means("region:sites Phase", "elementType index")(
    lambda node, cx: _numbered(cx.game.sites(kind(node, cx, "elementType")).phases, node, cx)
)
means("region:sites Layer", "elementType index")(
    lambda node, cx: _numbered(cx.game.sites(kind(node, cx, "elementType")).layers, node, cx)
)
means("region:sites Pending", "")(lambda node, cx: [s for s in cx.position.pending if s >= 0])
means("region:sites ToClear", "")(lambda node, cx: list(cx.position.to_clear))
means("region:sites From", "moves")(lambda node, cx: [m.from_ for m in moves(node.args["moves"], cx) if m.from_ >= 0])
means("region:sites To", "moves")(lambda node, cx: [m.to for m in moves(node.args["moves"], cx) if m.to >= 0])


@means("region:sites LastTo", "")
def sites_last_to(node: Ludeme, cx: Context) -> list[int]:
    """Last site of the last move."""
    last = cx.position.last
    return [last.to] if last and last.to >= 0 else []


@means("region:last Between", "")
def last_between(node: Ludeme, cx: Context) -> list[int]:
    """The sites that the last move passed over."""
    last = cx.position.last
    return list(last.between) if last else []


@means("region:sites State", "elementType index")
def sites_state(node: Ludeme, cx: Context) -> list[int]:
    """The sites with a local state."""
    of = kind(node, cx, "elementType")
    wanted = number(node.args["index"], cx)
    return [s for s in range(cx.game.sites(of).n) if (p := cx.piece(s, of)) is not None and p.state == wanted]


@means("region:sites Side", "elementType player role direction")
def sites_side(node: Ludeme, cx: Context) -> list[int]:
    """The sites of a side, by direction or by the facing of a player."""
    sides = cx.game.sites(kind(node, cx, "elementType")).sides
    if node.get("direction") is not None:
        return sides.get(str(node.args["direction"]), [])
    owner = player(node, cx)
    facing = cx.game.facings[owner] if owner is not None else None
    if facing is None:
        raise NotCovered("the side of a player without a facing")
    return sides.get(facing, [])


@means("region:sites Hand", "role pid")
def sites_hand(node: Ludeme, cx: Context) -> list[int]:
    """The sites of a player's hand."""
    role = node.get("role")
    owners = cx.players(role) if role is not None else [number(node.get("pid"), cx)]
    return [site for owner in owners for site in cx.game.hands.get(owner, [])]


@means("region:sites Occupied", "by container component components top on")
def sites_occupied(node: Ludeme, cx: Context) -> list[int]:
    """The sites that a player occupies."""
    by = node.args["by"]
    owners = cx.players(by) if isinstance(by, Word) else [number(by, cx)]
    if isinstance(by, Word) and by.name in ("All", "Any"):
        owners = cx.players("All")
    of = kind(node, cx, "on")
    sites = list(range(cx.game.sites(of).n))
    container = node.get("container")
    hands = [s for hand in cx.game.hands.values() for s in hand]
    if container is None:
        sites += hands
    elif isinstance(container, Ludeme | int):
        index = number(container, cx)
        if index:
            raise NotCovered("region:sites Occupied with a numbered container")
    else:
        name = text_of(container)
        if name == "Hand":
            sites = [s for owner in owners for s in cx.game.hands.get(owner, [])]
        elif name != "Board":
            sites = cx.game.hand_of(name)
    wanted: list[int] | None = None
    component = node.get("component")
    listed = node.get("components")
    if listed is not None:
        wanted = [c for name in listed for c in cx.game.components_named(text_of(name))]  # type: ignore[union-attr]
    elif component is not None:
        text = text_of(component)
        wanted = cx.game.components_named(text) if text else [number(component, cx)]
    found = []
    for site in sites:
        pieces = cx.pieces(site, of)
        for piece in pieces if node.get("top") is False else pieces[-1:]:
            if cx.game.components[piece.what].owner in owners and (wanted is None or piece.what in wanted):
                found.append(site)
                break
    return found


@means("region:sites Start", "pid")
def sites_start(node: Ludeme, cx: Context) -> list[int]:
    """Sites of a component at the start."""
    return [s for what in named_pieces(node.args["pid"], cx) for s in cx.game.start_sites.get(what, [])]


def named_pieces(node: Any, cx: Context, owner: int | None = None) -> list[int]:
    """The components that a ``(piece ...)`` names."""
    if node.get("component") is not None:
        return [number(node.args["component"], cx)]
    if node.get("components") is not None:
        return numbers(node.args["components"], cx)
    texts = node.args["nameComponents"] if node.get("nameComponents") is not None else [node.args["nameComponent"]]
    found = []
    for text in texts:
        name = text_of(text)
        if owner is None:
            component = cx.game.component(name)
            found += [component] if component else cx.game.components_named(name)[:1]
        else:
            found += cx.game.components_named(name, owner)[:1]
    return found


means("util:piece", "nameComponent component nameComponents components state")(lambda node, cx: named_pieces(node, cx))


@means("region:sites", "coords sites array elementType index possibleSteps rotations player role name")
def sites(node: Ludeme, cx: Context) -> list[int]:
    """Sites by label, by number, by a walk, or a region of the equipment."""
    if node.get("coords") is not None:
        chosen = cx.game.sites(kind(node, cx, "elementType"))
        labels = [text_of(c) for c in node.args["coords"]]  # type: ignore[union-attr]
        return [s for label in labels if (s := chosen.site_of(label)) is not None]
    if node.get("sites") is not None:
        return [s for s in numbers(node.args["sites"], cx) if s >= 0]
    if node.get("array") is not None:
        return [s for s in numbers(node.args["array"], cx) if s >= 0]
    if node.get("possibleSteps") is not None:
        start = number(node.get("index"), cx, cx.slot("from"))
        return leaps(node.args["possibleSteps"], cx, start, truth(node.get("rotations"), cx))
    if not node.args:
        return list(cx.slots.get("region", []))
    name = text_of(node.get("name"))
    if node.get("player") is None and node.get("role") is None:
        found = [r for r in cx.game.regions if r.name == name]
        site = cx.game.board.site_of(name)
        if not found and site is not None:
            return [site]
    else:
        owner = player(node, cx)
        found = [r for r in cx.game.regions if r.owner == owner and name in r.name]
    return [s for r in found for part in r.parts for s in region(part, cx)]


def leaps(walks: Any, cx: Context, start: int, rotations: bool) -> list[int]:
    """Last sites of walks from a site."""
    if not 0 <= start < cx.game.default.n:
        return []
    facings = directions.facings(cx)
    if not rotations:
        own = cx.game.facing(cx.what(start)) if cx.what(start) else "N"
        facings = [own if own in facings else facings[0]]
    found = []
    for facing in facings:
        for walk in walks:
            end = directions.walked(cx, start, [str(step) for step in walk], facing)
            if end >= 0:
                found.append(end)
    return list(dict.fromkeys(found))


# Around a site


@means("region:sites Around", "typeLoc where regionWhere type distance directions if includeSelf")
def sites_around(node: Ludeme, cx: Context) -> list[int]:
    """The sites at a distance from sites."""
    of = kind(node, cx, "typeLoc")
    origins = (
        [number(node.args["where"], cx)] if node.get("where") is not None else region(node.args["regionWhere"], cx)
    )
    distance = number(node.get("distance"), cx, 1)
    names = [str(node.get("directions") or "Adjacent")]
    found: list[int] = []
    for origin in origins:
        if origin < 0:
            continue
        for line in directions.lines(cx, origin, names, of):
            if distance < len(line):
                to = line[distance]
                if _fits(str(node.get("type") or ""), to, of, cx) and truth(
                    node.get("if"), cx.at(**{"to": to, "from": origin})
                ):
                    found.append(to)
    if truth(node.get("includeSelf"), cx, False):
        return [*found, *origins]
    return [s for s in found if s not in origins]


def _fits(type_: str, site: int, of: str, cx: Context) -> bool:
    who, what = cx.who(site, of), cx.what(site, of)
    mover = cx.position.mover
    own = what > 0 and (who == mover or who == cx.game.n_players + 1)
    enemy = what > 0 and who != 0 and not own
    tests = {"": True, "Own": own, "Enemy": enemy, "Empty": what == 0, "NotEmpty": what > 0}
    tests |= {"NotOwn": not own, "NotEnemy": not enemy}
    if type_ not in tests:
        raise NotCovered(f"sites Around {type_}")
    return tests[type_]


@means("region:sites Direction", "from directions included stop stopIncluded distance type")
def sites_direction(node: Ludeme, cx: Context) -> list[int]:
    """The sites in directions from sites, up to a stop."""
    of = kind(node, cx)
    start = node.args["from"]
    origins = region(start, cx) if isinstance(start, Ludeme) and start.kind == "region" else [number(start, cx)]
    limit = number(node.get("distance"), cx, 10**9)
    found: list[int] = []
    for origin in origins:
        if origin < 0:
            continue
        if truth(node.get("included"), cx, False):
            found.append(origin)
        names = directions.named(node.get("directions"), cx, origin, of)
        for line in directions.lines(cx, origin, names, of):
            for place, to in enumerate(line[1:], start=1):
                if place > limit:
                    break
                if truth(node.get("stop"), cx.at(to=to), False):
                    if truth(node.get("stopIncluded"), cx, False):
                        found.append(to)
                    break
                found.append(to)
    return found


@means("region:sites LineOfSight", "typeLoS typeLoc at directions")
def line_of_sight(node: Ludeme, cx: Context) -> list[int]:
    """The first pieces, or the empty sites before them, that a site sees."""
    of = kind(node, cx, "typeLoc")
    last = cx.position.last
    site = number(node.get("at"), cx, last.to if last else -1)
    type_ = str(node.get("typeLoS") or "Piece")
    found = []
    for line in directions.lines(cx, site, directions.named(node.get("directions"), cx, site, of), of):
        free = []
        for to in line[1:]:
            if not cx.empty(to, of):
                if type_ == "Piece":
                    found.append(to)
                break
            free.append(to)
        if type_ == "Empty":
            found += free
        elif type_ == "Farthest" and free:
            found.append(free[-1])
    return found


@means("region:sites Incident", "resultType of at roleOwner owner")
def sites_incident(node: Ludeme, cx: Context) -> list[int]:
    """Sites of another kind that touch a site."""
    site = number(node.args["at"], cx)
    if site < 0:
        return []
    to = str(node.args["resultType"])
    found = cx.game.board.incident(site, str(node.args["of"]), to)
    owner = player(node, cx, "owner", "roleOwner")
    return [s for s in found if owner is None or cx.who(s, to) == owner]


@means("region:sites Distance", "elementType relation from distance")
def sites_distance(node: Ludeme, cx: Context) -> list[int]:
    """The sites within a range of steps."""
    chosen = cx.game.sites(kind(node, cx, "elementType"))
    start = number(node.args["from"], cx)
    if not 0 <= start < chosen.n:
        return []
    low, high = bounds(node.args["distance"], cx)
    away = chosen.distances_from([start], str(node.get("relation") or "Adjacent"))
    return [s for s in range(chosen.n) if away[s] > 0 and low <= away[s] <= high]


def bounds(node: Any, cx: Context) -> tuple[int, int]:
    """A range as its least and greatest number."""
    low, high = evaluate(node, cx)
    return int(low), int(high)


# Combining


@means("region:union", "region1 region2 regions")
def union(node: Ludeme, cx: Context) -> list[int]:
    """All sites of regions."""
    return [s for part in _parts(node) for s in region(part, cx)]


@means("region:intersection", "region1 region2 regions")
def intersection(node: Ludeme, cx: Context) -> list[int]:
    """The sites that all regions have."""
    first, *others = [region(part, cx) for part in _parts(node)]
    return [s for s in first if all(s in other for other in others)]


def _parts(node: Ludeme) -> list[Any]:
    listed = node.get("regions")
    return listed if isinstance(listed, list) else [node.args["region1"], node.args["region2"]]


@means("region:difference", "source subtraction siteToRemove")
def difference(node: Ludeme, cx: Context) -> list[int]:
    """A region without some sites."""
    less = (
        region(node.args["subtraction"], cx)
        if node.get("subtraction") is not None
        else [number(node.args["siteToRemove"], cx)]
    )
    return [s for s in region(node.args["source"], cx) if s not in less]


@means("region:if", "cond ok notOk")
def region_if(node: Ludeme, cx: Context) -> list[int]:
    """One region or the other."""
    chosen = node.get("ok" if truth(node.args["cond"], cx) else "notOk")
    return [] if chosen is None else region(chosen, cx)


@means("region:forEach", "region if")
def filtered(node: Ludeme, cx: Context) -> list[int]:
    """The sites of a region that meet a condition."""
    if node.get("if") is None:
        raise NotCovered("region:forEach of players or regions")
    return [s for s in region(node.args["region"], cx) if truth(node.args["if"], cx.at(site=s))]


@means("region:expand", "region origin steps dirn type")
def expand(node: Ludeme, cx: Context) -> list[int]:
    """A region with the sites some steps around it."""
    of = kind(node, cx)
    found = region(node.args["region"], cx) if node.get("region") is not None else [number(node.args["origin"], cx)]
    dirn = node.get("dirn")
    names = [str(dirn)] if dirn is not None else ["Adjacent"]
    for _ in range(number(node.get("steps"), cx, 1)):
        found = sorted({*found, *(to for site in found for to in directions.steps(cx, site, names, of))})
    return found


@means("region:sites Between", "directions type from fromIncluded to toIncluded cond")
def sites_between(node: Ludeme, cx: Context) -> list[int]:
    """The sites on the lines between two sites."""
    of = kind(node, cx)
    a, b = number(node.args["from"], cx), number(node.args["to"], cx)
    found: list[int] = []
    if a < 0 or b < 0:
        return found
    for line in directions.lines(cx, a, directions.named(node.get("directions"), cx, a, of), of):
        if b in line[1:]:
            inside = line[1 : line.index(b)]
            if all(truth(node.get("cond"), cx.at(between=s)) for s in inside):
                found += inside
                if truth(node.get("fromIncluded"), cx, False):
                    found.append(a)
                if truth(node.get("toIncluded"), cx, False):
                    found.append(b)
    return found
