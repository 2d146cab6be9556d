"""What ``(level)`` is after an effect that walked through a stack.

The reference evaluates the effect of ``(apply ...)`` while moves are listed, and ``forEach Level`` leaves ``(level)``
where its walk ended. So the next moves of the same piece are those of another level, until the piece is done. Steps and
leaps look at ``(level)`` once, before they go in all directions, so only ``(move (from ...) (to ...))`` asks for this.
"""

from __future__ import annotations

from collections.abc import Callable

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import condition, generate, optional
from ludoport.ludemes.core.sinks import Sink, Spec

_WALK = "moves:forEach Level"


class LevelSink(Sink):
    """Follows the walks through stacks in an effect, and does nothing else."""

    def move(self, cx: Cx, spec: Spec) -> None:
        """An effect moves no level."""

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write the part in place, since it changes a variable."""
        body(cx)


def carry_level(cx: Cx, sink: Sink, holder: Ludeme | None) -> None:
    """Write the code after a listed move which changes ``(level)`` as evaluating the effect of the move does."""
    effect = optional(holder.get("effect")) if holder is not None else None
    inner = optional(effect.get("effect")) if effect is not None else None
    level = cx.slots["lvl"]
    if not sink.lists or effect is None or inner is None or isinstance(level, int) or cx.picking is not None:
        return
    if any(part.key == _WALK for part in inner.walk()):
        with cx.when(condition(effect.get("if"), cx)):
            _follow(inner, cx)


def _follow(node: Ludeme, cx: Cx) -> None:
    """Write the walks of a part of an effect; parts without any are left out."""
    if all(part.key != _WALK for part in node.walk()):
        return
    if node.keyword == "and":
        for part in node.parts():
            for each in part if isinstance(part, list) else [part]:
                if isinstance(each, Ludeme) and each.kind == "moves":
                    _follow(each, cx)
    elif node.keyword == "if":
        test = condition(node.args["cond"], cx)
        for name, taken in (("list", test), ("elseList", f"not ({test})" if isinstance(test, str) else not test)):
            with cx.when(taken):
                cx.line("pass")
                if node.get(name) is not None:
                    _follow(node.args[name], cx)  # type: ignore[arg-type]
    else:
        generate(node, cx, LevelSink())
