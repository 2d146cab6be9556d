"""Shared by all SQLite files: recognising them, and messages when one cannot be used."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Self, TypeVar, cast

from ludoport.errors import LudoportError
from ludoport.files import parse_json

Value = TypeVar("Value")

LONGEST = 100_000_000
"""Bytes of the longest value, also while SQLite computes one."""

_COMPUTED = """
SELECT 1 FROM sqlite_master WHERE type NOT IN ('table', 'index') OR rootpage = 0
UNION ALL SELECT 1 FROM sqlite_master AS t, pragma_table_xinfo(t.name) AS c WHERE t.type = 'table' AND c.hidden <> 0
"""
"""Finds what would run the file's own commands when it is used: views, triggers, generated columns, virtual tables."""


class Unreadable(sqlite3.DataError):
    """A value in a file is not what it must be."""


def stored(kind: type[Value], value: Any, what: str) -> Value:
    """A value of a row, which must be of a kind; SQLite itself keeps anything in any column."""
    if type(value) is not kind and kind is not object and not (kind is float and type(value) is int):
        raise Unreadable(f"{what} is {value!r:.60}")
    return cast(Value, value)


def stored_json(kind: type[Value], value: Any, what: str) -> Value:
    """A value that a row holds as JSON, which must be of a kind."""
    try:
        return stored(kind, parse_json(stored(str, value, what)), what)
    except json.JSONDecodeError as error:
        raise Unreadable(f"{what} is not JSON ({error})") from None


@contextmanager
def as_written(path: Path | str) -> Iterator[None]:
    """For what is made of the results in a file: results of the wrong shape become a sentence."""
    try:
        yield
    except LudoportError:
        raise
    except (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError) as error:
        problem = f"{type(error).__name__}: {error}"[:200]
        raise LudoportError(f"{path}: results of the wrong shape ({problem}); use a copy of it") from error


@dataclass(frozen=True)
class FileKind:
    """A kind of file.

    Attributes:
        application: the number that SQLite keeps in the file's head.
        format: the newest version that this program knows.
        tables: statements that make the tables.
        of: whose results these are, for sentences.
        place: what to choose another one of, `file` or `folder`.
    """

    application: int
    format: int
    tables: str
    of: str
    place: str = "file"

    @contextmanager
    def explained(self, path: Path | None) -> Iterator[None]:
        """What SQLite complains about becomes a sentence."""
        try:
            yield
        except (sqlite3.Error, UnicodeDecodeError) as error:  # SQLite repeats what it reads
            advice = (
                f"; use a copy of it, or choose another {self.place}"
                if isinstance(error, (Unreadable, UnicodeDecodeError))
                else ""
            )
            raise LudoportError(f"cannot use {path} for the results of {self.of}: {error}{advice}") from None

    def recognise(self, base: sqlite3.Connection, path: Path | None) -> None:
        """Refuse what others have written, before anything is read or changed."""
        base.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST)
        if is_empty(base):
            return
        if base.execute(_COMPUTED).fetchone() is not None:
            raise LudoportError(f"{path} holds views or triggers, as no file of {self.of} does; use a copy of it")
        if _pragma(base, "application_id") != self.application:
            raise LudoportError(f"{path} is a database, but not of {self.of}; choose another {self.place}")
        version = _pragma(base, "user_version")
        if version > self.format:
            raise LudoportError(
                f"{path} was written by a newer Ludoport (format {version}; this one knows {self.format}); "
                f"please upgrade or choose another {self.place}"
            )

    def make_tables(self, base: sqlite3.Connection) -> None:
        """Make the tables, within a transaction, unless another process was quicker."""
        if is_empty(base):
            for statement in self.tables.split(";\n"):
                base.execute(statement)
            base.execute(f"PRAGMA application_id = {self.application}")
            base.execute(f"PRAGMA user_version = {self.format}")


class SqliteFile:
    """An open SQLite file, closed at the end of a ``with`` block.

    Args:
        kind: kind of the file.
        path: the file, which is made if missing; None: in memory only.
        explicit: whether transactions begin only by ``BEGIN``.
    """

    def __init__(self, kind: FileKind, path: Path | None, *, explicit: bool = False) -> None:
        self._kind, self._path = kind, path
        with self._explained():
            level: Literal["DEFERRED"] | None = None if explicit else "DEFERRED"
            self._base = sqlite3.connect(str(path or ":memory:"), timeout=60, isolation_level=level)
            try:
                kind.recognise(self._base, path)
                self._prepare()
            except BaseException:
                self.close()
                raise

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let go of the file."""
        self._base.close()

    def _prepare(self) -> None:
        """Make the tables if they are missing."""
        raise NotImplementedError

    def _explained(self) -> AbstractContextManager[None]:
        return self._kind.explained(self._path)


def is_empty(base: sqlite3.Connection) -> bool:
    """Whether a file has no tables yet."""
    return base.execute("SELECT 1 FROM sqlite_master").fetchone() is None


def _pragma(base: sqlite3.Connection, name: str) -> int:
    return int(base.execute(f"PRAGMA {name}").fetchone()[0])
