"""The check finds games that break the kernel contract; `tests/verify/test_variants.py` runs it on bundled games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.check import IS_UNEVEN, MANY_DRAWS, CheckError, _chi_square, check_game

FIELDS = lp.load("Tic-Tac-Toe", jit=False).rules.fields


def broken(entry: str, change: Callable[..., Any]) -> lp.Game:
    """Tic-Tac-Toe with one kernel replaced; the change is given the right kernel and the arguments."""
    game = lp.load("Tic-Tac-Toe", jit=False)
    right = getattr(game.kernels, entry)
    game.kernels._functions[f"enter_{entry}"] = lambda *arguments: change(right, *arguments)
    return game


def ignores_the_last(right: Any, state: Any, rng: Any, move: Any, moves: Any, work: Any) -> int:
    """Draws again until the move is none that goes to site 8."""
    right(state, rng, move, moves, work)
    while move[2] == 8 and int(state[FIELDS["PLY"]]) < 8:
        right(state, rng, move, moves, work)
    return 0


def stays_put(right: Any, state: Any, rng: Any, move: Any, moves: Any, work: Any) -> int:
    right(state, rng, move, moves, work)
    move[1] = move[2] = 0
    return 0


def forgets_the_loser(right: Any, state: Any, player: int) -> float:
    return max(right(state, player), 0.0)


def adds_a_move(right: Any, state: Any, moves: Any, work: Any) -> int:
    return int(right(state, moves, work)) + 1


def scribbles(right: Any, state: Any, moves: Any, work: Any) -> int:
    state[FIELDS["MOVER"]] = 2
    return int(right(state, moves, work))


@pytest.mark.parametrize(
    ("entry", "change", "message"),
    [
        ("sample", ignores_the_last, "was not drawn"),
        ("sample", stays_put, "drawn that is not legal|was not drawn"),
        ("utility", forgets_the_loser, "do not sum to zero"),
        ("key", lambda right, state: 7, "same key"),
        ("key", lambda right, state: int(np.random.default_rng().integers(2**62)), "changed|another key"),
        ("legal", adds_a_move, "`pass` was not drawn"),
        ("legal", scribbles, "changed the position"),
    ],
)
def test_finds_what_is_broken(entry: str, change: Callable[..., Any], message: str) -> None:
    with pytest.raises(CheckError, match=message):
        check_game(broken(entry, change))


def test_right_in_plain_python() -> None:
    check_game(lp.load("Tic-Tac-Toe", jit=False))


@pytest.mark.slow
@pytest.mark.parametrize("moves", [2, 3, 9, 40])
def test_chance_raises_no_alarm_in_100_000_seeds(moves: int) -> None:
    """As many draws as in 100,000 calls; with two degrees of freedom, six deviations are not rare."""
    copies = Counter({bytes([move]): 1 for move in range(moves)})
    drawn = np.random.default_rng(1).multinomial(MANY_DRAWS * moves, [1 / moves] * moves, size=100_000)
    statistics = ((drawn - MANY_DRAWS) ** 2 / MANY_DRAWS).sum(axis=1)
    worst = Counter({bytes([move]): int(count) for move, count in enumerate(drawn[statistics.argmax()])})
    assert _chi_square(worst, copies, MANY_DRAWS)[1] > 1e3 * IS_UNEVEN
    if moves == 3:
        assert (statistics > 2 + 6 * 2).sum() > 20


def test_bias_raises_the_alarm() -> None:
    copies = Counter({b"a": 1, b"b": 1, b"c": 1})
    biased = Counter({b"a": 2 * MANY_DRAWS * 3 // 5, b"b": 2 * MANY_DRAWS * 3 // 5, b"c": MANY_DRAWS * 3 // 5})
    assert _chi_square(biased, copies, MANY_DRAWS)[1] < IS_UNEVEN
