"""Moves that cannot expose a piece: where it is not threatened now, only a line that opens could change that.

A test such as ``(not (is Threatened (id "King" Mover)))`` after a move needs no trial if

- the piece is not threatened before the move (each move leaves a note of that for the player who is next);
- another piece of the same side moves, and nothing else changes on the board;
- the moved piece came from a hand, or from a site on no line of a slide to the piece.

Where it is threatened, a move of another piece to an empty site on no such line leaves it so. Other moves of this kind
are tried by nothing but the two sites.

This holds where all pieces step, leap or slide, and nothing but what stands on the destination and on the sites passed
decides whether they may: a piece that arrives somewhere then never opens a way. ``_attacks`` and ``_plays`` prove it.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.components import component_by_name
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.traits import reads
from ludoport.ludemes.core.trials import Trial
from ludoport.ludemes.fields.direction_choice import choose
from ludoport.ludemes.fields.facings import piece_facings, rotates

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.rules import Rule

SAFE, THREATENED = 1, 2
PLAIN, QUIET = 1, 2

_ABOUT_TARGET = {"not", "and", "or", "is Enemy", "is Friend", "is Empty", "who", "to"}
_CHANGE = re.compile(r"^\s*(lift|place|add_piece|shift|promote|set_state|set_next|set_counter|pend)\(")


def write_safety(course: Course) -> None:
    """Put the short answer before the trials of moves, and the note of threats that it needs into the row."""
    program = course.program
    trials = program.rules.trials.written
    if not trials or not taken("safe") or len(course.phases) != 1 or program.other_kinds:
        return
    if rotates(program) or not all(map(_plays, course.phases[0].plays)):
        # A piece that turns threatens others without leaving its site.
        return
    if not all(c.moves is None or _attacks(c.moves) for c in program.components[1:]):
        return
    lined = _lines(program)
    if lined is None:
        return
    asked = _asked(program)
    if asked is None:
        return
    program.state.want("SAFE", len(program.components))
    for trial in trials:
        _write_quick(program, trial, lined, asked.name)
        _keep_note(program, trial.keep)
    at = asked.lines.index("    found = state[SPOT + val]")
    asked.lines[at:at] = ["    if state[SAFE + val] != 0:", f"        return state[SAFE + val] == {THREATENED}"]
    program.noted = str(component_by_name(program, trials[0].name, "state[NEXT]")), asked.name


def _asked(program: Program) -> Function | None:
    """The function that tests whether a followed piece is threatened."""
    for function in program.module.functions:
        spotted = isinstance(function, Function) and "    found = state[SPOT + val]" in function.lines
        if isinstance(function, Function) and spotted and function.params[2:] == ["val"]:
            return function
    return None


def _keep_note(program: Program, keep: Function) -> None:
    """Write that a trial puts the notes back."""
    for kind in sorted(program.spots):
        for mark, line in (
            ("work[W_TRIED] = 0", f"safe{kind} = state[SAFE + {kind}]"),
            ("take_back(state, work)", f"state[SAFE + {kind}] = safe{kind}"),
        ):
            at = next(i for i, text in enumerate(keep.lines) if text.strip() == mark)
            indent = keep.lines[at][: -len(mark)]
            keep.lines.insert(at + 1, indent + line)


def _write_quick(program: Program, trial: Trial, lined: str, threatened: str) -> None:
    """Write the short answer into a function that tests a move."""
    kinds = [0] * (len(program.rules.rules) + 1)
    for rule in trial.rules:
        kinds[rule.number] = _opens_nothing(program, rule, trial)
    if not any(kinds):
        return
    table = program.module.table("QUICK", kinds)
    keep, board = trial.keep, program.n_board
    lines, keep.lines = keep.lines, []
    keep.line(f"val = {component_by_name(program, trial.name, f'state[{trial.role}]')}")
    # Where a turn continues, the player after it is not the one in the row.
    turn = " and state[NEXT] != state[MOVER]" if trial.role == "NEXT" else ""
    keep.line(f"quick = {table}[move[RULE]]")
    keep.line("to = move[TO]")
    with keep.block(f"if val >= 1 and (quick == {PLAIN} or (quick == {QUIET} and state[WHAT + to] == 0)){turn}:"):
        keep.line("site = state[SPOT + val]")
        keep.line("frm = move[FROM]")
        keep.line("kind = state[WHAT + frm]")
        own = f"{program.owner_of('kind')} == {program.owner_of('val')}"
        one = f" and (frm >= {board} or state[COUNT + frm] == 1)" if program.state.has("COUNT") else ""
        # A second piece of the kind, from a hand, is another matter.
        alone = f" and (kind != val or frm < {board})" if board < program.n_sites else ""
        with keep.block(f"if site >= 0 and kind != 0 and {own}{one}{alone}:"):
            inside = f"frm >= {board} or " if board < program.n_sites else ""
            with keep.block(f"if kind != val and state[SAFE + val] == {SAFE}:"):
                with keep.block(f"if {inside}{lined}[site * {board} + frm] == 0:"):
                    keep.line("return True")
            with keep.block(f"if kind != val and state[SAFE + val] == {THREATENED}:"):
                with keep.block(f"if state[WHAT + to] == 0 and {lined}[site * {board} + to] == 0:"):
                    keep.line("return False")
            _write_light(program, keep, threatened)
    keep.lines += lines


def _write_light(program: Program, keep: Function, threatened: str) -> None:
    """Write a trial of which nothing matters but that a piece has moved from one site of the board to another."""
    board = f"frm < {program.n_board}" if program.n_board < program.n_sites else True
    keep.line("taken = state[WHAT + to]")
    keep.line("safe = state[SAFE + val]")
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
    keep.line("return not answer")


def _opens_nothing(program: Program, rule: Rule, trial: Trial) -> int:
    """What a rule does: just the move (``PLAIN``), more only where it takes a piece (``QUIET``), or anything (0)."""
    node = rule.spec.node
    if rule.spec.kind != "move" or node.keyword not in ("move Step", "move Slide", "move Leap", "move"):
        return 0
    if set(node.args) - {"from", "to", "directions", "between", "walk", "then", "forward", "rotations"}:
        return 0
    functions = {f.name: f for f in program.module.functions if isinstance(f, Function)}
    for call in program.rules.trials.consequents(rule, trial.outer):
        changes = [found[1] for line in functions[call].lines if (found := _CHANGE.match(line))]
        if set(changes) - {"set_next", "set_counter"} or (trial.role == "NEXT" and "set_next" in changes):
            return 0
    lines = functions[f"do_{rule.number}"].lines
    changes = [found[1] for line in lines if (found := _CHANGE.match(line))]
    if changes == ["shift"]:
        return PLAIN
    return QUIET if changes[-1:] == ["shift"] and _only_on_capture(node.peek("to")) else 0


def _only_on_capture(to: Value | None) -> bool:
    """Whether the effect of a move happens only where an enemy stands on its destination."""
    effect = to.peek("effect") if isinstance(to, Ludeme) else None
    if not isinstance(effect, Ludeme) or effect.keyword != "apply" or set(effect.args) != {"effect"}:
        return False
    inner = effect.peek("effect")
    if not isinstance(inner, Ludeme) or inner.keyword != "if" or set(inner.args) != {"cond", "list"}:
        return False
    cond = inner.peek("cond")
    words = {part.keyword for part in cond.walk()} if isinstance(cond, Ludeme) else set()
    return isinstance(cond, Ludeme) and cond.keyword == "is Enemy" and words == {"is Enemy", "who", "to"}


def _plays(node: Ludeme) -> bool:
    """Whether the moves that threaten a piece are just those of the pieces."""
    if node.keyword == "if":
        cond, other = node.peek("cond"), node.peek("elseList")
        role = cond.peek("role") if isinstance(cond, Ludeme) and cond.keyword == "is Prev" else None
        # An enemy whose moves are looked at never moved before as well.
        return isinstance(role, Word) and role.name == "Mover" and (not isinstance(other, Ludeme) or _plays(other))
    if node.keyword == "do" and node.peek("next") is None:
        prior = node.peek("prior")
        return isinstance(prior, Ludeme) and _plays(prior)
    if node.keyword in ("or", "and"):
        return all(map(_plays, _parts(node)))
    if node.keyword == "forEach Piece":
        return not set(node.args) - {"then"}
    if node.keyword == "move Pass":
        return True
    to = node.peek("to")
    return node.keyword == "move" and isinstance(to, Ludeme) and _vacant(to.peek("region"))


def _vacant(sites: Value | None) -> bool:
    """Whether a region has empty sites only."""
    if not isinstance(sites, Ludeme):
        return False
    return (sites.keyword == "sites Empty" and not sites.args) or (
        sites.keyword == "difference" and _vacant(sites.peek("source"))
    )


def _parts(node: Ludeme) -> list[Ludeme]:
    values = [
        v for k, value in dict.items(node.args) if k != "then" for v in (value if isinstance(value, list) else [value])
    ]
    return [v for v in values if isinstance(v, Ludeme)]


def _attacks(node: Ludeme) -> bool:
    """Whether nothing but the destination and the sites passed decides about the moves of a piece."""
    if node.keyword in ("or", "and"):
        return all(map(_attacks, _parts(node)))
    if node.keyword == "if":
        cond = node.peek("cond")
        known = isinstance(cond, Ludeme) and all(not reads(p) and p.keyword not in ("last", "to") for p in cond.walk())
        return known and all(_attacks(p) for p in _parts(node) if p.kind == "moves")
    if node.keyword == "move Pass":
        return True
    if node.keyword not in ("move Step", "move Slide", "move Leap"):
        return False
    if set(node.args) - {"to", "directions", "between", "walk", "then", "forward", "rotations"}:
        return False
    to, between = node.peek("to"), node.peek("between")
    if isinstance(to, Ludeme):
        effect = to.peek("effect")
        decides = isinstance(effect, Ludeme) and effect.peek("if") is not None
        if decides or to.peek("region") is not None or not _about_target(to.peek("if")):
            return False
    return not isinstance(between, Ludeme) or not set(between.args) - {"range"}


def _about_target(cond: Value | None) -> bool:
    """Whether a condition looks at nothing but who stands on the destination."""
    if not isinstance(cond, Ludeme):
        return cond is None
    return {part.keyword for part in cond.walk()} <= _ABOUT_TARGET


def _lines(program: Program) -> str | None:
    """A table of the sites (column) through which some slide gets to a site (row); None if that is not known."""
    n = program.n_board
    if n * n > 50_000:
        return None
    flat = [0] * (n * n)
    facings = sorted({facing or "N" for facing in piece_facings(program)})
    slides = {
        id(p): p
        for c in program.components[1:]
        if c.moves is not None
        for p in c.moves.walk()
        if p.keyword == "move Slide"
    }
    for slide in slides.values():
        try:
            choice = choose(slide.peek("directions"), "Adjacent")
            names = sorted({name for facing in facings for name in choice.absolute(program, facing)})
        except (LudoportError, AssertionError, KeyError, ValueError):
            return None
        if choice.dynamic is not None:
            return None
        for origin in range(n):
            for ray in program.radials(origin, names):
                for k, there in enumerate(ray):
                    for passed in ray[:k]:
                        flat[there * n + passed] = 1
    return program.module.table("LINED", flat)
