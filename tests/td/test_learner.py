"""The learner does what the paper says."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import Move, State
from ludoport.td.curve import Curve, between, learning_curve
from ludoport.td.learner import KnownValues, Start, ValueLearner
from ludoport.td.match_kernels import KINDS
from ludoport.td.memory import AfterstateMemory
from ludoport.td.opponents import Opponent
from ludoport.td.settings import TdSettings
from tests.td.games import MISERE, NOUGHTS, TINY, small_game


class Scripted:
    """An opponent that plays the moves it is told."""

    name = "scripted"

    def __init__(self, *moves: str) -> None:
        self.moves = list(moves)

    def choose(self, state: State, seed: int) -> Move:
        return state.find(self.moves.pop(0))


def test_the_update_is_that_of_a_hand_computed_match() -> None:
    # A learner without exploration that meets 1-0-2: it wins with its second move, on the square next to the first.
    game = small_game(TINY)
    learner = ValueLearner(game, settings=TdSettings(epsilon=0.0))
    first, last = game.start().play("1"), game.start().play("1").play("0").play("2")
    learner.learn(last, [first.row, last.row])
    # Errors: 0 for the first afterstate (50 - 50), 50 for the last (100 - 50).
    assert learner.value(last) == pytest.approx(50 + 0.3 * 50)
    assert learner.value(first) == pytest.approx(50 + 0.3 * 0.7 * 50)
    learner.learn(last, [first.row, last.row])
    # Errors: 65 - 60.5 = 4.5, and 100 - 65 = 35.
    assert learner.value(last) == pytest.approx(65 + 0.3 * 35)
    assert learner.value(first) == pytest.approx(60.5 + 0.3 * (4.5 + 0.7 * 35))
    assert learner.visited(first) == learner.visited(last) == 2
    assert learner.visited(game.start().play("0")) == 0
    assert learner.value(game.start().play("0")) == 50


def test_three_afterstates_and_another_discount_by_hand() -> None:
    game = small_game(NOUGHTS)
    settings = TdSettings(alpha=0.5, gamma=0.9, lam=0.4)
    learner = ValueLearner(game, settings=settings)
    state, rows = game.start(), []
    for number, site in enumerate(("0", "3", "1", "4", "2")):
        state = state.play(site)
        if number % 2 == 0:
            rows.append(state)
    learner.learn(state, [row.row for row in rows])
    errors = [0.9 * 50 - 50, 0.9 * 50 - 50, 100 - 50]
    for p in range(3):
        change = 0.5 * sum(0.4 ** (t - p) * errors[t] for t in range(p, 3))
        assert learner.value(rows[p]) == pytest.approx(50 + change)


def test_the_end_is_the_last_afterstate_also_behind_a_move_of_the_opponent() -> None:
    game = small_game(TINY)
    learner = ValueLearner(game, start="default", settings=TdSettings(epsilon=0.0))
    # Values make the learner play 0, then 3; the opponent wins with 1 and 2.
    for state, value in ((game.start().play("0"), 60.0), (game.start().play("0").play("1").play("3"), 60.0)):
        entry = len(learner.memory)
        learner.learn(game.start().play("0"), [state.row])
        learner.memory.q[entry] = value
    rewards = learner.train(Scripted("1", "2"), 1)
    assert rewards.tolist() == [0.0]
    end = game.start().play("0").play("1").play("3").play("2")
    assert end.over
    assert learner.visited(end) == 1
    assert learner.value(end) == pytest.approx(50 + 0.3 * (0 - 50))
    assert learner.value(game.start().play("0").play("1").play("3")) == pytest.approx(60 + 0.3 * (-10 + 0.7 * -50))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("start", ["default", "minimax"])
def test_machine_code_learns_exactly_what_plain_python_learns(kind: str, start: Start) -> None:
    outcomes = []
    for jit in (True, False):
        game = small_game(NOUGHTS, jit=jit)
        learner = ValueLearner(game, start=start, seed=7, keep=True, settings=TdSettings(epsilon=0.2))
        rewards = learner.train(Opponent(kind, epsilon=0.1, habit="fixed", salt=3), 12)
        outcomes.append((rewards.tolist(), learner.memory.values.tolist(), learner.codes(nested=True).tolist()))
    assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("at_sight", [False, True])
def test_a_new_afterstate_is_initialised_once(at_sight: bool) -> None:
    game = small_game(TINY)
    codes = ValueLearner(game).code(game.start().play("1"))
    known = KnownValues.of({codes: 77.0})
    settings = TdSettings(epsilon=0.0, at_sight=at_sight, alpha=1e-9)
    learner = ValueLearner(game, start="features", features=known, settings=settings)
    first = game.start().play("1")
    assert learner.value(first) == 50
    learner.learn(first, [first.row])
    assert learner.value(first) == pytest.approx(77)
    learner.memory.q[:] = 12.0
    learner.learn(first, [first.row])
    assert learner.value(first) == pytest.approx(12)
    assert len(learner.memory) == 1
    # The mirrored square has the same tree: known at once where afterstates begin when they are looked at.
    learner.choose(game.start())
    assert learner.value(game.start().play("2")) == pytest.approx(77 if at_sight else 50)
    assert learner.visited(game.start().play("2")) == 0


def test_ends_begin_with_their_reward_except_for_the_baseline() -> None:
    game = small_game(TINY)
    end = game.start().play("1").play("0").play("2")
    for start, value in (("default", 50 + 0.3 * 50), ("minimax", 100.0)):
        learner = ValueLearner(game, start=start)  # type: ignore[arg-type]
        learner.learn(end, [end.row])
        assert learner.value(end) == pytest.approx(value)


def marks(state: State, kind: str, sight: int) -> set[str]:
    """Moves that an opponent may play, found by trying 60 times."""
    learner = ValueLearner(state.game, seat=3 - state.seat)
    other = Opponent(kind, epsilon=0.0, sight=sight)
    found = set()
    for _ in range(60):
        number = learner._kernels.call(
            "enter_td_oppose", state.row, learner._hand, learner._desk, learner._terms(other)
        )  # fmt: skip
        found.add(state.moves()[int(number)].text)
    return found


def played(*moves: str, text: str = NOUGHTS) -> State:
    state = small_game(text).start()
    for move in moves:
        state = state.play(move)
    return state


def test_opponents_take_avoid_or_throw_away_what_decides() -> None:
    winning = played("0", "3", "8", "4", "1")  # the opponent wins with 5; the learner threatens 2
    assert marks(winning, "eps-greedy", 1) == marks(winning, "eps-greedy", 2) == {"5"}
    assert marks(winning, "weak", 1) == {"2", "6", "7"}
    assert marks(winning, "weak", 2) == {"6", "7"}
    assert marks(winning, "random", 1) == {"2", "5", "6", "7"}
    threatened = played("0", "3", "1")  # the learner threatens 2
    assert marks(threatened, "eps-greedy", 2) == {"2"}
    assert marks(threatened, "eps-greedy", 1) == {"2", "4", "5", "6", "7", "8"}
    assert marks(threatened, "weak", 2) == {"4", "5", "6", "7", "8"}
    losing = played("0", "3", "8", "4", "1", text=MISERE)  # a line of its own loses
    assert "5" not in marks(losing, "eps-greedy", 1)
    assert marks(losing, "weak", 1) == {"5"}


def test_habits_are_always_alike() -> None:
    state = played("4")
    learner = ValueLearner(state.game)

    def reply(salt: int, habit: Any) -> int:
        other = Opponent("eps-greedy", epsilon=0.0, habit=habit, salt=salt)
        return int(
            learner._kernels.call(
                "enter_td_oppose", state.row, learner._hand, learner._desk, learner._terms(other)
            )
        )  # fmt: skip

    assert len({reply(5, "fixed") for _ in range(30)}) == 1
    assert len({reply(salt, "fixed") for salt in range(40)}) > 3
    assert len({reply(5, "fresh") for _ in range(60)}) > 3


@pytest.mark.parametrize("at_sight", [False, True])
def test_a_memory_that_grows_forgets_nothing(at_sight: bool) -> None:
    game = small_game(NOUGHTS, jit=True)
    settings = TdSettings(limit=9, at_sight=at_sight)
    small, large = (ValueLearner(game, start="minimax", seed=4, settings=settings) for _ in range(2))
    small.memory = AfterstateMemory(game, small._kernels, 16, keep=True)
    a, b = (learner.train(Opponent("random"), 300) for learner in (small, large))
    assert small.memory.q.shape[0] > 16
    assert a.tolist() == b.tolist()
    assert small.memory.visits.sum() == large.memory.visits.sum()
    if not at_sight:
        assert small.memory.values.tolist() == large.memory.values.tolist()


def test_it_learns() -> None:
    game = small_game(NOUGHTS, jit=True)
    curve = learning_curve(game, Opponent("random"), matches=2000, runs=3)
    assert curve.at(2000) > curve.at(50) + 10
    assert curve.moving(200)[-1] > 90
    ahead = learning_curve(game, Opponent("weak"), start="maxmax", matches=50, runs=3)
    assert between(ahead, Curve(curve.rewards[:, :50])).mean > 10


def test_it_plays_any_player_in_any_seat_and_language() -> None:
    game = small_game(NOUGHTS)
    for seat in (1, 2):
        learner = ValueLearner(game, seat=seat, seed=seat)
        rewards = learner.train(Searcher(), 3)
        assert set(rewards.tolist()) <= {0.0, 50.0, 100.0}
        assert learner.matches == 3
        assert len(learner.memory) > 3
    hexed = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    assert ValueLearner(hexed, start="minimax").train(Opponent("eps-greedy"), 2).size == 2


class Searcher:
    """An opponent that searches."""

    name = "searcher"

    def choose(self, state: State, seed: int) -> Move:
        from ludoport.search.uct import uct

        return uct(state, simulations=5, seed=seed)


def test_curves_by_hand() -> None:
    curve = Curve(np.array([[0.0, 100.0, 100.0, 50.0], [100.0, 100.0, 100.0, 100.0]]))
    assert curve.mean.tolist() == pytest.approx([50, 75, (200 / 3 + 100) / 2, 81.25])
    assert curve.moving(2).tolist() == [75, 100, 87.5]
    assert curve.reaches(100, window=2) == 3
    assert curve.reaches(101, window=2) is None
    assert curve.half_width[0] == pytest.approx(12.706 * np.std([0, 100], ddof=1) / np.sqrt(2))
    gap = between(curve, Curve(np.zeros((2, 4))))
    assert gap.mean == pytest.approx(curve.mean.mean())
    assert between(curve, curve).mean == 0
    assert not between(curve, curve).clear
    with pytest.raises(LudoportError, match="matches 1 to 4"):
        curve.at(5)


def test_wrong_wishes_are_refused() -> None:
    game = small_game(TINY)
    for wrong, message in (
        ({"alpha": 0.0}, "alpha"), ({"lam": 1.5}, "lam"), ({"epsilon": -1.0}, "epsilon"), ({"gamma": 2.0}, "gamma"),
        ({"win": 0.0}, "a win"), ({"depth": 0}, "depth"), ({"limit": 0}, "limit"),
    ):  # fmt: skip
        with pytest.raises(LudoportError, match=message):
            TdSettings(**wrong)  # type: ignore[arg-type]
    for wrong, message in (({"kind": "strong"}, "eps-greedy"), ({"sight": 3}, "1 or 2"), ({"epsilon": 2}, "epsilon")):
        with pytest.raises(LudoportError, match=message):
            Opponent(**wrong)  # type: ignore[arg-type]
    with pytest.raises(LudoportError, match="no seat 3"):
        ValueLearner(game, seat=3)
    with pytest.raises(LudoportError, match="no features"):
        ValueLearner(game, start="features")
    with pytest.raises(LudoportError, match="minimax"):
        ValueLearner(game, start="best")  # type: ignore[arg-type]
    with pytest.raises(LudoportError, match="at least 1"):
        ValueLearner(game).train(Opponent("random"), 0)
    learner = ValueLearner(game)
    learner.train(Opponent("random"), 1)
    with pytest.raises(LudoportError, match="keep=True"):
        learner.codes()
