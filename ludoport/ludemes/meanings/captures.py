"""Captures by position: custodial, surround, enclose, intervene."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.effects import conflicts
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.direction_choice import variants
from ludoport.ludemes.fields.directions import rays, steps_table
from ludoport.ludemes.fields.position import empty_at, who_at
from ludoport.ludemes.fields.teams import enemy, friend
from ludoport.ludemes.meanings.flooding import direction_word, stamps
from ludoport.ludemes.meanings.moves_parts import distance_range, holder_condition, refuse_then
from ludoport.ludemes.meanings.moves_site import pieces_of

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _origin(node: Ludeme, cx: Cx, default: str = "state[LAST_TO]") -> tuple[Cx, str]:
    refuse_picking(cx)  # victims are collected first
    source = optional(node.get("from"))
    value = number(source.get("loc"), cx) if source is not None and source.get("loc") is not None else default
    name = cx.name(value, "origin")
    return replace(cx, owner=None), name


def _removal(node: Ludeme, slot: str) -> Ludeme:
    """What happens to victims where the text does not say it."""
    site = Ludeme("int", "between" if slot == "btw" else "to", {}, node.source)
    return Ludeme("moves", "remove", {"locationFunction": site}, node.source)


def _each_victim(node: Ludeme, cx: Cx, sink: Sink, items: str, count: str, slot: str = "btw") -> None:
    """Do the effect for every collected victim."""
    holder = optional(node.get("between")) if slot == "btw" else optional(node.get("to"))
    effect = optional(holder.get("effect")) if holder is not None else None
    then = optional(node.get("then"))
    inner = effect.get("effect") if effect is not None else _removal(node, slot)
    if inner is None:
        return
    assert isinstance(inner, Ludeme)
    only_if = effect.get("if") if effect is not None else None
    if isinstance(sink, ExistsSink):
        index, site = cx.fresh("i"), cx.fresh("victim")
        with cx.block(f"for {index} in range({count}):"):
            cx.line(f"{site} = work[{items} + {index}]")
            here = cx.sure(site).bind(**{slot: site})
            with cx.when(condition(only_if, here)):
                generate(inner, here, sink)
        return
    # Effects that look at what earlier victims' effects changed are collected first.
    buffered = cx.buffer is None and conflicts(inner)
    place = replace(cx, buffer=0) if buffered else cx
    base = ""
    if buffered:
        base = cx.fresh("base")
        cx.line(f"{base} = work[{cx.program.rules.buffer.top()}]")
    index, site = cx.fresh("i"), cx.fresh("victim")
    with cx.block(f"for {index} in range({count}):"):
        cx.line(f"{site} = work[{items} + {index}]")
        # What follows the capture follows the effect on each victim.
        here = place.inside(then).sure(site).bind(**{slot: site})
        with cx.when(condition(only_if, here)):
            generate(inner, here, EffectSink())
    if buffered:
        cx.line(f"flush_0(state, work, {base})")
        cx.program.rules.buffer.want_level(0)


def _inside(program: Program, origin: str) -> Bool:
    """The test that an origin is a site of the board."""
    if program.n_board == program.n_sites:
        return f"on_board({origin})"
    return f"{origin} >= 0 and {origin} < {program.n_board}"


@moves_ludeme("directional", order=Order.LOOK, draws=True, pieces="leave")
def directional(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The victims in an unbroken row from the origin, by default onwards in the direction of the last move."""
    program = cx.program
    to = optional(node.get("to"))
    if to is None or to.get("if") is None:
        raise UnsupportedError("`directional` without `(to if: ...)` is not implemented yet", node.source)
    place, origin = _origin(node, cx)
    victims, count = program.scratch(program.n_board, "VICTIMS"), cx.fresh("count")
    cx.line(f"{count} = 0")
    dirs = node.get("directions")
    inside = f"{origin} >= 0 and {origin} < {program.n_board}"
    with cx.when(inside):
        looking = place.sure(origin)
        for directions, branch in variants(dirs if dirs is not None else direction_word("SameDirection"), looking):
            lines = rays(directions, branch)
            with lines.each(branch, origin) as ray, lines.walk(branch, ray) as (site, _):
                with cx.when(negation(condition(to.args["if"], branch.sure(site).bind(to=site)))):
                    cx.line("break")
                cx.line(f"work[{victims} + {count}] = {site}")
                cx.line(f"{count} += 1")
    _each_victim(node, replace(cx.bind(frm=-1), owner=None), sink, victims, count, "to")


