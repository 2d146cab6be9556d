"""Owners of the facts of a rulesheet: the role whose action alone makes a fact true."""

from __future__ import annotations

from collections.abc import Iterable

from ludoport.gdl.kif import Term, term_text
from ludoport.gdl.program import SheetProgram
from ludoport.gdl.tensors import parts


def fact_owners(program: SheetProgram, facts: Iterable[str]) -> dict[str, int]:
    """Owners of facts by their texts, players by number; facts that no single role makes true are left out.

    Args:
        program: the rulesheet.
        facts: texts of facts, with a dot for each coordinate, as channels have them.
    """
    makers = list(_makers(program))
    owners = {}
    for fact in facts:
        words = parts(fact)
        roles = {role for pattern, role in makers if _fits(pattern, words)}
        if len(roles) == 1:
            owners[fact] = 1 + program.roles.index(roles.pop())
    return owners


def _makers(program: SheetProgram) -> Iterable[tuple[tuple[str, ...], str]]:
    """Facts that become true by an action, and its role; a variable means every role."""
    for rule in program.rules:
        if isinstance(rule.head, str) or rule.head[0] != "next":
            continue
        for literal in rule.body:
            if literal.kind == "holds" and isinstance(literal.atom, tuple) and literal.atom[0] == "does":
                role = term_text(literal.atom[1])
                for name in program.roles:
                    if role == name or role.startswith("?"):
                        yield tuple(_word(part, role, name) for part in _terms(rule.head[1])), name


def _terms(fact: Term) -> tuple[Term, ...]:
    return (fact,) if isinstance(fact, str) else fact


def _word(part: Term, role: str, name: str) -> str:
    """A part of a fact as text; the variable of the role is its name."""
    text = term_text(part)
    return name if text == role else text


def _fits(pattern: tuple[str, ...], words: tuple[str, ...]) -> bool:
    """Whether a fact may be the one of a rule: variables and coordinates fit everything."""
    if len(pattern) != len(words):
        return False
    pairs = zip(pattern, words, strict=True)
    return all(mine == word or mine.startswith("?") or word == "." for mine, word in pairs)
