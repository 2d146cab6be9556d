"""Moves for each number of a range or of a list."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import generate, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.starting import placements
from ludoport.ludemes.meanings.arrays import int_array


@moves_ludeme("forEach Value", order=Order.LOOP, draws=False, pieces="stay")
def for_each_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The moves of a generator for every number, which is ``(value)`` meanwhile."""
    refuse_picking(cx)
    place = cx.inside(optional(node.get("then")))
    if sink.lists:
        # Each number can make moves of its own to every site.
        pieces = sum(placed.count for placed in placements(cx.program))
        cx.program.extra_moves = max(cx.program.extra_moves, pieces * cx.program.n_board)
    if node.get("values") is not None:
        with int_array(node.args["values"], place).each(place) as item:
            generate(node.args["generator"], place.bind(val=item), sink)
        return
    low, high = number(node.args["min"], place), number(node.args["max"], place)
    name = cx.fresh("val")
    with cx.block(f"for {name} in range({low}, {high} + 1):"):
        generate(node.args["generator"], place.bind(val=name), sink)
