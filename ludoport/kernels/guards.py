"""Kernel text in which every index is proved or tested.

An index that ``ranges.py`` cannot prove gets a test with the meaning that the reference gives to a place off the board:
nothing is written there, and what is read there is 0 (or -1 where a table has -1 for "no site").

A loop whose number of turns is not proved to be small, because a text chooses it, counts its turns in the scratch
space; where they are too many the move is given up like one that has no room (see ``room.py``).
"""

from __future__ import annotations

import ast
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from ludoport.kernels.ranges import Entry, Finding, Function, Pair, Ranges, Shapes
from ludoport.kernels.ranges.places import last_name

LONG = 1 << 17
"""Turns of a loop from which on they are counted."""

EVERY = 1024
"""Turns that are counted at once: cells of the scratch space may have 16 bits."""

MOST = 8_000
"""Counted turns of all loops of one move, in units of ``EVERY``."""


@dataclass
class Text:
    """One function as text, with what is known about it beside the text."""

    text: str
    facts: Mapping[str, Pair] = field(default_factory=dict)
    needs: Mapping[str, Pair] = field(default_factory=dict)


def guarded(
    texts: Sequence[Text], shapes: Shapes, seeds: Mapping[tuple[str, str], Pair], roots: Sequence[str]
) -> tuple[list[str], Ranges]:
    """The same functions with a test where an index is not proved, and the analysis behind it."""
    functions: list[Function] = []
    for each in texts:
        node = ast.parse(each.text).body[0]
        assert isinstance(node, ast.FunctionDef)
        params = [a.arg for a in node.args.args]
        functions.append(Function(node.name, node, params, each.facts, each.needs))
    ranges = Ranges(functions, shapes, seeds)
    ranges.run(roots)
    by_function: dict[str, list[Finding]] = {}
    for finding in ranges.findings():
        by_function.setdefault(finding.function, []).append(finding)
    entries: dict[str, list[Entry]] = {}
    for entry in ranges.entries.values():
        entries.setdefault(entry.function, []).append(entry)
    out = []
    for each, function in zip(texts, functions, strict=True):
        found = by_function.get(function.name, [])
        tests = entries.get(function.name, [])
        loops = _long_loops(function, ranges)
        out.append(_patched(each.text, function, found, tests, loops) if found or tests or loops else each.text)
    return out, ranges


def counts_turns(texts: Sequence[str]) -> bool:
    """Whether a loop of some functions counts its turns."""
    return any("(TURNS," in text or "[TURNS]" in text for text in texts)  # the former where every index is checked


def _long_loops(function: Function, ranges: Ranges) -> list[ast.For]:
    """The loops of a function that may turn very often and do not count yet."""
    if "work" not in function.params:
        return []
    loops = [part for part in ast.walk(function.node) if isinstance(part, ast.For)]
    return [each for each in loops if ranges.spans.get(id(each), 0) > LONG and not _settled(each)]


def _settled(loop: ast.For) -> bool:
    """Whether a loop counts already, or walks through a list in the scratch space, which is as long as it is."""
    assert isinstance(loop.target, ast.Name)
    first = loop.body[0]
    if "work[TURNS]" in ast.unparse(first):
        return True
    reads = (
        [part for part in ast.walk(first) if isinstance(part, ast.Subscript)] if isinstance(first, ast.Assign) else []
    )
    return any(ast.unparse(part).startswith("work[") and last_name(part.slice) == loop.target.id for part in reads)


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

    def __init__(self, seen: Mapping[int, Finding]) -> None:
        self.seen = seen

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        """An index goes through ``checked_index``."""
        finding = self.seen.get(id(node))
        self.generic_visit(node)
        if finding is not None and not isinstance(node.slice, ast.Slice):
            text = f"checked_index({ast.unparse(node.slice)}, {finding.low}, {finding.high})"
            node.slice = ast.parse(text, mode="eval").body
        return node


def _patched(
    text: str, function: Function, findings: Sequence[Finding], entries: Sequence[Entry], loops: Sequence[ast.For]
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
    for loop in loops:
        assert isinstance(loop.target, ast.Name)
        place, indent = loop.body[0].lineno, " " * loop.body[0].col_offset
        inserted[place] = [indent + each for each in turn_test(loop.target.id)] + inserted.get(place, [])
    out: list[str] = []
    for number, line in enumerate(lines, 1):
        out += inserted.get(number, [])
        out.append(line)
    return "\n".join(out)


def turn_test(counter: str) -> list[str]:
    """The lines at the start of a loop that count its turns and leave it when there are too many."""
    return [
        f"if {counter} & {EVERY - 1} == {EVERY - 1}:",  # a loop of few turns from 0 on counts nothing
        "    work[TURNS] += 1",
        f"    if work[TURNS] > {MOST}:",
        "        work[FULL] = MARK",
        "        break",
    ]


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
    part: ast.AST = statement if head is None else head
    if not change.concerns(part):
        return
    row = statement.lineno - 1
    assert part.lineno == part.end_lineno == statement.lineno  # type: ignore[attr-defined]
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

    def __init__(self, findings: Mapping[int, Finding]) -> None:
        self.findings = findings

    def concerns(self, node: ast.AST) -> bool:
        """Whether something in a statement has to be changed."""
        return any(id(part) in self.findings for part in ast.walk(node))

    def tests_before(self, statement: ast.stmt) -> list[Finding]:
        """What must hold before a statement may run at all."""
        found = [self.findings[id(part)] for part in ast.walk(statement) if id(part) in self.findings]
        target = statement.target if isinstance(statement, ast.AugAssign) else None
        return [f for f in found if f.kind in ("write", "slice") or f.node is target]

    def text(self, tests: Sequence[Finding]) -> str:
        """The condition for several tests."""
        return " and ".join(self._test(f) for f in tests)

    def _test(self, finding: Finding) -> str:
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


def _between(index: ast.expr, finding: Finding) -> str:
    return f"{finding.low} <= {ast.unparse(index)} <= {finding.high}"
