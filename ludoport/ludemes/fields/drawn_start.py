"""Start rules that put pieces on random sites of regions that depend on the pieces placed before.

All outcomes are worked out in advance: a tree has a node for every draw, and a list of pieces for every way to its end.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from ludoport.budget import spend
from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.registry import number, region
from ludoport.ludemes.fields.facings import TURNS
from ludoport.ludemes.fields.starting import (
    Placement,
    chance_nodes,
    drawn_nodes,
    is_drawn,
    placed_by,
    placements,
    standing_on,
)

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

_MOST_NODES = 20_000
_MOST_DRAWS = 10_000


@dataclass
class SetupDraws:
    """A tree of draws; a node without candidates is the end, and has a list of pieces."""

    candidates: list[int] = field(default_factory=list)
    after: list[list[int]] = field(default_factory=list)
    """For each node and each number drawn the next node; the same node if the site was drawn before."""
    placed: list[list[Placement]] = field(default_factory=list)

    def node(self) -> int:
        """A new node."""
        self.candidates.append(0)
        self.after.append([])
        self.placed.append([])
        return len(self.candidates) - 1


def drawn_start(program: Program) -> SetupDraws | None:
    """All outcomes of the start rules from the first one that puts pieces on random sites; None without such rules."""
    return program.memo(_draws)


def _draws(program: Program) -> SetupDraws | None:
    rules = drawn_nodes(program)
    if not rules:
        return None
    others = [node for node in rules if node.keyword not in ("place", "place Stack") or node.get("container")]
    if others or chance_nodes(program) or program.stacking:
        source = (others or chance_nodes(program) or rules)[0].source
        raise UnsupportedError("this start rule is not implemented yet beside pieces on random sites", source)
    return _Growing(program, rules).draws


class _Growing:
    """Works out the tree, start rule after start rule; equal positions share a node."""

    def __init__(self, program: Program, rules: list[Ludeme]) -> None:
        self.program, self.rules = program, rules
        # Before the game, the first player is the mover.
        self.cx = program.root(Function("unused", [])).bind(mover=1, nxt=min(2, program.n_players), prv=0)
        self.draws = SetupDraws()
        self.known: dict[object, int] = {}
        self.before = placements(program)
        self._rule(0, [])

    def _rule(self, k: int, placed: list[Placement]) -> int:
        """The node from which the remaining start rules are followed."""
        key = (k, frozenset(placed))
        if key not in self.known:
            spend()
            self.known[key] = -1
            self.known[key] = self._follow(k, placed)
        return self.known[key]

    def _follow(self, k: int, placed: list[Placement]) -> int:
        while k < len(self.rules):
            rule = self.rules[k]
            with standing_on(self.program, self.before + placed):
                if is_drawn(rule):
                    node = rule.args["region"]
                    assert isinstance(node, Ludeme)
                    many = number(node.get("num"), self.cx, 1)
                    given = node.get("region")
                    sites = region(given, self.cx).static if given is not None else None
                    if sites is None or not isinstance(many, int):
                        text = "start rules with random sites of a region that is not known are not implemented yet"
                        raise UnsupportedError(text, rule.source)
                    if sites and many > 0:
                        return self._draw(k, placed, tuple(sorted(set(sites))), min(many, len(set(sites))), ())
                else:
                    placed = placed + self._free(placed_by(rule, self.cx), placed)
            k += 1
        end = self.draws.node()
        self.draws.placed[end] = placed
        return end

    def _free(self, new: list[Placement], placed: list[Placement]) -> list[Placement]:
        """A piece already on the board stays there."""
        taken = {each.site for each in self.before + placed}
        return [each for each in new if each.site not in taken]

    def _draw(self, k: int, placed: list[Placement], sites: tuple[int, ...], left: int, drawn: tuple[int, ...]) -> int:
        """A node that draws one of some sites; one that was drawn already is drawn again."""
        node = self.draws.node()
        if node > _MOST_NODES:
            raise UnsupportedError(
                "start rules with that many random outcomes are not implemented yet", self.rules[k].source
            )
        self.draws.candidates[node] = len(sites)
        after: list[int] = []
        for site in sites:
            if site in drawn:
                after.append(node)
            elif left > 1:
                after.append(self._draw(k, placed, sites, left - 1, (*drawn, site)))
            else:
                after.append(self._rule(k + 1, placed + self._put(k, (*drawn, site), placed)))
        self.draws.after[node] = after
        return node

    def _put(self, k: int, drawn: tuple[int, ...], placed: list[Placement]) -> list[Placement]:
        """The pieces of a rule on the sites that were drawn."""
        program = self.program
        program.drawn = drawn
        try:
            return self._free(placed_by(self.rules[k], self.cx), placed)
        finally:
            program.drawn = None


def write_drawn(program: Program, f: Function) -> None:
    """Write the draws, and the pieces that they put on the board."""
    draws = drawn_start(program)
    if draws is None:
        return
    kinds = list(dict.fromkeys(replace(each, site=0) for placed in draws.placed for each in placed))
    width = max(map(len, draws.placed))
    first: list[int] = []
    after: list[int] = []
    ends: list[int] = []
    rows: list[int] = []
    for k, placed in enumerate(draws.placed):
        first.append(len(after))
        after += draws.after[k]
        ends.append(len(rows) // width if placed else 0)
        if placed:
            codes = [each.site * len(kinds) + kinds.index(replace(each, site=0)) for each in placed]
            rows += codes + [-1] * (width - len(codes))
    table = program.module.table
    many, starts = table("DRAWS", draws.candidates), table("DRAW_FIRST", first)
    f.line("node = 0")
    with f.block(f"for k in range({_MOST_DRAWS}):"):
        with f.block(f"if {many}[node] == 0:"):
            f.line("break")
        f.line(f"node = {table('DRAW_AFTER', after)}[{starts}[node] + chance(state, {many}[node], 0)]")
    f.line(f"end = {table('DRAW_END', ends)}[node] * {width}")
    with f.block(f"for i in range({width}):"):
        f.line(f"code = {table('DRAWN', rows)}[end + i]")
        with f.block("if code >= 0:"):
            f.line(f"s = code // {len(kinds)}")
            f.line(f"kind = code % {len(kinds)}")
            f.line(f"place(state, s, {table('DRAWN_PIECE', [each.component for each in kinds])}[kind])")
            for name, values in (
                ("COUNT", [each.count for each in kinds]),
                ("STATE", [each.state for each in kinds]),
                ("VALUE", [max(each.value, 0) for each in kinds]),
                ("ROTATION", [each.rotation % TURNS for each in kinds]),
            ):
                if program.state.has(name):
                    f.line(f"state[{name} + s] = {table(f'DRAWN_{name}', values)}[kind]")
            if program.cover:
                f.line("cover(state, s)")
            f.line("state[LAST_FROM] = s")
            f.line("state[LAST_TO] = s")
