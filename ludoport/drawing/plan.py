"""Places in a picture of a board: tiles, labels, sides of players, hands."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ludoport.kernels.geometry import Geometry, HandSites, Point, Site


@dataclass(frozen=True)
class Plan:
    """A board with all that is drawn around it; lengths are those of the board.

    Attributes:
        tile: distance of neighbouring sites.
        labels: names of columns and rows, each with its place.
        sides: outer edges of the board that belong to a player.
        hands: places of the sites of hands.
        bounds: left, bottom, right, top.
    """

    tile: float
    labels: tuple[tuple[Point, str], ...]
    sides: tuple[tuple[Point, Point, int], ...]
    hands: dict[int, Point]
    bounds: tuple[float, float, float, float]


def plan_of(geometry: Geometry, hands: Sequence[HandSites] | None = None) -> Plan:
    """Places of all parts.

    Args:
        geometry: the board.
        hands: hands that get a place; default: all.
    """
    sites = list(geometry.by_number.values())
    tile = tile_size(geometry.sites)
    labels = outside_labels(geometry.sites, tile)
    shapes = [point for site in sites for point in (*site.outline, (site.x, site.y))]
    shapes += [point for edge in geometry.edges for point in edge]
    shapes += [place for place, _ in labels]
    pad = 0.55 * tile
    left, right = min(x for x, _ in shapes) - pad, max(x for x, _ in shapes) + pad
    bottom, top = min(y for _, y in shapes) - pad, max(y for _, y in shapes) + pad
    places: dict[int, Point] = {}
    across = max(1, int((right - left) / tile - 0.1))
    for hand in geometry.hands if hands is None else hands:
        rows = -(-len(hand.sites) // across)
        above = hand.owner % 2 == 0
        first = top + (rows - 0.5) * tile if above else bottom - 0.5 * tile
        for number, site in enumerate(hand.sites):
            places[site] = (left + (0.6 + number % across) * tile, first - number // across * tile)
        if above:
            top += rows * tile
        else:
            bottom -= rows * tile
    return Plan(tile, tuple(labels), tuple(owned_edges(geometry.sites)), places, (left, bottom, right, top))


def tile_size(sites: Sequence[Site]) -> float:
    """The distance of neighbouring sites: the least of all."""
    places = sorted((site.x, site.y) for site in sites)
    best = math.inf
    for number, (x, y) in enumerate(places):
        for other in places[number + 1 :]:
            if other[0] - x >= best:
                break
            gap = math.hypot(other[0] - x, other[1] - y)
            if gap > 1e-6:
                best = min(best, gap)
    return best if math.isfinite(best) else 1.0


def lozenge(site: Site, tile: float) -> tuple[Point, ...]:
    """The outline of an edge, wide enough to be clicked; that of a cell as it is."""
    if site.kind != "edge":
        return site.outline
    (ax, ay), (bx, by) = site.outline[0], site.outline[-1]
    length = math.hypot(bx - ax, by - ay) or 1.0
    dx, dy = (bx - ax) / length, (by - ay) / length
    wide = 0.22 * tile
    left, right = (site.x - wide * dy, site.y + wide * dx), (site.x + wide * dy, site.y - wide * dx)
    return (ax, ay), right, (bx, by), left


def outside_labels(sites: Sequence[Site], tile: float) -> list[tuple[Point, str]]:
    """Names of columns and rows beside the board, each in line with its sites; none where there is no room for one."""
    found: list[tuple[Point, str]] = []
    ways: list[tuple[str, Callable[[Site], Point], Point]] = [
        ("column", lambda site: (site.y, site.x), (0.0, -1.0)),
        ("row", lambda site: (site.x, site.y), (-1.0, 0.0)),
    ]
    for axis, end, otherwise in ways:
        lines: dict[str, list[Site]] = {}
        for site in sites:
            lines.setdefault(getattr(site, axis), []).append(site)
        if "" in lines:
            return []
        # Lines of one site have no direction of their own.
        usual = _direction(max(lines.values(), key=len), end) or otherwise
        for name, members in lines.items():
            place = _free_end(members, _direction(members, end) or usual, sites, [place for place, _ in found], tile)
            if place is None:
                return []
            found.append((place, name))
    return found


def _direction(members: Sequence[Site], end: Callable[[Site], Point]) -> Point | None:
    """The unit vector along a line of sites, towards the end that is labelled: the lowest or the leftmost."""
    first, last = min(members, key=end), max(members, key=end)
    length = math.hypot(first.x - last.x, first.y - last.y)
    return ((first.x - last.x) / length, (first.y - last.y) / length) if length > 1e-6 else None


def _free_end(
    members: Sequence[Site], direction: Point, sites: Sequence[Site], taken: Sequence[Point], tile: float
) -> Point | None:
    """A place just beyond one end of a line of sites, off the board and away from other labels."""
    for sign in (1, -1):
        dx, dy = sign * direction[0], sign * direction[1]
        site = max(members, key=lambda site: site.x * dx + site.y * dy)
        place = site.x + 0.85 * tile * dx, site.y + 0.85 * tile * dy
        if site.kind == "vertex" and min(abs(dx), abs(dy)) < 1e-6:
            dx, dy = round(dx), round(dy)
            # Lines of points may end inside the board, as in Nine Men's Morris; their names stand outside of it.
            reach = max(other.x * dx + other.y * dy for other in sites) + 0.85 * tile
            place = (reach * dx, place[1]) if dx else (place[0], reach * dy)
        off = all(math.hypot(other.x - place[0], other.y - place[1]) > 0.7 * tile for other in sites)
        if off and all(math.dist(place, other) > 0.3 * tile for other in taken):
            return place
    return None


def owned_edges(sites: Sequence[Site]) -> Iterator[tuple[Point, Point, int]]:
    """The outer edges of the sides of players; an edge of a corner goes to the owner whose other edges are nearer."""
    edges: dict[frozenset[Point], list[tuple[Point, Point, Site]]] = {}
    for site in sites:
        if site.kind != "cell":
            continue
        for begin, end in zip(site.outline, (*site.outline[1:], *site.outline[:1]), strict=True):
            key = frozenset((round(x, 3), round(y, 3)) for x, y in (begin, end))
            edges.setdefault(key, []).append((begin, end, site))
    outer = [found[0] for found in edges.values() if len(found) == 1 and found[0][2].owners]
    clear = [(_mid(begin, end), site.owners[0]) for begin, end, site in outer if len(site.owners) == 1]
    for begin, end, site in outer:
        owner = site.owners[0]
        if len(site.owners) > 1:
            near = [(math.dist(place, _mid(begin, end)), who) for place, who in clear if who in site.owners]
            owner = min(near)[1] if near else owner
        yield begin, end, owner


def _mid(begin: Point, end: Point) -> Point:
    return (begin[0] + end[0]) / 2, (begin[1] + end[1]) / 2
