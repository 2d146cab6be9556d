"""Rows, columns, layers and labels, found by clustering positions along the best pair of axes."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from ludoport.boards.elements import Element
from ludoport.boards.geometry import bounds, distance_to_line
from ludoport.boards.graph import Graph


@dataclass(slots=True)
class Coordinates:
    """Row, column, layer and label of each element of a kind."""

    row: list[int]
    column: list[int]
    layer: list[int]
    label: list[str]


def measure_coordinates(graph: Graph) -> dict[str, Coordinates]:
    """Coordinates for each kind that has elements.

    Edges are clustered along the axes found for the vertices.
    """
    axes = (0.0, 0.5)
    measured: dict[str, Coordinates] = {}
    for kind in ("Vertex", "Edge", "Cell"):
        elements = graph.elements(kind)
        if not elements:
            measured[kind] = Coordinates([], [], [], [])
            continue
        _, _, width, height = bounds([e.point for e in elements])
        margin = 0.6 * (width + height) / 2 / math.sqrt(len(elements))
        if kind != "Edge":
            axes = _best_axes(elements, margin)
        row, _ = _cluster(_row_distance(elements, axes[0]), margin)
        column, _ = _cluster(_column_distance(elements, axes[1]), margin)
        layer, _ = _cluster([e.z for e in elements], margin)
        found = Coordinates(row, column, layer, _labels(row, column, layer))
        if len(set(found.label)) < len(found.label):
            found = _by_position(elements, found)
        elif len(set(layer)) > 1:
            found = _ground_rows(elements, found)
        measured[kind] = found
    return measured


def _best_axes(elements: Sequence[Element], margin: float) -> tuple[float, float]:
    row = _best_angle(elements, margin, _row_distance, [angle / 180.0 * math.pi for angle in range(0, 61, 15)])
    column = _best_angle(
        elements, margin, _column_distance, [row + angle / 180.0 * math.pi for angle in range(90, 121, 15)]
    )
    return (row, column)


def _best_angle(
    elements: Sequence[Element],
    margin: float,
    measure: Callable[[Sequence[Element], float], list[float]],
    angles: list[float],
) -> float:
    best, best_error = 0.0, 1000.0
    for angle in angles:
        _, error = _cluster(measure(elements, angle), margin)
        if error < best_error:
            best, best_error = angle, error
            if error < 0.01:
                break
    return best


def _row_distance(elements: Sequence[Element], angle: float) -> list[float]:
    x, y, width, height = bounds([e.point for e in elements])
    a = (x + width / 2, y - height)
    b = (a[0] + width * math.cos(angle), a[1] + width * math.sin(angle))
    return [distance_to_line(e.point, a, b) for e in elements]


def _column_distance(elements: Sequence[Element], angle: float) -> list[float]:
    x, y, width, height = bounds([e.point for e in elements])
    a = (x - width, y + height / 2)
    b = (a[0] + width * math.cos(angle), a[1] + width * math.sin(angle))
    return [distance_to_line(e.point, a, b) for e in elements]


def _cluster(distances: list[float], margin: float) -> tuple[list[int], float]:
    """Group near distances.

    Returns:
        The group of each element, and an error that grows with the number of groups. Of each group only the last
        member's deviation counts; labels depend on it.
    """
    groups: list[list[int]] = []
    total = 0.0
    for n in sorted(range(len(distances)), key=distances.__getitem__):
        if not groups or abs(distances[n] - total / len(groups[-1])) > margin:
            groups.append([])
            total = 0.0
        groups[-1].append(n)
        total += distances[n]
    place = [0] * len(distances)
    error = 0.0
    for number, members in enumerate(groups):
        mean = _mean([distances[n] for n in members])
        error += (mean - distances[members[-1]]) ** 2 / len(members)
        for n in members:
            place[n] = number
    return place, error + 0.01 * len(groups)


def _mean(values: list[float]) -> float:
    total = 0.0
    for value in values:
        total += value
    return total / len(values)


def column_letters(column: int) -> str:
    """A, B ... Z, AA, AB ... for columns from 0.

    >>> column_letters(0), column_letters(25), column_letters(26)
    ('A', 'Z', 'AA')
    """
    letters = chr(ord("A") + column % 26)
    while column >= 26:
        column //= 26
        letters = chr(ord("A") + column % 26 - 1) + letters
    return letters


def _labels(row: list[int], column: list[int], layer: list[int]) -> list[str]:
    layered = len(set(layer)) > 1
    return [
        f"{column_letters(c)}{r + 1}" + (f"/{z}" if layered else "") for r, c, z in zip(row, column, layer, strict=True)
    ]


def _by_position(elements: Sequence[Element], found: Coordinates) -> Coordinates:
    """Where two elements share a label, every distinct x and y on the ground is a column and a row of its own."""
    row = _places([(e.y, e.z) for e in elements], found.row)
    column = _places([(e.x, e.z) for e in elements], found.column)
    heights = sorted({e.z for e in elements})
    layer = [heights.index(e.z) for e in elements]
    label = [f"{column_letters(c)}{r + 1}" for r, c in zip(row, column, strict=True)]
    return Coordinates(row, column, layer, label)


def _ground_rows(elements: Sequence[Element], found: Coordinates) -> Coordinates:
    """Boards with layers keep their labels, but rows and columns count the distinct positions on the ground."""
    row = _places([(e.y, e.z) for e in elements], found.row)
    column = _places([(e.x, e.z) for e in elements], found.column)
    return Coordinates(row, column, found.layer, found.label)


def _places(positions: list[tuple[float, float]], otherwise: list[int]) -> list[int]:
    levels: list[float] = []
    for value in sorted(position for position, z in positions if z == 0):
        if not levels or abs(value - levels[-1]) >= 0.001:
            levels.append(value)
    places = list(otherwise)
    for n, (value, _) in enumerate(positions):
        place = bisect_left(levels, value + 0.001) - 1
        if place >= 0 and abs(value - levels[place]) < 0.001:
            places[n] = place
    return places
