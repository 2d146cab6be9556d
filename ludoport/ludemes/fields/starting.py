"""Start rules: the pieces of the initial position."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.components import component_by_full_name
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.features import uses_chance
from ludoport.ludemes.core.registry import condition, number, region
from ludoport.ludemes.core.traits import declare
from ludoport.ludemes.fields.domains import start_values
from ludoport.ludemes.fields.hidden import want_hidden
from ludoport.ludemes.fields.memory import remembered

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


_TALLEST = 128
"""Pieces that are placed in one stack at most; no stack is kept higher."""

declare("start:place Random", chance=True)
declare("start:place Stack", stacks=True)
declare("start:set RememberValue", named="values")
declare("start:set Team", ignores=dict.fromkeys(("index", "roles"), "no rule asks for teams"))
declare("start:set Hidden", ignores=dict.fromkeys(("type", "level"), "masks belong to whole sites of all kinds"))


@dataclass(frozen=True)
class Placement:
    """One piece, or several of a kind, put on a site before the game."""

    component: int
    site: int
    count: int = 1
    state: int = 0
    rotation: int = 0
    value: int = -1
    stacked: bool = False


def start_nodes(program: Program) -> list[Ludeme]:
    """The start rules in text order, without those that chance decides."""
    return [node for node in _before_draws(program) if not uses_chance(node)]


def chance_nodes(program: Program) -> list[Ludeme]:
    """The start rules that chance decides, in text order, before any that puts pieces on random sites."""
    return [node for node in _before_draws(program) if uses_chance(node)]


def drawn_nodes(program: Program) -> list[Ludeme]:
    """The start rules from the first one that puts pieces on random sites."""
    return _start_nodes(program)[len(_before_draws(program)) :]


def is_drawn(node: Ludeme) -> bool:
    """Whether a start rule puts pieces on random sites."""
    where = node.peek("region")
    return node.keyword == "place" and isinstance(where, Ludeme) and where.keyword == "sites Random"


def _before_draws(program: Program) -> list[Ludeme]:
    nodes = _start_nodes(program)
    return nodes[: next((k for k, node in enumerate(nodes) if is_drawn(node)), len(nodes))]


def _start_nodes(program: Program) -> list[Ludeme]:
    rules = program.description.root.args["rules"]
    assert isinstance(rules, Ludeme)
    start = rules.get("start")
    if not isinstance(start, Ludeme):
        return []
    listed = start.get("rules")
    if isinstance(listed, list):
        return [node for node in listed if isinstance(node, Ludeme)]
    one = start.args["rule"]
    assert isinstance(one, Ludeme)
    return [one]


def placements(program: Program, until: Ludeme | None = None) -> list[Placement]:
    """All pieces of the setup, or those before a start rule, in the order in which they are placed."""
    cx = program.root(Function("unused", []))
    found: list[Placement] = []
    for node in start_nodes(program):
        if node is until:
            break
        with standing_on(program, found):
            placed_here = _in_free_sites(placed_by(node, cx), found, node, program)
        beyond = next((each.site for each in placed_here if not 0 <= each.site < program.n_sites), None)
        if program.stacking and beyond is not None:
            raise LudError(f"the board has no site {beyond} for this piece", node.source)
        found += placed_here
    if program.stacking:
        return found
    # A piece already on the board stays there.
    taken: set[int] = set()
    kept = []
    for placed in found:
        if placed.site not in taken or placed.site >= program.n_board:
            kept.append(placed)
        taken.add(placed.site)
    return kept


@contextmanager
def standing_on(program: Program, placed: list[Placement]) -> Iterator[None]:
    """Context in which start rules know the pieces placed so far."""
    before, program.standing = program.standing, {}
    for each in placed:
        if program.stacking:
            program.standing[each.site] = each.component
        else:
            program.standing.setdefault(each.site, each.component)
    try:
        yield
    finally:
        program.standing = before


def start_sites(program: Program) -> tuple[tuple[int, ...], ...]:
    """For each component, its sites after the setup."""
    found: list[list[int]] = [[] for _ in program.components]
    for placed in placements(program):
        found[placed.component].append(placed.site)
    return tuple(tuple(sites) for sites in found)


def _in_free_sites(new: list[Placement], old: list[Placement], node: Ludeme, program: Program) -> list[Placement]:
    """Pieces put into a hand without a site take its first free one."""
    if node.get("container") is None or node.get("loc") is not None or program.stacking:
        return new
    taken = {placed.site for placed in old}
    moved = []
    for placed in new:
        hand = next((h for h in program.hands if h.base <= placed.site < h.base + h.size), None)
        free = [s for s in range(hand.base, hand.base + hand.size) if s not in taken] if hand is not None else []
        site = free[0] if free else placed.site
        taken.add(site)
        moved.append(replace(placed, site=site))
    return moved


def placed_by(node: Ludeme, cx: Cx) -> list[Placement]:
    """The pieces of one start rule."""
    if node.keyword in ("place", "place Stack"):
        return _place(node, cx)
    if node.keyword == "set Count":
        return _counts(node, cx)
    if node.keyword == "set" and node.get("role") is not None:
        return _set_owner(node, cx)
    if node.keyword == "forEach Site":
        return _for_each_site(node, cx)
    if node.keyword in ("forEach", "forEach Player", "forEach Value"):
        rule = node.args["startingRule"]
        assert isinstance(rule, Ludeme)
        return [placed for place in _each(node, cx) for placed in placed_by(rule, place)]
    return []


def _each(node: Ludeme, cx: Cx) -> Iterator[Cx]:
    """The places in which a repeated start rule is read."""
    if node.keyword == "forEach Value":
        for value in range(_int(node.args["min"], cx, 0), _int(node.args["max"], cx, 0) + 1):
            yield cx.bind(val=value)
        return
    players: Sequence[int] = range(1, cx.program.n_players + 1)
    if node.keyword == "forEach":
        holder = node.args["players"]
        listed = holder.get("ints") if isinstance(holder, Ludeme) and holder.keyword == "array" else None
        if not isinstance(listed, list):
            raise UnsupportedError(
                "start rules for a list of players that changes are not implemented yet", node.source
            )
        players = [_int(player, cx, 0) for player in listed]
    for player in players:
        yield cx.bind(plr=player)


def _only_places(node: Ludeme) -> bool:
    return all(part.keyword.startswith(("place", "forEach")) for part in node.walk() if part.kind == "start")


def _for_each_site(node: Ludeme, cx: Cx) -> list[Placement]:
    """A start rule for every site of a region that fulfils a condition."""
    sites = region(node.args["regionFn"], cx).static
    rule = node.args["startingRule"]
    assert isinstance(rule, Ludeme)
    if sites is None:
        raise UnsupportedError(
            "start rules with regions that depend on the position are not implemented yet", node.source
        )
    found = []
    for site in sites:
        place = cx.bind(site=site)
        test = condition(node.get("if"), place)
        if not isinstance(test, bool):
            raise UnsupportedError("start rules with conditions on the position are not implemented yet", node.source)
        if test:
            found += placed_by(rule, place)
    return found


def _counts(node: Ludeme, cx: Cx) -> list[Placement]:
    """Several pieces of the last component on each site."""
    program = cx.program
    count = _int(node.args["value"], cx, 1)
    if node.get("at") is not None:
        sites: tuple[int, ...] | None = (_int(node.args["at"], cx, 0),)
    else:
        sites = region(node.args["to"], cx).static
    if sites is None:
        raise UnsupportedError(
            "start rules with regions that depend on the position are not implemented yet", node.source
        )
    return [Placement(len(program.components) - (2 if program.cover else 1), site, count) for site in sites]


def _set_owner(node: Ludeme, cx: Cx) -> list[Placement]:
    """The first component of a role on each site."""
    program = cx.program
    owner = _int(node.args["role"], cx, 0)
    component = next((c.index for c in program.components[1:] if c.owner == owner), None)
    if component is None:
        raise LudError(f"there is no piece of `{node.args['role']}`", node.source)
    return [Placement(component, site) for site in _sites(node, cx)]


def _int(value: Value | None, cx: Cx, default: int) -> int:
    result = number(value, cx, default)
    if not isinstance(result, int):
        raise LudError("a start rule needs a number that is known before the game", getattr(value, "source", None))
    return result


def _place(node: Ludeme, cx: Cx) -> list[Placement]:
    program = cx.program
    stacked = node.keyword == "place Stack"
    items = node.get("items")
    names = [str(n) for n in items] if isinstance(items, list) else [str(node.args["item"])]
    state = _int(node.get("state"), cx, 0)
    rotation = _int(node.get("rotation"), cx, 0)
    value = _int(node.get("value"), cx, -1)
    count = _int(node.get("count"), cx, 1)
    counts = node.get("counts")
    container = node.get("container")
    if container is not None:
        told = Placement(0, 0, count, state, rotation, value)
        return [placed for name in names for placed in _in_hand(node, cx, name, str(container), told)]
    sites = _sites(node, cx)
    many = [_int(c, cx, 1) for c in counts] if isinstance(counts, list) else []
    found = []
    for index, site in enumerate(sites):
        for name in names:
            component = _component(program, name, node)
            here = many[0] if len(many) == 1 else many[index] if index < len(many) else count
            if stacked and here > _TALLEST:
                raise LudError(f"at most {_TALLEST} pieces are placed in one stack, not {here:,}", node.source)
            if stacked and here > 1:
                found += [Placement(component, site, 1, state, rotation, value, True)] * here
            else:
                found.append(Placement(component, site, here, state, rotation, value, stacked))
    return found


def _component(program: Program, name: str, node: Ludeme) -> int:
    return component_by_full_name(program, name, node)


def _sites(node: Ludeme, cx: Cx) -> list[int]:
    program = cx.program
    base, kind = program.kind_block(node.get("type"))
    if node.get("coord") is not None:
        return [base + program.site_of(node.args["coord"], kind)]
    coords = node.get("coords")
    if isinstance(coords, list):
        return [base + program.site_of(c, kind) for c in coords]
    if node.get("loc") is not None:
        return [base + _int(node.args["loc"], cx, 0)]
    locs = node.get("locs")
    if isinstance(locs, list):
        return [base + _int(loc, cx, 0) for loc in locs]
    if node.get("region") is not None:
        # Plain numbers count within the kind of sites that is named.
        program.literal_base = base
        sites = region(node.args["region"], cx).static
        program.literal_base = 0
        if sites is None:
            raise UnsupportedError(
                "start rules with regions that depend on the position are not implemented yet", node.source
            )
        return list(sites)
    raise LudError("`place` needs a site or a region", node.source)


def _in_hand(node: Ludeme, cx: Cx, name: str, container: str, told: Placement) -> list[Placement]:
    """Pieces of every player put into the players' own hands, or of one player into a named hand."""
    program = cx.program
    exact = [c for c in program.components[1:] if c.name == name]
    if exact and exact[0].label != name:
        chosen = exact
    else:
        chosen = [c for c in program.components[1:] if c.label == name or c.name == name]
    found = []
    offset = _int(node.get("loc"), cx, 0)
    for component in chosen:
        for hand in program.hands:
            if container in ("Hand", f"Hand{hand.owner}") and (hand.owner == component.owner or container != "Hand"):
                found.append(replace(told, component=component.index, site=hand.base + offset))
                break
    if not found:
        raise UnsupportedError(f"`{name}` is not placed anywhere: no hand `{container}` for it", node.source)
    return found


