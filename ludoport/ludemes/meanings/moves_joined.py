"""``do ... next:`` with decisions to move pieces: all of them join one move, each with its consequents.

The reference works out the actions of every such move and of its consequents from the position before all of them,
orders them (see ``core/kept.py``) and does them one after another; an action that finds no piece does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Word
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.kept import KEPT
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import generate
from ludoport.ludemes.core.sinks import ExistsSink, HitsSink, Sink, Spec
from ludoport.ludemes.core.traits import pieces, reads
from ludoport.ludemes.fields.arrivals import keep_arrivals

_FRAMES = {"or", "if", "do", "forEach Piece"}
_KNOWN = {"move", "move Step", "move Slide", "move Leap", "move Pass"}
"""What the recorded moves are made of; only their order is known."""

_HISTORY = {"int:last LevelTo", "boolean:was Pass", "region:sites LastBetween", "boolean:is Pending"}


def decides(cx: Cx, prior: Ludeme) -> bool:
    """Whether effects before moves are decisions to move pieces."""
    return any(part.keyword.split()[0] == "move" and pieces(part) == "move" for part in _generators(cx, prior))


def _generators(cx: Cx, node: Ludeme) -> list[Ludeme]:
    """The generators that a generator is made of, itself and the moves of pieces included."""
    found, parts = [node], [value for name, value in dict.items(node.args) if name != "then"]
    if node.keyword == "forEach Piece" and node.peek("specificMoves") is None:
        parts += [component.moves for component in cx.program.components if component.moves is not None]
    while parts:
        part = parts.pop()
        if isinstance(part, list):
            parts += part
        elif isinstance(part, Ludeme) and part.kind == "moves":
            found += _generators(cx, part)
    return found


class JoinSink(Sink):
    """Keeps the actions of every move that passes its tests, with those of its consequents."""

    ordered = True

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write the code that works out the actions of one move on a copy of the position."""
        rules = cx.program.rules
        rule, row = rules.rule(cx, spec), rules.scratch_row(cx)
        rule.write(cx, spec, f"{row}[{{}}]")
        with cx.when(rule.keep(cx, row) or True):
            base, first = cx.name(f"work[{rules.buffer.top()}]", "base"), cx.name("work[N_KEPT]", "first")
            inner = replace(cx.bind(**spec.slots), chain=(), filters=(), buffer=KEPT)
            if spec.kind == "pass":
                rules.buffer.idle(inner)
            else:
                spec.act(inner)
            copy = copied(cx)
            rules.buffer.want_level(KEPT)
            cx.line(f"flush_{KEPT}({copy}, work, {base})")
            cx.line(f"{copy}[LAST_FROM] = {spec.frm}")
            cx.line(f"{copy}[LAST_TO] = {spec.to}")
            cx.line(f"{copy}[PLY] += 1")
            for then in ((spec.then,) if spec.then is not None else ()) + cx.chain:
                cx.line(rules.consequent_call(then, KEPT, on=copy))
            cx.line(f"insert_kept(work, {first})")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part as a function of its own."""

        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return 0")

        cx.line(cx.call(stem, node, whole, key=(key, "join", cx.chain_key())))


def copied(cx: Cx) -> str:
    """The name of a copy of the position, in scratch space of its own."""
    offset = cx.program.scratch("CORE_SIZE", "COPY")
    copy, index = cx.fresh("copy"), cx.fresh("i")
    cx.line(f"{copy} = work[{offset} : {offset} + CORE_SIZE]")
    with cx.block(f"for {index} in range(CORE_SIZE):"):
        cx.line(f"{copy}[{index}] = state[{index}]")
    return copy


def refuse_unknown(cx: Cx, node: Ludeme, sink: Sink) -> None:
    """Refuse decisions and effects of which the records do not tell how the reference joins them.

    Raises:
        UnsupportedError: with the ludeme.
    """
    program, prior, following = cx.program, node.args["prior"], node.args["next"]
    assert isinstance(prior, Ludeme) and isinstance(following, Ludeme)
    refuse_picking(cx)
    text = "effects after decisions to move pieces (`do ... next:`) are not implemented yet"
    if not (sink.lists or isinstance(sink, (ExistsSink, HitsSink))) or cx.filters:
        raise UnsupportedError(f"{text} here", node.source)
    if program.stacking or program.chance or program.together or program.counts_matter or program.keys & _HISTORY:
        raise UnsupportedError(f"{text} in games of this kind", following.source)
    for part in _generators(cx, prior):
        if part.keyword not in _FRAMES | _KNOWN or (part.keyword == "do" and part.peek("next") is not None):
            raise UnsupportedError(f"{text} where these decisions include `{part.keyword}`", part.source)
    if any(_depends(part) for part in following.walk()):
        raise UnsupportedError(f"{text} where these effects depend on the position", following.source)


def _depends(part: Ludeme) -> bool:
    """Whether an effect or a value may change with the position, or is more than one effect."""
    roles = {value.name for value in part.parts() if isinstance(value, Word)}
    if part.kind == "moves":
        return part.keyword not in ("addScore", "set Score") or bool(roles - {"Mover"})
    return part.kind in ("int", "boolean", "region") and (bool(reads(part)) or bool(roles))


def join(cx: Cx, prior: Ludeme) -> None:
    """Write code that does what all decisions do."""
    program = cx.program
    keep_arrivals(program)

    def joined(inner: Cx) -> None:
        inner.line("work[N_KEPT] = 0")
        inner.line("work[KEPT_PLACE] = 0")
        generate(prior, inner, JoinSink())
        inner.line("return do_kept(state, work)")

    bare = replace(cx, chain=(), filters=(), buffer=None)
    cx.line(bare.call("joined", prior, joined, key=("joined", id(prior))))
