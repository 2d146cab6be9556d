"""A stored position: storing it, and moves that must not lead back to it."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import Arguments
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.registry import UNSPOKEN, moves_ludeme
from ludoport.ludemes.core.rewriting import written_as
from ludoport.ludemes.core.sinks import Sink
from ludoport.ludemes.fields.repetition import WORDS
from ludoport.ludemes.meanings.moves_effects import effect
from ludoport.ludemes.meanings.moves_parts import refuse_then

_TEST = "leads elsewhere"


@moves_ludeme("remember State", reads=[], writes=["state"], draws=True, pieces="stay")
def remember_state(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Store the position: what lies on all sites; phases and players to move are no part of it."""
    effect(node, cx, sink, "store_position")


@written_as("moves:avoidStoredState")
def avoid_stored_state(node: Ludeme) -> Ludeme:
    """The moves that do not lead to the stored position."""
    refuse_then(node)
    test = Ludeme("boolean", _TEST, Arguments({}), node.source)
    return Ludeme("moves", "do", Arguments({"prior": node.args["moves"], "ifAfterwards": test}), node.source)


def _leads_elsewhere(node: Ludeme, cx: Cx) -> Bool:
    """Whether the position after a move is not the one that was stored before the move."""

    def body(inner: Cx) -> None:
        with inner.block(f"if state[STORED_BEFORE + {WORDS}] == 0:"):
            inner.line("return True")
        inner.line("position_hash(state)")
        with inner.block(f"for k in range({WORDS}):"):
            with inner.block("if state[HASH + k] != state[STORED_BEFORE + k]:"):
                inner.line("return True")
        inner.line("return False")

    return cx.call("leads_elsewhere", node, body, key="leads elsewhere")


UNSPOKEN[f"boolean:{_TEST}"] = _leads_elsewhere
