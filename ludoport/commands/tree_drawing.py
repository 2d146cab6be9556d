"""The top of a search tree as SVG: the more a move was visited, the wider its line."""

from __future__ import annotations

from dataclasses import dataclass, field
from html import escape
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from ludoport.game import State
    from ludoport.search.graph import SearchGraph

STEP, ROW, WIDEST, MARGIN = 170, 22, 14.0, 20
"""Distance of levels and of rows, width of a line for all visits, and the edge of the picture."""


@dataclass
class _Twig:
    """One drawn move: its label, its share of all visits, its mean result, and what follows."""

    label: str
    visits: int
    value: float
    person: int
    twigs: list[_Twig] = field(default_factory=list)
    row: float = 0.0


def tree_svg(graph: SearchGraph, state: State, levels: int = 3, most: int = 4) -> str:
    """Draw the moves visited most.

    Args:
        graph: the tree.
        state: its root.
        levels: number of levels.
        most: most moves drawn of one position.
    """
    top = _Twig(graph.about.game, 0, 0.5, 0, _twigs(graph, state, levels, most))
    top.visits = sum(twig.visits for twig in top.twigs)
    rows = _place(top, 0)
    width, height = 2 * MARGIN + (levels + 1) * STEP, 2 * MARGIN + max(rows, 1) * ROW
    lines: list[str] = []
    _draw(top, 0, max(top.visits, 1), lines)
    title = escape(f"{graph.about.game}: {graph.states:,} states, {graph.edges:,} moves")
    return "\n".join(
        [
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
            f'viewBox="0 0 {width} {height}" font-family="sans-serif" font-size="11">',
            f"<title>{title}</title>",
            f'<rect width="{width}" height="{height}" fill="white"/>',
            *lines,
            "</svg>\n",
        ]
    )


def _twigs(graph: SearchGraph, state: State, levels: int, most: int) -> list[_Twig]:
    if levels == 0 or state.over:
        return []
    moves, visits, values = graph.moves_at(state)
    return [
        _Twig(
            str(moves[k]),
            int(visits[k]),
            float(values[k]),
            state.seat,
            _twigs(graph, state.play(moves[k]), levels - 1, most),
        )
        for k in np.argsort(-visits, kind="stable")[:most].tolist()
    ]


def _place(twig: _Twig, row: int) -> int:
    """Give every twig its row, parents in the middle of their children; returns the next free row."""
    if not twig.twigs:
        twig.row = row
        return row + 1
    for below in twig.twigs:
        row = _place(below, row)
    twig.row = (twig.twigs[0].row + twig.twigs[-1].row) / 2
    return row


def _draw(twig: _Twig, level: int, total: int, lines: list[str]) -> None:
    x, y = _at(twig, level)
    for below in twig.twigs:
        to_x, to_y = _at(below, level + 1)
        bend = x + STEP / 2
        wide = max(0.5, WIDEST * below.visits / total)
        lines.append(
            f'<path d="M{x} {y:.1f} C{bend} {y:.1f} {bend} {to_y:.1f} {to_x} {to_y:.1f}" fill="none" '
            f'stroke="{_colour(below.value)}" stroke-width="{wide:.2f}" stroke-linecap="round"/>'
        )
        _draw(below, level + 1, total, lines)
    label = twig.label if level == 0 else f"{twig.label}  {twig.visits:,}  {100 * twig.value:.0f} %"
    lines.append(f'<circle cx="{x}" cy="{y:.1f}" r="3" fill="#333"/>')
    lines.append(
        f'<text x="{x + 6}" y="{y - 4:.1f}" stroke="white" stroke-width="3" paint-order="stroke">{escape(label)}</text>'
    )


def _at(twig: _Twig, level: int) -> tuple[int, float]:
    return MARGIN + level * STEP, MARGIN + (twig.row + 0.5) * ROW


def _colour(value: float) -> str:
    """From red (lost for the player of the move) over grey to green (won)."""
    share = min(max(value, 0.0), 1.0)
    return f"hsl({120 * share:.0f},{20 + 90 * abs(share - 0.5):.0f}%,55%)"
