"""The SQLite file of a study: its tables, its version, and what is known about the study as a whole."""

from __future__ import annotations

import json
import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from ludoport.databases import FileKind, SqliteFile, is_empty, stored_json
from ludoport.errors import LudoportError
from ludoport.studies.engine.disks import is_local

FILE = "study.sqlite"
"""The store's file in the folder of a study."""

FORMAT = 2
"""Raised whenever the tables change."""

APPLICATION = 0x4C554453
"""Tells files of studies from other SQLite files ("LUDS")."""

COMMANDS = "commands"
"""The row of the table of facts that says which commands have come to work; no fact about the study."""

_TABLES = """
CREATE TABLE study (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
CREATE TABLE jobs (
    id TEXT PRIMARY KEY,
    place INTEGER NOT NULL,         -- in the order of the plan
    kind TEXT NOT NULL
        CHECK (kind IN ('untrained', 'train', 'transfer', 'tune', 'grow', 'distill', 'evaluate', 'time')),
    params TEXT NOT NULL,           -- JSON
    seed INTEGER NOT NULL,
    wanted INTEGER NOT NULL,        -- whether the latest command, or one at work, asked for it
    state TEXT NOT NULL CHECK (state IN ('waiting', 'running', 'done', 'failed')),
    missing INTEGER NOT NULL,       -- jobs that it needs and that are not done
    worker TEXT,
    heartbeat REAL,                 -- grows while the worker lives; no clock
    attempts INTEGER NOT NULL DEFAULT 0,
    note TEXT NOT NULL DEFAULT '',
    result TEXT,                    -- JSON
    seconds REAL,
    commit_id TEXT,                 -- of the program that did it
    error TEXT,
    ended TEXT                      -- UTC
) WITHOUT ROWID;
CREATE INDEX jobs_by_state ON jobs (state, wanted, missing, place);
CREATE TABLE needs (
    job TEXT NOT NULL REFERENCES jobs (id),
    place INTEGER NOT NULL,
    need TEXT NOT NULL REFERENCES jobs (id),
    PRIMARY KEY (job, place)
) WITHOUT ROWID;
CREATE INDEX needs_by_need ON needs (need);
"""

KIND = FileKind(APPLICATION, FORMAT, _TABLES, "a study", "folder")


class StoreFile(SqliteFile):
    """The file of a study, opened.

    Args:
        folder: the folder of the study; its file is made if missing.
        create: whether a file may be made; otherwise it must be there.
    """

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        self.folder, self.path, self._fast = folder, folder / FILE, False
        if not create and not self.path.is_file():
            raise LudoportError(f"{folder} holds no study; `ludoport study NAME --out {folder}` makes one")
        if create:
            _writable(folder)
        super().__init__(KIND, self.path, explicit=True)

    def settle(self) -> None:
        """Make the study one plain file, which can be copied and read anywhere, unless others still use it."""
        with suppress(sqlite3.OperationalError):
            self._base.execute("PRAGMA busy_timeout = 0")
            self._base.execute("PRAGMA journal_mode = DELETE")
            self._fast = False

    @contextmanager
    def _writing(self) -> Iterator[None]:
        """A transaction in which no other process writes."""
        with self._explained():
            if not self._fast:
                self._make_fast()
            self._base.execute("BEGIN IMMEDIATE")
            try:
                yield
            except BaseException:
                self._base.execute("ROLLBACK")
                raise
            self._base.execute("COMMIT")

    def _make_fast(self) -> None:
        """Choose how changes are kept; not before there are any, so that readers leave the file as it is."""
        # A write-ahead log is a hundred times faster, but machines that share a folder could not use it together.
        self._base.execute(f"PRAGMA journal_mode = {'WAL' if is_local(self.folder) else 'DELETE'}")
        self._base.execute("PRAGMA synchronous = NORMAL")
        self._fast = True

    def _prepare(self) -> None:
        if is_empty(self._base):
            with self._writing():
                KIND.make_tables(self._base)

    def facts(self) -> dict[str, Any]:
        """Facts about the study: name, preset, seed, config, commit and so on."""
        with self._explained():
            rows = self._base.execute("SELECT name, value FROM study WHERE name <> ?", (COMMANDS,))
            return {name: stored_json(object, value, f"the fact `{name}`") for name, value in rows}

    def compare_study(self, facts: dict[str, Any], same: Sequence[str]) -> None:
        """Refuse the facts of another study than the one that is here, if one is; changes nothing."""
        known = self.facts()
        for name in same if known else ():
            if known.get(name) != facts[name]:
                what = f"the study {known.get('name')}"
                what += "" if name == "name" else f" with {name} {_shown(known.get(name))}"
                raise LudoportError(
                    f"{self.folder} holds {what}, not {_shown(facts[name])}; choose another folder with --out"
                )

    def claim_study(self, facts: dict[str, Any], same: Sequence[str], latest: Sequence[str] = ()) -> None:
        """Make this the folder of a study, or make sure that it is.

        Args:
            facts: facts about the study.
            same: names of facts that must be the same as before.
            latest: names of facts that are replaced; all others stay as they were first.
        """
        self.compare_study(facts, same)  # what is refused must not change the file, not even how it keeps changes
        with self._writing():
            self.compare_study(facts, same)
            rows = [(name, json.dumps(value, ensure_ascii=False)) for name, value in facts.items()]
            self._base.executemany("INSERT OR IGNORE INTO study VALUES (?, ?)", rows)
            new = [(value, name) for name, value in rows if name in latest]
            self._base.executemany("UPDATE study SET value = ? WHERE name = ?", new)


def _shown(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value)


def _writable(folder: Path) -> None:
    """Make the folder, and make sure that it can be written to."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        probe = folder / f".probe-{os.getpid()}"
        probe.touch()
        probe.unlink()
    except OSError as error:
        raise LudoportError(
            f"{folder}: cannot be written ({error.strerror}); choose another folder with --out"
        ) from None
