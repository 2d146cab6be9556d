"""Memory in a row besides the board: variables, values of players, and remembered values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.lud.tree import Value
from ludoport.ludemes.core.traits import Named, naming
from ludoport.ludemes.fields.actions import note_lost, primitives, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def variable(program: Program, name: Value | None) -> int:
    """The number of a variable; the one without a name is number 0. All start at -1."""
    return program.memo(_variables).index(str(name) if name is not None else "")


def _variables(program: Program) -> list[str]:
    program.wants.add("variables")
    names = ["", *_names(program, "variable", ("name", "key"))]
    program.state.want("VAR", len(names))
    return names


def _names(program: Program, what: Named, arguments: tuple[str, ...]) -> list[str]:
    nodes = naming(program.description.root, what)
    values = (node.peek(argument) for node in nodes for argument in arguments)
    return list(dict.fromkeys(str(value) for value in values if value is not None))


def want_player_values(program: Program) -> None:
    """Positions keep a number for each player."""
    program.wants.add("player values")
    program.state.want("PLAYER_VALUE", program.n_players + 2)


def remembered(program: Program, name: Value | None) -> int:
    """The number of a list of remembered values; the one without a name is number 0."""
    return program.memo(_lists).index(str(name) if name is not None else "")


def _lists(program: Program) -> list[str]:
    names = ["", *_names(program, "values", ("name",))]
    program.module.constant("MEMORY_SIZE", memory_size(program))
    program.state.want("N_REMEMBERED", len(names))
    program.state.want("REMEMBERED", len(names) * memory_size(program))
    return names


def memory_size(program: Program) -> int:
    """Maximum length of a list."""
    return 2 * program.n_sites + 16


@primitives
def write_memory(program: Program) -> None:
    """Write the primitives about variables and remembered values."""
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
        note_lost(program, f)
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
