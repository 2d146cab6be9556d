"""Lines, connections and loops."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions, groups
from ludoport.verify.slow.context import Context, kind, number, numbers, region, truth
from ludoport.verify.slow.registry import NotCovered, means


@means("boolean:is Line", "type length dirn through throughAny who what whats exact contiguous if")
def is_line(node: Ludeme, cx: Context) -> bool:
    """Whether enough equal pieces stand in a line."""
    if cx.game.stacking:
        raise NotCovered("boolean:is Line in a game with stacks")
    of = kind(node, cx)
    if node.get("throughAny") is not None:
        origins = region(node.args["throughAny"], cx)
    else:
        last = cx.position.last
        origins = [number(node.get("through"), cx, last.to if last else -1)]
    if truth(node.get("contiguous"), cx) is False:
        raise NotCovered("boolean:is Line with contiguous:")
    length = number(node.args["length"], cx)
    name = str(node.get("dirn") or "Adjacent")
    for site in origins:
        if site < 0 or site >= cx.game.sites(of).n:
            continue
        wanted = _wanted(node, cx, site, of)

        def counts(to: int, wanted: list[int] = wanted) -> bool:
            return cx.what(to, of) in wanted and truth(node.get("if"), cx.at(to=to))

        if not counts(site):
            continue
        for line, others in cx.game.sites(of).lines(site, name):
            ahead = _run(line, counts)
            for back in [_run(other, counts) for other in others] or [0]:
                total = 1 + ahead + back
                if (total == length) if truth(node.get("exact"), cx, False) else (total >= length):
                    return True
    return False


def _wanted(node: Ludeme, cx: Context, site: int, of: str) -> list[int]:
    if node.get("what") is not None:
        return [number(node.args["what"], cx)]
    if node.get("whats") is not None:
        return numbers(node.args["whats"], cx)
    if node.get("who") is not None:
        owners = cx.players(node.args["who"])
        return [n for n, c in enumerate(cx.game.components) if n and c.owner in owners]
    what = cx.what(site, of)
    return [what] if what else []


def _run(line: tuple[int, ...], counts: Any) -> int:
    length = 0
    for to in line[1:]:
        if not counts(to):
            break
        length += 1
    return length


@means("boolean:is Connected", "number type at directions regions role regionType")
def is_connected(node: Ludeme, cx: Context) -> bool:
    """Whether a group touches enough regions."""
    of = kind(node, cx)
    last = cx.position.last
    site = number(node.get("at"), cx, last.to if last else -1)
    if site < 0:
        return False
    owner = cx.who(site, of)
    chosen: list[list[int]] = []
    if node.get("regions") is not None:
        chosen = [region(part, cx) for part in node.args["regions"]]  # type: ignore[union-attr]
    elif node.get("role") is not None:
        wanted = cx.role(node.args["role"])
        if wanted != owner:
            return False
        chosen = [region(part, cx) for r in cx.game.regions if r.owner == wanted for part in r.parts]
    else:
        chosen = _kinds_of_regions(str(node.args["regionType"]), cx, of)
    needed = number(node.get("number"), cx, len(chosen))
    group = groups.grown(cx, site, of, node.get("directions"), lambda s: cx.who(s, of) == owner and cx.what(s, of) > 0)
    return sum(any(s in part for s in group) for part in chosen) >= needed


def _kinds_of_regions(name: str, cx: Context, of: str) -> list[list[int]]:
    sites = cx.game.sites(of)
    if name == "Corners":
        return [[corner] for corner in sites.corners]
    if name == "Sides":
        return list(sites.sides.values())
    if name == "SidesNoCorners":
        found = [[s for s in side if s not in sites.corners] for side in sites.sides.values()]
        return [side for side in found if side]
    raise NotCovered(f"boolean:is Connected to {name}")


@means("boolean:is Loop", "type directions")
def is_loop(node: Ludeme, cx: Context) -> bool:
    """Whether the last piece closes a loop around a site."""
    of = kind(node, cx)
    last = cx.position.last
    site = last.to if last else -1
    sites = cx.game.sites(of)
    if site < 0 or cx.empty(site, of):
        return False
    what, mover = cx.what(site, of), cx.position.mover
    for first in directions.steps(cx, site, directions.named(node.get("directions"), cx, site, of), of):
        if first in sites.outer:
            continue
        inside = groups.grown(cx, first, of, None, lambda s, f=first: s == f or cx.what(s, of) != what)  # type: ignore[misc]
        if any(s in sites.outer for s in inside):
            continue
        border = {to for s in inside for to in sites.orthogonal[s]} - set(inside)
        if border and all(cx.who(to, of) == mover for to in border):
            return True
    return False
