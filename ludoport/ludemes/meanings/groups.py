"""Conditions and numbers about connected groups: connection, loops, liberties, territory."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.conditions import all_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region
from ludoport.ludemes.core.registry import boolean_ludeme, condition, int_ludeme, number, region
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.named_regions import player_regions, region_type
from ludoport.ludemes.fields.position import empty_at, who_at
from ludoport.ludemes.meanings.flooding import direction_word, flood, stamps
from ludoport.ludemes.meanings.surrounding import surrounds
from ludoport.ludemes.meanings.tiles import path_returns


@boolean_ludeme("is Connected", reads=["board"])
def is_connected(node: Ludeme, cx: Cx) -> Bool:
    """Whether the group at a site touches enough of some regions."""
    program = cx.program
    at = number(node.get("at"), cx, "state[LAST_TO]")
    role = node.get("role")
    owner: Expr | None = number(role, cx) if role is not None else None
    place = cx.bind(site=cx.name(at), plr=cx.name(owner) if owner is not None else -1)
    if program.unions is not None:
        call = program.unions.connected(node, place, owner is not None)
        if call is not None:
            return call

    def body(inner: Cx) -> None:
        start = inner.slots["site"]
        with inner.block(f"if {start} < 0 or {start} >= {program.n_board}:"):
            inner.line("return False")
        inner.line(f"s = {start}")
        here = inner.sure("s")
        inner.line(f"who = {who_at(here, 's')}")
        with inner.block("if who <= 0:" if owner is None else f"if who <= 0 or who != {inner.slots['plr']}:"):
            inner.line("return False")
        moving = _moving_regions(node, inner)
        bits, total = ((lambda site: "0"), len(moving)) if moving else connection_bits(node, inner)
        wanted = number(node.get("number"), inner, total)
        queue = program.scratch(program.n_board, "GROUP")
        marks, mark = stamps(inner, program.n_board, 1)
        inner.line("touched = 0")
        table = steps_table(node.get("directions"), here)

        def visit(spot: Cx, site: str) -> None:
            for k, part in enumerate(moving):
                with spot.when(part.contains(spot, site)):
                    spot.line(f"touched |= {1 << k}")
            if not moving:
                spot.line(f"touched |= {bits(site)}")

        flood(here, "s", table, lambda spot, site: f"{who_at(spot, site)} == who", visit, marks, queue, mark)
        program.library.add("bit_count")
        inner.line(f"return bit_count(touched) >= {wanted}")

    return place.call("connected", node, body, key=("connected", id(node)))


def _moving_regions(node: Ludeme, cx: Cx) -> list[Region]:
    """The regions to connect where some of them change during play; none otherwise."""
    regions = node.get("regions")
    parts = [region(part, cx) for part in regions] if isinstance(regions, list) else []
    if all(part.static is not None for part in parts):
        return []
    if len(parts) > 15:
        raise UnsupportedError("more than 15 regions to connect are not implemented yet", node.source)
    return parts


def connection_bits(node: Ludeme, cx: Cx):  # type: ignore[no-untyped-def]
    """A function giving the code for the regions that a site touches, as bits, and how many regions there are."""
    program = cx.program
    role = node.get("role")
    regions = node.get("regions")
    if isinstance(regions, list):
        parts = [region(r, cx) for r in regions]
        if any(p.static is None for p in parts):
            raise UnsupportedError("`is Connected` with regions that change is not implemented yet", node.source)
        table = _bit_table(program, [list(p.static or ()) for p in parts])
        return (lambda site: f"{table}[{site}]"), len(parts)
    if role is not None:
        groups = [player_regions(program, p) for p in range(program.n_players + 1)]
        tables = [_bits(program, g) for g in groups]
        name = program.module.table("TOUCHES", tables)
        totals = {len(g) for g in groups[1:]}
        total: Expr = (
            totals.pop()
            if len(totals) == 1
            else f"{program.module.table('TOTAL', [len(g) for g in groups])}[{cx.slots['plr']}]"
        )
        return (lambda site: f"{name}[{cx.slots['plr']} * {program.n_sites} + {site}]"), total
    kind = str(node.args["regionType"])
    groups_ = region_type(program, kind, node)
    table = _bit_table(program, groups_)
    return (lambda site: f"{table}[{site}]"), len(groups_)


def _bits(program, groups: list[list[int]]) -> list[int]:  # type: ignore[no-untyped-def]
    bits = [0] * program.n_sites
    for k, group in enumerate(groups):
        if k >= 15:
            raise UnsupportedError("more than 15 regions to connect are not implemented yet")
        for s in group:
            bits[s] |= 1 << k
    return bits


def _bit_table(program, groups: list[list[int]]) -> str:  # type: ignore[no-untyped-def]
    name: str = program.module.table("TOUCHES", _bits(program, groups))
    return name


@boolean_ludeme("is Loop", reads=["board"])
def is_loop(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last stone closed a loop around at least one site."""
    program = cx.program
    if node.get("path") is True:
        return path_returns(node, cx)
    # Only loops of paths begin in a region; others begin at the last move all the same.
    settle(node.get("regionStart"))
    start = number(node.get("start"), cx, "state[LAST_TO]")
    colour = number(node.get("colour"), cx, cx.slots["mover"])
    if node.get("surround") is not None or node.get("surroundList") is not None:
        return surrounds(node, cx, start, colour)
    place = cx.bind(site=cx.name(start), plr=cx.name(colour))

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < 0 or s >= {program.n_board}:"):
            inner.line("return False")
        here = inner.sure("s")
        inner.line("piece = state[WHAT + s]")
        table = steps_table(node.get("directions"), here)
        orthogonal = steps_table(direction_word("Orthogonal"), here)
        outer = program.mask(tuple(program.sites.outer))
        queue = program.scratch(program.n_board, "GROUP")
        # A loop needs two neighbours of the colour that are not next to each other, or a filled cluster around a site.
        inner.line("own = 0")
        with table.each(here, "s") as near:
            with inner.block(f"if {who_at(here.sure(near), near)} == {inner.slots['plr']}:"):
                inner.line("own += 1")
        with inner.block("if own < 2:"):
            inner.line("return False")
        marks, first = stamps(inner, program.n_board, 2 * table.width + 1)
        inner.line(f"group = {first}")
        # What is enclosed may begin at a free site or at an own stone. Free sites first: their groups are areas,
        # so that meeting one of them again means the border is reached. An own stone may join several areas.
        for own_stones in (False, True):
            if own_stones:
                inner.line("areas = group")
            with table.each(here, "s") as near:
                fits = f"state[WHAT + {near}] {'==' if own_stones else '!='} piece"
                with inner.block(f"if {fits} and {outer}[{near}] == 0 and work[{marks} + {near}] <= {first}:"):
                    _enclosed(inner, here, near, orthogonal, outer, (marks, queue, first), own_stones)
        inner.line("return False")

    return place.call("loop", node, body, key=("loop", id(node)))


