"""Names of directions, and what relative ones mean for a facing.

Absolute directions are texts: 16 compass winds, ``CW CCW In Out`` on circular boards, ``U UN ... D DN ...`` between
layers, and group names such as ``Adjacent``.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

COMPASS = ("N", "NNE", "NE", "ENE", "E", "ESE", "SE", "SSE", "S", "SSW", "SW", "WSW", "W", "WNW", "NW", "NNW")
ROTATIONAL = ("Out", "CW", "In", "CCW")
SPATIAL = (
    *("D", "DN", "DNE", "DE", "DSE", "DS", "DSW", "DW", "DNW"),
    *("U", "UN", "UNE", "UE", "USE", "US", "USW", "UW", "UNW"),
)
SPECIFIC = frozenset((*COMPASS, *ROTATIONAL, *SPATIAL))
RELATIONS = ("Orthogonal", "Diagonal", "OffDiagonal", "Adjacent", "All")
GROUPS = (
    *("All", "Angled", "Adjacent", "Axial", "Orthogonal", "Diagonal", "OffDiagonal"),
    *("SameLayer", "Upward", "Downward", "Rotational", "Base", "Support"),
)
# The order in which radials are collected, so that of several opposites the first is kept.
ABSOLUTE = (
    *GROUPS,
    *("N", "E", "S", "W", "NE", "SE", "NW", "SW", "NNW", "WNW", "WSW", "SSW", "SSE", "ESE", "ENE", "NNE"),
    *("CW", "CCW", "In", "Out"),
    *("U", "UN", "UNE", "UE", "USE", "US", "USW", "UW", "UNW"),
    *("D", "DN", "DNE", "DE", "DSE", "DS", "DSW", "DW", "DNW"),
)
# Winds from east against the clock, which is how angles grow.
_BY_ANGLE_8 = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")
_BY_ANGLE_16 = (
    *("E", "ENE", "NE", "NNE", "N", "NNW", "NW", "WNW"),
    *("W", "WSW", "SW", "SSW", "S", "SSE", "SE", "ESE"),
)
_COARSE = {"ENE": "NE", "NNE": "NE", "NNW": "NW", "WNW": "NW", "WSW": "SW", "SSW": "SW", "SSE": "SE", "ESE": "SE"}


def compass_name(angle: float, *, fine: bool, level: int = 0) -> str:
    """The name of a step.

    Args:
        angle: of the step, anticlockwise from east, in radians.
        fine: use 16 winds instead of 8.
        level: 1 for a step upwards, -1 for one downwards, 0 on the level.
    """
    while angle < 0:
        angle += 2 * math.pi
    count = 16 if fine else 8
    names = _BY_ANGLE_16 if fine else _BY_ANGLE_8
    name = names[int((angle + math.pi / count) / (2 * math.pi / count)) % count]
    if level == 0:
        return name
    return ("U" if level > 0 else "D") + _COARSE.get(name, name)


def group_of(name: str) -> str:
    """The layer group that a specific direction belongs to."""
    if name in COMPASS:
        return "SameLayer"
    return "Upward" if name.startswith("U") else "Downward"


def rank(name: str) -> int:
    """Place of a specific direction in a list of supported directions."""
    for family in (COMPASS, ROTATIONAL, SPATIAL):
        if name in family:
            return family.index(name)
    return len(COMPASS)


_LEFT_ROTATIONAL = {"Out": "CCW", "CW": "In", "In": "CW", "CCW": "Out"}
_RIGHT_ROTATIONAL = {"Out": "CW", "CW": "In", "In": "CCW", "CCW": "Out"}
_OPPOSITE_ROTATIONAL = {"Out": "In", "CW": "CCW", "In": "Out", "CCW": "CW"}


def _spatial_turn(name: str, turn: int) -> str:
    base = 0 if name.startswith("D") else 9
    place = SPATIAL.index(name) - base
    return name if place == 0 else SPATIAL[base + (place - 1 + turn) % 8 + 1]


def left(name: str) -> str:
    """The next direction to the left: one wind of 16, or of 8 between layers."""
    if name in COMPASS:
        return COMPASS[(COMPASS.index(name) - 1) % 16]
    return _LEFT_ROTATIONAL[name] if name in ROTATIONAL else _spatial_turn(name, -1)


def right(name: str) -> str:
    """The next direction to the right."""
    if name in COMPASS:
        return COMPASS[(COMPASS.index(name) + 1) % 16]
    return _RIGHT_ROTATIONAL[name] if name in ROTATIONAL else _spatial_turn(name, 1)


def leftward(name: str) -> str:
    """A quarter turn to the left."""
    return COMPASS[(COMPASS.index(name) - 4) % 16] if name in COMPASS else left(name)


def rightward(name: str) -> str:
    """A quarter turn to the right."""
    return COMPASS[(COMPASS.index(name) + 4) % 16] if name in COMPASS else right(name)


def opposite(name: str) -> str:
    """Half a turn."""
    if name in COMPASS:
        return COMPASS[(COMPASS.index(name) + 8) % 16]
    if name in ROTATIONAL:
        return _OPPOSITE_ROTATIONAL[name]
    base = 0 if name.startswith("D") else 9
    place = SPATIAL.index(name) - base
    return SPATIAL[(9 - base) + (0 if place == 0 else (place - 1 + 4) % 8 + 1)]


def relative(facing: str, name: str, supported: Sequence[str]) -> list[str]:
    """The absolute directions that a relative one means.

    >>> relative("N", "FR", ["N", "NE", "E", "SE", "S", "SW", "W", "NW"])
    ['NE']

    Args:
        facing: where the piece looks.
        name: ``Forward``, ``FL``, ``Rightwards``... ``SameDirection`` and ``OppositeDirection`` depend on the last move
            and give nothing here.
        supported: the directions that the board knows.
    """
    back = opposite(facing)
    singles = {"Forward": facing, "Backward": back, "Rightward": rightward(facing), "Leftward": leftward(facing)}
    if name in singles:
        return [singles[name]] if singles[name] in supported else []
    ranges = {
        "Forwards": (right(leftward(facing)), rightward(facing)),
        "Backwards": (right(leftward(back)), rightward(back)),
        "Rightwards": (right(facing), back),
    }
    if name in ranges:
        return _between(*ranges[name], supported)
    if name == "Leftwards":
        return _between(left(facing), back, supported, to_left=True)
    if name[:2] in ("FL", "FR", "BL", "BR"):
        # Repeating the last letter changes nothing: the search stops at the first supported direction.
        return _first(facing if name[0] == "F" else back, supported, to_left=name[1] == "L")
    return []


def _between(start: str, end: str, supported: Sequence[str], *, to_left: bool = False) -> list[str]:
    found: list[str] = []
    seen: set[str] = set()
    while start != end and start not in seen:
        seen.add(start)
        if start in supported:
            found.append(start)
        start = left(start) if to_left else right(start)
    return found


def _first(start: str, supported: Sequence[str], *, to_left: bool) -> list[str]:
    seen: set[str] = set()
    name = left(start) if to_left else right(start)
    while name not in supported:
        if name in seen:
            return []
        seen.add(name)
        name = left(name) if to_left else right(name)
    return [name]
