"""Events that a player triggers once, and notes, which change nothing."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.context import Bool, Cx
from ludoport.ludemes.moves_effects import effect
from ludoport.ludemes.registry import boolean_ludeme, moves_ludeme, number
from ludoport.ludemes.sinks import Sink


@moves_ludeme("trigger")
def trigger(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Something has happened to a player; it stays so for the rest of the game, whatever its name."""
    cx.program.state.want("TRIGGERED", cx.program.n_players + 2)
    who = node.get("indexPlayer") if node.get("indexPlayer") is not None else node.get("role")
    effect(node, cx, sink, "trigger_event", cx.name(number(who, cx)))


@boolean_ludeme("is Triggered")
def is_triggered(node: Ludeme, cx: Cx) -> Bool:
    """Whether an event has happened to a player."""
    cx.program.state.want("TRIGGERED", cx.program.n_players + 2)
    who = node.get("index") if node.get("index") is not None else node.get("role")
    return f"state[TRIGGERED + {number(who, cx)}] != 0"


@moves_ludeme("note", "set Hidden")
def note(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Something told to players, or hidden from them: the position stays as it is."""
