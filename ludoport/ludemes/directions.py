"""Directions as tables: the sites one step away, and the straight lines of sites (radials) from every site."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.boards import facing_directions
from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.context import Bool, Cx, Expr
from ludoport.ludemes.facings import faces_by_piece, piece_facings
from ludoport.ludemes.position import what_at, who_at
from ludoport.ludemes.region import looping
from ludoport.ludemes.registry import condition

if TYPE_CHECKING:
    from ludoport.ludemes.program import Program

DYNAMIC = ("SameDirection", "OppositeDirection")


@dataclass(frozen=True)
class Choice:
    """A direction argument that is fixed once the facing of the piece is known.

    Attributes:
        words: absolute or relative direction names, in order.
        relation: which directions of the board relative names choose from.
        dynamic: ``SameDirection`` or ``OppositeDirection`` if the last move decides.
    """

    words: tuple[tuple[str, bool], ...]
    relation: str = "Adjacent"
    dynamic: str | None = None

    def absolute(self, program: Program, facing: str) -> list[str]:
        """The absolute directions for a facing."""
        found: list[str] = []
        for word, relative in self.words:
            names = facing_directions(program.sites, facing, word, self.relation) if relative else [word]
            found += [name for name in names if name not in found]
        return found

    @property
    def relative(self) -> bool:
        """Whether the facing matters."""
        return any(flag for _, flag in self.words)


def choose(value: Value | None, default: str) -> Choice:
    """Read a direction argument that does not depend on a condition."""
    if value is None:
        return Choice(((default, default in ("Forward", "Backward")),))
    if isinstance(value, Word):
        if value.name in DYNAMIC:
            return Choice((), dynamic=value.name)
        return Choice(((value.name, value.enum == "RelativeDirection"),))
    if isinstance(value, list):
        parts = [choose(item, default) for item in value]
        return Choice(tuple(word for part in parts for word in part.words), parts[0].relation)
    if isinstance(value, Ludeme) and value.keyword == "directions":
        return _directions(value)
    if isinstance(value, Ludeme) and value.keyword == "union":
        parts = [choose(v, default) for v in value.args.values()]
        return Choice(tuple(word for part in parts for word in part.words), parts[0].relation)
    where = getattr(value, "source", None)
    raise UnsupportedError(f"the directions `{getattr(value, 'keyword', value)}` are not implemented yet", where)


def _directions(node: Ludeme) -> Choice:
    relation = str(node.get("of") or "Adjacent")
    for name, relative in (("absoluteDirection", False), ("relativeDirection", True)):
        one, many = node.get(name), node.get(name + "s")
        if one is not None:
            if str(one) in DYNAMIC:
                return Choice((), dynamic=str(one))
            return Choice(((str(one), relative),), relation)
        if isinstance(many, list):
            return Choice(tuple((str(word), relative) for word in many), relation)
    if node.get("from") is not None or node.get("directions") is not None:
        raise UnsupportedError("this form of `directions` is not implemented yet", node.source)
    return Choice((("Forward", True),), relation)


def chosen_in_play(value: Value | None) -> bool:
    """Whether a direction argument joins or removes directions in a way that only the position decides."""
    if isinstance(value, list):
        return any(isinstance(item, Word) and item.name in DYNAMIC for item in value) or any(map(chosen_in_play, value))
    if not isinstance(value, Ludeme):
        return False
    if value.keyword == "directions":
        many = value.get("relativeDirections")
        named = isinstance(many, list) and any(str(word) in DYNAMIC for word in many)
        return named or value.get("from") is not None
    if value.keyword == "union":
        parts = list(value.args.values())
        return any((isinstance(p, Word) and p.name in DYNAMIC) or chosen_in_play(p) or _one_dynamic(p) for p in parts)
    # Where code can branch, `variants` has taken conditions apart before.
    return value.keyword in ("difference", "if")


def _one_dynamic(value: Value) -> bool:
    return (
        isinstance(value, Ludeme) and value.keyword == "directions" and str(value.get("relativeDirection")) in DYNAMIC
    )


def variants(value: Value | None, cx: Cx) -> Iterator[tuple[Value | None, Cx]]:
    """Write one block of code for each branch of a conditional direction; usually there is only one."""
    if isinstance(value, Ludeme) and value.kind == "direction" and value.keyword == "if":
        test = condition(value.args["condition"], cx)
        if isinstance(test, bool):
            yield from variants(value.args["directionsOk" if test else "directionsNotOk"], cx)
            return
        with cx.block(f"if {test}:"):
            yield from variants(value.args["directionsOk"], cx)
        with cx.block("else:"):
            yield from variants(value.args["directionsNotOk"], cx)
        return
    yield value, cx


def facing_index(cx: Cx, site: Expr) -> Expr:
    """Code for the row of a table with one part per facing: the owner of the piece at a site, or the piece itself."""
    program = cx.program
    if faces_by_piece(program):
        return what_at(cx, site)
    if cx.owner is not None and site == cx.slots["frm"]:
        return cx.owner
    return who_at(cx, site)


def facing_groups(choice: Choice, program: Program) -> list[list[str]]:
    """The directions for each row of a table by facing; one row where the facing does not matter."""
    if not choice.relative:
        return [choice.absolute(program, "N")]
    # A relative direction needs a piece that faces somewhere.
    groups = [choice.absolute(program, facing) if facing else [] for facing in piece_facings(program)]
    told = [group for group, facing in zip(groups, piece_facings(program), strict=True) if facing]
    return groups[:1] if told and all(group == told[0] for group in groups) else groups


@dataclass
class Lines:
    """Rows of sites from every origin, padded with -1: ``table[(origin * rays + ray) * length + k]``."""

    table: str
    rays: int
    length: int
    by_owner: bool
    sites: int
    pick: str | None = None
    offset: str | None = None
    test: Callable[[Cx, Expr, str], Bool] | None = None
    """Which rays of an origin are meant, where the position decides that."""

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the rays of a site; yields the name of the index of a ray's first site."""
        base = cx.fresh("ray")
        start: Expr = origin
        if self.offset is not None:
            start = f"({self.offset} * {self.sites} + {origin})"
        elif self.by_owner:
            start = f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        if self.pick is not None:
            with cx.block(f"if {self.pick} >= 0:"):
                cx.line(f"{base} = ({start} * {self.rays} + {self.pick}) * {self.length}")
                yield base
            return
        if self.rays == 1 and self.test is None:
            cx.line(f"{base} = {start} * {self.length}")
            with cx.block("if True:"):
                yield base
            return
        with looping(cx, cx.fresh("r"), self.rays, self.rays) as ray:
            with cx.when(True if self.test is None else self.test(cx.plain(), origin, ray)):
                cx.line(f"{base} = ({start} * {self.rays} + {ray}) * {self.length}")
                yield base

    @contextmanager
    def walk(self, cx: Cx, base: str, first: int = 0) -> Iterator[tuple[str, str]]:
        """Write a loop along a ray; yields the names of the site and of its position on the ray."""
        position, site = cx.fresh("k"), cx.fresh("s")
        if cx.picking is not None:
            from ludoport.ludemes.picking import digit

            # The whole way is walked, because something may stop it, but only its end is a candidate.
            with digit(cx, self.length - first, self.length - first) as last:
                with cx.block(f"for {position} in range({first}, {last} + {first + 1}):"):
                    cx.line(f"{site} = {self.table}[{base} + {position}]")
                    with cx.block(f"if {site} < 0:"):
                        cx.line("break")
                    cx.picking.guards.append(f"{position} == {last} + {first}" if first else f"{position} == {last}")
                    yield site, position
                    cx.picking.guards.pop()
            return
        with cx.block(f"for {position} in range({first}, {self.length}):"):
            cx.line(f"{site} = {self.table}[{base} + {position}]")
            with cx.block(f"if {site} < 0:"):
                cx.line("break")
            yield site, position


