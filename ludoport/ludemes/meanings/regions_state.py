"""Regions that depend on the position: empty and occupied sites, directions, lines of sight."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Text, Word
from ludoport.ludemes.core.components import component_by_full_name, is_named
from ludoport.ludemes.core.conditions import all_of, any_of, negation
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.known import entry_of
from ludoport.ludemes.core.region import (
    Filtered,
    PerPlayer,
    Region,
    ScratchRegion,
    Static,
    looping,
    refuse_picking,
)
from ludoport.ludemes.core.registry import number, region, region_ludeme
from ludoport.ludemes.fields.direction_choice import variants
from ludoport.ludemes.fields.directions import rays, steps_table
from ludoport.ludemes.fields.entries import keeps_entries, listed_for
from ludoport.ludemes.fields.named_regions import everywhere, hand_region, whole_board
from ludoport.ludemes.fields.position import empty_at, what_at, who_at
from ludoport.ludemes.fields.stacks import max_height, want_stacks
from ludoport.ludemes.fields.starting import chance_nodes, drawn_nodes, start_sites
from ludoport.ludemes.fields.teams import owned_by
from ludoport.ludemes.meanings.arrays import int_array
from ludoport.source import Source

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


@region_ludeme("sites Empty", reads=["board"])
def empty(node: Ludeme, cx: Cx) -> Region:
    """The empty sites of the board, or of another container."""
    if node.get("index") is not None:
        block = _container(number(node.args["index"], cx), cx)
        return Filtered(block, lambda place, site: empty_at(place.program, site))
    base, sites = cx.program.kind_block(node.get("elementType"))
    standing = cx.program.standing
    if standing is not None:
        return Static(tuple(s for s in range(base, base + sites.n) if s not in standing), cx.program)
    return Empty(cx.program, base, base + sites.n)


@region_ludeme("sites State", reads=["state"])
def with_state(node: Ludeme, cx: Cx) -> Region:
    """The sites with a local state."""
    wanted = cx.name(number(node.get("index"), cx, 0))
    cx.program.want_state()
    return Filtered(whole_board(cx.program), lambda place, site: f"state[STATE + {site}] == {wanted}")


@region_ludeme("sites Occupied", reads=["board"])
def occupied(node: Ludeme, cx: Cx) -> Region:
    """The sites of a role's pieces, optionally of certain kinds and in one container."""
    program = cx.program
    by = node.get("by")
    if program.standing is not None:
        return _standing(node, cx, program.standing)
    names = [str(n) for n in _listed(node)]
    component = node.get("component")
    buried = node.get("top") is False and program.stacking
    # Of a stack, any level may hold a certain kind of piece, if the top piece belongs to the role.
    below = buried or (program.stacking and (bool(names) or component is not None))
    container = node.get("container")
    role = str(by) if isinstance(by, Word) else None
    owner: Expr | None = None
    if role not in ("All", "Each", "NonMover", "Enemy", "Neutral", "Shared", "Friend", "Ally") and not str(
        role
    ).startswith("Team"):
        owner = number(by, cx)
    wanted: Expr | None = number(component, cx) if component is not None and not names else None

    def is_owned(place: Cx, piece: str) -> Bool:
        whose = program.owner_of(piece)
        return f"{whose} == {owner}" if owner is not None else owned_by(place, whose, by)

    def is_one(place: Cx, piece: str) -> Bool:
        tests: list[Bool] = [f"{piece} != 0", is_owned(place, piece)]
        if names:
            tests.append(any_of(*[is_named(program, piece, name) for name in names]))
        if wanted is not None:
            tests.append(f"{piece} == {wanted}")
        return all_of(*tests)

    def test(place: Cx, site: str) -> Bool:
        if keeps_entries(program):
            kinds = {c.index: is_one(place, str(c.index)) for c in program.components[1:]}
            return listed_for(program, site, kinds)
        if not below:
            return is_one(place, place.name(what_at(place, site)))
        want_stacks(program)
        found, level, piece = place.fresh("found"), place.fresh("level"), place.fresh("piece")
        place.line(f"{found} = False")
        with place.block(f"for {level} in range(state[HEIGHT + {site}]):"):
            place.line(f"{piece} = state[LEVELS + {site} * {max_height(program)} + {level}]")
            with place.when(is_one(place, piece)):
                place.line(f"{found} = True")
        return found if buried else all_of(found, is_owned(place, place.name(what_at(place, site))))

    if isinstance(container, (Ludeme, int)):
        return Filtered(_container(number(container, cx), cx), test)
    where = str(container) if container is not None else None
    if where is not None and where.startswith("Hand"):
        base = hand_region(cx, owner if owner is not None else by)
        return Filtered(base, test)
    # Hands are made of cells: on a board of vertices they are sites of another kind.
    on_board = where is not None or not program.hands or program.board.kind != "Cell"
    kept = on_board and not keeps_entries(program)
    if kept and owner is not None and program.want_own_list() and node.get("on") is None:
        plain = not names and wanted is None
        return Owned(owner, None if plain else lambda place, site: _named(place, site, names, wanted))
    everything = whole_board(program) if on_board else everywhere(program)
    if node.get("on") is not None:
        first, sites = program.kind_block(node.args["on"])
        everything = Static(tuple(range(first, first + sites.n)), program)
    return Filtered(everything, test)