def _remembered(node: Ludeme, cx: Cx, before: list[tuple[str, tuple[int, ...]]]) -> list[tuple[str, tuple[int, ...]]]:
    """The calls that remember values at the start; those that must be unique only if no call before does it."""
    cx.program.primitives.add("remember")
    slot = remembered(cx.program, node.get("name"))
    if node.get("regionValue") is not None:
        values = region(node.args["regionValue"], cx).static
        if values is None:
            raise UnsupportedError(
                "start rules with regions that depend on the position are not implemented yet", node.source
            )
        told = sorted(set(values))
    else:
        told = [_int(node.args["value"], cx, 0)]
    unique = condition(node.get("unique"), cx, False)
    if not isinstance(unique, bool):
        raise UnsupportedError("`unique:` of a start rule must be known before the game", node.source)
    calls = [("remember", (slot, value)) for value in told]
    return [call for call in calls if not unique or call not in before]


def other_start_rules(program: Program) -> list[tuple[str, tuple[int, ...]]]:
    """Start rules that set numbers such as scores, as calls of primitives."""
    cx = program.root(Function("unused", []))
    calls: list[tuple[str, tuple[int, ...]]] = []
    for node in start_nodes(program):
        if node.keyword in ("place", "place Stack", "set Count", "set Team"):
            continue
        if node.keyword.startswith("forEach") and _only_places(node):
            continue
        if node.keyword == "set" and node.get("role") is not None:
            continue
        if node.keyword == "set" and node.get("pairs") is not None:
            calls += start_values(program, node)
        elif node.keyword == "set RememberValue":
            calls += _remembered(node, cx, calls)
        elif node.keyword == "set Hidden":
            want_hidden(program)  # the setup hides what it has placed
        elif node.keyword == "set Score":
            program.want_scores()
            program.primitives.add("set_score")
            role = node.get("role")
            with standing_on(program, placements(program, node)):
                value = _int(node.args["value"], cx, 0)
            everyone = role is None or (isinstance(role, Word) and role.name in ("All", "Each"))
            players = range(1, program.n_players + 1) if everyone else [_int(role, cx, 1)]
            calls += [("set_score", (player, value)) for player in players]
        else:
            raise UnsupportedError(f"the start rule `{node.keyword}` is not implemented yet", node.source)
    return calls
