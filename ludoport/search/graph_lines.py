"""The best lines of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoport.search.graph import SearchGraph

if TYPE_CHECKING:
    from ludoport.game import State


@dataclass(frozen=True)
class Line:
    """A first move, and what the graph thinks follows.

    Attributes:
        moves: the moves.
        visits: how often the first was chosen.
        value: its mean result for whoever chose it, from 0 to 1.
    """

    moves: list[str]
    visits: int
    value: float


def best_lines(graph: SearchGraph, state: State, count: int, longest: int = 200) -> list[Line]:
    """The moves visited most in a position, each followed by the most visited answers as far as the graph goes."""
    moves, visits, values = graph.moves_at(state)
    lines = []
    for number in np.argsort(-visits, kind="stable")[:count].tolist():
        texts, after = [str(moves[number])], state.play(moves[number])
        seen = {state.key}
        while len(texts) < longest and not after.over and after.key not in seen:
            seen.add(after.key)
            answers, times, _ = graph.moves_at(after)
            if not answers:
                break
            best = answers[int(np.argmax(times))]
            texts.append(str(best))
            after = after.play(best)
        lines.append(Line(texts, int(visits[number]), float(values[number])))
    return lines
