"""Families of small games: each draws board, pieces, goal and verdict, and writes a game text.

All games end: stones are only added, only taken, or only go forward.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random

Template = Callable[[Random, str], str]

STONE = '(piece "Stone" Each)'
VERDICTS = ("Win", "Win", "Loss")
"""Misere games are a third of all."""


def lines(draw: Random, name: str) -> str:
    """Stones are added; a row of them wins or loses, and sometimes a shorter one does the opposite."""
    board, longest = _ground(draw)
    length, links = draw.randint(3, longest), draw.choice(("", " Orthogonal", " Diagonal", " All"))
    verdict = draw.choice(VERDICTS)
    ends = [f"(if (is Line {length}{links}) (result Mover {verdict}))"]
    if length > 3 and draw.random() < 0.3:
        ends.append(f"(if (is Line {length - 1}{links}) (result Mover {_other(verdict)}))")
    return _placing(name, board, "", _pie(draw), "(sites Empty)", ends)


def connections(draw: Random, name: str) -> str:
    """Stones are added; a chain between the own two sides wins or loses."""
    size = draw.randint(3, 6)
    shape = draw.choice(("hex Diamond", "hex Diamond", "square"))
    first, second = (("SW", "NE"), ("SE", "NW")) if shape == "hex Diamond" else (("N", "S"), ("E", "W"))
    sides = "".join(
        f" (regions P{player} {{(sites Side {one}) (sites Side {two})}})"
        for player, (one, two) in ((1, first), (2, second))
    )
    links = draw.choice(("", " Diagonal") if shape == "hex Diamond" else ("", " All"))
    end = f"(if (is Connected{links} Mover) (result Mover {draw.choice(VERDICTS)}))"
    return _placing(name, f"({shape} {size})", sides, _pie(draw), "(sites Empty)", [end])


def spacing(draw: Random, name: str) -> str:
    """Stones are added, but not beside others; a player without a move loses or wins."""
    board, _ = _ground(draw)
    whose = draw.choice(("All", "Mover", "Next"))
    around = f"(sites Around (sites Occupied by:{whose}){draw.choice(('', ' Orthogonal', ' Diagonal'))})"
    end = f"(if (no Moves Next) (result Mover {draw.choice(VERDICTS)}))"
    return _placing(name, board, "", "", f"(difference (sites Empty) {around})", [end])


def taking(draw: Random, name: str) -> str:
    """A full board of two colours; every move takes a stone, by a step onto it or by a jump over it."""
    height, width = draw.randint(3, 6), draw.randint(3, 6)
    way = draw.choice(("Orthogonal", "Orthogonal", "Adjacent", "Diagonal"))
    enemy = "(is Enemy (who at:({})))"
    step = f"(move Step {way} (to if:{enemy.format('to')} (apply (remove (to)))))"
    jump = f"(move Hop {way} (between if:{enemy.format('between')} (apply (remove (between)))) (to if:(is Empty (to))))"
    jumps = draw.random() < 0.5
    gap = " (sites Centre)" if jumps else ""
    start = " ".join(
        f'(place "Stone{player}" {f"(difference (sites Phase {phase}){gap})" if gap else f"(sites Phase {phase})"})'
        for player, phase in ((1, 0), (2, 1))
    )
    if way == "Diagonal" and not jumps:  # diagonal neighbours have the same colour
        start = '(place "Stone1" (sites Bottom)) (place "Stone2" (difference (sites Board) (sites Bottom)))'
    return _moving(
        name, f"(rectangle {height} {width})", "(players 2)", "", jump if jumps else step, start,
        [f"(if (no Moves Next) (result Mover {draw.choice(VERDICTS)}))"],
    )  # fmt: skip


def races(draw: Random, name: str) -> str:
    """Pieces go forward to the far row; they take in the same or in other directions, or not at all."""
    height, width = draw.randint(4, 6), draw.randint(3, 6)
    walks = draw.choice(("Forward", "(directions {FR FL})", "(directions {Forward FR FL})"))
    takes = draw.choice(("", "Forward", "(directions {FR FL})", "(directions {Forward FR FL})", "Orthogonal", "All"))
    moves = f"(move Step {walks} (to if:(is Empty (to))))"
    if takes:
        moves = f"(or {moves} (move Step {takes} (to if:(is Enemy (who at:(to))) (apply (remove (to))))))"
    deep = height >= 5 and draw.random() < 0.5
    homes = ["(sites Bottom)", "(sites Top)"]
    start = " ".join(
        f'(place "Stone{player}" {f"(expand {home})" if deep else home})'
        for player, home in zip((1, 2), homes, strict=True)
    )
    sides = f" (regions P1 {homes[1]}) (regions P2 {homes[0]})"
    verdict = draw.choice(VERDICTS)
    ends = [
        f"(if (is In (last To) (sites Mover)) (result Mover {verdict}))",
        f"(if (no Moves Next) (result Mover {draw.choice(('Win', 'Loss'))}))",
    ]
    return _moving(
        name, f"(rectangle {height} {width})", "(players {(player N) (player S)})", sides, moves, start, ends
    )


FAMILIES: dict[str, Template] = {
    "Lines": lines,
    "Connections": connections,
    "Spacing": spacing,
    "Taking": taking,
    "Races": races,
}
"""The families by name."""


def _ground(draw: Random) -> tuple[str, int]:
    """A board, and the longest line that is asked for on it."""
    kind = draw.choice(("square", "rectangle", "hex", "hex Diamond"))
    if kind == "rectangle":
        height, width = draw.randint(3, 5), draw.randint(4, 7)
        return f"(rectangle {height} {width})", min(4, height)
    size = draw.randint(3, 4) if kind == "hex" else draw.randint(3, 6)
    return f"({kind} {size})", min(5, size if kind != "hex" else size + 1)


def _pie(draw: Random) -> str:
    return "(meta (swap)) " if draw.random() < 0.3 else ""


def _other(verdict: str) -> str:
    return "Loss" if verdict == "Win" else "Win"


def _placing(name: str, board: str, sides: str, meta: str, sites: str, ends: list[str]) -> str:
    return f"""(game "{name}" (players 2)
    (equipment {{(board {board}) {STONE}{sides}}})
    (rules {meta}
        (play (move Add (to {sites})))
        (end {{{" ".join(ends)}}})))
"""


def _moving(name: str, board: str, players: str, sides: str, moves: str, start: str, ends: list[str]) -> str:
    return f"""(game "{name}" {players}
    (equipment {{(board {board}) (piece "Stone" Each {moves}){sides}}})
    (rules
        (start {{{start}}})
        (play (forEach Piece))
        (end {{{" ".join(ends)}}})))
"""
