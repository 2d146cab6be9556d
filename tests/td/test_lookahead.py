"""The codes of trees mean what they say."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.td.learner import ValueLearner
from ludoport.td.lookahead import Template, read_template, template_of
from ludoport.td.settings import OutcomeClasses, TdSettings
from tests.td.games import MISERE, NOUGHTS, TINY, small_game

PAPER = {
    "{L,N{n}}": 64, "{L,N{W}}": 240, "{N{D},N{W}}": 168, "{N{W,n},N{n}}": 412, "{L,N{W,n}}": 176, "{L}": 88,
    "{L,N{W,n},N{n}}": 204, "{N{D}}": 32, "{L,N{D}}": 88, "{N{W,n}}": 264, "{N{W,n},N{W}}": 48, "{N{W}}": 80,
}  # fmt: skip
"""The twelve features of the paper's figure 2, and how many afterstates of the first player have each."""


def afterstates(game: Game, seat: int) -> list[State]:
    """All positions behind a move of one person."""
    seen: dict[int, State] = {}
    found: dict[int, State] = {}
    waiting = [game.start()]
    while waiting:
        state = waiting.pop()
        for move in state.moves() if not state.over else ():
            following = state.play(move)
            if state.seat == seat:
                found[following.key] = following
            if following.key not in seen:
                seen[following.key] = following
                waiting.append(following)
    return list(found.values())


def brute(state: State, seat: int, depth: int) -> Any:
    """The tree below a position as nested sets, made without any of our code for trees."""
    if state.over:
        return {1.0: "win", 0.0: "draw", -1.0: "loss"}[state.seat_utilities[seat - 1]]
    if depth == 0:
        return "open"
    return state.seat == seat, frozenset(brute(state.play(move), seat, depth - 1) for move in state.moves())


@pytest.mark.slow
def test_tic_tac_toe_has_exactly_the_twelve_features_of_the_paper() -> None:
    game = small_game(NOUGHTS, jit=True)
    learner = ValueLearner(game)
    states = afterstates(game, 1)
    assert len(states) == 2739
    by_code: dict[int, list[State]] = {}
    for state in states:
        by_code.setdefault(learner.code(state), []).append(state)
    assert len(by_code.pop(0)) == 626 + 16
    templates = {code: template_of(members[0], 1) for code, members in by_code.items()}
    assert all(template.code == code for code, template in templates.items())
    counts = {str(template): len(by_code[code]) for code, template in templates.items() if template.is_feature}
    assert counts == PAPER
    assert [str(template) for template in templates.values() if not template.is_feature] == ["{N{n}}"]


@pytest.mark.slow
@pytest.mark.parametrize("depth", [1, 2, 3])
@pytest.mark.parametrize("seat", [1, 2])
def test_codes_agree_with_brute_force(depth: int, seat: int) -> None:
    for text in (TINY, NOUGHTS, MISERE):
        game = small_game(text)
        learner = ValueLearner(game, seat=seat, settings=TdSettings(depth=depth))
        states = [state for state in (afterstates(game, seat) if text == TINY else some(game, seat)) if not state.over]
        codes = [learner.code(state) for state in states]
        trees = [brute(state, seat, depth) for state in states]
        assert len(set(codes)) == len(set(trees)) == len(set(zip(codes, trees, strict=True)))
        for state, code in zip(states[:20], codes, strict=False):
            assert template_of(state, seat, TdSettings(depth=depth)).code == code


def some(game: Game, seat: int) -> list[State]:
    """Afterstates along a few lines of play."""
    found = []
    for line in itertools.islice(itertools.permutations(range(9)), 0, 300_000, 12_347):
        state = game.start()
        for choice in line:
            if state.over:
                break
            mine = state.seat == seat
            state = state.play(state.moves()[choice % len(state.moves())])
            if mine:
                found.append(state)
    return found


def test_codes_do_not_depend_on_names_order_or_the_board() -> None:
    game = small_game(NOUGHTS)
    learner = ValueLearner(game)
    codes = set()
    turn = {0: 2, 1: 5, 2: 8, 3: 1, 4: 4, 5: 7, 6: 0, 7: 3, 8: 6}
    line = [0, 4, 8, 3, 5]
    for _ in range(4):
        state = game.start()
        for site in line:
            state = state.play(str(site))
        codes.add(learner.code(state))
        line = [turn[site] for site in line]
    assert len(codes) == 1
    # The same tree in a game with other pieces, other sites and another size.
    other = lp.load("Tic-Tac-Toe", jit=False)
    learner = ValueLearner(other)
    state = other.start()
    for site in line:
        state = state.play(str(site))
    assert learner.code(state) in codes


def test_search_values_are_those_of_search_by_hand() -> None:
    game = small_game(TINY)
    learner = ValueLearner(game)

    def value(state: State, depth: int, reply: Any) -> float:
        if state.over:
            return 50 * (state.seat_utilities[0] + 1)
        if depth == 0:
            return 50.0
        values = [value(state.play(move), depth - 1, reply) for move in state.moves()]
        return max(values) if state.seat == 1 else reply(values)

    ways = {"minimax": min, "maxmax": max, "avgmax": lambda values: sum(values) / len(values)}
    for state in afterstates(game, 1):
        found = learner.search_values(state)
        assert found == pytest.approx({name: value(state, 2, way) for name, way in ways.items()})


leaves = st.sampled_from(["W", "D", "L", "n"]).map(Template)
trees = st.recursive(
    leaves,
    lambda below: st.builds(Template, st.sampled_from(["N", "O"]), st.frozensets(below, min_size=1, max_size=4)),
    max_leaves=20,
)


@given(trees)
def test_trees_can_be_read_again(tree: Template) -> None:
    if tree.children:
        again = read_template(str(tree))
        assert again == tree
        assert again.code == tree.code
        assert tree.is_feature == any(leaf in tree.text for leaf in "WDL")


@pytest.mark.parametrize("text", ["", "W", "{W", "{W}}", "{}", "X{W}", "{W,}", "{W;L}", "[{W}]", "{[W}", "{W L}"])
def test_what_is_no_tree_is_refused(text: str) -> None:
    with pytest.raises(LudoportError, match="is not a tree"):
        read_template(text)


def test_a_tree_below_the_end_is_refused() -> None:
    state = small_game(TINY).start()
    for site in ("0", "2", "1"):
        state = state.play(site)
    assert state.over
    assert ValueLearner(small_game(TINY)).code(state) == 0
    with pytest.raises(LudoportError, match="the game is over"):
        template_of(state, 1)


def test_outcomes_may_be_told_apart_or_be_equivalent() -> None:
    game = small_game(TINY)
    apart = TdSettings(outcomes=OutcomeClasses.apart(0, 50, 100))
    same = TdSettings(outcomes=OutcomeClasses({0: "L", 100: "L"}))
    state = game.start().play("1")
    texts = {name: template_of(state, 1, s).text for name, s in (("apart", apart), ("same", same))}
    assert "r100" in texts["apart"]
    assert "W" not in texts["same"]
    for settings in (apart, same):
        assert ValueLearner(game, settings=settings).code(state) == template_of(state, 1, settings).code
    for wrong in ({}, {0: "n"}, {0: ""}, {0: "a,b"}):
        with pytest.raises(LudoportError, match="class"):
            OutcomeClasses(wrong)
