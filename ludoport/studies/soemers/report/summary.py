"""Summary of a study: kinds of pairs, the best and the worst of them, and the paper's claims."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from ludoport.studies.engine.cells import SETTINGS, Setting
from ludoport.studies.report.statistics import LEVEL, difference_two_sided, expected_by_chance
from ludoport.studies.soemers.report.entries import ShownCell, by_pair, mean
from ludoport.studies.soemers.report.pairs import KINDS, Kind

TUNED: Setting = "fine-tuned"
VARIATIONS: tuple[Setting, ...] = ("fine-tuned, heads re-initialised", "fine-tuned, widths adjusted")


@dataclass(frozen=True)
class KindRow:
    """All pairs of one kind in one setting.

    Attributes:
        setting: setting of the transfer.
        kind: relation of the targets to the sources.
        pairs: number of pairs.
        mean: of their win percentages.
        published: mean of the paper's percentages for those of them that it has; NaN if it has none.
        above: pairs above 50 %.
        sure_above: those of them that are significant after Holm's correction.
        sure_below: pairs below 50 % that are significant after Holm's correction.
    """

    setting: Setting
    kind: Kind
    pairs: int
    mean: float
    published: float
    above: int
    sure_above: int
    sure_below: int


@dataclass(frozen=True)
class Change:
    """Change of pairs from a first setting to a second one.

    Attributes:
        first: the setting that is compared with.
        second: the setting that is looked at.
        pairs: number of pairs with both.
        mean: second minus first, in percentage points.
        better: pairs in which the second is better than chance in games explains (5 %).
        worse: pairs in which it is worse.
        worst: the pair that lost most, and how much; None if none lost.
    """

    first: Setting
    second: Setting
    pairs: int
    mean: float
    better: int
    worse: int
    worst: tuple[ShownCell, float] | None


def by_kind(entries: Sequence[ShownCell]) -> list[KindRow]:
    """One row for each setting and kind of pair that occurs."""
    return list(_kind_rows(entries))


def _kind_rows(entries: Sequence[ShownCell]) -> Iterator[KindRow]:
    for setting in SETTINGS:
        for kind in KINDS:
            some = [entry for entry in entries if entry.setting == setting and entry.kind == kind]
            if some:
                yield KindRow(
                    setting,
                    kind,
                    len(some),
                    mean([entry.percentage for entry in some]),
                    mean([entry.published for entry in some if entry.published is not None]),
                    sum(entry.percentage > 50 for entry in some),
                    sum(entry.mark == "++" for entry in some),
                    sum(entry.mark == "--" for entry in some),
                )


def strongest(entries: Iterable[ShownCell], setting: Setting, number: int = 5) -> list[ShownCell]:
    """The pairs with the highest scores, the best first; equal scores by the larger number of games.

    After tuning only those above 50 % count; without it every win shows that something was transferred.
    """
    least = 0 if setting == "zero-shot" else 50
    found = [entry for entry in entries if entry.setting == setting and entry.percentage > least]
    return sorted(found, key=lambda entry: (-entry.percentage, -entry.games))[:number]


def most_negative(entries: Iterable[ShownCell], setting: Setting, number: int = 5) -> list[ShownCell]:
    """The pairs below 50 % after tuning, the worst first; equal scores by the larger number of games.

    Without tuning there is no negative transfer: the opponent learned the game and the network did not.
    """
    found = [entry for entry in entries if entry.setting == setting and entry.percentage < 50]
    chosen = sorted(found, key=lambda entry: (entry.percentage, -entry.games))
    return [] if setting == "zero-shot" else chosen[:number]


def changes(entries: Sequence[ShownCell]) -> list[Change]:
    """Tuning against none, and the variations of tuning against plain tuning."""
    pairs: list[tuple[Setting, Setting]] = [("zero-shot", TUNED), *((TUNED, other) for other in VARIATIONS)]
    found = (change(entries, first, second) for first, second in pairs)
    return [one for one in found if one.pairs]


def change(entries: Sequence[ShownCell], first: Setting, second: Setting) -> Change:
    """Change from the first setting to the second, over the pairs that both have."""
    before, after = by_pair(entries, first), by_pair(entries, second)
    common = [(before[pair], after[pair]) for pair in after if pair in before]
    better = worse = 0
    worst: tuple[ShownCell, float] | None = None
    for one, two in common:
        gain = two.percentage - one.percentage
        sure = difference_two_sided(one.points, one.games, two.points, two.games) <= LEVEL
        better += sure and gain > 0
        worse += sure and gain < 0
        if gain < (worst[1] if worst else 0):
            worst = two, gain
    gains = [two.percentage - one.percentage for one, two in common]
    return Change(first, second, len(common), mean(gains), better, worse, worst)


@dataclass(frozen=True)
class Significance:
    """Number of cells that differ from 50 %, and the number expected by chance."""

    cells: int
    significant: int
    after_holm: int
    by_chance: float


def significance(entries: Sequence[ShownCell]) -> Significance:
    """Count the significant cells of a report."""
    return Significance(
        len(entries),
        sum(bool(entry.mark) for entry in entries),
        sum(len(entry.mark) == 2 for entry in entries),
        math.fsum(expected_by_chance(entry.games) for entry in entries),
    )
