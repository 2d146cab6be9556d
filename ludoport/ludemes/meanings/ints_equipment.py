"""Numbers from the equipment and the rules: places on the board, hands, components, maps, players, phases."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.components import component_by_full_name, component_by_name
from ludoport.ludemes.core.conditions import all_of, inside
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.known import entry_of
from ludoport.ludemes.core.registry import int_ludeme, number
from ludoport.ludemes.fields.direction_choice import dynamic_word
from ludoport.ludemes.fields.directions import steps_table, walked
from ludoport.ludemes.fields.maps import map_entries
from ludoport.ludemes.fields.named_regions import hand_bases
from ludoport.ludemes.fields.rays import FarSteps
from ludoport.ludemes.meanings.ints_arithmetic import binary


@int_ludeme("centrePoint", reads=[], known=True)
def centre_point(node: Ludeme, cx: Cx) -> Expr:
    """The first site of the centre."""
    base, sites = cx.program.kind_block(node.get("type"))
    return base + sites.centre[0]


@int_ludeme("column", "row", "phase", reads=[], known=True)
@int_ludeme("layer", reads=[], known=True)
def coordinate(node: Ludeme, cx: Cx) -> Expr:
    """Column, row, phase or layer of a site."""
    site = number(node.args["of"], cx)
    table = cx.program.coordinate_table(node.keyword)
    name = cx.name(site)
    if isinstance(site, int):
        return entry_of([int(v) for v in cx.program.module.tables[table]], site, -1)
    return f"{table}[{name}]" if name in cx.safe else f"({table}[{name}] if on_board({name}) else -1)"


@int_ludeme("ahead", reads=[], known=True)
def ahead(node: Ludeme, cx: Cx) -> Expr:
    """The site some steps away in a direction, or the same site if that leaves the board."""
    origin = number(node.args["site"], cx)
    steps = number(node.get("steps"), cx, 1)
    direction = node.get("directions")
    dynamic = dynamic_word(direction)
    if dynamic is not None:
        return FarSteps(walked(dynamic, cx), cx.name(steps)).first(cx, cx.name(origin))
    if (
        isinstance(origin, int)
        and isinstance(steps, int)
        and isinstance(direction, Word)
        and direction.enum == "AbsoluteDirection"
    ):
        reached = [ray[steps - 1] for ray in cx.program.radials(origin, [direction.name]) if 1 <= steps <= len(ray)]
        return reached[0] if reached else origin
    site = cx.name(origin)
    place = cx.bind(frm=site)
    # Only the facing is that of the site; other iterators stay as they are.
    table = steps_table(node.get("directions"), cx, default="Forward", node=node, distance=steps)
    return table.first(place, site)


@int_ludeme("edge", kinds=["Edge", "Vertex"])
def edge(node: Ludeme, cx: Cx) -> Expr:
    """The edge between two vertices, or the current edge of a puzzle."""
    program = cx.program
    if node.get("vA") is None:
        raise UnsupportedError("`(edge)` without vertices is not implemented yet", node.source)
    base, edges = program.kind_block(Word("Edge", "SiteType", node.source))
    first, vertices = program.kind_block(Word("Vertex", "SiteType", node.source))
    size = vertices.n
    table = [-1] * (size * size)
    for number_ in range(edges.n):
        a, b = program.board.incident(number_, "Edge", "Vertex")
        table[a * size + b] = table[b * size + a] = base + number_
    a_, b_ = (cx.once(number(node.args[key], cx)) for key in ("vA", "vB"))
    if isinstance(a_, int) and isinstance(b_, int):
        return table[(a_ - first) * size + b_ - first] if inside(a_, size, first) and inside(b_, size, first) else -1
    index = binary("+", binary("*", binary("-", a_, first), size), binary("-", b_, first))
    name = program.module.table("EDGE_BETWEEN", table)
    known = all_of(inside(a_, size, first), inside(b_, size, first))
    return cx.name(f"({name}[{index}] if {known} else -1)", "edge")


@int_ludeme("handSite", reads=[])
def hand_site(node: Ludeme, cx: Cx) -> Expr:
    """A site of a player's hand."""
    owner = number(node.get("indexPlayer") if node.get("indexPlayer") is not None else node.get("role"), cx)
    offset = number(node.get("site"), cx, 0)
    bases = hand_bases(cx.program)
    if isinstance(owner, int):
        base = entry_of(bases, owner, -1)
        return binary("+", base, offset) if base >= 0 else -1
    table = cx.program.module.table("HAND", bases)
    if offset == 0 or (owner in ("mover", "nxt") and min(bases[1 : cx.program.n_players + 1]) >= 0):
        return binary("+", f"{table}[{owner}]", offset)
    found = cx.name(f"{table}[{owner}]", "hand")
    return f"({binary('+', found, offset)} if {found} >= 0 else -1)"


@int_ludeme("id", reads=[])
def id_(node: Ludeme, cx: Cx) -> Expr:
    """The number of a component."""
    if node.get("who") is None:
        return component_by_full_name(cx.program, str(node.args["name"]), node)
    who, name = node.args["who"], node.get("name")
    owner = number(who, cx)
    if name is None or (isinstance(who, Word) and who.name == "Player"):
        # The player that is iterated over is what the reference gives, whatever the name.
        return owner
    return component_by_name(cx.program, str(name), owner)


@int_ludeme("mapEntry", reads=[], known=True)
def map_entry(node: Ludeme, cx: Cx) -> Expr:
    """Value of a key in a map; the key itself if it is not in the map."""
    key = number(node.get("key") if node.get("key") is not None else node.get("keyRole"), cx)
    name = node.get("name")
    entries = map_entries(cx.program, str(name) if name is not None else None, node)
    if isinstance(key, int):
        return entries.get(key, key)
    high = max(entries, default=0)
    cx.program.module.claim(high + 1)
    table = cx.program.module.table("MAP", [entries.get(k, k) for k in range(high + 1)])
    name_ = cx.name(key)
    return f"({table}[{name_}] if 0 <= {name_} <= {high} else {name_})"


@int_ludeme("count Players", reads=[])
def count_players(node: Ludeme, cx: Cx) -> Expr:
    """Number of players."""
    return cx.program.n_players


@int_ludeme("count Phases", reads=[])
def count_phases(node: Ludeme, cx: Cx) -> Expr:
    """Number of phases."""
    del node
    parts = cx.program.description.root.walk()
    return max(1, sum(1 for part in parts if part.keyword == "phase" and part.peek("play") is not None))
