"""``do ... next:``: moves generated after other moves have been made, which then belong to them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import UNSET, Cx, Expr
from ludoport.ludemes.core.region import refuse_picking
from ludoport.ludemes.core.registry import condition, generate
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, HitsSink, ListSink, Sink, Spec
from ludoport.ludemes.meanings.moves_joined import copied, decides, join, refuse_unknown

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def asks_pending(prior: Ludeme) -> bool:
    """Whether prior effects depend on what is pending, which a move clears before its own actions."""
    keywords = {part.keyword for part in prior.walk()}
    return bool({"is Pending", "pending", "sites Pending"} & keywords) and "set Pending" not in keywords


def measures(program: Program, prior: Ludeme) -> bool:
    """Whether effects before moves measure how long turns may last."""
    return any(part.keyword == "max Moves" for part in program.reach(prior))


def measures_before(program: Program) -> bool:
    """Whether a game has such effects."""
    nodes = program.description.root.walk()
    priors = [prior for node in nodes if node.keyword == "do" and (prior := node.peek("prior")) is not None]
    return any(measures(program, prior) for prior in priors if isinstance(prior, Ludeme))


class After(Sink):
    """Hands moves on with the effects that come before each of them."""

    def __init__(self, sink: ListSink | After, prior: Ludeme, outer: Cx) -> None:
        self.sink, self.prior, self.outer = sink, prior, outer
        self.joins = decides(outer, prior)
        self.lists = sink.lists
        self.longest: bool = sink.longest
        self.measuring: bool = sink.measuring

    @property
    def plain(self) -> ListSink:
        """What lists the same moves without anything before them."""
        return self.sink.plain if isinstance(self.sink, After) else self.sink

    def label(self) -> tuple[int, ...]:
        """Key that differs from those of sinks for other prior effects."""
        return (id(self.prior), *self.sink.label())

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write a move whose actions begin with the prior ones."""

        def act(place: Cx) -> None:
            # The prior effects see the iterators as they were before the moves that follow them.
            outer = self.outer.slots
            known: dict[str, Expr] = {s: value for s, value in outer.items() if isinstance(value, int) and s in UNSET}
            if place.program.any_foreign:
                # Inside moves of another player's pieces, the players are others.
                fields = {"mover": "state[MOVER]", "nxt": "state[NEXT]", "prv": "state[PREV]"}
                known |= {slot: field for slot, field in fields.items() if outer[slot] == UNSET[slot]}
            if self.joins:
                join(place.bind(**known), self.prior)
            else:
                place.program.rules.effect(place.bind(**known), self.prior)
            if asks and not spec.clears:
                place.line("clear_pending(state)")
            spec.act(place)

        if self.joins:
            spec = replace(spec, kind="Move", joins=True)
        asks = asks_pending(self.prior)
        variant = (spec.variant, "after", id(self.prior))
        long = spec.measures or measures(cx.program, self.prior)
        self.sink.move(cx, replace(spec, act=act, variant=variant, clears=asks or spec.clears, measures=long))

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part as a function of its own."""
        self.sink.split(cx, stem, node, body, (key, "after", id(self.prior)))


def _as_effect(cx: Cx, prior: Ludeme, following: Ludeme, sink: EffectSink) -> None:
    """Do the prior effects, then what follows from them."""
    rules = cx.program.rules
    if cx.buffer is None:
        rules.effect(replace(cx, chain=(), filters=()), prior)
        rules.effect(cx, following)
        return
    # What follows is evaluated on a copy on which the prior effects have been done.
    ahead = Ahead(cx)
    ahead.effect(replace(cx, chain=(), filters=()), prior, sink)

    def rest(inner: Cx) -> None:
        generate(following, inner, sink)
        inner.line("return 0")

    cx.line(cx.call("next", following, rest, on=ahead.copy))


class Ahead:
    """A copy of the position, ahead of it by actions that are collected to be done later."""

    def __init__(self, cx: Cx) -> None:
        self.copy = copied(cx)

    def effect(self, cx: Cx, part: Ludeme, sink: EffectSink) -> None:
        """Write code that evaluates effects on the copy, does them there and keeps them for the position itself."""
        rules = cx.program.rules
        assert cx.buffer is not None
        rules.buffer.want_level(cx.buffer)
        base, top = cx.fresh("base"), cx.fresh("top")
        cx.line(f"{base} = work[{rules.buffer.top()}]")

        def evaluated(inner: Cx) -> None:
            generate(part, inner, sink)
            inner.line("return 0")

        cx.line(cx.call("step", part, evaluated, on=self.copy))
        cx.line(f"{top} = work[BUFFER_TOP]")
        cx.line(f"flush_{cx.buffer}({self.copy}, work, {base})")
        cx.line(f"work[BUFFER_TOP] = {top}")


def _drop_refused(cx: Cx, node: Ludeme, start: str) -> None:
    """Write code that empties a list since ``start`` if none of its moves passes its tests."""
    if not cx.program.rules.has_tests(cx, node):
        return
    some, index = cx.fresh("some"), cx.fresh("i")
    cx.line(f"{some} = 0")
    test = cx.program.rules.accept_call(cx, node, f"moves[{index} * MOVE_SIZE : ({index} + 1) * MOVE_SIZE]")
    with cx.block(f"for {index} in range({start}, n):"), cx.block(f"if {some} == 0 and {test}:"):
        cx.line(f"{some} = 1")
    with cx.block(f"if {some} == 0:"):
        cx.line(f"n = {start}")


def do_tested(node: Ludeme, cx: Cx, sink: EffectSink) -> None:
    """Effects that are done if a condition holds after them, which is tried on a copy."""
    prior, test = node.args["prior"], node.args["ifAfterwards"]
    assert isinstance(prior, Ludeme)
    copy = copied(cx)

    def tried(inner: Cx) -> None:
        inner.program.rules.effect(inner, prior)
        inner.line(f"return {condition(test, inner)}")

    bare = replace(cx, chain=(), filters=(), buffer=None)
    with cx.block(f"if {bare.call('tried', prior, tried, key=('tried', id(node)), on=copy)}:"):
        generate(prior, cx, sink)


def do_next(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves made on a copy on which the prior effects have been done."""
    program = cx.program
    prior, following, test = node.args["prior"], node.args["next"], node.get("ifAfterwards")
    assert isinstance(prior, Ludeme) and isinstance(following, Ludeme)
    if isinstance(test, Ludeme):
        each = program.rules.filter(test, node, len(cx.chain))
        cx = replace(cx, filters=(*cx.filters, each))
    joins = decides(cx, prior)
    if joins:
        refuse_unknown(cx, node, sink)
    elif isinstance(sink, EffectSink):
        _as_effect(cx, prior, following, sink)
        return
    if isinstance(sink, HitsSink) or (joins and isinstance(sink, ExistsSink)):
        generate(following, cx, sink)
        return
    refuse_picking(cx)
    if joins:
        assert isinstance(sink, (ListSink, After))
        generate(following, cx, After(sink, prior, cx))
        return
    if measures(program, prior):
        if getattr(sink, "measuring", False):
            # Where a turn is being measured, its moves are not measured again.
            cx.fn.when_full("True")
            return
        if not getattr(sink, "longest", False):
            text = "`max Moves` in effects before moves is not implemented yet where moves are not listed"
            raise UnsupportedError(text, node.source)
    copy = copied(cx)
    bare = replace(cx, chain=(), filters=(), buffer=None)

    def before(inner: Cx) -> None:
        program.rules.effect(inner, prior)
        inner.line("return 0")

    cx.line(bare.call("prior", prior, before, key=("prior", id(prior)), on=copy))
    if isinstance(sink, ExistsSink):

        def some(inner: Cx) -> None:
            generate(following, inner, ExistsSink())
            inner.line("return False")

        with cx.block(f"if {cx.call('next', following, some, key=('next', id(node), cx.chain_key()), on=copy)}:"):
            cx.line("return True")
        return
    if not sink.lists:
        # Sites are marked in scratch space, which the copy shares.
        def mark(inner: Cx) -> None:
            generate(following, inner, sink)
            inner.line("return 0")

        cx.line(cx.call("next", following, mark, on=copy))
        return
    assert isinstance(sink, (ListSink, After))

    def every(inner: Cx) -> None:
        generate(following, inner, After(sink, prior, cx))
        inner.line("return n")

    names = ("moves", "n", "cap")
    key = ("next", id(node), sink.longest, sink.measuring, sink.label(), cx.chain_key())
    listed = cx.name("n + 0", "before") if program.dice else ""
    cx.line(f"n = {cx.call('next', following, every, names, names, key, copy)}")
    if program.dice:
        _drop_refused(replace(cx, filters=()), following, listed)
        # With dice, what was done before stands even if no move follows.
        with cx.block(f"if n == {listed}:"):
            After(sink, prior, cx).move(replace(cx, filters=()), Spec(node, "pass", -1, -1, lambda place: None))