def _standing(node: Ludeme, cx: Cx, standing: dict[int, int]) -> Region:
    """The occupied sites while start rules are read."""
    program, by = cx.program, node.get("by")
    everyone = isinstance(by, Word) and by.name in ("All", "Each")
    owner = None if everyone else number(by, cx)
    names = [str(name) for name in _listed(node)]
    further = set(node.args) - {"by"} - ({"component", "components"} if names else set())
    if further or isinstance(owner, str):
        raise UnsupportedError("this form of `sites Occupied` is not implemented yet in start rules", node.source)
    owned = (
        site
        for site, piece in standing.items()
        if (everyone or program.components[piece].owner == owner)
        and (not names or any(name in program.components[piece].name for name in names))
    )
    return Static(
        tuple(sorted(site for site in owned if site < program.n_board or program.board.kind == "Cell")), program
    )


def _container(index: Expr, cx: Cx) -> Region:
    """The sites of a container by its number: the board is number 0, hands follow in order."""
    program = cx.program
    blocks = [tuple(range(program.n_board)), *(tuple(range(h.base, h.base + h.size)) for h in program.hands)]
    if isinstance(index, int):
        return Static(blocks[index] if 0 <= index < len(blocks) else (), program)
    blocks += [()] * (program.n_players + 2 - len(blocks))
    return PerPlayer(cx.name(index), tuple(blocks), program)


def _listed(node: Ludeme) -> list[object]:
    many = node.get("components")
    if isinstance(many, list):
        return list(many)
    one = node.get("component")
    return [one] if isinstance(one, Text) else []


def _named(cx: Cx, site: str, names: list[str], wanted: Expr | None) -> Bool:
    program = cx.program
    if not names and wanted is None:
        return True
    piece = cx.name(what_at(cx, site))
    if wanted is not None:
        return f"{piece} == {wanted}"
    return any_of(*[is_named(program, piece, name) for name in names])


class Owned(Region):
    """The board sites of one player, kept as a list in the row."""

    def __init__(self, owner: Expr, test: Callable[[Cx, str], Bool] | None) -> None:
        self.owner, self._given = owner, test

    def test(self, cx: Cx, site: str) -> Bool:
        """Whether a site of the player belongs to the region."""
        return True if self._given is None else self._given(cx, site)

    def contains(self, cx: Cx, site: Expr) -> Bool:
        name = cx.name(site, "s")
        inside: list[Bool] = [] if name in cx.safe else [f"on_board({name})"]
        if cx.program.n_board < cx.program.n_sites:
            inside.append(f"{name} < {cx.program.n_board}")
        place = cx.sure(name)
        if self.owner not in ("mover", "nxt") and not isinstance(self.owner, int):
            # Before the first move there is no previous player, and nothing is owned.
            inside.append(negation(empty_at(cx.program, name)))
        return all_of(*inside, f"{who_at(place, name)} == {self.owner}", self.test(place, name))

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Walk through the player's list."""
        site = cx.fresh("s")
        owner = cx.name(self.owner)
        with looping(cx, cx.fresh("i"), f"state[N_OWN + {owner}]", cx.program.n_board) as index:
            cx.line(f"{site} = state[OWN + ({owner} - 1) * {cx.program.n_board} + {index}]")
            with cx.when(self.test(cx.plain().sure(site), site)):
                yield site

    def count(self, cx: Cx) -> Expr:
        """The length of the list where nothing is filtered."""
        if self._given is None:
            return f"state[N_OWN + {self.owner}]"
        return super().count(cx)


@region_ludeme("sites Start", reads=[])
def start(node: Ludeme, cx: Cx) -> Region:
    """The sites where a component stood after the setup."""
    piece = node.args["pid"]
    assert isinstance(piece, Ludeme)
    value = piece.get("component")
    component = (
        number(value, cx)
        if value is not None
        else component_by_full_name(cx.program, str(piece.args["nameComponent"]), node)
    )
    if chance_nodes(cx.program) or drawn_nodes(cx.program):
        name = cx.name(component)
        base = cx.program.state.want("STARTED", cx.program.n_sites)
        return Filtered(everywhere(cx.program), lambda place, site: f"state[{base} + {site}] == {name}")
    placed = start_sites(cx.program)
    if isinstance(component, int):
        return Static(entry_of(placed, component, ()), cx.program)
    return PerPlayer(cx.name(component), placed, cx.program)


