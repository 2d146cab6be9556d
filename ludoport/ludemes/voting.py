"""Propositions, votes and what was decided; persons who change places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.context import Bool, Cx
from ludoport.ludemes.registry import boolean_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.sinks import Sink, Spec

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

_KEYWORDS = ("move Propose", "move Vote", "propose", "vote", "is Proposed", "is Decided")


def _messages(program: Program) -> list[str]:
    """All messages of a game, in text order; asking for them makes the fields that votes need."""
    known: list[str] | None = program.__dict__.get("_messages")
    if known is None:
        found: dict[str, None] = {}
        for node in program.description.root.walk():
            if node.keyword in _KEYWORDS:
                for text in _texts(node):
                    found[text] = None
        known = list(found)
        program.__dict__["_messages"] = known
        program.state.want("PROPOSED", len(known))
        program.state.want("VOTES", len(known))
        program.state.want("N_VOTES")
        program.state.want("DECIDED")
    return known


def _texts(node: Ludeme) -> list[str]:
    values: list[Value] = []
    for name in ("message", "messages", "string", "proposition", "propositions", "vote", "votes"):
        value = node.get(name)
        if isinstance(value, list):
            values += value
        elif value is not None:
            values.append(value)
    return [str(value) for value in values]


@boolean_ludeme("is Proposed")
def is_proposed(node: Ludeme, cx: Cx) -> Bool:
    """Whether a proposition waits for votes."""
    (text,) = _texts(node)
    return f"state[PROPOSED + {_messages(cx.program).index(text)}] != 0"


@boolean_ludeme("is Decided")
def is_decided(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last vote decided for a message."""
    (text,) = _texts(node)
    return f"state[DECIDED] == {_messages(cx.program).index(text) + 1}"


@moves_ludeme("move Propose", "propose")
def propose(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Put something to the vote."""
    _speak(node, cx, sink, "propose")


@moves_ludeme("move Vote", "vote")
def vote(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Vote for a message; when everybody has voted, a majority decides."""
    _speak(node, cx, sink, "vote")


def _speak(node: Ludeme, cx: Cx, sink: Sink, what: str) -> None:
    known = _messages(cx.program)
    cx.program.primitives.add(what)
    for text in _texts(node):
        index = known.index(text)

        def act(place: Cx, index: int = index) -> None:
            place.act(what, index)

        sink.move(cx, Spec(node, f"{what}:{text}", -1, -1, act, optional(node.get("then")), variant=text))


@boolean_ludeme("is Cycle")
def is_cycle(node: Ludeme, cx: Cx) -> Bool:
    """Meant for games that go round in circles, but the language never finds one."""
    del node, cx
    return False


@boolean_ludeme("was Pass")
def was_pass(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last move was a pass."""
    del node
    cx.program.wants.add("was pass")
    cx.program.state.want("WAS_PASS")
    return "state[WAS_PASS] != 0"


@moves_ludeme("move Swap", "swap Players")
def swap_players(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The two persons exchange their player numbers."""
    if node.get("role1") is None and node.get("player1") is None:
        _swap_sites(node, cx, sink)
        return
    if cx.program.n_players != 2:
        raise UnsupportedError("swapping players is implemented for two players only", node.source)
    for name in ("role1", "role2", "player1", "player2"):
        if node.get(name) is not None and not isinstance(number(node.args[name], cx), int):
            raise UnsupportedError("swapping players that change is not implemented yet", node.source)
    cx.program.state.want("SWAPPED")
    sink.move(cx, Spec(node, "swap", -1, -1, lambda place: place.act("swap_persons"), optional(node.get("then"))))


def _swap_sites(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The decision that the pieces of two sites change places; by default those of the last move."""
    if cx.program.stacking:
        raise UnsupportedError("exchanging stacks is not implemented yet", node.source)
    first = cx.name(number(node.get("locA"), cx, "state[LAST_TO]"))
    second = cx.name(number(node.get("locB"), cx, "state[LAST_FROM]"))

    def act(place: Cx) -> None:
        place.act("swap_sites", place.slots["frm"], place.slots["to"])

    with cx.block(f"if {first} >= 0 and {second} >= 0:"):
        here = cx.sure(first, second).bind(frm=first, to=second)
        sink.move(here, Spec(node, "move", first, second, act, optional(node.get("then"))))


def write_voting(program: Program) -> None:
    """Write the primitives about votes."""
    from ludoport.ludemes.primitives import state_function

    if "swap_persons" in program.primitives:
        f = state_function(program, "swap_persons", "", "the persons exchange their numbers")
        f.line("state[SWAPPED] = 1 - state[SWAPPED]")
        f.line("return 0")
    if "propose" in program.primitives:
        f = state_function(program, "propose", "message", "put a message to the vote")
        f.line("state[PROPOSED + message] = 1")
        f.line("return 0")
    if "vote" in program.primitives:
        size = len(_messages(program))
        f = state_function(program, "vote", "message", "count a vote and decide when it is the last")
        f.line("state[VOTES + message] += 1")
        f.line("state[N_VOTES] += 1")
        with f.block("if state[N_VOTES] == N_PLAYERS:"):
            with f.block(f"for m in range({size}):"):
                with f.block("if state[VOTES + m] > N_PLAYERS // 2:"):
                    f.line("state[DECIDED] = m + 1")
                f.line("state[VOTES + m] = 0")
                f.line("state[PROPOSED + m] = 0")
            f.line("state[N_VOTES] = 0")
        f.line("return 0")
