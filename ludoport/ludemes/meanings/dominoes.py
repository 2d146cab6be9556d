"""Dominoes: the line of play that they form, and taking one from the pool."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.region import Region, refuse_picking
from ludoport.ludemes.core.registry import boolean_ludeme, moves_ludeme, optional, region, region_ludeme
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.core.traits import declare
from ludoport.ludemes.fields.dominoes import domino_tables
from ludoport.ludemes.meanings.moves_effects import effect
from ludoport.ludemes.meanings.moves_parts import holder_sites

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

declare("start:deal", chance=True)
declare("item:dominoes", reads=[])

_TOGETHER = "dominoes are only implemented for moves `(to (sites LineOfPlay))` with `ifAfterwards:(is PipsMatch)`"


def joins_line(node: Ludeme) -> bool:
    """Whether a move leads to the line of play."""
    to = node.peek("to")
    ends = to.peek("region") if isinstance(to, Ludeme) else None
    return isinstance(ends, Ludeme) and ends.key == "region:sites LineOfPlay"


def _tested(program: Program) -> tuple[set[int], set[int]]:
    """The moves to the line of play whose numbers must match, and the tests that ask for it."""
    moves, tests = set(), set()
    for node in program.description.root.walk():
        prior, test = node.peek("prior"), node.peek("ifAfterwards")
        if not isinstance(prior, Ludeme) or not isinstance(test, Ludeme) or node.peek("next") is not None:
            continue
        if joins_line(prior) and test.key == "boolean:is PipsMatch":
            moves.add(id(prior))
            tests.add(id(test))
    return moves, tests


class LineOfPlay(Region):
    """The line of play, which only moves with dominoes go through."""

    def __init__(self, node: Ludeme) -> None:
        self.node = node

    @contextmanager
    def each(self, cx: Cx) -> Iterator[str]:
        """Refuse other uses."""
        raise UnsupportedError(_TOGETHER, self.node.source)
        yield ""


@boolean_ludeme("is PipsMatch", reads=["board"])
def is_pips_match(node: Ludeme, cx: Cx) -> Bool:
    """Whether equal numbers touch; moves to the line of play are only made where they do."""
    if id(node) not in cx.program.memo(_tested)[1] or node.get("value") is not None:
        raise UnsupportedError(_TOGETHER, node.source)
    return True


@region_ludeme("sites LineOfPlay", reads=["board"])
def line_of_play(node: Ludeme, cx: Cx) -> Region:
    """The sites where a domino joins the others; only moves know them, for each direction of the domino."""
    return LineOfPlay(node)


@moves_ludeme("take Domino", writes=["board"], draws=False, pieces="arrive", chance=True)
def take_domino(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """A random domino of the pool comes into the mover's hand."""
    if not cx.program.dominoes:
        raise UnsupportedError("`take Domino` needs `(dominoes)`", node.source)
    domino_tables(cx.program)
    effect(node, cx, sink, "take_domino", "state[MOVER]")


def lay_dominoes(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Each domino of a region of origins joins the line of play wherever its numbers match and its cells are free."""
    program, to = cx.program, optional(node.get("to"))
    if id(node) not in program.memo(_tested)[0] or not program.dominoes or to is None:
        raise UnsupportedError(_TOGETHER, node.source)
    refuse_picking(cx)
    if not isinstance(region(to.args["region"], cx), LineOfPlay):
        raise UnsupportedError(_TOGETHER, node.source)
    program.primitives.add("lay_domino")
    with holder_sites(optional(node.get("from")), cx, cx.slots["frm"]).each(cx) as frm:
        for site, turn in _places(cx.sure(frm), frm):

            def act(place: Cx) -> None:
                place.act("lay_domino", place.slots["frm"], place.slots["to"], place.slots["val"])

            slots: dict[str, Expr] = {"val": turn}
            here = cx.sure(frm, site).bind(frm=frm, to=site)
            sink.move(here, Spec(node, "domino", frm, site, act, optional(node.get("then")), slots=slots))


def _places(cx: Cx, frm: str) -> Iterator[tuple[str, str]]:
    """Write loops over the places of the domino on a site, each once; yields the names of site and direction."""
    known = domino_tables(cx.program)
    room = 8 * known.dominoes
    seen = cx.program.scratch(room, "SEEN")
    piece, count, site, turn = (cx.fresh(stem) for stem in ("piece", "count", "s", "turn"))
    cx.line(f"{piece} = state[WHAT + {frm}]")
    with cx.block(f"if {piece} != 0 and state[N_LAID] == 0:"):
        with cx.block(f"for {turn} in range(4):"):
            cx.line(f"{site} = {cx.program.sites.centre[0]}")
            yield site, turn
    j, k, near, at, there, i = (cx.fresh(stem) for stem in ("j", "k", "near", "at", "there", "i"))
    number = cx.fresh("pips")
    cx.line(f"{count} = 0")
    with cx.block(f"for {j} in range(state[N_LAID] if {piece} != 0 else 0):"):
        cx.line(f"{at} = wide(state[LAID + {j}])")
        with cx.block(f"for {k} in range(4):"):
            cx.line(f"{number} = {known.ends}[state[WHAT + {at}] * 4 + {k}]")
            with cx.block(f"for {near} in range(2):"):
                with cx.block(f"if {number} >= 0 and {known.ends}[{piece} * 4 + {near}] == {number}:"):
                    cx.line(f"{there} = {known.places}[(({at} * 4 + state[STATE + {at}]) * 4 + {k}) * 2 + {near}]")
                    with cx.block(f"if {there} >= 0:"):
                        with cx.block(f"for {i} in range(8):"):
                            cx.line(f"cell = {known.cells}[{there} * 8 + {i}]")
                            with cx.block("if cell >= 0 and state[COVERED + cell] != 0:"):
                                cx.line(f"{there} = -1")
                                cx.line("break")
                    with cx.block(f"for {i} in range({count}):"):
                        with cx.block(f"if work[{seen} + {i}] == {there}:"):
                            cx.line(f"{there} = -1")
                            cx.line("break")
                    with cx.block(f"if {there} >= 0:"):
                        cx.line(f"work[{seen} + {count}] = {there}")
                        cx.line(f"{count} += 1")
                        other, way = cx.fresh("s"), cx.fresh("turn")
                        cx.line(f"{other} = {there} // 4")
                        cx.line(f"{way} = {there} % 4")
                        yield other, way
