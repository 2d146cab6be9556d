"""Asking the enemies of a player in turn, each of them as the mover."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.shortcuts import taken

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_CALL = re.compile(r"\b([a-z]\w*)\(")
_BUILT_IN = {"wide", "on_board", "range", "abs", "min", "max"}
_OF_ROW = re.compile(r"\b(?:MOVER|PREV|CORE_SIZE)\b")
"""What a function reads or copies that wants to know whose turn the row says it is."""

_FIELD = re.compile(r"\bstate\[([A-Z]\w*)")
_ELSEWHERE = re.compile(r"\bstate\[(?![A-Z])|\bwork\[")
"""Places in a row that no field names, and scratch space."""


def write_enemies(program: Program, name: str, asked: str) -> None:
    """Write a function that asks each enemy of ``owner`` whether it has a move to a site.

    Args:
        program: the game.
        name: the name of the function.
        asked: the function that asks one player.
    """
    f = Function(name, ["state", "work", "target", "owner"], "whether an enemy of a player has a move to a site")
    f.line("was_mover = state[MOVER]")
    f.line("was_prev = state[PREV]")
    f.line("state[PREV] = owner")
    if program.n_players == 2 and all(1 <= c.owner <= 2 for c in program.components[1:]):
        f.line("state[MOVER] = 3 - owner")
        f.line(f"answer = {asked}(state, work, target, 3 - owner, owner)")
    else:
        f.line("answer = False")
        with f.block("for enemy in range(1, N_PLAYERS + 1):"), f.block("if enemy != owner and not answer:"):
            f.line("state[MOVER] = enemy")
            f.line(f"answer = {asked}(state, work, target, enemy, owner)")
    f.line("state[MOVER] = was_mover")
    f.line("state[PREV] = was_prev")
    f.line("return answer")
    program.module.functions.append(f)
    program.askers.append((f, asked))


def leave_turns(program: Program) -> None:
    """Leave the row as it is while enemies are asked, where nothing that they are asked for looks at it."""
    written = {f.name: f for f in program.module.functions if isinstance(f, Function)}
    for f, asked in program.askers:
        code = _code_below(asked, written)
        if taken("turn") and code is not None and not any(map(_OF_ROW.search, code)):
            f.lines = [line for line in f.lines if "MOVER" not in line and "PREV" not in line]


def fields_read(program: Program, name: str) -> set[str] | None:
    """The fields of the row that a function and those below it look at; None if that is not known, or scratch space."""
    written = {f.name: f for f in program.module.functions if isinstance(f, Function)}
    code = _code_below(name, written)
    if code is None or any(map(_ELSEWHERE.search, code)):
        return None
    return {found for line in code for found in _FIELD.findall(line)}


def _code_below(name: str, written: dict[str, Function]) -> list[str] | None:
    """The lines of a function and of all that it calls, without remarks; None if one of them is not known."""
    queue, seen, code = [name], {name} | _BUILT_IN, []
    while queue:
        function = written.get(queue.pop())
        if function is None:
            return None
        for line in function.lines:
            code.append(line.partition("#")[0])
            calls = {*_CALL.findall(code[-1])} - seen
            queue += calls
            seen |= calls
    return code
