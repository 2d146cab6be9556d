"""Rotations of pieces: what they are, turning a piece as an effect or as a decision, and pieces that arrive turned."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.region import looping
from ludoport.ludemes.core.registry import condition, int_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.facings import want_rotations
from ludoport.ludemes.meanings.arrays import IntArray, Written, array_ludeme, int_array

_EIGHT = ("N", "NE", "E", "SE", "S", "SW", "W", "NW")
"""Directions of a board on which the numbers of rotations in ``(rotations ...)`` were compared with records."""
_GROUPS = ("Orthogonal", "Diagonal", "Adjacent", "All")


@int_ludeme("rotation", reads=["board"], given_sites=True, ignores={"level": "there is one level without stacks"})
def rotation(node: Ludeme, cx: Cx) -> Expr:
    """The rotation of the piece on a site."""
    if cx.program.stacking:
        raise UnsupportedError("rotations in stacks are not implemented yet", node.source)
    want_rotations(cx.program)
    site = cx.name(number(node.args["at"], cx))
    text = f"state[ROTATION + {site}]"
    return text if site in cx.safe else f"({text} if on_board({site}) else 0)"


@moves_ludeme("set Rotation", writes=["board"], draws=False, pieces="stay")
def set_rotation(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Turn a piece to given rotations, and by default also one step to the left or to the right."""
    if cx.program.stacking:
        raise UnsupportedError("rotations in stacks are not implemented yet", node.source)
    want_rotations(cx.program)
    to = optional(node.get("to"))
    place = to.get("loc") if to is not None else None
    site = cx.name(number(place, cx, cx.slots["frm"]))
    many, one = node.get("directions"), node.get("direction")
    given = list(many) if isinstance(many, list) else [one] if one is not None else []
    most = len(cx.program.sites.supported_directions("All")) - 1
    with cx.when(True if site in cx.safe else f"on_board({site})"):
        here = cx.sure(site)
        for number_, value in enumerate(given):
            _turn(node, here, sink, site, cx.name(number(value, cx)), number_)
        now = cx.name(f"state[ROTATION + {site}]", "now")
        with cx.when(condition(node.get("previous"), cx, True)):
            _turn(node, here, sink, site, cx.name(f"({now} - 1 if {now} > 0 else {most})"), "previous")
        with cx.when(condition(node.get("next"), cx, True)):
            _turn(node, here, sink, site, cx.name(f"({now} + 1 if {now} < {most} else 0)"), "next")


def _turn(node: Ludeme, cx: Cx, sink: Sink, site: str, value: Expr, variant: object) -> None:
    def act(place: Cx) -> None:
        place.act("set_rotation", place.slots["to"], place.slots["val"])

    here = cx.bind(to=site, frm=site)
    then = optional(node.get("then"))
    sink.move(here, Spec(node, "rotate", site, site, act, then, variant=variant, slots={"val": value}))


@array_ludeme("rotations", reads=[], known=True)
def rotations(node: Ludeme, cx: Cx) -> IntArray:
    """The rotations by which a piece faces some directions."""
    sites = cx.program.sites
    if cx.program.board.kind != "Cell" or tuple(sites.supported_directions("All")) != _EIGHT:
        raise UnsupportedError("`rotations` are implemented only for cells with eight directions", node.source)
    one, many = node.get("directionOfRotation"), node.get("directionsOfRotation")
    found: dict[int, None] = {}
    for direction in map(str, many if isinstance(many, list) else [one]):
        if direction not in (*_EIGHT, *_GROUPS):
            raise UnsupportedError(f"rotations to `{direction}` are not implemented yet", node.source)
        for name in [direction] if direction in _EIGHT else sites.supported_directions(direction):
            found[_EIGHT.index(name)] = None
    return Written(list(found))


def move_turned(cx: Cx, sink: Sink, spec: Spec) -> None:
    """Write a move whose piece arrives in one of the rotations that its text names: one move for each."""
    to = optional(spec.node.get("to"))
    named = optional(to.get("rotations")) if to is not None else None
    if to is None or named is None:
        sink.move(cx, spec)
        return
    if cx.program.stacking:
        raise UnsupportedError("rotations in stacks are not implemented yet", named.source)
    if to.get("effect") is not None or spec.then is not None:
        raise UnsupportedError("effects of pieces that arrive in `rotations` are not implemented yet", named.source)
    want_rotations(cx.program)
    turns = int_array(named, cx).fixed or []
    table = cx.program.module.table("TURNS_TO", turns)

    def act(place: Cx) -> None:
        spec.act(place)
        place.act("set_rotation", place.slots["to"], place.slots["val"])

    with looping(cx, cx.fresh("i"), len(turns), len(turns)) as index:
        turn = cx.name(f"{table}[{index}]", "turn")
        sink.move(cx, replace(spec, act=act, variant="turned", slots={**spec.slots, "val": turn}))
