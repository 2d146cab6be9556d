"""``sites Winning``: the sites where a move would win the game for a player."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from ludoport.errors import UnsupportedError
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.region import Region, ScratchRegion
from ludoport.ludemes.core.registry import generate, number, region_ludeme
from ludoport.ludemes.core.sinks import ListSink

_LISTS_AGAIN = {"boolean:no Moves", "boolean:is Threatened", "meta:no Repeat", "meta:automove"}
"""Ludemes that list moves, or look back, while a move is played."""


@region_ludeme("sites Winning", reads=["board"])
def sites_winning(node: Ludeme, cx: Cx) -> Region:
    """The sites where one of the given moves would win, if it were the player's turn."""
    program = cx.program
    moves = node.get("moves")
    who = node.get("role") if node.get("role") is not None else node.get("pid")
    if not isinstance(moves, Ludeme) or str(who) not in ("Mover", "Next"):
        raise UnsupportedError("`sites Winning` is implemented for moves of the roles Mover and Next only", node.source)
    _check(node, program)
    size = "MAX_MOVES * MOVE_SIZE"
    rows, here, after = (
        program.scratch(each, stem) for each, stem in ((size, "LISTED"), ("CORE_SIZE", "COPY"), ("CORE_SIZE", "COPY"))
    )

    def listing(place: Cx) -> None:
        generate(moves, place, ListSink())
        place.line("return n")

    def body(inner: Cx) -> None:
        player = inner.slots["plr"]
        for name, offset in (("here", here), ("after", after)):
            inner.line(f"{name} = work[{offset} : {offset} + CORE_SIZE]")
        with inner.block("for i in range(CORE_SIZE):"):
            inner.line("here[i] = state[i]")
        _pass_turn(inner, str(player))
        # Ranks are kept doubled; who wins takes the best one that is left.
        inner.line("best = 1")
        with inner.block("for _ in range(N_PLAYERS):"), inner.block("for p in range(1, N_PLAYERS + 1):"):
            with inner.block("if here[RANK + p] == 2 * best:"):
                inner.line("best += 1")
        inner.line(f"moves = work[{rows} : {rows} + {size}]")
        turn = {"mover": player, "nxt": "wide(here[NEXT])", "prv": "wide(here[PREV])"}
        place = replace(inner, chain=(), filters=(), buffer=None).bind(**{k: inner.name(v) for k, v in turn.items()})
        call = place.call(
            "winning_moves",
            moves,
            listing,
            ("moves", "n", "cap"),
            ("moves", "wide(0)", "wide(MAX_MOVES)"),
            ("winning moves", id(moves)),
            on="here",
        )
        inner.line(f"n = {call}")
        inner.fn.when_full("n >= MAX_MOVES")
        with inner.block("for i in range(n):"):
            inner.line("to = moves[i * MOVE_SIZE + TO]")
            with inner.block(f"if to >= 0 and work[{marks} + to] == 0:"):
                with inner.block("for c in range(CORE_SIZE):"):
                    inner.line("after[c] = here[c]")
                inner.line("play(after, moves[i * MOVE_SIZE : (i + 1) * MOVE_SIZE], work)")
                with inner.block(f"if after[RANK + {player}] == 2 * best:"):
                    inner.line(f"work[{marks} + to] = 1")
        inner.line("return 0")

    marks = program.scratch(program.n_sites, "WINNING")

    def gather(inner: Cx, add: Callable[[str], None]) -> None:
        index = inner.fresh("i")
        with inner.block(f"for {index} in range({program.n_sites}):"):
            inner.line(f"work[{marks} + {index}] = 0")
        place = inner.bind(plr=inner.name(number(who, inner)))
        inner.line(place.call("winning", node, body, key=("winning", id(node))))
        with inner.block(f"for {index} in range({program.n_sites}):"):
            with inner.block(f"if work[{marks} + {index}] != 0:"):
                add(index)

    return ScratchRegion(gather)


def _check(node: Ludeme, program: Program) -> None:
    """Refuse games in which playing a move may list moves again, and results whose winner is not the mover."""
    again = next((part for part in program.description.root.walk() if part.key in _LISTS_AGAIN), None)
    if again is not None or program.together or program.simulation:
        other = f"`{again.keyword}`" if again is not None else "simultaneous moves and games without players"
        raise UnsupportedError(f"`sites Winning` with {other} is not implemented yet", node.source)
    for part in program.description.root.walk():
        if part.kind == "end" and (part.keyword == "byScore" or str(part.peek("who") or "Mover") != "Mover"):
            raise UnsupportedError("`sites Winning` is implemented for results of the mover only", part.source)
    if any(part.peek("ifAfterwards") is not None for part in node.walk()):
        raise UnsupportedError("`sites Winning` of moves with `ifAfterwards:` is not implemented yet", node.source)


def refuse_endless(program: Program) -> None:
    """Refuse games in which playing a move asks which moves would win, for which moves are played.

    Raises:
        UnsupportedError: with the ludeme.
    """
    node = next((part for part in program.description.root.walk() if part.key == "region:sites Winning"), None)
    if node is not None and program.module.calls_itself("play"):
        text = "`sites Winning` in results, and in what follows a move, is not implemented yet"
        raise UnsupportedError(text, node.source)


def _pass_turn(cx: Cx, player: str) -> None:
    """Write code that gives the turn to a player, between the neighbours who are still in the game."""
    if cx.program.n_players == 1:
        return
    with cx.block(f"if here[MOVER] != {player}:"):
        cx.line(f"here[MOVER] = {player}")
        for name, step in (("NEXT", "1"), ("PREV", "N_PLAYERS - 1")):
            cx.line(f"beside = ({player} - 1 + {step}) % N_PLAYERS + 1")
            with cx.block(f"while here[RANK + beside] != 0 and beside != {player}:"):
                cx.line(f"beside = (beside - 1 + {step}) % N_PLAYERS + 1")
            cx.line(f"here[{name}] = beside")
