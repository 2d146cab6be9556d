"""What players may not see."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.conditions import all_of
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Filtered, Region, Static
from ludoport.ludemes.core.registry import (
    boolean_ludeme,
    condition,
    moves_ludeme,
    number,
    optional,
    region,
    region_ludeme,
)
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


@boolean_ludeme("is Hidden", reads=["hidden"], ignores=_IGNORED)
def is_hidden(node: Ludeme, cx: Cx) -> Bool:
    """Whether something of a site is hidden from a player."""
    player, mask = _asked(node, cx)
    site = cx.name(number(node.args["at"], cx))
    return all_of(True if site in cx.safe else f"on_board({site})", _masked(cx, site, player, mask))


@region_ludeme("sites Hidden", reads=["hidden"])
def hidden_sites(node: Ludeme, cx: Cx) -> Region:
    """The sites of the board of which something is hidden from a player."""
    player, mask = _asked(node, cx)
    base, sites = cx.program.kind_block(node.get("type"))
    everywhere = Static(tuple(range(base, base + sites.n)), cx.program)
    return Filtered(everywhere, lambda place, site: _masked(place, site, player, mask))


def _asked(node: Ludeme, cx: Cx) -> tuple[Expr, int]:
    """The player who is asked about, and the bits of what may be hidden."""
    players = players_of(node.args["to"], cx)
    if not want_hidden(cx.program):
        raise UnsupportedError(f"`{node.keyword}` in stacks is not implemented yet", node.source)
    if len(players) != 1:
        raise UnsupportedError(f"`{node.keyword}` of several players is not implemented yet", node.source)
    return players[0], mask_of(node)


def _masked(cx: Cx, site: Expr, player: Expr, mask: int) -> Bool:
    """Code that tests whether something of a site is hidden from a player."""
    held = f"state[HIDDEN + ({player} - 1) * {cx.program.n_sites} + {site}] & {mask} != 0"
    return held if isinstance(player, int) else f"(1 <= {player} and {player} <= N_PLAYERS and {held})"