def rays(value: Value | None, cx: Cx, default: str = "Adjacent", longest: int | None = None) -> Lines:
    """The radials of all board sites in the given directions, at most ``longest`` sites each."""
    program = cx.program
    if chosen_in_play(value):
        from ludoport.ludemes.directions_chosen import chosen_rays

        return chosen_rays(value, cx, longest)
    choice = choose(value, default)
    if choice.dynamic is not None:
        return _last_direction(choice.dynamic, cx, longest)
    return _lines(program, facing_groups(choice, program), longest)


def _lines(program: Program, groups: list[list[str]], longest: int | None) -> Lines:
    if all(group == groups[0] for group in groups):
        groups = groups[:1]
    rows = [[program.radials(s, group) for s in range(program.n_board)] for group in groups]
    if longest is not None:
        rows = [[[ray[:longest] for ray in rays_] for rays_ in row] for row in rows]
    width = max((len(rays_) for row in rows for rays_ in row), default=0) or 1
    length = max((len(ray) for row in rows for rays_ in row for ray in rays_), default=0) or 1
    flat = [
        site
        for row in rows
        for rays_ in row
        for ray in [*rays_, *([()] * (width - len(rays_)))]
        for site in [*ray, *([-1] * (length - len(ray)))]
    ]
    return Lines(program.module.table("RAYS", flat), width, length, len(groups) > 1, program.n_board)


