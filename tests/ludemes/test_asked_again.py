"""Consequents that ask whether a player could move: their tests try moves which have other consequents."""

from __future__ import annotations

import re

import pytest

from ludoport.lud import read_text
from ludoport.ludemes import compile_description

SAFE = '(not (is Threatened (id "King" Mover)))'
ASKS = f"""(then (if
    (not (can Move (do (and (forEach Piece) (set NextPlayer (player (next)))) ifAfterwards:{SAFE})))
    (addScore Mover 1)))"""
GAME = """
(game "Asked Again"
    (players 2)
    (equipment {
        (board (square 4))
        (piece "King" Each (move Step (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))))
        (piece "Rook" Each (move Slide Orthogonal (to if:(is Enemy (who at:(to))) (apply (remove (to))))))
    })
    (rules
        (start { (place "King1" 0) (place "Rook1" 1) (place "King2" 15) (place "Rook2" 14) })
        (play HERE)
        (end (if (>= (count Moves) 30) (byScore)))
    )
)
"""
PLAYS = {
    "consequent of the tested moves": f"(do (forEach Piece) ifAfterwards:{SAFE} {ASKS})",
    "consequent inside of the test": f"(do (forEach Piece {ASKS}) ifAfterwards:{SAFE})",
    "moves that are never played": f"""(forEach Piece (then (set Score Mover (count Sites in:(sites From
        (do (forEach Piece (move Step (to if:(is Empty (to))))) ifAfterwards:{SAFE}))))))""",
}


def calls(source: str) -> dict[str, set[str]]:
    """The functions that each function of generated source calls."""
    parts = re.split(r"^def (\w+)\(", source, flags=re.MULTILINE)[1:]
    texts = dict(zip(parts[::2], parts[1::2], strict=True))
    return {name: set(re.findall(r"\b(\w+)\(", text)) & set(texts) for name, text in texts.items()}


def reached(graph: dict[str, set[str]], name: str) -> set[str]:
    """All functions that a function calls, also through others."""
    found: set[str] = set()
    left = list(graph[name])
    while left:
        each = left.pop()
        if each not in found:
            found.add(each)
            left += graph[each]
    return found


@pytest.mark.parametrize("play", PLAYS)
def test_no_function_calls_itself(play: str) -> None:
    # Machine code has no such functions: moves that are tried follow rules without the consequent.
    compiled = compile_description(read_text(GAME.replace("HERE", PLAYS[play])))
    graph = calls(compiled.source)
    assert any(name.startswith("keep_") for name in graph)
    assert [name for name in graph if name in reached(graph, name)] == []
