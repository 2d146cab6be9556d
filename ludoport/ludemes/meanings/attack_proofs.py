"""Proofs about threats: that nothing but what stands on a destination and on the sites passed decides about them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.traits import reads
from ludoport.ludemes.fields.direction_choice import choose
from ludoport.ludemes.fields.maps import map_entries

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_ABOUT_TARGET = {"not", "and", "or", "is Enemy", "is Friend", "is Empty", "who", "to"}


def further_attacks(node: Ludeme) -> list[Ludeme] | None:
    """The generators of a rule of play that may threaten something beside the moves of the pieces.

    Returns:
        The generators, often none; None where it is not known what threatens.
    """
    if node.keyword == "if":
        cond, other = node.peek("cond"), node.peek("elseList")
        role = cond.peek("role") if isinstance(cond, Ludeme) and cond.keyword == "is Prev" else None
        # An enemy whose moves are looked at never moved before as well.
        if isinstance(role, Word) and role.name == "Mover":
            return further_attacks(other) if isinstance(other, Ludeme) else []
        return [node]
    if node.keyword == "do" and node.peek("next") is None:
        prior = node.peek("prior")
        return further_attacks(prior) if isinstance(prior, Ludeme) else None
    if node.keyword in ("or", "and"):
        found = [further_attacks(part) for part in _parts(node)]
        return None if None in found else [each for part in found for each in part or []]
    if node.keyword == "forEach Piece":
        return None if set(node.args) - {"then"} else []
    if node.keyword == "move Pass":
        return []
    to = node.peek("to")
    return [] if node.keyword == "move" and isinstance(to, Ludeme) and _vacant(to.peek("region")) else None


def attacked_sites(program: Program, nodes: list[Ludeme]) -> NDArray[np.bool_] | None:
    """For each player (row) the sites at which such generators might end; None if that is not known."""
    found = np.zeros((program.n_players + 2, program.n_board), dtype=bool)
    for node in nodes:
        for part in node.walk():
            if part.kind != "moves" or part.keyword in ("if", "or", "and"):
                continue
            if not _decides(node, part):
                continue
            try:
                if part.keyword != "move Slide" or not _mark_slide(program, part, found):
                    return None
            except (LudoportError, AssertionError, KeyError, ValueError):
                return None
    return found


def _decides(node: Ludeme, part: Ludeme) -> bool:
    """Whether a part of a generator is a move of its own, and no condition, effect or consequent."""
    if node is part:
        return True
    if node.keyword not in ("if", "or", "and"):
        return False
    return any(_decides(inner, part) for inner in _parts(node) if inner.kind == "moves")


def _mark_slide(program: Program, node: Ludeme, found: NDArray[np.bool_]) -> bool:
    """Mark all sites that a slide from a place known for each player might get to."""
    source = node.peek("from")
    place = source.peek("loc") if isinstance(source, Ludeme) and set(source.args) == {"loc"} else None
    if not isinstance(place, Ludeme) or place.keyword != "mapEntry":
        return False
    key, name = place.peek("key"), place.peek("name")
    if not isinstance(key, Ludeme) or key.keyword != "mover" or key.args:
        return False
    entries = map_entries(program, str(name) if name is not None else None, place)
    choice = choose(node.peek("directions"), "Adjacent")
    if choice.dynamic is not None or choice.relative or node.peek("track") is not None:
        return False
    names = choice.absolute(program, "N")
    for player in range(1, program.n_players + 1):
        origin = entries.get(player, -1)
        if not 0 <= origin < program.n_board:
            return False
        for ray in program.radials(origin, names):
            found[player, list(ray[: _longest(node)])] = True
    return True


def _longest(node: Ludeme) -> int | None:
    """Maximum length of a slide."""
    between = node.peek("between")
    limits = between.peek("range") if isinstance(between, Ludeme) else None
    if isinstance(limits, Ludeme) and limits.keyword == "exact":
        value = limits.peek("value")
        return value if isinstance(value, int) else None
    return None


def _vacant(sites: Value | None) -> bool:
    """Whether a region has empty sites only."""
    if not isinstance(sites, Ludeme):
        return False
    return (sites.keyword == "sites Empty" and not sites.args) or (
        sites.keyword == "difference" and _vacant(sites.peek("source"))
    )


def _parts(node: Ludeme) -> list[Ludeme]:
    values = [
        v for k, value in dict.items(node.args) if k != "then" for v in (value if isinstance(value, list) else [value])
    ]
    return [v for v in values if isinstance(v, Ludeme)]


def attacks(node: Ludeme) -> bool:
    """Whether nothing but the destination and the sites passed decides about the moves of a piece.

    A move that needs something to be pending counts too: where nothing is, there is no such move.
    """
    if node.keyword in ("or", "and"):
        return all(map(attacks, _parts(node)))
    if node.keyword == "if":
        cond = node.peek("cond")
        known = isinstance(cond, Ludeme) and all(not reads(p) and p.keyword not in ("last", "to") for p in cond.walk())
        return known and all(attacks(p) for p in _parts(node) if p.kind == "moves")
    if node.keyword == "move Pass":
        return True
    if node.keyword == "forEach Direction":
        return _walks(node)
    if node.keyword not in ("move Step", "move Slide", "move Leap"):
        return False
    if set(node.args) - {"to", "directions", "between", "walk", "then", "forward", "rotations"}:
        return False
    to, between = node.peek("to"), node.peek("between")
    if isinstance(to, Ludeme):
        effect = to.peek("effect")
        decides = isinstance(effect, Ludeme) and effect.peek("if") is not None
        if decides or to.peek("region") is not None or not _about_target(to.peek("if")):
            return False
    return not isinstance(between, Ludeme) or not set(between.args) - {"range"}


def _walks(node: Ludeme) -> bool:
    """Whether a walk by directions, such as a knight's, looks at nothing on the way."""
    if set(node.args) - {"directions", "to", "from", "moves", "then"}:
        return False
    to, source = node.peek("to"), node.peek("from")
    if source is not None and not (isinstance(source, Ludeme) and set(source.args) == {"loc"}):
        return False
    where = source.peek("loc") if isinstance(source, Ludeme) else None
    if where is not None and not (isinstance(where, Ludeme) and where.keyword in ("to", "from") and not where.args):
        return False
    inner = node.peek("moves")
    if isinstance(to, Ludeme):
        effect = to.peek("effect")
        if set(to.args) - {"if", "effect"} or to.peek("if") not in (None, True) or inner is not None:
            return False
        if not isinstance(effect, Ludeme) or effect.keyword != "apply" or set(effect.args) != {"effect"}:
            return False
        inner = effect.peek("effect")
    return isinstance(inner, Ludeme) and _walked(inner)


def _walked(node: Ludeme) -> bool:
    """Whether what a walk leads to is decided by its destination."""
    if node.keyword == "forEach Direction":
        return _walks(node)
    if node.keyword == "if":
        inner = node.peek("list")
        return set(node.args) == {"cond", "list"} and _about_target(node.peek("cond")) and _walked_to(inner)
    return _walked_to(node)


def _walked_to(node: Value | None) -> bool:
    """Whether a move leads the piece itself to the end of the walk."""
    if not isinstance(node, Ludeme) or node.keyword != "move" or set(node.args) - {"from", "to", "then"}:
        return False
    source, to = node.peek("from"), node.peek("to")
    if not isinstance(source, Ludeme) or source.args or not isinstance(to, Ludeme):
        return False
    return not set(to.args) - {"effect"}


def _about_target(cond: Value | None) -> bool:
    """Whether a condition reads only the owner at the destination, or what is pending."""
    if not isinstance(cond, Ludeme):
        return cond is None
    if cond.keyword == "and" and any(p.keyword == "is Pending" and not p.args for p in _parts(cond)):
        return True
    return {part.keyword for part in cond.walk()} <= _ABOUT_TARGET
