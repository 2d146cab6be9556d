"""Bets: what each player has put in, and the pot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import int_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.actions import primitives, state_function
from ludoport.ludemes.meanings.moves_effects import effect
from ludoport.ludemes.meanings.moves_parts import range_of

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _want_bets(program: Program) -> None:
    program.state.want("AMOUNT", program.n_players + 2)


@moves_ludeme("move Bet", "bet", writes=["score"], draws=False, pieces="stay")
def bet(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """A player puts in a number of a range."""
    _want_bets(cx.program)
    who = cx.name(number(node.get("role") if node.get("role") is not None else node.get("who"), cx))
    low, high = range_of(node.args["range"], cx, 0, 0)
    value = cx.fresh("bet")

    def act(place: Cx) -> None:
        place.act("set_amount", place.slots["plr"], place.slots["val"])

    with cx.block(f"for {value} in range({low}, {high} + 1):"):
        here = cx.bind(plr=who)
        slots: dict[str, Expr] = {"val": value, "plr": who}
        sink.move(here, Spec(node, "bet", -1, -1, act, optional(node.get("then")), slots=slots, whose=who))


@int_ludeme("amount", reads=["score"])
def amount(node: Ludeme, cx: Cx) -> Expr:
    """The bet of a player."""
    _want_bets(cx.program)
    return f"state[AMOUNT + {number(node.get('role') if node.get('role') is not None else node.get('player'), cx)}]"


@int_ludeme("pot", reads=["score"])
def pot(node: Ludeme, cx: Cx) -> Expr:
    """Contents of the pot."""
    del node
    cx.program.state.want("POT")
    return "state[POT]"


@moves_ludeme("set Pot", writes=["score"], draws=True, pieces="stay")
def set_pot(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set what is in the pot."""
    cx.program.state.want("POT")
    effect(node, cx, sink, "set_pot", cx.name(number(node.get("newValue"), cx, 0)))


@primitives
def write_bets(program: Program) -> None:
    """Write the primitives about bets."""
    for name, params, line in (
        ("set_amount", "player value", "state[AMOUNT + player] = value"),
        ("set_pot", "value", "state[POT] = value"),
    ):
        if name in program.primitives:
            f = state_function(program, name, params, name.replace("_", " "))
            f.line(line)
            f.line("return 0")
