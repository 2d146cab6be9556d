"""The frame of a board on the grid of its tensors: neighbours in a 3x3 window, and directions."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ludoport.boards import Sites
from ludoport.tensors.grid import Grid

Taps = tuple[tuple[bool, bool, bool], tuple[bool, bool, bool], tuple[bool, bool, bool]]
"""Mask of the window around a cell; the first index runs along the first axis."""

SQUARE: Taps = ((True, True, True), (True, True, True), (True, True, True))
HEXAGONAL: Taps = ((True, True, False), (True, True, True), (False, True, True))
"""The six neighbours in sheared coordinates lie at (1, 0), (0, 1), (1, 1) and opposite."""

_COMPASS = {
    "N": (0, 1),
    "NE": (1, 1),
    "E": (1, 0),
    "SE": (1, -1),
    "S": (0, -1),
    "SW": (-1, -1),
    "W": (-1, 0),
    "NW": (-1, 1),
}

NEAR_AXIS = 0.45
"""A direction whose smaller part is below this share of the larger one lies along an axis."""

ASIDE = 0.25
"""Sites whose mean is further than this share of the board from its middle are on one side of it."""


@dataclass(frozen=True, eq=False)
class Frame:
    """A board on its grid.

    Attributes:
        taps: cells of the window that are neighbours.
        linear: grid coordinates of the unit vectors of the board's own coordinates; shape (2, 2).
        places: grid coordinates of the board's sites; shape (sites, 2).
    """

    taps: Taps
    linear: NDArray[np.float64]
    places: NDArray[np.float64]

    def compass(self, direction: str) -> str:
        """A compass direction on the grid, such as ``+0`` for the first axis; empty if it is none."""
        if direction not in _COMPASS:
            return ""
        return _signs(np.array(_COMPASS[direction], dtype=float) @ self.linear)

    def side(self, sites: Iterable[int]) -> str:
        """On which side of the board some sites lie: ``+0``, ``0-``, ..., ``00`` in the middle or all around."""
        chosen = [site for site in sites if site < len(self.places)]
        if not chosen:
            return "off"
        extent = np.maximum(1.0, self.places.max(0) - self.places.min(0))
        offset = (self.places[chosen].mean(0) - self.places.mean(0)) / extent
        return "".join("0" if abs(part) < ASIDE else "+" if part > 0 else "-" for part in offset)


def frame_of(sites: Sites, grid: Grid) -> Frame:
    """The frame of a board whose first sites lie on a grid."""
    places = np.stack([grid.x[: sites.n], grid.y[: sites.n]], 1).astype(float)
    real = np.stack([sites.x, sites.y, np.ones(sites.n)], 1).astype(float)
    linear = np.linalg.lstsq(real, places, rcond=None)[0][:2]
    return Frame(taps_of(sites, places), linear, places)


def plain_frame(places: NDArray[np.float64]) -> Frame:
    """The frame of a board of squares whose coordinates are those of the grid."""
    return Frame(SQUARE, np.eye(2), places)


def taps_of(sites: Sites, places: NDArray[np.float64]) -> Taps:
    """Hexagonal neighbourhoods where every site's neighbours are such; otherwise the whole window."""
    found = {
        (int(b[0] - a[0]), int(b[1] - a[1]))
        for site, near in enumerate(sites.orthogonal)
        for a, b in ((places[site], places[other]) for other in near)
    }
    inside = {(x - 1, y - 1) for x in range(3) for y in range(3) if HEXAGONAL[x][y]} - {(0, 0)}
    return HEXAGONAL if found == inside else SQUARE


def _signs(vector: NDArray[np.float64]) -> str:
    most = float(np.abs(vector).max())
    if most < 1e-9:
        return ""
    return "".join("0" if abs(part) < NEAR_AXIS * most else "+" if part > 0 else "-" for part in vector)
