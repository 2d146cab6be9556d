"""Places of a game's sites on the grid of its tensors.

As in Ludii, the first axis of a tensor runs along the x of the board. The lengths of its two axes are called height and
width, as everywhere where shapes are (height, width).
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludoport.boards import Sites
from ludoport.ludemes.core.program import Program

TOLERANCE = 1e-5
"""Sites whose centres differ by no more than this along an axis are in one line."""

Points = list[tuple[int, int]]


@dataclass(frozen=True, eq=False)
class Grid:
    """Places of sites.

    Attributes:
        x: the place of every site along the first axis, -1 for numbers that are not sites; shape (sites,).
        y: the same along the second axis.
        height: length of the first axis.
        width: length of the second axis.
    """

    x: NDArray[np.int32]
    y: NDArray[np.int32]
    height: int
    width: int


def containers(program: Program) -> tuple[tuple[int, ...], ...]:
    """The sites of every container, the board first; sites of all kinds that the game uses belong to the board."""
    others = (range(base, base + program.board.sites(kind).n) for kind, base in program._kind_base.items())
    board = (*range(program.n_board), *(site for sites in others for site in sites))
    return (board, *(tuple(range(hand.base, hand.base + hand.size)) for hand in program.hands))


def reference_grid(program: Program, repeated: bool) -> Grid:
    """Board sites ranked by their centres; each hand a line of its own beyond an empty one.

    Args:
        program: the game.
        repeated: let every column of hands begin at the first hand's sites, as the reference does; the sites of the
            other hands then stay at (0, 0).
    """
    points = _ranked(program.sites)
    height, width = _shape(points)
    grid = _Places(program.n_sites, points)
    hands = containers(program)[1:]
    if not hands:
        return grid.done(height, width)
    longest = max(map(len, hands))
    as_rows = (height < width and longest <= height) or (longest > height > width)
    for number, hand in enumerate(hands, 1):
        for place, site in enumerate(hand):
            if as_rows:
                grid.put(site, place, width + number)
            elif not repeated:
                grid.put(site, height + number, place)
            else:
                grid.put(hands[0][0] + place, height + number, place)
                if number > 1:
                    grid.put_if_new(site, 0, 0)
    if as_rows:
        return grid.done(max(height, longest), width + 1 + len(hands))
    return grid.done(height + 1 + len(hands), max(width, longest))


def compact_grid(program: Program) -> Grid:
    """The same without waste: sheared coordinates on hexagonal boards, hands packed beside the board.

    No two sites share a cell: what lies above others on boards with layers has places of its own.
    """
    kinds = [(0, program.sites), *((base, program.board.sites(kind)) for kind, base in program._kind_base.items())]
    points = _sheared(program.sites) if len(kinds) == 1 else None
    if points is None:
        points = _apart(_ranked(*(sites for _, sites in kinds)))
    height, width = _shape(points)
    grid = _Places(program.n_sites, ())
    numbers = (base + site for base, sites in kinds for site in range(sites.n))
    for number, (x, y) in zip(numbers, points, strict=True):
        grid.put(number, x, y)
    hands = containers(program)[1:]
    if not hands:
        return grid.done(height, width)
    columns, rows = list(_packed(hands, width)), list(_packed(hands, height))
    more_columns, more_rows = (1 + max(line for line, _ in places) for places in (columns, rows))
    beside = (height + more_columns) * width <= height * (width + more_rows)
    for site, (line, place) in zip((s for hand in hands for s in hand), columns if beside else rows, strict=True):
        grid.put(site, *((height + line, place) if beside else (place, width + line)))
    return grid.done(height + more_columns, width) if beside else grid.done(height, width + more_rows)


class _Places:
    """Places being collected."""

    def __init__(self, n_sites: int, points: Sequence[tuple[int, int]]) -> None:
        self.x, self.y = (np.full(n_sites, -1, dtype=np.int32) for _ in range(2))
        for site, (x, y) in enumerate(points):
            self.put(site, x, y)

    def put(self, site: int, x: int, y: int) -> None:
        self.x[site], self.y[site] = x, y

    def put_if_new(self, site: int, x: int, y: int) -> None:
        if self.x[site] < 0:
            self.put(site, x, y)

    def done(self, height: int, width: int) -> Grid:
        return Grid(self.x, self.y, height, width)


def _shape(points: Points) -> tuple[int, int]:
    return 1 + max(x for x, _ in points), 1 + max(y for _, y in points)


def _ranked(*kinds: Sites) -> Points:
    """Places of sites by the ranks of their centres along both axes."""
    xs, ys = ([value for sites in kinds for value in getattr(sites, axis)] for axis in "xy")
    return list(zip(_ranks(xs), _ranks(ys), strict=True))


def _ranks(values: Sequence[float]) -> list[int]:
    """The number of each value among the different ones; a group of equals is measured from its smallest."""
    ranks = [0] * len(values)
    rank, current = -1, -np.inf
    for index in sorted(range(len(values)), key=values.__getitem__):
        if values[index] - TOLERANCE > current:
            rank, current = rank + 1, values[index]
        ranks[index] = rank
    return ranks


def _apart(points: Points) -> Points:
    """The same points where no two are equal: the second one at a place is on another board beside the first."""
    height, seen = _shape(points)[0], Counter[tuple[int, int]]()
    moved = []
    for x, y in points:
        moved.append((x + height * seen[x, y], y))
        seen[x, y] += 1
    return moved


_LYING = (((2, 0), (-1, 1)), ((1, -1), (1, 1)), ((1, 1), (-2, 0)))
_UPRIGHT = (((1, -1), (0, 2)), ((1, 1), (-1, 1)), ((0, -2), (1, 1)))
"""Pairs of steps in ranks that span 120 degrees, on hexagonal boards whose lines of neighbours lie or stand."""


def _sheared(sites: Sites) -> Points | None:
    """Places along two of a hexagonal board's three directions; None if the board is not hexagonal.

    The two directions span 120 degrees, so that a site's six neighbours are at (1, 0), (0, 1), (1, 1) and opposite.
    Of the possible pairs that one is taken whose rectangle is smallest.
    """
    ranked = _ranked(sites)
    found = _steps(sites, ranked)
    for pairs in (_LYING, _UPRIGHT):
        (ax, ay), (bx, by) = pairs[0]
        halves = ((ax, ay), (bx, by), (ax + bx, ay + by))
        if found == {step for x, y in halves for step in ((x, y), (-x, -y))}:
            candidates = [_along(ranked, first, second) for first, second in pairs]
            return min(candidates, key=lambda points: math.prod(_shape(points)))
    return None


def _steps(sites: Sites, points: Points) -> set[tuple[int, int]]:
    """Displacements between neighbours."""
    pairs = ((points[site], points[other]) for site, near in enumerate(sites.orthogonal) for other in near)
    return {(b[0] - a[0], b[1] - a[1]) for a, b in pairs}


def _along(points: Points, first: tuple[int, int], second: tuple[int, int]) -> Points:
    """Coordinates of points along two directions, from 0."""
    determinant = first[0] * second[1] - first[1] * second[0]
    along = []
    for x, y in points:
        dx, dy = x - points[0][0], y - points[0][1]
        along.append(((dx * second[1] - dy * second[0]) // determinant, (dy * first[0] - dx * first[1]) // determinant))
    left, low = min(x for x, _ in along), min(y for _, y in along)
    return [(x - left, y - low) for x, y in along]


def _packed(hands: Sequence[Sequence[int]], length: int) -> Iterator[tuple[int, int]]:
    """Lines and places in them for the sites of hands; a hand that fits into one line is not broken."""
    line, place = 0, 0
    for hand in hands:
        if place and len(hand) > length - place:
            line, place = line + 1, 0
        for _ in hand:
            if place == length:
                line, place = line + 1, 0
            yield line, place
            place += 1
