"""Matches on disk: an SQLite file with every game that was played."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludoport.arena.playing import Pairing, PlayedGame
from ludoport.databases import FileKind, SqliteFile, Unreadable, stored, stored_json
from ludoport.errors import LudoportError
from ludoport.version import __version__

FORMAT = 1
"""Raised whenever the tables change."""

APPLICATION = 0x4C554450
"""Tells files of matches from other SQLite files ("LUDP")."""

_TABLES = """
CREATE TABLE matches (
    id INTEGER PRIMARY KEY,
    created TEXT NOT NULL,          -- UTC
    version TEXT NOT NULL,          -- of Ludoport
    game TEXT NOT NULL,             -- its name, with options
    fingerprint TEXT NOT NULL,      -- of its rules
    a TEXT NOT NULL,                -- the players
    b TEXT NOT NULL,
    a_identity TEXT NOT NULL,
    b_identity TEXT NOT NULL,
    seed INTEGER NOT NULL,
    move_limit INTEGER NOT NULL,    -- games longer than this are drawn
    UNIQUE (fingerprint, a_identity, b_identity, seed, move_limit)
);
CREATE TABLE games (
    match INTEGER NOT NULL REFERENCES matches (id),
    number INTEGER NOT NULL,        -- from 0
    first TEXT NOT NULL CHECK (first IN ('a', 'b')),
    start_seed INTEGER NOT NULL,
    seed INTEGER NOT NULL,
    outcome TEXT NOT NULL CHECK (outcome IN ('win', 'draw', 'loss')),  -- of player a
    utility_a REAL NOT NULL,
    utility_b REAL NOT NULL,
    finished INTEGER NOT NULL,      -- 0 if the limit ended it
    plies INTEGER NOT NULL,
    moves TEXT NOT NULL,            -- a JSON list
    seconds REAL NOT NULL,
    ended TEXT NOT NULL,            -- UTC
    PRIMARY KEY (match, number)
);
"""

_COLUMNS = (
    *("id", "created", "version", "game", "fingerprint", "a", "b", "a_identity", "b_identity", "seed", "move_limit"),
)
"""Columns of the table of matches; a damaged file may spell them in other letters."""

KIND = FileKind(APPLICATION, FORMAT, _TABLES, "matches")


@dataclass(frozen=True)
class MatchEntry:
    """Identity of a match: matches with equal entries are the same, and the second resumes the first."""

    game: str
    fingerprint: str
    a: str
    b: str
    a_identity: str
    b_identity: str
    seed: int
    limit: int


class MatchStore(SqliteFile):
    """A file of matches; in memory only if there is no path."""

    def __init__(self, path: str | Path | None) -> None:
        self.path = None if path is None else Path(path)
        if self.path is not None and not self.path.parent.is_dir():
            raise LudoportError(f"cannot write {self.path}: the folder {self.path.parent} does not exist")
        super().__init__(KIND, self.path)

    def _prepare(self) -> None:
        self._base.execute("PRAGMA journal_mode = WAL")
        self._base.execute("PRAGMA synchronous = NORMAL")
        with self._base:
            self._base.execute("BEGIN IMMEDIATE")  # another process may do the same
            KIND.make_tables(self._base)

    def enter(self, entry: MatchEntry) -> int:
        """The number of a match, which is added if missing."""
        key = (entry.fingerprint, entry.a_identity, entry.b_identity, entry.seed, entry.limit)
        with self._explained(), self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO matches"
                " (created, version, game, fingerprint, a, b, a_identity, b_identity, seed, move_limit)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (_now(), __version__, entry.game, key[0], entry.a, entry.b, *key[1:]),
            )
            row = self._base.execute(
                "SELECT id FROM matches WHERE fingerprint = ? AND a_identity = ? AND b_identity = ? AND seed = ?"
                " AND move_limit = ?",
                key,
            ).fetchone()
        return int(row[0])

    def add(self, match: int, played: PlayedGame) -> None:
        """Keep a game; one that is there already stays as it is."""
        pair = played.pairing
        with self._explained(), self._base:
            self._base.execute(
                "INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (match, pair.number, pair.first, pair.start_seed, pair.seed, played.outcome, *played.utilities,
                 int(played.finished), len(played.moves), json.dumps(played.moves), played.seconds, _now()),
            )  # fmt: skip

    def games(self, match: int) -> Iterator[PlayedGame]:
        """The games of a match that were played, in their order."""
        with self._explained():
            rows = self._base.execute(
                "SELECT number, first, start_seed, seed, outcome, utility_a, utility_b, finished, moves, seconds"
                " FROM games WHERE match = ? ORDER BY number",
                (match,),
            )
            yield from map(_played, rows)

    def matches(self) -> list[dict[str, Any]]:
        """All matches, as rows by column."""
        with self._explained():
            rows = self._base.execute(f"SELECT {', '.join(_COLUMNS)} FROM matches ORDER BY id")
            found = [dict(zip(_COLUMNS, row, strict=True)) for row in rows]
            for match in found:
                stored(int, match["id"], "the number of a match")
            return found


def _played(row: tuple[Any, ...]) -> PlayedGame:
    """A game as it was kept."""
    number, first, start_seed, seed, outcome, ours, theirs, finished, moves, seconds = row
    what = f"game {number!r:.20}: "
    if outcome not in ("win", "draw", "loss") or first not in ("a", "b"):
        raise Unreadable(f"{what}its outcome is {outcome!r:.20}, and {first!r:.20} moves first")
    pair = Pairing(
        stored(int, number, "the number of a game"),
        first,
        stored(int, start_seed, f"{what}its start seed"),
        stored(int, seed, f"{what}its seed"),
    )
    utilities = (stored(float, ours, f"{what}a utility"), stored(float, theirs, f"{what}a utility"))
    texts = tuple(stored(str, move, f"{what}a move") for move in stored_json(list, moves, f"{what}its moves"))
    lasted = stored(float, seconds, f"{what}its time")
    return PlayedGame(pair, outcome, utilities, bool(stored(int, finished, f"{what}its end")), texts, lasted)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
