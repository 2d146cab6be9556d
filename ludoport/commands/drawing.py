"""A position as SVG."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ludoport.game import Game, State

COLOURS = ("#9a9a9a", "white", "black", "#c0392b", "#2874a6", "#229954", "#b7950b", "#7d3c98", "#d35400")
"""Fill colours of pieces by owner; 0 is nobody."""


def position_svg(game: Game, state: State) -> str:
    """Draws a board and the pieces that stand on it; the top piece of a stack is shown."""
    from ludoport.boards.draw_svg import draw_svg
    from ludoport.ludemic import ludemic

    rules = ludemic(game.rules)
    owners = {piece.name: piece.owner for piece in rules.components}
    top = {site: _name(piece) for site, piece in state.pieces().items()}

    def text(site: int) -> str:
        return top[site].rstrip("0123456789")[:2] if site in top else ""

    def colour(site: int) -> str:
        return COLOURS[owners.get(top.get(site, ""), 0) % len(COLOURS)]

    return draw_svg(rules.board, text_of_site=text, colour_of_site=colour, labels=True)


def _name(piece: str | list[str]) -> str:
    """The component that a site shows, without count and state."""
    shown = piece if isinstance(piece, str) else piece[-1]
    return shown.split("*")[0].split("/")[0]
