"""Cost of tested indices: playouts of bundled games with and without the tests that guards add.

    python -m tools.guard_cost              all bundled games
    python -m tools.guard_cost Shogi --pairs 40

Games in whose kernels every index is proved have no test and cost nothing. The others are compiled twice, and both play
in alternating order; the ratio of a pair is that of CPU times for the same games.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median, quantiles
from typing import Any
from unittest.mock import patch

from ludoport.game import Game, seeded
from ludoport.games import bundled
from ludoport.kernels import guards
from ludoport.kernels.ranges import Ranges
from ludoport.ludemes import bounds
from ludoport.ludemic import read_rules


class Tests:
    """Counts the tests that guards write, and leaves them out if asked to."""

    def __init__(self, leave_out: bool) -> None:
        self.leave_out, self.count = leave_out, 0

    def guarded(self, texts: Sequence[guards.FunctionText], ranges: Ranges) -> list[str]:
        """The texts of ``guards.guarded``, with or without its tests; those for sites that may be missing stay."""
        before = guards._patched

        def patched(text: str, function: Any, found: Any, entries: Any, loops: Any) -> str:
            tests = [each for each in found if each.kind != "on_board"]
            self.count += len(tests) + len(entries) + len(loops)
            if self.leave_out:
                found, entries, loops = [each for each in found if each.kind == "on_board"], [], []
            return before(text, function, found, entries, loops)

        with patch.object(guards, "_patched", patched):
            return guards.guarded(texts, ranges)


def compiled(path: Path, leave_out: bool) -> tuple[Game, int]:
    """A game and the number of tests in its kernels."""
    tests, rules = Tests(leave_out), read_rules(path)
    with (
        patch.object(bounds, "guarded", tests.guarded),
        patch.object(bounds, "found", lambda recipe, name, find, *details: find()),
    ):
        assert rules.compiled.source
    return Game(rules, True), tests.count


def player(game: Game) -> Callable[[int, int], float]:
    """A function that plays games by a seed; it returns the CPU time."""
    row, moves, work, play = game.new_row(), game.move_list, game.work, game.kernels.playouts
    play(row, seeded(0), moves, work, 1, 100_000)

    def measure(seed: int, games: int) -> float:
        begin = time.process_time()
        play(row, seeded(seed), moves, work, games, 100_000)
        return time.process_time() - begin

    return measure


def ratios(path: Path, pairs: int, seconds: float) -> list[float]:
    """CPU time with the tests in proportion to that without, pair by pair."""
    tested, bare = (player(compiled(path, leave_out)[0]) for leave_out in (False, True))
    games = 1
    while bare(1, games) < seconds:
        games *= 2
    found = []
    for seed in range(pairs):
        if seed % 2:
            first = tested(seed, games)
            found.append(first / bare(seed, games))
        else:
            first = bare(seed, games)
            found.append(tested(seed, games) / first)
    return found


def main() -> None:
    """Print a line about each game."""
    parser = argparse.ArgumentParser(description="Cost of tested indices.")
    parser.add_argument("names", nargs="*", help="default: all bundled games")
    parser.add_argument("--pairs", type=int, default=40)
    parser.add_argument("--seconds", type=float, default=0.2, help="CPU time of one run")
    given = parser.parse_args()
    for name in given.names or list(bundled()):
        path = bundled()[name]
        count = compiled(path, False)[1]
        line = f"{name}: {count} tests"
        if count:
            found = ratios(path, given.pairs, given.seconds)
            low, _, high = quantiles(found)
            line += f", CPU time x {median(found):.4f} (middle half {low:.4f} to {high:.4f}), {given.pairs} pairs"
        print(line, flush=True)


if __name__ == "__main__":
    main()
