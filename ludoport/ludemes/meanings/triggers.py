"""Events that a player triggers once, and notes, which change nothing."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import boolean_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, Sink, Spec
from ludoport.ludemes.meanings.moves_effects import effect

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_TOLD = dict.fromkeys(
    (
        *("player", "playerFn", "message", "messageInt", "messageIntArray", "messageFloat", "messageBoolean"),
        *("messageRegion", "messageRange", "messageDirection", "messageGraph", "to", "To"),
    ),
    "what players are told is not part of the position",
)


def _refuse_several(node: Ludeme, program: Program) -> None:
    """Refuse games in which more than one event may happen: positions keep one event a player."""
    names = {str(part.peek("event")) for part in program.description.root.walk() if "rigger" in part.keyword}
    if len(names - {str(node.get("event"))}) > 0:
        raise UnsupportedError("events of several names in one game are not implemented yet", node.source)


@moves_ludeme("trigger", writes=["trigger"], draws=True, pieces="stay")
def trigger(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Something has happened to a player; it stays so for the rest of the game."""
    _refuse_several(node, cx.program)
    cx.program.state.want("TRIGGERED", cx.program.n_players + 2)
    who = node.get("indexPlayer") if node.get("indexPlayer") is not None else node.get("role")
    effect(node, cx, sink, "trigger_event", cx.name(number(who, cx)))


@boolean_ludeme("is Triggered", reads=["trigger"])
def is_triggered(node: Ludeme, cx: Cx) -> Bool:
    """Whether an event has happened to a player."""
    _refuse_several(node, cx.program)
    cx.program.state.want("TRIGGERED", cx.program.n_players + 2)
    who = node.get("index") if node.get("index") is not None else node.get("role")
    return f"state[TRIGGERED + {number(who, cx)}] != 0"


@moves_ludeme("note", writes=[], draws=True, pieces="stay", ignores=_TOLD)
def note(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """A note to players: the position does not change, but consequents follow."""
    then = optional(node.get("then"))
    if (then is not None or cx.chain) and isinstance(sink, (EffectSink, ExistsSink)):
        sink.move(cx, Spec(node, "other", -1, -1, lambda place: None, then))
