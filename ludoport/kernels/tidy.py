"""Drops what has no effect from a generated function: code after a return, values never read, empty branches."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_SET = re.compile(r"\s*([a-z]\w*) = (?!.*\b(?!wide\b|min\b|max\b|abs\b|int\b)[a-z_]\w*\()")
"""A line that gives a variable a value without calling a function of the game."""
_WORD = re.compile(r"\b[a-z]\w*\b")
_LEAVES = re.compile(r"\s*(?:return|break|continue)\b")
_BRANCH = re.compile(r"\s*(?:elif .*|else):")
_IF = re.compile(r"(\s*)if (.*):(\s*#.*)?$")
_CALL = re.compile(r"[a-z_]\w*\(")


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
    """The lines without values that nothing reads; a block that loses its last line gets a ``pass``."""
    codes = [line.partition("#")[0] for line in lines]
    targets = [found[1] if (found := _SET.match(code)) else None for code in codes]
    read = {
        word
        for code, target in zip(codes, targets, strict=True)
        for word in _WORD.findall(code if target is None else code.partition("=")[2])
    }
    return [
        line if target is None or target in read else f"{line[: len(line) - len(line.lstrip())]}pass"
        for line, target in zip(lines, targets, strict=True)
    ]


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
        if last and _is_empty(kept[i]):
            del kept[i]
        elif not last and kept[i + 1].line.strip() == "else:" and _is_empty(kept[i]):
            opposite = _opposite(kept[i].line)
            if opposite is not None:
                kept[i : i + 2] = [_Statement(opposite, kept[i + 1].inside)]
    return kept


def _is_empty(statement: _Statement) -> bool:
    """Whether a statement is ``pass``, or a branch with nothing in it whose test calls nothing."""
    code = statement.line.strip()
    if code == "pass":
        return True
    return re.match(r"(?:if|elif|else)\b", code) is not None and not _does(statement) and not _CALL.search(code)


def _does(statement: _Statement) -> bool:
    """Whether the block of a statement holds more than comments."""
    return any(not each.line.lstrip().startswith("#") for each in statement.inside)


def _opposite(line: str) -> str | None:
    """The header ``if`` with the opposite test; None for other lines."""
    found = _IF.match(line)
    if found is None:
        return None
    test = found[2]
    equal = re.fullmatch(r"\(?([\w\[\]]+) == ([\w\[\]]+)\)?", test)
    return f"{found[1]}if {f'{equal[1]} != {equal[2]}' if equal else f'not ({test})'}:{found[3] or ''}"


def _written(block: list[_Statement]) -> Iterator[str]:
    for statement in block:
        yield statement.line
        yield from _written(statement.inside)
        if not _does(statement) and re.match(r"\s*(?:if|elif|else|for|while)\b.*:\s*(?:#.*)?$", statement.line):
            yield f"{' ' * (len(statement.line) - len(statement.line.lstrip()) + 4)}pass"
