"""Moves of a piece from one site to another: step, slide, hop, leap, and from anywhere to anywhere."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx, Expr, divided, one_less
from ludoport.ludemes.core.region import ascending, refuse_picking
from ludoport.ludemes.core.registry import condition, moves_ludeme, number, optional, region
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.changes import add_piece, move_piece
from ludoport.ludemes.fields.direction_choice import facing_index, variants
from ludoport.ludemes.fields.directions import kind_steps, rays, steps_table
from ludoport.ludemes.fields.jumped import keeps_jumped, note_jumped
from ludoport.ludemes.fields.position import empty_at, holds_piece
from ludoport.ludemes.fields.rays import Lines
from ludoport.ludemes.fields.walks import leap_table
from ludoport.ludemes.meanings.dominoes import joins_line, lay_dominoes
from ludoport.ludemes.meanings.large_pieces import is_large, lay_large
from ludoport.ludemes.meanings.levels_carried import carry_level
from ludoport.ludemes.meanings.moves_count import copying, moving_count
from ludoport.ludemes.meanings.moves_parts import (
    apply_effect,
    distance_range,
    holder_condition,
    holder_sites,
    leave_region,
    level_of,
    moving,
    origin_of,
    other_kind,
)
from ludoport.ludemes.meanings.rotations import move_turned
from ludoport.ludemes.meanings.track_slides import slide_on_tracks


def _in_hand(cx: Cx, frm: str) -> Bool:
    """Whether a piece move is possible from here at all: only pieces on the board step, slide and hop."""
    program = cx.program
    if frm in cx.safe and program.n_board == program.n_sites:
        return True
    tests = [] if frm in cx.safe and cx.owner is not None else [f"on_board({frm})"]
    if program.n_board < program.n_sites and cx.owner is None:
        tests.append(f"{frm} < {program.n_board}")
    return " and ".join(tests) or True


def _may_leave(node: Ludeme, cx: Cx, frm: str) -> Bool:
    """The condition that a move puts on its origin."""
    return condition(holder_condition(optional(node.get("from"))), cx.sure(frm))


@moves_ludeme("move Step", "step", writes=["board"], draws=True, pieces="move")
def step(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """One step in some direction."""
    if other_kind(node, cx) is not None:
        _step_elsewhere(node, cx, sink)
        return
    place, frm = origin_of(node, cx)
    to = optional(node.get("to"))
    leave_region(to)
    # Directions are looked at before `(from)` is bound again.
    for directions, before in variants(node.get("directions"), cx):
        with cx.when(_in_hand(place, frm)), cx.when(_may_leave(node, place, frm)):
            branch = place.sure(frm)
            table = steps_table(directions, before)
            with table.each(branch, frm) as site, cx.when(sink.ends_at(site)):
                here = branch.sure(site).bind(to=site)
                with cx.when(condition(holder_condition(to), here)):
                    sink.move(here, moving(here, node, frm, site, (to,)))


def _step_elsewhere(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """One step between sites of another kind than the board's."""
    table = kind_steps(node.get("directions"), cx, other_kind(node, cx))
    place, frm = origin_of(node, cx, anywhere=True)
    to = optional(node.get("to"))
    leave_region(to)
    with cx.when(True if frm in place.safe else f"on_board({frm})"), cx.when(_may_leave(node, place, frm)):
        branch = place.sure(frm)
        with table.each(branch, frm) as site:
            here = branch.sure(site).bind(to=site)
            with cx.when(condition(holder_condition(to), here)):
                sink.move(here, moving(here, node, frm, site, (to,)))


def mentions(value: Ludeme | bool | None, keyword: str) -> bool:
    """Whether a condition asks for something by this keyword."""
    return isinstance(value, Ludeme) and any(part.keyword == keyword for part in value.walk())


