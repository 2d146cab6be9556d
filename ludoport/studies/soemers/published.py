"""Published results of the first paper: win percentages (Tables 14 to 52), and their boards."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import cast

from ludoport.studies.engine.cells import Setting

Pair = tuple[str, str]


@dataclass(frozen=True)
class PublishedTable:
    """One printed table.

    Attributes:
        number: as in the paper.
        family: name of the family of games, as in ``Cell.table``.
        setting: setting of the transfer.
        rows: sources.
        columns: targets.
        values: win percentages by source and target; the diagonal is empty.
    """

    number: int
    family: str
    setting: Setting
    rows: tuple[str, ...]
    columns: tuple[str, ...]
    values: dict[Pair, float]


@dataclass(frozen=True)
class PublishedBoard:
    """Board and goal of a variant, which distinguish the variants of one game.

    Attributes:
        sites: number of sites.
        shape: of the board.
        goal: win condition.
    """

    sites: int
    shape: str
    goal: str


@dataclass(frozen=True)
class PublishedTables:
    """All printed tables.

    Attributes:
        source: place where they were printed.
        games: number of games for each percentage.
        tables: in the order of their numbers.
        boards: of the variants, by family and name; families of different games have none.
    """

    source: str
    games: int
    tables: tuple[PublishedTable, ...]
    boards: dict[str, dict[str, PublishedBoard]]
    _by_place: dict[tuple[str, str], PublishedTable] = field(repr=False)

    def table(self, family: str, setting: str) -> PublishedTable | None:
        """The table of a family in a setting, if one was printed."""
        return self._by_place.get((family, setting))

    def value(self, family: str, setting: str, source: str, target: str) -> float | None:
        """The printed win percentage of a pair, if there is one."""
        table = self.table(family, setting)
        return None if table is None else table.values.get((source, target))


@cache
def published() -> PublishedTables:
    """The paper's numbers.

    Example:
        >>> published().value("Hex", "zero-shot", "9×9", "11×11")
        56.33
        >>> len(published().tables), sum(len(table.values) for table in published().tables)
        (39, 738)
    """
    content = json.loads((files("ludoport.studies.soemers") / "published.json").read_text(encoding="utf-8"))
    tables = tuple(_table(entry) for entry in content["tables"])
    return PublishedTables(
        content["source"],
        content["games"],
        tables,
        {
            family: {name: PublishedBoard(*facts) for name, facts in some.items()}
            for family, some in content["boards"].items()
        },
        {(table.family, table.setting): table for table in tables},
    )


def _table(entry: dict[str, object]) -> PublishedTable:
    rows, columns = cast("list[str]", entry["rows"]), cast("list[str]", entry["columns"])
    lines = cast("list[list[float | None]]", entry["values"])
    values = {
        (source, target): value
        for source, line in zip(rows, lines, strict=True)
        for target, value in zip(columns, line, strict=True)
        if value is not None
    }
    number, family, setting = cast("int", entry["number"]), cast("str", entry["family"]), entry["setting"]
    return PublishedTable(number, family, cast("Setting", setting), tuple(rows), tuple(columns), values)
