"""Moves of pieces: steps, slides, hops, leaps, from one site to another, choices, exchanges."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from ludoport.lud.tree import Ludeme
from ludoport.verify.slow import directions
from ludoport.verify.slow.acting import add_piece, ended, move_piece, nested
from ludoport.verify.slow.context import Context, TreeMove, kind, moves, number, region, truth
from ludoport.verify.slow.position import Standing
from ludoport.verify.slow.regions import bounds, leaps, named_pieces
from ludoport.verify.slow.registry import NotCovered, means

means("util:from", "type region loc level if")(lambda node, cx: None)
means("util:to", "type region loc level if effect")(lambda node, cx: None)
means("util:between", "before range after if effect")(lambda node, cx: None)
means("util:then", "moves")(lambda node, cx: None)


@means("moves:apply", "if effect")
def apply_effect(node: Ludeme, cx: Context) -> list[TreeMove]:
    """The moves of an effect whose condition holds."""
    effect = node.get("effect")
    return moves(effect, cx) if effect is not None and truth(node.get("if"), cx) else []


def affected(move: TreeMove, part: Any, cx: Context) -> None:
    """Adds the effect of a ``(to ...)`` or ``(between ...)`` in front of what a move does."""
    effect = part.get("effect") if part is not None else None
    if effect is not None:
        move.actions[0:0] = [nested(m) for m in apply_effect(effect, cx)]


def holds(part: Any, cx: Context, default: bool = True) -> bool:
    """Whether the condition of a ``(from ...)``, ``(to ...)`` or ``(between ...)`` holds."""
    return truth(part.get("if") if part is not None else None, cx, default)


def _condition_of_effect(part: Any) -> Any:
    effect = part.get("effect") if part is not None else None
    return effect.get("if") if effect is not None else None


class MoveOrigin(NamedTuple):
    """Site, kind and level of a piece before its move."""

    site: int
    kind: str
    level: int


Movement = Callable[[Ludeme, Context, MoveOrigin], Iterator[TreeMove]]
"""Moves of the piece on a site that may move, without consequents."""


def _origin(node: Ludeme, cx: Context) -> MoveOrigin:
    part = node.get("from")
    if not isinstance(part, Ludeme):
        return MoveOrigin(cx.slot("from"), str(cx.slots.get("kind", cx.game.kind)), cx.slot("level"))
    site = number(part.get("loc"), cx, cx.slot("from"))
    if part.get("region") is not None:
        found = region(part.args["region"], cx)
        if len(found) != 1:
            raise NotCovered(f"{node.key} from a region")
        site = found[0]
    level = number(part.get("level"), cx, cx.slot("level") if site == cx.slot("from") else -1)
    return MoveOrigin(site, kind(part, cx), level)


def from_origin(keys: str, arguments: str) -> Callable[[Movement], Movement]:
    """Registers ludemes that move the piece of one site, if the condition of its ``(from ...)`` holds."""

    def register(movement: Movement) -> Movement:
        @means(keys, arguments)
        def found(node: Ludeme, cx: Context) -> list[TreeMove]:
            origin = _origin(node, cx)
            here = cx.at(**{"from": origin.site})
            if origin.site < 0 or not holds(node.get("from"), here):
                return []
            return ended(list(movement(node, here, origin)), node)

        return movement

    return register


def _moved(cx: Context, origin: MoveOrigin, to: int, to_kind: str, stack: bool) -> TreeMove:
    site, of, level = origin
    action = move_piece(site, of, to, to_kind, -1 if stack else level, stack)
    return TreeMove(cx.position.mover, site, to, [action], from_kind=of, to_kind=to_kind)


@from_origin("moves:move Step,moves:step", "from directions to stack then")
def step(node: Ludeme, cx: Context, origin: MoveOrigin) -> Iterator[TreeMove]:
    """Steps to neighbours."""
    site, of, _ = origin
    target: Any = node.args["to"]
    to_kind = kind(target, cx)
    for to in _targets(
        target, cx, directions.steps(cx, site, directions.named(node.get("directions"), cx, site, of), of)
    ):
        here = cx.at(to=to)
        if holds(target, here):
            move = _moved(cx, origin, to, to_kind, node.get("stack") is True)
            affected(move, target, here)
            yield move


def _targets(target: Any, cx: Context, sites: list[int]) -> list[int]:
    if target.get("region") is not None:
        inside = set(region(target.args["region"], cx))
        return [s for s in sites if s in inside]
    if target.get("loc") is not None:
        return [s for s in sites if s == number(target.args["loc"], cx)]
    return sites


@from_origin("moves:move Slide,moves:slide", "from directions between to stack then")
def slide(node: Ludeme, cx: Context, origin: MoveOrigin) -> Iterator[TreeMove]:
    """Slides along lines."""
    site, of, _ = origin
    between: Any = node.get("between")
    target: Any = node.get("to")
    low, high = (1, 1000)
    if between is not None and between.get("range") is not None:
        low, high = bounds(between.args["range"], cx)
    stop = target.get("if") if target is not None else None

    def slid(to: int, here: Context) -> Iterator[TreeMove]:
        if truth(_condition_of_effect(target), here):
            move = _moved(cx, origin, to, of, node.get("stack") is True)
            affected(move, target, here)
            yield move

    for line in directions.lines(cx, site, directions.named(node.get("directions"), cx, site, of), of):
        for distance, to in enumerate(line[1:], start=1):
            if distance > high:
                break
            here = cx.at(to=to)
            if stop is not None and truth(stop, here) and distance >= low:
                yield from slid(to, here)
                break
            here = here.at(between=to)
            if not (
                truth(between.get("if"), here)
                if between is not None and between.get("if") is not None
                else cx.empty(to, of)
            ):
                break
            if distance >= low:
                yield from slid(to, here)


@from_origin("moves:move Hop,moves:hop", "from directions between to stack then")
def hop(node: Ludeme, cx: Context, origin: MoveOrigin) -> Iterator[TreeMove]:
    """Hops over hurdles."""
    site, of, _ = origin
    between: Any = node.get("between")
    target: Any = node.args["to"]
    low, high = 1, 1
    if between is not None and between.get("range") is not None:
        low, high = bounds(between.args["range"], cx)
    before = number(between.get("before") if between is not None else None, cx, 0)
    after = number(between.get("after") if between is not None else None, cx, 0)

    def hopped(hurdles: tuple[int, ...], to: int) -> TreeMove:
        move = _moved(cx, origin, to, of, node.get("stack") is True)
        move.between = hurdles
        affected(move, target, cx.at(to=to, between=hurdles[-1] if hurdles else cx.slot("between")))
        for hurdle in reversed(hurdles):
            affected(move, between, cx.at(to=to, between=hurdle))
        return move

    capture = _condition_of_effect(target)
    for line in directions.lines(cx, site, directions.named(node.get("directions"), cx, site, of), of):
        start = 1
        while low != 0 and start < len(line) and start <= before + 1 and not holds(between, cx.at(between=line[start])):
            if not holds(target, cx.at(to=line[start])):
                start = len(line)
            start += 1
        if start > before + 1 or start >= len(line):
            continue
        run = 0
        while run < high and start + run < len(line) and holds(between, cx.at(between=line[start + run])):
            run += 1
        for length in range(run, (low if low >= 0 else 1) - 1, -1):
            hurdles = line[start : start + length]
            for extra, to in enumerate(line[start + length :]):
                here = cx.at(to=to, between=hurdles[-1] if hurdles else cx.slot("between"))
                if extra > after:
                    break
                if holds(target, here):
                    if capture is None:
                        yield hopped(hurdles, to)
                    continue
                if capture is not None and truth(capture, here):
                    yield hopped(hurdles, to)
                break


@from_origin("moves:move Leap,moves:leap", "from walk forward rotations to then")
def leap(node: Ludeme, cx: Context, origin: MoveOrigin) -> Iterator[TreeMove]:
    """Leaps along walks."""
    target: Any = node.args["to"]
    ends = leaps(node.args["walk"], cx, origin.site, truth(node.get("rotations"), cx))
    if truth(node.get("forward"), cx, False):
        ends = [to for to in ends if _is_ahead(cx, origin.site, to)]
    for to in ends:
        here = cx.at(to=to)
        if holds(target, here):
            move = _moved(cx, origin, to, origin.kind, False)
            affected(move, target, here)
            yield move


def _is_ahead(cx: Context, site: int, to: int) -> bool:
    sites = cx.game.default
    facing = cx.game.facing(cx.what(site))
    signs = {"N": sites.row[to] > sites.row[site], "S": sites.row[to] < sites.row[site]}
    signs |= {"E": sites.col[to] > sites.col[site], "W": sites.col[to] < sites.col[site]}
    if facing not in signs:
        raise NotCovered(f"a leap forward of a piece that looks {facing}")
    return signs[facing]


@means("moves:move,moves:fromTo", "from to count copy stack then")
def from_to(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Moves from any of some sites to any of some sites."""
    start: Any = node.args["from"]
    target: Any = node.args["to"]
    of, to_kind = kind(start, cx), kind(target, cx)
    if start.get("region") is not None:
        origins = region(start.args["region"], cx)
    else:
        origins = [number(start.get("loc"), cx, cx.slot("from"))]
    found = []
    for site in origins:
        if site < 0 or not cx.pieces(site, of):
            continue
        here = cx.at(**{"from": site})
        if not holds(start, here):
            continue
        level = number(start.get("level"), here)
        ends = (
            region(target.args["region"], here)
            if target.get("region") is not None
            else [number(target.get("loc"), here, cx.slot("to"))]
        )
        for to in ends:
            there = here.at(to=to)
            if to < 0 or not holds(target, there):
                continue
            count = None if node.get("count") is None else number(node.args["count"], here)
            piece = cx.piece(site, of)
            assert piece is not None
            if truth(node.get("copy"), there, False):
                action = add_piece(to, to_kind, Standing(piece.what, 1, piece.state, piece.rotation, piece.value))
            else:
                action = move_piece(site, of, to, to_kind, level, node.get("stack") is True, count)
            move = TreeMove(cx.position.mover, site, to, [action], from_kind=of, to_kind=to_kind)
            affected(move, target, there)
            found.append(move)
    return ended(found, node)


