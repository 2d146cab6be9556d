"""Groups: sites that hang together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions
from ludoport.verify.slow.context import Context, kind, number, region, truth
from ludoport.verify.slow.registry import means


def grown(cx: Context, start: int, kind: str, where: Any, belongs: Callable[[int], bool]) -> list[int]:
    """The sites that belong and that steps connect with a site, which belongs itself or nothing does."""
    if start < 0 or not belongs(start):
        return []
    found = [start]
    for site in found:
        for to in directions.steps(cx, site, directions.named(where, cx, site, kind), kind):
            if to not in found and belongs(to):
                found.append(to)
    return found


def all_groups(
    cx: Context, kind: str, where: Any, starts: Callable[[int], bool], joins: Callable[[int, int], bool]
) -> list[list[int]]:
    """All groups of the board: a site that starts one, and sites that join it."""
    found: list[list[int]] = []
    used: set[int] = set()
    for site in range(cx.game.sites(kind).n):
        if site in used or not starts(site):
            continue
        group = grown(cx, site, kind, where, lambda s, first=site: s == first or joins(first, s))  # type: ignore[misc]
        used |= set(group)
        found.append(group)
    return found


@means("region:sites Group", "type at from directions if")
def sites_group(node: Ludeme, cx: Context) -> list[int]:
    """The group of a site, or of each site of a region."""
    of = kind(node, cx)
    starts = [number(node.args["at"], cx)] if node.get("at") is not None else region(node.args["from"], cx)
    condition = node.get("if")
    found: list[int] = []
    for start in starts:
        if start < 0:
            continue
        if condition is None:
            what = cx.what(start, of)
            found += grown(cx, start, of, node.get("directions"), lambda s, w=what: cx.what(s, of) == w)  # type: ignore[misc]
        else:
            found += grown(cx, start, of, node.get("directions"), lambda s: truth(condition, cx.at(to=s)))
    return found


def _own_groups(node: Ludeme, cx: Context) -> list[list[int]]:
    of = kind(node, cx)
    condition = node.get("if")
    if condition is not None:
        return all_groups(
            cx,
            of,
            node.get("directions"),
            lambda s: truth(condition, cx.at(to=s)),
            lambda first, s: truth(condition, cx.at(to=s)),
        )
    return all_groups(
        cx,
        of,
        node.get("directions"),
        lambda s: cx.what(s, of) > 0,
        lambda first, s: cx.who(s, of) == cx.who(first, of),
    )


@means("int:count Groups", "type directions if min")
def count_groups(node: Ludeme, cx: Context) -> int:
    """Number of groups."""
    least = number(node.get("min"), cx, 0)
    return sum(len(group) >= least for group in _own_groups(node, cx))


@means("int:size Group", "type at directions if")
def size_group(node: Ludeme, cx: Context) -> int:
    """Number of sites in the group of a site."""
    of = kind(node, cx)
    start = number(node.args["at"], cx)
    condition = node.get("if")
    if condition is not None:
        return len(grown(cx, start, of, node.get("directions"), lambda s: truth(condition, cx.at(to=s))))
    who = cx.who(start, of) if start >= 0 else 0
    return len(grown(cx, start, of, node.get("directions"), lambda s: cx.who(s, of) == who)) if who else 0


@means("intarray:sizes Group", "type directions role of if min")
def sizes_group(node: Ludeme, cx: Context) -> list[int]:
    """The sizes of all groups, of one player or of those that meet a condition."""
    of = kind(node, cx)
    least = number(node.get("min"), cx, 0)
    if node.get("if") is not None:
        found = _own_groups(node, cx)
    else:
        owner = number(node.get("of"), cx) if node.get("of") is not None else -1
        if node.get("role") is not None and str(node.args["role"]) != "All":
            owner = cx.role(node.args["role"])
        found = all_groups(
            cx,
            of,
            node.get("directions"),
            lambda s: cx.what(s, of) > 0 and (owner < 0 or cx.who(s, of) == owner),
            lambda first, s: cx.who(s, of) == cx.who(first, of) and cx.what(s, of) > 0,
        )
    return [len(group) for group in found if len(group) >= least]


@means("int:size Territory", "type role player direction")
def size_territory(node: Ludeme, cx: Context) -> int:
    """Number of empty sites that only one player's pieces border on."""
    of = kind(node, cx)
    owner = cx.role(node.args["role"]) if node.get("role") is not None else number(node.args["player"], cx)
    total = 0
    for group in all_groups(cx, of, node.get("direction"), lambda s: cx.empty(s, of), lambda first, s: cx.empty(s, of)):
        names = directions.named(node.get("direction"), cx, -1, of)
        around = {to for site in group for to in directions.steps(cx, site, names, of)} - set(group)
        if all(cx.who(to, of) == owner for to in around):
            total += len(group)
    return total
