"""Questions about pieces and levels in games with stacks."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.components import component_by_name, is_named
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr, divided
from ludoport.ludemes.core.effects import clears_stack
from ludoport.ludemes.core.region import Region, refuse_picking
from ludoport.ludemes.core.registry import (
    condition,
    generate,
    int_ludeme,
    moves_ludeme,
    number,
    optional,
    region,
    region_ludeme,
)
from ludoport.ludemes.core.sinks import EffectSink, Sink, Spec
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.captured import counts_captures
from ludoport.ludemes.fields.named_regions import everywhere
from ludoport.ludemes.fields.position import height_at
from ludoport.ludemes.fields.stack_levels import state_at_level, what_at_level
from ludoport.ludemes.fields.stack_owned import owned_apart, owned_base, want_owned
from ludoport.ludemes.fields.stacks import max_height, want_stacks
from ludoport.ludemes.fields.teams import owned_by
from ludoport.ludemes.meanings.levels_carried import LevelSink


@int_ludeme("topLevel", reads=["board"], stacks=True, heights=True, given_sites=True)
def top_level(node: Ludeme, cx: Cx) -> Expr:
    """The level of the top piece; 0 where there is none."""
    if not cx.program.stacking:
        return 0
    site = cx.name(number(node.args["at"], cx))
    height = cx.name(height_at(cx, site), "height")
    return f"({height} - 1 if {height} > 0 else 0)"


@int_ludeme("count Stack", reads=["board"], counts=True, heights=True)
def count_stack(node: Ludeme, cx: Cx) -> Expr:
    """How many levels of some stacks fulfil a condition, from one end until another condition holds."""
    program = cx.program
    want_stacks(program)

    def body(inner: Cx) -> None:
        inner.line("total = 0")
        where = node.args["to"] if node.get("to") is not None else [node.args["at"]]
        upwards = str(node.get("stackDirection") or "FromBottom") == "FromBottom"
        with region(where, inner).each(inner) as site:
            height, level = inner.fresh("height"), inner.fresh("level")
            inner.line(f"{height} = state[HEIGHT + {site}] if state[WHAT + {site}] != 0 else 0")
            span = f"{height}" if upwards else f"{height} - 1, -1, -1"
            with inner.block(f"for {level} in range({span}):"):
                place = inner.sure(site).bind(to=site, lvl=level)
                with inner.when(condition(node.get("stop"), place, False)):
                    inner.line("break")
                with inner.when(condition(node.get("if"), place)):
                    inner.line("total += 1")
        inner.line("return total")

    return cx.call("count_stack", node, body, key=id(node))


def write_first_site(cx: Cx, what: Expr, name: str) -> None:
    """Write code that finds the first site with a component, or -1."""
    program = cx.program
    want_stacks(program)
    height = max_height(program)
    cx.line(f"{name} = -1")
    if owned_apart(program):
        want_owned(program)
        owner = cx.name(program.owner_of(what))
        first = cx.name(owned_base(program, owner if not owner.isdigit() else int(owner)), "base")
        entry = f"if state[OWNED_PIECE + {first} + i] == {what}:"
        with cx.block(f"for i in range(state[N_OWNED + {owner}]):"), cx.block(entry):
            cx.line(f"{name} = {divided(f'state[OWNED + {first} + i]', height)}")
            cx.line("break")
        return
    first = f"if {name} < 0 and state[LEVELS + s * {height} + level] == {what}:"
    levels = "for level in range(state[HEIGHT + s]):"
    with cx.block(f"for s in range({program.n_board}):"), cx.block(levels), cx.block(first):
        cx.line(f"{name} = s")


def count_stacked(node: Ludeme, cx: Cx) -> Expr:
    """Number of a role's pieces at all levels, optionally of one name, in one region, or with a condition."""
    program = cx.program
    want_stacks(program)
    height = max_height(program)
    of = node.get("of") if node.get("of") is not None else node.get("role")
    name = str(node.args["name"]) if node.get("name") is not None else None
    everyone = of is None or (isinstance(of, Word) and of.name in ("All", "Each", "Shared"))

    several = isinstance(of, Word) and (
        of.name in ("Enemy", "NonMover", "Friend", "Neutral", "Ally") or of.name.startswith("Team")
    )
    if not everyone and not several and name is None and node.get("in") is None and node.get("if") is None:
        program.state.want("N_LEVELS", program.n_players + 2)
        return f"state[N_LEVELS + {number(of, cx)}]"

    def body(inner: Cx) -> None:
        inner.line("total = 0")
        where: Region = region(node.args["in"], inner) if node.get("in") is not None else everywhere(program)
        with where.each(inner) as site:
            place = inner.sure(site).bind(site=site)
            with inner.block(f"for level in range(state[HEIGHT + {site}]):"):
                inner.line(f"piece = state[LEVELS + {site} * {height} + level]")
                tests: list[Bool] = ["piece != 0"]
                if not everyone:
                    tests.append(owned_by(place, program.owner_of("piece"), of))
                if name is not None:
                    tests.append(is_named(program, "piece", name))
                with inner.when(all_of(*tests)), inner.when(condition(node.get("if"), place)):
                    inner.line("total += 1")
        inner.line("return total")

    return cx.call("count_pieces", node, body, key=id(node))


