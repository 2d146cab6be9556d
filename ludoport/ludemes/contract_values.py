"""The functions ``key`` and ``utility``: telling positions apart, and what a player got."""

from __future__ import annotations

from ludoport.kernels import library
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.traits import traits


def write_key(program: Program) -> None:
    """A hash of everything in which two positions differ for the rules of play."""
    names = ["MOVER", "NEXT", "PREV"]
    names += [n for n in ("SWAPPED", "LEADER", "N_PENDING", "PENDING_VALUE") if program.state.has(n)]
    blocks = [
        (n, program.state.fields[n])
        for n in ("WHAT", "DOMAIN", "STATE", "COUNT", "VALUE", "ROTATION", "LEVELS", "SCORE", "PHASE", "RANK")
        if program.state.has(n)
    ]
    blocks += [(n, program.state.fields[n]) for n in ("DICE", "FACES", "CHOSEN", "AMOUNT") if program.state.has(n)]
    if program.state.has("STORED"):
        blocks.append(("STORED", program.state.fields["STORED"]))
    if program.chance:
        # Searches meet a position with many outcomes of chance, so all that rules may ask for counts.
        blocks += [(n, program.state.fields[n]) for n in _REMEMBERED if program.state.has(n)]
        if not _only_rolls(program):
            # The words that decide about the present list of moves; what comes later is not part of the position.
            blocks.append(("LUCK", library.LUCK_SIZE // 2))
    f = Function("key", ["state"], "a hash; equal positions have equal keys")
    f.line("a = 0x2545F491")
    f.line("b = 0x1B873593")
    for name in names:
        f.line(f"a = ((a ^ (state[{name}] & 0xFFFF)) * 0x01000193) & 0x7FFFFFFF")
        f.line("b = (b * 31 + a + 0x9E37) & 0x7FFFFFFF")
    for name, size in blocks:
        with f.block(f"for i in range({size}):"):
            # Values of a puzzle may need more than 16 bits.
            f.line(f"v = state[{name} + i] & {'0x7FFFFFFF' if name == 'DOMAIN' else '0xFFFF'}")
            f.line("a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF")
            f.line("b = ((b + v + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF")
    if program.chance and _only_rolls(program):
        _add_roll(program, f)
    f.line("return (b << 31) | a")
    program.module.functions.append(f)


_REMEMBERED = ("VAR", "PLAYER_VALUE", "N_REMEMBERED", "REMEMBERED", "PENDING", "ON_TRACK", "COUNTER", "TURN_MOVES")


def _only_rolls(program: Program) -> bool:
    """Whether nothing but dice depends on chance while moves are listed."""
    random = {node.key for node in program.description.root.walk() if traits(node).get("chance")}
    return random <= {"moves:roll", "start:place Random"}


def _add_roll(program: Program, f: Function) -> None:
    """The faces that the dice would show: rolls with equal faces lead to equal positions."""
    rolls = [node for node in program.description.root.walk() if node.keyword == "roll"]
    guarded = [
        part
        for node in program.description.root.walk()
        if node.key == "moves:if" and node.peek("elseList") is None and _new_turn(node.peek("cond"))
        for part in node.walk()
        if part.keyword == "roll"
    ]
    # Within a turn of several moves most games roll once.
    once = len(guarded) == len(rolls)
    with f.when("state[PREV] != state[MOVER]" if once else True):
        sides = [len(faces) for dice in program.dice for faces in dice.faces]
        with f.block(f"for i in range({len(sides)}):"):
            f.line(f"v = chance(state, {program.module.table('SIDES', sides)}[i], i)")
            f.line("a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF")
            f.line("b = ((b + v + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF")


def _new_turn(condition: Value | None) -> bool:
    """Whether a condition says that the mover did not make the last move."""
    if not isinstance(condition, Ludeme) or condition.keyword != "not":
        return False
    inner = next(iter(condition.parts()), None)
    return isinstance(inner, Ludeme) and inner.keyword == "is Prev" and [str(p) for p in inner.parts()] == ["Mover"]


def write_utility(program: Program) -> None:
    """The result of a game for one player, between -1 and 1."""
    comment = "what a player got: 1 for the first rank, -1 for the last; undecided players share what is left"
    f = Function("utility", ["state", "player"], comment)
    if program.n_players == 1:
        f.line("return 1.0 if state[RANK + player] == 2 else -1.0")
    else:
        # Ranks are kept doubled.
        others = program.n_players - 1
        worth = "3.0 - {}" if others == 1 else f"1.0 - ({{}} - 2.0) / {others}.0"
        f.line("rank = state[RANK + player]")
        with f.block("if rank != 0:"):
            f.line(f"return {worth.format('rank')}")
        f.line("active = 0")
        f.line("left = N_PLAYERS * (N_PLAYERS + 1)")
        with f.block("for p in range(1, N_PLAYERS + 1):"):
            f.line("left -= state[RANK + p]")
            with f.block("if state[RANK + p] == 0:"):
                f.line("active += 1")
        f.line(f"return {worth.format('left / active')}")
    program.module.functions.append(f)
