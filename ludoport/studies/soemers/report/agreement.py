"""Agreement of our numbers with the published ones, over the cells that both have."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludoport.studies.engine.cells import SETTINGS
from ludoport.studies.report.statistics import LEVEL, difference_two_sided, spearman
from ludoport.studies.soemers.published import published
from ludoport.studies.soemers.report.entries import ShownCell, mean


@dataclass(frozen=True)
class Agreement:
    """Ours against theirs over some cells.

    Attributes:
        name: name of the group of cells.
        cells: number of cells.
        correlation: Spearman's, of the win percentages; NaN for too few.
        difference: mean of ours minus theirs, in percentage points.
        distance: mean of the same without its sign.
        same_side: in how many cells both are above, both below, or both at 50 %.
        apart: in how many cells the two numbers differ more than chance in games explains (5 %).
    """

    name: str
    cells: int
    correlation: float
    difference: float
    distance: float
    same_side: int
    apart: int


@dataclass(frozen=True)
class CellDisagreement:
    """One cell where ours and theirs differ."""

    entry: ShownCell
    published: float
    p: float

    @property
    def difference(self) -> float:
        """Ours minus theirs, in percentage points."""
        return self.entry.percentage - self.published


def compared(entries: Iterable[ShownCell]) -> list[CellDisagreement]:
    """The cells that both have, in the order of the entries."""
    games = published().games
    found = []
    for entry in entries:
        if entry.published is not None:
            p = difference_two_sided(entry.points, entry.games, entry.published / 100 * games, games)
            found.append(CellDisagreement(entry, entry.published, p))
    return found


def agreements(entries: Sequence[ShownCell]) -> list[Agreement]:
    """Agreement over everything, by setting and by family; without common cells there is none."""
    common = compared(entries)
    if not common:
        return []
    found = [_agreement("all", common)]
    found += _groups(common, lambda one: one.entry.setting, SETTINGS)
    families = list(dict.fromkeys(one.entry.table for one in common))
    return found + (list(_groups(common, lambda one: one.entry.table, families)) if len(families) > 1 else [])


def largest_disagreements(entries: Iterable[ShownCell], number: int = 10) -> list[CellDisagreement]:
    """The cells that differ most, the largest first; only those that chance in games does not explain."""
    apart = [one for one in compared(entries) if one.p <= LEVEL]
    return sorted(apart, key=lambda one: -abs(one.difference))[:number]


def _groups(
    common: Sequence[CellDisagreement], key: Callable[[CellDisagreement], str], names: Sequence[str]
) -> Iterator[Agreement]:
    for name in names:
        some = [one for one in common if key(one) == name]
        if some:
            yield _agreement(name, some)


def _agreement(name: str, common: Sequence[CellDisagreement]) -> Agreement:
    ours, theirs = [one.entry.percentage for one in common], [one.published for one in common]
    return Agreement(
        name,
        len(common),
        spearman(ours, theirs),
        mean([one.difference for one in common]),
        mean([abs(one.difference) for one in common]),
        sum(_side(a) == _side(b) for a, b in zip(ours, theirs, strict=True)),
        sum(one.p <= LEVEL for one in common),
    )


def _side(percentage: float) -> int:
    return (percentage > 50) - (percentage < 50)
