"""Sets of sites in generated code: tested, walked through and counted without being built where possible."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import LudError
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.digits import NotPickable, digit

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@contextmanager
def looping(cx: Cx, index: str, bound: Expr, most: int, note: str = "") -> Iterator[str]:
    """Write a loop, or the reading of a digit where a move is drawn; yields the name of the index."""
    if cx.picking is None:
        with cx.block(f"for {index} in range({bound}):{note}"):
            yield index
        return
    with digit(cx, bound, most) as name:
        yield name


def refuse_picking(cx: Cx) -> None:
    """Regions that are collected first, and loops that are not digits, cannot be drawn from."""
    if cx.picking is not None:
        raise NotPickable("a collected region or a loop")


FEW = 24
"""Largest number of sites of a region that are counted by walking through it."""


class Region:
    """A set of sites. Every region can be tested and walked through; some are known at compile time."""

    static: tuple[int, ...] | None = None

    quick = False
    """Whether membership is tested in a few instructions, without code before the test."""

    vacant = False
    """Whether all its sites are empty, whatever the position is."""

    def contains(self, cx: Cx, site: Expr) -> Bool:
        """Code that tests whether a site (a name or a number) belongs to it; here, by looking through the region."""
        found, name = cx.fresh("found"), cx.name(site, "s")
        cx.line(f"{found} = False")
        with self.each(cx) as other, cx.block(f"if {other} == {name}:"):
            cx.line(f"{found} = True")
        return found

    def prepared(self, cx: Cx) -> Region:
        """The region for tests in a loop that begins here; what it takes to build it is written before the loop."""
        return self

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Write a loop over the sites; yields the name of the loop variable, which always holds a site."""
        raise NotImplementedError(type(self).__name__)
        yield ""

    def most(self) -> int | None:
        """Maximum number of sites, if known."""
        return None if self.static is None else len(self.static)

    def walked(self, program: Program) -> int | None:
        """Maximum number of sites that a walk looks at, where it meets each site once at most; None if not known."""
        return None if self.static is None or len(set(self.static)) < len(self.static) else len(self.static)

    def count(self, cx: Cx) -> Expr:
        """Code for the number of its sites."""
        if self.static is not None:
            return len(self.static)
        total = cx.fresh("total")
        cx.line(f"{total} = 0")
        with self.each(cx):
            cx.line(f"{total} += 1")
        return total


class Static(Region):
    """Sites known at compile time."""

    quick = True

    def __init__(self, sites: tuple[int, ...], program: Program) -> None:
        # Numbers that the game has no site for name none, as labels do.
        self.static = tuple(site for site in sites if 0 <= site < program.n_sites)
        self.program = program

    def contains(self, cx: Cx, site: Expr) -> Bool:
        assert self.static is not None
        if isinstance(site, int):
            return site in self.static
        if not self.static:
            return False
        if len(self.static) == 1:
            return f"{site} == {self.static[0]}"
        if site in cx.safe and len(set(self.static)) == self.program.n_sites:
            return True
        mask = self.program.mask(self.static)
        test = f"{mask}[{site}] != 0"
        return f"({test})" if site in cx.safe else f"(on_board({site}) and {test})"

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        assert self.static is not None
        name = cx.fresh("s")
        sites = self.static
        if len(sites) == 1:
            cx.line(f"{name} = {sites[0]}")
            yield name
            return
        if cx.picking is None and sites and sites == tuple(range(sites[0], sites[-1] + 1)):
            with cx.block(f"for {name} in range({sites[0]}, {sites[-1] + 1}):"):
                yield name
            return
        table = self.program.module.table("SITES", sites)
        with looping(cx, cx.fresh("i"), len(sites), len(sites)) as index:
            cx.line(f"{name} = {table}[{index}]")
            yield name


@dataclass
class PerPlayer(Region):
    """Known sites that depend on a player number known only when the kernel runs."""

    quick = True

    player: Expr
    choices: tuple[tuple[int, ...], ...]
    program: Program

    def most(self) -> int | None:
        return max(map(len, self.choices))

    def contains(self, cx: Cx, site: Expr) -> Bool:
        if len(set(self.choices[1 : self.program.n_players + 1])) == 1:
            return Static(self.choices[1], self.program).contains(cx, site)
        mask = self.program.player_masks(self.choices)
        test = f"{mask}[{self.player} * {self.program.n_sites} + {site}] != 0"
        return f"({test})" if isinstance(site, int) or site in cx.safe else f"(on_board({site}) and {test})"

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        width = max(map(len, self.choices)) or 1
        rows = [list(c) + [-1] * (width - len(c)) for c in self.choices]
        table = self.program.module.table("SITES_BY_PLAYER", rows)
        sizes = self.program.module.table("COUNT_BY_PLAYER", [len(c) for c in self.choices])
        name = cx.fresh("s")
        with looping(cx, cx.fresh("i"), f"{sizes}[{self.player}]", width) as index:
            cx.line(f"{name} = {table}[{self.player} * {width} + {index}]")
            yield name

    def count(self, cx: Cx) -> Expr:
        sizes = self.program.module.table("COUNT_BY_PLAYER", [len(c) for c in self.choices])
        return f"{sizes}[{self.player}]"


