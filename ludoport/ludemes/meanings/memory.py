"""Memory of a game besides the board: variables, values of players, and remembered values."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.registry import condition, int_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.memory import (
    remembered,
    variable,
    want_player_values,
)
from ludoport.ludemes.fields.stack_levels import value_at_level
from ludoport.ludemes.fields.stacks import max_height
from ludoport.ludemes.meanings.moves_effects import effect, not_negative

# Variables -----------------------------------------------------------------------------------------


@int_ludeme("var", reads=["var"], named="variable")
def var(node: Ludeme, cx: Cx) -> Expr:
    """Value of a variable."""
    return f"state[VAR + {variable(cx.program, node.get('key'))}]"


@moves_ludeme("set Var", writes=["var"], draws=True, pieces="stay", named="variable")
def set_var(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set a variable."""
    slot = variable(cx.program, node.get("name"))
    effect(node, cx, sink, "set_var", slot, cx.name(number(node.get("newValue"), cx, -1)))


# Values of players ---------------------------------------------------------------------------------


def _player(node: Ludeme, cx: Cx) -> Expr:
    who = node.get("role") if node.get("role") is not None else node.get("player")
    if who is None:
        who = node.get("indexPlayer")
    return number(who, cx)


@int_ludeme("value Player")
def value_player(node: Ludeme, cx: Cx) -> Expr:
    """The number kept for a player."""
    want_player_values(cx.program)
    return f"state[PLAYER_VALUE + {_player(node, cx)}]"


@moves_ludeme("set Value", writes=["value"], draws=True, pieces="stay")
def set_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the number kept for a player."""
    if node.get("role") is None and node.get("player") is None:
        set_piece_value(node, cx, sink)
        return
    want_player_values(cx.program)
    effect(node, cx, sink, "set_player_value", cx.name(_player(node, cx)), cx.name(number(node.args["value"], cx)))


def set_piece_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the value of the piece on a site."""
    cx.program.state.want("VALUE", cx.program.n_sites)
    site = cx.name(number(node.args["at"], cx))
    given = number(node.args["value"], cx)
    value = cx.name(given)
    with cx.when(True if site in cx.safe else f"on_board({site})"), cx.when(not_negative(given, cx, value)):
        if cx.program.stacking:
            # Without a level, the piece on top is meant.
            level = cx.name(number(node.get("level"), cx, f"state[HEIGHT + {site}] - 1"))
            cx.program.state.want("VALUES", cx.program.n_sites * max_height(cx.program))
            effect(node, cx, sink, "set_value_level", site, value, level, site=site)
        else:
            settle(node.get("level"))
            effect(node, cx, sink, "set_piece_value", site, value, site=site)


@int_ludeme("value Piece", reads=["board"])
def value_piece(node: Ludeme, cx: Cx) -> Expr:
    """The value of the piece on a site; 0 off the board."""
    program = cx.program
    program.state.want("VALUE", program.n_sites)
    site = cx.name(number(node.args["at"], cx))
    if program.stacking and node.get("level") is not None:
        program.state.want("VALUES", program.n_sites * max_height(program))
        return value_at_level(cx, site, number(node.args["level"], cx))
    settle(node.get("level"))
    text = f"state[VALUE + {site}]"
    return text if site in cx.safe or site.isdigit() else f"({text} if on_board({site}) else 0)"


@int_ludeme("value", reads=[])
def value(node: Ludeme, cx: Cx) -> Expr:
    """The value being iterated over."""
    return cx.slots["val"]


# Remembered values ---------------------------------------------------------------------------------


@moves_ludeme("remember Value", writes=["var"], draws=True, pieces="stay", named="values")
def remember_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Add a value to a list, or only if it is not there yet."""
    slot = remembered(cx.program, node.get("name"))
    what = cx.name(number(node.args["value"], cx))
    unique = condition(node.get("unique"), cx, False)
    if unique is False:
        effect(node, cx, sink, "remember", slot, what)
        return
    cx.program.primitives.add("is_remembered")
    test = f"not is_remembered(state, {slot}, {what})"
    with cx.when(test if unique is True else f"not {unique} or {test}"):
        effect(node, cx, sink, "remember", slot, what)


@moves_ludeme("forget Value", writes=["var"], draws=True, pieces="stay", named="values")
def forget_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Take a value, or all values, from a list."""
    kind = node.get("valueType")
    if isinstance(kind, Word) or node.get("value") is None:
        if node.get("name") is None:
            _forget_everything(node, cx, sink)
            return
        slot = remembered(cx.program, node.args["name"])
        # Only what is remembered when the effect is evaluated is forgotten, not what the same effect adds.
        effect(node, cx, sink, "forget_all", slot, f"state[N_REMEMBERED + {slot}]")
        return
    slot = remembered(cx.program, node.get("name"))
    effect(node, cx, sink, "forget", slot, cx.name(number(node.args["value"], cx)))


def _forget_everything(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Take all values from all lists."""
    remembered(cx.program, None)
    lists = cx.program.state.fields["N_REMEMBERED"]

    def act(place: Cx) -> None:
        for slot in range(lists):
            place.act("forget_all", slot, f"state[N_REMEMBERED + {slot}]")

    sink.move(cx, Spec(node, "other", -1, -1, act, optional(node.get("then"))))
