"""Published results: the twelve features, their values (Table 1), and the learning curves (Figures 3 to 7)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from ludoport.td.learner import KnownValues
from ludoport.td.lookahead import Template, read_template


@dataclass(frozen=True)
class CurveFigure:
    """One figure of learning curves.

    Attributes:
        number: as in the paper.
        target: the game.
        opponent: the opponent.
        curves: by learner; rows of match and cumulative average reward, shape (points, 2).
    """

    number: int
    target: str
    opponent: str
    curves: dict[str, NDArray[np.float64]]


@dataclass(frozen=True)
class PublishedCurves:
    """The paper's numbers.

    Attributes:
        templates: the features by their letter.
        values: Table 1: the value of each feature, by opponent and letter.
        figures: Figures 3 to 7.
    """

    templates: dict[str, Template]
    values: dict[str, dict[str, float]]
    figures: list[CurveFigure]

    def known(self, opponent: str) -> KnownValues:
        """The printed values against an opponent as a learner uses them."""
        return KnownValues.of({self.templates[letter].code: value for letter, value in self.values[opponent].items()})

    def figure(self, target: str, opponent: str) -> CurveFigure | None:
        """The figure about a game and an opponent, if there is one."""
        for figure in self.figures:
            if (figure.target, figure.opponent) == (target, opponent):
                return figure
        return None


@cache
def published() -> PublishedCurves:
    """The paper's numbers.

    Example:
        >>> published().values["eps-greedy"]["f"], str(published().templates["g"])
        (38, '{L,N{W,n},N{n}}')
    """
    content = json.loads((files("ludoport.studies.banerjee_stone") / "published.json").read_text())
    features = content["features"]
    return PublishedCurves(
        {letter: read_template(entry["tree"]) for letter, entry in features.items()},
        {
            opponent: {letter: entry["values"][column] for letter, entry in features.items()}
            for column, opponent in enumerate(content["opponents"])
        },
        [
            CurveFigure(
                int(number),
                entry["target"],
                entry["opponent"],
                {name: np.array(points) for name, points in entry["curves"].items()},
            )
            for number, entry in content["figures"].items()
        ],
    )
