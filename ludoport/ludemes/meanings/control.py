"""``take Control``: pieces become those of another player."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import moves_ludeme, number, optional, region
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.changes import promote_piece
from ludoport.ludemes.fields.named_regions import everywhere


@moves_ludeme("take Control", writes=["board"], order=Order.LOOP, draws=False, pieces="turn")
def take_control(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Turn the pieces of a player into those of the same name of another; pieces without an equal stay."""
    program = cx.program
    if program.stacking:
        raise UnsupportedError("`take Control` in stacks is not implemented yet", node.source)
    of = node.args["of"]
    everyone = isinstance(of, Word) and of.name in ("All", "Each", "Shared")
    owner = "0" if everyone else cx.name(number(of, cx))
    taker = cx.name(number(node.args["by"], cx))
    count = len(program.components)
    table = program.module.table(
        "EQUAL", [_equal(cx, player, k) for player in range(program.n_players + 2) for k in range(count)]
    )
    where = [node.args["at"]] if node.get("at") is not None else node.get("to")
    sites = region(where, cx) if where is not None else everywhere(program)
    with sites.each(cx) as site:
        piece = cx.name(f"state[WHAT + {site}]", "piece")
        mine: Bool = True if everyone else f"{program.owner_of(piece)} == {owner}"
        with cx.when(all_of(f"{piece} != 0", mine)):
            new = cx.name(f"{table}[{taker} * {count} + {piece}]", "new")
            with cx.block(f"if {new} > 0 and {new} != {piece}:"):
                here = cx.sure(site).bind(to=site, frm=site)
                sink.move(here, Spec(node, "promote", site, site, _act(site, new), optional(node.get("then"))))


def _act(site: str, new: str):  # type: ignore[no-untyped-def]
    def act(place: Cx) -> None:
        kept = place.name(f"state[STATE + {site}]") if place.program.state.has("STATE") else None
        promote_piece(place, site, new)
        if kept is not None:
            place.act("set_state", site, kept)

    return act


def _equal(cx: Cx, player: int, component: int) -> int:
    """The component of a player with the same name as another; 0 if there is none."""
    components = cx.program.components
    if component == 0:
        return 0
    label = components[component].label
    return next((c.index for c in components[1:] if c.owner == player and c.label == label), 0)
