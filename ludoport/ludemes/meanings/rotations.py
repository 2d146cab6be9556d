"""Rotations of pieces: what they are, and turning a piece as an effect or as a decision."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, int_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.facings import want_rotations


@int_ludeme("rotation", reads=["board"], given_sites=True)
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
