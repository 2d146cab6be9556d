from __future__ import annotations

import random
import re
import unittest
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from tests.bridges.cases import ALL, GAMES

pyspiel = pytest.importorskip("pyspiel")

from open_spiel.integration_tests import api_test  # noqa: E402
from open_spiel.python import rl_environment  # noqa: E402
from open_spiel.python.algorithms import (  # noqa: E402
    cfr,
    evaluate_bots,
    exploitability,
    generate_playthrough,
    ismcts,
    mcts,
    minimax,
    tabular_qlearner,
)

from ludoport.bridges import openspiel  # noqa: E402

pytestmark = pytest.mark.filterwarnings("error:.*moves share a slot")


def made(name: str, limit: int) -> pyspiel.Game:
    """One of the games, with few moves."""
    options, settings = GAMES[name]
    return openspiel.load(name, options, limit, **settings)


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_random_games_pass_the_checks_of_openspiel(name: str) -> None:
    game = made(name, 10)
    pyspiel.random_sim_test(game, num_sims=1, serialize=True, verbose=False)
    assert pyspiel.load_game(str(game)).num_distinct_actions() == game.num_distinct_actions()


@pytest.mark.parametrize("name", ALL)
def test_playthroughs(name: str) -> None:
    game = made(name, 4)
    text = generate_playthrough.playthrough(str(game), [], seed=1)
    assert "IsTerminal() = True" in text


@pytest.mark.slow
@pytest.mark.parametrize("name", ALL)
def test_the_suite_of_openspiel(name: str) -> None:
    """The tests of ``api_test`` for registered games, on 400 positions."""
    facts = {"game": made(name, 10), "game_name": name}
    case = type("Suite", (api_test.EnforceAPIOnPartialTreeBase,), facts)
    unittest.defaultTestLoader.loadTestsFromTestCase(case).run(result := unittest.TestResult())
    assert result.testsRun >= 5
    assert not result.failures + result.errors


def test_the_suite_of_openspiel_finds_us() -> None:
    assert openspiel.NAME in [game.short_name for game in pyspiel.registered_games() if game.default_loadable]


@pytest.mark.parametrize(
    ("ours", "options", "theirs"),
    [
        ("Tic-Tac-Toe", (), "tic_tac_toe"),
        ("Connect Four", (), "connect_four"),
        ("Breakthrough", ("Board Size/6x6",), "breakthrough(rows=6,columns=6)"),
        ("Reversi", (), "othello"),
        ("Hex", ("Board Size/5x5", "Swap Rules/Off"), "hex(board_size=5)"),
        pytest.param("Chess 8x8", (), "chess", marks=pytest.mark.slow),
    ],
)
def test_move_counts_are_those_of_openspiel(ours: str, options: tuple[str, ...], theirs: str) -> None:
    counts = [
        _leaves(game.new_initial_state(), 2) for game in (openspiel.load(ours, options), pyspiel.load_game(theirs))
    ]
    assert counts[0] == counts[1]


def _leaves(state: pyspiel.State, depth: int) -> int:
    if depth == 0:
        return 1
    return sum(_leaves(state.child(action), depth - 1) for action in state.legal_actions())


def cell(text: str) -> str:
    """Our name of a cell that OpenSpiel numbers: ``x(2,0)`` is A3, ``x3`` the column D."""
    *row, column = map(int, re.findall(r"\d+", text))
    return f"{chr(ord('A') + column)}{row[0] + 1 if row else 1}"


def step(text: str) -> str:
    """A step from the other side of a board with six rows: ``a5b4`` is A2-B3."""
    return f"{text[0].upper()}{7 - int(text[1])}-{text[2].upper()}{7 - int(text[3])}"


def mirrored(text: str) -> str:
    """A cell of a board with eight columns in the mirror: ``d3`` is E3."""
    return "pass" if text == "pass" else f"{chr(ord('H') + ord('a') - ord(text[0]))}{text[1:]}"


def turned(text: str) -> str:
    """A cell of a rhombus with five cells a side, rows for columns: ``b1`` is A4."""
    return f"{chr(ord('@') + int(text[1:]))}{5 + ord('a') - ord(text[0])}"


@pytest.mark.slow
@pytest.mark.parametrize(
    ("ours", "options", "theirs", "named"),
    [
        ("Tic-Tac-Toe", (), "tic_tac_toe", cell),
        ("Connect Four", (), "connect_four", cell),
        ("Breakthrough", ("Board Size/6x6",), "breakthrough(rows=6,columns=6)", step),
        ("Reversi", (), "othello", mirrored),
        ("Hex", ("Board Size/5x5", "Swap Rules/Off"), "hex(board_size=5)", turned),
        ("Gomoku", ("Board Size/9x9", "End Rules/Free-style"), "gomoku(size=9)", cell),
        ("Havannah", (), "havannah", str.upper),
    ],
)
def test_whole_games_are_those_of_openspiel(
    ours: str, options: tuple[str, ...], theirs: str, named: Callable[[str], str]
) -> None:
    """The same moves in every position of random games, and the same result."""
    game, other = lp.load(ours, options), pyspiel.load_game(theirs)
    for seed in range(3):
        draw, state, position = random.Random(seed), game.start(), other.new_initial_state()
        while not position.is_terminal():
            names = {named(position.action_to_string(action)): action for action in position.legal_actions()}
            assert sorted(names) == sorted(move.label for move in state.moves())
            chosen = draw.choice(sorted(names))
            position.apply_action(names[chosen])
            state = state.play(chosen)
        while not state.over:  # where our players pass on a full board
            assert [move.label.lower() for move in state.moves()] == ["pass"]
            state = state.play("pass")
        assert position.returns() == state.seat_utilities


