"""``max Distance``, which the reference defines to keep every move."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import generate, moves_ludeme
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.core.traits import Order

_UNUSED = "the reference measures the way and then lists all moves, without what follows"


@moves_ludeme(
    "max Distance", writes=[], order=Order.FRAME, draws=True, pieces="stay",
    ignores={"trackName": _UNUSED, "owner": _UNUSED, "then": _UNUSED},
)  # fmt: skip
def max_distance(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The given moves; the reference measures how far they lead along the track, but removes none."""
    generate(node.args["moves"], cx, sink)
