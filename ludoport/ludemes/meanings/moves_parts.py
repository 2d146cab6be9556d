"""What moves of pieces have in common: origins, destinations, conditions, and effects of parts."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import ListedSites, Region
from ludoport.ludemes.core.registry import condition, number, optional, region
from ludoport.ludemes.core.sinks import Spec
from ludoport.ludemes.core.traits import declare
from ludoport.ludemes.fields.changes import move_piece
from ludoport.ludemes.fields.site_kinds import is_mixed

declare("util:from", "util:to", reads=[], given_sites=True)
declare("util:between", "util:piece", reads=[])
declare("range:min", "range:max", reads=[], known=True)
declare("range:exact", "range:range", reads=[])


def refuse_then(node: Ludeme) -> None:
    """Refuse consequents where the reference does not do them.

    Raises:
        UnsupportedError: the ludeme has some.
    """
    if node.get("then") is not None:
        text = f"what follows `{node.keyword}` is not implemented: the reference does not do it; put it into the moves"
        raise UnsupportedError(text, node.source)


def other_kind(node: Ludeme, cx: Cx) -> Value | None:
    """The kind of site from which a piece moves, where it is not the board's own."""
    source = optional(node.get("from"))
    kind = source.get("type") if source is not None else None
    return kind if kind is not None and str(kind) != cx.program.board.kind else None


def origin_of(node: Ludeme, cx: Cx, anywhere: bool = False) -> tuple[Cx, str]:
    """The place with ``(from)`` bound to the origin of a piece move, and the origin's name."""
    source = optional(node.get("from"))
    if other_kind(node, cx) is not None and not anywhere:
        raise UnsupportedError(f"`{node.keyword}` on sites of another kind is not implemented yet", node.source)
    if source is None or (source.get("loc") is None and source.get("region") is None):
        frm = cx.name(cx.slots["frm"])
        return cx, frm
    if source.get("region") is not None:
        if node.keyword in ("hop", "move Hop"):
            # A hop only knows a single origin; a region leaves it where `(from)` is.
            return cx, cx.name(cx.slots["frm"])
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
    level = level_of(node)
    # A move from anywhere to anywhere that names a level takes that piece alone.
    stack = node.get("stack") is True and not (level is not None and node.keyword in ("move", "fromTo"))

    def act(place: Cx) -> None:
        for holder in before:
            apply_effect(place, holder)
        move_piece(place, place.slots["frm"], place.slots["to"], stack, level, end_level(node))

    return Spec(node, "move", frm, to, act, optional(node.get("then")))


def end_level(node: Ludeme) -> Value | None:
    """The level at which a piece is put into a stack, if given."""
    to = optional(node.get("to"))
    return to.get("level") if to is not None else None


def level_of(node: Ludeme) -> Ludeme | int | None:
    """The level from which a piece of a stack moves, if given."""
    source = optional(node.get("from"))
    value = source.get("level") if source is not None else None
    return value if isinstance(value, (Ludeme, int)) else None


def holder_condition(holder: Ludeme | None) -> Ludeme | bool | None:
    """The condition of a `(from ...)` or `(to ...)`, None if it has none."""
    if holder is None:
        return None
    value = holder.get("if")
    return value if isinstance(value, (Ludeme, bool)) else None


def holder_sites(holder: Ludeme | None, cx: Cx, default: Expr) -> Region:
    """The sites of a `(from ...)` or `(to ...)`, or its default site."""
    if holder is None or (holder.get("loc") is None and holder.get("region") is None):
        return region([default] if isinstance(default, int) else [], cx) if isinstance(default, int) else _one(default)
    if holder.get("loc") is not None:
        return region([holder.args["loc"]], cx)
    kind = holder.get("type")
    if kind is not None and str(kind) != cx.program.board.kind and is_mixed(holder.args["region"], cx):
        sentence = f"`{holder.keyword} {kind}` with sites of several kinds is not implemented yet"
        raise UnsupportedError(sentence, holder.source)
    return region(holder.args["region"], cx)


def leave_region(to: Ludeme | None) -> None:
    """Steps and slides end where their directions lead: the sites of a ``(to ...)`` restrict nothing."""
    if to is not None:
        settle(to.get("region"), to.get("loc"))


def _one(site: Expr) -> Region:
    return ListedSites([site])


def distance_range(between: Ludeme | None, cx: Cx, low: int, high: int) -> tuple[Expr, Expr]:
    """The smallest and largest distance that a ``between`` allows, as numbers or code."""
    return range_of(between.get("range") if between is not None else None, cx, low, high)


def range_of(value: Value | None, cx: Cx, low: int, high: int) -> tuple[Expr, Expr]:
    """The smallest and largest number of a range, as numbers or code."""
    spec = optional(value)
    if spec is None:
        return low, high
    if spec.keyword == "exact" or (spec.keyword == "range" and spec.get("max") is None):
        exact = number(spec.args["value" if spec.keyword == "exact" else "min"], cx)
        exact = exact if isinstance(exact, int) else cx.name(exact)
        return exact, exact
    if spec.keyword == "max":
        # Only the upper end is given; the lower one is undefined, which counts as -1.
        return -1, number(spec.args["max"], cx)
    if spec.keyword == "min":
        return number(spec.args["min"], cx), 1000
    return number(spec.args["min"], cx), number(spec.args["max"], cx)
