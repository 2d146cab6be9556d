"""Nothing in the learner knows the language of a game."""

from __future__ import annotations

from importlib.resources import as_file, files

import pytest

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.studies.banerjee_stone.games import FILES, rules_of
from ludoport.td.learner import ValueLearner
from ludoport.td.lookahead import template_of
from ludoport.td.opponents import Opponent
from ludoport.transfer.features import learned_features
from tests.td.games import NOUGHTS, TINY, small_game
from tests.td.test_lookahead import PAPER, afterstates, some


@pytest.mark.slow
def test_the_rulesheet_of_tic_tac_toe_has_the_features_of_the_paper() -> None:
    game = Game(rules_of("Tic-Tac-Toe"), jit=True)
    learner = ValueLearner(game)
    found = {learner.code(state): state for state in afterstates(game, 1)}
    found.pop(0)
    templates = [template_of(state, 1) for state in found.values()]
    assert {str(template) for template in templates if template.is_feature} == set(PAPER)
    # The same game in the ludemic language has the same trees, with the same codes.
    other = ValueLearner(small_game(NOUGHTS))
    assert {other.code(state) for state in some(other.game, 1)} - {0} <= set(found)


def test_features_of_a_rulesheet_begin_a_ludemic_game() -> None:
    learner = ValueLearner(Game(rules_of("Tic-Tac-Toe"), jit=False), keep=True)
    learner.train(Opponent("weak"), 20)
    table = learned_features(learner, "weak")
    assert {str(template) for template in table.features} <= set(PAPER)
    target = ValueLearner(small_game(TINY), start="features", features=table.known("weak"))
    assert target.train(Opponent("weak"), 5).size == 5


def test_the_games_of_the_study_are_there() -> None:
    for name in FILES:
        with as_file(files("ludoport.games") / "gdl" / FILES[name]) as path:
            assert path.exists()
    with pytest.raises(LudoportError, match="no game `Chess`"):
        rules_of("Chess")
