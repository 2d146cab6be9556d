"""The parts that a report is made of, and how they look in Markdown; ``html.py`` makes a page of the same parts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol


@dataclass(frozen=True)
class Heading:
    """A heading; the title of the report has level 1."""

    text: str
    level: int = 2


@dataclass(frozen=True)
class Paragraph:
    """A paragraph; words in backticks are code."""

    text: str


@dataclass(frozen=True)
class Items:
    """A list of sentences."""

    texts: tuple[str, ...]


@dataclass(frozen=True)
class Rows:
    """An ordinary table; the first ``words`` columns hold words, the others numbers."""

    head: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: int = 1


@dataclass(frozen=True)
class Picture:
    """A picture, which exists as SVG.

    Attributes:
        path: of the SVG, or of a PNG beside it, relative to the report.
        caption: what it shows.
    """

    path: Path
    caption: str


@dataclass(frozen=True)
class CommandLine:
    """Lines for the command line."""

    text: str


class OwnBlock(Protocol):
    """A part that only one report has and that knows how it looks."""

    def markdown(self) -> Iterator[str]:
        """Lines of Markdown."""

    def html(self) -> str:
        """An element of a page."""


Block = Heading | Paragraph | Items | Rows | Picture | CommandLine | OwnBlock


def to_markdown(blocks: Iterable[Block]) -> str:
    """The report in Markdown."""
    return "\n".join(line for block in blocks for line in (*_lines(block), ""))


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Heading(text, level):
            yield f"{'#' * level} {text}"
        case Paragraph(text):
            yield text
        case Items(texts):
            yield from (f"- {text}" for text in texts)
        case Rows(head, rows, words):
            yield from markdown_rows(head, rows, words)
        case Picture(path, caption):
            yield f"![{path.stem}]({path.as_posix()})"
            yield ""
            yield caption
        case CommandLine(text):
            yield from (f"    {line}" for line in text.splitlines())
        case _:
            yield from block.markdown()


def markdown_rows(head: Sequence[str], rows: Iterable[Sequence[str]], words: int = 1) -> Iterator[str]:
    """A table in Markdown; the first columns are words, aligned left, the others numbers, aligned right."""
    yield f"| {' | '.join(_bar(text) for text in head)} |"
    yield f"|{'---|' * min(words, len(head))}{'--:|' * (len(head) - words)}"
    for row in rows:
        yield f"| {' | '.join(_bar(text) for text in row)} |"


def _bar(text: str) -> str:
    return text.replace("|", "\\|")


def rows_of(head: Sequence[str], rows: Iterable[Sequence[object]], words: int = 1) -> Rows:
    """A table of anything that can be written."""
    return Rows(tuple(head), tuple(tuple(str(value) for value in row) for row in rows), words)