@moves_ludeme("move Slide", "slide", writes=["board"], draws=True, pieces="move")
def slide(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Any distance along a radial until something stops it."""
    if node.get("track") is not None:
        slide_on_tracks(node, cx, sink)
        return
    place, frm = origin_of(node, cx)
    to, between = optional(node.get("to")), optional(node.get("between"))
    if between is not None:
        settle(between.get("before"), between.get("after"))  # only hops look at them
    low, high = distance_range(between, place, 1, 1000)
    stop = holder_condition(to)
    leave_region(to)
    longest = high if isinstance(high, int) and high < 1000 else None
    for directions, branch in variants(node.get("directions"), place):
        with cx.when(_in_hand(branch, frm)), cx.when(_may_leave(node, branch, frm)):
            branch = branch.sure(frm)
            lines = rays(directions, branch, longest=longest)
            target = sink.target()
            aimed = None if target is None else lines.aimed(branch, frm, target)
            with aimed or lines.paths(branch, frm, low) as (ray, site, position):
                here = branch.sure(site).bind(to=site)
                if stop is not None and mentions(stop, "between"):
                    # While a destination is tested, `(between)` is the site passed last.
                    passed = cx.fresh("passed")
                    cx.line(
                        f"{passed} = {lines.table}[{ray} + {position} - 1] if {position} > 0 else {branch.slots['btw']}"
                    )
                    here = here.bind(btw=passed)
                if not isinstance(high, int):
                    with cx.block(f"if {position} >= {high}:"):
                        cx.line("break")
                far: Bool = True if isinstance(low, int) and low <= 1 else f"{position} >= {one_less(low)}"
                if stop is not None:
                    effect = optional(to.get("effect")) if to is not None else None
                    with cx.when(condition(stop, here)):
                        with cx.when(far):
                            with cx.when(condition(effect.get("if"), here) if effect is not None else True):
                                sink.move(here, _sliding(here, node, frm, site, lines, ray))
                            cx.line("break")
                over = here.bind(btw=site)
                given = holder_condition(between)
                open_ = condition(given, over) if given is not None else empty_at(cx.program, site)
                with cx.when(negation(open_)):
                    cx.line("break")
                # The destination's effect also runs on the way, as the language has it.
                with cx.when(far):
                    effect = optional(to.get("effect")) if to is not None else None
                    passes = condition(effect.get("if"), over) if effect is not None else True
                    with cx.when(passes):
                        sink.move(over, _sliding(over, node, frm, site, lines, ray))


def _sliding(cx: Cx, node: Ludeme, frm: str, site: str, lines: Lines, ray: str) -> Spec:
    """A slide, with the effect on the sites passed over where there is one."""
    between, to = optional(node.get("between")), optional(node.get("to"))
    effect, trail = (between.get("effect"), between.get("trail")) if between is not None else (None, None)
    if effect is None and trail is None and not keeps_jumped(cx.program):
        return moving(cx, node, frm, site, (to,))

    def act(place: Cx) -> None:
        if effect is not None or keeps_jumped(place.program):
            with _passed(place, lines) as over:
                note_jumped(place, over)
                apply_effect(place.sure(over).bind(btw=over), between)
        apply_effect(place, to)
        frm_, to_ = place.slots["frm"], place.slots["to"]
        move_piece(place, frm_, to_, node.get("stack") is True, level_of(node))
        if trail is not None:
            # The piece leaves another one on every site that it came from or passed.
            left = place.name(number(trail, place), "left")
            add_piece(place, frm_, left, None, None)
            with _passed(place, lines) as over:
                add_piece(place, over, left, None, None)

    return Spec(node, "move", frm, site, act, optional(node.get("then")), slots={"ray": ray_number(cx, lines, ray)})


def ray_number(cx: Cx, lines: Lines, ray: str) -> str:
    """Which of the rays of its origin a ray is, kept in the move so that playing it finds the same line again."""
    if lines.rays == 1:
        return "0"
    return cx.name(f"{divided(ray, lines.length)} % {lines.rays}", "number")


@contextmanager
def _passed(cx: Cx, lines: Lines) -> Iterator[str]:
    """Write a loop over the sites of the move's ray before its destination."""
    origin, end = cx.slots["frm"], cx.slots["to"]
    start: Expr = f"({facing_index(cx, origin)} * {lines.sites} + {origin})" if lines.by_owner else origin
    base = cx.name(f"({start} * {lines.rays} + {cx.slots['ray']}) * {lines.length}", "ray")
    with lines.walk(cx, base) as (site, _):
        with cx.block(f"if {site} == {end}:"):
            cx.line("break")
        yield site


@moves_ludeme("move Hop", "hop", writes=["board"], draws=True, pieces="move")
def hop(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Over something and onto a site beyond it."""
    place, frm = origin_of(node, cx)
    to, between = optional(node.get("to")), optional(node.get("between"))
    low, high = distance_range(between, place, 1, 1)
    if between is not None:
        settle(between.get("trail"))  # only slides leave one
    before = number(between.get("before"), place, 0) if between is not None else 0
    after = number(between.get("after"), place, 0) if between is not None else 0
    hurdle = holder_condition(between)
    for directions, outer in variants(node.get("directions"), cx):
        with cx.when(_in_hand(place, frm)), cx.when(_may_leave(node, place, frm)):
            branch = place.sure(frm)
            if low == 0 or not isinstance(low, int):
                with cx.when(True if low == 0 else f"{low} == 0"):
                    _hop_over_nothing(node, branch, sink, frm, directions, to, between)
            lines = rays(directions, outer)
            simple = (low, high, before, after) == (1, 1, 0, 0)
            with cx.when(True if isinstance(high, int) else f"{high} > 0"), lines.each(branch, frm) as ray:
                if simple:
                    _short_hop(node, branch, sink, frm, ray, lines, hurdle, to, between)
                else:
                    _long_hop(node, branch, sink, frm, ray, lines, (low, high, before, after), to, between)


def _hop_over_nothing(node: Ludeme, cx: Cx, sink: Sink, frm: str, directions, to, between) -> None:  # type: ignore[no-untyped-def]
    """With no hurdle needed, a hop may be a plain step."""
    with steps_table(directions, cx).each(cx, frm) as site:
        here = cx.sure(site).bind(to=site)
        with cx.when(condition(holder_condition(to), here)):
            sink.move(here, moving(here, node, frm, site, (between,)))


def _short_hop(node: Ludeme, cx: Cx, sink: Sink, frm: str, ray: str, lines, hurdle, to, between) -> None:  # type: ignore[no-untyped-def]
    """Over exactly one site onto the next."""
    if lines.length < 2:
        settle(node)
        return
    over, site = cx.fresh("over"), cx.fresh("s")
    cx.line(f"{over} = {lines.table}[{ray}]")
    cx.line(f"{site} = {lines.table}[{ray} + 1]")
    with cx.block(f"if on_board({over}) and on_board({site}):"):
        here = cx.sure(over, site).bind(btw=over, to=site)
        # The hurdle is tested with `to` still unset by this move, then the landing.
        with cx.when(condition(hurdle, here)):
            _land(node, here, sink, frm, site, to, between)


def _stop(to: Ludeme | None) -> Value | None:
    """The condition of ``(to (apply if:...))``: a hop lands on the first site that fails ``to if:`` but not this."""
    effect = optional(to.get("effect")) if to is not None else None
    return effect.get("if") if effect is not None else None


def _land(node: Ludeme, here: Cx, sink: Sink, frm: str, site: str, to, between) -> None:  # type: ignore[no-untyped-def]
    stop = _stop(to)
    land = condition(holder_condition(to), here)
    if stop is not None:
        with here.when(negation(land)), here.when(condition(stop, here)):
            sink.move(here, moving(here, node, frm, site, (to,)))
        return
    with here.when(land):
        sink.move(here, _over_one(here, moving(here, node, frm, site, (between, to))))


def _over_one(cx: Cx, spec: Spec) -> Spec:
    """The same hop, which also notes its hurdle where the game asks for it."""
    if not keeps_jumped(cx.program):
        return spec

    def act(place: Cx) -> None:
        note_jumped(place, place.slots["btw"])
        spec.act(place)

    return replace(spec, act=act)


def _long_hop(node: Ludeme, cx: Cx, sink: Sink, frm: str, ray: str, lines, limits, to, between) -> None:  # type: ignore[no-untyped-def]
    """Over a run of hurdles, perhaps with free sites before and after it.

    The run is taken as long as allowed; then landings are tried behind every part of it that is long enough.
    """
    # One line may have several landings.
    refuse_picking(cx)
    low, high, before, after = limits
    hurdle, stop = holder_condition(between), _stop(to)
    first, site, run, end = cx.fresh("first"), cx.fresh("s"), cx.fresh("run"), cx.fresh("end")
    cx.line(f"{first} = 0")
    with cx.block(f"while {first} < {lines.length}:"):
        cx.line(f"{site} = {lines.table}[{ray} + {first}]")
        with cx.block(f"if {site} < 0:"):
            cx.line("break")
        over = cx.sure(site).bind(btw=site)
        ahead = condition(hurdle, over)
        with cx.when(ahead):
            cx.line(f"{run} = 1")
            cx.line(f"{end} = {first} + 1")
            with cx.block(f"while {end} < {lines.length} and {run} < {high}:"):
                next_ = cx.fresh("over")
                cx.line(f"{next_} = {lines.table}[{ray} + {end}]")
                more = cx.sure(next_).bind(btw=next_)
                with cx.block(f"if {next_} < 0:"):
                    cx.line("break")
                with cx.when(negation(condition(hurdle, more))):
                    cx.line("break")
                cx.line(f"{run} += 1")
                cx.line(f"{end} += 1")
            with cx.block(f"if {run} < {low}:"):
                cx.line("break")
            # Where runs of several lengths are possible, the notation may need the length of this one.
            told = {"run": run, "skip": first} if low != high else {}
            _landings(node, cx, sink, frm, (ray, lines, told), (run, end, low, after), to, between, stop)
            cx.line("break")
        with cx.block(f"if {first} >= {before}:"):
            cx.line("break")
        with cx.when(negation(condition(holder_condition(to), cx.sure(site).bind(to=site, btw=site)))):
            cx.line("break")
        cx.line(f"{first} += 1")


def _landings(node: Ludeme, cx: Cx, sink: Sink, frm: str, where, limits, to, between, stop) -> None:  # type: ignore[no-untyped-def]
    """Try the sites behind a run of hurdles, and behind shorter parts of it."""
    ray, lines, told = where
    run, end, low, after = limits
    back, position, site, last = cx.fresh("back"), cx.fresh("k"), cx.fresh("s"), cx.fresh("over")
    with cx.block(f"for {back} in range({run} - {low}, -1, -1):"):
        cx.line(f"{position} = {end} - {back}")
        with cx.block(f"while {position} < {lines.length}:"):
            # A part of length -1, as `(max n)` allows, tries the origin itself.
            cx.line(f"{site} = {lines.table}[{ray} + {position}] if {position} >= 0 else {frm}")
            with cx.block(f"if {site} < 0:"):
                cx.line("break")
            cx.line(f"{last} = {lines.table}[{ray} + {end} - 1]")
            landing = cx.sure(site, last).bind(to=site, btw=last)
            land = condition(holder_condition(to), landing)
            with cx.when(negation(land)):
                if stop is not None:
                    with cx.when(condition(stop, landing)):
                        sink.move(landing, _telling(moving(landing, node, frm, site, (to,)), told))
                cx.line("break")
            if stop is None:
                sink.move(landing, _telling(_hopping(landing, node, frm, site, lines, ray), told))
            with cx.block(f"if {position} - {end} + 1 > {after} - {back}:"):
                cx.line("break")
            cx.line(f"{position} += 1")


def _telling(spec: Spec, told: dict[str, Expr]) -> Spec:
    """The same move with values that only its text needs."""
    return replace(spec, slots={**spec.slots, **told}, show=(*spec.show, *told))


def _hopping(cx: Cx, node: Ludeme, frm: str, site: str, lines: Lines, ray: str) -> Spec:
    """A hop whose effect on the hurdles is found again along its ray."""
    to, between = optional(node.get("to")), optional(node.get("between"))
    if between is None or (between.get("effect") is None and not keeps_jumped(cx.program)):
        return moving(cx, node, frm, site, (to,))
    hurdle = holder_condition(between)

    def act(place: Cx) -> None:
        # Effects change the hurdles, so whether the run has begun is kept apart from them.
        begun = place.fresh("begun")
        place.line(f"{begun} = False")
        with _passed(place, lines) as over:
            here = place.sure(over).bind(btw=over)
            is_hurdle = condition(hurdle, here)
            with place.block(f"if {is_hurdle}:"):
                place.line(f"{begun} = True")
                note_jumped(place, over)
                apply_effect(here, between)
            with place.block(f"elif {begun}:"):
                place.line("break")
        apply_effect(place, to)
        frm_, to_ = place.slots["frm"], place.slots["to"]
        move_piece(place, frm_, to_, node.get("stack") is True, level_of(node))

    return Spec(node, "move", frm, site, act, optional(node.get("then")), slots={"ray": ray_number(cx, lines, ray)})


@moves_ludeme("move Leap", "leap", writes=["board"], draws=True, pieces="move")
def leap(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """To the ends of walks such as the knight's."""
    place, frm = origin_of(node, cx)
    to = optional(node.get("to"))
    with cx.when(_in_hand(place, frm)), cx.when(_may_leave(node, place, frm)):
        place = place.sure(frm)
        table = leap_table(node, place, sink.ordered)
        with table.each(place, frm) as site, cx.when(sink.ends_at(site)):
            here = place.sure(site).bind(to=site)
            with cx.when(condition(holder_condition(to), here)):
                sink.move(here, moving(here, node, frm, site, (to,)))


def _may_end(to: Ludeme | None, cx: Cx, target: str | None) -> Bool:
    """Whether moves from anywhere might end on a site; True where that is not known at once."""
    ends = optional(to.get("region")) if to is not None else None
    if target is None or ends is None or mentions(ends, "from"):
        return True
    sites = region(ends, cx)
    if sites.vacant and not cx.program.stacking:
        # Threats are only looked for where a piece stands.
        return False
    return sites.contains(cx.sure(target), target) if sites.quick else True


@moves_ludeme("move", "fromTo", writes=["board"], draws=True, pieces="move")
def from_to(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """From each site of one region to each site of another."""
    if joins_line(node):
        lay_dominoes(node, cx, sink)
        return
    program = cx.program
    source, to = optional(node.get("from")), optional(node.get("to"))
    place = cx
    whose = None
    if node.get("mover") is not None:
        if not program.together:
            raise UnsupportedError("moves for another player are not implemented yet", node.source)
        whose = cx.name(number(node.args["mover"], cx))
    with (
        cx.when(_may_end(to, place, sink.target())),
        holder_sites(source, place, place.slots["frm"]).each(place) as frm,
    ):
        known_owner = place.owner if frm == place.slots["frm"] else None
        start = replace(place.sure(frm).bind(frm=frm), owner=known_owner)
        with cx.when(True if known_owner is not None else holds_piece(place, frm)):
            with cx.when(condition(holder_condition(source), start)):
                large = is_large(start, f"state[WHAT + {frm}]")
                if large is not False:
                    with cx.when(large):
                        lay_large(node, start, sink, frm)
                with cx.when(negation(large)):
                    _to_each(node, start, sink, frm, whose)


def _to_each(node: Ludeme, start: Cx, sink: Sink, frm: str, whose: str | None) -> None:
    """From one site to each site of a region."""
    to, count = optional(node.get("to")), node.get("count")
    many = number(count, start) if count is not None else 1
    many = many if isinstance(many, int) else start.name(many, "many")
    ends = holder_sites(to, start, start.slots["to"])
    ends = ascending(ends) if sink.ordered else ends
    with ends.each(start) as site, start.when(sink.ends_at(site)):
        here = start.sure(site).bind(to=site)
        with start.when(condition(holder_condition(to), here)):
            if count is not None:
                # In games with stacks the pieces move together, as `stack:` says; others have no stacks.
                node.get("stack")
                sink.move(here, replace(moving_count(here, node, frm, site, (to,), many), whose=whose))
            elif node.get("copy") not in (None, False):
                # A copy always comes to lie on top.
                node.get("stack")
                move_turned(here, sink, replace(copying(here, node, frm, site, (to,)), whose=whose))
            else:
                move_turned(here, sink, replace(moving(here, node, frm, site, (to,)), whose=whose))
                carry_level(here, sink, to)
