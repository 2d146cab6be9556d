"""What a game remembers beside the board: variables, values of players, and lists of remembered values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.context import Cx, Expr
from ludoport.ludemes.moves_effects import effect
from ludoport.ludemes.registry import condition, int_ludeme, moves_ludeme, number, optional
from ludoport.ludemes.sinks import Sink, Spec
from ludoport.ludemes.stack_levels import value_at_level
from ludoport.ludemes.stacks import max_height

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

# Variables -----------------------------------------------------------------------------------------


def variable(program: Program, name: Value | None) -> int:
    """The number of a variable; the one without a name is number 0. All start at -1."""
    if "variables" not in program.wants:
        program.wants.add("variables")
        names = ["", *_names(program, ("set Var", "var"), ("name", "key"))]
        program.__dict__["_variables"] = names
        program.state.want("VAR", len(names))
    known: list[str] = program.__dict__["_variables"]
    return known.index(str(name) if name is not None else "")


def _names(program: Program, keywords: tuple[str, ...], arguments: tuple[str, ...]) -> list[str]:
    found: dict[str, None] = {}
    for node in program.description.root.walk():
        if node.keyword in keywords:
            for argument in arguments:
                if node.get(argument) is not None:
                    found[str(node.args[argument])] = None
    return list(found)


@int_ludeme("var")
def var(node: Ludeme, cx: Cx) -> Expr:
    """What a variable holds."""
    return f"state[VAR + {variable(cx.program, node.get('key'))}]"


@moves_ludeme("set Var")
def set_var(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set a variable."""
    slot = variable(cx.program, node.get("name"))
    effect(node, cx, sink, "set_var", slot, cx.name(number(node.get("newValue"), cx, -1)))


# Values of players ---------------------------------------------------------------------------------


def _want_values(program: Program) -> None:
    program.wants.add("player values")
    program.state.want("PLAYER_VALUE", program.n_players + 2)


def _player(node: Ludeme, cx: Cx) -> Expr:
    who = node.get("role") if node.get("role") is not None else node.get("player")
    if who is None:
        who = node.get("indexPlayer")
    return number(who, cx)


@int_ludeme("value Player")
def value_player(node: Ludeme, cx: Cx) -> Expr:
    """The number kept for a player."""
    _want_values(cx.program)
    return f"state[PLAYER_VALUE + {_player(node, cx)}]"


@moves_ludeme("set Value")
def set_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the number kept for a player."""
    if node.get("role") is None and node.get("player") is None:
        set_piece_value(node, cx, sink)
        return
    _want_values(cx.program)
    effect(node, cx, sink, "set_player_value", cx.name(_player(node, cx)), cx.name(number(node.args["value"], cx)))


def set_piece_value(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the value of the piece on a site."""
    cx.program.state.want("VALUE", cx.program.n_sites)
    site = cx.name(number(node.args["at"], cx))
    value = cx.name(number(node.args["value"], cx))
    with cx.when(True if site in cx.safe else f"{site} >= 0"):
        if cx.program.stacking:
            # Without a level, the piece on top is meant.
            level = cx.name(number(node.get("level"), cx, f"state[HEIGHT + {site}] - 1"))
            cx.program.state.want("VALUES", cx.program.n_sites * max_height(cx.program))
            effect(node, cx, sink, "set_value_level", site, value, level, site=site)
        else:
            effect(node, cx, sink, "set_piece_value", site, value, site=site)


@int_ludeme("value Piece")
def value_piece(node: Ludeme, cx: Cx) -> Expr:
    """The value of the piece on a site; 0 off the board."""
    program = cx.program
    program.state.want("VALUE", program.n_sites)
    site = cx.name(number(node.args["at"], cx))
    if program.stacking and node.get("level") is not None:
        program.state.want("VALUES", program.n_sites * max_height(program))
        return value_at_level(cx, site, number(node.args["level"], cx))
    text = f"state[VALUE + {site}]"
    return text if site in cx.safe or site.isdigit() else f"({text} if {site} >= 0 else 0)"


@int_ludeme("value")
def value(node: Ludeme, cx: Cx) -> Expr:
    """The value being iterated over."""
    return cx.slots["val"]


# Remembered values ---------------------------------------------------------------------------------


