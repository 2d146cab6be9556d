"""Markdown, and docstrings as Markdown."""

from __future__ import annotations

import inspect
import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

_SECTIONS = ("Args", "Attributes", "Returns", "Yields", "Raises", "Example", "Examples")


def code(text: str) -> str:
    """A text as code; with more backticks where it has some itself."""
    return f"`{text}`" if "`" not in text else f"`` {text} ``"


def cell(text: str) -> str:
    """A text that fits a cell of a table: one line, bars escaped, double backticks of docstrings as single ones."""
    return " ".join(plain(text).split()).replace("|", "\\|")


def plain(text: str) -> str:
    """A docstring's text with Markdown's backticks."""
    return text.replace("``", "`")


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; empty without rows."""
    lines = [f"| {' | '.join(map(cell, row))} |" for row in rows]
    if not lines:
        return ""
    return "\n".join([f"| {' | '.join(head)} |", f"|{'---|' * len(head)}", *lines]) + "\n"


def summary(thing: Any) -> str:
    """The first paragraph of a docstring."""
    return " ".join((inspect.getdoc(thing) or "").split("\n\n")[0].split())


def sections(text: str) -> Iterator[tuple[str, str]]:
    """The parts of a docstring in Google's style: ("", text) or (name of the section, its text without indent)."""
    title, lines = "", list[str]()
    for line in inspect.cleandoc(text).splitlines():
        heading = line.rstrip().removesuffix(":")
        if line.endswith(":") and heading in _SECTIONS:
            yield title, _trimmed(lines)
            title, lines = heading, []
        elif title and line and not line.startswith(" "):
            yield title, _trimmed(lines)
            title, lines = "", [line]
        else:
            lines.append(line)
    yield title, _trimmed(lines)


def _trimmed(lines: list[str]) -> str:
    return inspect.cleandoc("\n" + "\n".join(lines)).strip("\n")


def entries(text: str) -> dict[str, str]:
    """The entries of a section such as ``Attributes``: name to text."""
    found: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        match = re.match(r"(\*{0,2}\w+)(?: \([^)]*\))?: (.*)", line)
        if match:
            name = match[1]
            found[name] = match[2]
        elif name:
            found[name] += " " + line.strip()
    return found


def attributes(kind: type) -> dict[str, str]:
    """Descriptions of the attributes or arguments of a class, by name."""
    parts = sections(inspect.getdoc(kind) or "")
    return {
        name: what for title, body in parts if title in ("Attributes", "Args") for name, what in entries(body).items()
    }


def docstring(thing: Any) -> str:
    """A docstring as Markdown: lists for arguments, code for examples."""
    parts = []
    for title, body in sections(inspect.getdoc(thing) or ""):
        if not body:
            continue
        if not title:
            parts.append(plain(body))
        elif title.startswith("Example"):
            parts.append(f"```pycon\n{body}\n```")
        elif title in ("Args", "Attributes", "Raises"):
            parts.append("\n".join(f"- {code(name)}: {plain(what)}" for name, what in entries(body).items()))
        else:
            parts.append(f"{title}: {plain(body)}")
    return "\n\n".join(parts) + "\n" if parts else ""
