"""Colours of boards and players; those of players also differ in brightness, for people who see colours differently."""

from __future__ import annotations

from collections.abc import Sequence

CELLS = ("#f0d9b5", "#d3b183", "#c19a6b", "#a8834f", "#e3c79a", "#94713f")
LINE = "#5b4630"
MARK = "#f5d90a"
LABEL = "#7d7d7d"
"""A grey that can be read on light and on dark pages."""

FILLS = {
    "White": "#ffffff", "Black": "#262626", "Red": "#e0543f", "Blue": "#1f4e8c", "Green": "#4f9d45",
    "Yellow": "#f4d03f", "Purple": "#6c2c91", "Orange": "#f39c35", "Pink": "#f4a6c0", "Grey": "#b0b0b0",
    "Brown": "#6e4b2a", "Cyan": "#7fd8d4",
}  # fmt: skip
ORDER = tuple(FILLS.values())
NAMED = {name.lower(): fill for name, fill in FILLS.items()} | {
    "gray": "#b0b0b0", "lightgrey": "#d8d8d8", "darkgrey": "#6e6e6e", "verydarkgrey": "#454545", "silver": "#c4c8cc",
    "darkgreen": "#1d6b33", "lightgreen": "#9bd48f", "darkblue": "#14315e", "lightblue": "#8fbfe8", "navy": "#14315e",
    "darkred": "#8f1f17", "lightred": "#f29184", "magenta": "#c2379b", "violet": "#8f5cc4", "turquoise": "#35b8b0",
    "gold": "#d9a915", "bronze": "#a8702c", "cream": "#f6eecb", "beige": "#e8dcc0", "teal": "#1c7a78",
    "darkbrown": "#4a3018", "lightorange": "#f8c27e", "burntorange": "#c2571a", "maroon": "#7a1f2b",
}  # fmt: skip
"""Colours by the names that game files use for players."""

NEUTRAL = "#777777"
SEED = "#7a4a1e"


def player_fills(names: Sequence[str]) -> list[str]:
    """Colour of each player: the one that the name says, otherwise the next that no name says."""
    named = [NAMED.get(name.lower().replace(" ", "")) for name in names]
    free = [colour for colour in ORDER if colour not in named] or list(ORDER)
    return [colour or free[named[:number].count(None) % len(free)] for number, colour in enumerate(named)]


def ink_on(fill: str) -> str:
    """Black or white, whichever can be read on a colour."""
    return "#1c1c1c" if brightness(fill) > 0.32 else "#ffffff"


def edge_of(fill: str) -> str:
    """Colour of the outline of a piece: dark around light pieces, light around dark ones."""
    return "#1c1c1c" if brightness(fill) > 0.06 else "#8a8a8a"


def brightness(fill: str) -> float:
    """Relative luminance of a colour, from 0 (black) to 1 (white)."""
    parts = (int(fill[place : place + 2], 16) / 255 for place in (1, 3, 5))
    red, green, blue = (part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
