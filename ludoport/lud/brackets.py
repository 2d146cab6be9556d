"""Comments, strings and matching brackets in raw text, before it is tokenised."""

from __future__ import annotations

import re
from collections.abc import Iterator

from ludoport.lud.text import Sources, Traced

#: A quote directly after a backslash does not end a string. A string that never ends reaches to the end of the text, so
#: that bad input is scanned once and not once per quote; the reader complains about it.
STRING = r'"[^"]*+(?:(?<=\\)"[^"]*+)*+(?:"|\Z)'

#: Deeper texts are refused, so that nothing that walks a tree has to fear the depth of Python's stack.
MAX_DEPTH = 100

_COMMENT = re.compile(rf"{STRING}|//[^\n]*", re.DOTALL)
_PAREN = re.compile(rf"{STRING}|[()]", re.DOTALL)
_GROUP = re.compile(rf"{STRING}|(?<=\()[<>]|[(){{}}<>]", re.DOTALL)
_NEST = re.compile(rf"{STRING}|[(){{}}]", re.DOTALL)
_INDENT = re.compile(r"[^\S\n]*")
_BLANK = re.compile(r"\s*")


def strip_comments(text: Traced) -> Traced:
    """Drop every ``//`` comment up to the end of its line; strings are left alone."""
    parts: list[Traced] = []
    start = 0
    for found in _COMMENT.finditer(text.text):
        if found[0][0] == "/":
            parts.append(text.cut(start, found.start()))
            start = found.end()
    if not parts:
        return text
    parts.append(text.cut(start, len(text)))
    return Traced.join(parts)


def check_closed(text: Traced, sources: Sources) -> None:
    """Refuse text in which a bracket is never closed, and point at the one where the mistake is.

    Strictly, the outermost form stays open when any ``)`` is missing. Indentation tells which one was meant: a form is
    complete when a later line begins no further to the right than the line on which it was opened. Where indentation
    tells nothing, or something else is wrong too, the reader decides.
    """
    raw = text.text
    opened: list[tuple[str, int, int]] = []  # the bracket, its position, and how far its line is indented
    suspect: int | None = None
    begin, end, lead, indent = 0, -1, 0, 0  # of the line: where it begins and ends, its first sign, how far that is in
    for found in _NEST.finditer(raw):
        mark, place = found[0], found.start()
        if mark[0] == '"':
            continue
        if place > end:
            begin, end = raw.rfind("\n", max(end, 0), place) + 1, raw.find("\n", place)
            begin, end = max(begin, 0), len(raw) if end < 0 else end
            lead = _skip_indent(raw, begin)
            indent = len(raw[begin:lead].expandtabs(4))
        first = place == lead
        if first and suspect is None and opened:
            _, last, depth = opened[-1]
            closes = mark in ")}"
            if last < begin and (depth > indent if closes else depth >= indent):
                suspect = last
        if mark in "({":
            opened.append((mark, place, indent))
        elif not opened or opened.pop()[0] + mark not in ("()", "{}"):
            return
    if opened and suspect is not None:
        raise sources.error(f"this `{raw[suspect]}` is never closed", text.at[suspect])


def _skip_indent(text: str, begin: int) -> int:
    """The first position of a line that is not blank."""
    found = _INDENT.match(text, begin)
    return found.end() if found else begin


def skip_blanks(text: str, position: int) -> int:
    """The first position from ``position`` on that holds no blank."""
    found = _BLANK.match(text, position)
    return found.end() if found else position


def closing(text: Traced, opening: int, sources: Sources) -> int:
    """Position of the parenthesis that closes the one at ``opening``."""
    depth = 0
    for found in _PAREN.finditer(text.text, opening):
        if found[0] == "(":
            depth += 1
        elif found[0] == ")":
            depth -= 1
            if depth == 0:
                return found.start()
    raise sources.error("this parenthesis is never closed", text.at[opening])


def check_depth(text: Traced, sources: Sources) -> None:
    """Refuse text that nests deeper than `MAX_DEPTH`, before anything works on it."""
    depth = 0
    for found in _NEST.finditer(text.text):
        if found[0] in "({":
            depth += 1
            if depth > MAX_DEPTH:
                raise sources.error(f"brackets nest more than {MAX_DEPTH} deep here", text.at[found.start()])
        elif found[0] in ")}":
            depth -= 1


def group_end(text: str, start: int) -> int:
    """End (exclusive) of the bracket group that opens at ``start``; the end of the text if it never closes."""
    depth = 0
    for found in _GROUP.finditer(text, start):
        mark = found[0]
        if mark[0] == '"' or (mark in "<>" and found.start() > 0 and text[found.start() - 1] == "("):
            continue
        if mark in "({<":
            depth += 1
        else:
            depth -= 1
            if depth <= 0:
                return found.end()
    return len(text)


def outside_strings(text: str, pattern: str, start: int = 0) -> Iterator[re.Match[str]]:
    """Matches of ``pattern`` that do not begin inside a string."""
    for found in re.compile(rf"{STRING}|(?P<hit>{pattern})", re.DOTALL).finditer(text, start):
        if found.group("hit") is not None:
            yield found


def cut_blocks(text: Traced, head: str, sources: Sources) -> tuple[Traced, list[Traced]]:
    """Take every ``(head ...)`` out of the text.

    Args:
        text: the text.
        head: the word after the parenthesis.
        sources: where the text comes from, for errors.

    Returns:
        The rest of the text, and the blocks with their parentheses in file order.
    """
    rest: list[Traced] = []
    blocks: list[Traced] = []
    start = 0
    for found in outside_strings(text.text, rf"\(\s*{head}\b"):
        if found.start() < start:
            continue
        end = closing(text, found.start(), sources) + 1
        rest.append(text.cut(start, found.start()))
        blocks.append(text.cut(found.start(), end))
        start = end
    if not blocks:
        return text, []
    rest.append(text.cut(start, len(text)))
    return Traced.join(rest), blocks
