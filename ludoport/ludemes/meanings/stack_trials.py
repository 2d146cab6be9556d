"""Trying a move in place where pieces stand in stacks: a piece that is alone on its site goes to one without pieces.

The plain way tries a move on a copy of the row. Here two sites change, and back: that is enough where enemies are
found by the lists of pieces kept beside stacks (``fields/stack_owned.py``), and what they are asked for looks at
nothing but those lists, the tops of stacks and their heights. Entries of these lists may outlive their pieces, so both
sites must have no entries but that of the piece itself.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.ludemes.core.components import component_by_name
from ludoport.ludemes.core.context import divided
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.trials import Trial, one_of_rules
from ludoport.ludemes.fields.facings import rotates
from ludoport.ludemes.fields.stack_owned import owned_apart, owned_base
from ludoport.ludemes.fields.stacks import max_height
from ludoport.ludemes.meanings.enemies import fields_read
from ludoport.ludemes.meanings.harmless import ANYTHING, what_it_does

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.rule import Rule

_KEPT_RIGHT = {"WHAT", "HEIGHT", "N_OWNED", "OWNED", "OWNED_PIECE"}
"""Fields of the row that mean the same in such a trial as after the move, for the enemies of who moves."""

_ASKED = re.compile(r"    if (\w+)\(state, work, found, owner\):")
"""The question for threats to the site where a piece was found."""


def write_stack_trials(course: Course) -> None:
    """Put the trial of lone pieces before the copies on which moves are tried."""
    program = course.program
    trials = program.rules.trials.stacked
    if not trials or not owned_apart(program) or program.n_board != program.n_sites or program.n_players != 2:
        return
    if rotates(program) or "gravity" in course.meta or "late removal" in program.wants:
        return
    if not all(1 <= component.owner <= 2 for component in program.components[1:]):
        return
    hits = _question(program)
    read = None if hits is None else fields_read(program, hits)
    if hits is None or read is None or read - _KEPT_RIGHT:
        return
    for trial in trials:
        _write_lone(program, trial, f"{hits}(state, work, site, 3 - owner, owner)")


def _question(program: Program) -> str | None:
    """The function by which the enemy is asked for moves to the site of a piece that was found in the lists."""
    for function in program.module.functions:
        if isinstance(function, Function) and function.params[2:] == ["val"] and function.name.startswith("threatened"):
            found = [asked[1] for asked in map(_ASKED.match, function.lines) if asked]
            below = [name for asker, name in program.askers if [asker.name] == found]
            return below[0] if below else None
    return None


def _write_lone(program: Program, trial: Trial, question: str) -> None:
    """Write the trial into a function that tests moves."""
    numbers = [rule.number for rule in trial.rules if _moves_one(program, rule, trial.outer)]
    if not numbers:
        return
    keep, board = trial.keep, program.n_board
    lines, keep.lines = keep.lines, []
    for line in ("rule = move[RULE]", "frm = move[FROM]", "to = move[TO]"):
        keep.line(line)
    bottom = " and move[LEVEL] == 0" if program.moves.has("LEVEL") else ""
    with keep.block(f"if ({one_of_rules(numbers)}) and 0 <= frm < {board} and 0 <= to < {board}{bottom}:"):
        keep.line("kind = state[WHAT + frm]")
        alone = "kind >= 1 and state[HEIGHT + frm] == 1 and state[OWNED_HERE + frm] == 1"
        with keep.block(f"if {alone} and state[HEIGHT + to] == 0 and state[OWNED_HERE + to] == 0:"):
            keep.line(f"val = {component_by_name(program, trial.name, f'state[{trial.role}]')}")
            with keep.block(f"if val >= 1 and {program.owner_of('kind')} == {program.owner_of('val')}:"):
                keep.line(f"owner = {program.owner_of('val')}")
                _write_site(program, keep)
                with keep.block("if site >= 0:"):
                    _write_trial(keep, question)
    keep.lines += lines


def _moves_one(program: Program, rule: Rule, outer: int) -> bool:
    """Whether all that a rule does, where its destination is empty, is to move the piece on its site or on a level."""
    levels = program.moves.has("LEVEL")
    return (not levels or "lvl" in rule.needed) and what_it_does(program, rule, outer, turns=True) != ANYTHING


def _write_site(program: Program, keep: Function) -> None:
    """Write where the piece in question stands after the move, by the first entry for its kind; -1 if not known."""
    height = max_height(program)
    keep.line("site = -1")
    keep.line(f"base = {owned_base(program, 'owner')}")
    with keep.block("for i in range(state[N_OWNED + owner]):"):
        with keep.block("if state[OWNED_PIECE + base + i] == val:"):
            keep.line("entry = state[OWNED + base + i]")
            keep.line(f"site = {divided('entry', height)}")
            # The entry of the piece that has moved takes the place of the one before.
            with keep.block("if kind == val:"):
                keep.line(f"site = to if entry == frm * {height} else -1")
            keep.line("break")


def _write_trial(keep: Function, question: str) -> None:
    """Write the question whether the piece in question is threatened, with the moved piece on its new site."""
    for line in ("[WHAT + frm] = 0", "[HEIGHT + frm] = 0", "[WHAT + to] = kind", "[HEIGHT + to] = 1"):
        keep.line("state" + line)
    keep.line(f"answer = {question}")
    for line in ("[WHAT + frm] = kind", "[HEIGHT + frm] = 1", "[WHAT + to] = 0", "[HEIGHT + to] = 0"):
        keep.line("state" + line)
    keep.line("return not answer")
