"""Tiles that cover several cells: their cells, their size, and moves that lay them down in every direction."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, refuse_picking
from ludoport.ludemes.core.registry import int_ludeme, number, optional, region, region_ludeme
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.fields.large_pieces import first_cell, large_tables
from ludoport.ludemes.fields.position import empty_at, what_at
from ludoport.ludemes.meanings.moves_parts import holder_sites


def _need_large(node: Ludeme, cx: Cx) -> None:
    if not cx.program.cover:
        text = f'`{node.keyword}` needs a tile with a walk, such as `(tile "L" {{F F R F}})`'
        raise UnsupportedError(text, node.source)


class LargePiece(Region):
    """The cells of the piece on a site."""

    def __init__(self, site: str) -> None:
        self.site = site

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Write a loop over the cells; a small piece has the one where it is."""
        program, known = cx.program, large_tables(cx.program)
        piece, large, base, k, cell = (cx.fresh(stem) for stem in ("piece", "large", "base", "k", "cell"))
        cx.line(f"{piece} = {what_at(cx, self.site)}")
        with cx.block(f"if {piece} != 0 and {self.site} < {program.n_board}:"):
            cx.line(f"{large} = {known.number}[{piece}]")
            turn = cx.name(f"state[STATE + {self.site}]", "turn")
            with cx.block(f"if {turn} < 0 or {turn} >= {known.most}:"):
                cx.line(f"{large} = -1")
            cx.line(f"{base} = {first_cell(program, large, turn, self.site)} if {large} >= 0 else 0")
            with cx.block(f"for {k} in range({known.width}):"):
                cx.line(f"{cell} = {known.cells}[{base} + {k}]")
                with cx.block(f"if {large} < 0:"):
                    cx.line(f"{cell} = {self.site} if {k} == 0 else -1")
                with cx.block(f"if {cell} < 0:"):
                    cx.line("break")
                yield cell


@region_ludeme("sites LargePiece", reads=["board", "state"])
def sites_large_piece(node: Ludeme, cx: Cx) -> Region:
    """The cells that the piece on a site covers."""
    _need_large(node, cx)
    return LargePiece(cx.name(number(node.args["at"], cx)))


@int_ludeme("size LargePiece", reads=["board"])
def size_large_piece(node: Ludeme, cx: Cx) -> Expr:
    """The cells of the pieces on a site or in a region; each counts as if it began in the centre of the board."""
    _need_large(node, cx)
    sizes, total = large_tables(cx.program).sizes, cx.fresh("total")
    if node.get("in") is None:
        return f"{sizes}[{cx.name(what_at(cx, number(node.args['at'], cx)))}]"
    cx.line(f"{total} = 0")
    with region(node.args["in"], cx).each(cx) as site:
        cx.line(f"{total} += {sizes}[{cx.name(what_at(cx.sure(site), site))}]")
    return total


def is_large(cx: Cx, piece: Expr) -> Bool:
    """Whether a component is a large piece."""
    if not cx.program.cover:
        return False
    if isinstance(piece, int):
        return bool(cx.program.components[piece].walks)
    return f"{large_tables(cx.program).number}[{piece}] >= 0"


@contextmanager
def _lying(cx: Cx, piece: str, site: str, is_free: str) -> Iterator[str]:
    """Write a loop over the local states in which a large piece fits on a site.

    Args:
        cx: where to write.
        piece: the component.
        site: a site of the board.
        is_free: code with `{}` for a cell that tells whether the piece may cover it.
    """
    known = large_tables(cx.program)
    large, turn, base, k, cell, fits = (cx.fresh(stem) for stem in ("large", "turn", "base", "k", "cell", "fits"))
    cx.line(f"{large} = {known.number}[{piece}]")
    with cx.block(f"for {turn} in range({known.states}[{piece}] if {large} >= 0 else 0):"):
        cx.line(f"{base} = {first_cell(cx.program, large, turn, site)}")
        cx.line(f"{fits} = {known.cells}[{base}] >= 0")
        with cx.block(f"for {k} in range({known.width}):"):
            cx.line(f"{cell} = {known.cells}[{base} + {k}]")
            with cx.block(f"if {cell} >= 0 and not ({is_free.format(cell)}):"):
                cx.line(f"{fits} = False")
                cx.line("break")
        with cx.block(f"if {fits}:"):
            yield turn