class Filtered(Region):
    """The sites of a region for which a test holds."""

    def __init__(self, base: Region, test: object) -> None:
        self.base = base
        self.test = test

    def contains(self, cx: Cx, site: Expr) -> Bool:
        inside = self.base.contains(cx, site)
        if inside is False:
            return False
        name = cx.name(site, "s")
        if inside is True:
            return self._test(cx.sure(name), name)
        found = cx.fresh("found")
        cx.line(f"{found} = False")
        with cx.when(inside):
            cx.line(f"{found} = {self._test(cx.sure(name), name)}")
        return found

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        most = self.base.most()
        if cx.picking is None or most is None or most > FEW:
            with self.base.each(cx) as name, cx.when(self._test(cx.plain().sure(name), name)):
                yield name
            return

        # A handful of sites is counted exactly, because a hand may well be empty.
        def body(inner: Cx) -> None:
            inner.line("total = 0")
            with self.base.each(inner) as name, inner.when(self._test(inner.sure(name), name)):
                inner.line("total += 1")
            inner.line("return total")

        plain = cx.plain()
        with digit(cx, plain.call("count", None, body), most) as wanted:
            seen = cx.fresh("seen")
            cx.line(f"{seen} = 0")
            with self.base.each(plain) as name, cx.when(self._test(plain.sure(name), name)):
                with cx.block(f"if {seen} == {wanted}:"):
                    yield name
                cx.line(f"{seen} += 1")

    def _test(self, cx: Cx, name: str) -> Bool:
        result: Bool = self.test(cx, name)  # type: ignore[operator]
        return result


class Union(Region):
    """Sites of several regions, each once."""

    def __init__(self, parts: list[Region]) -> None:
        self.parts = parts

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        return any_of(*[part.contains(cx, name) for part in self.parts])

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        with Gathered(self).each(cx) as name:
            yield name

    def gather(self, cx: Cx, add: object) -> None:
        """Write code that adds every site to a gathering set."""
        for part in self.parts:
            with part.each(cx) as name:
                add(name)  # type: ignore[operator]


class Gathered(Region):
    """A region that is collected into scratch space first, each site once."""

    def __init__(self, base: Union) -> None:
        self.base = base

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        marks, items, count = collect(cx, self.base.gather)
        del marks
        index, name = cx.fresh("i"), cx.fresh("s")
        with cx.block(f"for {index} in range({count}):"):
            cx.line(f"{name} = work[{items} + {index}]")
            yield name


def collect(cx: Cx, gather: object) -> tuple[str, str, str]:
    """Collect sites into a list without repetition.

    Returns:
        The names of the offset of the marks, of the offset of the list, and of the variable with its length.
    """
    refuse_picking(cx)
    program = cx.program
    marks = program.scratch(program.n_sites, "MARKS")
    items = program.scratch(program.n_sites, "LIST")
    count = cx.fresh("count")
    index = cx.fresh("i")
    with cx.block(f"for {index} in range({program.n_sites}):"):
        cx.line(f"work[{marks} + {index}] = 0")
    cx.line(f"{count} = 0")

    def add(site: str) -> None:
        with cx.block(f"if work[{marks} + {site}] == 0:"):
            cx.line(f"work[{marks} + {site}] = 1")
            cx.line(f"work[{items} + {count}] = {site}")
            cx.line(f"{count} += 1")

    gather(cx, add)  # type: ignore[operator]
    return marks, items, count


class ScratchRegion(Region):
    """A region built into scratch space by code written when it is first asked for."""

    def __init__(self, gather: object) -> None:
        self.gather = gather

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        marks, _, _ = collect(cx, self.gather)
        test = f"work[{marks} + {name}] != 0"
        return f"({test})" if name in cx.safe else f"(on_board({name}) and {test})"

    def prepared(self, cx: Cx) -> Region:
        return _Marked(collect(cx, self.gather)[0])

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        _, items, count = collect(cx, self.gather)
        index, name = cx.fresh("i"), cx.fresh("s")
        with cx.block(f"for {index} in range({count}):"):
            cx.line(f"{name} = work[{items} + {index}]")
            yield name

    def count(self, cx: Cx) -> Expr:
        _, _, count = collect(cx, self.gather)
        return count