@moves_ludeme("forEach Level", order=Order.LOOP, draws=False, pieces="stay")
def for_each_level(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every level of a site."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    site = cx.name(number(node.args["site"], place))
    upwards = str(node.get("stackDirection") or "FromTop") == "FromBottom"
    inner_node = node.args["moves"]
    assert isinstance(inner_node, Ludeme)
    with cx.when(True if site in cx.safe else f"on_board({site})"):
        here = place.sure(site)
        if isinstance(sink, LevelSink):
            settle(inner_node)
            with cx.block(f"if {height_at(here, site)} > 0:"):
                cx.line(f"{cx.slots['lvl']} = {f'{height_at(here, site)} - 1' if upwards else 0}")
            return
        if (
            isinstance(sink, EffectSink)
            and cx.buffer is None
            and clears_stack(node)
            and not counts_captures(cx.program)
        ):
            settle(inner_node)
            with cx.block(f"if state[WHAT + {site}] != 0:"):
                spec = Spec(node, "remove", site, site, lambda inner: inner.act("clear_stack", site))
                sink.move(here, spec)
            return
        level, height = cx.fresh("lvl"), cx.fresh("height")
        cx.line(f"{height} = {height_at(here, site)}")
        span = f"{height}" if upwards else f"{height} - 1, -1, -1"
        with cx.block(f"for {level} in range({span}):"):
            generate(inner_node, here.bind(lvl=level), sink)


class Levels(Region):
    """The levels of a stack that fulfil a condition, in the place of sites."""

    def __init__(self, node: Ludeme, cx: Cx) -> None:
        self.node = node
        self.site = cx.name(number(node.args["at"], cx))
        self.upwards = str(node.get("stackDirection") or "FromTop") == "FromBottom"
        start = node.get("startAt")
        self.start = cx.name(number(start, cx)) if start is not None else "-1"

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the levels."""
        height, level = cx.fresh("height"), cx.fresh("lvl")
        cx.line(f"{height} = {height_at(cx, self.site)}")
        if self.upwards:
            span = f"max(0, {self.start}), {height}"
        else:
            span = f"min({self.start}, {height} - 1) if {self.start} >= 0 else {height} - 1, -1, -1"
        with cx.block(f"for {level} in range({span}):"):
            with cx.when(condition(self.node.get("if"), cx.bind(lvl=level))):
                yield level


@region_ludeme("forEach Level", reads=["board"])
def levels(node: Ludeme, cx: Cx) -> Region:
    """The levels of a stack."""
    return Levels(node, cx)


@int_ludeme("where Level", reads=["board"], stacks=True, heights=True)
def where_level(node: Ludeme, cx: Cx) -> Expr:
    """The level of a piece on a site, or -1."""
    program = cx.program
    owner = node.get("indexPlayer") if node.get("indexPlayer") is not None else node.get("role")
    what = number(node.args["what"], cx) if owner is None else None
    if owner is not None:
        what = component_by_name(program, str(node.args["namePiece"]), number(owner, cx))
    assert what is not None
    place = cx.bind(val=cx.name(what), site=cx.name(number(node.args["at"], cx)))
    downwards = condition(node.get("fromTop"), cx, True)
    if not isinstance(downwards, bool):
        raise UnsupportedError("`fromTop:` must be known before the game", node.source)

    def body(inner: Cx) -> None:
        inner.line(f"s = {inner.slots['site']}")
        with inner.block(f"if s < 0 or s >= {program.n_board} or {inner.slots['val']} <= 0:"):
            inner.line("return -1")
        here = inner.sure("s")
        inner.line(f"height = {height_at(here, 's')}")
        with inner.block(f"for level in range({'height - 1, -1, -1' if downwards else 'height'}):"):
            tests: list[Bool] = [f"{what_at_level(here, 's', 'level')} == {inner.slots['val']}"]
            if node.get("state") is not None:
                tests.append(f"{state_at_level(here, 's', 'level')} == {number(node.args['state'], inner)}")
            with inner.block(f"if {all_of(*tests)}:"):
                inner.line("return level")
        inner.line("return -1")

    return place.call("where_level", node, body, key=("where level", id(node)))
