"""Drawing a random move without listing all of them.

Every generator is a nest of loops. For drawing, each loop reads one digit of a candidate number instead of running, so
that a number below the product of the loops' bounds stands for at most one move. Candidates that stand for no legal
move are rejected and drawn again, which leaves all legal moves equally likely. The generators themselves are not
written again: the loops in ``region.py`` and ``directions.py`` ask the place they are written at whether it is one for
drawing.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.candidates import CandidateTables, candidate_tables
from ludoport.ludemes.core.components import one_of
from ludoport.ludemes.core.digits import Digits, NotPickable, from_state
from ludoport.ludemes.core.registry import condition, generate, optional
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import Sink, Spec
from ludoport.ludemes.core.site_widths import SiteWidth
from ludoport.ludemes.core.traits import traits

if TYPE_CHECKING:
    from ludoport.ludemes.core.context import Cx, Expr
    from ludoport.ludemes.core.program import Program

TRIES = 48
"""Candidates drawn before all moves are listed after all."""


_MOST_KEPT = 32_000
"""The largest number of candidates that a row of 16 bits can keep."""

_CALL = re.compile(r"if (\w+)\(.*\):$")
"""A call of the function of a kind of pieces."""

_COUNTED = re.compile(r"\b(?:count|total)_\d+\([^()]*\)")
"""A call that counts candidates."""


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
            # A function for the moves of one piece gets its site and its owner.
            placed = inner.slots["frm"] == "frm" and "frm" in inner.safe and inner.owner == inner.slots["mover"]
            own = Digits(site="frm", owner="mover") if placed and taken("width") else Digits()
            body(replace(inner, picking=own))
            inner.line("return False")
            widths[memo] = own.widths[0]

        call = cx.call(stem, node, whole, ("move", "c"), ("move", digits.name), memo)
        width = widths[memo]
        if isinstance(width, SiteWidth) and not digits.by_site:
            width = width.most
        if isinstance(width, str):
            raise NotPickable("a function whose width is only known during play")
        digits.atleast(width)
        guard = " and ".join([*digits.guards, call])
        with cx.block(f"if {guard}:"):
            cx.line("return True")


def alternatives(parts: list[Callable[[], None]], cx: Cx) -> None:
    """Write several parts whose candidates follow one another."""
    digits = cx.picking
    assert digits is not None
    total: Expr | SiteWidth = 0
    for part in parts:
        digits.widths.append(0)
        mark = len(cx.fn.lines)
        cx.fn.depth += 1
        part()
        cx.fn.depth -= 1
        width = digits.widths.pop()
        if width == 0:
            del cx.fn.lines[mark:]
            continue
        name = cx.fresh("w")
        lines = cx.fn.lines[mark:]
        del cx.fn.lines[mark:]
        cx.line(f"{name} = {width.code(cx.program) if isinstance(width, SiteWidth) else width}")
        cx.line(f"if {digits.name} < {name}:")
        cx.fn.lines += lines
        cx.fn.depth += 1
        cx.line("return False")
        cx.fn.depth -= 1
        cx.line(f"{digits.name} = {digits.name} - {name}")
        total = _sum(total, width)
    digits.atleast(total)


def _sum(a: Expr | SiteWidth, b: Expr | SiteWidth) -> Expr | SiteWidth:
    if isinstance(a, int) and isinstance(b, int):
        return a + b
    if isinstance(a, SiteWidth) and not isinstance(b, str):
        return a.plus(b)
    if isinstance(b, SiteWidth) and not isinstance(a, str):
        return b.plus(a)
    a, b = (each.most if isinstance(each, SiteWidth) else each for each in (a, b))
    return b if a == 0 else f"({a} + {b})"


def pick_piece(cx: Cx, sink: Sink, player: str, groups: list[tuple[Ludeme, list[int]]], place: Cx) -> None:
    """Write code that finds the piece to which a candidate belongs, where kinds of pieces differ in width."""
    program, digits = cx.program, cx.picking
    assert digits is not None
    table = f"WIDTH_{program.module.number()}"
    index, frm, piece, width = cx.fresh("i"), cx.fresh("frm"), cx.fresh("piece"), cx.fresh("w")
    widths = np.zeros((len(program.components), program.n_board), dtype=np.int64)
    digits.by_site = True
    with cx.block(f"for {index} in range(state[N_OWN + {player}]):"):
        cx.line(f"{frm} = state[OWN + ({player} - 1) * {program.n_board} + {index}]")
        cx.line(f"{piece} = state[WHAT + {frm}]")
        inner = replace(place.sure(frm).bind(frm=frm), owner=player)
        parts = [_kind_part(inner, sink, moves, kinds, widths) for moves, kinds in groups]
        program.module.tables[table] = widths.reshape(-1).astype(np.int16)
        tables = _tables(cx, groups, parts, widths)
        if tables is None:
            cx.line(f"{width} = {table}[{piece} * {program.n_board} + {frm}]")
        else:
            line = _read_line(cx, tables, f"{piece} * {program.n_board} + {frm}", width)
        with cx.block(f"if {digits.name} < {width}:"):
            if tables is not None:
                _pick_line(cx, frm, line, tables)
            word = "if"
            for number, ((_, kinds), lines) in enumerate(zip(groups, parts, strict=True)):
                if tables is None or number in tables.left:
                    with cx.block(f"{word} {one_of(piece, kinds)}:"):
                        cx.fn.lines += lines
                    word = "elif"
            cx.line("return False")
        cx.line(f"{digits.name} = {digits.name} - {width}")
    digits.by_site = False
    digits.atleast(_all_candidates(program, table, player))


def _kind_part(
    cx: Cx, sink: Sink, moves: Ludeme, kinds: list[int], widths: NDArray[np.signedinteger[Any]]
) -> list[str]:
    """The code for kinds with the same moves, three blocks deep; notes how many candidates they have."""
    digits, begin = cx.picking, len(cx.fn.lines)
    assert digits is not None
    digits.widths.append(0)
    cx.fn.depth += 2
    sink.split(cx, "piece", moves, lambda c: generate(moves, c, sink), id(moves))
    cx.fn.depth -= 2
    found = digits.widths.pop()
    assert isinstance(found, (int, SiteWidth))
    for kind in kinds:
        widths[kind] = found if isinstance(found, int) else found.of(cx.program.components[kind].owner)
    part = cx.fn.lines[begin:]
    del cx.fn.lines[begin:]
    return part


def _tables(
    cx: Cx,
    groups: list[tuple[Ludeme, list[int]]],
    parts: list[list[str]],
    widths: NDArray[np.signedinteger[Any]],
) -> CandidateTables | None:
    """Tables of the candidates of all kinds, where they say more than the code of the kinds."""
    calls = [_CALL.match(part[0].strip()) for part in parts if part]
    if not taken("table") or len(calls) < len(parts) or not all(calls) or (cx.picking and cx.picking.guards):
        return None
    kinds = [each for _, each in groups]
    return candidate_tables(cx.program, [call[1] for call in calls if call], kinds, widths)


def _read_line(cx: Cx, tables: CandidateTables, place: str, width: str) -> str:
    """Write how many candidates a piece has and where they begin, which is needed at once if one is meant."""
    first = cx.fresh("first")
    cx.line(f"{width} = {tables.first}[({place}) * 2]")
    cx.line(f"{first} = {tables.first}[({place}) * 2 + 1]")
    return first


def _pick_line(cx: Cx, frm: str, first: str, tables: CandidateTables) -> None:
    """Write the candidate that a line of the tables describes."""
    program, digits, facts, mover = cx.program, cx.picking, cx.fn.facts, cx.slots["mover"]
    assert digits is not None
    line, to, begin, end, shape, rule = (cx.fresh(stem) for stem in ("line", "to", "begin", "end", "shape", "rule"))
    last, kinds = len(program.module.tables[tables.passed]), len(program.components)
    facts[line] = (0, tables.length - 4)
    facts[to] = (0, program.n_board - 1)
    facts[shape] = (-1, len(program.module.tables[tables.rules]) - program.n_players * kinds)
    facts[begin] = facts[end] = (0, last)
    cx.line(f"{line} = ({first} + {digits.name}) * 4")
    cx.line(f"{shape} = {tables.lines}[{line} + 3]")
    with cx.fn.when(f"{shape} >= 0" if tables.left else True):
        cx.line(f"{to} = {tables.lines}[{line}]")
        cx.line(f"{rule} = wide({tables.rules}[{shape} + ({mover} - 1) * {kinds} + state[WHAT + {to}]])")
        with cx.block(f"if {rule} == 0:"):
            cx.line("return False")
        cx.line(f"{begin} = {tables.lines}[{line} + 1]")
        cx.line(f"{end} = {tables.lines}[{line} + 2]")
        with cx.block(f"for k in range({begin}, {end}):"):
            with cx.block(f"if state[WHAT + {tables.passed}[k]] != 0:"):
                cx.line("return False")
        cx.line(f"move[RULE] = {rule}")
        cx.line(f"move[FROM] = {frm}")
        cx.line(f"move[TO] = {to}")
        for column, value in tables.more.items():
            cx.line(f"move[{column}] = {mover if value is None else value}")
        cx.line("return True")


def _all_candidates(program: Program, table: str, player: str) -> str:
    """Code for the number of candidates of all pieces of a player: kept in the row, or counted."""
    if taken("width") and int(program.module.tables[table].max()) * program.n_board < _MOST_KEPT:
        if program.ways is None:
            program.ways = table
        if program.ways == table:
            return f"state[N_WAYS + {player}]"
    total = Function(table.replace("WIDTH", "total"), ["state", "player"], "the candidates of all pieces of a player")
    total.line("total = 0")
    with total.block("for i in range(state[N_OWN + player]):"):
        total.line(f"s = state[OWN + (player - 1) * {program.n_board} + i]")
        total.line(f"total += {table}[state[WHAT + s] * {program.n_board} + s]")
    total.line("return total")
    program.module.functions.append(total)
    return f"{total.name}(state, {player})"


def write_picks(nodes: list[Ludeme], cx: Cx, finish: Callable[[Cx], None]) -> None:
    """Write code that draws candidates of some generators; the code after it runs if none was legal.

    Args:
        nodes: the generators whose moves are legal here.
        cx: the place, in a function with ``rng`` and ``move``.
        finish: writes what to do with a drawn move: test it and return.
    """
    if len(nodes) == 1 and nodes[0].keyword == "if":
        node = nodes[0]
        place = cx.inside(optional(node.get("then")))
        test = condition(node.args["cond"], place)
        for name, word in (("list", f"if {test}:"), ("elseList", "else:")):
            branch = node.get(name)
            if isinstance(branch, Ludeme):
                with cx.block(word):
                    write_picks([branch], place, finish)
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
    parts = [part for node in nodes for part in program.reach(node) if part.kind == "moves"]
    if not all(traits(part).get("draws") for part in parts):
        return
    functions, constants = len(program.module.functions), dict(program.module.constants)
    shared, rules, ways = dict(program.shared), len(program.rules.rules), program.ways
    try:
        call, width = _pick_function(nodes, cx)
    except NotPickable:
        # Nothing of the attempt may stay behind.
        del program.module.functions[functions:]
        del program.rules.rules[rules:]
        program.rules.forget(rules)
        program.module.constants = constants
        program.shared = shared
        program.ways = ways
        return
    if width == 0:
        return
    if program.ways is not None:
        program.state.want("N_WAYS", program.n_players + 2)
    if taken("hoist"):
        call, width = _hoist(call, width, cx)
    cx.line(f"w = {width}")
    with cx.block("if w > 0:"):
        with cx.block(f"for _ in range({TRIES}):"):
            cx.line("c = draw_number(rng, w)")
            with cx.block(f"if {call}:"):
                finish(cx)


def _hoist(call: str, width: Expr, cx: Cx) -> tuple[str, Expr]:
    """Count before the draws what every draw would count again: candidates change nothing.

    Args:
        call: a call of the function that writes the move of a candidate.
        width: code for the number of candidates.
        cx: the place before the draws.

    Returns:
        The call and the code for the width with the counts as variables.
    """
    name = call.split("(")[0]
    pick = next(f for f in cx.program.module.functions if isinstance(f, Function) and f.name == name)
    counts = [c for c in dict.fromkeys(_COUNTED.findall(str(width))) if from_state(c)]
    for count in counts:
        held = cx.fresh("held")
        cx.line(f"{held} = {count}")
        pick.lines = [line.replace(count, held) for line in pick.lines]
        pick.params = [*pick.params, held]
        call, width = f"{call[:-1]}, {held})", str(width).replace(count, held)
    return call, width


def _pick_function(nodes: list[Ludeme], cx: Cx) -> tuple[str, Expr]:
    """A call that writes the move of candidate ``c``, and code for the number of candidates."""
    widths: list[Expr | SiteWidth] = []

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
    width = widths[0]
    return call, width.most if isinstance(width, SiteWidth) else width
