"""CPU time of a click in every bundled game: ``python -m tools.clicks [GAME ...]``.

Plays random moves as the page's server does: the position after the move with everything that the page draws, as JSON.
With machine code every game is compiled first, unless it is in the cache; ``LUDOPORT_JIT=0`` measures plain Python.
"""

from __future__ import annotations

import json
import random
import sys
import time

from ludoport.languages import known_games
from ludoport.web import positions
from ludoport.web.positions import GameSpec

MOVES = 60


def clicks(name: str) -> list[float]:
    """Seconds of CPU time for each move of a random game."""
    spec, rng = GameSpec(name), random.Random(1)
    positions.open_game(spec)
    positions.load_game(spec)
    line: list[str] = []
    spent: list[float] = []
    shown = positions.position(spec, 1, line)
    while shown["moves"] and len(line) < MOVES:
        move = rng.choice(shown["moves"])["text"]
        begin = time.process_time()
        shown = positions.play(spec, 1, line, move)
        json.dumps(shown)
        spent.append(time.process_time() - begin)
        line.append(move)
    return spent


def main() -> None:
    """Print a line for each game."""
    for name in sys.argv[1:] or [known.name for known in known_games()]:
        spent = clicks(name)
        mean = sum(spent) / len(spent)
        print(
            f"{name:30} {len(spent):3} moves  mean {1000 * mean:6.1f} ms  worst {1000 * max(spent):6.1f} ms", flush=True
        )


if __name__ == "__main__":
    main()