def _last_direction(dynamic: str, cx: Cx, longest: int | None) -> Lines:
    program = cx.program
    names = program.sites.supported_directions("All")
    lines = _lines_fixed(program, names, longest)
    pick = cx.fresh("d")
    table = program.direction_between(names, opposite=dynamic == "OppositeDirection")
    cx.line(f"{pick} = -1")
    with cx.block("if state[LAST_FROM] >= 0 and state[LAST_TO] >= 0:"):
        cx.line(f"{pick} = {table}[state[LAST_FROM] * {program.n_board} + state[LAST_TO]]")
    lines.pick = pick
    return lines


def dynamic_word(value: Value | None) -> str | None:
    """``SameDirection`` or ``OppositeDirection``, where a direction is just that."""
    if isinstance(value, Word):
        return value.name if value.name in DYNAMIC else None
    if isinstance(value, Ludeme) and value.keyword == "directions":
        many = value.get("relativeDirections")
        first = many[0] if isinstance(many, list) and many else value.get("relativeDirection")
        return str(first) if str(first) in DYNAMIC else None
    return None


def walked(word: str, cx: Cx) -> Lines:
    """The direction from ``(from)`` to ``(to)``, or the opposite one; unset iterators stand for the last move."""
    program = cx.program
    names = program.sites.supported_directions("All")
    lines = _lines_fixed(program, names, None)

    def site(slot: str, last: str) -> str:
        value = cx.slots[slot]
        if isinstance(value, int):
            return str(value) if value >= 0 else f"state[{last}]"
        return value if value in cx.safe else cx.name(f"({value} if {value} >= 0 else wide(state[{last}]))", "v")

    start, end = site("frm", "LAST_FROM"), site("to", "LAST_TO")
    if word == "OppositeDirection":
        start, end = end, start
    pick, size = cx.fresh("d"), program.n_board
    cx.line(f"{pick} = -1")
    with cx.block(f"if 0 <= {start} and {start} < {size} and 0 <= {end} and {end} < {size}:"):
        cx.line(f"{pick} = {program.direction_between(names)}[{start} * {size} + {end}]")
    lines.pick = pick
    return lines


def _lines_fixed(program: Program, names: list[str], longest: int | None) -> Lines:
    """Like ``_lines`` but with exactly one ray per direction name, so that a ray's index is its direction."""
    rows = [[(program.radials(s, [name]) or [()])[0] for name in names] for s in range(program.n_board)]
    if longest is not None:
        rows = [[ray[:longest] for ray in row] for row in rows]
    length = max((len(ray) for row in rows for ray in row), default=0) or 1
    flat = [site for row in rows for ray in row for site in [*ray, *([-1] * (length - len(ray)))]]
    return Lines(program.module.table("RAYS", flat), len(names), length, False, program.n_board)


