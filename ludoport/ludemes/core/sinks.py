"""What happens to a generated move: it is listed, it answers a question, or it is done at once as an effect."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Bool, Cx, Expr
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.traits import traits


@dataclass
class Spec:
    """One move as a generator describes it.

    Attributes:
        node: the ludeme that generated it.
        kind: ``add``, ``remove``, ``move``, ``promote``, ``select``, ``pass``, ``swap``, ... (for notation).
        frm: where it starts (equal to ``to`` for placements).
        to: where it ends.
        act: writes what the move does, with the iterators bound again from the move's row.
        then: the consequent written on the generator itself.
        variant: tells apart several moves of one generator that act differently.
        slots: values to keep in the move's row besides from and to, where ``act`` needs them.
        show: columns shown in the notation, e.g. ``what`` for promotions.
        clears: whether ``act`` itself clears what is pending.
        whose: the player who may choose it where all choose together; None for the mover.
    measures: whether what it does chooses the moves of the longest turns.
    joins: whether it plays several moves as one, which are tested before; it is never tested itself.
    """

    node: Ludeme
    kind: str
    frm: Expr
    to: Expr
    act: Callable[[Cx], None]
    then: Ludeme | None = None
    variant: object = None
    slots: dict[str, Expr] = field(default_factory=dict)
    show: tuple[str, ...] = ()
    clears: bool = False
    whose: Expr | None = None
    measures: bool = False
    joins: bool = False


class Sink:
    """Receives moves while code is being written."""

    lists = False
    """Whether the code keeps a list of moves in ``moves`` with its length in ``n``."""
    ordered = False
    """Whether moves must come in the order in which the reference lists them."""
    takes = False
    """Whether moves that were listed elsewhere can be handed over as rows."""

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write the code for one generated move."""
        raise NotImplementedError

    def take(self, cx: Cx, row: str) -> None:
        """Write the code for one move that was listed elsewhere."""
        raise NotImplementedError

    def target(self) -> str | None:
        """The site where moves must end to matter; None if all moves matter."""
        return None

    def ends_at(self, site: str) -> Bool:
        """Code that tests whether moves to a site matter, before anything else is asked about them."""
        target = self.target()
        return True if target is None else f"{site} == {target}"

    def leaves(self, cx: Cx, frm: str) -> Bool:
        """Code that tests whether the moves of the piece on a site matter."""
        return True

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part of the generator as a function of its own."""
        raise NotImplementedError


class ListSink(Sink):
    """Writes every move into the list, until ``cap`` are there.

    ``ifAfterwards`` tests are costly, so they are not made here: the user of the list makes them (``Rules.keep``).
    """

    lists = True

    def __init__(self, longest: bool = True, measuring: bool = False) -> None:
        self.longest = longest
        """Whether ``max Moves`` chooses among the moves, or all of them are listed."""
        self.measuring = measuring
        """Whether the list tells how long a turn may last."""

    def label(self) -> tuple[int, ...]:
        """Key that differs between functions that list the same moves after different effects."""
        return ()

    def move(self, cx: Cx, spec: Spec) -> None:
        rule = cx.program.rules.rule(cx, spec)
        cx.program.listed.add(rule.number)
        with cx.block("if n >= cap:"):
            cx.line("return n")
        rule.write(cx, spec, "moves[n * MOVE_SIZE + {}]")
        if cx.program.any_tests:
            tag = cx.program.rules.tag(cx.filters) if cx.filters else cx.slots["tag"]
            cx.line(f"moves[n * MOVE_SIZE + TAG] = {tag}")
        if cx.program.together:
            cx.program.moves.want("WHOSE")
            cx.line(f"moves[n * MOVE_SIZE + WHOSE] = {cx.slots['mover'] if spec.whose is None else spec.whose}")
        cx.line("n += 1")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        if cx.filters and not any(
            p.get("ifAfterwards") is not None or traits(p).get("chooses") for p in cx.program.reach(node)
        ):
            # The same function serves moves with other tests: it only passes the number of the tests on.
            cx = replace(cx.bind(tag=f"wide({cx.program.rules.tag(cx.filters)})"), filters=())
        cx.line(f"n = {self.function(cx, stem, node, body, key, 'moves', 'n', 'cap')}")

    def function(
        self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object, moves: str, n: str, cap: str
    ) -> str:
        """A call of the function that lists these moves."""

        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return n")

        return cx.call(
            stem,
            node,
            whole,
            ("moves", "n", "cap"),
            (moves, n, cap),
            (key, "list", self.longest, self.measuring, cx.chain_key()),
        )


class ExistsSink(Sink):
    """Returns True from the function as soon as there is an effect to be done."""

    stem = "exists"

    def move(self, cx: Cx, spec: Spec) -> None:
        cx.line("return True")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return False")

        with cx.block(f"if {cx.call(stem, node, whole, key=(key, self.stem, cx.chain_key()))}:"):
            cx.line("return True")


class HitsSink(Sink):
    """Returns True from the function as soon as a move ends on the site ``target``."""

    def target(self) -> str | None:
        return "target" if taken("aim") else None

    def move(self, cx: Cx, spec: Spec) -> None:
        if isinstance(spec.to, int) and spec.to < 0:
            return
        test: Bool = f"{spec.to} == target"
        with cx.when(test):
            if cx.filters:
                rules = cx.program.rules
                rule = rules.rule(cx, spec)
                if any(rules.keep(cx, each, "move") for each in cx.filters):
                    keep = rule.keep_in_threat(cx, spec, rules.scratch_row(cx))
                    with cx.block(f"if {keep}:"):
                        cx.line("return True")
                    return
            cx.line("return True")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return False")

        if all(not cx.program.rules.keep(cx, each, "move") for each in cx.filters):
            cx = replace(cx, filters=())
        memo = (key, "hits", cx.chain_key())
        with cx.block(f"if {cx.call(stem, node, whole, ('target',), ('target',), memo)}:"):
            cx.line("return True")


class EffectSink(Sink):
    """Does every generated move at once: what the language calls an effect."""

    def move(self, cx: Cx, spec: Spec) -> None:
        place = replace(cx.bind(**spec.slots), chain=(), filters=())
        spec.act(place)
        for then in ((spec.then,) if spec.then is not None else ()) + cx.chain:
            cx.program.rules.consequent(place, then)

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        def whole(inner: Cx) -> None:
            body(inner)
            inner.line("return 0")

        cx.line(cx.call(stem, node, whole, key=(key, "effect", cx.chain_key())))
