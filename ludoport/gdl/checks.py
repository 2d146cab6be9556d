"""Checks what every rulesheet must hold: safety, stratification, the recursion restriction and the use of keywords."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from ludoport.gdl.kif import KEYWORDS, SheetNode, Term, is_variable, term_text, variables
from ludoport.gdl.order import components
from ludoport.gdl.program import Literal, SheetProgram, SheetRule, arguments, dependencies, predicate


@dataclass(frozen=True, slots=True)
class Problem:
    """A mistake in a rulesheet.

    Attributes:
        message: one sentence.
        offset: where.
        error: a strict reader refuses the sheet.
        fatal: the sheet has no clear meaning, so it cannot be played.
    """

    message: str
    offset: int
    error: bool = True
    fatal: bool = True


def problems(program: SheetProgram) -> list[Problem]:
    """All problems of a rulesheet, the fatal ones first."""
    found = [Problem(message, offset, fatal=False) for message, offset in program.loose]
    for check in (_keywords, _safety, _stratification, _recursion, _presence, _dependence, _arities, _style):
        found += check(program)
    return sorted(dict.fromkeys(found), key=lambda problem: (not problem.fatal, not problem.error, problem.offset))


def require_playable(program: SheetProgram) -> list[Problem]:
    """Refuse a sheet with a fatal problem; returns the others."""
    found = problems(program)
    if found and found[0].fatal:
        raise program.sheet.error(found[0].message, found[0].offset)
    return found


def problem_text(program: SheetProgram, problem: Problem) -> str:
    """One line for people."""
    refused = "; strict readers refuse it" if problem.error else ""
    return f"{program.sheet.place(problem.offset)}: {problem.message}{refused}"


def _keywords(program: SheetProgram) -> Iterator[Problem]:
    for rule in program.rules:
        head = predicate(rule.head)
        if head in ("true/1", "does/2", "distinct/2"):
            yield Problem(f"`{head[:-2]}` cannot be the head of a rule; it is given by the state", rule.offset)
        if head == "role/1" and (rule.body or any(True for _ in variables(rule.head))):
            yield Problem("roles are plain facts: `(role name)`", rule.offset)
        for literal in rule.body:
            used = predicate(literal.atom)
            if used in ("init/1", "next/1", "base/1", "input/2"):
                yield Problem(f"`{used[:-2]}` cannot be a condition", rule.offset)


def _bound(rule: SheetRule) -> set[str]:
    return {name for literal in rule.body if literal.kind == "holds" for name in variables(literal.atom)}


def _safety(program: SheetProgram) -> Iterator[Problem]:
    for rule in program.rules:
        bound = _bound(rule)
        loose = [name for name in dict.fromkeys(variables(rule.head)) if name not in bound]
        if loose and not rule.body:
            yield Problem(f"a fact cannot contain a variable, but this one has `{loose[0]}`", rule.offset)
        elif loose:
            yield Problem(f"`{loose[0]}` is in the head, but in no positive condition", rule.offset)
        for literal in rule.body:
            if literal.kind == "holds":
                continue
            what = "a negated condition" if literal.kind == "fails" else "`distinct`"
            for name in dict.fromkeys(name for term in literal.terms for name in variables(term)):
                if name not in bound:
                    yield Problem(f"`{name}` is in {what}, but in no positive condition", rule.offset)


def layer(atom: Term) -> str:
    """The relation of an atom for stratification; goals of different values are different relations."""
    key = predicate(atom)
    if key == "goal/2" and not is_variable(atom[2]):
        return f"{key}={term_text(atom[2])}"
    return key


def _graph(program: SheetProgram) -> dict[str, set[str]]:
    graph: dict[str, set[str]] = {}
    for rule in program.rules:
        used = graph.setdefault(layer(rule.head), set())
        used.update(layer(literal.atom) for literal in rule.body if literal.kind in ("holds", "fails"))
    goals = [key for key in graph if key.startswith("goal/2=")]
    if goals:
        graph.setdefault("goal/2", set()).update(goals)
    return graph


def _stratification(program: SheetProgram) -> Iterator[Problem]:
    part = {key: number for number, group in enumerate(components(_graph(program))) for key in group}
    for rule in program.rules:
        for literal in rule.body:
            if literal.kind == "fails" and part[layer(rule.head)] == part.get(layer(literal.atom)):
                name = term_text(literal.atom)
                yield Problem(f"the head depends on its own negation through `(not {name})`", rule.offset)


def _recursion(program: SheetProgram) -> Iterator[Problem]:
    """Arguments may not grow without bound: the condition that makes the set of derivable facts finite."""
    graph = _graph(program)
    groups = components(graph)
    part = {key: number for number, group in enumerate(groups) for key in group}
    loops = {key for group in groups for key in group if len(group) > 1 or key in graph.get(key, ())}
    for rule in program.rules:
        head = layer(rule.head)
        if head not in loops:
            continue
        inside = [x for x in rule.body if x.kind == "holds" and part.get(layer(x.atom)) == part[head]]
        outside = [x for x in rule.body if x.kind == "holds" and part.get(layer(x.atom)) != part[head]]
        known = {term for x in outside for term in arguments(x.atom)} | set(arguments(rule.head))
        for literal in inside:
            for term in arguments(literal.atom):
                if term not in known and any(True for _ in variables(term)):
                    message = f"`{term_text(term)}` in the recursive condition breaks the recursion restriction"
                    # Without function symbols the facts are finite all the same.
                    yield Problem(message, rule.offset, fatal=_grows(rule, literal))


def _grows(rule: SheetRule, literal: Literal) -> bool:
    compound = any(not isinstance(term, str) for term in arguments(rule.head))
    return compound or any(not isinstance(term, str) for term in arguments(literal.atom))


def _presence(program: SheetProgram) -> Iterator[Problem]:
    heads = {predicate(rule.head) for rule in program.rules}
    if "role/1" not in heads:
        yield Problem("no `role` is declared", 0)
    if "legal/2" not in heads:
        yield Problem("there is no rule for `legal`", 0)
    for key in ("goal/2", "terminal"):
        if key not in heads:
            yield Problem(f"there is no rule for `{key.split('/')[0]}`", 0, fatal=False)


def _reach(program: SheetProgram) -> dict[str, set[str]]:
    """Relations that each relation depends on, over any number of steps."""
    direct: dict[str, set[str]] = {}
    for head, used, _ in dependencies(program.rules):
        direct.setdefault(head, set()).add(used)
    reach: dict[str, set[str]] = {}
    for group in components(direct):
        everything = set(group) if len(group) > 1 else set()
        for key in group:
            for used in direct.get(key, ()):
                everything |= {used} | reach.get(used, set())
        for key in group:
            reach[key] = everything
    return reach


def _dependence(program: SheetProgram) -> Iterator[Problem]:
    reach = _reach(program)
    first = {predicate(rule.head): rule.offset for rule in reversed(program.rules)}
    for key, wrong, fatal in (
        ("init/1", ("true/1", "does/2"), True),
        ("base/1", ("true/1", "does/2"), False),
        ("input/2", ("true/1", "does/2"), False),
        ("legal/2", ("does/2",), True),
        ("goal/2", ("does/2",), True),
        ("terminal", ("does/2",), True),
    ):
        for used in wrong:
            if used in reach.get(key, ()):
                name = key.split("/")[0]
                yield Problem(f"`{name}` must not depend on `{used[:-2]}`", first[key], fatal=fatal)


def _arities(program: SheetProgram) -> Iterator[Problem]:
    """Names with several numbers of arguments, and names that differ only in case."""
    relations: dict[str, int] = {}
    functions: dict[str, int] = {}
    spelled: dict[str, str] = {}

    def function(node: SheetNode) -> Iterator[Problem]:
        if node.word is None:
            yield from named(node, functions, "function")
            for item in node.items[1:]:
                yield from function(item)
        else:
            yield from word(node)

    def word(node: SheetNode) -> Iterator[Problem]:
        text = node.word or ""
        if text.startswith("?"):
            return
        known = spelled.setdefault(text.lower(), text)
        if known != text:
            yield Problem(f"`{text}` and `{known}` differ only in case", node.offset, fatal=False)

    def named(node: SheetNode, seen: dict[str, int], what: str) -> Iterator[Problem]:
        name, given = node.head, len(node.items) - 1
        known = seen.setdefault(name, given)
        yield from word(node.items[0])
        if known != given:
            message = f"the {what} `{name}` has {given} argument(s) here and {known} elsewhere"
            yield Problem(message, node.offset, error=False, fatal=False)
        if given == 0:
            yield Problem(f"`({name})` has needless parentheses", node.offset, error=False, fatal=False)

    def sentence(node: SheetNode) -> Iterator[Problem]:
        if node.word is not None:
            yield from word(node)
            return
        if node.head in ("<=", "not", "or", "and"):
            for item in node.items[1:]:
                yield from sentence(item)
            return
        yield from named(node, relations, "relation")
        for item in node.items[1:]:
            yield from function(item)

    for node in program.sheet.nodes:
        yield from sentence(node)


def _style(program: SheetProgram) -> Iterator[Problem]:
    """Warnings about text that is allowed but probably a mistake."""
    heads = {predicate(rule.head) for rule in program.rules}
    used = {predicate(literal.atom) for rule in program.rules for literal in rule.body}
    told: set[str] = set()
    for node in program.sheet.nodes:
        if node.word is None and node.head == "<=" and len(node.items) == 2:
            yield Problem("a rule without conditions is a fact", node.offset, error=False, fatal=False)
    for rule in program.rules:
        key = predicate(rule.head)
        if key not in used and key not in told and key.split("/")[0] not in KEYWORDS:
            told.add(key)
            message = f"`{key.split('/')[0]}` is defined but never used"
            yield Problem(message, rule.offset, error=False, fatal=False)
        for literal in rule.body:
            key = predicate(literal.atom)
            if literal.atom and key not in heads and key.split("/")[0] not in KEYWORDS:
                message = f"`{key.split('/')[0]}` is used but never defined, so it is never true"
                yield Problem(message, rule.offset, error=False, fatal=False)
