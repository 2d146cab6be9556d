"""Moves that cannot expose a piece: where it is not threatened now, only a line that opens could change that.

A test such as ``(not (is Threatened (id "King" Mover)))`` after a move needs no trial if

- the piece is not threatened before the move (each move leaves a note of that, and of who threatens it);
- another piece of the same side moves, and nothing else changes on the board (``harmless.py``);
- the moved piece came from a hand, or opens no line of a slide to the piece (``sight_lines.py``).

Where it is threatened, a move of another piece that neither takes the piece that threatens it nor ends on its line
leaves it so. Other moves of this kind are tried by nothing but the two sites.

The note is made in the same way: a player whose piece was not threatened finds it threatened after the enemy's move
only by the piece that has moved, or along a line that it has opened.

This holds where all pieces step, leap or slide, and nothing but what stands on the destination and on the sites passed
decides whether they may: a piece that arrives somewhere then never opens a way. ``attack_proofs.py`` proves it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.components import component_by_name, one_of
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.trials import Trial, threatened_role
from ludoport.ludemes.fields.facings import rotates
from ludoport.ludemes.meanings.attack_proofs import attacked_sites, attacks, further_attacks
from ludoport.ludemes.meanings.harmless import ANYTHING, PLAIN, QUIET, TAKING, what_it_does
from ludoport.ludemes.meanings.sight_lines import NOWHERE, OPENED, SEVERAL, write_lines

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

SAFE, THREATENED = 1, 2

_MOST = 0.6
"""The share of the rules that must have a short answer for the others to have no trial in place."""


@dataclass(frozen=True)
class Sight:
    """Facts about threats in a game.

    Attributes:
        lines: the table of lines between sites.
        further: a table of the sites (by player) that something beside the moves of pieces might threaten, if any.
        threatened: the function that tests whether a followed piece is threatened.
        strikes: the call by which a piece threatens a site, with its site and its owner to fill in; None if unknown.
    """

    lines: str
    further: str | None
    threatened: str
    strikes: str | None


def write_safety(course: Course) -> None:
    """Put the short answer before the trials of moves, and the note of threats that it needs into the row."""
    program = course.program
    trials = program.rules.trials.written
    if not trials or not taken("safe") or len(course.phases) != 1 or program.other_kinds:
        return
    # A piece that turns threatens others without leaving its site.
    further = [further_attacks(node) for node in course.phases[0].plays]
    if rotates(program) or None in further or "gravity" in course.meta or "late removal" in program.wants:
        return
    if not all(c.moves is None or attacks(c.moves) for c in program.components[1:]):
        return
    sites = attacked_sites(program, [node for part in further for node in part or []])
    asked = _asked(program)
    if sites is None or asked is None:
        return
    strikes = program.strikes
    lines = write_lines(program, None if strikes is None else strikes[1])
    if lines is None:
        return
    table = program.module.table("FURTHER", sites) if sites.any() else None
    sight = Sight(lines, table, asked.name, None if strikes is None else strikes[0])
    program.state.want("SAFE", len(program.components))
    program.state.want("STRIKER")
    for trial in trials:
        _write_quick(program, trial, sight)
        _keep_note(program, trial.keep)
    for trial in program.rules.trials.threatening:
        if trial.name == trials[0].name:
            _write_no_threat(program, trial, sight)
    at = asked.lines.index("    found = state[SPOT + val]")
    asked.lines[at:at] = ["    if state[SAFE + val] != 0:", f"        return state[SAFE + val] == {THREATENED}"]
    _write_note(course, trials[0].name, sight)
    for write in program.when_noted:
        write(trials[0].name, table)


def _asked(program: Program) -> Function | None:
    """The function that tests whether a followed piece is threatened."""
    for function in program.module.functions:
        spotted = isinstance(function, Function) and "    found = state[SPOT + val]" in function.lines
        if isinstance(function, Function) and spotted and function.params[2:] == ["val"]:
            return function
    return None


def _keep_note(program: Program, keep: Function) -> None:
    """Write that a trial puts the notes back."""
    if not any(text.strip() == "take_back(state, work)" for text in keep.lines):
        return
    for kind in sorted(program.spots):
        for mark, line in (
            ("work[W_TRIED] = 0", f"safe{kind} = state[SAFE + {kind}]"),
            ("take_back(state, work)", f"state[SAFE + {kind}] = safe{kind}"),
        ):
            at = next(i for i, text in enumerate(keep.lines) if text.strip() == mark)
            indent = keep.lines[at][: -len(mark)]
            keep.lines.insert(at + 1, indent + line)


def _lesser(program: Program, quick: str, to: str, kinds: set[int]) -> str:
    """Code that tests whether a move does no more than lead a piece to a site."""
    tests = [f"{quick} == {PLAIN}"]
    if QUIET in kinds:
        tests.append(f"({quick} == {QUIET} and state[WHAT + {to}] == 0)")
    if TAKING in kinds:
        followed = one_of(f"state[WHAT + {to}]", sorted(program.spots))
        tests.append(f"({quick} == {TAKING} and not {followed})")
    return f"({' or '.join(tests)})"


def _write_quick(program: Program, trial: Trial, sight: Sight) -> None:
    """Write the short answer into a function that tests a move."""
    kinds = [ANYTHING] * (len(program.rules.rules) + 1)
    for rule in trial.rules:
        kinds[rule.number] = what_it_does(program, rule, trial.outer, trial.role == "MOVER")
    if not any(kinds):
        return
    table = program.module.table("QUICK", kinds)
    keep, board = trial.keep, program.n_board
    moving = [kinds[rule.number] for rule in trial.rules if rule.spec.kind == "move"]
    # What is left to try is too rare to need code of its own: it is tried on a copy of the row.
    rare = sum(map(bool, moving)) >= _MOST * len(moving)
    lines, keep.lines = list(trial.copying) if rare else keep.lines, []
    keep.line(f"val = {component_by_name(program, trial.name, f'state[{trial.role}]')}")
    # Where a turn continues, the player after it is not the one in the row.
    turn = " and state[NEXT] != state[MOVER]" if trial.role == "NEXT" else ""
    keep.line(f"quick = {table}[move[RULE]]")
    keep.line("to = move[TO]")
    keep.line("frm = move[FROM]")
    placed = f"val >= 1 and 0 <= to < {board} and 0 <= frm < {program.n_sites}"
    with keep.block(f"if {placed} and {_lesser(program, 'quick', 'to', set(kinds))}{turn}:"):
        keep.line("site = state[SPOT + val]")
        keep.line("kind = state[WHAT + frm]")
        keep.line(f"owner = {program.owner_of('val')}")
        own = f"{program.owner_of('kind')} == owner"
        one = f" and (frm >= {board} or state[COUNT + frm] == 1)" if program.state.has("COUNT") else ""
        # A second piece of the kind, from a hand, is another matter.
        alone = f" and (kind != val or frm < {board})" if board < program.n_sites else ""
        if sight.further is not None:
            keep.line("there = to if kind == val else site")
            alone += f" and {sight.further}[(3 - owner) * {board} + there] == 0"
        with keep.block(f"if site >= 0 and kind != 0 and {own}{one}{alone}:"):
            inside = f"frm >= {board} or " if board < program.n_sites else ""
            with keep.block(f"if kind != val and state[SAFE + val] == {SAFE}:"):
                with keep.block(f"if {inside}not {OPENED}(state, site, frm, 3 - owner):"):
                    keep.line("return True")
            with keep.block(f"if kind != val and state[SAFE + val] == {THREATENED}:"):
                _write_stays(program, keep, sight)
            _write_light(program, keep, sight.threatened)
    keep.lines += lines


def _write_stays(program: Program, keep: Function, sight: Sight) -> None:
    """Write the answer for a piece that is threatened, where a move changes nothing about that."""
    board = program.n_board
    keep.line("striker = state[STRIKER]")
    keep.line(f"line = {sight.lines}[site * {board} + to]")
    with keep.block("if striker >= 0:"):
        keep.line(f"other = {sight.lines}[site * {board} + striker]")
        with keep.block(f"if to != striker and other != {SEVERAL} and line != {SEVERAL}:"):
            with keep.block(f"if other == {NOWHERE} or other != line:"):
                keep.line("return False")
    # What threatens only as long as something is pending does so no more.
    nothing = " and state[N_PENDING] == 0" if program.uses_pending else ""
    with keep.block(f"elif state[WHAT + to] == 0 and line == {NOWHERE}{nothing}:"):
        keep.line("return False")


def _write_light(program: Program, keep: Function, threatened: str) -> None:
    """Write a trial of which nothing matters but that a piece has moved from one site of the board to another."""
    board = f"frm < {program.n_board}" if program.n_board < program.n_sites else True
    keep.line("taken = state[WHAT + to]")
    keep.line("safe = state[SAFE + val]")
    if program.uses_pending:
        # A move leaves nothing pending.
        keep.line("pending = state[N_PENDING]")
        keep.line("state[N_PENDING] = 0")
    with keep.when(board):
        keep.line("state[WHAT + frm] = 0")
    keep.line("state[WHAT + to] = kind")
    keep.line("state[SAFE + val] = 0")
    with keep.block("if kind == val:"):
        keep.line("state[SPOT + val] = to")
    keep.line(f"answer = {threatened}(state, work, val)")
    keep.line("state[SPOT + val] = site")
    keep.line("state[SAFE + val] = safe")
    keep.line("state[WHAT + to] = taken")
    with keep.when(board):
        keep.line("state[WHAT + frm] = kind")
    if program.uses_pending:
        keep.line("state[N_PENDING] = pending")
    keep.line("return not answer")


def _write_no_threat(program: Program, trial: Trial, sight: Sight) -> None:
    """Write the short answer into a test that all moves pass which do not threaten the piece of the next player."""
    kinds = [ANYTHING] * (len(program.rules.rules) + 1)
    for rule in trial.rules:
        kinds[rule.number] = what_it_does(program, rule, trial.outer, turns=False, same=True)
    if not any(kinds) or sight.strikes is None:
        return
    keep, board = trial.keep, program.n_board
    lines, keep.lines = keep.lines, []
    keep.line("mover = state[MOVER]")
    keep.line(f"val = {component_by_name(program, trial.name, 'state[NEXT]')}")
    keep.line(f"quick = {program.module.table('QUICK', kinds)}[move[RULE]]")
    keep.line("to = move[TO]")
    nothing = " and state[N_PENDING] == 0" if program.uses_pending else ""
    safe = f"val >= 1 and state[NEXT] == 3 - mover and state[SAFE + val] == {SAFE}{nothing}"
    keep.line("frm = move[FROM]")
    placed = f"0 <= to < {board} and 0 <= frm < {program.n_sites}"
    with keep.block(f"if {safe} and {placed} and {_lesser(program, 'quick', 'to', set(kinds))}:"):
        keep.line("site = state[SPOT + val]")
        keep.line("kind = state[WHAT + frm]")
        further = f" and {sight.further}[mover * {board} + site] == 0" if sight.further is not None else ""
        one = f" and (frm >= {board} or state[COUNT + frm] == 1)" if program.state.has("COUNT") else ""
        mine = f"kind != 0 and {program.owner_of('kind')} == mover"
        with keep.block(f"if site >= 0 and {mine}{one}{further}:"):
            inside = f"frm < {board}" if board < program.n_sites else True
            keep.line("taken = state[WHAT + to]")
            keep.line("state[WHAT + to] = kind")
            with keep.when(inside):
                keep.line("state[WHAT + frm] = 0")
            keep.line(f"hit = {sight.strikes.format(target='site', mover='mover', frm='to')}")
            with keep.block("if not hit:" if inside is True else f"if not hit and {inside}:"):
                keep.line(f"hit = {OPENED}(state, site, frm, mover)")
            with keep.when(inside):
                keep.line("state[WHAT + frm] = kind")
            keep.line("state[WHAT + to] = taken")
            with keep.block("if not hit:"):
                keep.line("return True")
    keep.lines += lines


def _write_note(course: Course, name: str, sight: Sight) -> None:
    """Write what a move notes about threats: before it is applied, and after."""
    program, board = course.program, course.program.n_board
    piece = str(component_by_name(program, name, "{}"))
    before, after = Function("before", []), Function("after", [])
    named = all(component_by_name(program, name, p) != -1 for p in range(1, program.n_players + 1))
    kinds = [ANYTHING] * (len(program.rules.rules) + 1)
    for rule in program.rules.rules:
        kinds[rule.number] = what_it_does(program, rule, 0, turns=True)
    full = f"{sight.threatened}(state, work, val)"
    if not named or sight.strikes is None or not any(kinds):
        after.line(f"val = {piece.format('state[NEXT]')}")
        with after.block("if val >= 1:"):
            after.line("state[SAFE + val] = 0")
            after.line(f"state[SAFE + val] = {THREATENED} if {full} else {SAFE}")
            after.line("state[STRIKER] = -1")
        program.noted = before.lines, after.lines
        return
    before.line(f"val = {piece.format('3 - mover')}")
    before.line(f"quick = {program.module.table('QUICK', kinds)}[rule]")
    before.line("frm = move[FROM]")
    before.line("to = move[TO]")
    before.line("lesser = False")
    placed = f"0 <= to < {board} and 0 <= frm < {program.n_sites}"
    with before.block(f"if {placed} and state[SAFE + val] == {SAFE}:"):
        before.line(f"lesser = {_lesser(program, 'quick', 'to', set(kinds))}")
    after.line(f"own = {piece.format('mover')}")
    tested = program.module.table("TESTED", _tested(course, name))
    with after.block(f"if {tested}[rule] != 0:"):
        after.line(f"state[SAFE + own] = {SAFE}")
    with after.block("if state[NEXT] == mover:"):
        after.line("val = own")
        after.line("lesser = False")
    with after.block(f"if val != own or {tested}[rule] == 0:"):
        after.line("state[SAFE + val] = 0")
        after.line("state[STRIKER] = -1")
        after.line("site = state[SPOT + val]")
        further = f" and {sight.further}[mover * {board} + site] == 0" if sight.further is not None else ""
        nothing = " and state[N_PENDING] == 0" if program.uses_pending else ""
        after.line(f"note = {SAFE}")
        with after.block(f"if lesser and site >= 0 and 0 <= to < {board}{nothing}{further}:"):
            with after.block(f"if {sight.strikes.format(target='site', mover='mover', frm='to')}:"):
                after.line(f"note = {THREATENED}")
                after.line("state[STRIKER] = to")
            with after.block(f"elif 0 <= frm < {board} and {OPENED}(state, site, frm, mover):"):
                after.line(f"note = {THREATENED} if {full} else {SAFE}")
        with after.block("else:"):
            after.line(f"note = {THREATENED} if {full} else {SAFE}")
        after.line("state[SAFE + val] = note")
    program.noted = before.lines, after.lines


def _tested(course: Course, name: str) -> list[int]:
    """For each rule whether no move of it is legal after which the mover's own piece is threatened."""
    program = course.program
    sure: set[int] = set()
    unsure: set[int] = set()

    def visit(node: Ludeme, tested: bool, outer: bool) -> None:
        outer = outer or node.peek("then") is not None
        if node.keyword == "do" and node.peek("next") is None:
            test, prior = node.peek("ifAfterwards"), node.peek("prior")
            asks = isinstance(test, Ludeme) and threatened_role(test) == ("MOVER", name)
            assert isinstance(prior, Ludeme)
            # Consequents outside of the test come after it.
            visit(prior, tested or (asks and not outer), False if asks and not outer else outer)
        elif node.keyword in ("or", "and", "if"):
            for value in dict.values(node.args):
                for part in value if isinstance(value, list) else [value]:
                    if isinstance(part, Ludeme) and part.kind == "moves":
                        visit(part, tested, outer)
        else:
            (sure if tested else unsure).update(id(part) for part in program.reach(node))

    for node in course.phases[0].plays:
        visit(node, False, False)
    found = [0] * (len(program.rules.rules) + 1)
    for rule in program.rules.rules:
        found[rule.number] = int(id(rule.spec.node) in sure - unsure)
    return found
