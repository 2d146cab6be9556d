"""Value features: values of the trees below afterstates, learned in some games, to start from in another.

A feature is a tree with an outcome in it (``ludoport.td.lookahead``). Its value is the mean of the learned values of
the afterstates that have this tree, weighted by their visits, and belongs to the opponent it was learned against.
Nothing in it knows the game or its language, so any table can be used in any game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import State
from ludoport.td.learner import KnownValues
from ludoport.td.lookahead import Template, template_of

if TYPE_CHECKING:
    from ludoport.td.learner import ValueLearner

ALL_OPPONENTS = "all"
"""Selects the values against all opponents together."""


@dataclass(frozen=True)
class Worth:
    """The value of a feature against one opponent, how many visits it comes from, and of how many afterstates."""

    value: float
    visits: int
    afterstates: int

    def __add__(self, other: Worth) -> Worth:
        visits = self.visits + other.visits
        value = (self.value * self.visits + other.value * other.visits) / visits if visits else self.value
        return Worth(value, visits, self.afterstates + other.afterstates)


@dataclass(frozen=True)
class FeatureSource:
    """Origin of learned values."""

    game: str
    fingerprint: str
    opponent: str
    seat: int
    seed: int
    matches: int


@dataclass(frozen=True)
class FeatureTable:
    """Features with their values against each opponent.

    Attributes:
        features: the trees and their values, by opponent.
        sources: origins of the values.
        depth: moves of the lookahead.
        loss: reward of a loss; values lie on this scale.
        win: reward of a win.
    """

    features: Mapping[Template, Mapping[str, Worth]]
    sources: tuple[FeatureSource, ...] = ()
    depth: int = 2
    loss: float = 0.0
    win: float = 100.0
    _codes: dict[int, Template] = field(init=False, repr=False, compare=False, default_factory=dict)

    def __post_init__(self) -> None:
        self._codes.update({template.code: template for template in self.features})
        if len(self._codes) != len(self.features):
            raise LudoportError("two features of this table have the same code, so they cannot be told apart")

    def __len__(self) -> int:
        return len(self.features)

    @property
    def opponents(self) -> list[str]:
        """The opponents against which values were learned."""
        return sorted({name for worths in self.features.values() for name in worths})

    @property
    def nested(self) -> bool:
        """Whether some of the features are made of shallower ones."""
        return any(node.label == "[" for template in self.features for node in template.walk())

    def worth(self, template: Template, opponent: str = ALL_OPPONENTS) -> Worth | None:
        """Value of a feature against an opponent; None if it never occurred."""
        worths = self.features.get(template, {})
        if opponent != ALL_OPPONENTS:
            return worths.get(opponent)
        total: Worth | None = None
        for worth in worths.values():
            total = worth if total is None else total + worth
        return total

    def known(self, opponent: str = ALL_OPPONENTS, *, loss: float = 0.0, win: float = 100.0) -> KnownValues:
        """The values against an opponent as a learner uses them, on its own scale of rewards."""
        if opponent != ALL_OPPONENTS and opponent not in self.opponents:
            known = ", ".join(self.opponents) or "none"
            raise LudoportError(f"no values were learned against `{opponent}`; known opponents: {known}")
        scaled = self.rescaled(loss, win)
        values = {template.code: scaled.worth(template, opponent) for template in scaled.features}
        return KnownValues.of({code: worth.value for code, worth in values.items() if worth is not None}, self.nested)

    def rescaled(self, loss: float, win: float) -> FeatureTable:
        """The same on another scale of rewards."""
        if (loss, win) == (self.loss, self.win):
            return self
        factor = (win - loss) / (self.win - self.loss)
        features = {
            template: {
                name: replace(worth, value=loss + (worth.value - self.loss) * factor) for name, worth in worths.items()
            }
            for template, worths in self.features.items()
        }
        return FeatureTable(features, self.sources, self.depth, loss, win)


def learned_features(learner: ValueLearner, opponent: str, *, seed: int = 0, nested: bool = False) -> FeatureTable:
    """The features that a learner learned against one opponent.

    Args:
        learner: one that keeps its afterstates.
        opponent: the opponent's name.
        seed: recorded with the source.
        nested: also make deeper features of these: trees whose leaves are the trees of afterstates that were met.
    """
    plain, names = _gathered(learner, opponent, None)
    features = dict(plain)
    if nested:
        features.update(_gathered(learner, opponent, names)[0])
    settings, rules = learner.settings, learner.game.rules
    source = FeatureSource(rules.name, rules.fingerprint, opponent, learner.seat, seed, learner.matches)
    return FeatureTable(features, (source,), settings.depth, settings.loss, settings.win)


def _gathered(
    learner: ValueLearner, opponent: str, shallow: Mapping[int, Template] | None
) -> tuple[dict[Template, dict[str, Worth]], dict[int, Template]]:
    """Features by tree, and all trees by code."""
    memory = learner.memory
    codes = learner.codes(nested=shallow is not None)
    nested = _known_leaf(learner, shallow) if shallow is not None else None
    templates: dict[int, Template] = {}
    features: dict[Template, dict[str, Worth]] = {}
    for code in np.unique(codes[codes != 0]).tolist():
        entries = np.flatnonzero(codes == code)
        example = State(learner.game, memory.kept[entries[0]].copy())
        template = templates[code] = template_of(example, learner.seat, learner.settings, nested)
        if template.code != code:
            raise LudoportError(f"the tree {template} has code {template.code}, but the kernels say {code}")
        if not template.is_feature or (nested is not None and "[" not in template.text):
            continue
        entries = entries[memory.visits[entries] > 0]
        if not entries.size:
            continue
        visits = memory.visits[entries]
        value = float(np.average(memory.values[entries], weights=visits))
        features[template] = {opponent: Worth(value, int(visits.sum()), int(entries.size))}
    return features, templates


def _known_leaf(learner: ValueLearner, shallow: Mapping[int, Template]) -> Callable[[State], Template | None]:
    """Feature of a leaf, if the learner has met it."""

    def known(state: State) -> Template | None:
        template = shallow.get(learner.met_code(state))
        return template if template is not None and template.is_feature else None

    return known


def combined(tables: Sequence[FeatureTable], weights: Literal["visits", "equal"] = "visits") -> FeatureTable:
    """Several tables as one: of several runs, opponents or source games.

    Args:
        tables: all of the same depth; other scales of rewards become that of the first.
        weights: ``visits``: every visit counts the same; ``equal``: every table does.
    """
    if not tables:
        raise LudoportError("there are no tables of features to combine")
    if weights not in ("visits", "equal"):
        raise LudoportError(f"tables are weighted by visits or equal, not `{weights}`")
    first = tables[0]
    for table in tables:
        if table.depth != first.depth:
            raise LudoportError(f"features {first.depth} and {table.depth} moves deep cannot be combined")
    scaled = [table.rescaled(first.loss, first.win) for table in tables]
    features: dict[Template, dict[str, Worth]] = {}
    for template in dict.fromkeys(template for table in scaled for template in table.features):
        worths = [table.features[template] for table in scaled if template in table.features]
        names = dict.fromkeys(name for known in worths for name in known)
        features[template] = {
            name: _together([known[name] for known in worths if name in known], weights) for name in names
        }
    sources = tuple(source for table in tables for source in table.sources)
    return FeatureTable(features, sources, first.depth, first.loss, first.win)


def _together(worths: Iterable[Worth], weights: str) -> Worth:
    listed = list(worths)
    total = listed[0]
    for worth in listed[1:]:
        total = total + worth
    if weights == "equal":
        return replace(total, value=sum(worth.value for worth in listed) / len(listed))
    return total


def as_rows(table: FeatureTable) -> list[dict[str, Any]]:
    """One row for each feature and opponent, for tables and reports."""
    return [
        {"feature": str(template), "opponent": name, "value": worth.value, "visits": worth.visits}
        for template, worths in sorted(table.features.items(), key=lambda item: str(item[0]))
        for name, worth in sorted(worths.items())
    ]