def ends(target: Any, cx: Context) -> list[int]:
    """The sites of a ``(to ...)``."""
    if target.get("region") is not None:
        return region(target.args["region"], cx)
    return [s for s in [number(target.get("loc"), cx, cx.slot("to"))] if s >= 0]


@means("moves:move Select", "from to then")
def select(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Names sites and changes nothing."""
    start: Any = node.args["from"]
    target: Any = node.get("to")
    of = kind(start, cx)
    found = []
    sites = (
        region(start.args["region"], cx)
        if start.get("region") is not None
        else [number(start.get("loc"), cx, cx.slot("from"))]
    )
    for site in sites:
        here = cx.at(**{"from": site, "to": site})
        if site < 0 or not holds(start, here):
            continue
        if target is None:
            found.append(TreeMove(cx.position.mover, site, site, [], from_kind=of, to_kind=of))
            continue
        to_kind = kind(target, cx)
        for to in ends(target, here):
            if holds(target, here.at(to=to)):
                move = TreeMove(cx.position.mover, site, to, [], from_kind=of, to_kind=to_kind)
                affected(move, target, here.at(to=to))
                found.append(move)
    return ended(found, node)


@means("moves:move Pass,moves:pass", "then")
def pass_(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Does nothing."""
    return ended([TreeMove(cx.position.mover, word="pass")], node)


@means("moves:move Shoot", "what from dirn between to then")
def shoot(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Puts a piece where a slide could end."""
    last = cx.position.last
    part: Any = node.get("from")
    site = number(part.get("loc"), cx, cx.slot("from")) if part is not None else (last.to if last else -1)
    target: Any = node.get("to")
    found = []
    of = cx.game.kind
    if site < 0:
        return []
    for line in directions.lines(cx, site, [str(node.get("dirn") or "Adjacent")]):
        for to in line[1:]:
            here = cx.at(**{"from": site, "to": to})
            if not (holds(target, here) if target is not None and target.get("if") is not None else cx.empty(to)):
                break
            for what in named_pieces(node.args["what"], here):
                move = TreeMove(
                    cx.position.mover, to, to, [add_piece(to, of, Standing(what))], from_kind=of, to_kind=of
                )
                move.piece = what
                affected(move, target, here)
                found.append(move)
    return ended(found, node)


@means("moves:move Swap,moves:swap Pieces", "locA locB then")
def swap_pieces(node: Ludeme, cx: Context) -> list[TreeMove]:
    """Exchanges the pieces of two sites."""
    if node.get("swapType") is not None:
        raise NotCovered(f"{node.key} of players")
    last = cx.position.last
    a = number(node.get("locA"), cx, last.to if last else -1)
    b = number(node.get("locB"), cx, cx.slot("to"))
    if a < 0 or b < 0:
        return []

    def act(where: Context) -> None:
        stacks = where.position.stacks
        one, other = where.spot(a), where.spot(b)
        first, second = where.what(a), where.what(b)
        stacks[one] = [Standing(second)] if second else []
        stacks[other] = [Standing(first)] if first else []

    of = cx.game.kind
    return ended([TreeMove(cx.position.mover, a, b, [act], from_kind=of, to_kind=of)], node)
