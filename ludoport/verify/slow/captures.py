"""Captures by enclosing: custodial, intervene, surround, enclose."""

from __future__ import annotations

from typing import Any

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions, groups
from ludoport.verify.slow.acting import ended, remove_piece
from ludoport.verify.slow.context import Context, TreeMove, kind, number
from ludoport.verify.slow.moving import apply_effect, holds
from ludoport.verify.slow.regions import bounds, named_pieces
from ludoport.verify.slow.registry import NotCovered, means


def _start(node: Ludeme, cx: Context) -> int:
    part: Any = node.get("from")
    if part is not None and part.get("loc") is not None:
        return number(part.args["loc"], cx)
    if part is not None:
        return cx.slot("from")
    last = cx.position.last
    return last.to if last else -1


def _range(part: Any, cx: Context, low: int, high: int) -> tuple[int, int]:
    if part is not None and part.get("range") is not None:
        return bounds(part.args["range"], cx)
    return low, high


def _taken(part: Any, cx: Context) -> list[TreeMove]:
    effect = part.get("effect") if part is not None else None
    if effect is None:
        site = cx.slot("between")
        of = cx.game.kind
        return [TreeMove(cx.position.mover, site, site, [remove_piece(site, of)], from_kind=of, to_kind=of)]
    return apply_effect(effect, cx)


def _default_enemy(part: Any, cx: Context, site: int) -> bool:
    if part is not None and part.get("if") is not None:
        return holds(part, cx)
    return cx.is_enemy(cx.who(site))


def _default_friend(part: Any, cx: Context, site: int) -> bool:
    if part is not None and part.get("if") is not None:
        return holds(part, cx)
    return cx.what(site) > 0 and cx.is_friend(cx.who(site))


@means("moves:custodial", "from dirnChoice between to then")
def custodial(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Captures runs between the origin and another piece."""
    site = _start(node, cx)
    between: Any = node.get("between")
    low, high = _range(between, cx, 1, 1000)
    found: list[TreeMove] = []
    if site < 0:
        return found
    cx = cx.at(**{"from": site})
    for line in directions.lines(cx, site, [str(node.get("dirnChoice") or "Adjacent")]):
        run: list[int] = []
        for to in line[1:]:
            if len(run) >= high or not _default_enemy(between, cx.at(between=to), to):
                break
            run.append(to)
        if not run or len(run) < low or len(run) + 1 >= len(line):
            continue
        end = line[len(run) + 1]
        if _default_friend(node.get("to"), cx.at(to=end), end):
            for taken in run:
                found += _taken(between, cx.at(between=taken))
    return ended(found, node)


@means("moves:intervene", "from dirnChoice between to then")
def intervene(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Captures pieces on both sides of the origin."""
    site = _start(node, cx)
    between: Any = node.get("between")
    target: Any = node.get("to")
    if _range(between, cx, 1, 1) != (1, 1):
        raise NotCovered("moves:intervene with a range")
    found: list[TreeMove] = []
    if site < 0:
        return found
    cx = cx.at(**{"from": site})
    name = str(node.get("dirnChoice") or "Adjacent")
    for line, others in cx.game.default.lines(site, name):
        if len(line) < 2 or not _default_enemy(target, cx.at(to=line[1]), line[1]):
            continue
        ends = [o[1] for o in others if len(o) > 1 and _default_enemy(target, cx.at(to=o[1]), o[1])]
        if ends:
            for taken in (line[1], *ends):
                effect = target.get("effect") if target is not None else None
                found += (
                    apply_effect(effect, cx.at(to=taken)) if effect is not None else _taken(None, cx.at(between=taken))
                )
    return ended(found, node)


@means("moves:surround", "from relation between to except with then")
def surround(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Captures neighbours of the origin that are surrounded."""
    part: Any = node.get("from")
    site = number(part.get("loc"), cx, cx.slot("from")) if part is not None else cx.slot("from")
    between: Any = node.get("between")
    target: Any = node.get("to")
    allowed = number(node.get("except"), cx, 0)
    name = str(node.get("relation") or "Adjacent")
    found: list[TreeMove] = []
    if site < 0:
        return found
    # The last site that was tested stays bound to (to) while the next neighbour is looked at.
    tested = cx.slot("to")
    for victim in directions.steps(cx, site, [name]):
        place = cx.at(**{"from": site, "between": victim, "to": tested})
        if not _default_enemy(between, place, victim):
            continue
        free, helped = 0, node.get("with") is None
        for to in directions.steps(cx, victim, [name]):
            if to != site:
                tested = to
                free += not _default_friend(target, place.at(to=to), to)
            if not helped and cx.what(to) in named_pieces(node.args["with"], cx):
                helped = True
        if free <= allowed and helped:
            found += _taken(between, place.at(to=tested))
    return ended(found, node)


@means("moves:enclose", "type from directions between numException then")
def enclose(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Captures groups beside the origin that have no empty neighbour."""
    of = kind(node, cx)
    site = _start(node, cx)
    between: Any = node.get("between")
    allowed = number(node.get("numException"), cx, 0)
    found: list[TreeMove] = []
    if site < 0 or cx.empty(site, of):
        return found
    cx = cx.at(**{"from": site})
    done: set[int] = set()
    names = directions.named(node.get("directions"), cx, site, of)
    for first in directions.steps(cx, site, names, of):
        if first in done:
            continue
        group = groups.grown(
            cx, first, of, node.get("directions"), lambda s: _default_enemy(between, cx.at(between=s, to=s), s)
        )
        done |= set(group)
        around = {to for member in group for to in directions.steps(cx, member, names, of)}
        if group and sum(cx.empty(to, of) for to in around) <= allowed:
            for member in group:
                found += _taken(between, cx.at(between=member, to=member))
    return ended(found, node)
