"""Records in all formats."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from types import ModuleType

from ludoport.bridges.records import pgn, plain, sgf
from ludoport.bridges.records.record import Record
from ludoport.errors import LudoportError

FORMATS: dict[str, ModuleType] = {"pgn": pgn, "sgf": sgf, "text": plain}


def format_of(text: str) -> str:
    """The format of a text, by how it begins."""
    head = text.lstrip("\ufeff \t\r\n")
    if head.startswith(plain.HEAD):
        return "text"
    if head.startswith("(;"):
        return "sgf"
    if head.startswith(("[", "1.")):
        return "pgn"
    raise LudoportError("no game record; PGN begins with `[`, SGF with `(;`, plain text with `# Ludoport game record`")


def read(text: str | Path) -> list[Record]:
    """All games of a text, or of the file at a path, in any of the formats; moves are checked when they are played.

    Args:
        text: the text, or a path.
    """
    if isinstance(text, Path):
        from ludoport.files import read_text

        text = read_text(text)
    records: list[Record] = FORMATS[format_of(text)].read(text)
    return records


def write(records: Record | Sequence[Record], format: str = "text") -> str:
    """The text of games.

    Args:
        records: one game or several.
        format: ``pgn`` (chess family), ``sgf`` (Go, Gomoku, Hex) or ``text`` (all games).
    """
    if format not in FORMATS:
        raise LudoportError(f"unknown format `{format}`; choose from {', '.join(FORMATS)}")
    given = [records] if isinstance(records, Record) else records
    return "\n".join(FORMATS[format].write(record) for record in given)