@dataclass
class _Marked(Region):
    """A region that has been collected, for tests only."""

    quick = True

    marks: str

    def contains(self, cx: Cx, site: Expr) -> Bool:
        test = f"work[{self.marks} + {site}] != 0"
        return f"({test})" if site in cx.safe else f"(on_board({site}) and {test})"


class Ascending(ScratchRegion):
    """A region built into scratch space that is walked through in the order of its sites."""

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        marks, _, _ = collect(cx, self.gather)
        name = cx.fresh("s")
        with cx.block(f"for {name} in range({cx.program.n_sites}):"), cx.block(f"if work[{marks} + {name}] != 0:"):
            yield name


def ascending(region: Region) -> Region:
    """The same sites in the order of their numbers."""

    def gather(cx: Cx, add: Callable[[str], None]) -> None:
        with region.each(cx) as site:
            add(site)

    return Ascending(gather)


class Difference(Region):
    """Sites of one region that are not in another."""

    def __init__(self, base: Region, less: Region) -> None:
        self.base, self.less = base, less
        self.quick = base.quick and less.quick
        self.vacant = base.vacant

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        inside = self.base.contains(cx, name)
        return all_of(inside, negation(self.less.contains(cx, name)))

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        less = self.less.prepared(cx.plain())
        with self.base.each(cx) as name:
            inner = cx.plain().sure(name)
            with cx.when(negation(less.contains(inner, name))):
                yield name


class Intersection(Region):
    """Sites common to all parts; the walk goes over the part that looks cheapest."""

    def __init__(self, parts: list[Region]) -> None:
        # Known regions are usually the smallest, then lists, and tests come last.
        self.parts = sorted(parts, key=lambda p: 0 if p.static is not None else 1)
        self.quick = all(part.quick for part in parts)
        self.vacant = any(part.vacant for part in parts)

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        return all_of(*[part.contains(cx, name) for part in self.parts])

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        others = [part.prepared(cx.plain()) for part in self.parts[1:]]
        with self.parts[0].each(cx) as name:
            inner = cx.plain().sure(name)
            with cx.when(all_of(*[part.contains(inner, name) for part in others])):
                yield name

    def count(self, cx: Cx) -> Expr:
        parts = [p for part in self.parts for p in (part.parts if isinstance(part, Intersection) else [part])]
        # In which order sites are counted does not matter, so the walk goes over the shortest part.
        lengths = {id(part): part.walked(cx.program) for part in parts}
        known = [part for part in parts if lengths[id(part)] is not None]
        narrow = Intersection(parts)
        if known:
            first = min(known, key=lambda part: lengths[id(part)] or 0)
            narrow.parts = [first, *(part for part in narrow.parts if part is not first)]
        return Region.count(narrow, cx)


class ListedSites(Region):
    """A handful of sites given by expressions."""

    def __init__(self, sites: list[Expr]) -> None:
        self.sites = sites

    @staticmethod
    def of(sites: list[Expr], cx: Cx) -> Region:
        """A region of these sites, static when all are known."""
        if all(isinstance(site, int) for site in sites):
            return Static(tuple(int(site) for site in sites), cx.program)
        return ListedSites([s for s in sites if not isinstance(s, int) or 0 <= s < cx.program.n_sites])

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        tests = [f"{name} == {other}" for other in self.sites]
        guard: Bool = True if isinstance(site, int) or name in cx.safe else f"on_board({name})"
        return all_of(guard, any_of(*tests))

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        if len(self.sites) == 1:
            name = cx.name(self.sites[0], "s")
            with cx.when(True if name in cx.safe else f"on_board({name})"):
                yield name
            return
        refuse_picking(cx)
        program = cx.program
        items = program.scratch(len(self.sites), "LIST")
        for k, site in enumerate(self.sites):
            cx.line(f"work[{items} + {k}] = {site}")
        index, name = cx.fresh("i"), cx.fresh("s")
        with cx.block(f"for {index} in range({len(self.sites)}):"):
            cx.line(f"{name} = work[{items} + {index}]")
            with cx.block(f"if on_board({name}):"):
                yield name


def static_region(name: str, program: Program) -> tuple[int, ...]:
    """One of the regions that can be named by a bare word."""
    sites = program.sites
    plain_name = {
        "Centre": "centre",
        "Corners": "corners",
        "Top": "top",
        "Bottom": "bottom",
        "Left": "left",
        "Right": "right",
    }
    more = {"Outer": "outer", "Inner": "inner", "Perimeter": "perimeter", "AllSites": None, "Board": None}
    if name in plain_name:
        return tuple(getattr(sites, plain_name[name]))
    if name in more:
        attribute = more[name]
        return tuple(getattr(sites, attribute)) if attribute else tuple(range(sites.n))
    raise LudError(f"the region `{name}` is a list of regions and cannot be used as one set of sites")
