"""Drawing a random move without listing all of them.

Every generator is a nest of loops. For drawing, each loop reads one digit of a candidate number instead of running, so
that a number below the product of the loops' bounds stands for at most one move. Candidates that stand for no legal
move are rejected and drawn again, which leaves all legal moves equally likely. The generators themselves are not
written again: the loops in ``region.py`` and ``directions.py`` ask the place they are written at whether it is one for
drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.components import one_of
from ludoport.ludemes.registry import condition, generate, optional
from ludoport.ludemes.sinks import Sink, Spec

if TYPE_CHECKING:
    from ludoport.ludemes.context import Cx, Expr

TRIES = 48
"""Candidates drawn before all moves are listed after all."""

MOST = 4_000_000
"""Widest candidate numbers; wider ones would mostly be rejected."""

_KNOWN = {
    *("or", "if", "do", "forEach Piece", "forEach Site", "forEach Direction", "apply", "append"),
    *(
        "move Step",
        "move Slide",
        "move Hop",
        "move Leap",
        "move",
        "move Add",
        "move Remove",
        "move Pass",
        "move Shoot",
        "move Promote",
    ),
}


class NotPickable(Exception):  # noqa: N818  (no mistake, but a way that does not lead on)
    """The moves of a generator cannot be drawn this way; they are listed instead."""


@dataclass
class Digits:
    """What is known about the digits of a candidate number while code is written.

    Attributes:
        name: the variable that holds what is left of the number.
        top: no number is too large, because the first digit fills what is drawn from.
        widths: for each open loop, how many candidates its body has so far.
        guards: conditions under which the code being written belongs to the candidate.
    """

    name: str = "c"
    top: bool = False
    widths: list[Expr] = field(default_factory=lambda: [0])
    guards: list[str] = field(default_factory=list)

    def leaf(self) -> None:
        """The code being written is for one candidate."""
        if self.widths[-1] == 0:
            self.widths[-1] = 1

    def atleast(self, width: Expr) -> None:
        """The code being written is for as many candidates, sharing their numbers with what was written before."""
        known = self.widths[-1]
        if isinstance(known, int) and isinstance(width, int):
            self.widths[-1] = max(known, width)
        elif known == 0:
            self.widths[-1] = width
        elif known != width:
            raise NotPickable("two widths that are only known during play")


@contextmanager
def digit(cx: Cx, bound: Expr, most: int) -> Iterator[str]:
    """Write code that reads one digit where a loop would stand.

    Args:
        cx: the place.
        bound: how often the loop would run.
        most: the most it could ever run; used for all but the outermost loop.
    """
    digits = cx.picking
    assert digits is not None
    outermost = len(digits.widths) == 1
    inner = f"PICK_{cx.program.module.number()}"
    name = cx.fresh("k")
    start, depth = len(cx.fn.lines), cx.fn.depth
    cx.line(f"{name} = {digits.name} // {inner}")
    rest = digits.name
    cx.line(f"{rest} = {rest} % {inner}")
    digits.widths.append(0)
    if outermost and digits.top:
        yield name
    else:
        # Something beside this code may have more candidates.
        with cx.block(f"if {name} < {bound}:"):
            yield name
    width = digits.widths.pop()
    if isinstance(width, int):
        width = max(width, 1)
        cx.program.module.constant(inner, width)
    elif _from_state(width):
        cx.fn.lines.insert(start, "    " * depth + f"{inner} = {width}")
    else:
        raise NotPickable("an inner width that is only known inside of a loop")
    if isinstance(bound, str) and not _from_state(bound):
        bound = most
    digits.atleast(bound * width if isinstance(bound, int) and isinstance(width, int) else f"{bound} * {width}")
    total = digits.widths[-1]
    if isinstance(total, int) and total > MOST:
        raise NotPickable("too many candidates")


class PickSink(Sink):
    """Writes the move of a candidate into ``move`` and returns True."""

    def move(self, cx: Cx, spec: Spec) -> None:
        """Write the code for one candidate."""
        digits = cx.picking
        if digits is None:
            raise NotPickable("a move outside of the loops")
        digits.leaf()
        rule = cx.program.rules.rule(cx, spec)
        cx.program.listed.add(rule.number)
        with cx.block("if " + " and ".join([*digits.guards, f"{digits.name} == 0"]) + ":"):
            rule.write(cx, spec, "move[{}]")
            if cx.program.any_tests:
                tag = cx.program.rules.tag(cx.filters) if cx.filters else cx.slots["tag"]
                cx.line(f"move[TAG] = {tag}")
            cx.line("return True")

    def split(self, cx: Cx, stem: str, node: Ludeme, body: Callable[[Cx], None], key: object) -> None:
        """Write a part as a function of its own; it is as wide as its body."""
        digits = cx.picking
        if digits is None:
            raise NotPickable("a function outside of the loops")
        memo = (key, "pick", cx.chain_key())
        widths = cx.program.pick_widths

        def whole(inner: Cx) -> None:
            own = Digits()
            body(replace(inner, picking=own))
            inner.line("return False")
            widths[memo] = own.widths[0]

        call = cx.call(stem, node, whole, ("move", "c"), ("move", digits.name), memo)
        width = widths[memo]
        if not isinstance(width, int):
            raise NotPickable("a function whose width is only known during play")
        digits.atleast(width)
        guard = " and ".join([*digits.guards, call])
        with cx.block(f"if {guard}:"):
            cx.line("return True")


_NAMES = re.compile(r"[A-Za-z_]\w*")


def _from_state(text: str) -> bool:
    """Whether code can be worked out from the state alone, wherever it stands."""
    known = {"state", "work", "mover", "nxt", "prv", "wide"}
    return all(
        name in known or name.isupper() or name.startswith(("total_", "count_")) for name in _NAMES.findall(text)
    )


def alternatives(parts: list[Callable[[], None]], cx: Cx) -> None:
    """Write several parts whose candidates follow one another."""
    digits = cx.picking
    assert digits is not None
    total: Expr = 0
    for part in parts:
        digits.widths.append(0)
        mark = len(cx.fn.lines)
        with cx.fn.block("if True:"):
            part()
        width = digits.widths.pop()
        if width == 0:
            del cx.fn.lines[mark:]
            continue
        name = cx.fresh("w")
        lines = cx.fn.lines[mark + 1 :]
        del cx.fn.lines[mark:]
        cx.line(f"{name} = {width}")
        cx.line(f"if {digits.name} < {name}:")
        cx.fn.lines += lines
        cx.fn.depth += 1
        cx.line("return False")
        cx.fn.depth -= 1
        cx.line(f"{digits.name} = {digits.name} - {name}")
        total = total + width if isinstance(total, int) and isinstance(width, int) else _sum(total, width)
    digits.atleast(total)


def _sum(a: Expr, b: Expr) -> Expr:
    return b if a == 0 else f"({a} + {b})"


def pick_piece(cx: Cx, sink: Sink, player: str, groups: list[tuple[Ludeme, list[int]]], place: Cx) -> None:
    """Write code that finds the piece to which a candidate belongs, where kinds of pieces differ in width."""
    program, digits = cx.program, cx.picking
    assert digits is not None
    number = program.module.number()
    table, index, frm, piece, width = (
        f"WIDTH_{number}",
        cx.fresh("i"),
        cx.fresh("frm"),
        cx.fresh("piece"),
        cx.fresh("w"),
    )
    widths = [0] * len(program.components)
    with cx.block(f"for {index} in range(state[N_OWN + {player}]):"):
        cx.line(f"{frm} = state[OWN + ({player} - 1) * {program.n_board} + {index}]")
        cx.line(f"{piece} = state[WHAT + {frm}]")
        cx.line(f"{width} = {table}[{piece}]")
        with cx.block(f"if {digits.name} < {width}:"):
            inner = replace(place.sure(frm).bind(frm=frm), owner=player)
            for word, (moves, components) in zip(["if", *["elif"] * len(groups)], groups, strict=False):
                with cx.block(f"{word} {one_of(piece, components)}:"):
                    digits.widths.append(0)
                    sink.split(inner, "piece", moves, lambda c, m=moves: generate(m, c, sink), id(moves))  # type: ignore[misc]
                    found = digits.widths.pop()
                    assert isinstance(found, int)
                    for component in components:
                        widths[component] = found
            cx.line("return False")
        cx.line(f"{digits.name} = {digits.name} - {width}")
    program.module.tables[table] = np.array(widths, dtype=np.int16)
    total = Function(f"total_{number}", ["state", "player"], "the number of candidates of all pieces of a player")
    total.line("total = 0")
    with total.block("for i in range(state[N_OWN + player]):"):
        total.line(f"total += {table}[state[WHAT + state[OWN + (player - 1) * {program.n_board} + i]]]")
    total.line("return total")
    program.module.functions.append(total)
    digits.atleast(f"total_{number}(state, {player})")


def write_picks(nodes: list[Ludeme], cx: Cx, finish: Callable[[Cx], None]) -> None:
    """Write code that draws candidates of some generators; it goes on behind if none was legal.

    Args:
        nodes: the generators whose moves are legal here.
        cx: the place, in a function with ``rng`` and ``move``.
        finish: writes what to do with a drawn move: test it and return.
    """
    if len(nodes) == 1 and nodes[0].keyword == "if" and nodes[0].get("then") is None:
        node = nodes[0]
        test = condition(node.args["cond"], cx)
        for name, word in (("list", f"if {test}:"), ("elseList", "else:")):
            branch = node.get(name)
            if isinstance(branch, Ludeme):
                with cx.block(word):
                    write_picks([branch], cx, finish)
            elif name == "elseList":
                break
        return
    if len(nodes) == 1 and nodes[0].keyword == "do" and nodes[0].get("next") is None:
        node, test_node = nodes[0], nodes[0].get("ifAfterwards")
        prior = node.args["prior"]
        assert isinstance(prior, Ludeme)
        place = cx.inside(optional(node.get("then")))
        if isinstance(test_node, Ludeme):
            each = cx.program.rules.filter(test_node, prior, len(place.chain), place.slots["frm"] != -1)
            place = replace(place, filters=(*place.filters, each))
        write_picks([prior], place, finish)
        return
    _write_tries(nodes, cx, finish)


def _write_tries(nodes: list[Ludeme], cx: Cx, finish: Callable[[Cx], None]) -> None:
    program = cx.program
    if not all(part.keyword in _KNOWN for node in nodes for part in program.reach(node) if _is_decision(part)):
        return
    functions, constants = len(program.module.functions), dict(program.module.constants)
    shared, rules = dict(program.shared), len(program.rules.rules)
    try:
        call, width = _pick_function(nodes, cx)
    except NotPickable:
        # Nothing of the attempt may stay behind.
        del program.module.functions[functions:]
        del program.rules.rules[rules:]
        program.rules.forget(rules)
        program.module.constants = constants
        program.shared = shared
        return
    if width == 0:
        return
    cx.line(f"w = {width}")
    with cx.block("if w > 0:"):
        with cx.block(f"for _ in range({TRIES}):"):
            cx.line("c = draw_number(rng, w)")
            with cx.block(f"if {call}:"):
                finish(cx)


def _is_decision(part: Ludeme) -> bool:
    return part.kind == "moves" and (
        part.keyword == "move"
        or part.keyword.startswith("move ")
        or part.keyword.startswith("forEach")
        or part.keyword in ("max Moves", "priority", "sow", "do")
    )


def _pick_function(nodes: list[Ludeme], cx: Cx) -> tuple[str, Expr]:
    """A call that writes the move of candidate ``c``, and code for the number of candidates."""
    widths: list[Expr] = []

    def body(inner: Cx) -> None:
        digits = Digits(top=len(nodes) == 1 and nodes[0].keyword not in ("if", "or"))
        place = replace(inner, picking=digits)
        sink = PickSink()
        if len(nodes) == 1:
            generate(nodes[0], place, sink)
        else:
            alternatives([lambda n=node: generate(n, place, sink) for node in nodes], place)  # type: ignore[misc]
        inner.line("return False")
        widths.append(digits.widths[0])

    call = cx.call("pick", nodes[0], body, ("move", "c"), ("move", "c"))
    return call, widths[0]
