"""Moves of a piece from one site to another: step, slide, hop, leap, and from anywhere to anywhere."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.directions import rays, steps_table, variants
from ludoport.ludemes.moves_logic import distance_range
from ludoport.ludemes.region import Region, negation
from ludoport.ludemes.registry import condition, generate, moves_ludeme, number, optional, region
from ludoport.ludemes.sinks import EffectSink, Sink, Spec


def origin_of(node: Ludeme, cx: Cx) -> tuple[Cx, str]:
    """The place with ``(from)`` bound to the origin of a piece move, and the origin's name."""
    source = optional(node.get("from"))
    if source is None or (source.get("loc") is None and source.get("region") is None):
        frm = cx.name(cx.slots["frm"])
        return cx, frm
    if source.get("region") is not None:
        raise UnsupportedError("a region of origins is not implemented yet for this move", node.source)
    origin = number(source.args["loc"], cx)
    if origin == cx.slots["frm"]:
        return cx, str(origin)
    frm = cx.name(origin, "frm")
    return replace(cx.bind(frm=frm), owner=None), frm


def apply_effect(cx: Cx, holder: Ludeme | None) -> None:
    """Write the effect of an ``(apply ...)`` as part of playing a move."""
    effect = optional(holder.get("effect")) if holder is not None else None
    if effect is None or effect.get("effect") is None:
        return
    inner = effect.args["effect"]
    assert isinstance(inner, Ludeme)
    with cx.when(condition(effect.get("if"), cx)):
        cx.program.rules.effect(cx, inner)


def moving(cx: Cx, node: Ludeme, frm: Expr, to: Expr, before: tuple[Ludeme | None, ...] = ()) -> Spec:
    """A move of the piece at ``frm`` to ``to`` with effects before it."""
    stack = node.get("stack") is True
    level = level_of(node)

    def act(place: Cx) -> None:
        for holder in before:
            apply_effect(place, holder)
        place.program.move_piece(place, place.slots["frm"], place.slots["to"], stack, level)

    return Spec(node, "move", frm, to, act, optional(node.get("then")))


def level_of(node: Ludeme) -> Ludeme | int | None:
    """The level from which a piece of a stack moves, if given."""
    source = optional(node.get("from"))
    value = source.get("level") if source is not None else None
    return value if isinstance(value, (Ludeme, int)) else None


def _holder_condition(holder: Ludeme | None) -> Ludeme | bool | None:
    if holder is None:
        return None
    value = holder.get("if")
    return value if isinstance(value, (Ludeme, bool)) else None


def _in_hand(cx: Cx, frm: str) -> Bool:
    """Whether a piece move is possible from here at all: only pieces on the board step, slide and hop."""
    program = cx.program
    if frm in cx.safe and program.n_board == program.n_sites:
        return True
    tests = [] if frm in cx.safe and cx.owner is not None else [f"{frm} >= 0"]
    if program.n_board < program.n_sites and cx.owner is None:
        tests.append(f"{frm} < {program.n_board}")
    return " and ".join(tests) or True


