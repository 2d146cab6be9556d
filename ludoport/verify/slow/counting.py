"""Counts of pieces, sites, groups and steps."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions, groups
from ludoport.verify.slow.context import Context, kind, number, region, truth
from ludoport.verify.slow.equipment import text_of
from ludoport.verify.slow.registry import NotCovered, means


@means("int:count", "type in at")
def count(node: Ludeme, cx: Context) -> int:
    """Number of pieces on a site or in a region."""
    of = kind(node, cx)
    if node.get("in") is not None:
        sites = region(node.args["in"], cx)
    elif node.get("at") is not None:
        sites = [number(node.args["at"], cx)]
    else:
        last = cx.position.last
        sites = [last.to if last else -1]
    return sum(piece.count for site in sites if site >= 0 for piece in cx.pieces(site, of))


@means("int:count Sites", "in")
def count_sites(node: Ludeme, cx: Context) -> int:
    """Number of sites in a region."""
    return len(region(node.args["in"], cx)) if node.get("in") is not None else 0


def pieces_of(node: Ludeme, cx: Context) -> int:
    """Number of pieces of a role, name and region that fulfil a condition."""
    if node.get("of") is not None:
        owners = [number(node.args["of"], cx)]
    else:
        owners = cx.players(node.args["role"]) if node.get("role") is not None else cx.players("All")
    name = text_of(node.get("name"))
    inside = set(region(node.args["in"], cx)) if node.get("in") is not None else None
    total = 0
    for (_, site), pieces in cx.position.stacks.items():
        if inside is not None and site not in inside:
            continue
        for level, piece in enumerate(pieces):
            component = cx.game.components[piece.what]
            if component.owner not in owners or (name and name not in component.name):
                continue
            if truth(node.get("if"), cx.at(site=site, level=level)):
                total += piece.count
    return total


means("int:count Pieces", "type role of name in if")(pieces_of)


@means("int:count Steps", "type relation site1 site2 region2")
def count_steps(node: Ludeme, cx: Context) -> int:
    """The least number of steps between sites."""
    sites = cx.game.sites(kind(node, cx))
    start = number(node.args["site1"], cx)
    ends = region(node.args["region2"], cx) if node.get("region2") is not None else [number(node.args["site2"], cx)]
    if start < 0 or start >= sites.n:
        raise NotCovered("steps from no site")
    found = sites.distances_from([start], str(node.get("relation") or "Adjacent"))
    distances = [found[end] for end in ends if 0 <= end < sites.n and found[end] >= 0]
    return min(distances, default=-1)


@means("int:count Liberties", "type at directions if")
def count_liberties(node: Ludeme, cx: Context) -> int:
    """Number of empty sites that touch the group on a site."""
    of = kind(node, cx)
    last = cx.position.last
    site = number(node.get("at"), cx, last.to if last else -1)
    if site < 0:
        return 0
    what = cx.what(site, of)
    group = groups.grown(
        cx, site, of, node.get("directions"), lambda s: cx.what(s, of) == what and truth(node.get("if"), cx.at(to=s))
    )
    around = {
        to
        for member in group
        for to in directions.steps(cx, member, directions.named(node.get("directions"), cx, member, of), of)
    }
    return sum(cx.empty(to, of) for to in around)