def _enclosed(cx, here, start, table, outer, scratch, own_stones) -> None:  # type: ignore[no-untyped-def]
    """Write a flood from a site over all that is not of the stone's kind; True unless the border is reached."""
    marks, queue, first = scratch
    cx.line("group += 1")
    cx.line("closed = True")
    cx.program.list_once(queue, marks)
    cx.line(f"work[{queue}] = {start}")
    cx.line(f"work[{marks} + {start}] = group")
    cx.line("head = 0")
    cx.line("tail = 1")
    with cx.block("while head < tail and closed:"):
        cx.line(f"m = work[{queue} + head]")
        cx.line("head += 1")
        with table.each(here.sure("m"), "m") as other:
            with cx.block(f"if state[WHAT + {other}] != piece and work[{marks} + {other}] != group:"):
                cx.line(f"met = work[{marks} + {other}]")
                known = f"{first} < met <= areas" if own_stones else f"met > {first}"
                with cx.block(f"if {outer}[{other}] != 0 or {known}:"):
                    cx.line("closed = False")
                    cx.line("break")
                cx.line(f"work[{marks} + {other}] = group")
                cx.line(f"work[{queue} + tail] = {other}")
                cx.line("tail += 1")
    with cx.block("if closed:"):
        cx.line("return True")


@int_ludeme("count Liberties", reads=["board"])
def count_liberties(node: Ludeme, cx: Cx) -> Expr:
    """Empty sites next to the group at a site."""
    program = cx.program
    at = number(node.get("at"), cx, "state[LAST_TO]")
    place = cx.bind(site=cx.name(at))

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < 0 or s >= {program.n_board}:"):
            inner.line("return 0")
        here = inner.sure("s")
        inner.line("piece = state[WHAT + s]")
        table = steps_table(node.get("directions"), here)
        queue = program.scratch(program.n_board, "GROUP")
        marks, mark = stamps(inner, program.n_board, 1)
        inner.line("free = 0")
        test = node.get("if")
        if test is not None:
            with inner.when(negation(condition(test, here.bind(to="s")))):
                inner.line("return 0")

        def visit(spot: Cx, site: str) -> None:
            with table.each(spot, site) as near:
                with spot.block(f"if work[{marks} + {near}] != {mark} and {empty_at(program, near)}:"):
                    spot.line(f"work[{marks} + {near}] = {mark}")
                    spot.line("free += 1")

        def member(spot: Cx, site: str) -> Bool:
            more = condition(test, spot.bind(frm="s", to=site)) if test is not None else True
            return all_of(f"state[WHAT + {site}] == piece", more)

        flood(here, "s", table, member, visit, marks, queue, mark)
        inner.line("return free")

    return place.call("liberties", node, body, key=("liberties", id(node)))


@int_ludeme("size Territory", reads=["board"])
def size_territory(node: Ludeme, cx: Cx) -> Expr:
    """Empty sites in empty regions that only one player borders."""
    program = cx.program
    who = number(node.get("role") if node.get("role") is not None else node.get("player"), cx)
    place = cx.bind(plr=cx.name(who))

    def body(inner: Cx) -> None:
        table = steps_table(node.get("direction"), inner)
        queue = program.scratch(program.n_board, "GROUP")
        marks, mark = stamps(inner, program.n_board, 1)
        inner.line("total = 0")
        with inner.block(f"for s in range({program.n_board}):"):
            with inner.block(f"if work[{marks} + s] != {mark} and {empty_at(program, 's')}:"):
                inner.line("alien = False")

                def visit(spot: Cx, site: str) -> None:
                    with table.each(spot, site) as near:
                        near_cx = spot.sure(near)
                        other = f"{who_at(near_cx, near)} != {inner.slots['plr']}"
                        with spot.block(f"if {negation(empty_at(program, near))} and {other}:"):
                            spot.line("alien = True")

                flood(
                    inner.sure("s"), "s", table, lambda spot, site: empty_at(program, site), visit, marks, queue, mark
                )
                with inner.block("if not alien:"):
                    inner.line("total += tail")
        inner.line("return total")

    return place.call("territory", node, body, key=("territory", id(node)))
