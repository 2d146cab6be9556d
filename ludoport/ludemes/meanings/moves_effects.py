"""Effects on the state of the game: scores, counters, who moves next, pending sites, local states."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.core.traits import Order
from ludoport.ludemes.fields.stacks import want_level_states

if TYPE_CHECKING:
    from ludoport.ludemes.core.sinks import Sink

from ludoport.ludemes.core.components import flip_tables
from ludoport.ludemes.core.registry import MOVES, condition, generate, moves_ludeme, optional, region
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, Sink, Spec
from ludoport.ludemes.meanings.arrays import int_array
from ludoport.ludemes.meanings.moves_parts import refuse_then


def effect(node: Ludeme, cx: Cx, sink: Sink, name: str, *arguments: Expr, site: Expr = -1) -> None:
    """Hand one change of the state to a sink."""
    values = arguments if isinstance(sink, (EffectSink, ExistsSink)) else ()
    if not isinstance(sink, (EffectSink, ExistsSink)):
        # As a decision, the values are worked out again when the move is played.
        sink.move(cx, Spec(node, "other", site, site, lambda place: generate(node, place, EffectSink())))
        return
    sink.move(cx, Spec(node, "other", site, site, lambda place: place.act(name, *values), optional(node.get("then"))))


@moves_ludeme("apply", order=Order.FRAME, draws=True, pieces="stay")
def apply(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """An effect with a condition."""
    with cx.when(condition(node.get("if"), cx)):
        generate(node.get("effect"), cx, sink)


@moves_ludeme("moveAgain", writes=["next"], draws=True, pieces="stay")
def move_again(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The mover moves next."""
    effect(node, cx, sink, "set_next", "state[MOVER]")


@moves_ludeme("set NextPlayer", writes=["next"], draws=True, pieces="stay")
def set_next_player(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """A given player moves next."""
    refuse_then(node)
    if node.get("nextPlayers") is not None:
        with int_array(node.args["nextPlayers"], cx).each(cx) as player, cx.when(_is_player(cx, player)):
            effect(node, cx, sink, "set_next", player)
        return
    who = number(node.args["who"], cx)
    who = who if isinstance(who, int) else cx.name(who)
    with cx.when(_is_player(cx, who)):
        effect(node, cx, sink, "set_next", who)


def not_negative(given: Expr, cx: Cx, name: str) -> Bool:
    """Whether a number may be set as a local state or a value: negative ones change nothing."""
    if isinstance(given, int):
        return given >= 0
    return True if given in (cx.slots["mover"], cx.slots["nxt"]) else f"{name} >= 0"


def _is_player(cx: Cx, who: Expr) -> Bool:
    """Whether a number is that of a player; only players move next."""
    players = cx.program.n_players
    if isinstance(who, int):
        return 1 <= who <= players
    return True if who in (cx.slots["mover"], cx.slots["nxt"]) else f"1 <= {who} <= {players}"


@moves_ludeme("move Set", writes=["next"], draws=False, pieces="stay")
def choose_next_player(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The decision that a given player moves next, or to turn a piece."""
    if str(node.get("setType")) == "Rotation":
        MOVES["moves:set Rotation"](node, cx, sink)
        return
    if str(node.get("setType")) != "NextPlayer" or node.get("who") is None:
        raise UnsupportedError("this form of `move Set` is not implemented yet", node.source)
    who = cx.name(number(node.args["who"], cx))

    def act(place: Cx) -> None:
        place.act("set_next", place.slots["val"])

    with cx.when(_is_player(cx, who)):
        sink.move(cx, Spec(node, "next player", -1, -1, act, optional(node.get("then")), slots={"val": who}))


@moves_ludeme("set Counter", writes=["counter"], draws=True, pieces="stay")
def set_counter(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the counter; it reads one more at the next move."""
    cx.program.state.want("COUNTER")
    effect(node, cx, sink, "set_counter", number(node.get("newValue"), cx, -1))


@moves_ludeme("set Score", writes=["score"], draws=True, pieces="stay")
def set_score(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set a player's score."""
    cx.program.want_scores()
    who = number(node.get("player") if node.get("player") is not None else node.get("role"), cx)
    effect(node, cx, sink, "set_score", cx.name(who), cx.name(number(node.args["value"], cx)))


@moves_ludeme("addScore", writes=["score"], draws=True, pieces="stay")
def add_score(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Add to a player's score."""
    cx.program.want_scores()
    many = node.get("players") if node.get("players") is not None else node.get("roles")
    if isinstance(many, list):
        scores = node.args["scores"]
        assert isinstance(scores, list)
        for who, value in zip(many, scores, strict=True):
            effect(node, cx, sink, "add_score", cx.name(number(who, cx)), cx.name(number(value, cx)))
        return
    who_ = number(node.get("player") if node.get("player") is not None else node.get("role"), cx)
    effect(node, cx, sink, "add_score", cx.name(who_), cx.name(number(node.args["score"], cx)))


@moves_ludeme("set Pending", writes=["pending"], draws=True, pieces="stay")
def set_pending(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Make a value, or all sites of a region, pending until the next move."""
    if node.get("region") is not None:
        cx.program.want_pending(many=True)
        with region(node.args["region"], cx).each(cx) as site:
            effect(node, cx, sink, "pend", site)
        return
    cx.program.want_pending()
    effect(node, cx, sink, "pend", cx.name(number(node.get("value"), cx, 1)))


@moves_ludeme("set State", writes=["state"], draws=True, pieces="stay")
def set_state(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the local state at a site."""
    cx.program.want_state()
    site = cx.name(number(node.args["at"], cx))
    given = number(node.args["value"], cx)
    value = cx.name(given)
    with cx.when(True if site in cx.safe else f"on_board({site})"), cx.when(not_negative(given, cx, value)):
        if cx.program.stacking:
            set_state_at_level(node, cx, sink, site, value)
        else:
            settle(node.get("level"))
            effect(node, cx, sink, "set_state", site, value)


@moves_ludeme("flip", writes=["state"], draws=True, pieces="stay")
def flip(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Exchange the local state of a piece with two faces."""
    cx.program.want_state()
    site = cx.name(number(node.get("loc"), cx, cx.slots["to"]))
    first, second = flip_tables(cx.program)
    with cx.when(True if site in cx.safe else f"on_board({site})"):
        piece = cx.name(f"state[WHAT + {site}]")
        old = cx.name(f"state[STATE + {site}]")
        new = cx.fresh("face")
        cx.line(f"{new} = {old}")
        with cx.block(f"if {old} == {first}[{piece}]:"):
            cx.line(f"{new} = {second}[{piece}]")
        with cx.block(f"elif {old} == {second}[{piece}]:"):
            cx.line(f"{new} = {first}[{piece}]")
        effect(node, cx, sink, "set_state", site, new, site=site)


def set_state_at_level(node: Ludeme, cx: Cx, sink: Sink, site: str, value: str) -> None:
    """Write the change of the local state of the top piece, or of the one at a level."""
    want_level_states(cx.program)
    if node.get("level") is None:
        effect(node, cx, sink, "set_state", site, value)
    else:
        effect(node, cx, sink, "set_state_level", site, value, cx.name(number(node.args["level"], cx)))
