"""The best lines of a graph."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ludoport.search.graph import SearchGraph

if TYPE_CHECKING:
    from ludoport.game import Move, State


@dataclass(frozen=True)
class GraphLine:
    """A first move, and what the graph thinks follows.

    Attributes:
        moves: the moves.
        visits: visits of the first move.
        value: its mean result for the player of the move, from 0 to 1.
    """

    moves: list[str]
    visits: int
    value: float


def best_lines(graph: SearchGraph, state: State, count: int, longest: int = 200) -> list[GraphLine]:
    """The moves visited most in a position, each followed by the most visited answers as far as the graph goes."""
    moves, visits, values = graph.moves_at(state)
    lines = []
    for number in np.argsort(-visits, kind="stable")[:count].tolist():
        found = line_from(graph, state, moves[number], longest)
        lines.append(GraphLine([str(move) for move in found], int(visits[number]), float(values[number])))
    return lines


def line_from(graph: SearchGraph, state: State, first: Move, longest: int = 200) -> list[Move]:
    """A move of a position, followed by the most visited answers as far as the graph goes."""
    line, after, seen = [first], state.play(first), {state.key}
    while len(line) < longest and not after.over and after.key not in seen:
        seen.add(after.key)
        answers, times, _ = graph.moves_at(after)
        if not answers:
            break
        line.append(answers[int(np.argmax(times))])
        after = after.play(line[-1])
    return line
