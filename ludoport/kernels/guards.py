"""Kernel text in which every index is proved or tested.

An index that ``ranges.py`` cannot prove gets a test with the meaning that the reference gives to a place off the board:
nothing is written there, and what is read there is 0 (or -1 where a table has -1 for "no site").

Loops that may take too long, alone or together, count their turns (see ``turns.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from ludoport.kernels.ranges import AnalysedFunction, EntryTest, Pair, Ranges, Shapes, Unproved
from ludoport.kernels.turns import Loop, LoopTurns


@dataclass
class FunctionText:
    """One function as text, with what is known about it beside the text."""

    text: str
    facts: Mapping[str, Pair] = field(default_factory=dict)
    needs: Mapping[str, Pair] = field(default_factory=dict)

    @cached_property
    def node(self) -> ast.FunctionDef:
        """The function as a tree, which ``guarded`` changes."""
        node = ast.parse(self.text).body[0]
        assert isinstance(node, ast.FunctionDef)
        return node

    @property
    def params(self) -> list[str]:
        """The names of the parameters."""
        return [a.arg for a in self.node.args.args]


def analysed(
    texts: Sequence[FunctionText], shapes: Shapes, seeds: Mapping[tuple[str, str], Pair], roots: Sequence[str]
) -> Ranges:
    """The numbers that the variables of some functions can have."""
    functions = []
    for each in texts:
        # Moves that stay in a list are counted in ``kept``, which never overtakes the move being looked at.
        facts = {"kept": (0, shapes.rows), **each.facts}
        functions.append(AnalysedFunction(each.node.name, each.node, each.params, facts, each.needs))
    ranges = Ranges(functions, shapes, seeds)
    ranges.settle(roots)
    return ranges


def guarded(texts: Sequence[FunctionText], ranges: Ranges) -> list[str]:
    """The functions of an analysis with a test where an index is not proved."""
    ranges.check(ranges.functions)
    by_function: dict[str, list[Unproved]] = {}
    for finding in [*ranges.findings(), *_unreached(ranges)]:
        by_function.setdefault(finding.function, []).append(finding)
    entries: dict[str, list[EntryTest]] = {}
    for entry in ranges.entries.values():
        entries.setdefault(entry.function, []).append(entry)
    out, turns = [], LoopTurns(ranges)
    for each, function in zip(texts, ranges.functions.values(), strict=True):
        found = by_function.get(function.name, [])
        tests = entries.get(function.name, [])
        loops = turns.counted(function.name)
        out.append(_patched(each.text, function, found, tests, loops) if found or tests or loops else each.text)
    return out


def _unreached(ranges: Ranges) -> list[Unproved]:
    """Every ``on_board`` that no number reaches: it never runs, but its text must compile."""
    return [
        Unproved(name, node, "on_board", (0, ranges.shapes.sites), 0, ranges.shapes.sites - 1)
        for name, function in ranges.functions.items()
        for node in ast.walk(function.node)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "on_board"
        if id(node) not in ranges.seen
    ]


def checked(texts: Sequence[str], ranges: Ranges) -> list[str]:
    """The functions of an analysis with a check of every index, for ``LUDOPORT_BOUNDS=1``.

    Args:
        texts: the texts of the functions, in the order of the analysis.
        ranges: the analysis of just these texts.
    """
    out = []
    for text, function in zip(texts, ranges.functions.values(), strict=True):
        new = ast.unparse(ast.fix_missing_locations(_Checks(ranges.seen).visit(function.node)))
        out.append("\n".join([line for line in text.split("\n") if line.startswith("#")] + [new]))
    return out


class _Checks(ast.NodeTransformer):
    """Puts a check around every index."""

    def __init__(self, seen: Mapping[int, Unproved]) -> None:
        self.seen = seen

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """Pass an index through ``checked_index``."""
        finding = self.seen.get(id(node))
        self.generic_visit(node)
        if finding is not None and not isinstance(node.slice, ast.Slice):
            text = f"checked_index({ast.unparse(node.slice)}, {finding.low}, {finding.high})"
            node.slice = ast.parse(text, mode="eval").body
        return node


def _patched(
    text: str,
    function: AnalysedFunction,
    findings: Sequence[Unproved],
    entries: Sequence[EntryTest],
    loops: Sequence[tuple[Loop, list[str]]],
) -> str:
    """The text of one function with its tests; lines without a finding stay as they are."""
    lines = text.split("\n")
    change = _Change({id(f.node): f for f in findings})
    inserted: dict[int, list[str]] = {}
    for statement in ast.walk(function.node):
        if isinstance(statement, ast.stmt) and statement is not function.node:
            _patch_statement(statement, change, lines)
    if entries:
        body = function.node.body
        first = body[1] if _is_docstring(body[0]) and len(body) > 1 else body[0]
        tests = " or ".join(f"{e.parameter} < {e.low} or {e.parameter} > {e.high}" for e in entries)
        inserted[first.lineno] = [f"    if {tests}:", "        return 0"]
    for loop, test in loops:
        place, indent = loop.body[0].lineno, " " * loop.body[0].col_offset
        inserted[place] = [indent + each for each in test] + inserted.get(place, [])
    out: list[str] = []
    for number, line in enumerate(lines, 1):
        out += inserted.get(number, [])
        out.append(line)
    return "\n".join(out)


def _is_docstring(statement: ast.stmt) -> bool:
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def _patch_statement(statement: ast.stmt, change: _Change, lines: list[str]) -> None:
    """Write one statement, or the head of a compound one, again if something in it is not proved."""
    if isinstance(statement, ast.If | ast.While):
        head: ast.expr | None = statement.test
    elif isinstance(statement, ast.For):
        head = statement.iter
    else:
        head = None
    part: ast.stmt | ast.expr = statement if head is None else head
    if not change.concerns(part):
        return
    row = statement.lineno - 1
    assert part.lineno == part.end_lineno == statement.lineno
    indent = lines[row][: len(lines[row]) - len(lines[row].lstrip())]
    if head is not None:
        new = change.visit(head)
        begin, end = head.col_offset, head.end_col_offset
        raw = lines[row].encode()
        lines[row] = raw[:begin].decode() + ast.unparse(new) + raw[end:].decode()
        return
    tests = change.tests_before(statement)
    new = ast.unparse(ast.fix_missing_locations(change.visit(statement)))
    if not tests:
        lines[row] = indent + new
    elif any(f.kind == "slice" for f in tests):
        # A view that would not lie inside its array cannot be made at all.
        lines[row] = f"{indent}if not ({change.text(tests)}):\n{indent}    return 0\n{indent}{new}"
    else:
        lines[row] = f"{indent}if {change.text(tests)}:\n{indent}    {new}"


class _Change(ast.NodeTransformer):
    """Puts tests into expressions."""

    def __init__(self, findings: Mapping[int, Unproved]) -> None:
        self.findings = findings
        self.lines = {f.node.lineno for f in findings.values()}

    def concerns(self, node: ast.stmt | ast.expr) -> bool:
        """Whether something in a statement has to be changed."""
        return node.lineno in self.lines and any(id(part) in self.findings for part in ast.walk(node))

    def tests_before(self, statement: ast.stmt) -> list[Unproved]:
        """What must hold before a statement may run at all."""
        found = [self.findings[id(part)] for part in ast.walk(statement) if id(part) in self.findings]
        target = statement.target if isinstance(statement, ast.AugAssign) else None
        return [f for f in found if f.kind in ("write", "slice") or f.node is target]

    def text(self, tests: Sequence[Unproved]) -> str:
        """The condition for several tests."""
        return " and ".join(self._test(f) for f in tests)

    def _test(self, finding: Unproved) -> str:
        assert isinstance(finding.node, ast.Subscript)
        index = finding.node.slice
        if isinstance(index, ast.Slice):
            assert index.lower is not None and index.upper is not None
            return f"{finding.low} <= {ast.unparse(index.lower)} and {ast.unparse(index.upper)} <= {finding.high}"
        return _between(index, finding)

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AugAssign:
        """What is read and written again is tested before the statement."""
        node.value = self.visit(node.value)
        self.generic_visit(node.target)
        return node

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """A read that is not proved becomes a choice."""
        finding = self.findings.get(id(node))
        self.generic_visit(node)
        if finding is None or finding.kind != "read":
            return node
        text = f"({ast.unparse(node)} if {_between(node.slice, finding)} else {finding.otherwise})"
        return ast.parse(text, mode="eval").body

    def visit_Call(self, node: ast.Call) -> ast.expr:
        """``on_board`` becomes the shortest test that is enough."""
        finding = self.findings.get(id(node))
        self.generic_visit(node)
        if finding is None or finding.kind != "on_board":
            return node
        site = ast.unparse(node.args[0])
        above = finding.seen[1] > finding.high
        text = f"{finding.low} <= {site} <= {finding.high}" if above else f"{site} >= {finding.low}"
        return ast.parse(text, mode="eval").body


def _between(index: ast.expr, finding: Unproved) -> str:
    return f"{finding.low} <= {ast.unparse(index)} <= {finding.high}"
