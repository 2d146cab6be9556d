"""Positions as SVG pictures."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from html import escape

from ludoport.drawing.colours import CELLS, LABEL, LINE, MARK, NEUTRAL, SEED, edge_of, ink_on, player_fills
from ludoport.drawing.glyphs import HOLE, PIT, has_pits, kind_letters
from ludoport.drawing.piles import Placed, arranged, badge
from ludoport.drawing.plan import plan_of
from ludoport.drawing.symbols import PREFIX, symbols
from ludoport.kernels.geometry import Figure, Geometry, Point, Site

TILE = 48.0
"""Pixels between neighbouring sites."""

SCALES = "max-width:100%;height:auto"
"""Style of a picture that shrinks to the width of the page around it."""

HEAT = "#c2185b"


def draw(
    geometry: Geometry,
    figures: Mapping[int, Sequence[Figure]],
    names: Sequence[str] = (),
    marked: Iterable[int] = (),
    title: str = "",
    facts: str = "",
    kinds: Iterable[tuple[int, str]] = (),
    heat: Mapping[int, float] | None = None,
) -> str:
    """A position as the text of an SVG document.

    Args:
        geometry: the board.
        figures: the pieces by site, from the bottom.
        names: the players; colours among them are the colours of their pieces.
        marked: sites to mark, such as those of the last move.
        title: title of the picture, for those who cannot see it.
        facts: lines to show instead where a game has no board.
        kinds: owners and names of all pieces of the game, so that letters stay the same during a game.
        heat: numbers from 0 to 1 by site, shown as discs of that area.
    """
    if not geometry.sites:
        return _lines(facts.splitlines() or [title], title)
    return _Picture(geometry, figures, names, tuple(marked), title, tuple(kinds), heat or {}).text()


class _Picture:
    """One picture while it is drawn; places are those of the board until they are written."""

    def __init__(
        self,
        geometry: Geometry,
        figures: Mapping[int, Sequence[Figure]],
        names: Sequence[str],
        marked: tuple[int, ...],
        title: str,
        kinds: tuple[tuple[int, str], ...],
        heat: Mapping[int, float],
    ) -> None:
        self.geometry, self.figures, self.marked, self.title, self.heat = geometry, figures, marked, title, heat
        self.fills = player_fills(names)
        shown = {(figure.owner, figure.name) for pile in figures.values() for figure in pile}
        self.letters = kind_letters(shown.union(kinds))
        self.pits = has_pits(geometry, shown.union(kinds))
        self.plan = plan_of(
            geometry, [hand for hand in geometry.hands if any(figures.get(site) for site in hand.sites)]
        )
        self.left, self.bottom, self.right, self.top = self.plan.bounds
        self.used: set[str] = set()

    def text(self) -> str:
        """The whole document."""
        width, height = ((end - begin) * self.unit for begin, end in ((self.left, self.right), (self.bottom, self.top)))
        size = f'width="{width:.0f}" height="{height:.0f}" viewBox="0 0 {width:.2f} {height:.2f}"'
        head = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} style="{SCALES}" font-family="sans-serif">']
        if self.title:
            head.append(f"<title>{escape(self.title)}</title>")
        parts = [*self._board(), *self._sides(), *self._marks(), *self._heat()]
        parts += [_text(*self.at(*place), text, 0.3 * TILE, LABEL) for place, text in self.plan.labels]
        if not self.plan.labels:
            for number, site in enumerate(self.geometry.sites):
                if site.label and not self.figures.get(number):
                    parts.append(_text(*self.at(site.x, site.y), site.label, 0.2 * TILE, LINE))
        parts += self._pieces()
        defined = [f"<defs>\n{symbols(self.used)}\n</defs>"] if self.used else []
        return "\n".join([*head, *defined, *parts, "</svg>"])

    @property
    def unit(self) -> float:
        """Pixels for a length of 1."""
        return TILE / self.plan.tile

    def at(self, x: float, y: float) -> Point:
        """A place in pixels."""
        return round((x - self.left) * self.unit, 2), round((self.top - y) * self.unit, 2)

    def _board(self) -> Iterable[str]:
        places = self.geometry.by_number.values()
        if self.geometry.edges:
            yield from self._ground()
        if self.pits:
            for site in self.geometry.sites:
                x, y = self.at(site.x, site.y)
                yield f'<circle cx="{x}" cy="{y}" r="{PIT * TILE:.2f}" fill="{CELLS[1]}" stroke="{LINE}"/>'
            return
        for site in places:
            if site.outline and site.kind == "cell":
                fill = CELLS[site.shade % len(CELLS)]
                yield f'<polygon points="{self._points(site.outline)}" fill="{fill}" stroke="{LINE}"/>'
                yield from self._holes(site)
        played_on_edges = any(site.kind == "edge" for site in places)
        for begin, end in self.geometry.edges:
            yield self._line(begin, end, LINE, 1.2, 'stroke-dasharray="2 4"' if played_on_edges else "")
        if self.geometry.edges:
            for x, y in sorted({place for edge in self.geometry.edges for place in edge}):
                across, down = self.at(x, y)
                yield f'<circle cx="{across}" cy="{down}" r="{0.05 * TILE:.2f}" fill="{LINE}"/>'

    def _holes(self, site: Site) -> Iterable[str]:
        """The places of a column of a rack."""
        x, y = self.at(site.x, site.y)
        for level in range(self.geometry.rack):
            place = f'cx="{x}" cy="{y - level * TILE:.2f}" r="{HOLE * TILE:.2f}"'
            yield f'<circle {place} fill="{LINE}" fill-opacity="0.25"/>'

    def _ground(self) -> Iterable[str]:
        """The wood below lines."""
        shapes = [place for edge in self.geometry.edges for place in edge]
        pad = 0.45 * self.plan.tile
        x, y = self.at(min(x for x, _ in shapes) - pad, max(y for _, y in shapes) + pad)
        right, below = self.at(max(x for x, _ in shapes) + pad, min(y for _, y in shapes) - pad)
        size = f'width="{right - x:.2f}" height="{below - y:.2f}"'
        yield f'<rect x="{x}" y="{y}" {size} rx="6" fill="{CELLS[0]}"/>'

    def _sides(self) -> Iterable[str]:
        """Lines in the colours of the players along their sides of the board."""
        for begin, end, _ in self.plan.sides:
            yield self._line(begin, end, LINE, 8.5)
        for begin, end, owner in self.plan.sides:
            yield self._line(begin, end, self._fill(owner), 6)

    def _marks(self) -> Iterable[str]:
        for number in self.marked:
            site = self.geometry.by_number.get(number)
            if site is None:
                continue
            x, y = self.at(site.x, site.y)
            if self.geometry.rack:
                y = round(y - max(0, len(self.figures.get(number, ())) - 1) * TILE, 2)
            shape = f'circle cx="{x}" cy="{y}" r="{0.46 * TILE:.2f}"'
            if site.kind == "edge":
                yield self._line(site.outline[0], site.outline[-1], MARK, 16, 'class="marked"')
                continue
            if site.outline and not self.geometry.rack:
                shape = f'polygon points="{self._points(site.outline)}"'
            yield f'<{shape} fill="{MARK}" fill-opacity="0.6" class="marked"/>'

    def _heat(self) -> Iterable[str]:
        for number, amount in self.heat.items():
            site = self.geometry.by_number.get(number)
            if site is not None and amount > 0:
                x, y = self.at(site.x, site.y)
                radius = 0.46 * TILE * min(1.0, amount) ** 0.5
                yield f'<circle cx="{x}" cy="{y}" r="{radius:.2f}" fill="{HEAT}" fill-opacity="0.75" class="heat"/>'

    def _pieces(self) -> Iterable[str]:
        places = {number: (site.x, site.y) for number, site in self.geometry.by_number.items()} | self.plan.hands
        for number, pile in self.figures.items():
            if number not in places or not pile:
                continue
            site = self.geometry.by_number.get(number)
            if site is not None and site.kind == "edge":
                yield self._line(site.outline[0], site.outline[-1], self._fill(pile[-1].owner), 7)
                continue
            x, y = self.at(*places[number])
            for placed in arranged(pile, self.letters, self.geometry.rack):
                yield self._piece(placed, x + placed.right * TILE, y - placed.up * TILE)
            if number_text := badge(pile, self.geometry.rack):
                yield _badge(x + 0.32 * TILE, y - 0.32 * TILE, number_text)

    def _piece(self, placed: Placed, x: float, y: float) -> str:
        glyph = placed.glyph
        self.used.add(glyph.symbol)
        seeds = glyph.symbol.startswith("seeds-") and placed.figure.owner not in range(1, len(self.fills) + 1)
        fill = SEED if seeds else self._fill(placed.figure.owner)
        size = 0.92 * TILE * placed.size
        colours = (
            f'fill="{fill}" stroke="{edge_of(fill)}" color="{ink_on(fill)}" stroke-width="3" stroke-linejoin="round"'
        )
        turn = f' transform="rotate({glyph.turned} {x:.2f} {y:.2f})"' if glyph.turned % 360 else ""
        box = f'x="{x - size / 2:.2f}" y="{y - size / 2:.2f}" width="{size:.2f}" height="{size:.2f}"'
        shape = f'<use href="#{PREFIX}{glyph.symbol}" {box} {colours}{turn}/>'
        text = str(placed.figure.value) if placed.figure.value else glyph.text
        wide = 0.42 if len(text) == 1 else 0.32 if len(text) == 2 else 0.24
        return shape + _text(x, y, text, wide * TILE * placed.size, ink_on(fill)) if text else shape

    def _fill(self, owner: int) -> str:
        return self.fills[owner - 1] if 1 <= owner <= len(self.fills) else NEUTRAL

    def _line(self, begin: Point, end: Point, colour: str, width: float, style: str = "") -> str:
        (ax, ay), (bx, by) = self.at(*begin), self.at(*end)
        style = f'stroke="{colour}" stroke-width="{width:g}" stroke-linecap="round" {style}'.strip()
        return f'<line x1="{ax}" y1="{ay}" x2="{bx}" y2="{by}" {style}/>'

    def _points(self, outline: Iterable[Point]) -> str:
        return " ".join("{},{}".format(*self.at(*corner)) for corner in outline)


def _badge(x: float, y: float, text: str) -> str:
    disc = f'<circle cx="{x:.2f}" cy="{y:.2f}" r="{0.17 * TILE:.2f}" fill="#fffbe6" stroke="#222222"/>'
    return disc + _text(x, y, text, 0.24 * TILE, "#222222")


def _text(x: float, y: float, text: str, size: float, colour: str) -> str:
    style = f'font-size="{size:.1f}" fill="{colour}" text-anchor="middle" dy="0.35em"'
    return f'<text x="{x:.2f}" y="{y:.2f}" {style}>{escape(text)}</text>'


def _lines(lines: Sequence[str], title: str) -> str:
    """Text as a picture."""
    width, height = 9 * max(map(len, lines)) + 24, 20 * len(lines) + 16
    size = f'width="{width}" height="{height}" viewBox="0 0 {width} {height}" style="{SCALES}"'
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" {size} font-family="monospace">']
    parts += [f"<title>{escape(title)}</title>"] if title else []
    parts.append(f'<rect width="{width}" height="{height}" rx="6" fill="{CELLS[0]}"/>')
    parts += [f'<text x="12" y="{20 * n + 24}" font-size="14">{escape(line)}</text>' for n, line in enumerate(lines)]
    return "\n".join([*parts, "</svg>"])
