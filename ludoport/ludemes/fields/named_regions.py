"""Regions that belong to the equipment: containers, hands, and the regions with names and owners."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.known import entry_of
from ludoport.ludemes.core.region import PerPlayer, Region, Static, Union
from ludoport.ludemes.core.registry import number, region

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def everywhere(program: Program) -> Region:
    """All sites of all containers."""
    return Static(tuple(range(program.n_sites)), program)


def whole_board(program: Program) -> Region:
    """All sites of the board."""
    return Static(tuple(range(program.n_board)), program)


def hand_bases(program: Program) -> list[int]:
    """The first hand site of each player number from 0; -1 where there is none."""
    bases = [-1] * (program.n_players + 2)
    for hand in program.hands:
        bases[hand.owner] = hand.base
    return bases


def hand_region(cx: Cx, who: Value | Expr | None) -> Region:
    """The hand sites of a player."""
    program = cx.program
    choices: list[tuple[int, ...]] = [()] * (program.n_players + 2)
    for hand in program.hands:
        choices[hand.owner] = tuple(range(hand.base, hand.base + hand.size))
    if isinstance(who, Word):
        if who.name in ("All", "Each"):
            return Static(tuple(s for c in choices for s in c), program)
        who = number(who, cx)
    if isinstance(who, int):
        return Static(entry_of(choices, who, ()), program)
    assert isinstance(who, str)
    return PerPlayer(cx.name(who), tuple(choices), program)


def named_region(cx: Cx, name: str | None, who: Value | None, node: Ludeme) -> Region:
    """The union of the regions of a player, or of those with a name."""
    program = cx.program
    if who is None:
        matching = [r for r in program.regions if r.name == name]
        if not matching:
            return _container_region(program, str(name), node)
        return _united([part for r in matching for part in r.parts], cx)
    if isinstance(who, Word) and who.name in ("All", "Each"):
        chosen = [r for r in program.regions if name is None or name in r.name]
        return _united([part for r in chosen for part in r.parts], cx)
    owner = number(who, cx)
    choices: list[tuple[int, ...]] = []
    dynamic = False
    for player in range(program.n_players + 2):
        if isinstance(owner, int) and player != owner:
            # A region may be made of those of players, whose names its own name contains.
            choices.append(())
            continue
        chosen = [r for r in program.regions if r.owner == player and (name is None or name in r.name)]
        united = _united([part for r in chosen for part in r.parts], cx)
        dynamic |= united.static is None
        choices.append(united.static or ())
    if dynamic:
        raise UnsupportedError("named regions that change during play are not implemented yet", node.source)
    if isinstance(owner, int):
        return Static(entry_of(choices, owner, ()), program)
    return PerPlayer(cx.name(owner), tuple(choices), program)


def _container_region(program: Program, name: str, node: Ludeme) -> Region:
    if name.startswith("Hand"):
        for index, hand in enumerate(program.hands, 1):
            if name == f"Hand{hand.owner}" or name == f"Hand{index}":
                return Static(tuple(range(hand.base, hand.base + hand.size)), program)
    if name == "Board":
        return whole_board(program)
    base, sites = program.kind_block(node.get("siteType"))
    label = sites.site_of(name)
    if label is not None:
        return Static((base + label,), program)
    if program.regions:
        # Texts shared by several boards may speak of regions that one of them does not have.
        return Static((), program)
    raise LudError(f"there is no region `{name}`; the game has none", node.source)


def _united(parts: list[Value], cx: Cx) -> Region:
    regions = [region(part, cx) for part in parts]
    if all(r.static is not None for r in regions):
        return Static(tuple(dict.fromkeys(s for r in regions for s in (r.static or ()))), cx.program)
    return Union(regions)


def player_regions(program: Program, player: int) -> list[list[int]]:
    """The regions of a player, each apart."""
    scratch = program.root(Function("unused", []))
    found = []
    for each in program.regions:
        if each.owner == player:
            for part in each.parts:
                sites = region(part, scratch).static
                if sites is None:
                    raise UnsupportedError("named regions that change during play are not implemented yet")
                found.append(list(sites))
    return found


def region_type(program, kind: str, node: Ludeme) -> list[list[int]]:  # type: ignore[no-untyped-def]
    """The regions of a word such as ``Sides``."""
    sites = program.sites
    if kind == "Corners":
        return [[c] for c in sites.corners]
    if kind == "Sides":
        return [list(s) for s in sites.sides.values() if len(s) > 1]
    if kind == "SidesNoCorners":
        corners = set(sites.corners)
        return [rest for s in sites.sides.values() if len(s) > 1 and (rest := [x for x in s if x not in corners])]
    if kind in ("Rows", "Columns", "Phases"):
        return [list(g) for g in getattr(sites, kind.lower())]
    if kind == "AllDirections":
        raise UnsupportedError("the regions `AllDirections` are not implemented yet", node.source)
    raise LudError(f"`{kind}` does not name a list of regions", node.source)
