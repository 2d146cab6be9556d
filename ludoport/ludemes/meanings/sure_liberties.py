"""Placements that need no trial where a test asks for a liberty of the group of the new piece.

Nothing but removals follows such a move. So a site stays empty that is beside the new piece, or beside a piece of the
same kind next to it, and the group has a liberty.

Where the removals are captures of enclosed enemies, no piece is captured if each enemy beside the new piece has another
empty site beside it. Then a piece has no liberty that has neither an empty site nor one of its kind beside it. And
where positions must not repeat, the hash after the move is the one before with that piece.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.traits import pieces
from ludoport.ludemes.core.trials import LibertyTest, one_of_rules
from ludoport.ludemes.fields.direction_choice import choose, chosen_in_play
from ludoport.ludemes.fields.directions import steps_table
from ludoport.ludemes.fields.position import empty_at
from ludoport.ludemes.fields.repetition import WORDS, incremental

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.rule import Rule


def write_sure_liberties(course: Course) -> None:
    """Put the short answers before the copies on which placements are tried."""
    program = course.program
    if not taken("free") or program.stacking or program.cover or program.other_kinds or "gravity" in course.meta:
        return
    for test in program.rules.trials.liberties:
        rules = [rule for rule in test.rules if _places_one(rule) and all(map(_removes, _consequents(rule, test)))]
        if not rules or _turning(test.count.peek("directions")):
            continue
        if steps_table(test.count.peek("directions"), program.root(Function("unused", []))).width < 2:
            continue
        captures = {id(then): then.peek("moves") for rule in rules for then in _consequents(rule, test)}
        known = [node for node in captures.values() if isinstance(node, Ludeme) and _encloses(node, program, test)]
        enclosing = known if len(known) == len(captures) else None
        if not program.state.has("HISTORY") or (enclosing is not None and incremental(program)):
            _Short(program, test, enclosing).write(rules)


def _consequents(rule: Rule, test: LibertyTest) -> tuple[Ludeme, ...]:
    """What follows a move before the test."""
    return rule.chain[: len(rule.chain) - test.outer] if test.outer else rule.chain


def _places_one(rule: Rule) -> bool:
    """Whether a rule puts one piece on an empty site of the board, and that is all."""
    node = rule.spec.node
    to = node.peek("to")
    if rule.spec.kind != "add" or node.keyword != "move Add" or set(node.args) - {"to", "then"}:
        return False
    empty = to.peek("region") if isinstance(to, Ludeme) and set(to.args) == {"region"} else None
    return isinstance(empty, Ludeme) and empty.keyword == "sites Empty" and not empty.args


def _removes(then: Ludeme) -> bool:
    """Whether a consequent brings no piece to any site."""
    return all(pieces(part) in ("stay", "leave") for part in then.walk() if part.kind == "moves")


def _turning(directions: Value | None) -> bool:
    """Whether directions depend on more than the board."""
    if chosen_in_play(directions):
        return True
    choice = choose(directions, "Adjacent")
    return choice.dynamic is not None or any(relative for _, relative in choice.words)


def _encloses(node: Ludeme, program: Program, test: LibertyTest) -> bool:
    """Whether a consequent removes enclosed groups of enemies next to the new piece, and does nothing else."""
    if node.keyword != "enclose" or set(node.args) - {"from", "directions", "between"}:
        return False
    source, between = node.peek("from"), node.peek("between")
    place = source.peek("loc") if isinstance(source, Ludeme) and set(source.args) == {"loc"} else None
    at_last = isinstance(place, Ludeme) and place.keyword == "last To" and not place.args
    victim = between.peek("if") if isinstance(between, Ludeme) and not set(between.args) - {"if", "effect"} else None
    words = [part.keyword for part in victim.walk()] if isinstance(victim, Ludeme) else []
    if not at_last or words != ["is Enemy", "who", "between"] or _turning(node.peek("directions")):
        return False
    # Groups and captures must go by the same neighbours.
    cx = program.root(Function("unused", []))
    return steps_table(node.peek("directions"), cx) == steps_table(test.count.peek("directions"), cx)


class _Short:
    """Writes the short answers into a function that tests moves."""

    def __init__(self, program: Program, test: LibertyTest, enclosing: list[Ludeme] | None) -> None:
        self.program, self.keep, self.test = program, test.keep, test
        self.enclosing = enclosing
        """What removes pieces; None if that is not known."""
        self.cx = program.root(test.keep, test.count).sure("to").bind(to="to")
        self.table = steps_table(test.count.peek("directions"), self.cx)

    def write(self, rules: list[Rule]) -> None:
        """Write the answers for moves of some rules before the trial of all moves."""
        keep = self.keep
        lines, keep.lines = keep.lines, []
        keep.line("rule = move[RULE]")
        keep.line("to = move[TO]")
        with keep.block(f"if ({one_of_rules([rule.number for rule in rules])}) and 0 <= to < {self.program.n_board}:"):
            keep.line("mover = state[MOVER]")
            self._find_liberty()
            if not self.program.state.has("HISTORY"):
                with keep.block("if free:"):
                    keep.line("return True")
            if self.enclosing is not None:
                with keep.block("if free or not own:"):
                    self._find_capture(self.enclosing)
                    with keep.block("if quiet and not free:"):
                        keep.line("return False")
                    if self.program.state.has("HISTORY"):
                        with keep.block("if quiet:"):
                            self._write_hash(lines[0])
                            keep.line("return True")
        keep.lines += lines

    def _find_liberty(self) -> None:
        """Write whether the group has an empty site beside the new piece or a neighbour, and whether it has others."""
        keep, program = self.keep, self.program
        keep.line("free = False")
        keep.line("own = False")
        with self.table.each(self.cx, "to") as near:
            with keep.block(f"if {empty_at(program, near)}:"):
                keep.line("free = True")
                keep.line("break")
            with keep.block(f"if state[WHAT + {near}] == mover:"):
                keep.line("own = True")
                self._find_other(near, "free")
                with keep.block("if free:"):
                    keep.line("break")

    def _find_other(self, near: str, found: str) -> None:
        """Write that a variable is True if a site has an empty neighbour other than the destination."""
        keep = self.keep
        with self.table.each(self.cx.sure(near), near) as further:
            with keep.block(f"if {further} != to and {empty_at(self.program, further)}:"):
                keep.line(f"{found} = True")
                keep.line("break")

    def _find_capture(self, enclosing: list[Ludeme]) -> None:
        """Write that ``quiet`` is True if all that might be removed has a liberty left."""
        keep = self.keep
        keep.line("quiet = True")
        for node in enclosing:
            between = node.peek("between")
            victim = between.peek("if") if isinstance(between, Ludeme) else None
            with self.table.each(self.cx, "to") as near:
                with self.cx.when(condition(victim, self.cx.sure(near).bind(btw=near))):
                    keep.line("safe = False")
                    self._find_other(near, "safe")
                    with keep.block("if not safe:"):
                        keep.line("quiet = False")
                        keep.line("break")

    def _write_hash(self, copying: str) -> None:
        """Write the hash after the move into the row on which it would have been tried."""
        keep = self.keep
        keep.lines.append("    " * (keep.depth - 1) + copying.replace("copy = ", "tried = ", 1))
        row = f"(to * {len(self.program.components)} + mover) * {WORDS}"
        with keep.block(f"for k in range({WORDS}):"):
            keep.line(f"tried[HASH + k] = state[HASH + k] ^ ZOBRIST[{row} + k]")
