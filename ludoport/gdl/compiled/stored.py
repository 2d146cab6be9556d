"""Relations whose tuples are kept in tables: those that never change as data, the others in the scratch space."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ludoport.gdl.compiled.domains import World
from ludoport.gdl.compiled.flat import Flat
from ludoport.gdl.compiled.listing import Domain, Listing, room_for
from ludoport.gdl.limits import TooLarge

MOST_BITS = 1 << 22
"""A relation that never changes is a table of bits up to this size."""

MOST_KEYS = 1 << 17
"""Most keys of an index."""

MOST_STORED = 1 << 18
"""Most tuples of a relation that is kept in the scratch space."""

BIT_WORD = 16
"""Bits in one number of a table of bits."""


class Index(NamedTuple):
    """Tuples by some of their arguments.

    Attributes:
        key: the positions that make the key.
        start: where it is written where the tuples of a key begin.
        columns: for a fixed relation where its other positions are written.
        links: for a stored relation where the links between tuples of the same key lie.
    """

    key: tuple[int, ...]
    start: int
    columns: dict[int, int]
    links: int = 0


def key_positions(domains: Sequence[Domain], mode: str) -> tuple[int, ...]:
    """The bound positions, as many as an index has room for."""
    key: list[int] = []
    for position in sorted((i for i, sign in enumerate(mode) if sign == "b"), key=lambda i: -len(domains[i])):
        if room_for([domains[i] for i in [*key, position]]) <= MOST_KEYS:
            key.append(position)
    return tuple(sorted(key))


class Fixed:
    """The tables of relations that no state changes."""

    def __init__(self, world: World, listing: Listing) -> None:
        self._world, self._listing = world, listing
        self._bits: dict[tuple[Flat, str], int] = {}
        self._indexes: dict[tuple[Flat, str], Index] = {}

    def bits(self, flat: Flat, mode: str) -> int | None:
        """Bits that say whether there is a tuple with the bound arguments; None if there would be too many."""
        known = self._bits.get((flat, mode))
        if known is not None:
            return known
        domains, bound = self._world.domains[flat], [i for i, sign in enumerate(mode) if sign == "b"]
        size = room_for([domains[i] for i in bound])
        if size > MOST_BITS:
            return None
        words = np.zeros(size // BIT_WORD + 1, dtype=np.int64)
        places = self._keys(flat, bound)
        np.bitwise_or.at(words, places // BIT_WORD, 1 << (places % BIT_WORD))
        known = self._bits[flat, mode] = self._listing.store(words.tolist())
        return known

    def index(self, flat: Flat, mode: str) -> Index:
        """The tuples by their bound arguments; those that do not matter are left out."""
        known = self._indexes.get((flat, mode))
        if known is not None:
            return known
        domains = self._world.domains[flat]
        key = key_positions(domains, mode)
        others = [i for i, sign in enumerate(mode) if sign != "_" and i not in key]
        columns = self._world.static[flat].columns
        rows = np.unique(np.stack([self._keys(flat, key), *(columns[i] for i in others)], axis=1), axis=0)
        start = np.searchsorted(rows[:, 0], np.arange(room_for([domains[i] for i in key]) + 1))
        begin = self._listing.store(start.tolist())
        written = {position: self._listing.store(rows[:, 1 + k].tolist()) for k, position in enumerate(others)}
        known = self._indexes[flat, mode] = Index(key, begin, written)
        return known

    def _keys(self, flat: Flat, positions: Sequence[int]) -> NDArray[np.int64]:
        table = self._world.static[flat]
        keys = np.zeros(table.length, dtype=np.int64)
        for position in positions:
            domain = np.array(self._world.domains[flat][position], dtype=np.int64)
            keys = keys * len(domain) + np.searchsorted(domain, table.columns[position])
        return keys


@dataclass(slots=True)
class Stored:
    """A relation in the scratch space: which tuples hold, a list of them, and lists by some of their arguments.

    Attributes:
        number: its number among the stored relations.
        domains: the domains of its arguments.
        holds: where it is marked which tuples hold; the list of them and their number follow.
        indexes: lists by key positions.
    """

    number: int
    domains: list[Domain]
    holds: int
    indexes: dict[tuple[int, ...], Index] = field(default_factory=dict)

    @property
    def room(self) -> int:
        """Maximum number of tuples."""
        return room_for(self.domains)

    def index(self, mode: str, listing: Listing) -> Index:
        """A list by the bound arguments of a mode."""
        key = key_positions(self.domains, mode)
        known = self.indexes.get(key)
        if known is None:
            heads = listing.room(room_for([self.domains[i] for i in key]))
            known = self.indexes[key] = Index(key, heads, {}, listing.room(self.room + 1))
        return known

    def table(self, listing: Listing) -> list[int]:
        """Numbers for adding tuples: addresses of marks and list, then address and key of each index."""
        row = [self.holds, self.holds + self.room, self.holds + 2 * self.room, len(self.indexes)]
        for key, index in self.indexes.items():
            row += [index.start, index.links, len(key)]
            stride = room_for([self.domains[i] for i in key])
            for position in key:
                stride //= len(self.domains[position])
                row += [*listing.part(self.domains, position)[:2], stride]
        return row


class RelationStore:
    """All relations that are kept in the scratch space."""

    def __init__(self, world: World, listing: Listing) -> None:
        self._world, self._listing = world, listing
        self.relations: dict[Flat, Stored] = {}

    def add(self, flat: Flat) -> Stored:
        """Keep one more relation."""
        domains = self._world.domains[flat]
        room = room_for(domains)
        if room > MOST_STORED:
            raise TooLarge(f"`{flat.key.split('/')[0]}` has room for {room:,} tuples")
        stored = Stored(len(self.relations), domains, self._listing.room(2 * room + 1))
        self.relations[flat] = stored
        return stored

    def tables(self) -> tuple[list[int], list[int]]:
        """Start of each relation's description, and all descriptions."""
        starts, rows = list[int](), list[int]()
        for stored in self.relations.values():
            starts.append(len(rows))
            rows += stored.table(self._listing)
        return starts, rows
