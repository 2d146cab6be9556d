"""Groups of sites that fulfil a condition: their number, their sizes, their sites, and effects for each of them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.conditions import all_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, ScratchRegion, refuse_picking
from ludoport.ludemes.core.registry import (
    boolean_ludeme,
    condition,
    generate,
    int_ludeme,
    moves_ludeme,
    number,
    optional,
    region,
    region_ludeme,
)
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, ListSink, Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.layers import covered, parted
from ludoport.ludemes.fields.named_regions import whole_board
from ludoport.ludemes.fields.position import empty_at, who_at
from ludoport.ludemes.fields.rays import Steps
from ludoport.ludemes.meanings.arrays import Collected, IntArray, array_ludeme
from ludoport.ludemes.meanings.flooding import stamps

Member = Callable[[Cx, str], Bool]


def _refuse(node: Ludeme, cx: Cx) -> None:
    kind = node.get("type")
    if kind is not None and str(kind) != cx.program.board.kind:
        raise UnsupportedError(
            f"`{node.keyword}` on another kind of site than the board's is not implemented yet", node.source
        )


Joined = Callable[[Cx, str, str], Bool]


def _seen(node: Ludeme, cx: Cx) -> Joined | None:
    """The test whether two neighbours touch where one can see it; None where that does not matter."""
    wanted = condition(node.get("isVisible"), cx, False)
    if wanted is False:
        return None
    if wanted is not True:
        raise UnsupportedError("`isVisible:` must be known before the game", node.source)

    def joined(place: Cx, one: str, other: str) -> Bool:
        return all_of(negation(covered(place, other)), negation(parted(place, one, other)))

    return joined


def grow(
    cx: Cx,
    start: str,
    table: Steps,
    member: Member,
    marks: str,
    mark: str,
    queue: str,
    joined: Joined | None = None,
) -> str:
    """Write code that collects the group of a site; returns the variable with its size.

    Args:
        cx: the place.
        start: the first site, taken without a test.
        table: the neighbours.
        member: the test whether another site belongs to the group.
        marks: where sites that were reached are marked.
        mark: the mark; sites that carry it are not entered again.
        queue: where the sites of the group are listed.
        joined: one more test, of a site of the group and its neighbour.
    """
    head, tail, at = cx.fresh("head"), cx.fresh("tail"), cx.fresh("m")
    cx.program.list_once(queue, marks)
    cx.line(f"work[{queue}] = {start}")
    cx.line(f"work[{marks} + {start}] = {mark}")
    cx.line(f"{head} = 0")
    cx.line(f"{tail} = 1")
    with cx.block(f"while {head} < {tail}:"):
        cx.line(f"{at} = work[{queue} + {head}]")
        cx.line(f"{head} += 1")
        with table.each(cx.sure(at), at) as near:
            with cx.block(f"if work[{marks} + {near}] != {mark}:"), cx.when(member(cx.sure(near), near)):
                touching = True if joined is None else joined(cx.sure(at, near), at, near)
                with cx.when(touching):
                    cx.line(f"work[{marks} + {near}] = {mark}")
                    cx.line(f"work[{queue} + {tail}] = {near}")
                    cx.line(f"{tail} += 1")
    return tail


@contextmanager
def all_groups(node: Ludeme, cx: Cx, starts: Region, first: Member, member: Member) -> Iterator[tuple[str, str]]:
    """Write a loop over the groups that start somewhere in a region; yields the list's offset and the size's name."""
    program = cx.program
    table = steps_table(node.get("directions"), cx)
    marks, mark = stamps(cx, program.n_board, 1)
    queue = program.scratch(program.n_board, "GROUP")
    joined = _seen(node, cx)
    with starts.each(cx) as site:
        fresh = f"work[{marks} + {site}] != {mark}"
        inside = fresh if program.n_sites == program.n_board else f"{site} < {program.n_board} and {fresh}"
        with cx.block(f"if {inside}:"), cx.when(first(cx.sure(site), site)):
            place = cx.sure(site).bind(frm=site)
            with cx.when(True if joined is None else negation(covered(place, site))):
                size = grow(place, site, table, lambda c, s: member(c.bind(frm=site), s), marks, mark, queue, joined)
                yield queue, size


def _holds(node: Ludeme) -> Member:
    """The condition of a group, which is asked of ``(to)``."""
    test = node.get("if")

    def member(cx: Cx, site: str) -> Bool:
        return condition(test, cx.bind(to=site)) if test is not None else negation(empty_at(cx.program, site))

    return member


def _through(node: Ludeme, cx: Cx) -> Region:
    any_ = node.get("throughAny")
    return region(any_, cx) if any_ is not None else whole_board(cx.program)


@int_ludeme("count Groups", reads=["board"])
def count_groups(node: Ludeme, cx: Cx) -> Expr:
    """Number of groups, optionally of a minimum size."""
    _refuse(node, cx)

    def body(inner: Cx) -> None:
        inner.line("groups = 0")
        least = number(node.get("min"), inner, 0)
        with all_groups(node, inner, _through(node, inner), _holds(node), _holds(node)) as (_, size):
            with inner.when(True if least == 0 else f"{size} >= {least}"):
                inner.line("groups += 1")
        inner.line("return groups")

    return cx.call("count_groups", node, body, key=id(node))


@int_ludeme("count SizeBiggestGroup", reads=["board"], ignores={"min": "the reference counts small groups too"})
def size_of_biggest(node: Ludeme, cx: Cx) -> Expr:
    """The size of the largest group."""
    _refuse(node, cx)

    def body(inner: Cx) -> None:
        inner.line("largest = 0")
        with all_groups(node, inner, _through(node, inner), _holds(node), _holds(node)) as (_, size):
            with inner.block(f"if {size} > largest:"):
                inner.line(f"largest = {size}")
        inner.line("return largest")

    return cx.call("biggest_group", node, body, key=id(node))


def _same_piece(node: Ludeme, piece: str) -> Member:
    """The test of a group at a site: a condition, or the same piece as there."""
    test = node.get("if")

    def member(cx: Cx, site: str) -> Bool:
        return condition(test, cx.bind(to=site)) if test is not None else f"state[WHAT + {site}] == {piece}"

    return member


def _one_group(node: Ludeme, cx: Cx, start: str, use: Callable[[str, str], None]) -> None:
    """Write code for the group at one site; nothing if the site does not fulfil the condition itself."""
    program = cx.program
    with cx.block(f"if {start} >= 0 and {start} < {program.n_board}:"):
        here = cx.sure(start).bind(frm=start)
        first = condition(node.get("if"), cx.sure(start).bind(to=start))
        with cx.when(first):
            piece = cx.fresh("piece")
            cx.line(f"{piece} = state[WHAT + {start}]")
            table = steps_table(node.get("directions"), here)
            marks, mark = stamps(here, program.n_board, 1)
            queue = program.scratch(program.n_board, "GROUP")
            member = _same_piece(node, piece)
            use(queue, grow(here, start, table, member, marks, mark, queue, _seen(node, here)))


@int_ludeme("size Group", reads=["board"])
def size_group(node: Ludeme, cx: Cx) -> Expr:
    """The size of the group at a site."""
    _refuse(node, cx)
    place = cx.bind(val=cx.name(number(node.args["at"], cx)))

    def body(inner: Cx) -> None:
        start = inner.fresh("start")
        inner.line(f"{start} = {inner.slots['val']}")
        _one_group(node, inner, start, lambda queue, size: inner.line(f"return {size}"))
        inner.line("return 0")

    return place.call("size_group", node, body, key=id(node))


@region_ludeme("sites Group", reads=["board"])
def sites_group(node: Ludeme, cx: Cx) -> Region:
    """The sites of the groups at one or several sites."""
    _refuse(node, cx)

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        def use(queue: str, size: str) -> None:
            index, site = inner.fresh("i"), inner.fresh("s")
            with inner.block(f"for {index} in range({size}):"):
                inner.line(f"{site} = work[{queue} + {index}]")
                add(site)

        if node.get("at") is not None:
            start = inner.fresh("start")
            inner.line(f"{start} = {number(node.args['at'], inner)}")
            _one_group(node, inner, start, use)
            return
        with region(node.args["from"], inner).each(inner) as site:
            _one_group(node, inner, site, use)

    return ScratchRegion(gather)


@array_ludeme("sizes Group", reads=["board"])
def sizes_group(node: Ludeme, cx: Cx) -> IntArray:
    """The sizes of all groups, or of those of one player."""
    _refuse(node, cx)
    role = node.get("role")
    everyone = (role is None and node.get("of") is None and node.get("if") is None) or (
        isinstance(role, Word) and role.name in ("All", "Shared")
    )
    test = node.get("if")

    def gather(inner: Cx, add: Callable[[Expr], None]) -> None:
        program = inner.program
        who = number(node.get("of") if node.get("of") is not None else role, inner, program.n_players + 1)
        owner = inner.name(who)
        least = number(node.get("min"), inner, 0)

        def member(place: Cx, site: str) -> Bool:
            if everyone:
                return negation(empty_at(program, site))
            if test is not None:
                return condition(test, place.bind(to=site))
            return f"{who_at(place, site)} == {owner}"

        def first(place: Cx, site: str) -> Bool:
            held = who_at(place, site)
            if everyone:
                return f"1 <= {held} <= {program.n_players}"
            if test is None:
                return f"{held} == {owner}"
            with_owner = place.fresh("first")
            place.line(f"{with_owner} = False")
            with place.block(f"if {held} == {owner}:"):
                place.line(f"{with_owner} = {condition(test, place.bind(frm=site))}")
            return with_owner

        with all_groups(node, inner, whole_board(program), first, member) as (_, size):
            with inner.when(True if least == 0 else f"{size} >= {least}"):
                add(size)

    return Collected(gather, cx.program.n_board)


class GroupSites(Region):
    """The sites of the group that is being iterated over, listed in scratch space."""

    def __init__(self, items: str, count: str) -> None:
        self.items, self.size = items, count

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the group."""
        index, site = cx.fresh("i"), cx.fresh("s")
        with cx.block(f"for {index} in range(work[{self.size}]):"):
            cx.line(f"{site} = work[{self.items} + {index}]")
            yield site

    def count(self, cx: Cx) -> Expr:
        """The size of the group."""
        return f"work[{self.size}]"


