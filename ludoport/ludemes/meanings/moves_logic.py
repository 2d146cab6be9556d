"""Ludemes that combine moves: or, and, seq, while, if, priority, do, append, allCombinations."""

from __future__ import annotations

from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.core.arguments import settle
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemes.core.context import Bool, Cx
from ludoport.ludemes.core.picking import alternatives
from ludoport.ludemes.core.registry import condition, generate, moves_ludeme, optional
from ludoport.ludemes.core.sinks import EffectSink, ExistsSink, ListSink, Sink, Spec
from ludoport.ludemes.core.traits import Order, writes
from ludoport.ludemes.meanings.first_tried import parts_of, tested
from ludoport.ludemes.meanings.moves_exist import effects_exist, exists
from ludoport.ludemes.meanings.moves_sequence import Ahead, do_next, do_tested
from ludoport.ludemes.meanings.standing import on_sites


@moves_ludeme("or", "and", order=Order.FRAME, draws=True, pieces="stay")
def union(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All moves of all parts."""
    place = cx.inside(optional(node.get("then")))
    if cx.picking is not None:
        alternatives([lambda p=part: generate(p, place, sink) for part in parts_of(node)], place)  # type: ignore[misc]
        return
    for part in parts_of(node):
        generate(part, place, sink)


@moves_ludeme("seq", order=Order.STEPS, draws=True, pieces="stay")
def sequence(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Effects evaluated and done one after another."""
    if not isinstance(sink, EffectSink):
        raise UnsupportedError("`seq` outside of consequents is not implemented yet", node.source)
    place = cx.inside(optional(node.get("then")))
    steps = InTurn(cx)
    listed = node.args["moves"]
    for k, part in enumerate(listed if isinstance(listed, list) else [listed]):
        assert isinstance(part, Ludeme)
        late = next((inner for inner in part.walk() if inner.key in ("int:last To", "int:last From")), None)
        if k > 0 and late is not None:
            # To the later parts, an earlier one is the last move.
            raise UnsupportedError(f"`{late.keyword}` in a later part of `seq` is not implemented yet", late.source)
        steps.effect(place, part, sink)
        place = steps.after_turns(place, part)


COLLECTED = 64
"""Most actions of sequences that are collected, for each site of the board."""


class InTurn:
    """Effects one after another: on the position itself, or on a copy where actions are collected for later."""

    def __init__(self, cx: Cx) -> None:
        self.ahead = None if cx.buffer is None else Ahead(cx)
        if self.ahead is not None:
            # Several steps for every site, again and again, are collected before any of them is done.
            cx.program.buffer_extra = max(cx.program.buffer_extra, COLLECTED * cx.program.n_sites)

    def effect(self, cx: Cx, part: Ludeme, sink: EffectSink) -> None:
        """Write code for the next effect."""
        if self.ahead is None:
            cx.program.rules.effect(cx, part)
        else:
            self.ahead.effect(cx, part, sink)

    def holds(self, cx: Cx, test: Value) -> Bool:
        """A condition on the position after the effects so far."""
        if self.ahead is None:
            return condition(test, cx)

        def tested(inner: Cx) -> None:
            inner.line(f"return {condition(test, inner)}")

        return replace(cx, buffer=None).call("holds", None, tested, on=self.ahead.copy)

    def after_turns(self, cx: Cx, done: Ludeme) -> Cx:
        """The same place after an effect, which may have changed who moves next."""
        if cx.slots["nxt"] == cx.slots["mover"] or not any("next" in writes(part) for part in done.walk()):
            return cx
        name = cx.fresh("nxt")
        cx.line(f"{name} = wide({'state' if self.ahead is None else self.ahead.copy}[NEXT])")
        return cx.bind(nxt=name)


ROUNDS = 10_000
"""Most rounds of a ``while``."""


@moves_ludeme("while", order=Order.STEPS, draws=True, pieces="stay")
def while_(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Effects evaluated and done again and again as long as a condition holds."""
    if isinstance(sink, ExistsSink):
        with cx.when(condition(node.args["condition"], cx)):
            generate(node.args["moves"], cx, sink)
        return
    if not isinstance(sink, EffectSink):
        raise UnsupportedError("`while` outside of effects is not implemented yet", node.source)
    place = cx.inside(optional(node.get("then")))
    steps = InTurn(cx)
    rounds = cx.fresh("rounds")
    with cx.block(f"for {rounds} in range({ROUNDS}):"):
        with cx.when(negation(steps.holds(cx, node.args["condition"]))):
            cx.line("break")
        part = node.args["moves"]
        assert isinstance(part, Ludeme)
        steps.effect(steps.after_turns(place, part), part, sink)


@moves_ludeme("if", order=Order.BRANCH, draws=True, pieces="stay")
def if_(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves of one part or the other."""
    place = cx.inside(optional(node.get("then")))
    test = condition(node.args["cond"], place)
    if isinstance(test, bool):
        settle(node.get("elseList") if test else node.args["list"])
    with cx.when(test), on_sites(node.args["cond"], place):
        if test is not False:
            generate(node.args["list"], place, sink)
    if node.get("elseList") is not None and test is not True:
        if test is False:
            generate(node.args["elseList"], place, sink)
        else:
            with cx.block("else:"):
                generate(node.args["elseList"], place, sink)


@moves_ludeme("priority", order=Order.FRAME, draws=False, pieces="stay", chooses=True)
def priority(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves of the first part that has any."""
    place = cx.inside(optional(node.get("then")))
    parts = parts_of(node)
    if isinstance(sink, ListSink):
        start = cx.fresh("n")
        cx.line(f"{start} = n")
        depth = cx.fn.depth
        for left, part in zip(range(len(parts) - 1, -1, -1), parts, strict=True):
            mark = len(cx.fn.lines)
            generate(part, place, sink)
            if left:
                assert isinstance(part, Ludeme)
                cx.program.rules.sieve(place, part, start)
                cx.line(f"if n == {start}:")
                cx.fn.depth += 1
            elif len(cx.fn.lines) == mark:
                cx.line("pass")
        cx.fn.depth = depth
    elif isinstance(sink, ExistsSink):
        for part in parts:
            generate(part, place, sink)
    else:
        depth = cx.fn.depth
        for part in parts[:-1]:
            assert isinstance(part, Ludeme)
            test = effects_exist(part, place) if isinstance(sink, EffectSink) else exists(part, place)
            with cx.block(f"if {test}:"):
                generate(part, place, sink)
            cx.line("else:")
            cx.fn.depth += 1
        mark = len(cx.fn.lines)
        generate(parts[-1], place, sink)
        if len(cx.fn.lines) == mark:
            cx.line("pass")
        cx.fn.depth = depth


def _in_order(node: Ludeme) -> Order:
    """Moves that follow each other see what was done before them."""
    return Order.ACT if node.get("next") is None else Order.OWN


@moves_ludeme("do", order=_in_order, draws=True, pieces="stay")
def do(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Moves tested by what holds after them, or moves followed by others."""
    place = cx.inside(optional(node.get("then")))
    if node.get("next") is not None:
        do_next(node, place, sink)
        return
    if isinstance(sink, EffectSink) and isinstance(node.get("ifAfterwards"), Ludeme):
        do_tested(node, place, sink)
        return
    generate(node.args["prior"], tested(node, place), sink)


@moves_ludeme("append", order=Order.FRAME, draws=True, pieces="stay")
def append(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """All moves of an effect merged into one decision; nothing if there are none."""
    inner_node = node.args["list"]
    assert isinstance(inner_node, Ludeme)
    if isinstance(sink, EffectSink):
        generate(inner_node, cx.inside(optional(node.get("then"))), sink)
        return
    site = cx.slots["site"] if cx.slots["site"] != -1 else cx.slots["to"]
    with cx.block(f"if {effects_exist(inner_node, replace(cx, chain=(), filters=()))}:"):
        spec = Spec(
            node,
            "add",
            site,
            site,
            act=lambda place: cx.program.rules.effect(place, inner_node),
            then=optional(node.get("then")),
        )
        sink.move(cx, spec)


@moves_ludeme("allCombinations", order=Order.FRAME, draws=True, pieces="stay")
def all_combinations(node: Ludeme, cx: Cx, sink: Sink) -> None:
    """Every pair of a move of one list and a move of the other; done as effects, both happen."""
    if not isinstance(sink, (EffectSink, ExistsSink)):
        raise UnsupportedError("`allCombinations` of decisions is not implemented yet", node.source)
    if isinstance(sink, ExistsSink):
        a, b = node.args["listA"], node.args["listB"]
        assert isinstance(a, Ludeme) and isinstance(b, Ludeme)
        with cx.block(f"if {effects_exist(a, cx)}:"), cx.block(f"if {effects_exist(b, cx)}:"):
            cx.line("return True")
        return
    place = cx.inside(optional(node.get("then")))
    generate(node.args["listA"], place, sink)
    generate(node.args["listB"], place, sink)
