"""The functions ``key`` and ``utility``: telling positions apart, and what a player got."""

from __future__ import annotations

from ludoport.kernels.source import Function
from ludoport.ludemes.program import Program


def write_key(program: Program) -> None:
    """A hash of everything that tells two positions apart for the rules of play."""
    names = ["MOVER", "NEXT", "PREV"]
    names += [n for n in ("SWAPPED", "N_PENDING", "PENDING_VALUE") if program.state.has(n)]
    blocks = [
        (n, program.state.fields[n])
        for n in ("WHAT", "STATE", "COUNT", "VALUE", "LEVELS", "SCORE", "PHASE", "RANK")
        if program.state.has(n)
    ]
    f = Function("key", ["state"], "a hash; equal positions have equal keys")
    f.line("a = 0x2545F491")
    f.line("b = 0x1B873593")
    for name in names:
        f.line(f"a = ((a ^ (state[{name}] & 0xFFFF)) * 0x01000193) & 0x7FFFFFFF")
        f.line("b = (b * 31 + a + 0x9E37) & 0x7FFFFFFF")
    for name, size in blocks:
        with f.block(f"for i in range({size}):"):
            f.line(f"v = state[{name} + i] & 0xFFFF")
            f.line("a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF")
            f.line("b = ((b + v + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF")
    f.line("return (b << 31) | a")
    program.module.functions.append(f)


def write_utility(program: Program) -> None:
    """The result of a game for one player, between -1 and 1."""
    comment = "what a player got: 1 for the first rank, -1 for the last; undecided players share what is left"
    f = Function("utility", ["state", "player"], comment)
    if program.n_players == 1:
        f.line("return 1.0 if state[RANK + player] == 2 else -1.0")
    else:
        f.line("active = 0")
        f.line("left = N_PLAYERS * (N_PLAYERS + 1)")
        with f.block("for p in range(1, N_PLAYERS + 1):"):
            f.line("left -= state[RANK + p]")
            with f.block("if state[RANK + p] == 0:"):
                f.line("active += 1")
        f.line("rank = state[RANK + player] * 1.0")
        with f.block("if state[RANK + player] == 0:"):
            f.line("rank = left / active")
        f.line(f"return 1.0 - (rank - 2.0) / {program.n_players - 1}.0")
    program.module.functions.append(f)