@boolean_ludeme("all Groups", reads=["board"])
def all_groups_hold(node: Ludeme, cx: Cx) -> Bool:
    """Whether a condition holds for every group, in which ``(sites)`` is the group."""
    _refuse(node, cx)
    program = cx.program
    size_at = program.scratch(1, "GROUP_SIZE")

    def member(inner: Cx, site: str) -> Bool:
        if node.get("of") is not None:
            return condition(node.args["of"], inner.bind(to=site))
        return f"{who_at(inner, site)} == {inner.slots['mover']}"

    def body(inner: Cx) -> None:
        with all_groups(node, inner, whole_board(program), member, member) as (queue, size):
            inner.line(f"work[{size_at}] = {size}")
            place = replace(inner, group=GroupSites(queue, size_at))
            with inner.when(negation(condition(node.args["if"], place))):
                inner.line("return False")
        inner.line("return True")

    return cx.call("all_groups", node, body, key=id(node))


@moves_ludeme("forEach Group", order=Order.LOOP, draws=False, pieces="stay")
def for_each_group(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves or effects for each group, in which ``(sites)`` is the group."""
    _refuse(node, cx)
    refuse_picking(cx)
    if not isinstance(sink, (EffectSink, ExistsSink, ListSink)):
        raise UnsupportedError("`forEach Group` in a threat is not implemented yet", node.source)
    program = cx.program
    place = cx.inside(optional(node.get("then")))
    size_at = program.scratch(1, "GROUP_SIZE")

    def member(inner: Cx, site: str) -> Bool:
        if node.get("if") is not None:
            return condition(node.args["if"], inner.bind(to=site))
        return f"{who_at(inner, site)} == {inner.slots['mover']}"

    def first(inner: Cx, site: str) -> Bool:
        # Groups start from pieces, even where the condition would also accept empty sites.
        if node.get("if") is None:
            return member(inner, site)
        begins = inner.fresh("begins")
        inner.line(f"{begins} = False")
        with inner.block(f"if {negation(empty_at(program, site))}:"):
            inner.line(f"{begins} = {member(inner.bind(frm=site), site)}")
        return begins

    with all_groups(node, place, whole_board(program), first, member) as (queue, size):
        place.line(f"work[{size_at}] = {size}")
        inner = replace(place, group=GroupSites(queue, size_at))
        generate(node.args["moves"], inner, sink)
