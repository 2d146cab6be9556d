"""Deduction puzzles: the values that are still possible on every site, as bits."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.fields.actions import piece_primitives

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

MOST_VALUES, MOST_SMALL = 29, 14
"""The values of a site are bits of an integer; beyond the second number it needs more than 16 bits."""


def value_range(program: Program) -> tuple[int, int]:
    """The smallest and the largest value of a site."""
    for given in program.board.options.values:
        if isinstance(given, Ludeme) and str(given.args["type"]) == program.board.kind:
            span = given.args["range"]
            assert isinstance(span, Ludeme)
            scratch = program.root(Function("unused", []))
            low = number(span.args["min"], scratch)
            high = number(span.get("max"), scratch, low)
            if isinstance(low, int) and isinstance(high, int) and 0 <= low <= high <= MOST_VALUES:
                return low, high
            raise UnsupportedError(f"values of sites beyond {MOST_VALUES} are not implemented yet", given.source)
    raise UnsupportedError("a puzzle needs `(values ...)` for the sites of its board", program.board_node.source)


def needs_wide_rows(program: Program) -> bool:
    """Whether the values of sites do not fit into the small integers of most rows."""
    return program.state.has("DOMAIN") and value_range(program)[1] > MOST_SMALL


def want_domains(program: Program) -> None:
    """Positions keep the possible values of every site."""
    program.state.want("DOMAIN", program.n_board)


def all_values(program: Program) -> int:
    """All values from 0 up, which is what a site starts with."""
    return (1 << (value_range(program)[1] + 1)) - 1


@piece_primitives
def write_puzzle(program: Program) -> None:
    """Write the primitives that change the values of a site."""
    if not program.state.has("DOMAIN"):
        return
    f = Function("choose_value", ["state", "s", "value"], "one value is left")
    f.line("state[DOMAIN + s] = 1 << value")
    f.line("state[WHAT + s] = value")
    f.line("return 0")
    program.module.functions.append(f)
    f = Function("toggle_value", ["state", "s", "value"], "strike a value out, or write it in again")
    f.line("left = state[DOMAIN + s] ^ (1 << value)")
    f.line("state[DOMAIN + s] = left")
    f.line("state[WHAT + s] = 0")
    with f.block("if left != 0 and left & (left - 1) == 0:"), f.block("while left > 1:"):
        f.line("left >>= 1")
        f.line("state[WHAT + s] += 1")
    f.line("return 0")
    program.module.functions.append(f)


def start_values(program: Program, node: Ludeme) -> list[tuple[str, tuple[int, ...]]]:
    """The values that the puzzle gives, as calls of primitives."""
    pairs = node.args["pairs"]
    assert isinstance(pairs, list)
    return [("choose_value", _site_and_value(program, pair, node)) for pair in pairs]


def _site_and_value(program: Program, pair: Value, node: Ludeme) -> tuple[int, int]:
    numbers = pair if isinstance(pair, list) else []
    if len(numbers) != 2 or not all(isinstance(number, int) for number in numbers):
        raise LudError("a value of a puzzle is written as a site and a value, such as `{21 3}`", node.source)
    site, value = (int(str(number)) for number in numbers)
    high = value_range(program)[1]
    if not 0 <= site < program.n_board or not 0 <= value <= high:
        places = f"sites 0 to {program.n_board - 1} and values 0 to {high}"
        raise LudError(f"`{{{site} {value}}}` is not on the board; the puzzle has {places}", node.source)
    return site, value
