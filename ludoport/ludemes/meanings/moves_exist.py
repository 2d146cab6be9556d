"""Whether there is a move, found with as few moves listed as possible."""

from __future__ import annotations

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.components import component_by_name
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.registry import generate
from ludoport.ludemes.core.shortcuts import taken
from ludoport.ludemes.core.sinks import ExistsSink, ListSink
from ludoport.ludemes.meanings.first_tried import has_first, has_others, list_first
from ludoport.ludemes.meanings.sure_moves import write_sure


def effects_exist(node: Ludeme, cx: Cx) -> str:
    """A call that tests whether a generator of effects has anything to do."""

    def body(inner: Cx) -> None:
        generate(node, inner, ExistsSink())
        inner.line("return False")

    return cx.call("any", node, body, key=("any", id(node), cx.chain_key()))


FEW = 3
"""Moves that are tried before all moves are listed, when only one is looked for."""


def exists(node: Ludeme, cx: Cx, further: str = "", attacked: bool = False, listed: str = "") -> str:
    """A call that tests whether a generator has a move that passes its tests.

    Args:
        node: the generator.
        cx: the place.
        further: one more test that a move must pass, with ``{}`` for its row.
        attacked: whether this is likely asked of a player under attack.
        listed: the function that lists just these moves, if there is one.
    """
    program = cx.program

    # Whether there is a longest move needs no measuring.
    sink = ListSink(longest="moves:max Moves" not in program.keys)

    def listing(place: Cx, moves: str, cap: str) -> str:
        if listed:
            return f"{listed}(state, work, {moves}, wide(0), wide({cap}))"
        return sink.function(
            place,
            "moves",
            node,
            lambda inner: generate(node, inner, sink),
            ("moves", id(node)),
            moves,
            "wide(0)",
            f"wide({cap})",
        )

    def first(inner: Cx, test: str, every: bool = False) -> None:
        """Try the moves of followed pieces, or a move of any piece: where nothing is threatened it will pass."""
        call = sink.function(
            inner,
            "pieces" if every else "first",
            node,
            lambda place: list_first(node, place, sink, every),
            ("first", id(node), every),
            "found",
            "wide(0)",
            "wide(1)" if every else "wide(MAX_MOVES)",
        )
        inner.line(f"n = {call}")
        with inner.block("for i in range(n):"), inner.block(f"if {test}:"):
            inner.line("return True")

    def body(inner: Cx) -> None:
        testing = program.rules.has_tests(inner, node) or bool(further)
        size = "MAX_MOVES * MOVE_SIZE" if testing else "MOVE_SIZE"
        offset = program.scratch(size, "LISTED")
        inner.line(f"found = work[{offset} : {offset} + {size}]")
        if not testing:
            inner.line(f"return {listing(inner, 'found', '1')} > 0")
            return
        row = "found[i * MOVE_SIZE : (i + 1) * MOVE_SIZE]"
        tests = [further.format(row)] if further else []
        if program.rules.has_tests(inner, node):
            tests.insert(0, program.rules.accept_call(inner, node, row))
        test = " and ".join(tests)
        order = has_first(node, inner) and taken("first")
        if order and attacked:
            first(inner, test)
        mark, function = len(inner.fn.lines), inner.fn
        pieces = order and not attacked and has_others(node)
        if pieces:
            # Other moves, such as drops, take longer to find.
            first(inner, test, every=True)
        else:
            inner.line(f"n = {listing(inner, 'found', str(FEW))}")
            with inner.block("for i in range(n):"), inner.block(f"if {test}:"):
                inner.line("return True")
            with inner.block(f"if n < {FEW}:"):
                inner.line("return False")
        if order and not attacked:
            before = len(inner.fn.lines)
            first(inner, test)
            again = inner.fn.lines[before:]

            def when_noted(name: str, table: str | None) -> None:
                """Where moves note that the piece is threatened, its own moves are tried before all others."""
                piece = component_by_name(program, name, "state[MOVER]")
                head = f"    if {piece} >= 1 and state[SAFE + {piece}] == 2:"
                function.lines[mark:mark] = [head, *("    " + line for line in again)]
                if pieces and not further:
                    end = len(function.lines)
                    write_sure(node, inner, name, table)
                    written = function.lines[end:]
                    del function.lines[end:]
                    function.lines[mark:mark] = written

            program.when_noted.append(when_noted)
        inner.line(f"n = {listing(inner, 'found', 'MAX_MOVES')}")
        inner.fn.when_full("n >= MAX_MOVES")
        with inner.block(f"for i in range({0 if pieces else FEW}, n):"), inner.block(f"if {test}:"):
            inner.line("return True")
        inner.line("return False")

    return cx.call("can", node, body, key=("can", id(node), further, attacked, cx.chain_key()))
