"""Directions as names of steps, and the lines that they lead along."""

from __future__ import annotations

from typing import Any

from ludoport.boards.directions import COMPASS, relative
from ludoport.lud.tree import Ludeme, Word
from ludoport.verify.slow.context import Context, number, truth
from ludoport.verify.slow.registry import NotCovered, means


def named(node: Any, cx: Context, site: int, kind: str | None = None, default: str = "Adjacent") -> list[str]:
    """The absolute directions that a part of the text means for the piece on a site."""
    if node is None:
        return [default]
    if isinstance(node, Word):
        if node.enum == "RelativeDirection":
            return _relative([node.name], cx, site, kind, "Adjacent", False)
        return [node.name]
    assert isinstance(node, Ludeme)
    key = node.key
    if key == "direction:if":
        chosen = "directionsOk" if truth(node.args["condition"], cx) else "directionsNotOk"
        return named(node.args[chosen], cx, site, kind)
    if key in ("direction:difference", "direction:union"):
        one = named(node.args["directions"], cx, site, kind)
        other = named(node.args["directionsToRemove"], cx, site, kind)
        if key == "direction:union":
            return [*one, *(d for d in other if d not in one)]
        sites = cx.game.sites(kind)
        spread = [d for name in one for d in (sites.supported_directions(name) if name in _GROUPS else [name])]
        less = {d for name in other for d in (sites.supported_directions(name) if name in _GROUPS else [name])}
        return [d for d in spread if d not in less]
    if key != "direction:directions":
        raise NotCovered(key)
    if node.get("absoluteDirection") is not None:
        return [str(node.args["absoluteDirection"])]
    if node.get("absoluteDirections") is not None:
        return [str(d) for d in node.args["absoluteDirections"]]  # type: ignore[union-attr]
    if node.get("from") is not None:
        a, b = number(node.args["from"], cx), number(node.args["to"], cx)
        sites = cx.game.sites(str(node.args["type"]))
        if a < 0 or b < 0 or a >= sites.n:
            return []
        return [d for d in sites.supported_directions("All") if any(b in line[1:] for line in sites.radials(a, d))]
    single = node.get("relativeDirection")
    listed = node.get("relativeDirections")
    names = (
        [str(single)] if single is not None else [str(d) for d in listed] if isinstance(listed, list) else ["Forward"]
    )
    if single is None and listed is None:
        raise NotCovered("direction:directions without a direction")
    return _relative(names, cx, site, kind, str(node.get("of") or "Adjacent"), node.get("bySite") is True)


_GROUPS = ("Adjacent", "Orthogonal", "Diagonal", "OffDiagonal", "All")

for _key, _args in (
    ("direction:if", "condition directionsOk directionsNotOk"),
    ("direction:difference", "directions directionsToRemove"),
    ("direction:union", "directions directionsToRemove"),
    (
        "direction:directions",
        "absoluteDirection absoluteDirections relativeDirection relativeDirections of bySite type from to",
    ),
):
    means(_key, _args)(lambda node, cx: named(node, cx, cx.slot("from")))


def _relative(names: list[str], cx: Context, site: int, kind: str | None, of: str, by_site: bool) -> list[str]:
    sites = cx.game.sites(kind)
    piece = cx.piece(site, kind) if site >= 0 else None
    facing = cx.game.facing(piece.what) if piece else "N"
    if piece and piece.rotation:
        raise NotCovered("a relative direction of a rotated piece")
    if "facing" in cx.slots:
        facing = cx.slots["facing"]
    supported = sites.supported_at(site, of) if by_site else sites.supported_directions(of)
    found: list[str] = []
    for name in names:
        if name in ("SameDirection", "OppositeDirection"):
            last = cx.position.last
            if last is None:
                continue
            a, b = (last.from_, last.to) if name == "SameDirection" else (last.to, last.from_)
            if a < 0 or b < 0 or a >= sites.n:
                continue
            found += [d for d in supported if any(b in line[1:] for line in sites.radials(a, d))][:1]
        else:
            found += relative(facing, name, supported)
    return list(dict.fromkeys(found))


def steps(cx: Context, site: int, names: list[str], kind: str | None = None) -> list[int]:
    """The sites one step away, each once."""
    sites = cx.game.sites(kind)
    if not 0 <= site < sites.n:
        return []
    return list(dict.fromkeys(to for name in names for to in sites.steps(site, name)))


def lines(cx: Context, site: int, names: list[str], kind: str | None = None) -> list[tuple[int, ...]]:
    """The straight lines from a site, each beginning with it."""
    sites = cx.game.sites(kind)
    if not 0 <= site < sites.n:
        return []
    return [line for name in names for line in sites.radials(site, name)]


def walked(cx: Context, site: int, walk: list[str], facing: str) -> int:
    """Last site of a walk of F, L and R from a site, -1 if it leaves the board."""
    sites = cx.game.default
    supported = sites.supported_directions("Orthogonal")
    for step in walk:
        if step == "F":
            ahead = sites.steps(site, facing)
            if not ahead:
                return -1
            site = ahead[0]
        else:
            place = COMPASS.index(facing)
            turn = 1 if step == "R" else -1
            place += turn
            while COMPASS[place % 16] not in supported:
                place += turn
            facing = COMPASS[place % 16]
    return site


def facings(cx: Context) -> list[str]:
    """The orthogonal directions of the board."""
    return [d for d in cx.game.default.supported_directions("Orthogonal") if d in COMPASS]


__all__ = ["facings", "lines", "named", "steps", "walked"]