@region_ludeme("sites LineOfSight", reads=["board"])
def line_of_sight(node: Ludeme, cx: Cx) -> Region:
    """What is seen from a site along radials: the first piece, the empty sites before it, or the last of these."""
    kind = str(node.get("typeLoS") or node.get("type") or "Piece")

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        program = inner.program
        origin = inner.name(number(node.get("at"), inner, "state[LAST_TO]"))
        place = inner.bind(frm=origin)
        with inner.when(f"{origin} >= 0 and {origin} < {program.n_board}"):
            for directions, branch in variants(node.get("directions"), place.sure(origin)):
                lines = rays(directions, branch)
                with lines.each(branch, origin) as ray:
                    last = inner.fresh("last")
                    inner.line(f"{last} = -1")
                    with lines.walk(branch, ray) as (site, _):
                        with inner.block(f"if {negation(empty_at(program, site))}:"):
                            if kind == "Piece":
                                add(site)
                            inner.line("break")
                        if kind == "Empty":
                            add(site)
                        inner.line(f"{last} = {site}")
                    if kind == "Farthest":
                        with inner.block(f"if on_board({last}):"):
                            add(last)

    return ScratchRegion(gather)


MOST_STEPS = 32
"""Steps by which a region of the position is grown at most; each is code of its own."""


def expand_region(source: Region, steps: Expr, direction: str, cx: Cx) -> Region:
    """A region of the position grown by steps."""
    del cx
    if not isinstance(steps, int):
        raise UnsupportedError("`expand` with a number of steps that changes is not implemented yet")
    if steps > MOST_STEPS:
        raise UnsupportedError(f"`expand` by more than {MOST_STEPS} steps is not implemented for regions that change")
    if steps < 1:
        return source

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        word = Word(direction, "AbsoluteDirection", Source("", 0, 0))
        table = steps_table(word, inner)
        with source.each(inner) as site:
            add(site)
            if steps == 1:
                with inner.when(
                    True if inner.program.n_board == inner.program.n_sites else f"{site} < {inner.program.n_board}"
                ):
                    with table.each(inner.sure(site), site) as near:
                        add(near)

    if steps == 1:
        return ScratchRegion(gather)
    return expand_region(expand_region(source, 1, direction, None), steps - 1, direction, None)  # type: ignore[arg-type]


@region_ludeme("sites Pending", reads=["pending"])
def pending(node: Ludeme, cx: Cx) -> Region:
    """The sites that are pending."""
    cx.program.want_pending(many=True)
    return Filtered(everywhere(cx.program), lambda place, site: f"state[PENDING + {site}] != 0")


@region_ludeme("sites ToClear", reads=["board"])
def to_clear(node: Ludeme, cx: Cx) -> Region:
    """The sites whose pieces are removed when the turn ends."""
    cx.program.want_late_removal()
    return Filtered(everywhere(cx.program), lambda place, site: f"state[LATE + {site}] != 0")


@region_ludeme("sites Hand", reads=["board"])
def hand(node: Ludeme, cx: Cx) -> Region:
    """The sites of a player's hand."""
    who = node.get("role") if node.get("role") is not None else node.get("pid")
    return hand_region(cx, number(who, cx))


def iterated_region(node: Ludeme, cx: Cx) -> Region:
    """``(sites)``: the region being iterated over."""
    if cx.group is not None:
        return cx.group
    raise UnsupportedError("`(sites)` for the iterated region is not implemented yet", node.source)


def region_for_each(node: Ludeme, cx: Cx) -> Region:
    """What a region becomes for every site of another, or for every player of a list, all together."""

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        if node.get("of") is not None:
            with region(node.args["of"], inner).each(inner) as site:
                place = inner.sure(site).bind(site=site)
                with region(node.args["region"], place).each(place) as found:
                    add(found)
            return
        with int_array(node.args["players"], inner).each(inner) as player:
            place = inner.bind(plr=player)
            with region(node.args["region"], place).each(place) as found:
                add(found)

    return ScratchRegion(gather)


class Empty(Region):
    """The empty sites of the board."""

    quick = vacant = True

    def __init__(self, program: Program, first: int, last: int) -> None:
        self.program, self.first, self.last = program, first, last

    def contains(self, cx: Cx, site: Expr) -> Bool:
        program = self.program
        inside: list[Bool] = []
        if not (program.n_sites == self.last and self.first == 0):
            inside.append(f"{site} < {self.last}")
            if self.first:
                inside.append(f"{site} >= {self.first}")
        if not isinstance(site, int) and site not in cx.safe:
            inside.append(f"on_board({site})")
        return all_of(*inside, empty_at(program, site))

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        program = self.program
        name, index = cx.fresh("s"), cx.fresh("i")
        if self.first == 0 and self.last == program.n_board and program.want_empty_list():
            with looping(cx, index, "state[N_EMPTY]", program.n_board) as index:
                cx.line(f"{name} = state[EMPTY + {index}]")
                yield name
            return
        refuse_picking(cx)
        with cx.block(f"for {name} in range({self.first}, {self.last}):"):
            with cx.block(f"if {empty_at(program, name)}:"):
                yield name

    def count(self, cx: Cx) -> Expr:
        if self.first == 0 and self.last == self.program.n_board and self.program.want_empty_list():
            return "state[N_EMPTY]"
        return super().count(cx)
