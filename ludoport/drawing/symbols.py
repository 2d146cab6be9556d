"""Pictures of pieces as SVG symbols of 100 x 100.

A symbol has no colours of its own: it is filled and outlined as the ``use`` element says, and its details have the
element's ``color``. So one set of symbols serves all players, pictures and the page.
"""

from __future__ import annotations

import math
from collections.abc import Iterable

from ludoport.drawing import shogi

PREFIX = "piece-"
"""Beginning of the identifiers of symbols."""

MOST_SEEDS = 16
"""Larger heaps look like this one; their number is written beside them."""

_THIN = 'fill="none" stroke="currentColor" stroke-width="3"'
_ROUND = '<circle cx="50" cy="50" r="38"/>'

_CHESS = {
    "pawn": '<path d="M50 16A14 14 0 0 1 58.5 41.1L65 47H56Q58 64 71 76V86H29V76Q42 64 44 47H35'
    'L41.5 41.1A14 14 0 0 1 50 16Z"/>',
    "rook": '<path d="M26 16H38V24H45V16H55V24H62V16H74V34L66 40V66L72 74H77V86H23V74H28L34 66V40L26 34Z"/>'
    f'<path d="M34 40H66M34 66H66" {_THIN}/>',
    "knight": '<path d="M45 10L51 21Q79 27 79 64V86H31Q29 70 43 58Q50 52 50 45Q44 52 36 52L29 60Q21 62 17 54L15 49'
    'Q23 40 28 30Q31 24 38 21Z"/>'
    f'<path d="M57 29Q71 38 71 68" {_THIN}/><circle cx="37" cy="33" r="3" fill="currentColor" stroke="none"/>',
    "bishop": '<path d="M50 9A6 6 0 0 1 53 20Q68 31 68 46Q68 56 61 62L64 73H75V86H25V73H36L39 62Q32 56 32 46Q32 31 47'
    ' 20A6 6 0 0 1 50 9Z"/>'
    f'<path d="M50 32V47M42.5 39H57.5M39 62H61M36 73H64" {_THIN}/>',
    "queen": '<path d="M19 32L33 55L35 25L45.5 51L50 18L54.5 51L65 25L67 55L81 32L72 69L76 76V86H24V76L28 69Z"/>'
    + "".join(f'<circle cx="{x}" cy="{y}" r="5"/>' for x, y in ((18, 27), (35, 20), (50, 14), (65, 20), (82, 27)))
    + f'<path d="M28 69H72" {_THIN}/>',
    "king": '<path d="M46 7H54V14H61V21H54V30Q60 28 66 31Q84 34 82 50Q80 60 72 68L74 76V86H26V76L28 68Q20 60 18 50'
    'Q16 34 34 31Q40 28 46 30V21H39V14H46Z"/>'
    f'<path d="M28 68Q50 60 72 68M50 34V60" {_THIN}/>',
}

_SHAPES = {
    "disc": f'{_ROUND}<circle cx="50" cy="50" r="28" {_THIN} stroke-opacity="0.35"/>',
    "stone": f'{_ROUND}<ellipse cx="39" cy="36" rx="13" ry="9" transform="rotate(-38 39 36)"'
    ' fill="#ffffff" fill-opacity="0.35" stroke="none"/>',
    "plain": _ROUND,
    "double": '<circle cx="50" cy="56" r="36"/><circle cx="50" cy="44" r="36"/>'
    f'<path d="M32 54V36L41 45L50 32L59 45L68 36V54Z" {_THIN}/>',
    "cross": '<path d="M22 12L50 40L78 12L88 22L60 50L88 78L78 88L50 60L22 88L12 78L40 50L12 22Z"/>',
    "ring": '<path fill-rule="evenodd" d="M50 10A40 40 0 1 0 50 90A40 40 0 1 0 50 10Z'
    'M50 27A23 23 0 1 1 50 73A23 23 0 1 1 50 27Z"/>',
    "dot": '<circle cx="50" cy="50" r="24"/>',
    "square": '<rect x="16" y="16" width="68" height="68" rx="8"/>',
    "triangle": '<path d="M50 14L90 84H10Z"/>',
    "hexagon": '<path d="M50 10L86 30V70L50 90L14 70V30Z"/>',
    "stick": '<rect x="43" y="10" width="14" height="80" rx="6"/>',
    "tile": f'<path d="{shogi.TILE}"/>',
}


def symbol_names() -> list[str]:
    """The names of all symbols."""
    return [
        *_CHESS,
        *_SHAPES,
        *(f"shogi-{name}" for name in shogi.STROKES),
        *(f"seeds-{n}" for n in range(1, MOST_SEEDS + 1)),
    ]


def symbols(names: Iterable[str]) -> str:
    """The definitions of some symbols, as elements of an SVG document."""
    return "\n".join(
        f'<symbol id="{PREFIX}{name}" viewBox="0 0 100 100">{_content(name)}</symbol>' for name in sorted(set(names))
    )


def symbol_sheet() -> str:
    """An SVG document that defines all symbols, for pages to use."""
    return f'<svg xmlns="http://www.w3.org/2000/svg" width="0" height="0">\n{symbols(symbol_names())}\n</svg>\n'


def _content(name: str) -> str:
    kind, _, which = name.partition("-")
    if kind == "shogi":
        colour = "#e5533d" if which in shogi.PROMOTED else "currentColor"
        strokes = f'fill="none" stroke="{colour}" stroke-width="8" stroke-linecap="round" stroke-linejoin="round"'
        place = 'transform="translate(25 29) scale(0.5 0.58)"'
        return f'{_SHAPES["tile"]}<path {place} d="{shogi.STROKES[which]}" {strokes}/>'
    if kind == "seeds":
        return _seeds(int(which))
    return _CHESS.get(name) or _SHAPES[name]


def _seeds(count: int) -> str:
    """A heap of seeds, arranged like those of a sunflower."""
    spread = 34 / math.sqrt(max(count, 4))
    places = [
        (50 + spread * math.sqrt(n + 0.5) * math.cos(2.4 * n), 50 + spread * math.sqrt(n + 0.5) * math.sin(2.4 * n))
        for n in range(count)
    ]
    size = 15 if count <= 4 else 11 if count <= 9 else 9
    return "".join(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{size}"/>' for x, y in places)
