"""Start rules that chance decides: pieces on random sites, and stacks in a random order."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.components import component_by_full_name
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import number, region
from ludoport.ludemes.fields.dominoes import deal
from ludoport.ludemes.fields.position import empty_at
from ludoport.ludemes.fields.stacks import max_height

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def random_start(program: Program, f: Function, nodes: list[Ludeme]) -> None:
    """Write what chance decides before the first move; draws come one after another."""
    cx = program.root(f)
    for node in nodes:
        if node.keyword == "place Random":
            _place_random(node, cx)
        elif node.keyword == "place" and node.get("value") is not None:
            _place_with_value(node, cx)
        elif node.keyword == "deal":
            for line in deal(program, node):
                cx.line(line)
        else:
            raise UnsupportedError(f"the start rule `{node.keyword}` with chance is not implemented yet", node.source)


def _place_random(node: Ludeme, cx: Cx) -> None:
    if node.get("where") is not None:
        _stack(node, cx)
        return
    program = cx.program
    if node.get("type") is not None and str(node.get("type")) != program.board.kind:
        raise UnsupportedError("random places on other kinds of sites are not implemented yet", node.source)
    where = region(node.args["region"], cx).static if node.get("region") is not None else None
    if node.get("region") is not None and where is None:
        written = node.args["region"]
        if not (isinstance(written, Ludeme) and written.keyword == "sites Empty" and not written.args):
            raise UnsupportedError(
                "random places in regions that depend on the position are not implemented yet", node.source
            )
    sites = sorted(where) if where is not None else list(range(program.n_board))
    table = program.module.table("PLACES", sites)
    items = node.args["item"]
    assert isinstance(items, list)
    pieces = [component_by_full_name(program, str(item), node) for item in items]
    if node.get("randPiecOrder") not in (None, False):
        _in_random_order(node, cx, pieces, table, len(sites))
        return
    for piece in pieces:
        rounds = cx.fresh("k")
        cx.line(f"{rounds} = 0")
        with cx.block(f"while {rounds} < 10000:"):
            cx.line(f"{rounds} += 1")
            with cx.block(f"if {rounds} > {number(node.get('count'), cx, 1)}:"):
                cx.line("break")
            free = _count_free(cx, table, len(sites))
            with cx.block(f"if {free} == 0:"):
                cx.line("break")
            _put_on_free(node, cx, table, len(sites), free, piece)


def _in_random_order(node: Ludeme, cx: Cx, pieces: list[int], table: str, size: int) -> None:
    """Draw a piece and then its site; as in the reference, the list shrinks while it is walked through."""
    count = number(node.get("count"), cx, 1)
    if not isinstance(count, int):
        raise UnsupportedError("a random order of pieces needs a count that is known before the game", node.source)
    left = [piece for piece in pieces for _ in range(count)]
    piece = cx.fresh("piece")
    space = [cx.fresh("left") for _ in left]
    for name, number_ in zip(space, left, strict=True):
        cx.line(f"{name} = {number_}")
    going = cx.fresh("going")
    cx.line(f"{going} = 1")
    for k in range((len(left) + 1) // 2):
        with cx.block(f"if {going} != 0:"):
            free = _count_free(cx, table, size)
            with cx.block(f"if {free} == 0:"):
                cx.line(f"{going} = 0")
        with cx.block(f"if {going} != 0:"):
            rest = len(left) - k
            drawn = cx.name(f"chance(state, {rest}, 0)", "drawn")
            cx.line(f"{piece} = 0")
            for i in range(rest):
                with cx.block(f"if {i} == {drawn}:"):
                    cx.line(f"{piece} = {space[i]}")
            # The pieces behind the drawn one move up.
            for i in range(rest - 1):
                with cx.block(f"if {i} >= {drawn}:"):
                    cx.line(f"{space[i]} = {space[i + 1]}")
            _put_on_free(node, cx, table, size, free, piece)


def _count_free(cx: Cx, table: str, size: int) -> str:
    """The number of sites of a table that are empty."""
    free, k, site = cx.fresh("free"), cx.fresh("i"), cx.fresh("s")
    cx.line(f"{free} = 0")
    with cx.block(f"for {k} in range({size}):"):
        cx.line(f"{site} = {table}[{k}]")
        with cx.when(empty_at(cx.program, site)):
            cx.line(f"{free} += 1")
    return free


def _put_on_free(node: Ludeme, cx: Cx, table: str, size: int, free: str, piece: int | str) -> None:
    """A piece arrives on one of the empty sites of a table."""
    wanted, k, site = cx.fresh("wanted"), cx.fresh("i"), cx.fresh("s")
    cx.line(f"{wanted} = chance(state, {free}, 0)")
    with cx.block(f"for {k} in range({size}):"):
        cx.line(f"{site} = {table}[{k}]")
        with cx.when(empty_at(cx.program, site)):
            with cx.block(f"if {wanted} == 0:"):
                _put(node, cx, site, piece)
                cx.line("break")
            cx.line(f"{wanted} -= 1")


def _put(node: Ludeme, cx: Cx, site: str, piece: int | str) -> None:
    """One piece arrives with its local state and its value."""
    program = cx.program
    cx.line(f"{'add_piece' if program.stacking else 'place'}(state, {site}, {piece})")
    for argument, field in (("state", "STATE"), ("value", "VALUE")):
        if node.get(argument) is not None:
            value = number(node.args[argument], cx)
            if program.state.has(field):
                cx.line(f"state[{field} + {site}] = {value}")
            if program.state.has(f"{field}S") and program.stacking:
                top = f"{site} * {max_height(program)} + state[HEIGHT + {site}] - 1"
                cx.line(f"state[{field}S + {top}] = {value}")
    if program.cover:
        cx.line(f"cover(state, {site})")
    cx.line(f"state[LAST_FROM] = {site}")
    cx.line(f"state[LAST_TO] = {site}")


def _place_with_value(node: Ludeme, cx: Cx) -> None:
    """A piece at a given site whose value is drawn."""
    program = cx.program
    program.state.want("VALUE", program.n_sites)
    if node.get("coord") is not None:
        site = program.site_of(node.args["coord"], program.sites)
    else:
        found = number(node.get("loc"), cx, -1)
        if not isinstance(found, int) or found < 0:
            raise UnsupportedError("`place` with a random value needs a site", node.source)
        site = found
    _put(node, cx, str(site), component_by_full_name(program, str(node.args["item"]), node))


def _stack(node: Ludeme, cx: Cx) -> None:
    """A stack of given pieces in a random order."""
    program = cx.program
    names, counts = _stacked(node, cx)
    site = number(node.args["where"], cx)
    if not isinstance(site, int):
        raise LudError("a start rule needs a site that is known before the game", node.source)
    pieces = [component_by_full_name(program, name, node) for name in names]
    left = [cx.fresh("left") for _ in pieces]
    for name, count in zip(left, counts, strict=True):
        cx.line(f"{name} = {count}")
    wanted = cx.fresh("wanted")
    with cx.block(f"for {cx.fresh('k')} in range({sum(counts)}):"):
        cx.line(f"{wanted} = chance(state, {' + '.join(left)}, 0)")
        for name, piece in zip(left, pieces, strict=True):
            with cx.block(f"if 0 <= {wanted} < {name}:"):
                cx.line(f"{name} -= 1")
                cx.line(f"{wanted} = -1")
                _put(node, cx, str(site), piece)
            with cx.block(f"elif {wanted} >= 0:"):
                cx.line(f"{wanted} -= {name}")


def _stacked(node: Ludeme, cx: Cx) -> tuple[list[str], list[int]]:
    """The pieces of a random stack and how many there are of each."""
    if node.get("items") is not None:
        items = node.args["items"]
        assert isinstance(items, list)
        pairs = [(str(item.args["item"]), number(item.args["count"], cx)) for item in items if isinstance(item, Ludeme)]
    else:
        listed, many = node.args["pieces"], node.get("count")
        assert isinstance(listed, list)
        given = [number(c, cx) for c in many] if isinstance(many, list) else [1]
        pairs = [(str(n), given[0] if len(given) == 1 else given[i]) for i, n in enumerate(listed)]
    counts = [count for _, count in pairs]
    if not all(isinstance(count, int) for count in counts):
        raise LudError("a start rule needs numbers that are known before the game", node.source)
    return [name for name, _ in pairs], [int(count) for count in counts]