@dataclass
class Steps:
    """The sites one step (or a fixed number of steps) away: ``table[origin * width + k]``, padded with -1."""

    table: str
    width: int
    by_owner: bool
    sites: int
    pick: str | None = None
    test: Callable[[Cx, Expr, str], Bool] | None = None

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the sites a step away; yields the name of the site."""
        start: Expr = origin
        if self.by_owner:
            start = f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        site = cx.fresh("s")
        if self.pick is not None or (self.width == 1 and self.test is None):
            index = self.pick if self.pick is not None else "0"
            with cx.when(f"{self.pick} >= 0" if self.pick is not None else True):
                cx.line(f"{site} = {self.table}[{start} * {self.width} + {index}]")
                with cx.block(f"if {site} >= 0:"):
                    yield site
            return
        position = cx.fresh("k")
        if self.test is not None or cx.picking is not None:
            with looping(cx, position, self.width, self.width) as position:
                cx.line(f"{site} = {self.table}[{start} * {self.width} + {position}]")
                with cx.block(f"if {site} >= 0:"):
                    with cx.when(True if self.test is None else self.test(cx.plain(), origin, position)):
                        yield site
            return
        with cx.block(f"for {position} in range({self.width}):"):
            cx.line(f"{site} = {self.table}[{start} * {self.width} + {position}]")
            with cx.block(f"if {site} < 0:"):
                cx.line("break")
            yield site

    def first(self, cx: Cx, origin: str) -> Expr:
        """Code for the first site reached, or the origin itself if there is none."""
        start: Expr = origin
        if self.by_owner:
            start = f"({facing_index(cx, origin)} * {self.sites} + {origin})"
        result = cx.fresh("s")
        cx.line(f"{result} = {origin}")
        if self.test is not None or self.pick is not None:
            with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
                with self.each(cx.sure(origin), origin) as site, cx.block(f"if {result} == {origin}:"):
                    cx.line(f"{result} = {site}")
            return result
        with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
            reached = cx.fresh("s")
            cx.line(f"{reached} = {self.table}[{start} * {self.width}]")
            with cx.block(f"if {reached} >= 0:"):
                cx.line(f"{result} = {reached}")
        return result


class FarSteps(Steps):
    """The sites a number of steps away that is only known in play, found along rays."""

    def __init__(self, lines: Lines, distance: str) -> None:
        super().__init__(lines.table, lines.rays, lines.by_owner, lines.sites)
        self.lines, self.distance = lines, distance

    @contextmanager
    def each(self, cx: Cx, origin: Expr) -> Iterator[str]:
        """Write a loop over the sites so many steps away; yields the name of the site."""
        site = cx.fresh("s")
        with cx.block(f"if {self.distance} >= 1 and {self.distance} <= {self.lines.length}:"):
            with self.lines.each(cx, origin) as ray:
                cx.line(f"{site} = {self.lines.table}[{ray} + {self.distance} - 1]")
                with cx.block(f"if {site} >= 0:"):
                    yield site

    def first(self, cx: Cx, origin: str) -> Expr:
        """Code for the first site reached, or the origin itself if there is none."""
        result = cx.fresh("s")
        cx.line(f"{result} = {origin}")
        with cx.block(f"if {origin} >= 0 and {origin} < {self.sites}:"):
            with self.each(cx.plain().sure(origin), origin) as site, cx.block(f"if {result} == {origin}:"):
                cx.line(f"{result} = {site}")
        return result


def steps_table(
    value: Value | None, cx: Cx, default: str = "Adjacent", node: Ludeme | None = None, distance: Expr = 1
) -> Steps:
    """The sites a step away from every board site in the given directions."""
    program = cx.program
    if not isinstance(distance, int) or distance < 1:
        return FarSteps(rays(value, cx, default), cx.name(distance))
    if chosen_in_play(value):
        from ludoport.ludemes.directions_chosen import chosen_steps

        return chosen_steps(value, cx, distance)
    choice = choose(value, default)
    if choice.dynamic is not None:
        if distance > 1:
            return FarSteps(rays(value, cx, default), str(distance))
        lines = _last_direction(choice.dynamic, cx, 1)
        return Steps(lines.table, lines.rays, False, lines.sites, lines.pick)
    groups = facing_groups(choice, program)
    if all(group == groups[0] for group in groups):
        groups = groups[:1]
    if distance == 1:
        rows = [[program.steps(s, group) for s in range(program.n_board)] for group in groups]
    else:
        rows = [
            [
                tuple(ray[distance - 1] for ray in program.radials(s, group) if len(ray) >= distance)
                for s in range(program.n_board)
            ]
            for group in groups
        ]
    width = max((len(r) for row in rows for r in row), default=0) or 1
    flat = [site for row in rows for r in row for site in [*r, *([-1] * (width - len(r)))]]
    return Steps(program.module.table("STEPS", flat), width, len(groups) > 1, program.n_board)
