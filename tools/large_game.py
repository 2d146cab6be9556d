"""Writes the text of a large Shogi-like game, to measure how long such games take to compile and to load.

Run as ``python -m tools.large_game > large.lud``. The default size is that of Taikyoku Shogi, the largest chess that
was played: 209 kinds of pieces on 36x36. The moves of the kinds are drawn with a random seed, from the patterns of
large Shogi games: steps, slides, slides of limited length, leaps, and promotion in the zone of the enemy.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterator

DIRECTIONS = ("Forward", "Backward", "Leftward Rightward", "FL FR", "BL BR")
"""Directions that pieces have together: nearly all pieces of Shogi are the same to the left and to the right."""

LEAPS = ("{F F}", "{F F F}", "{F R F}", "{F F R F}")

DEFINES = """\
(define "Capture" (apply if:(is Enemy (who at:(to))) (remove (to))))
(define "Promote" (then (if (is In (last To) (sites Mover "Zone")) (promote (last To) (piece (mapEntry "Promoted"
    (what at:(last To)))) Mover))))
(define "Free" (not (is Friend (who at:(to)))))
"""


def large_game(kinds: int = 209, size: int = 36, checked: bool = False, seed: int = 1) -> str:
    """The text of a game.

    Args:
        kinds: number of kinds of pieces, the king among them.
        size: rows and columns of the board.
        checked: whether the king must not be left under threat; otherwise the game ends when it is captured.
        seed: random seed of the moves.
    """
    rng = random.Random(seed)
    names = [f"{_letters(number)}Piece" for number in range(kinds - 1)]
    pieces = [f'(piece "{name}" Each {_moves(rng)})' for name in names]
    pieces.append('(piece "King" Each (move Step (to if:("Free") ("Capture"))))')
    pairs = [
        f'(pair (id "{name}" P{player}) (id "{rng.choice(names)}" P{player}))' for name in names for player in (1, 2)
    ]
    end = "(no Moves Next)" if checked else '(= (where "King" Next) -1)'
    test = ' ifAfterwards:(not (is Threatened (id "King" Mover) at:(where "King" Mover)))' if checked else ""
    return "\n".join(
        [
            f'{DEFINES}(game "Large {kinds} {size}" (players {{(player N) (player S)}})',
            f"(equipment {{(board (square {size}))",
            *pieces,
            f'(regions "Zone" P1 (expand (sites Top) steps:{size // 4})) (regions "Zone" P2 (expand (sites Bottom)'
            f" steps:{size // 4}))",
            f'(map "Promoted" {{{" ".join(pairs)}}})}})',
            f"(rules (start {{{' '.join(_places([*names, 'King'], size))}}})",
            f"(play (do (forEach Piece){test}))" if checked else "(play (forEach Piece))",
            f"(end (if {end} (result Mover Win)))))",
            "",
        ]
    )


def _letters(number: int) -> str:
    """A name that is no part of another one."""
    return "".join(chr(ord("A") + digit) for digit in (number // 676, number // 26 % 26, number % 26))


def _moves(rng: random.Random) -> str:
    """What one kind of piece does: two or three patterns."""
    patterns = [_pattern(rng) for _ in range(rng.choice((1, 2, 2, 3)))]
    return f'(or {{{" ".join(patterns)}}} "Promote")'


def _pattern(rng: random.Random) -> str:
    chosen = f"(directions {{{' '.join(sorted(rng.sample(DIRECTIONS, rng.randint(1, 5))))}}})"
    to = '(to if:("Free") ("Capture"))'
    kind = rng.choice(("step", "step", "slide", "slide", "limited", "limited", "leap"))
    if kind == "step":
        return f"(move Step {chosen} {to})"
    if kind == "leap":
        return f"(move Leap {{{rng.choice(LEAPS)}}} {to})"
    limit = f" (between (max {rng.choice((2, 3, 5))}))" if kind == "limited" else ""
    return f'(move Slide {chosen}{limit} (to if:(is Enemy (who at:(to))) ("Capture")))'


def _places(names: list[str], size: int) -> Iterator[str]:
    """The setup: every kind once for each player, on the rows of its side."""
    for number, name in enumerate(names[::-1]):
        yield f'(place "{name}1" {number})'
        yield f'(place "{name}2" {size * size - 1 - number})'


def main() -> None:
    """Prints a text."""
    parser = argparse.ArgumentParser(prog="python -m tools.large_game", description="Write the text of a large game.")
    parser.add_argument("--kinds", type=int, default=209, help="number of kinds of pieces (default: 209)")
    parser.add_argument("--size", type=int, default=36, help="rows of the board (default: 36)")
    parser.add_argument("--checked", action="store_true", help="the king must not be left under threat")
    parser.add_argument("--seed", type=int, default=1, help="random seed (default: 1)")
    chosen = parser.parse_args()
    print(large_game(chosen.kinds, chosen.size, chosen.checked, chosen.seed))


if __name__ == "__main__":
    main()
