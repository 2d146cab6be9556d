"""Features drawn as trees: who moves where, and which outcomes there are."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from ludoport.td.lookahead import Template
from ludoport.td.settings import DRAW, LOSS, OPEN, WIN

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

GAP = 1.0
OURS, THEIRS = "#2e8b57", "#c0392b"


def place(template: Template) -> list[tuple[Template, float, int, int]]:
    """Layout of a tree: each node with its x, its depth, and the number of its parent (-1 for the root)."""
    nodes: list[tuple[Template, float, int, int]] = []
    right = 0.0

    def put(node: Template, depth: int, parent: int) -> float:
        nonlocal right
        number = len(nodes)
        nodes.append((node, 0.0, depth, parent))
        children = [] if node.label == "[" else node.ordered
        if children:
            places = [put(child, depth + 1, number) for child in children]
            x = (places[0] + places[-1]) / 2
        else:
            x, right = right, right + GAP
        nodes[number] = (node, x, depth, parent)
        return x

    put(template, 0, -1)
    return nodes


def draw_feature(axes: Axes, template: Template, title: str = "") -> None:
    """Draw one feature: filled squares where the opponent moves, filled circles where the learner does.

    Ends are empty: a square is a win, a circle a loss, a crossed square a draw, as in the paper; other outcomes have
    their names beside a diamond.
    """
    nodes = place(template)
    for _, x, depth, parent in nodes:
        if parent >= 0:
            _, px, pdepth, _ = nodes[parent]
            axes.plot([px, x], [-pdepth, -depth], color="#888888", linewidth=1, zorder=1)
    for node, x, depth, _ in nodes:
        axes.plot([x], [-depth], zorder=2, **_mark(node, depth))
        if node.label == DRAW and not node.children:
            axes.plot([x], [-depth], "x", color="black", markersize=7, zorder=3)
        elif not node.children and node.label not in (WIN, LOSS, OPEN):
            axes.annotate(node.label, (x, -depth), textcoords="offset points", xytext=(0, -14), ha="center", fontsize=6)
    width = max(x for _, x, _, _ in nodes)
    axes.set_xlim(-0.8, max(width, 1.0) + 0.8 if width >= 1 else 0.8)
    axes.set_ylim(-max(depth for _, _, depth, _ in nodes) - 0.5, 0.5)
    axes.set_title(title, fontsize=9)
    axes.axis("off")


def _mark(node: Template, depth: int) -> dict[str, Any]:
    empty = {"markerfacecolor": "white", "markeredgecolor": "black", "markersize": 10}
    if node.label == "[":
        return {"marker": "h", "color": THEIRS, "markersize": 10}
    if node.children or node.label == OPEN:
        # Leaves that are not the end lie behind a move of the learner in every second row.
        mine = node.label == "N" if node.children else depth % 2 == 1
        return {"marker": "o" if mine else "s", "color": OURS if mine else THEIRS, "markersize": 9}
    return {"marker": {WIN: "s", DRAW: "s", LOSS: "o"}.get(node.label, "D"), **empty}


def draw_features(features: Mapping[str, Template], columns: int = 4) -> Figure:
    """A figure of several features with their titles."""
    from matplotlib.figure import Figure

    rows = max(1, -(-len(features) // columns))
    figure = Figure(figsize=(2.2 * columns, 1.9 * rows), layout="constrained")
    grid = figure.subplots(rows, columns, squeeze=False)
    for axes in grid.flat:
        axes.axis("off")
    for axes, (title, template) in zip(grid.flat, features.items(), strict=False):
        draw_feature(axes, template, title)
    return figure
