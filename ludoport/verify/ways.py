"""Compares the compiler's shortcuts with its plain ways, and drawing moves with listing them.

``python -m ludoport.verify.ways FILES --plies 30`` compiles every game twice, once with all shortcuts and once with
none (``LUDOPORT_PLAIN=all``), plays the same random game in plain Python with both, and compares legal moves, mover,
end and results in every position. In some positions it also draws moves: each must be listed, and where the list is
short, each listed move must be drawn. Exits with 1 if two ways differ.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, State, seeded
from ludoport.ludemic import read_rules

DRAWS_EACH = 40
"""Draws for each listed move: chance leaves out one of 25 moves once in 10^16 positions."""

SHORT = 25
"""Lists that are not longer must be drawn completely."""


def main(arguments: list[str] | None = None) -> int:
    """Runs the comparison; the exit code."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.verify.ways", description=(__doc__ or "").split("\n")[0])
    parser.add_argument("paths", nargs="+", type=Path, help="game files, or folders of game files")
    parser.add_argument("--plies", type=int, default=30, help="longest random game in plies (default: 30)")
    parser.add_argument("--seed", type=int, default=0, help="random seed (default: 0)")
    parser.add_argument("--seconds", type=float, default=30.0, help="time limit for each game file (default: 30)")
    options = parser.parse_args(arguments)
    totals: Counter[str] = Counter()
    for place in options.paths:
        for path in sorted(place.rglob("*.lud")) if place.is_dir() else [place]:
            verdict, detail, positions = _examine(path, options)
            totals[verdict] += 1
            totals["positions"] += positions
            print(f"{verdict:12} {path.stem}: {detail}", flush=True)
    positions = totals.pop("positions", 0)
    print(", ".join(f"{count} {verdict}" for verdict, count in totals.items()) + f"; {positions} positions agree")
    return 1 if totals["differ"] else 0


def _examine(path: Path, options: argparse.Namespace) -> tuple[str, str, int]:
    try:
        short, plain = compiled(path, ""), compiled(path, "all")
    except LudoportError as error:
        return "not compiled", str(error), 0
    difference, positions = compare_ways(short, plain, options.seed, options.plies, options.seconds)
    return ("differ", difference, positions) if difference else ("agree", f"{positions} positions", positions)


def compiled(path: Path, plain: str) -> Game:
    """A game in plain Python, without the shortcuts that ``plain`` names."""
    before = os.environ.get("LUDOPORT_PLAIN")
    os.environ["LUDOPORT_PLAIN"] = plain
    try:
        game = Game(read_rules(path), jit=False)
        game.new_row()  # rules are compiled when they are first needed
        return game
    finally:
        if before is None:
            del os.environ["LUDOPORT_PLAIN"]
        else:
            os.environ["LUDOPORT_PLAIN"] = before


def compare_ways(short: Game, plain: Game, seed: int, plies: int, seconds: float = 1e9) -> tuple[str, int]:
    """Plays the same random game with both.

    Returns:
        The first difference, empty if there is none, and how many positions agree.
    """
    choice, rng = random.Random(seed), seeded(seed)
    one, other = short.start(seed), plain.start(seed)
    deadline = time.monotonic() + seconds
    for ply in range(plies):
        if time.monotonic() > deadline:
            return "", ply
        difference = _position(one, other)
        if not difference and not one.over and ply % 5 == 0:
            difference = _draws(one, rng) or _draws(other, rng)
        if difference:
            return f"seed {seed}, ply {ply}: {difference}", ply
        if one.over:
            return "", ply + 1
        text = choice.choice(one.moves()).text
        one, other = one.play(text), other.play(text)
    return "", plies


def _position(one: State, other: State) -> str:
    for name in ("over", "mover", "utilities", "scores"):
        if getattr(one, name) != getattr(other, name):
            return f"{name} is {getattr(one, name)}, the plain way says {getattr(other, name)}"
    if one.pieces() != other.pieces():
        return "other pieces than the plain way has"
    if one.over:
        return ""
    short, plain = (Counter(move.text for move in state.moves()) for state in (one, other))
    if short != plain:
        missing, extra = sorted((plain - short).elements()), sorted((short - plain).elements())
        return f"without {' '.join(missing) or '-'}, with {' '.join(extra) or '-'} compared with the plain way"
    return ""


def _draws(state: State, rng: Any) -> str:
    game = state.game
    listed = {move.row.tobytes(): move.text for move in state.moves()}
    drawn = set()
    move = np.zeros(game.rules.move_size, dtype=game.dtype)
    for _ in range(DRAWS_EACH * min(len(listed), SHORT)):
        game.kernels.call("sample", state.row.copy(), rng, move, game.move_list, game.work)
        drawn.add(game.rules.tidy(move[None])[0].tobytes())
        if len(drawn) == len(listed):
            break
    if not drawn <= listed.keys():
        return f"a move was drawn that is not listed: {np.frombuffer(min(drawn - listed.keys()), dtype=game.dtype)}"
    if len(listed) <= SHORT and len(drawn) < len(listed):
        return f"listed and never drawn: {' '.join(sorted(listed[row] for row in listed.keys() - drawn))}"
    return ""


if __name__ == "__main__":
    sys.exit(main())
