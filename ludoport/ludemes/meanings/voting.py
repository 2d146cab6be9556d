"""Propositions, votes and what was decided; persons who change places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import boolean_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.core.traits import naming
from ludoport.ludemes.fields.actions import primitives, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _messages(program: Program) -> list[str]:
    """All messages of a game, in text order; asking for them makes the fields that votes need."""
    return program.memo(_find_messages)


def _find_messages(program: Program) -> list[str]:
    nodes = naming(program.description.root, "message")
    found = list(dict.fromkeys(text for node in nodes for text in _texts(node)))
    program.state.want("PROPOSED", len(found))
    program.state.want("VOTES", len(found))
    program.state.want("N_VOTES")
    program.state.want("DECIDED")
    return found


def _texts(node: Ludeme) -> list[str]:
    values: list[Value] = []
    for name in ("message", "messages", "string", "proposition", "propositions", "vote", "votes"):
        value = node.get(name)
        if isinstance(value, list):
            values += value
        elif value is not None:
            values.append(value)
    return [str(value) for value in values]


@boolean_ludeme("is Proposed", reads=["votes"], named="message")
def is_proposed(node: Ludeme, cx: Cx) -> Bool:
    """Whether a proposition waits for votes."""
    (text,) = _texts(node)
    return f"state[PROPOSED + {_messages(cx.program).index(text)}] != 0"


@boolean_ludeme("is Decided", reads=["votes"], named="message")
def is_decided(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last vote decided for a message."""
    (text,) = _texts(node)
    return f"state[DECIDED] == {_messages(cx.program).index(text) + 1}"


@moves_ludeme("move Propose", writes=["votes"], draws=False, pieces="stay", named="message")
@moves_ludeme("propose", writes=["votes"], draws=True, pieces="stay", named="message")
def propose(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Put something to the vote."""
    _speak(node, cx, sink, "propose")


@moves_ludeme("move Vote", writes=["votes"], draws=False, pieces="stay", named="message")
@moves_ludeme("vote", writes=["votes"], draws=True, pieces="stay", named="message")
def vote(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Vote for a message; when all players have voted, a majority decides."""
    _speak(node, cx, sink, "vote")


def _speak(node: Ludeme, cx: Cx, sink: Sink, what: str) -> None:
    known = _messages(cx.program)
    cx.program.primitives.add(what)
    for text in _texts(node):
        index = known.index(text)

        def act(place: Cx, index: int = index) -> None:
            place.act(what, index)

        sink.move(cx, Spec(node, f"{what}:{text}", -1, -1, act, optional(node.get("then")), variant=text))


@boolean_ludeme("is Cycle", reads=[])
def is_cycle(node: Ludeme, cx: Cx) -> Bool:
    """Intended for games that repeat; the reference never finds a repetition here."""
    del node, cx
    return False


@boolean_ludeme("was Pass", reads=[])
def was_pass(node: Ludeme, cx: Cx) -> Bool:
    """Whether the last move was a pass."""
    del node
    cx.program.state.want("WAS_PASS")
    return "state[WAS_PASS] != 0"


@moves_ludeme("move Swap", writes=["board"], draws=False, pieces="move")
@moves_ludeme("swap Players", writes=["board"], draws=True, pieces="stay")
def swap_players(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The two persons exchange their player numbers."""
    if str(node.get("swapType")) == "Pieces":
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

    with cx.block(f"if on_board({first}) and on_board({second}):"):
        here = cx.sure(first, second).bind(frm=first, to=second)
        sink.move(here, Spec(node, "move", first, second, act, optional(node.get("then"))))


@primitives
def write_voting(program: Program) -> None:
    """Write the primitives about votes."""
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