@moves_ludeme("custodial", order=Order.LOOK, draws=True, pieces="leave")
def custodial(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Runs of victims between the origin and a closing piece."""
    program = cx.program
    place, origin = _origin(node, cx)
    between, to = optional(node.get("between")), optional(node.get("to"))
    low, high = distance_range(between, place, 1, 1000)
    victims = program.scratch(program.n_board, "VICTIMS")
    count = cx.fresh("count")
    cx.line(f"{count} = 0")
    victim = holder_condition(between)
    close = holder_condition(to)
    dirs = node.get("dirnChoice")
    longest = high + 1 if isinstance(high, int) and high < 1000 else None
    inside = _inside(program, origin)
    with cx.when(inside if origin not in cx.safe else True):
        looking = place.sure(origin)
        lines = rays(dirs, looking, longest=longest)
        # Every ray adds at most the sites that it has.
        room = program.enlarge(victims, lines.rays * lines.length)
        cx.fn.facts[count] = (0, room - 1)
        with lines.each(looking, origin) as ray:
            start, k = cx.fresh("start"), cx.fresh("k")
            cx.line(f"{start} = {count}")
            site, shut = cx.fresh("s"), cx.fresh("shut")
            cx.line(f"{shut} = -1")
            cx.line(f"{k} = 0")
            with cx.block(f"while {k} < {lines.length}:"):
                cx.line(f"{site} = {lines.table}[{ray} + {k}]")
                with cx.block(f"if {site} < 0:"):
                    cx.line("break")
                here = looking.sure(site).bind(btw=site)
                if not (isinstance(high, int) and high >= 1000):
                    cx.line(f"{shut} = {site}")
                    with cx.block(f"if {k} >= {high}:"):
                        cx.line("break")
                test = condition(victim, here) if victim is not None else enemy(here, who_at(here, site))
                cx.line(f"{shut} = {site}")
                with cx.when(negation(test)):
                    cx.line("break")
                cx.line(f"work[{victims} + {count}] = {site}")
                cx.line(f"{count} += 1")
                cx.line(f"{shut} = -1")
                cx.line(f"{k} += 1")
            enough = f"{count} - {start} >= {max(low, 1) if isinstance(low, int) else low}"
            # A run of several may end at the edge of the board: the closing site is -1 there.
            at_edge = high != 1 and close is not None and condition(close, looking.bind(to=-1)) is not False
            closed = cx.fresh("closed")
            cx.line(f"{closed} = False")
            with cx.block(f"if {enough}:" if at_edge else f"if {enough} and {shut} >= 0:"):
                ending = (looking if at_edge else looking.sure(shut)).bind(to=shut)
                ok = condition(close, ending) if close is not None else friend(ending, who_at(ending, shut))
                cx.line(f"{closed} = {ok}")
            with cx.block(f"if not {closed}:"):
                cx.line(f"{count} = {start}")
    _each_victim(node, place, sink, victims, count)


@moves_ludeme("surround", order=Order.LOOK, draws=True, pieces="leave")
def surround(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Neighbours of the origin all of whose other neighbours are closing pieces, up to some exceptions."""
    refuse_then(node)
    program = cx.program
    place, origin = _origin(node, cx, str(cx.slots["frm"]))
    between, to = optional(node.get("between")), optional(node.get("to"))
    relation = node.get("relation")
    exceptions = number(node.get("except"), cx, 0)
    victims = program.scratch(program.n_board, "VICTIMS")
    count, free, last = cx.fresh("count"), cx.fresh("free"), cx.fresh("to")
    cx.line(f"{count} = 0")
    # `(to)` keeps the last site tested, which later conditions may look at.
    cx.line(f"{last} = {cx.slots['to']}")
    victim, close = holder_condition(between), holder_condition(to)
    with_piece = optional(node.get("with"))
    table = steps_table(direction_word(str(relation) if relation is not None else "Adjacent"), place)
    inside = _inside(program, origin)
    with cx.when(inside):
        looking = place.sure(origin)
        with table.each(looking, origin) as site:
            here = looking.sure(site).bind(btw=site, to=last)
            test = condition(victim, here) if victim is not None else enemy(here, who_at(here, site))
            with cx.when(test):
                cx.line(f"{free} = 0")
                found = cx.fresh("found")
                if with_piece is not None:
                    cx.line(f"{found} = False")
                with table.each(here, site) as other:
                    if with_piece is not None:
                        kinds = pieces_of(with_piece, here.sure(other))
                        with cx.block(f"if {' or '.join(f'state[WHAT + {other}] == {p}' for p in kinds)}:"):
                            cx.line(f"{found} = True")
                    with cx.block(f"if {other} != {origin}:"):
                        cx.line(f"{last} = {other}")
                        near = here.sure(other, last)
                        ok = condition(close, near) if close is not None else friend(near, who_at(near, other))
                        with cx.when(negation(ok)):
                            cx.line(f"{free} += 1")
                            with cx.block(f"if {free} > {exceptions}:"):
                                cx.line("break")
                enough = f"{free} <= {exceptions}" + (f" and {found}" if with_piece is not None else "")
                with cx.block(f"if {enough}:"):
                    cx.line(f"work[{victims} + {count}] = {site}")
                    cx.line(f"{count} += 1")
    _each_victim(node, place, sink, victims, count)


@moves_ludeme("enclose", order=Order.LOOK, draws=True, pieces="leave")
def enclose(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Groups next to the origin that have no empty neighbour; up to ``numException`` empty sites count as members."""
    program = cx.program
    place, origin = _origin(node, cx)
    between = optional(node.get("between"))
    exceptions = number(node.get("numException"), cx, 0)
    victims = program.scratch(program.n_board, "VICTIMS")
    count = cx.fresh("count")
    cx.line(f"{count} = 0")
    victim = holder_condition(between)
    if isinstance(victim, Ludeme) and any(part.keyword == "is Empty" for part in victim.walk()):
        raise UnsupportedError("`enclose` of empty sites is not implemented yet", node.source)
    table = steps_table(node.get("directions"), place)

    def is_victim(there: Cx, site: str) -> Bool:
        here = there.sure(site).bind(btw=site)
        return condition(victim, here) if victim is not None else enemy(here, who_at(here, site))

    inside = _inside(program, origin)
    with cx.when(inside), cx.when(negation(empty_at(program, origin))):
        looking = place.sure(origin)
        marks, first = stamps(cx, program.n_board, table.width + 1)
        program.list_once(victims, marks)
        group = cx.fresh("group")
        cx.line(f"{group} = {first}")
        with table.each(looking, origin) as site:
            test = is_victim(looking, site)
            if exceptions != 0:
                test = f"({test} or {empty_at(program, site)})"
            with cx.when(test), cx.block(f"if work[{marks} + {site}] < {first}:"):
                start, head, free, left = cx.fresh("start"), cx.fresh("head"), cx.fresh("free"), cx.fresh("left")
                cx.line(f"{group} += 1")
                cx.line(f"{start} = {count}")
                cx.line(f"{head} = {count}")
                cx.line(f"{free} = False")
                if exceptions != 0:
                    cx.line(f"{left} = {exceptions}")
                    with cx.block(f"if {empty_at(program, site)}:"):
                        cx.line(f"{left} -= 1")
                cx.line(f"work[{marks} + {site}] = {group}")
                cx.line(f"work[{victims} + {count}] = {site}")
                cx.line(f"{count} += 1")
                with cx.block(f"while {head} < {count} and not {free}:"):
                    member = cx.fresh("m")
                    cx.line(f"{member} = work[{victims} + {head}]")
                    cx.line(f"{head} += 1")
                    with table.each(looking.sure(member), member) as near:
                        with cx.block(f"if work[{marks} + {near}] != {group}:"):
                            joins = cx.fresh("joins")
                            cx.line(f"{joins} = False")
                            with cx.block(f"if {empty_at(program, near)}:"):
                                if exceptions == 0:
                                    cx.line(f"{free} = True")
                                    cx.line("break")
                                else:
                                    with cx.block(f"if {left} <= 0:"):
                                        cx.line(f"{free} = True")
                                        cx.line("break")
                                    cx.line(f"{left} -= 1")
                                    cx.line(f"{joins} = True")
                            with cx.block("else:"):
                                cx.line(f"{joins} = {is_victim(looking, near)}")
                            with cx.block(f"if {joins}:"):
                                # A member of an earlier group shows that this one is the same, and that it is free.
                                with cx.block(f"if work[{marks} + {near}] > {first}:"):
                                    cx.line(f"{free} = True")
                                    cx.line("break")
                                cx.line(f"work[{marks} + {near}] = {group}")
                                cx.line(f"work[{victims} + {count}] = {near}")
                                cx.line(f"{count} += 1")
                with cx.block(f"if {free}:"):
                    cx.line(f"{count} = {start}")
    _each_victim(node, place, sink, victims, count)


@moves_ludeme("intervene", order=Order.LOOK, draws=True, pieces="leave")
def intervene(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Pieces on both sides of the origin."""
    program = cx.program
    place, origin = _origin(node, cx)
    to = optional(node.get("to"))
    between = optional(node.get("between"))
    low, high = distance_range(between, place, 1, 1)
    if not isinstance(low, int) or not isinstance(high, int):
        raise UnsupportedError("`intervene` with a range that changes is not implemented yet", node.source)
    table, width, reach = program.opposite_pairs(node.get("dirnChoice"), high)
    victims = program.scratch(2 * program.n_board, "VICTIMS")
    count = cx.fresh("count")
    cx.line(f"{count} = 0")
    victim = holder_condition(to)
    with cx.when(f"{origin} >= 0 and {origin} < {program.n_board}"):
        pair = cx.fresh("pair")
        with cx.block(f"for {pair} in range({width}):"):
            first, second = cx.fresh("a"), cx.fresh("b")
            cx.line(f"{first} = ({origin} * {width} + {pair}) * {2 * reach}")
            cx.line(f"{second} = {first} + {reach}")
            counts = []
            for base in (first, second):
                run = cx.fresh("run")
                cx.line(f"{run} = 0")
                with cx.block(f"while {run} < {reach} and {table}[{base} + {run}] >= 0:"):
                    site = cx.fresh("s")
                    cx.line(f"{site} = {table}[{base} + {run}]")
                    here = place.sure(site).bind(to=site)
                    ok = condition(victim, here) if victim is not None else enemy(here, who_at(here, site))
                    with cx.when(negation(ok)):
                        cx.line("break")
                    cx.line(f"{run} += 1")
                counts.append((base, run))
            with cx.block("if " + " and ".join(f"{run} >= {low}" for _, run in counts) + ":"):
                for base, run in counts:
                    index = cx.fresh("i")
                    with cx.block(f"for {index} in range({run}):"):
                        cx.line(f"work[{victims} + {count}] = {table}[{base} + {index}]")
                        cx.line(f"{count} += 1")
    _each_victim(node, place, sink, victims, count, slot="to")
