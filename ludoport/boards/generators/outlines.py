"""Outlines that several tilings share: walks by side lengths, and the six-pointed star."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from ludoport.boards.geometry import Point

_SIX = ((1, 0), (1, 1), (0, 1), (-1, 0), (-1, -1), (0, -1))
FOUR = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps (rows, columns) of a walk on a square grid, each a turn further than the one before."""


def six_way_walk(place: Callable[[int, int], Point], sides: Sequence[int]) -> list[Point]:
    """Corners of the outline walked by side lengths on a grid of six directions.

    Args:
        place: the point of a row and a column.
        sides: lengths; a negative one turns the other way. They repeat until there are at least five.
    """
    step, row, column = 1, 0, 0
    corners = [place(0, 0)]
    for n in range(max(5, len(sides))):
        length = sides[n % len(sides)]
        length += 1 if length < 0 else -1
        step = (step + (-1 if length < 0 else 1)) % 6
        if length > 0:
            row += length * _SIX[step][0]
            column += length * _SIX[step][1]
            corners.append(place(row, column))
    return corners


def four_way_walk(sides: Sequence[int], turns: Sequence[tuple[int, int]] = FOUR) -> list[Point]:
    """Corners of the outline walked by side lengths on a square grid.

    Args:
        sides: lengths; a negative one turns the other way and walks backwards.
        turns: steps (rows, columns), each a turn further than the one before.
    """
    step, row, column = 3, 0, 0
    corners: list[Point] = [(0.0, 0.0)]
    for length in sides:
        step = (step + (-1 if length < 0 else 1)) % 4
        row += length * turns[step][0]
        column += length * turns[step][1]
        corners.append((float(column), float(row)))
    return corners


def in_star(size: int, row: int, column: int) -> bool:
    """Whether a place of a grid with ``4 * size + 1`` rows and columns belongs to the six-pointed star in it."""
    if row < size or 2 * size < row <= 3 * size:
        return column >= size and column - row <= size
    if row <= 2 * size:
        return row - column <= size and column <= 3 * size
    return column <= 3 * size and row - column <= size
