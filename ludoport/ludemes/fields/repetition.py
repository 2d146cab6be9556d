"""Hashes of positions, and the meta rule against repeated ones: every past position's hash is kept in the row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.fields.actions import note_lost

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

WORDS = 4
"""A hash is four 16-bit words, so that it fits a row of small integers."""


def want_history(program: Program, node: Ludeme) -> None:
    """Prepare the fields; the history itself comes last in the row, so that copies for tests can leave it out."""
    kind = str(node.get("repetitionType") or "Positional")
    if kind.endswith("InTurn"):
        # Only positions of the same turn are compared.
        program.wants.add("repeats in turn")
        kind = kind.removesuffix("InTurn")
    if kind not in ("Positional", "Situational"):
        raise UnsupportedError(f"`no Repeat {kind}` is not implemented yet", node.source)
    program.repetition = kind
    program.state.want("HASH", WORDS)
    program.state.want("N_HISTORY")


def incremental(program: Program) -> bool:
    """Whether the pieces alone make the position, so that the hash can follow every change."""
    return program.repetition == "Positional" and not (
        _sets_variable(program)
        or any(program.state.has(name) for name in ("STATE", "COUNT", "VALUE", "LEVELS", "ROTATION"))
    )


def _sets_variable(program: Program) -> bool:
    """Whether the text sets the variable without a name, which belongs to the position."""
    nodes = program.description.root.walk()
    return any(node.key == "moves:set Var" and node.peek("name") is None for node in nodes)


def write_position_hash(program: Program) -> None:
    """Write the hash of a position once all fields of the row are known."""
    if incremental(program):
        generator = np.random.default_rng(20231)
        size = program.n_sites * len(program.components) * WORDS
        table = generator.integers(-(2**15), 2**15, size=size, dtype=np.int16)
        program.module.tables["ZOBRIST"] = table
        hashed = Function("position_hash", ["state"], "the hash is kept up to date by every change of a piece")
        hashed.line("return 0")
        program.module.functions.append(hashed)
    else:
        _write_full_hash(program)


def write_repetition(program: Program) -> None:
    """Write the functions that compare positions with past ones."""
    capacity = 1250 * program.n_players + 2
    program.module.constant("HISTORY_SIZE", capacity)
    program.state.want("HISTORY", WORDS * capacity)
    _write_remember(program)
    _write_is_new(program)


def _write_full_hash(program: Program) -> None:
    names = ("WHAT", "STATE", "COUNT", "VALUE", "LEVELS", "HEIGHT", "ROTATION", "SWAPPED")
    blocks = [(n, program.state.fields[n]) for n in names if program.state.has(n)]
    if _sets_variable(program):
        blocks.append(("VAR", 1))
    if program.repetition == "Situational":
        more = ("MOVER", "SCORE", "N_PENDING", "PENDING_VALUE")
        blocks += [(n, program.state.fields[n]) for n in more if program.state.has(n)]
    f = Function("position_hash", ["state"], "a hash of the position from nothing, as four words")
    f.line("a = 0x2545F491")
    f.line("b = 0x1B873593")
    for name, size in blocks:
        with f.block(f"for i in range({size}):"):
            f.line(f"v = state[{name} + i] & 0xFFFF")
            f.line("a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF")
            f.line("b = ((b + v + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF")
    for k, value in enumerate(("a & 0x7FFF", "(a >> 15) & 0x7FFF", "b & 0x7FFF", "(b >> 15) & 0x7FFF")):
        f.line(f"state[HASH + {k}] = {value}")
    f.line("return 0")
    program.module.functions.append(f)


def _write_remember(program: Program) -> None:
    f = Function(
        "remember_position", ["state", "mover"], "keep the position after a move of another player than before"
    )
    if "repeats in turn" in program.wants:
        with f.block("if state[NEXT] != mover:"):
            f.line("state[N_HISTORY] = 0")
        # A turn may have any number of moves; otherwise there is one entry a turn, and games end before that many.
        with f.block("if state[N_HISTORY] >= HISTORY_SIZE:"):
            note_lost(program, f)
            f.line("return 0")
    else:
        with f.block("if state[PREV] == mover or state[N_HISTORY] >= HISTORY_SIZE:"):
            f.line("return 0")
    f.line("position_hash(state)")
    # The test above is still true: only this function changes the number.
    f.facts["n"] = (0, program.module.constants["HISTORY_SIZE"] - 1)
    f.line("n = state[N_HISTORY]")
    with f.block(f"for k in range({WORDS}):"):
        f.line("state[HISTORY + k * HISTORY_SIZE + n] = state[HASH + k]")
    f.line("state[N_HISTORY] = n + 1")
    f.line("return 0")
    program.module.functions.append(f)


def _write_is_new(program: Program) -> None:
    passes = [r.number for r in program.rules.rules if r.spec.kind == "pass"]
    f = Function("unseen", ["state", "position"], "whether a position (another row) is missing from the history")
    f.line("first = position[HASH]")
    f.line("n = state[N_HISTORY]")
    f.line("hits = 0")
    # Counting without a break lets the compiler compare many entries at once.
    with f.block("for i in range(n):"):
        f.line("hits += 1 if state[HISTORY + i] == first else 0")
    with f.block("if hits == 0:"):
        f.line("return True")
    with f.block("for i in range(n):"):
        words = ["HISTORY + HISTORY_SIZE", *(f"HISTORY + {k} * HISTORY_SIZE" for k in range(2, WORDS))]
        rest = " and ".join(f"state[{at} + i] == position[HASH + {k}]" for k, at in enumerate(words, 1))
        with f.block(f"if state[HISTORY + i] == first and {rest}:"):
            f.line("return False")
    f.line("return True")
    program.module.functions.append(f)

    f = Function("is_new", ["state", "move", "work"], "whether a move leads to a position that did not occur before")
    with f.block("if " + " or ".join(f"move[RULE] == {n}" for n in [0, *passes]) + ":"):
        f.line("return True")
    for filters, tag in program.rules.tags.items():
        # The condition tested last has already made this move on its copy.
        tried = program.rules.copies.get(filters[0])
        if tried is not None and filters[0].outer == 0:
            with f.block(f"if move[TAG] == {tag}:"):
                f.line(f"tried = work[{tried} : {tried} + CORE_SIZE]")
                f.line("position_hash(tried)")
                f.line("return unseen(state, tried)")
    offset = program.scratch("CORE_SIZE", "COPY")
    f.line(f"copy = work[{offset} : {offset} + CORE_SIZE]")
    with f.block("for i in range(CORE_SIZE):"):
        f.line("copy[i] = state[i]")
    f.line("apply(copy, move, work)")
    f.line("position_hash(copy)")
    f.line("return unseen(state, copy)")
    program.module.functions.append(f)
