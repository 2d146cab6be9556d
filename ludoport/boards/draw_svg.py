"""A picture of a board as SVG."""

from __future__ import annotations

from collections.abc import Callable
from html import escape

from ludoport.boards.board import Board
from ludoport.boards.geometry import Point

_CELLS = ("#f0d9b5", "#d9b98a", "#c7a677", "#b58f60", "#e6cfa8", "#a8834f")
_LINE = "#5b4630"


def draw_svg(
    board: Board,
    *,
    text_of_site: Callable[[int], str] = lambda site: "",
    colour_of_site: Callable[[int], str] = lambda site: "white",
    labels: bool = False,
    unit: float = 48.0,
) -> str:
    """Draw a board with pieces.

    Args:
        board: what to draw.
        text_of_site: letters on the piece at a site; an empty text for no piece.
        colour_of_site: fill colour of the piece at a site.
        labels: write the label of each empty site.
        unit: pixels for the side of a tile.

    Returns:
        The text of an SVG document.
    """
    graph, sites = board.graph, board.default
    x0, y0, width, height = graph.bounds()
    margin = 0.7
    left, top = x0 - margin, y0 + height + margin
    pixels = ((width + 2 * margin) * unit, (height + 2 * margin) * unit)

    def at(x: float, y: float) -> Point:
        return (round((x - left) * unit, 2), round((top - y) * unit, 2))

    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{pixels[0]:.0f}" height="{pixels[1]:.0f}" '
        f'viewBox="0 0 {pixels[0]:.2f} {pixels[1]:.2f}">'
    ]
    if board.kind == "Cell":
        phases = sites.phase
        for face in graph.faces:
            corners = " ".join("{},{}".format(*at(v.x, v.y)) for v in face.vertices)
            fill = _CELLS[phases[face.id] % len(_CELLS)]
            parts.append(f'<polygon points="{corners}" fill="{fill}" stroke="{_LINE}"/>')
    else:
        for edge in graph.edges:
            (ax, ay), (bx, by) = at(edge.a.x, edge.a.y), at(edge.b.x, edge.b.y)
            parts.append(f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" stroke="{_LINE}"/>')
        if board.kind == "Vertex":
            for vertex in graph.vertices:
                x, y = at(vertex.x, vertex.y)
                parts.append(f'<circle cx="{x}" cy="{y}" r="{unit * 0.06:.2f}" fill="{_LINE}"/>')
    for site in range(sites.n):
        x, y = at(sites.x[site], sites.y[site])
        text = text_of_site(site)
        if text:
            parts.append(_piece(x, y, text, colour_of_site(site), unit))
        elif labels:
            parts.append(_text(x, y, sites.label[site], unit * 0.24, _LINE))
    parts.append("</svg>")
    return "\n".join(parts)


def _piece(x: float, y: float, text: str, colour: str, unit: float) -> str:
    ink = "white" if colour in ("black", "#000", "#000000") else "black"
    disc = f'<circle cx="{x}" cy="{y}" r="{unit * 0.36:.2f}" fill="{escape(colour)}" stroke="black"/>'
    return disc + _text(x, y, text, unit * 0.4 / max(1.0, len(text) * 0.6), ink)


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    return (
        f'<text x="{x}" y="{y}" font-family="sans-serif" font-size="{size:.1f}" fill="{colour}" '
        f'text-anchor="middle" dominant-baseline="central">{escape(text)}</text>'
    )
