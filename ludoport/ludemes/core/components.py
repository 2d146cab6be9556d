"""Finding components, by the names that a text gives them and by the moves that they have."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from ludoport.errors import LudError
from ludoport.lud.tree import Ludeme, Text
from ludoport.ludemes.core.conditions import any_of
from ludoport.ludemes.core.context import Bool, Expr

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def named_number(program: Program, text: Text) -> Expr:
    """A number written as a string: a site's label or a component's name."""
    for component in program.components[1:]:
        if component.name == text.text:
            return component.index
    return program.site_of(text, program.sites)


def names_something(program: Program, text: Text) -> bool:
    """Whether a string is a component's name or a site's label."""
    named = any(component.name == text.text for component in program.components[1:])
    return named or program.has_site(text, program.sites)


def component_by_full_name(program: Program, name: str, node: Ludeme) -> int:
    """The number of the component with this full name."""
    for component in program.components[1:]:
        if component.name == name:
            return component.index
    for component in program.components[1:]:
        if component.label == name:
            return component.index
    names = ", ".join(c.name for c in program.components[1:])
    raise LudError(f"there is no piece `{name}`; the pieces are {names}", node.source)


def component_by_name(program: Program, name: str, owner: Expr) -> Expr:
    """The first component whose name contains a text and whose owner is given; -1 if there is none."""
    if isinstance(owner, int):
        return _of_owner(program, name, owner)
    return f"{program.memo(_piece_of, name)}[{owner}]"


def _of_owner(program: Program, name: str, owner: int) -> int:
    for component in program.components[1:]:
        if name in component.name and component.owner == owner:
            return component.index
    return -1


def _piece_of(program: Program, name: str) -> str:
    """The table of the components of all players whose names contain a text."""
    players = range(program.n_players + 2)
    return program.module.table("PIECE_OF", [_of_owner(program, name, player) for player in players])


def is_named(program: Program, piece: str, name: str) -> Bool:
    """Code that tests whether a component's name contains a text."""
    return one_of(piece, [c.index for c in program.components[1:] if name in c.name])


def one_of(value: str, numbers: Sequence[int]) -> Bool:
    """Code that tests whether a value is one of some numbers."""
    if not numbers:
        return False
    ordered = sorted(numbers)
    if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
        return f"({ordered[0]} <= {value} <= {ordered[-1]})"
    return any_of(*[f"{value} == {n}" for n in ordered])


def piece_groups(program: Program, names: list[str] | None, specific: Ludeme | None) -> list[tuple[Ludeme, list[int]]]:
    """Components of players grouped by the moves they have."""
    groups: dict[int, tuple[Ludeme, list[int]]] = {}
    for component in program.components[1:]:
        if not 1 <= component.owner <= program.n_players:
            continue
        if names is not None and component.label not in names:
            continue
        moves = specific if specific is not None else component.moves
        if moves is not None:
            groups.setdefault(id(moves), (moves, []))[1].append(component.index)
    return list(groups.values())


def flip_tables(program: Program) -> tuple[str, str]:
    """For each component, the two local states that it flips between."""
    first = [c.flips[0] if c.flips else -1 for c in program.components]
    second = [c.flips[1] if c.flips else -1 for c in program.components]
    return program.module.table("FACE", first), program.module.table("BACK", second)


def item_names(node: Ludeme) -> list[str] | None:
    """The names of the pieces that a ludeme is about; None for all."""
    items = node.get("items")
    if isinstance(items, list):
        return [str(item) for item in items]
    item = node.get("item")
    return [str(item)] if item is not None else None
