"""Moves on one site: add, remove, promote, select, shoot, pass."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.components import component_by_full_name, component_by_name
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import condition, moves_ludeme, number, optional, region
from ludoport.ludemes.core.sinks import EffectSink, Sink, Spec
from ludoport.ludemes.fields.captured import counts_captures, note_capture
from ludoport.ludemes.fields.changes import add_piece, promote_piece, remove_piece
from ludoport.ludemes.fields.direction_choice import variants
from ludoport.ludemes.fields.directions import rays
from ludoport.ludemes.fields.position import count_at, empty_at, holds_piece
from ludoport.ludemes.fields.stack_changes import insert_stacked
from ludoport.ludemes.meanings.large_pieces import add_large, is_large
from ludoport.ludemes.meanings.moves_parts import apply_effect, holder_condition, holder_sites, origin_of
from ludoport.ludemes.meanings.moves_piece import mentions


def pieces_of(node: Ludeme | None, cx: Cx) -> list[Expr]:
    """The components that a ``(piece ...)`` names."""
    if node is None:
        return [cx.slots["mover"]]
    program = cx.program
    if node.get("nameComponent") is not None:
        return [component_by_full_name(program, str(node.args["nameComponent"]), node)]
    if node.get("component") is not None:
        return [number(node.args["component"], cx)]
    names = node.get("nameComponents")
    if isinstance(names, list):
        return [component_by_full_name(program, str(name), node) for name in names]
    many = node.get("components")
    assert isinstance(many, list)
    return [number(item, cx) for item in many]


_CLAIMED = dict.fromkeys(("stack", "count"), "the reference claims a site with one piece")
_ON_TOP = {"stack": "in games with stacks every piece arrives on top"}


@moves_ludeme("move Add", "add", writes=["board"], draws=True, pieces="arrive", ignores=_ON_TOP)
@moves_ludeme("claim", writes=["board"], draws=True, pieces="arrive")
@moves_ludeme("move Claim", writes=["board"], draws=False, pieces="arrive", ignores=_CLAIMED)
def add(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Put a piece on each site of a region."""
    to = optional(node.get("to"))
    piece = optional(node.get("what"))
    assert to is not None
    # A placement anywhere in a region is listed twice when it has an effect, as in the recorded games.
    doubled = to.get("effect") is not None and to.get("region") is not None
    chosen = pieces_of(piece, cx)
    if doubled or len(chosen) > 1:
        refuse_picking(cx)
    for component in chosen:
        what = component if isinstance(component, int) else cx.name(component)
        large = is_large(cx, what)
        if large is not False:
            turned = piece.get("state") if piece is not None else None
            with cx.when(large):
                add_large(node, cx, sink, what, number(turned, cx) if turned is not None else None)
        with (
            cx.when(negation(large)),
            holder_sites(to, cx, cx.slots["to"]).each(cx) as site,
            cx.when(condition(holder_condition(to), here := cx.sure(site).bind(to=site))),
        ):
            sink.move(here, _adding(node, here, site, what, piece, to))
            if doubled and sink.lists:
                effect = optional(to.get("effect"))
                with cx.when(condition(effect.get("if") if effect is not None else None, here)):
                    sink.move(here, _adding(node, here, site, what, piece, to))


def _adding(node: Ludeme, cx: Cx, site: Expr, what: Expr, piece: Ludeme | None, to: Ludeme) -> Spec:
    state_value = piece.get("state") if piece is not None else None
    count_value = node.get("count") if node.keyword != "move Claim" else None
    plain = piece is None

    def act(place: Cx) -> None:
        apply_effect(place, to)
        component = place.slots["mover"] if plain else (what if isinstance(what, int) else place.slots["what"])
        local = number(state_value, place) if state_value is not None else None
        count = number(count_value, place) if count_value is not None else None
        if to.get("level") is not None and place.program.stacking:
            insert_stacked(node, place, place.slots["to"], component, to.args["level"], local, count)
            return
        add_piece(place, place.slots["to"], component, local, count)

    slots: dict[str, Expr] = {} if plain or isinstance(what, int) else {"what": what}
    return Spec(
        node,
        "add",
        site,
        site,
        act,
        optional(node.get("then")),
        variant=what if isinstance(what, int) else None,
        slots=slots,
    )


@contextmanager
def _times(node: Ludeme, cx: Cx, site: Expr) -> Iterator[None]:
    """Write a loop over the pieces that a removal from one site takes, where it may take several."""
    if node.get("count") is None:
        yield
        return
    many = f"min({number(node.args['count'], cx)}, {count_at(cx, site)})"
    with cx.block(f"for {cx.fresh('k')} in range({cx.name(many, 'many')}):"):
        yield


