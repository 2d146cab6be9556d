"""Small games with boards that no measured variant has."""

from __future__ import annotations

from pathlib import Path

import ludoport as lp
from ludoport.game import Game

TEXTS = {
    # Sites of two kinds, both played on.
    "cells and vertices": """
        (game "Both" (players 2)
            (equipment {(board (square 3)) (piece "Ball" Each)})
            (rules
                (play (or (move Add (to (sites Empty))) (move Add (to Vertex (sites Empty Vertex)))))
                (end (if (is Line 3) (result Mover Win)))))
    """,
    # Layers above one another.
    "layers": """
        (game "Pyramid" (players 2)
            (equipment {(board (square 3 pyramidal:True) use:Vertex) (piece "Ball" Each)})
            (rules
                (play (move Add (to (sites Empty))))
                (end (if (is Line 3) (result Mover Win)))))
    """,
    "edges": """
        (game "Edges" (players 2)
            (equipment {(board (square 3) use:Edge) (piece "Ball" Each)})
            (rules
                (play (move Add (to (sites Empty))))
                (end (if (no Moves Next) (result Mover Win)))))
    """,
    # Hands longer than the board is wide, of different owners.
    "long hands": """
        (game "Hands" (players 2)
            (equipment {(board (rectangle 2 3)) (piece "Ball" Each) (hand Each size:4)})
            (rules
                (start {(place "Ball1" (sites Hand P1)) (place "Ball2" (sites Hand P2))})
                (play (move (from (sites Occupied by:Mover container:(mover))) (to (sites Empty)) count:1))
                (end (if (no Moves Next) (result Mover Win)))))
    """,
    "short hands": """
        (game "Pockets" (players 2)
            (equipment {(board (square 4)) (piece "Ball" Each) (hand Each)})
            (rules
                (start {(place "Ball1" (handSite P1) count:5) (place "Ball2" (handSite P2) count:5)})
                (play (move (from (handSite Mover)) (to (sites Empty)) count:1))
                (end (if (is Line 3) (result Mover Win)))))
    """,
    # From anywhere to anywhere, so that many moves share their clipped displacement.
    "anywhere": """
        (game "Anywhere" (players 2)
            (equipment {(board (square 6)) (piece "Ball" Each)})
            (rules
                (start {(place "Ball1" {"A1" "B1" "F6"}) (place "Ball2" {"A6"})})
                (play (move (from (sites Occupied by:Mover)) (to (sites Empty))))
                (end (if (is Line 3) (result Mover Win)))))
    """,
    "puzzle": """
        (game "Puzzle" (players 1)
            (equipment {(board (square 2) (values Cell (range 1 2)))})
            (rules
                (play (satisfy (all Different)))
                (end (if (is Solved) (result P1 Win)))))
    """,
}


def load(name: str, folder: Path, jit: bool = False) -> Game:
    """The game of a text."""
    path = folder / f"{name}.lud"
    path.write_text(TEXTS[name])
    return lp.load(path, jit=jit)
