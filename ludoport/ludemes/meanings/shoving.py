"""Effects on pieces on the board: push a row, draw pieces near, exchange two, set how many there are."""

from __future__ import annotations

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.registry import moves_ludeme, number, optional
from ludoport.ludemes.core.sinks import EffectSink, Sink
from ludoport.ludemes.fields.actions import piece_primitives
from ludoport.ludemes.fields.directions import rays
from ludoport.ludemes.meanings.moves_effects import effect


def _start(node: Ludeme, cx: Cx, sink: Sink) -> str:
    """The origin of the effect, where the last move ended by default."""
    if not isinstance(sink, EffectSink):
        raise UnsupportedError(f"`{node.keyword}` outside of effects is not implemented yet", node.source)
    if cx.program.stacking:
        raise UnsupportedError(f"`{node.keyword}` of stacks is not implemented yet", node.source)
    source = optional(node.get("from"))
    value: Expr = "state[LAST_TO]"
    if source is not None and source.get("loc") is not None:
        value = number(source.args["loc"], cx)
    return cx.name(value, "origin")


def _afterwards(node: Ludeme, cx: Cx) -> None:
    then = optional(node.get("then"))
    for each in ((then,) if then is not None else ()) + cx.chain:
        cx.program.rules.consequent(cx, each)


@moves_ludeme("push", writes=["board"], draws=True, pieces="move")
def push(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The piece on a site moves one step, and so do the pieces that are in its way."""
    program = cx.program
    origin = _start(node, cx, sink)
    with cx.block(f"if {origin} >= 0 and {origin} < {program.n_board}:"):
        place = cx.sure(origin).bind(frm=origin)
        lines = rays(node.args["directions"], place)
        if lines.rays > 1 and lines.pick is None:
            raise UnsupportedError("pushing in several directions is not implemented yet", node.source)
        with lines.each(place, origin) as ray:
            carried, piece = cx.fresh("carried"), cx.fresh("piece")
            cx.line(f"{carried} = state[WHAT + {origin}]")
            cx.act("lift", origin)
            with lines.walk(place, ray) as (site, _):
                # Even an empty origin pushes: a gap then moves on, up to the next one.
                cx.line(f"{piece} = state[WHAT + {site}]")
                with cx.block(f"if {piece} != 0:"):
                    cx.act("lift", site)
                with cx.block(f"if {carried} != 0:"):
                    cx.act("add_piece", site, carried)
                with cx.block(f"if {piece} == 0:"):
                    cx.line("break")
                cx.line(f"{carried} = {piece}")
        _afterwards(node, cx)


@moves_ludeme("attract", writes=["board"], draws=True, pieces="move")
def attract(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All pieces on the lines through a site come as near to it as they can."""
    program = cx.program
    origin = _start(node, cx, sink)
    with cx.block(f"if {origin} >= 0 and {origin} < {program.n_board}:"):
        place = cx.sure(origin).bind(frm=origin)
        lines = rays(node.get("dirn"), place)
        drawn = program.scratch(lines.length, "DRAWN")
        with lines.each(place, origin) as ray:
            count, index = cx.fresh("count"), cx.fresh("i")
            cx.line(f"{count} = 0")
            with lines.walk(place, ray) as (site, _), cx.block(f"if state[WHAT + {site}] != 0:"):
                cx.line(f"work[{drawn} + {count}] = state[WHAT + {site}]")
                cx.line(f"{count} += 1")
                cx.act("lift", site)
            with cx.block(f"for {index} in range({count}):"):
                cx.act("add_piece", f"{lines.table}[{ray} + {index}]", f"work[{drawn} + {index}]")
        _afterwards(node, cx)


@moves_ludeme("swap Pieces", writes=["board"], draws=True, pieces="move")
def swap_pieces(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """The pieces of two sites change places; by default those where the last move started and ended."""
    first = cx.name(number(node.get("locA"), cx, "state[LAST_TO]"))
    second = cx.name(number(node.get("locB"), cx, "state[LAST_FROM]"))
    if cx.program.stacking:
        raise UnsupportedError("exchanging stacks is not implemented yet", node.source)
    with cx.block(f"if on_board({first}) and on_board({second}):"):
        effect(node, cx, sink, "swap_sites", first, second)


@moves_ludeme(
    "set Count",
    writes=["board"],
    draws=True,
    pieces="leave",
    counts=True,
    ignores={"level": "the reference sets the count of the site"},
)
def set_count(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Set the number of pieces on a site."""
    program = cx.program
    program.state.want("COUNT", program.n_sites)
    site = cx.name(number(node.args["at"], cx))
    value = cx.name(number(node.args["value"], cx))
    with cx.block(f"if on_board({site}):"):
        effect(node, cx, sink, "set_count", site, cx.name(f"state[WHAT + {site}]"), value)


@piece_primitives
def write_swap(program: Program) -> None:
    """Write the primitive that exchanges two sites."""
    if "swap_sites" not in program.primitives:
        return
    f = Function(
        "swap_sites", ["state", "a", "b"], "the pieces of two sites change places; their local states are lost"
    )
    f.line("first = state[WHAT + a]")
    f.line("second = state[WHAT + b]")
    for site, piece in (("a", "second"), ("b", "first")):
        with f.block(f"if {piece} != 0:"):
            f.line(f"place(state, {site}, {piece})")
        with f.block("else:"):
            f.line(f"lift(state, {site})")
    f.line("return 0")
    program.module.functions.append(f)
