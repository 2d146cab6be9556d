"""What players may not see."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, moves_ludeme, number, optional, region
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, Sink, Spec
from ludoport.ludemes.fields.hidden import mask_of, players_of, want_hidden

_IGNORED = {"type": "sites of all kinds have numbers of their own", "level": "masks belong to whole sites"}


@moves_ludeme("set Hidden", writes=["hidden"], draws=True, pieces="stay", ignores=_IGNORED)
def set_hidden(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Something of a site, or of all sites of a region, is hidden from a player, or shown again."""
    given, at, mask = node.get("region"), node.get("at"), mask_of(node)
    players = players_of(node.get("to"), cx)
    value = cx.name(condition_number(node, cx), "shown")
    if isinstance(sink, EffectSink) and want_hidden(cx.program):
        if given is not None:
            with region(given, cx).each(cx) as site:
                _hide(node, cx, sink, site, players, mask, value)
        else:
            site = cx.name(number(at, cx))
            with cx.when(True if site in cx.safe else f"on_board({site})"):
                _hide(node, cx, sink, site, players, mask, value)
    then = optional(node.get("then"))
    if (then is not None or cx.chain) and isinstance(sink, (EffectSink, ExistsSink)):
        sink.move(cx, Spec(node, "other", -1, -1, lambda place: None, then))


def _hide(node: Ludeme, cx: Cx, sink: Sink, site: Expr, players: list[Expr], mask: int, value: Expr) -> None:
    for player in players:

        def act(place: Cx, player: Expr = player) -> None:
            place.act("set_hidden", site, player, mask, value)

        sink.move(cx, Spec(node, "other", site, site, act))


def condition_number(node: Ludeme, cx: Cx) -> Expr:
    """Whether to hide, as a number; by default 1."""
    value = condition(node.get("value"), cx, True)
    return int(value) if isinstance(value, bool) else f"(1 if {value} else 0)"
