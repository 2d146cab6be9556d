"""Numbers and sites drawn at random."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, Static, collect, refuse_picking
from ludoport.ludemes.core.registry import int_ludeme, number, region, region_ludeme
from ludoport.ludemes.fields.dice import all_faces
from ludoport.ludemes.fields.position import empty_at
from ludoport.ludemes.meanings.ints_arithmetic import binary
from ludoport.ludemes.meanings.moves_parts import range_of

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def _draws(program: Program) -> dict[int, int]:
    return {}


def draw(cx: Cx, node: Ludeme, n: Expr, *further: Expr) -> str:
    """Code that draws a number below n.

    While moves are listed, each ludeme has a draw of its own for every start and end of a move, so that listing and
    playing a move agree.
    """
    known = cx.program.memo(_draws)
    first = len(all_faces(cx.program)) + known.setdefault(id(node), len(known)) * 1_000_003
    sites = cx.program.n_sites + 1
    bound = [cx.slots[slot] for slot in ("frm", "to")]
    terms = [f"({value} + 1) * {unit}" for value, unit in zip(bound, (sites, 1), strict=True) if value != -1]
    return f"chance(state, {n}, {' + '.join([str(first), *map(str, further), *terms])})"


@int_ludeme("value Random", reads=["board"], chance=True, calculates=True)
def value_random(node: Ludeme, cx: Cx) -> Expr:
    """A number of a range, both ends included."""
    low, high = (cx.once(end) for end in range_of(node.args["range"], cx, 0, 0))
    return cx.name(binary("+", low, draw(cx, node, binary("+", binary("-", high, low), 1))), "drawn")


class RandomSites(Region):
    """Some different sites of a region."""

    def __init__(self, node: Ludeme, base: Region, count: Expr) -> None:
        self.node, self.base, self.number = node, base, count

    def _gather(self, cx: Cx, add: object) -> None:
        """Draw among the sites in ascending order; one that was drawn already is drawn again."""

        def every(inner: Cx, found: object) -> None:
            with self.base.each(inner) as site:
                found(site)  # type: ignore[operator]

        marks, _, total = collect(cx, every)
        left, rounds, wanted, site = cx.fresh("left"), cx.fresh("rounds"), cx.fresh("wanted"), cx.fresh("s")
        cx.line(f"{left} = min({self.number}, {total})")
        cx.line(f"{rounds} = 0")
        with cx.block(f"while {left} > 0 and {rounds} < 100000:"):
            cx.line(f"{wanted} = {draw(cx, self.node, total, rounds)}")
            cx.line(f"{rounds} += 1")
            with cx.block(f"for {site} in range({cx.program.n_sites}):"):
                with cx.block(f"if work[{marks} + {site}] != 0:"):
                    with cx.block(f"if {wanted} == 0 and work[{marks} + {site}] == 1:"):
                        cx.line(f"work[{marks} + {site}] = 2")
                        cx.line(f"{left} -= 1")
                        add(site)  # type: ignore[operator]
                    cx.line(f"{wanted} -= 1")

    def contains(self, cx: Cx, site: Expr) -> Bool:
        """Draw, and test whether a site is among the drawn ones."""
        name = cx.name(site, "s")
        marks, _, _ = collect(cx, self._gather)
        return f"(on_board({name}) and work[{marks} + {name}] != 0)"

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Draw, and walk through the drawn sites."""
        refuse_picking(cx)
        _, items, count = collect(cx, self._gather)
        index, name = cx.fresh("i"), cx.fresh("s")
        with cx.block(f"for {index} in range({count}):"):
            cx.line(f"{name} = work[{items} + {index}]")
            yield name


@region_ludeme("sites Random", reads=["board"], chance=True)
def sites_random(node: Ludeme, cx: Cx) -> Region:
    """Some sites of a region, or of the empty ones."""
    if cx.program.drawn is not None:
        return Static(cx.program.drawn, cx.program)
    given: Value | None = node.get("region")
    base = region(given, cx) if given is not None else EmptySites()
    return RandomSites(node, base, cx.name(number(node.get("num"), cx, 1)))


class EmptySites(Region):
    """The empty sites of the board."""

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the board in the order of its sites."""
        name = cx.fresh("s")
        with cx.block(f"for {name} in range({cx.program.n_board}):"), cx.when(empty_at(cx.program, name)):
            yield name