def remembered(program: Program, name: Value | None) -> int:
    """The number of a list of remembered values; the one without a name is number 0."""
    if "remembered" not in program.wants:
        program.wants.add("remembered")
        keywords = ("remember Value", "forget Value", "values Remembered", "set RememberValue")
        names = ["", *_names(program, keywords, ("name",))]
        program.__dict__["_remembered"] = names
        program.module.constant("MEMORY_SIZE", memory_size(program))
        program.state.want("N_REMEMBERED", len(names))
        program.state.want("REMEMBERED", len(names) * memory_size(program))
    known: list[str] = program.__dict__["_remembered"]
    return known.index(str(name) if name is not None else "")


def memory_size(program: Program) -> int:
    """How many values one list can hold."""
    return 2 * program.n_sites + 16


@moves_ludeme("remember Value")
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


@moves_ludeme("forget Value")
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


def write_memory(program: Program) -> None:
    """Write the primitives about variables and remembered values."""
    from ludoport.ludemes.primitives import state_function

    simple = {
        "set_var": ("slot value", "state[VAR + slot] = value"),
        "set_player_value": ("player value", "state[PLAYER_VALUE + player] = value"),
    }
    for name, (params, line) in simple.items():
        if name in program.primitives:
            f = state_function(program, name, params, name.replace("_", " "))
            f.line(line)
            f.line("return 0")
    if "see_as_last" in program.primitives:
        f = state_function(program, "see_as_last", "start end", "for a while another move counts as the last one")
        for name, value in (("FROM", "start"), ("TO", "end")):
            f.line(f"state[KEPT_{name}] = state[LAST_{name}]")
            f.line(f"state[LAST_{name}] = {value}")
        f.line("return 0")
        f = state_function(program, "see_as_before", "", "the last move counts again")
        for name in ("FROM", "TO"):
            f.line(f"state[LAST_{name}] = state[KEPT_{name}]")
        f.line("return 0")
    if "is_remembered" in program.primitives:
        f = state_function(program, "is_remembered", "slot value", "whether a list of remembered values has a value")
        same = "if state[REMEMBERED + slot * MEMORY_SIZE + i] == value:"
        with f.block("for i in range(state[N_REMEMBERED + slot]):"), f.block(same):
            f.line("return True")
        f.line("return False")
    if "remember" in program.primitives:
        f = state_function(program, "remember", "slot value", "add a value to a list of remembered values")
        f.line("n = state[N_REMEMBERED + slot]")
        with f.block("if n < MEMORY_SIZE:"):
            f.line("state[REMEMBERED + slot * MEMORY_SIZE + n] = value")
            f.line("state[N_REMEMBERED + slot] = n + 1")
            f.line("return 0")
        # A full list gives up a value that it holds twice; what is in the list stays the same.
        f.line("base = REMEMBERED + slot * MEMORY_SIZE")
        same = "if state[base + i] == state[base + k]:"
        with f.block("for i in range(n):"), f.block("for k in range(i):"), f.block(same):
            f.line("state[base + i] = value")
            f.line("return 0")
        f.line("return 0")
    if "forget" in program.primitives:
        f = state_function(
            program, "forget", "slot value", "take the first such value from a list of remembered values"
        )
        f.line("base = REMEMBERED + slot * MEMORY_SIZE")
        f.line("n = state[N_REMEMBERED + slot]")
        with f.block("for i in range(n):"), f.block("if state[base + i] == value:"):
            with f.block("for k in range(i, n - 1):"):
                f.line("state[base + k] = state[base + k + 1]")
            f.line("state[N_REMEMBERED + slot] = n - 1")
            f.line("return 0")
        f.line("return 0")
    if "forget_all" in program.primitives:
        f = state_function(
            program, "forget_all", "slot count", "take the first values from a list of remembered values"
        )
        f.line("base = REMEMBERED + slot * MEMORY_SIZE")
        f.line("n = state[N_REMEMBERED + slot]")
        with f.block("for k in range(count, n):"):
            f.line("state[base + k - count] = state[base + k]")
        f.line("state[N_REMEMBERED + slot] = n - count if n > count else 0")
        f.line("return 0")


def memory_setup(program: Program) -> list[str]:
    """Lines that give variables and values of players their first value."""
    lines = []
    if "variables" in program.wants:
        size = program.state.fields["VAR"]
        lines += [f"state[VAR + {k}] = -1" for k in range(size)]
    if "player values" in program.wants:
        lines += [f"state[PLAYER_VALUE + {k}] = -1" for k in range(program.state.fields["PLAYER_VALUE"])]
    return lines
