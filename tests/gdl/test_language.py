"""Meaning of rules, in small sheets, for the network and for the interpreter."""

from __future__ import annotations

import pytest

from ludoport.game import Game
from ludoport.gdl import load_rules
from ludoport.verify.gdl import goal_values, moves_of, play_joint

END = "(init (t 0)) (<= (next (t 1)) (true (t 0))) (<= terminal (true (t 1)))"
ONE = f"(role a) {END} (goal a 0) "


@pytest.fixture(params=[True, False], ids=["network", "interpreter"])
def start(request):
    def made(text):
        rules = load_rules(text, network=request.param)
        assert rules.engine == ("network" if request.param else "interpreter")
        return Game(rules, jit=False).start()

    return made


CASES = {
    "distinct before its variables are bound": (
        "(p x) (p y) (<= (legal a (do ?x ?y)) (distinct ?x ?y) (p ?x) (p ?y))",
        ["(do x y)", "(do y x)"],
    ),
    "equality as a negated distinct": (
        "(p x) (p y) (<= (legal a (do ?x ?y)) (p ?x) (p ?y) (not (distinct ?x ?y)))",
        ["(do x x)", "(do y y)"],
    ),
    "an undefined relation is false": ("(<= (legal a no) nothing) (<= (legal a yes) (not nothing))", ["yes"]),
    "an empty or is false": ("(<= (legal a no) (or)) (legal a yes)", ["yes"]),
    "or of conditions, with one inside the other": (
        "(p 1) (q 2) (r 3) (<= (legal a (do ?x)) (or (p ?x) (or (q ?x) (r ?x))))",
        ["(do 1)", "(do 2)", "(do 3)"],
    ),
    "or of inequalities": (
        "(p 1) (p 2) (<= (legal a (do ?x ?y)) (p ?x) (p ?y) (or (distinct ?x 1) (distinct ?y 1)))",
        ["(do 1 2)", "(do 2 1)", "(do 2 2)"],
    ),
    "left recursion": (
        "(e 1 2) (e 2 3) (<= (c ?x ?y) (e ?x ?y)) (<= (c ?x ?z) (c ?x ?y) (e ?y ?z)) (<= (legal a (do ?x)) (c 1 ?x))",
        ["(do 2)", "(do 3)"],
    ),
    "what only follows from itself is false": (
        "(<= p (q ?x)) (<= (q 1) p) (<= (legal a no) p) (<= (legal a yes) (not p))",
        ["yes"],
    ),
    "relations that follow from each other": (
        "(<= (r ?x ?y) (s ?x ?y)) (<= (s ?x ?y) (r ?y ?x)) (s 1 2) (<= (legal a (do ?x ?y)) (r ?x ?y))",
        ["(do 1 2)", "(do 2 1)"],
    ),
    "functions in functions": (
        "(n (f (f 0))) (<= (m ?x) (n (f ?x))) (<= (legal a ?x) (m ?x))",
        ["(f 0)"],
    ),
    "a variable for a whole fact": ("(init (m 1)) (init (m 2)) (<= (legal a ?f) (true ?f) (distinct ?f (t 0)))", None),
    "repeated variables": ("(e 1 1) (e 1 2) (<= (legal a (do ?x)) (e ?x ?x))", ["(do 1)"]),
    "p and (p) are different": ("(<= (p) (true (t 0))) (<= (legal a no) p) (<= (legal a yes) (p))", ["yes"]),
    "a recursion that follows the state in a circle": (
        "(e 1 2) (e 2 3) (e 3 1) (init (on 1)) (<= (next (on 1)) (true (on 9)))"
        "(<= (r ?x) (true (on ?x))) (<= (r ?y) (r ?x) (e ?x ?y)) (<= (legal a (do ?x)) (r ?x))",
        ["(do 1)", "(do 2)", "(do 3)"],
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_legal_moves(start, name):
    text, expected = CASES[name]
    state = start(ONE + text)
    assert sorted(moves_of(state, 0)) == sorted(expected or ["(m 1)", "(m 2)"])


def test_nothing_persists_without_a_rule(start):
    state = start(ONE + "(init p) (legal a go)")
    assert state.game.rules.facts(state.row) == ["(t 0)", "p"]
    state = state.play("go")
    assert state.game.rules.facts(state.row) == ["(t 1)"]
    assert state.over
    assert state.moves() == []


def test_a_circle_that_held_itself_up_falls(start):
    text = (
        "(role a) (init (on 1)) (init (t 0)) (e 1 2) (e 2 3) (e 3 2) (after 0 1) (after 1 2)"
        "(<= (next (t ?n)) (true (t ?m)) (after ?m ?n)) (<= (next (on 1)) (does a keep)) (legal a keep) (legal a drop)"
        "(<= (r ?x) (true (on ?x))) (<= (r ?y) (r ?x) (e ?x ?y))"
        "(<= terminal (true (t 2))) (<= (goal a 100) (r 3)) (<= (goal a 0) (not (r 3)))"
    )
    state = start(text)
    assert goal_values(state) == [100]
    assert goal_values(state.play("keep")) == [100]
    assert goal_values(state.play("drop")) == [0]
    assert goal_values(state.play("drop").play("keep")) == [100]


def test_goals_become_utilities(start):
    text = "(role a) (role b) (role c) (role d) (<= (goal a 100)) (goal b 0) (goal c 75) (goal d 1) (goal d 2)" + END
    state = start(text + "(<= (legal ?r go) (role ?r))").play("go")
    assert goal_values(state) == [100, 0, 75, None]
    assert state.utilities == [1, -1, 0.5, 0]


def test_a_role_without_moves_ends_the_game(start):
    state = start("(role a) (role b) (init p) (<= (legal a x) (true p)) (<= terminal (true z)) (goal a 0) (goal b 9)")
    assert state.over
    assert state.row[1] == 2
    assert state.moves() == []


SIMULTANEOUS = (
    "(role a) (role b) (role c) (init (t 0)) (after 0 1) (after 1 2) (after 2 3)"
    "(<= (next (t ?n)) (true (t ?m)) (after ?m ?n)) (<= terminal (true (t 3))) (goal a 0) (goal b 0) (goal c 0)"
    "(<= (legal a (say ?n)) (true (t ?m)) (after ?m ?n)) (legal b x) (legal c x)"
    "(<= (legal ?r y) (chooses ?r ?n) (true (t ?n)))"
    "(chooses b 0) (chooses c 0) (chooses c 1)"
    "(<= (next (said ?r ?m)) (does ?r ?m)) "
)


def test_roles_choose_one_after_another(start):
    state = start(SIMULTANEOUS)
    assert [state.mover, *(move.text for move in state.moves())] == [2, "x", "y"]
    waiting = state.play("y")
    assert [waiting.mover, *map(str, waiting.moves())] == [3, "x", "y"]
    assert "b has chosen y" in waiting.picture()
    assert waiting.key not in (state.key, state.play("x").key)
    state = waiting.play("x")
    assert state.game.rules.facts(state.row) == ["(said a (say 1))", "(said b y)", "(said c x)", "(t 1)"]
    # Only the third role has a choice now.
    assert [state.mover, *(move.text for move in state.moves())] == [3, "x", "y"]
    state = state.play("y")
    # Nobody has a choice: one role makes its only move, so that the step is a ply.
    assert [state.mover, *(move.text for move in state.moves())] == [1, "(say 3)"]
    assert state.play("(say 3)").over
    assert play_joint(state, ["(say 3)", "x", "x"]).over