def lay_large(node: Ludeme, cx: Cx, sink: Sink, frm: str) -> None:
    """The large piece on a site moves to a region and the cells that it covers, and lies there in every way that fits.

    As in the reference, cells of the piece are listed after those of the region, and conditions on destinations do not
    count.
    """
    program, to = cx.program, optional(node.get("to"))
    refuse_picking(cx)
    room = program.n_sites + large_tables(program).width
    listed, free = program.scratch(room, "ENDS"), program.scratch(program.n_sites, "FREE")
    count, at = cx.fresh("count"), cx.fresh("i")
    piece = cx.name(f"state[WHAT + {frm}]", "piece")
    cx.line(f"{count} = 0")
    with cx.block(f"for {at} in range({program.n_sites}):"):
        cx.line(f"work[{free} + {at}] = 0")
    with holder_sites(to, cx, cx.slots["to"]).each(cx) as end:
        _note(cx, listed, free, count, end, room)
    with LargePiece(frm).each(cx) as cell, cx.block(f"if {cell} != {frm}:"):
        _note(cx, listed, free, count, cell, room)
    with cx.block(f"if {frm} < {program.n_board}:"):
        cx.line(f"work[{free} + {frm}] = 1")
    with cx.block(f"for {at} in range({count}):"):
        site = cx.name(f"work[{listed} + {at}]", "s")
        with cx.block(f"if 0 <= {site} < {program.n_board}:"):
            with _lying(cx, piece, site, f"work[{free} + {{}}] != 0") as turn:
                with cx.block(f"if {site} != {frm} or {turn} != state[STATE + {frm}]:"):

                    def act(place: Cx) -> None:
                        place.act("lay", place.slots["frm"], place.slots["to"], place.slots["val"])

                    here = cx.sure(frm, site).bind(frm=frm, to=site)
                    sink.move(here, Spec(node, "laid", frm, site, act, optional(node.get("then")), slots={"val": turn}))


def _note(cx: Cx, listed: str, free: str, count: str, site: Expr, room: int) -> None:
    """Write that a site is a destination."""
    with cx.block(f"if {count} < {room}:"):
        cx.line(f"work[{listed} + {count}] = {site}")
        cx.line(f"{count} += 1")
    cx.line(f"work[{free} + {site}] = 1")


def add_large(node: Ludeme, cx: Cx, sink: Sink, piece: Expr, turned: Expr | None) -> None:
    """A large piece arrives on each site of a region, in every way in which its cells are empty.

    As in the reference, conditions on destinations do not count, and nothing follows.

    Args:
        node: the placement.
        cx: where to write.
        sink: what takes the moves.
        piece: the component.
        turned: the local state, if the text gives one.
    """
    program, to = cx.program, optional(node.get("to"))
    refuse_picking(cx)
    what = cx.name(piece, "what")
    with holder_sites(to, cx, cx.slots["to"]).each(cx) as site, cx.block(f"if {site} < {program.n_board}:"):
        with _lying(cx, what, site, f"{empty_at(program, '{}')}") as turn:
            with cx.block(f"if {turn} == {turned}:") if turned is not None else cx.when(True):

                def act(place: Cx) -> None:
                    place.act("add_large", place.slots["to"], place.slots["what"], place.slots["val"])

                here = cx.sure(site).bind(to=site)
                sink.move(here, Spec(node, "laid", site, site, act, slots={"val": turn, "what": what}))
