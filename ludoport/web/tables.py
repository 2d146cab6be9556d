"""Games being played, as trees of variations, kept on disk so that a restart loses nothing."""

from __future__ import annotations

import json
import os
import re
import secrets
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import read_json, write_atomically
from ludoport.web.positions import MOST_MOVES, GameSpec, game_spec

MOST_TABLES = 200
MOST_NODES = 20_000
"""Positions of one table."""

FORMAT = 1


def tables_folder() -> Path:
    """Folder of tables: ``LUDOPORT_TABLES``, otherwise the user's folder for data."""
    chosen = os.environ.get("LUDOPORT_TABLES")
    base = os.environ.get("XDG_DATA_HOME")
    return Path(chosen) if chosen else (Path(base) if base else Path.home() / ".local/share") / "ludoport/tables"


@dataclass(frozen=True)
class Variation:
    """A position of a tree of variations: the one that a move leads to; the root has no move.

    Attributes:
        parent: the number of the position before; -1 for the root.
        move: recorded notation.
        label: for people.
        ply: number of moves before it.
        seat: the seat to move; 0 where the game is over, or where that is unknown.
    """

    parent: int
    move: str
    label: str
    ply: int
    seat: int = 0


ROOT = Variation(-1, "", "", 0, 1)


@dataclass
class Table:
    """One game with its variations.

    Attributes:
        id: its name in addresses of pages.
        game: the game.
        seats: the players, ``human`` or a text of a player; networks as ``thing:ID``.
        seed: random seed of the start position and of the players.
        nodes: all positions; 0 is the start.
        current: the position on the board.
        paused: whether the programs wait, because a person looks at earlier positions.
        changed: time of the last change, seconds since 1970.
        title: the name of the game with its options.
        following: for each position the one that redo leads to.
    """

    id: str
    game: GameSpec
    seats: list[str]
    seed: int = 0
    nodes: list[Variation] = field(default_factory=lambda: [ROOT])
    current: int = 0
    paused: bool = False
    changed: float = field(default_factory=time.time)
    title: str = ""
    following: dict[int, int] = field(default_factory=dict)

    def line(self, number: int | None = None) -> list[str]:
        """The moves from the start to a position."""
        moves, node = [], self.nodes[self.current if number is None else number]
        while node.parent >= 0:
            moves.append(node.move)
            node = self.nodes[node.parent]
        return moves[::-1]

    def whole_line(self) -> list[int]:
        """The positions from the start over the current one to the end of its line."""
        path, number = [self.current], self.current
        while number:
            number = self.nodes[number].parent
            path.append(number)
        path.reverse()
        while path[-1] in self.following:
            path.append(self.following[path[-1]])
        return path

    def add(self, move: str, label: str, seat: int = 0) -> int:
        """Go to the position after a move, in which ``seat`` is to move; it becomes a variation if there are others."""
        before = self.current
        for number in range(before + 1, len(self.nodes)):
            if self.nodes[number].parent == before and self.nodes[number].move == move:
                break
        else:
            number = len(self.nodes)
            if number >= MOST_NODES or self.nodes[before].ply >= MOST_MOVES:
                raise LudoportError(
                    f"a table holds at most {MOST_NODES:,} positions and {MOST_MOVES:,} moves in a line"
                )
            self.nodes.append(Variation(before, move, label, self.nodes[before].ply + 1, seat))
        self.go(number)
        return number

    def go(self, number: int) -> None:
        """Put another position on the board; redo leads back here."""
        if not 0 <= number < len(self.nodes):
            raise LudoportError(f"this table has no position {number}")
        self.current = number
        node = number
        while node:
            parent = self.nodes[node].parent
            self.following[parent] = node
            node = parent

    def as_json(self) -> dict[str, Any]:
        """The table as its file holds it; also what a page exports."""
        return {
            "format": FORMAT,
            "id": self.id,
            "title": self.title,
            "game": self.game.as_json(),
            "seats": self.seats,
            "seed": self.seed,
            "nodes": [[node.parent, node.move, node.label, node.seat] for node in self.nodes[1:]],
            "current": self.current,
            "paused": self.paused,
            "changed": self.changed,
        }


