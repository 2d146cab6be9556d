"""Positions for the terminal, for games of all languages: coordinates, colours, and the last move marked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ludoport.boards.draw_text import CharacterGrid
from ludoport.drawing.glyphs import kind_letters
from ludoport.drawing.plan import outside_labels, tile_size
from ludoport.drawing.shogi import LETTERS as SHOGI
from ludoport.kernels.geometry import Figure, Geometry

RESET, BOLD, DIM, MARK = "\x1b[0m", "\x1b[1m", "\x1b[2m", "\x1b[7m"
PLAYER_COLOURS = ("\x1b[33m", "\x1b[36m", "\x1b[31m", "\x1b[34m", "\x1b[32m", "\x1b[35m")
"""Foreground colours of the players' pieces, which can be told apart on dark and on light ground."""

CHESS = {"King": "K", "Queen": "Q", "Rook": "R", "Bishop": "B", "Knight": "N", "Pawn": "P"}


def terminal_picture(
    geometry: Geometry,
    figures: Mapping[int, Sequence[Figure]],
    names: Sequence[str] = (),
    marked: Iterable[int] = (),
    colour: bool = True,
) -> str:
    """A board as lines of characters.

    Kinds of pieces are letters, capitals for the first player and small letters for the others; stones are the first
    letter of their player. Marked sites are shown reversed, or in square brackets without colours.

    Args:
        geometry: the board.
        figures: the pieces by site, from the bottom.
        names: the players.
        marked: sites to mark, such as those of the last move.
        colour: whether to use colours.
    """
    glyphs = _glyphs(geometry, figures, names)
    width = max(map(len, glyphs))
    characters = CharacterGrid([(site.x, site.y) for site in geometry.sites], width + 1)
    lines: dict[int, dict[int, str]] = {}
    chosen = set(marked)
    for number, site in enumerate(geometry.sites):
        line, column = characters.at((site.x, site.y))
        owner = figures[number][-1].owner if figures.get(number) else -1
        shown = _coloured(glyphs[number], owner, number in chosen, colour)
        lines.setdefault(line, {})[column] = shown
    for place, name in outside_labels(geometry.sites, tile_size(geometry.sites)):
        line, column = characters.at(place)
        row = lines.setdefault(line, {})
        while any(taken <= column + len(name) and column <= taken + width for taken in row):
            column += -1 if column <= min(row) else 1
        row[column] = f"{DIM}{name}{RESET}" if colour else name
    board = _joined(lines)
    return "\n".join([*board, *_hands(geometry, figures, names)])


def _glyphs(geometry: Geometry, figures: Mapping[int, Sequence[Figure]], names: Sequence[str]) -> list[str]:
    """The characters of every site."""
    letters = kind_letters({(figure.owner, figure.name) for pile in figures.values() for figure in pile})
    found = []
    for number, site in enumerate(geometry.sites):
        pile = figures.get(number, ())
        if not pile:
            found.append("." if site.outline or geometry.edges else " ")
            continue
        top = pile[-1]
        kind = CHESS.get(top.name) or SHOGI.get(top.name) or letters.get(top.name)
        letter = "#" if not top.owner else kind or _initial(names, top.owner)
        if kind and top.owner > 1:
            letter = kind.lower()
        high = max(len(pile), top.count)
        found.append(f"{letter}{high if high > 1 else ''}")
    return found


def _initial(names: Sequence[str], owner: int) -> str:
    """The first letter of a player's name, or the number where two begin alike."""
    initials = [name[:1].upper() for name in names]
    return initials[owner - 1] if owner <= len(names) and len(set(initials)) == len(initials) else str(owner)


def _coloured(glyph: str, owner: int, marked: bool, colour: bool) -> str:
    if not colour:
        return f"[{glyph}]" if marked else glyph
    style = DIM if owner < 0 else BOLD
    if owner > 0:
        style += PLAYER_COLOURS[(owner - 1) % len(PLAYER_COLOURS)]
    return f"{MARK if marked else ''}{style}{glyph}{RESET}"


def _joined(lines: Mapping[int, Mapping[int, str]]) -> list[str]:
    """Characters at their columns; escape sequences take no room."""
    left = min(column for row in lines.values() for column in row)
    texts = []
    for line in range(max(lines), min(lines) - 1, -1):
        text, used = "", 0
        for column, shown in sorted(lines.get(line, {}).items()):
            begin = column - left - shown.startswith("[")
            text += " " * max(0, begin - used) + shown
            used = max(used, begin) + visible_length(shown)
        texts.append(text)
    return texts


def visible_length(text: str) -> int:
    """Characters of a text without escape sequences."""
    length, inside = 0, False
    for character in text:
        if character == "\x1b":
            inside = True
        elif inside:
            inside = character != "m"
        else:
            length += 1
    return length


def _hands(geometry: Geometry, figures: Mapping[int, Sequence[Figure]], names: Sequence[str]) -> Iterable[str]:
    for hand in geometry.hands:
        held = [figure for site in hand.sites for figure in figures.get(site, ())]
        if held:
            name = names[hand.owner - 1] if 0 < hand.owner <= len(names) else f"player {hand.owner}"
            pieces = [figure.name if figure.count == 1 else f"{figure.name} x{figure.count}" for figure in held]
            yield f"{name} in hand: {', '.join(pieces)}"