def test_simultaneous_moves_are_hidden() -> None:
    game = openspiel.load("rock-paper-scissors.kif")
    assert game.get_type().information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
    state = game.new_initial_state()
    assert len({state.child(action).information_state_string(1) for action in state.legal_actions()}) == 1
    assert len({state.child(action).information_state_string(0) for action in state.legal_actions()}) == 3


def test_an_algorithm_of_openspiel_wins_our_game() -> None:
    game = openspiel.load("Tic-Tac-Toe")
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    bot = mcts.MCTSBot(game, 2.0, 60, mcts.RandomRolloutEvaluator(1), solve=True)
    assert bot.step(state) == 2


def test_searches_without_hidden_choices_draw_them_anew() -> None:
    """The second seat does not know what the first has chosen in the same step."""
    game = openspiel.load("rock-paper-scissors.kif")
    state = game.new_initial_state()
    state.apply_action(state.legal_actions()[0])
    sampler = pyspiel.UniformProbabilitySampler(0.0, 1.0)
    drawn = [state.resample_from_infostate(1, sampler) for _ in range(30)]
    assert {other.information_state_string(1) for other in drawn} == {state.information_state_string(1)}
    assert {other.history()[0] for other in drawn} == set(game.new_initial_state().legal_actions())
    assert state.resample_from_infostate(0, sampler).history() == state.history()
    bot = ismcts.ISMCTSBot(game, mcts.RandomRolloutEvaluator(1), 2.0, 10)
    assert bot.step(state) in state.legal_actions()


PENNIES = """
(role left) (role right)
(init (open))
(<= (legal ?player heads) (role ?player))
(<= (legal ?player tails) (role ?player))
(<= (next (shown ?a ?b)) (does left ?a) (does right ?b))
(<= terminal (not (true (open))))
(<= (goal left 100) (true (shown heads heads)))
(<= (goal right 0) (true (shown heads heads)))
(<= (goal ?player 50) (role ?player) (true (shown tails tails)))
(<= (goal left 0) (true (shown ?a ?b)) (distinct ?a ?b))
(<= (goal right 100) (true (shown ?a ?b)) (distinct ?a ?b))
"""
"""Left wins two heads, right wins unequal coins, two tails are a draw: both should show heads in one third of games."""


def test_a_regret_minimiser_of_openspiel_solves_our_game(tmp_path: Path) -> None:
    (tmp_path / "pennies.kif").write_text(PENNIES)
    game = openspiel.load(tmp_path / "pennies.kif")
    solver = cfr.CFRSolver(game)
    for _ in range(200):
        solver.evaluate_and_update_policy()
    policy, start = solver.average_policy(), game.new_initial_state()
    for state in (start, start.child(start.legal_actions()[0])):
        heads = state.string_to_action("heads")
        assert policy.action_probabilities(state)[heads] == pytest.approx(1 / 3, abs=0.05)
    assert exploitability.nash_conv(game, policy) < 0.1


def test_rulesheets_can_be_declared_zero_sum(tmp_path: Path) -> None:
    game = openspiel.load("tic-tac-toe.kif", zero_sum=True)
    assert game.get_type().utility == pyspiel.GameType.Utility.ZERO_SUM
    assert pyspiel.load_game(str(game)).utility_sum() == 0
    state = game.new_initial_state()
    for text in ("claim 1 1", "claim 2 1", "claim 1 2", "claim 2 2"):
        state.apply_action(state.string_to_action(text))
    assert minimax.alpha_beta_search(game, state) == (1, state.string_to_action("claim 1 3"))
    assert openspiel.load("tic-tac-toe.kif").get_type().utility == pyspiel.GameType.Utility.GENERAL_SUM
    (tmp_path / "pennies.kif").write_text(PENNIES.replace("(goal right 0)", "(goal right 100)"))
    other = openspiel.load(tmp_path / "pennies.kif", zero_sum=True).new_initial_state()
    for _ in range(2):
        other.apply_action(other.string_to_action("heads"))
    with pytest.raises(LudoportError, match=r"results are \[1.0, 1.0\]; load the game without zero_sum"):
        other.returns()


def test_agents_of_openspiel_learn_in_our_game() -> None:
    env = rl_environment.Environment(openspiel.load("Tic-Tac-Toe"))
    agents = [tabular_qlearner.QLearner(seat, env.action_spec()["num_actions"]) for seat in range(2)]
    step = env.reset()
    while not step.last():
        step = env.step([agents[step.observations["current_player"]].step(step).action])
    for agent in agents:
        agent.step(step)
    assert sum(step.rewards) == 0


def test_our_players_are_bots_of_openspiel() -> None:
    game = openspiel.load("Tic-Tac-Toe")
    state = game.new_initial_state()
    for action in (0, 3, 1, 4):
        state.apply_action(action)
    assert openspiel.LudoportBot(0, "minimax:2").step(state) == 2
    bots = [openspiel.LudoportBot(0, lambda position: position.moves()[-1]), openspiel.LudoportBot(1, "uct:20", seed=3)]
    assert sum(evaluate_bots.evaluate_bots(game.new_initial_state(), bots, np.random.default_rng(1))) == 0


def test_moves_that_share_a_slot_have_actions_of_their_own() -> None:
    few, more = (openspiel.load("Tic-Tac-Toe", ranks=ranks).num_distinct_actions() for ranks in (1, 3))
    assert more == 3 * few
    assert pyspiel.load_game("ludoport(ranks=2)").num_distinct_actions() == 2 * few
    with pytest.raises(LudoportError, match="ranks must be at least 1, not -1"):
        openspiel.load("Tic-Tac-Toe", ranks=-1)


def test_what_parameters_cannot_hold() -> None:
    with pytest.raises(LudoportError, match="OpenSpiel's parameters cannot hold commas"):
        openspiel.load("a,b.lud")