def read_table(given: Any) -> Table:
    """The table that a file or an import describes.

    Raises:
        LudoportError: it describes none.
    """
    if not isinstance(given, dict) or given.get("format") != FORMAT:
        raise LudoportError("this is not a game exported by Ludoport")
    table = Table(new_id(), game_spec(given.get("game")), read_seats(given.get("seats")))
    nodes = given.get("nodes")
    if not isinstance(nodes, list) or len(nodes) >= MOST_NODES:
        raise LudoportError("the positions of this game are damaged")
    for number, node in enumerate(nodes, 1):
        match node:
            case [int(parent), str(move), str(label), int(seat)] if 0 <= parent < number and len(move + label) < 2000:
                table.nodes.append(Variation(parent, move, label, table.nodes[parent].ply + 1, seat))
            case _:
                raise LudoportError(f"position {number} of this game is damaged")
    seed, current, title = given.get("seed"), given.get("current"), given.get("title")
    if not isinstance(seed, int) or not 0 <= seed < 2**31 or not isinstance(current, int):
        raise LudoportError("the seed or the current position of this game is damaged")
    if len(table.nodes) > 1:
        table.go(len(table.nodes) - 1)
    table.go(current)
    table.seed, table.paused = seed, bool(given.get("paused"))
    table.title = title[:200] if isinstance(title, str) else ""
    changed = given.get("changed")
    if isinstance(changed, (int, float)) and 0 <= changed < 2**53:
        table.changed = float(changed)
    return table


def read_seats(given: Any) -> list[str]:
    """The players of a request or a file; whether they can play is found out when they are asked."""
    if not isinstance(given, list) or not 1 <= len(given) <= 32:
        raise LudoportError("the seats are a list of players")
    for seat in given:
        if not isinstance(seat, str) or len(seat) > 200 or seat.partition(":")[0] not in ("human", *KINDS):
            raise LudoportError(f"unknown player `{str(seat)[:80]}`; players are human, {', '.join(KINDS)}")
    return list(given)


KINDS = ("uct", "minimax", "random", "thing")
"""Kinds of players that a page may ask for; none of them takes a path."""


def new_id() -> str:
    """A name that cannot be guessed."""
    return secrets.token_hex(8)


class Tables:
    """All tables, in memory and in a folder, one file each."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
        self.damaged: list[str] = []
        self._tables: dict[str, Table] = {}
        for path in sorted(folder.glob("*.json")):
            if not re.fullmatch(r"[0-9a-f]{16}", path.stem):
                continue
            try:
                table = read_table(read_json(path))
            except LudoportError as error:
                self.damaged.append(f"{path}: {error}")
                continue
            table.id = path.stem
            self._tables[table.id] = table

    def all(self) -> list[Table]:
        """All tables, the one changed last first."""
        return sorted(self._tables.values(), key=lambda table: -table.changed)

    def get(self, id: str) -> Table | None:
        """The table with an id."""
        return self._tables.get(id)

    def open(self, game: GameSpec, seats: Sequence[str], seed: int) -> Table:
        """A new table."""
        return self.take(Table(new_id(), game, list(seats), seed))

    def take(self, table: Table) -> Table:
        """Add a table.

        Raises:
            LudoportError: there are too many.
        """
        if len(self._tables) >= MOST_TABLES:
            raise LudoportError(f"there are {MOST_TABLES} games already; delete some")
        self._tables[table.id] = table
        self.save(table)
        return table

    def save(self, table: Table) -> None:
        """Write a table that has changed."""
        table.changed = time.time()
        write_atomically(self.folder / f"{table.id}.json", json.dumps(table.as_json()), sync=False)

    def delete(self, id: str) -> None:
        """Remove a table and its file."""
        if self._tables.pop(id, None) is not None:
            (self.folder / f"{id}.json").unlink(missing_ok=True)
