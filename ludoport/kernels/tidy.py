"""Drops what has no effect from a generated function: code after a return, values never read, empty branches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SET = re.compile(r"(\s*)([a-z]\w*) = (.*)")
_LOOP = re.compile(r"\s*for ([a-z]\w*) in ")
_EFFECT = re.compile(r"\b(?!(?:wide|min|max|abs|int|on_board)\b)[a-z_]\w*\(")
"""A call that may change something."""
_CALLED = re.compile(r"[a-z_]\w*\([^()]*\)$")
_OPERAND = r"\w+(?:\([^()]*\))?"
_WORD = re.compile(r"\b[a-z]\w*\b")
_LEAVES = re.compile(r"\s*(?:return|break|continue)\b")
_BRANCH = re.compile(r"\s*(?:elif .*|else):")
_IF = re.compile(r"(\s*)if (.*):(\s*#.*)?$")


@dataclass
class _Statement:
    """A line, and the lines of its block."""

    line: str
    inside: list[_Statement] = field(default_factory=list)


def tidied(lines: list[str]) -> list[str]:
    """The lines of a function without those that have no effect."""
    while True:
        shorter = list(_written(_tidy(_statements(_without_unread(lines)))))
        if shorter == lines:
            return lines
        lines = shorter


def _without_unread(lines: list[str]) -> list[str]:
    """The lines without values that nothing reads; calls that may change something stay."""
    codes = [line.partition("#")[0].rstrip() for line in lines]
    read = {word for code in codes for word in _WORD.findall(_reading(code))}
    return [_unread(line, code, read) for line, code in zip(lines, codes, strict=True)]


def _reading(code: str) -> str:
    """The part of a line that reads variables."""
    found = _SET.match(code)
    if found is not None:
        return found[3]
    loop = _LOOP.match(code)
    return code if loop is None else code[loop.end() :]


def _unread(line: str, code: str, read: set[str]) -> str:
    """A line without the variable that it sets, if nothing reads it."""
    found, loop = _SET.match(code), _LOOP.match(code)
    if loop is not None and loop[1] not in read:
        return f"{line[: loop.start(1)]}_{line[loop.end(1) :]}"
    if found is None or found[2] in read:
        return line
    if not _EFFECT.search(found[3]):
        return f"{found[1]}pass"
    return f"{found[1]}{found[3]}" if _CALLED.match(found[3]) else line


def _statements(lines: list[str]) -> list[_Statement]:
    top: list[_Statement] = []
    open_blocks = [(-1, top)]
    for line in lines:
        depth = len(line) - len(line.lstrip())
        while open_blocks[-1][0] >= depth:
            open_blocks.pop()
        statement = _Statement(line)
        open_blocks[-1][1].append(statement)
        open_blocks.append((depth, statement.inside))
    return top


def _tidy(block: list[_Statement]) -> list[_Statement]:
    kept: list[_Statement] = []
    for statement in block:
        if kept and _LEAVES.match(kept[-1].line) and not _BRANCH.match(statement.line):
            break
        statement.inside = _tidy(statement.inside)
        kept.append(statement)
    for i in reversed(range(len(kept))):
        last = i + 1 == len(kept) or not _BRANCH.match(kept[i + 1].line)
        if last and _is_without_effect(kept[i]):
            del kept[i]
        elif not last and kept[i + 1].line.strip() == "else:" and not _does(kept[i]):
            opposite = _opposite(kept[i].line)
            if opposite is not None:
                kept[i : i + 2] = [_Statement(opposite, kept[i + 1].inside)]
    return kept


def _is_without_effect(statement: _Statement) -> bool:
    """Whether a statement is ``pass``, or an empty branch whose test changes nothing."""
    code = statement.line.strip()
    if code == "pass":
        return True
    return re.match(r"(?:if|elif|else)\b", code) is not None and not _does(statement) and not _EFFECT.search(code)


def _does(statement: _Statement) -> bool:
    """Whether the block of a statement holds more than comments."""
    return any(not each.line.lstrip().startswith("#") for each in statement.inside)


def _opposite(line: str) -> str | None:
    """The header ``if`` with the opposite test; None for other lines."""
    found = _IF.match(line)
    return None if found is None else f"{found[1]}if {_negated(found[2])}:{found[3] or ''}"


def _negated(test: str) -> str:
    if equal := re.fullmatch(r"\(?([\w\[\]]+) == ([\w\[\]]+)\)?", test):
        return f"{equal[1]} != {equal[2]}"
    if twice := re.fullmatch(rf"not ({_OPERAND})", test):
        return twice[1]
    return f"not {test}" if re.fullmatch(_OPERAND, test) else f"not ({test})"


def _written(block: list[_Statement]) -> Iterator[str]:
    for statement in block:
        yield statement.line
        yield from _written(statement.inside)
        if not _does(statement) and re.match(r"\s*(?:if|elif|else|for|while)\b.*:\s*(?:#.*)?$", statement.line):
            yield f"{' ' * (len(statement.line) - len(statement.line.lstrip()) + 4)}pass"
