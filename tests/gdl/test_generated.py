"""Rulesheets made at random, with recursion that runs in circles: every engine says what the interpreter says."""

from __future__ import annotations

import pytest

from ludoport.gdl import load_rules
from tests.gdl.generated import Generator
from tests.gdl.test_compiled import compare

ENGINES = ("network", "compiled")


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("seed", range(0, 120, 10))
def test_recursion_in_circles(engine, seed):
    for number in range(seed, seed + 10):
        rules = load_rules(Generator(number).text(), engine=engine)
        assert rules.engine == engine, number
        assert compare(rules, games=1, plies=5, seed=number) > 1, number


WALK = "(role a) (init (mark 1)) (e 1 2) (pos 2) (<= (next (mark ?y)) (true (mark ?x)) (e ?x ?y)) (goal a 50)"


@pytest.mark.parametrize("engine", ENGINES)
def test_a_circle_that_something_certain_cuts(engine):
    # What the circle hangs on always holds, so nothing is left that depends on itself.
    text = WALK + "(<= (r ?z ?u 1) (pos ?u) (e ?z ?y)) (<= (r ?x ?z 0) (r ?x ?z ?y) (not (true (mark ?z))))"
    rules = load_rules(text + "(<= (legal a (do ?x ?y ?z)) (r ?x ?y ?z)) (<= terminal (true (mark 9)))", engine=engine)
    assert compare(rules, games=1, plies=2) == 2


@pytest.mark.parametrize("engine", ENGINES)
def test_a_circle_in_which_nothing_can_hold(engine):
    text = WALK + "(legal a wait) (<= terminal (true (mark 2))) (<= (p ?x) (q ?x)) (<= (q ?x) (p ?x) (true (mark ?x)))"
    text += "(<= (s ?x) (p ?x)) (<= (s ?x) (true (mark ?x))) (<= (q ?x) (s ?x) (e ?x 7)) (<= (next (seen ?x)) (s ?x))"
    assert compare(load_rules(text, engine=engine), games=1) == 2


QUEENS = """
(role w) (init (cell 0 0 w)) (init (cell 2 3 w)) (init (cell 1 4 x)) (init (cell 4 2 x)) (init (step 0)) (goal w 50)
(succ 0 1) (succ 1 2) (succ 2 3) (succ 3 4) (succ 4 0) (<= (pos ?x) (succ ?x ?y))
(<= (next (step 1)) (true (step 0))) (<= (next (step 2)) (true (step 1))) (<= terminal (true (step 2)))
(<= (step n ?x ?y ?x ?v) (pos ?x) (succ ?y ?v)) (<= (step e ?x ?y ?u ?y) (pos ?y) (succ ?x ?u))
(<= (step d ?x ?y ?u ?v) (succ ?x ?u) (succ ?y ?v)) (<= (step f ?x ?y ?u ?v) (succ ?x ?u) (succ ?v ?y))
(<= (taken ?x ?y) (true (cell ?x ?y ?p))) (<= (empty ?x ?y) (pos ?x) (pos ?y) (not (taken ?x ?y)))
(<= (legal w (move ?x ?y ?u ?v)) (true (cell ?x ?y w)) (slide ?d ?x ?y ?u ?v))
(<= (next (cell ?u ?v w)) (does w (move ?x ?y ?u ?v)))
(<= (next (cell ?x ?y ?p)) (true (cell ?x ?y ?p)) (not (left ?x ?y)))
(<= (left ?x ?y) (does w (move ?x ?y ?u ?v)))
(<= (slide ?d ?x ?y ?u ?v) (step ?d ?x ?y ?u ?v) (empty ?u ?v))
"""
"""Queens on a board whose edges meet: the way round ends where it began."""

SLIDES = {
    "left": "(<= (slide ?d ?x ?y ?s ?t) (slide ?d ?x ?y ?u ?v) (step ?d ?u ?v ?s ?t) (empty ?s ?t))",
    "right": "(<= (slide ?d ?x ?y ?s ?t) (step ?d ?x ?y ?u ?v) (empty ?u ?v) (slide ?d ?u ?v ?s ?t))",
    "both": "(<= (slide ?d ?x ?y ?s ?t) (slide ?d ?x ?y ?u ?v) (slide ?d ?u ?v ?s ?t))",
}


@pytest.mark.slow
@pytest.mark.parametrize("engine", ENGINES)
@pytest.mark.parametrize("way", SLIDES)
def test_queens_on_a_torus(engine, way):
    assert compare(load_rules(QUEENS + SLIDES[way], engine=engine), games=1) == 3
