"""One property test for every game: what must hold for any rules.

>>> import ludoport as lp
>>> check_game(lp.load("Tic-Tac-Toe", jit=False), playouts=2)
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.game import Game, State, as_game, seeded

__all__ = ["CheckError", "check_game"]


class CheckError(AssertionError):
    """A game breaks a property that all games have; the message shows where."""


FEW_DRAWS, MANY_DRAWS = 50, 500
"""Draws for each legal move, at first and where these look uneven."""

LOOKS_UNEVEN, IS_UNEVEN = 0.1, 1e-12
"""Probabilities below which draws are repeated, and below which they are a mistake of the game."""


def check_game(game: Game | str | Path, *, seed: int = 1, playouts: int = 3, plies: int = 300) -> None:
    """Plays random games and checks the properties of the kernel contract.

    Legal moves can be played, and nothing else changes a position. ``sample`` draws legal moves uniformly. After the
    end there are no moves, and the results of two players sum to zero. Equal positions have equal keys, different ones
    different keys. Every move has a unique text that finds it. Plain Python and machine code agree.

    Args:
        game: any game, its name, or the path of its file.
        seed: random seed.
        playouts: number of games.
        plies: maximum number of moves per game.

    Raises:
        CheckError: a property does not hold.
    """
    game, rng = as_game(game), random.Random(seed)
    positions: dict[int, tuple[Any, ...]] = {}
    sampled: set[int] = set()
    for number in range(playouts):
        for state in _random_game(game, seed + number, rng, plies):
            _check_position(state)
            _check_key(state, positions)
            choices = len(state.moves())
            # A few positions with few moves are enough to see whether some move is never drawn.
            if not state.over and choices <= 40 and choices not in sampled and len(sampled) < 4:
                sampled.add(choices)
                _check_sample(state, seed)
    if game.jit:
        _check_targets(game, seed, plies)


def _random_game(game: Game, seed: int, rng: random.Random, plies: int) -> Iterator[State]:
    state = game.start(seed=seed)
    yield state
    for _ in range(plies):
        if state.over:
            return
        before = state.row.copy()
        move = rng.choice(state.moves())
        following = state.play(move)
        _require(np.array_equal(state.row, before), state, f"playing `{move}` changed the position it was played in")
        state = following
        yield state


def _check_position(state: State) -> None:
    game = state.game
    before = _seen(state)
    moves, utilities = state.moves(), state.utilities
    _require(_seen(state) == before, state, "listing the moves changed the position")
    _require(len(utilities) == game.n_players, state, f"{len(utilities)} results for {game.n_players} players")
    _require(all(-1 <= value <= 1 for value in utilities), state, f"the results {utilities} are not between -1 and 1")
    if game.n_players == 2 and getattr(game.rules, "zero_sum", True):
        _require(sum(utilities) == 0, state, f"the results {utilities} do not sum to zero")
    if state.over:
        _require(not moves, state, "the game is over, but there are legal moves")
        _require(0 <= state.winner <= game.n_players, state, f"player {state.winner} has won")
        return
    _require(1 <= len(moves) <= game.rules.max_moves, state, f"{len(moves)} legal moves although the game is not over")
    _require(1 <= state.mover <= game.n_players, state, f"player {state.mover} is to move")
    _require(state.winner == -1, state, f"player {state.winner} has won a game that is not over")
    for names in ([move.text for move in moves], [move.label for move in moves]):
        _require(len(set(names)) == len(names), state, f"moves with the same name: {_repeated(names)}")
    for move in (moves[0], moves[len(moves) // 2], moves[-1]):
        for name in (move.text, move.label):
            _require(state.find(name) is move, state, f"the text `{name}` finds another move")


def _check_key(state: State, positions: dict[int, tuple[Any, ...]]) -> None:
    copy = State(state.game, state.row.copy())
    _require(state.key == copy.key, state, "a copy of the position has another key")
    here = _seen(state)
    known = positions.setdefault(state.key, here)
    _require(known == here, state, f"a different position has the same key: {known}")


def _check_sample(state: State, seed: int) -> None:
    """Draw moves and compare how often each came with chance, by the chi-square statistic.

    What looks uneven is drawn again, more often, and only these draws decide: chance alone fails them once in 10^12.
    """
    rng = seeded(seed)
    copies = Counter(move.row.tobytes() for move in state.moves())
    if _chi_square(_draw(state, rng, copies, FEW_DRAWS), copies, FEW_DRAWS)[1] > LOOKS_UNEVEN:
        return
    statistic, chance = _chi_square(_draw(state, rng, copies, MANY_DRAWS), copies, MANY_DRAWS)
    _require(
        chance > IS_UNEVEN,
        state,
        f"moves are not drawn equally often: chi-square is {statistic:.0f}, not {len(copies) - 1}",
    )


def _draw(state: State, rng: NDArray[np.int64], copies: Counter[bytes], each: int) -> Counter[bytes]:
    """Number of times that each move is drawn, in ``each`` draws for each legal move."""
    game = state.game
    draws = each * copies.total()
    drawn: Counter[bytes] = Counter()
    row = state.row.copy()
    move: NDArray[Any] = np.zeros(game.rules.move_size, dtype=game.dtype)
    for _ in range(draws):
        game.kernels.call("sample", row, rng, move, game.move_list, game.work)
        drawn[game.rules.tidy(move[None])[0].tobytes()] += 1
    _require(_seen(State(game, row)) == _seen(state), state, "drawing a move changed the position")
    for unknown in drawn.keys() - copies.keys():
        _require(False, state, f"a move was drawn that is not legal: {np.frombuffer(unknown, dtype=game.dtype)}")
    for move_row in copies:
        if not drawn[move_row]:
            shown = next(str(legal) for legal in state.moves() if legal.row.tobytes() == move_row)
            _require(False, state, f"the legal move `{shown}` was not drawn in {draws} draws")
    return drawn


def _chi_square(drawn: Counter[bytes], copies: Counter[bytes], each: int) -> tuple[float, float]:
    """The chi-square statistic, and a bound on the probability that chance alone makes it as large (Chernoff)."""
    statistic = sum((drawn[row] - each * count) ** 2 / (each * count) for row, count in copies.items())
    freedom = len(copies) - 1
    if statistic <= freedom or not freedom:
        return statistic, 1.0
    ratio = statistic / freedom
    return statistic, math.exp(freedom / 2 * (1 - ratio + math.log(ratio)))


def _check_targets(game: Game, seed: int, plies: int) -> None:
    """The same random game in plain Python and as machine code, move by move."""
    plain = Game(game.rules, jit=False)
    fast, slow = (target.start(seed=seed) for target in (game, plain))
    generators = seeded(seed), seeded(seed)
    for _ in range(plies):
        _require(np.array_equal(fast.row, slow.row), fast, f"plain Python comes to another position:\n{slow}")
        _require(np.array_equal(*generators), fast, "plain Python drew other random numbers")
        if fast.over:
            break
        fast, slow = (_drawn(state, rng) for state, rng in zip((fast, slow), generators, strict=True))
    _require(fast.key == slow.key, fast, "plain Python gives another key")
    _require(fast.utilities == slow.utilities, fast, f"plain Python gives the results {slow.utilities}")
    _require(_rows(fast) == _rows(slow), fast, "plain Python lists other legal moves")


def _drawn(state: State, rng: NDArray[np.int64]) -> State:
    """The position after a random move, as the kernels make it."""
    game, row = state.game, state.row.copy()
    move: NDArray[Any] = np.zeros(game.rules.move_size, dtype=game.dtype)
    game.kernels.call("sample", row, rng, move, game.move_list, game.work)
    game.kernels.call("play", row, move, game.work)
    return State(game, row)


def _seen(state: State) -> tuple[Any, ...]:
    """The identity of a position, without scratch fields and the order of lists in its row."""
    return state.key, state.mover, state.over, state.pieces()


def _rows(state: State) -> list[list[int]]:
    return [move.row.tolist() for move in state.moves()]


def _repeated(texts: list[str]) -> str:
    return ", ".join(text for text, count in Counter(texts).items() if count > 1)


def _require(holds: bool, state: State, message: str) -> None:
    if not holds:
        raise CheckError(f"{state.game.name}: {message}\n{state}")
