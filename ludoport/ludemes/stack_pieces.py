"""Questions about pieces and levels in games with stacks."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.components import is_named
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.effects import clears_stack
from ludoport.ludemes.named_regions import everywhere
from ludoport.ludemes.position import height_at
from ludoport.ludemes.region import Region, all_of, refuse_picking
from ludoport.ludemes.registry import condition, generate, int_ludeme, moves_ludeme, number, optional, region
from ludoport.ludemes.sinks import EffectSink, Sink, Spec
from ludoport.ludemes.stack_owned import owned_apart, owned_base, want_owned
from ludoport.ludemes.stacks import max_height, want_stacks
from ludoport.ludemes.teams import owned_by


@int_ludeme("topLevel")
def top_level(node: Ludeme, cx: Cx) -> Expr:
    """The level of the top piece; 0 where there is none."""
    if not cx.program.stacking:
        return 0
    site = cx.name(number(node.args["at"], cx))
    height = cx.name(height_at(cx, site), "height")
    return f"({height} - 1 if {height} > 0 else 0)"


@int_ludeme("count Stack")
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
            cx.line(f"{name} = state[OWNED + {first} + i] // {height}")
            cx.line("break")
        return
    first = f"if {name} < 0 and state[LEVELS + s * {height} + level] == {what}:"
    levels = "for level in range(state[HEIGHT + s]):"
    with cx.block(f"for s in range({program.n_board}):"), cx.block(levels), cx.block(first):
        cx.line(f"{name} = s")


def count_stacked(node: Ludeme, cx: Cx) -> Expr:
    """How many pieces a role has at all levels, perhaps of one name, in one region, fulfilling a condition."""
    program = cx.program
    want_stacks(program)
    height = max_height(program)
    of = node.get("of") if node.get("of") is not None else node.get("role")
    name = str(node.args["name"]) if node.get("name") is not None else None
    everyone = of is None or (isinstance(of, Word) and of.name in ("All", "Each", "Shared"))

    several = isinstance(of, Word) and of.name in ("Enemy", "NonMover", "Friend", "Neutral", "Ally")
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


def stacked_with(cx: Cx, site: str, test: Bool, piece: str) -> Bool:
    """Write code that looks through the levels of a site; returns the name that tells whether one fulfils a test.

    Args:
        cx: the place.
        site: the site's name.
        test: the test, about a piece called ``piece``.
        piece: the name that the test uses for the piece at a level.
    """
    want_stacks(cx.program)
    height = max_height(cx.program)
    found, level = cx.fresh("found"), cx.fresh("level")
    cx.line(f"{found} = False")
    with cx.block(f"for {level} in range(state[HEIGHT + {site}]):"):
        cx.line(f"{piece} = state[LEVELS + {site} * {height} + {level}]")
        with cx.when(test):
            cx.line(f"{found} = True")
    return found


@moves_ludeme("forEach Level")
def for_each_level(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every level of a site."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    site = cx.name(number(node.args["site"], place))
    upwards = str(node.get("stackDirection") or "FromTop") == "FromBottom"
    inner_node = node.args["moves"]
    assert isinstance(inner_node, Ludeme)
    with cx.when(True if site in cx.safe else f"{site} >= 0"):
        here = place.sure(site)
        if isinstance(sink, EffectSink) and cx.buffer is None and clears_stack(node):
            with cx.block(f"if state[WHAT + {site}] != 0:"):
                spec = Spec(node, "remove", site, site, lambda inner: inner.act("clear_stack", site))
                sink.move(here, spec)
            return
        level, height = cx.fresh("lvl"), cx.fresh("height")
        cx.line(f"{height} = {height_at(here, site)}")
        span = f"{height}" if upwards else f"{height} - 1, -1, -1"
        with cx.block(f"for {level} in range({span}):"):
            generate(inner_node, here.bind(lvl=level), sink)