@moves_ludeme("move Remove", "remove", writes=["board"], draws=True, pieces="leave", given_sites=True)
def remove(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Take the piece from each occupied site of a region."""
    program = cx.program
    at = node.get("at")
    late = at is not None and str(at) == "EndOfTurn"
    level = node.get("level")
    where: Value = (
        node.args["regionFunction"] if node.get("regionFunction") is not None else [node.args["locationFunction"]]
    )
    with region(where, cx).each(cx) as site:
        with cx.when(holds_piece(cx, site)):

            def act(place: Cx) -> None:
                target = place.slots["to"] if not isinstance(sink, EffectSink) else site
                if late:
                    program.want_late_removal()
                    with _times(node, place, target):
                        note_capture(place, target)
                        place.act("remove_later", target)
                else:
                    if counts_captures(program):
                        with _times(node, place, target):
                            note_capture(place, target)
                    remove_piece(place, target, level, node.get("count"))

            here = cx.sure(site)
            decision = here if isinstance(sink, EffectSink) else here.bind(to=site)
            sink.move(decision, Spec(node, "remove", site, site, act, optional(node.get("then"))))


@moves_ludeme("move Promote", "promote", writes=["board"], draws=True, pieces="turn")
def promote(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Turn the piece on a site into another."""
    program = cx.program
    location = node.get("locationFn")
    site = cx.name(number(location, cx) if location is not None else cx.slots["to"])
    piece = node.args["what"]
    assert isinstance(piece, Ludeme)
    role = node.get("role") if node.get("role") is not None else node.get("who")
    names = piece.get("nameComponents")
    if names is None and piece.get("nameComponent") is not None:
        names = [piece.args["nameComponent"]]
    targets: list[Expr]
    if isinstance(names, list) and role is not None:
        owner = number(role, cx)
        targets = [component_by_name(program, str(n), owner) for n in names]
    else:
        targets = pieces_of(piece, cx)
    with cx.when(True if site in cx.safe else f"on_board({site})"):
        here = cx.sure(site)
        if not isinstance(sink, EffectSink):
            here = here.bind(to=site)
        if len(targets) > 1:
            refuse_picking(cx)
        for number_, target in enumerate(targets):
            what = cx.name(target, "what") if not isinstance(target, int) else target

            def act(place: Cx, what: Expr = what) -> None:
                here_ = place.slots["to"] if not isinstance(sink, EffectSink) else site
                component = what if isinstance(what, int) or isinstance(sink, EffectSink) else place.slots["what"]
                promote_piece(place, here_, component)

            slots: dict[str, Expr] = {"what": what}
            spec = Spec(node, "promote", site, site, act, optional(node.get("then")), number_, slots, show=("what",))
            # A number that is worked out in play may be no piece at all.
            with cx.when(what > 0 if isinstance(what, int) else f"{what} > 0"):
                sink.move(here, spec)


@moves_ludeme("move Select", writes=[], draws=False, pieces="stay")
@moves_ludeme("select", writes=[], draws=True, pieces="stay")
def select(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Choose a site, or two, without changing anything."""
    source, to = optional(node.get("from")), optional(node.get("to"))
    with holder_sites(source, cx, cx.slots["frm"]).each(cx) as frm:
        start = replace(cx.sure(frm).bind(frm=frm), owner=None)
        if to is None:
            start = start.bind(to=frm)
        with cx.when(condition(holder_condition(source), start.bind(to=frm))):
            if to is None:
                asked = "int:last LevelTo" in cx.program.keys and cx.slots["lvl"] != -1
                if source is not None and source.get("level") is not None and asked:
                    start = start.bind(lvl=cx.name(number(source.args["level"], start)))
                then, show = optional(node.get("then")), ("lvl",) if asked else ()
                sink.move(start, Spec(node, "select", frm, frm, lambda place: None, then, show=show))
            else:
                with holder_sites(to, start, start.slots["to"]).each(start) as site:
                    here = start.sure(site).bind(to=site)
                    with cx.when(condition(holder_condition(to), here)):
                        sink.move(
                            here,
                            Spec(
                                node,
                                "select2",
                                frm,
                                site,
                                lambda place: apply_effect(place, to),
                                optional(node.get("then")),
                            ),
                        )


def _is_empty_between(test: Ludeme | bool | None) -> bool:
    """Whether a condition just says that the sites passed are empty."""
    site = test.get("at") if isinstance(test, Ludeme) and test.keyword == "is Empty" else None
    return test is None or (isinstance(site, Ludeme) and site.keyword == "between")


@moves_ludeme("move Shoot", "shoot", writes=["board"], draws=True, pieces="arrive")
def shoot(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Put a piece on any site that a slide from the origin would reach."""
    place, frm = origin_of(node, cx)
    if node.get("from") is None:
        frm = cx.name("state[LAST_TO]", "frm")
        place = replace(cx.bind(frm=frm), owner=None)
    piece = node.args["what"]
    assert isinstance(piece, Ludeme)
    (what,) = pieces_of(piece, cx)
    to = optional(node.get("to"))
    reach = holder_condition(to)
    between = optional(node.get("between"))
    if between is not None and not _is_empty_between(holder_condition(between)):
        raise UnsupportedError("a shot over other sites than empty ones is not implemented yet", node.source)
    if not isinstance(what, int):
        raise UnsupportedError("shooting a piece that changes is not implemented yet", node.source)
    with cx.when(f"on_board({frm})"):
        for directions, branch in variants(node.get("dirn"), place.sure(frm)):
            lines = rays(directions, branch)
            with lines.paths(branch, frm) as (ray, site, position):
                # The origin is not `(from)` here, and `(between)` is the site passed last.
                here = branch.sure(site).bind(to=site, frm=cx.slots["frm"])
                if mentions(reach, "between"):
                    passed = cx.fresh("passed")
                    cx.line(
                        f"{passed} = {lines.table}[{ray} + {position} - 1] if {position} > 0 else {branch.slots['btw']}"
                    )
                    here = here.bind(btw=passed)
                open_ = condition(reach, here) if reach is not None else empty_at(cx.program, site)
                with cx.when(negation(open_)):
                    cx.line("break")

                def act(inner: Cx) -> None:
                    apply_effect(inner, to)
                    add_piece(inner, inner.slots["to"], what, None, None)

                sink.move(here, Spec(node, "add", site, site, act, optional(node.get("then")), variant=what))


@moves_ludeme("move Pass", "pass", writes=[], draws=True, pieces="stay")
def pass_(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Do nothing."""
    sink.move(cx, Spec(node, "pass", -1, -1, lambda place: None, optional(node.get("then"))))