@moves_ludeme("move Step", "step")
def step(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """One step in some direction."""
    place, frm = origin_of(node, cx)
    to = optional(node.get("to"))
    for directions, branch in variants(node.get("directions"), place):
        with cx.when(_in_hand(branch, frm)):
            branch = branch.sure(frm)
            table = steps_table(directions, branch)
            with table.each(branch, frm) as site:
                here = branch.sure(site).bind(to=site)
                with cx.when(condition(_holder_condition(to), here)):
                    sink.move(here, moving(here, node, frm, site, (to,)))


@moves_ludeme("move Slide", "slide")
def slide(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Any distance along a radial until something stops it."""
    if node.get("track") is not None:
        raise UnsupportedError("sliding along a track is not implemented yet", node.source)
    place, frm = origin_of(node, cx)
    to, between = optional(node.get("to")), optional(node.get("between"))
    if between is not None and between.get("trail") is not None:
        raise UnsupportedError("`trail:` is not implemented yet", node.source)
    low, high = distance_range(between, place, 1, 1000)
    stop = _holder_condition(to)
    longest = high if isinstance(high, int) and high < 1000 else None
    for directions, branch in variants(node.get("directions"), place):
        with cx.when(_in_hand(branch, frm)):
            branch = branch.sure(frm)
            lines = rays(directions, branch, longest=longest)
            with lines.each(branch, frm) as ray, lines.walk(branch, ray) as (site, position):
                here = branch.sure(site).bind(to=site)
                if not isinstance(high, int):
                    with cx.block(f"if {position} >= {high}:"):
                        cx.line("break")
                far: Bool = True if isinstance(low, int) and low <= 1 else f"{position} >= {low} - 1"
                if stop is not None:
                    effect = optional(to.get("effect")) if to is not None else None
                    with cx.when(condition(stop, here)):
                        with cx.when(far):
                            with cx.when(condition(effect.get("if"), here) if effect is not None else True):
                                sink.move(here, moving(here, node, frm, site, (between, to)))
                            cx.line("break")
                over = here.bind(btw=site)
                given = _holder_condition(between)
                open_ = condition(given, over) if given is not None else cx.program.is_empty(site)
                with cx.when(negation(open_)):
                    cx.line("break")
                # The destination's effect also runs on the way, as the language has it.
                with cx.when(far):
                    effect = optional(to.get("effect")) if to is not None else None
                    passes = condition(effect.get("if"), over) if effect is not None else True
                    with cx.when(passes):
                        sink.move(over, moving(over, node, frm, site, (between, to)))


@moves_ludeme("move Hop", "hop")
def hop(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Over something and onto a site beyond it."""
    place, frm = origin_of(node, cx)
    to, between = optional(node.get("to")), optional(node.get("between"))
    low, high = distance_range(between, place, 1, 1)
    before = number(between.get("before"), place, 0) if between is not None else 0
    after = number(between.get("after"), place, 0) if between is not None else 0
    hurdle = _holder_condition(between)
    land = _holder_condition(to)
    for directions, branch in variants(node.get("directions"), place):
        with cx.when(_in_hand(branch, frm)):
            branch = branch.sure(frm)
            lines = rays(directions, branch)
            simple = (low, high, before, after) == (1, 1, 0, 0)
            with lines.each(branch, frm) as ray:
                if simple:
                    _short_hop(node, branch, sink, frm, ray, lines, hurdle, to, between)
                else:
                    _long_hop(node, branch, sink, frm, ray, lines, (low, high, before, after), to, between)
    del land


def _short_hop(node: Ludeme, cx: Cx, sink: Sink, frm: str, ray: str, lines, hurdle, to, between) -> None:  # type: ignore[no-untyped-def]
    """Over exactly one site onto the next."""
    if lines.length < 2:
        return
    over, site = cx.fresh("over"), cx.fresh("s")
    cx.line(f"{over} = {lines.table}[{ray}]")
    cx.line(f"{site} = {lines.table}[{ray} + 1]")
    with cx.block(f"if {over} >= 0 and {site} >= 0:"):
        here = cx.sure(over, site).bind(btw=over, to=site)
        # The hurdle is tested with `to` still unset by this move, then the landing.
        with cx.when(condition(hurdle, cx.sure(over).bind(btw=over, to=over) if False else here)):
            _land(node, here, sink, frm, site, to, between)


def _land(node: Ludeme, here: Cx, sink: Sink, frm: str, site: str, to, between) -> None:  # type: ignore[no-untyped-def]
    effect = optional(to.get("effect")) if to is not None else None
    stop = effect.get("if") if effect is not None else None
    land = condition(_holder_condition(to), here)
    if stop is not None:
        # With `(to (apply if:...))` the landing is the first site that fails `to if:` but fulfils that condition.
        with here.when(negation(land)), here.when(condition(stop, here)):
            sink.move(here, moving(here, node, frm, site, (between, to)))
        return
    with here.when(land):
        sink.move(here, moving(here, node, frm, site, (between, to)))


def _long_hop(node: Ludeme, cx: Cx, sink: Sink, frm: str, ray: str, lines, limits, to, between) -> None:  # type: ignore[no-untyped-def]
    """Over a run of hurdles, perhaps with free sites before and after it."""
    low, high, before, after = limits
    program = cx.program
    hurdles = program.scratch(lines.length + 1, "HURDLES")
    stage, count, free, past = cx.fresh("stage"), cx.fresh("count"), cx.fresh("free"), cx.fresh("past")
    hurdle = _holder_condition(between)
    cx.line(f"{stage} = 0")
    cx.line(f"{count} = 0")
    cx.line(f"{free} = 0")
    cx.line(f"{past} = 0")
    cx.line(f"work[{hurdles}] = -1")
    with lines.walk(cx, ray) as (site, _):
        here = cx.sure(site).bind(to=site)
        over = here.bind(btw=site)
        # Sites before the hurdles.
        with cx.block(f"if {stage} == 0:"):
            is_hurdle = cx.name(str(condition(hurdle, over)), "hurdle")
            with cx.block(f"if {is_hurdle}:"):
                cx.line(f"{stage} = 1")
            with cx.block("else:"):
                if not (isinstance(low, int) and low > 0):
                    with cx.block(f"if {low} <= 0:"):
                        cx.line(f"{stage} = 2")
                with cx.block(f"if {stage} == 0:"):
                    with cx.when(negation(condition(_holder_condition(to), here))):
                        cx.line("break")
                    cx.line(f"{free} += 1")
                    with cx.block(f"if {free} > {before}:"):
                        cx.line("break")
        with cx.block(f"if {stage} == 1:"):
            again = cx.name(str(condition(hurdle, over)), "hurdle")
            with cx.block(f"if {again} and {count} < {high}:"):
                cx.line(f"work[{hurdles} + {count}] = {site}")
                cx.line(f"{count} += 1")
            with cx.block("else:"):
                with cx.block(f"if {count} < {low}:"):
                    cx.line("break")
                cx.line(f"{stage} = 2")
        with cx.block(f"if {stage} == 2:"):
            last = cx.fresh("over")
            cx.line(f"{last} = work[{hurdles} + {count} - 1] if {count} > 0 else -1")
            landing = here.bind(btw=last)
            effect = optional(to.get("effect")) if to is not None else None
            stop = effect.get("if") if effect is not None else None
            ok = cx.name(str(condition(_holder_condition(to), landing)), "ok")
            if stop is not None:
                with cx.block(f"if not {ok}:"):
                    with cx.when(condition(stop, landing)):
                        _hop_over(node, landing, sink, frm, site, to, between, low, high)
                    cx.line("break")
            else:
                with cx.block(f"if not {ok}:"):
                    cx.line("break")
                _hop_over(node, landing, sink, frm, site, to, between, low, high)
            cx.line(f"{past} += 1")
            with cx.block(f"if {past} > {after}:"):
                cx.line("break")


def _hop_over(node: Ludeme, cx: Cx, sink: Sink, frm: str, site: str, to, between, low, high) -> None:  # type: ignore[no-untyped-def]
    """A hop whose effect on the hurdles is found again from the line between origin and landing."""
    hurdle_effect = optional(between.get("effect")) if between is not None else None
    if hurdle_effect is None or high == 1:
        sink.move(cx, moving(cx, node, frm, site, (between, to)))
        return
    condition_ = _holder_condition(between)

    def act(place: Cx) -> None:
        table = place.program.between_table()
        index, over = place.fresh("i"), place.fresh("over")
        start = place.fresh("start")
        origin, end = place.slots["frm"], place.slots["to"]
        place.line(f"{start} = ({origin} * {place.program.n_board} + {end}) * {table.width}")
        with place.block(f"for {index} in range({table.width}):"):
            place.line(f"{over} = {table.name}[{start} + {index}]")
            with place.block(f"if {over} < 0:"):
                place.line("break")
            here = place.sure(over).bind(btw=over)
            with place.when(condition(condition_, here)):
                apply_effect(here, between)
        apply_effect(place, to)
        place.program.move_piece(place, place.slots["frm"], place.slots["to"], node.get("stack") is True, level_of(node))

    sink.move(cx, Spec(node, "move", frm, site, act, optional(node.get("then"))))


@moves_ludeme("move Leap", "leap")
def leap(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """To the ends of walks such as the knight's."""
    from ludoport.ludemes.walks import leap_table

    place, frm = origin_of(node, cx)
    to = optional(node.get("to"))
    with cx.when(_in_hand(place, frm)):
        place = place.sure(frm)
        table = leap_table(node, place)
        with table.each(place, frm) as site:
            here = place.sure(site).bind(to=site)
            with cx.when(condition(_holder_condition(to), here)):
                sink.move(here, moving(here, node, frm, site, (to,)))


def _sites_of(holder: Ludeme | None, cx: Cx, default: Expr) -> Region:
    if holder is None or (holder.get("loc") is None and holder.get("region") is None):
        return region([default] if isinstance(default, int) else [], cx) if isinstance(default, int) else _one(default)
    if holder.get("loc") is not None:
        return region([holder.args["loc"]], cx)
    return region(holder.args["region"], cx)


def _one(site: Expr) -> Region:
    from ludoport.ludemes.region import ListedSites

    return ListedSites([site])


@moves_ludeme("move", "fromTo")
def from_to(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """From each site of one region to each site of another."""
    program = cx.program
    source, to = optional(node.get("from")), optional(node.get("to"))
    if node.get("copy") not in (None, False):
        raise UnsupportedError("`copy:` is not implemented yet", node.source)
    place = cx
    if node.get("mover") is not None:
        raise UnsupportedError("moves for another player are not implemented yet", node.source)
    with _sites_of(source, place, place.slots["frm"]).each(place) as frm:
        known_owner = place.owner if frm == place.slots["frm"] else None
        start = replace(place.sure(frm).bind(frm=frm), owner=known_owner)
        with cx.when(True if known_owner is not None else negation(program.is_empty(frm))):
            with cx.when(condition(_holder_condition(source), start)):
                with _sites_of(to, start, start.slots["to"]).each(start) as site:
                    here = start.sure(site).bind(to=site)
                    with cx.when(condition(_holder_condition(to), here)):
                        count = node.get("count")
                        if count is not None:
                            from ludoport.ludemes.moves_count import moving_count

                            sink.move(here, moving_count(here, node, frm, site, (to,)))
                        else:
                            sink.move(here, moving(here, node, frm, site, (to,)))


__all__ = ["EffectSink", "generate"]
