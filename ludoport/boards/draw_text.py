"""A picture of a board for the console."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import pairwise

from ludoport.boards.board import Board
from ludoport.boards.measure.coordinates import column_letters
from ludoport.boards.sites import Sites

_MAX_COLUMNS = 60
_MAX_LINES = 40


def draw_text(board: Board, glyph_of_site: Callable[[int], str]) -> str:
    """Draw a board in characters, north at the top.

    Sites stand where they lie on the board, so that hexagonal rows are shifted against each other. Row numbers and
    column letters are added where lines of the picture are rows and columns of the board. Layers are drawn one below
    the other, ground first.

    Args:
        board: what to draw.
        glyph_of_site: one or a few characters for each site of the kind that play is on.
    """
    sites = board.default
    layers = [sites.layers[n] for n in range(len(sites.layers)) if sites.layers[n]]
    pictures = [_draw_layer(sites, layer, glyph_of_site) for layer in layers]
    return "\n\n".join(pictures)


def _levels(values: Sequence[float], most: int) -> tuple[float, float]:
    """Least value and distance of neighbouring levels, up to a maximum number of levels.

    Where values lie on no even grid, as on circles, fewer and wider levels make a better picture.
    """
    ordered = sorted(values)
    gaps = [b - a for a, b in pairwise(ordered) if b - a > 0.05]
    step = min(gaps, default=1.0)
    if any(abs(gap / step - round(gap / step)) > 0.1 for gap in gaps):
        most = min(most, round(2 * math.sqrt(len(values))) + 1)
    return ordered[0], max(step, (ordered[-1] - ordered[0]) / most, 0.05)


class CharacterGrid:
    """Points of the plane as lines and columns of characters.

    Args:
        points: places of sites.
        width: characters of a site.
    """

    def __init__(self, points: Sequence[tuple[float, float]], width: int) -> None:
        self.x0, self.dx = _levels([x for x, _ in points], _MAX_COLUMNS)
        self.y0, self.dy = _levels([y for _, y in points], _MAX_LINES)
        self.scale = _scale([(round(line), round(level)) for line, level in map(self._levels_of, points)], width)

    def _levels_of(self, point: tuple[float, float]) -> tuple[float, float]:
        return (point[1] - self.y0) / self.dy, (point[0] - self.x0) / self.dx

    def at(self, point: tuple[float, float]) -> tuple[int, int]:
        """Line, counted upwards, and column of a point."""
        line, level = self._levels_of(point)
        return round(line), round(round(level, 1) * self.scale)


def _draw_layer(sites: Sites, layer: Sequence[int], glyph_of_site: Callable[[int], str]) -> str:
    glyphs = {site: glyph_of_site(site) or " " for site in layer}
    width = max(len(glyph) for glyph in glyphs.values())
    characters = CharacterGrid([(sites.x[s], sites.y[s]) for s in layer], width)
    grid: dict[int, dict[int, int]] = {}
    for site in layer:
        number, place = characters.at((sites.x[site], sites.y[site]))
        line = grid.setdefault(number, {})
        while any(abs(place - taken) < width for taken in line):
            place += 1
        line[place] = site
    return _compose(sites, grid, glyphs, width)


def _scale(places: Sequence[tuple[int, int]], width: int) -> int:
    """Characters per level, so that sites on one line keep a space between them."""
    lines: dict[int, list[int]] = {}
    for line, level in places:
        lines.setdefault(line, []).append(level)
    gaps = [b - a for levels in lines.values() for a, b in pairwise(sorted(levels)) if b > a]
    least = min(gaps, default=1)
    return -(-(width + 1) // least)


def _compose(sites: Sites, grid: dict[int, dict[int, int]], glyphs: dict[int, str], width: int) -> str:
    rows = {line: {sites.row[s] for s in places.values()} for line, places in grid.items()}
    numbered = all(len(found) == 1 for found in rows.values()) and len(
        {next(iter(found)) for found in rows.values()}
    ) == len(rows)
    margin = len(str(max(sites.row) + 1)) + 1 if numbered else 0
    lines: list[str] = []
    for line in range(max(grid), min(grid) - 1, -1):
        places = grid.get(line, {})
        text = f"{next(iter(rows[line])) + 1:>{margin - 1}} " if numbered and places else " " * margin
        for place in sorted(places):
            text = text.ljust(margin + place) + glyphs[places[place]].ljust(width)
        lines.append(text.rstrip())
    columns: dict[int, set[int]] = {}
    for places in grid.values():
        for place, site in places.items():
            columns.setdefault(place, set()).add(sites.col[site])
    if numbered and all(len(found) == 1 for found in columns.values()):
        footer = " " * margin
        for place in sorted(columns):
            footer = footer.ljust(margin + place) + column_letters(next(iter(columns[place])))
        lines.append(footer)
    return "\n".join(lines)
