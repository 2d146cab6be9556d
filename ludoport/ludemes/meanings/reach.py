"""How far pieces can get in one move on an otherwise suitable board.

Looking for a threat to one site means trying the moves of all enemy pieces. Most of them stand where no move of
theirs can end on that site whatever the position is; a table answers that at once.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.fields.direction_choice import choose
from ludoport.ludemes.fields.facings import faces_by_piece, piece_facings, rotates
from ludoport.ludemes.fields.walks import destinations, walks_of

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

MOST_KINDS = 31
"""Bits of the numbers in tables."""

_FRAMES = {"or", "if", "priority", "do"}
_RAYS = {"move Slide", "move Hop"}


def reach_table(program: Program, groups: list[tuple[Ludeme, list[int]]]) -> str | None:
    """A table with a bit for each component, set where it might move from one board site (row) to another (column).

    Returns:
        The table's name; None where nothing is known or the table would be large.
    """
    n = program.n_board
    if len(program.components) > MOST_KINDS or n * n > 10_000:
        return None
    flat = [0] * (n * n)
    useful = False
    for moves, components in groups:
        for facings, kinds in _by_facing(program, components).items():
            bits = sum(1 << c for c in kinds)
            ends = _ends(program, moves, facings)
            useful |= ends is not None
            for site in range(n):
                for there in range(n) if ends is None else ends[site]:
                    flat[site * n + there] |= bits
    return program.module.table("REACH", flat) if useful else None


def _by_facing(program: Program, components: list[int]) -> dict[tuple[str, ...], list[int]]:
    """Components grouped by where they may face; in a stack the piece on top decides that."""
    known = piece_facings(program)
    everywhere = tuple(sorted({facing or "N" for facing in known}))
    found: dict[tuple[str, ...], list[int]] = {}
    for index in components:
        owner = program.components[index].owner
        facing = "" if rotates(program) else known[index if faces_by_piece(program) else owner]
        sure = facing and 1 <= owner <= program.n_players and not program.stacking and taken("aim")
        found.setdefault((facing,) if sure else everywhere, []).append(index)
    return found


def may_reach(program: Program, groups: list[tuple[Ludeme, list[int]]], frm: str, piece: str) -> Bool:
    """Code that tests whether a piece at ``frm`` might move to the site ``target``; True where that is not known."""
    table = reach_table(program, groups)
    if table is None:
        return True
    test = f"({table}[{frm} * {program.n_board} + target] >> {piece}) & 1 != 0"
    return test if program.n_board == program.n_sites else f"(target >= {program.n_board} or {test})"


def _ends(program: Program, node: Ludeme, facings: tuple[str, ...]) -> list[set[int]] | None:
    """For each site, where the moves of a generator from there might end; None if that is not known."""
    if node.keyword == "do" and node.peek("next") is not None:
        return None
    if node.keyword in _FRAMES:
        found: list[set[int]] = [set() for _ in range(program.n_board)]
        for part in _parts(node):
            ends = _ends(program, part, facings)
            if ends is None:
                return None
            for mine, more in zip(found, ends, strict=True):
                mine |= more
        return found
    source = node.peek("from")
    if isinstance(source, Ludeme) and not _plain(source):
        return None
    try:
        return _single(program, node, facings)
    except (LudoportError, AssertionError, KeyError, ValueError):
        return None


def _parts(node: Ludeme) -> list[Ludeme]:
    """The generators directly below one that combines them; what follows a move does not matter."""
    parts: list[Ludeme] = []
    for name, value in dict.items(node.args):
        if name == "then":
            continue
        values = value if isinstance(value, list) else [value]
        parts += [v for v in values if isinstance(v, Ludeme) and v.kind == "moves"]
    return parts


def _plain(source: Ludeme) -> bool:
    """Whether an origin is just ``(from)``, perhaps with a level or a condition."""
    if source.peek("region") is not None:
        return False
    place = source.peek("loc")
    return place is None or (isinstance(place, Ludeme) and place.keyword == "from" and not place.args)


def _walked(program: Program, node: Ludeme, facings: tuple[str, ...]) -> list[set[int]] | None:
    """Where a walk by directions, one step each, might lead the piece; after a step it may face anywhere."""
    to, inner = node.peek("to"), node.peek("moves")
    if set(node.args) - {"directions", "to", "from", "moves", "then"}:
        return None
    if inner is None and isinstance(to, Ludeme):
        effect = to.peek("effect")
        inner = effect.peek("effect") if isinstance(effect, Ludeme) and effect.keyword == "apply" else None
    if isinstance(inner, Ludeme) and inner.keyword == "if" and set(inner.args) == {"cond", "list"}:
        inner = inner.peek("list")
    if not isinstance(inner, Ludeme):
        return None
    choice = choose(node.peek("directions"), "Adjacent")
    if choice.dynamic is not None:
        return None
    names = sorted({name for facing in facings for name in choice.absolute(program, facing)})
    first = [set(program.steps(site, names)) for site in range(program.n_board)]
    if inner.keyword == "move":
        source, end = inner.peek("from"), inner.peek("to")
        own = isinstance(source, Ludeme) and not source.args
        return first if own and isinstance(end, Ludeme) and not set(end.args) - {"effect"} else None
    source = inner.peek("from")
    place = source.peek("loc") if isinstance(source, Ludeme) and set(source.args) == {"loc"} else None
    if inner.keyword != "forEach Direction" or not isinstance(place, Ludeme) or place.keyword != "to" or place.args:
        return None
    every = tuple(program.sites.supported_directions("All"))
    then = _walked(program, inner, every)
    return None if then is None else [{end for site in sites for end in then[site]} for sites in first]


def _single(program: Program, node: Ludeme, facings: tuple[str, ...]) -> list[set[int]] | None:
    sites = range(program.n_board)
    if node.keyword == "move Leap":
        walks = walks_of(node, "walk")
        supported = program.sites.supported_directions("Orthogonal")
        return [set(destinations(program, site, walks, supported)) for site in sites]
    if node.keyword == "move Pass":
        return [set() for _ in sites]
    if node.keyword == "forEach Direction" and taken("safe"):
        return _walked(program, node, facings)
    if node.keyword != "move Step" and (node.keyword not in _RAYS or node.peek("track") is not None):
        return None
    choice = choose(node.peek("directions"), "Adjacent")
    if choice.dynamic is not None:
        return None
    names = sorted({name for facing in facings for name in choice.absolute(program, facing)})
    if node.keyword == "move Step":
        return [set(program.steps(site, names)) for site in sites]
    ends = [{there for ray in program.radials(site, names) for there in ray} for site in sites]
    if node.keyword == "move Hop":
        ends = [mine | set(program.steps(site, names)) for site, mine in zip(sites, ends, strict=True)]
    return ends
