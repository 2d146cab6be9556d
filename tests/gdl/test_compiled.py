"""Compiled rules: they say what the interpreter says, in every state of random games."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.check import check_game
from ludoport.game import Game, seeded
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules
from ludoport.gdl.compiled.domains import explore
from ludoport.gdl.compiled.estimate import most_tuples
from ludoport.gdl.compiled.flat import Flattener
from ludoport.gdl.compiled.listing import is_range
from ludoport.gdl.compiled.rules import compile_rules
from ludoport.gdl.interpreter import Interpreter
from ludoport.gdl.kif import Sheet, parse_term, term_text
from ludoport.gdl.limits import Clock
from ludoport.gdl.program import read_program
from ludoport.gdl.rules import MOST_TUPLES, GdlRules
from ludoport.kernels.build import plain_functions
from ludoport.verify.gdl import compare_all, goal_values, moves_of, play_joint, suite_tasks

SHEETS = bundled_rulesheets()
REFERENCE = Path(__file__).parents[3] / "shared" / "gdl"

FRAME = """
(role a) (role b) (init (at 0)) (<= (legal a (go ?x)) (true (at ?y)) (next_to ?y ?x)) (legal b noop)
(<= (next (at ?x)) (does a (go ?x))) (<= terminal (true (at 4))) (<= (goal a 100) (true (at 4)))
(<= (goal a 0) (not (true (at 4)))) (goal b 50)
(next_to 0 1) (next_to 1 2) (next_to 2 3) (next_to 3 4) (next_to 2 0) (next_to 1 0)
"""
"""A game of one walk; what is tested is added to it."""


def compiled(text, name="rules"):
    rules = load_rules(text, name, engine="compiled")
    assert rules.engine == "compiled", rules.compiled.why
    return rules


def compare(rules: GdlRules, games=2, plies=60, seed=1):
    """Play random games and compare every state with the interpreter; returns how many states there were."""
    game, reference, chance, states = Game(rules, jit=False), Interpreter(rules.program), random.Random(seed), 0
    for _ in range(games):
        state, facts = game.start(), reference.initial()
        for _ in range(plies):
            states += 1
            view = reference.view(facts)
            assert rules.facts(state.row) == sorted(map(term_text, facts))
            assert (state.row[rules.fields["OVER"]] == 1) == view.terminal
            assert goal_values(state) == view.goals
            for role, moves in enumerate(view.legal):
                found = moves_of(state, role)
                assert sorted(found) == sorted(map(term_text, moves))
            if state.over:
                break
            joint = [term_text(chance.choice(sorted(moves, key=term_text))) for moves in view.legal]
            state = play_joint(state, joint)
            facts = reference.following(facts, [parse_term(move) for move in joint])
    return states


@pytest.mark.parametrize("name", sorted(SHEETS))
def test_bundled_sheets_are_played_as_by_the_interpreter(name):
    assert compare(compiled(SHEETS[name]), games=1, plies=8) > 2


@pytest.mark.parametrize("name", ["nim.kif", "rock-paper-scissors.kif", "tic-tac-toe.kif"])
def test_whole_games_are_played_as_by_the_interpreter(name):
    assert compare(compiled(SHEETS[name]), games=4) > 8


RECURSION = {
    "right": "(<= (path ?x ?y) (next_to ?x ?y)) (<= (path ?x ?z) (next_to ?x ?y) (not (true (at ?y))) (path ?y ?z))",
    "left": "(<= (path ?x ?y) (next_to ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (not (true (at ?y))) (next_to ?y ?z))",
    "both": """(<= (path ?x ?y) (next_to ?x ?y)) (<= (path ?x ?z) (path ?x ?y) (not (true (at ?y))) (path ?y ?z))""",
    "mutual": """(<= (path ?x ?y) (next_to ?x ?y) (not (true (at ?x)))) (<= (path ?x ?z) (odd ?x ?y) (next_to ?y ?z))
        (<= (odd ?x ?z) (path ?x ?y) (next_to ?y ?z) (not (true (at ?z))))""",
    "itself": "(<= (path ?x ?y) (path ?x ?y)) (<= (path ?x ?y) (next_to ?x ?y) (true (at ?x)))",
    "swapped": "(<= (path ?x ?y) (next_to ?x ?y) (true (at ?x))) (<= (path ?x ?y) (path ?y ?x))",
}

QUESTIONS = {
    "known": "(<= (next (seen ?x)) (true (at ?x)) (path ?x 4))",
    "from": "(<= (next (seen ?y)) (true (at ?x)) (path ?x ?y))",
    "to": "(<= (next (seen ?x)) (true (at ?y)) (path ?x ?y))",
    "all": "(<= (next (seen (f ?x ?y))) (path ?x ?y))",
    "any": "(<= (next (seen ?x)) (true (at ?x)) (path ?x ?y))",
    "none": "(<= (next (seen ?x)) (true (at ?x)) (not (path ?x 3)) (not (path 0 0)))",
}


@pytest.mark.parametrize("rules", sorted(RECURSION))
@pytest.mark.parametrize("question", sorted(QUESTIONS))
def test_relations_that_depend_on_themselves(rules, question):
    text = FRAME + RECURSION[rules] + QUESTIONS[question] + "(<= (next (seen ?x)) (true (seen ?x)) (distinct ?x 0))"
    assert compare(compiled(text), games=3, plies=12) > 6


@pytest.mark.parametrize(
    "text",
    [
        # A fact that no rule asks for, facts without arguments, and `(p)` beside `p`.
        "(init idle) (<= (next (p)) (true idle)) (<= (next p) (true (p))) (<= (next (log ?x)) (does a (go ?x)))",
        # A variable that stands for terms of several shapes.
        "(init (box 1)) (init (box (f 1))) (init (box (f (g 2 3)))) (<= (next (box ?x)) (true (box ?x)) (true (at 0)))"
        "(<= (next (in (h ?x))) (true (box ?x)) (true (at 1)) (distinct ?x (f 1)) (distinct ?x 1))",
        # Comparisons of terms, also those that can be decided at once.
        "(<= (next (c ?x ?y)) (true (at ?x)) (next_to ?y ?z) (or (distinct ?x ?y) (distinct ?z 2)))"
        "(<= (next (d ?x)) (true (at ?x)) (not (distinct ?x 2))) (<= (next e) (distinct (f 1) (f 2)))"
        "(<= (next g) (distinct (f 1) (f 1)))",
        # The same variable twice in one condition, and constants that a relation never has.
        "(r 1 1) (r 1 2) (r 3 3) (<= (next (twice ?x)) (r ?x ?x) (not (r ?x 7))) (<= (next never) (r 9 ?x))"
        "(<= (same ?x ?x) (true (at ?x))) (<= (next (eq ?x ?y)) (same ?x ?y)) (<= (next no) (same 1 2))",
        # What both roles do, and what nobody does.
        "(<= (next (did ?r)) (does ?r ?m)) (<= (next busy) (does b ?m) (not (does b (go 1))))"
        "(<= (next (went ?r ?x)) (does ?r (go ?x)) (role ?r))",
        # Conditions before the ones that bind their variables.
        "(<= (next (h ?x)) (not (true (at ?x))) (distinct ?x 3) (next_to ?x ?y))",
    ],
)
def test_the_language_means_what_the_interpreter_says(text):
    assert compare(compiled(FRAME + text), games=3, plies=12) > 6


def test_goals_may_be_defined_by_other_goals():
    text = "(role a) (init p) (legal a wait) (<= (next q) (true p)) (<= terminal (true q))"
    text += "(<= (goal a 100) (not (goal a 0))) (<= (goal a 0) (true p))"
    rules = compiled(text)
    assert compare(rules, games=1) == 2
    assert goal_values(Game(rules, jit=False).start().play("wait")) == [100]
    values = "(role a) (init (score 30)) (legal a wait) (<= terminal (true p)) (<= (next p) (true (score ?x)))"
    assert compare(compiled(values + "(<= (goal a ?x) (true (score ?x))) (<= (goal a 7) (true p))"), games=1) == 2


def test_a_role_without_a_move_ends_the_game():
    rules = compiled("(role a) (role b) (init p) (legal a wait) (<= (legal b wait) (true q)) (goal a 10) (next q)")
    state = Game(rules, jit=False).start()
    assert state.row[rules.fields["OVER"]] == 2


@pytest.mark.slow
@settings(max_examples=15, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5)), min_size=1, max_size=10, unique=True), st.data())
def test_random_relations(edges, data):
    facts = " ".join(f"(e {x} {y})" for x, y in edges)
    literals = [
        "(e ?x ?y)",
        "(e ?y ?z)",
        "(true (at ?x))",
        "(p ?y ?z)",
        "(not (p ?z ?x))",
        "(distinct ?x ?z)",
        "(q ?z)",
    ]
    body = " ".join(data.draw(st.permutations(literals))[: data.draw(st.integers(2, 6))])
    rules = "(<= (p ?x ?y) (e ?x ?y) (not (true (at ?x)))) (<= (p ?x ?z) (e ?x ?y) (p ?y ?z)) (<= (q ?x) (p ?x ?x))"
    text = f"{FRAME} {facts} {rules} (<= (next (hit ?x ?z)) (e ?x ?y) (e ?y ?z) {body})"
    assert compare(compiled(text), games=1, plies=4) > 1


def test_plain_python_keeps_the_contract():
    check_game(Game(compiled(SHEETS["nim.kif"]), jit=False), playouts=2, plies=30)


@pytest.mark.slow
def test_machine_code_plays_as_plain_python_does():
    rules = compiled(SHEETS["rock-paper-scissors.kif"])
    played = [Game(rules, jit=jit) for jit in (True, False)]
    rows = [game.new_row() for game in played]
    totals = []
    for game, row in zip(played, rows, strict=True):
        arguments = (row, seeded(5), game.move_list, game.work, 4, 1000)
        totals.append(int(game.kernels.call("playouts", *arguments)))
    assert totals[0] == totals[1] > 4
    assert rows[0].tolist() == rows[1].tolist()


def test_scratch_space_of_any_other_state_will_do():
    game = Game(compiled(SHEETS["capture-go-3x3.kif"]), jit=False)
    states = [game.start()]
    while not states[-1].over and len(states) < 8:
        moves = states[-1].moves()
        states.append(states[-1].play(moves[len(states) % len(moves)]))
    expected = [moves_of(state, 0) for state in states]
    for number in [0, 5, 2, 2, 7, 1]:
        assert moves_of(states[number % len(states)], 0) == expected[number % len(states)]
    game.work[:] = 7
    assert moves_of(states[1], 0) == expected[1]
    generation = game.rules.compiled.sizes["GENERATION"]
    game.work[generation] = 1 << 30  # counted to its end, it begins again
    assert moves_of(states[2], 0) == expected[2]
    assert game.work[generation] < 10


def test_too_little_room_is_said_and_not_guessed(monkeypatch):
    monkeypatch.setattr("ludoport.gdl.compiled.rules.HEAP_SIZE", 8)
    made = compile_rules(read_program(Sheet(FRAME + RECURSION["left"] + QUESTIONS["from"])), "small", 10)
    game = plain_functions(made.source)
    row, work, moves = (np.zeros(made.sizes[key], dtype=np.int64) for key in ("STATE_SIZE", "WORK_SIZE", "WORK_SIZE"))
    game["start"](row, None)
    game["legal"](row, moves, work)
    game["play"](row, moves[:2], work)
    assert row[made.sizes["OVER"]] == 3
    assert game["utility"](row, 1) == 0


def test_sheets_that_are_small_enough_get_a_network():
    for name, path in SHEETS.items():
        assert most_tuples(read_program(Sheet(path.read_text(), name)), 10) < MOST_TUPLES / 10, name


def test_flat_rules_have_one_relation_for_each_shape():
    text = "(role a) (init (at 1)) (init wet) (legal a (go north 1)) (legal a noop) (<= (next ?x) (true ?x))"
    rules = Flattener(read_program(Sheet(text)), Clock(10)).run()
    legal = {rule.head.flat.shapes: rule.head.args for rule in rules if rule.head.flat.key == "legal/2"}
    assert legal == {("*", ("go", "*", "*")): ("a", "north", "1"), ("*", "*"): ("a", "noop")}
    assert sorted(rule.head.flat.arity for rule in rules if rule.head.flat.key == "next/1") == [1, 1]


def test_domains_are_ranges_of_numbers_where_that_is_possible():
    text = FRAME + "(init (cell a 1 x)) (init (cell b 2 o)) (init (cell c 3 b)) (<= (next ?x) (true ?x) (true (at 0)))"
    world = explore(Flattener(read_program(Sheet(text)), Clock(10)).run(), Clock(10))
    cell = next(flat for flat in world.domains if flat.key == "true/1" and flat.arity == 3)
    names = [{world.names[number] for number in domain} for domain in world.domains[cell]]
    assert names == [{"a", "b", "c"}, {"1", "2", "3"}, {"x", "o", "b"}]
    assert all(is_range(domain) for domain in world.domains[cell])


LARGE = (
    " ".join(f"(d {i})" for i in range(60))
    + """ (role a) (init (s 1)) (goal a 0) (<= terminal (true (s 5)))
(<= (next (s ?b)) (does a (m ?a ?b))) (<= (legal a (m ?a ?b)) (d ?b) (big ?a ?b ?a ?a ?b) (true (s ?a)))
(<= (big ?a ?b ?c ?e ?f) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (not (true (s ?b))))"""
)


def test_what_is_too_large_for_a_network_is_compiled_as_it_is():
    rules = load_rules(LARGE, "large")
    assert rules.engine == "compiled"
    assert rules.why.startswith("no network: ")
    assert "tuples" in rules.why
    state = Game(rules, jit=False).start()
    assert sorted(move.text for move in state.moves()) == sorted(f"(m 1 {i})" for i in range(60) if i != 1)


def test_what_cannot_be_compiled_is_left_to_the_interpreter():
    facts = "(<= (next (big ?a ?b ?c ?e ?f)) (d ?a) (d ?b) (d ?c) (d ?e) (d ?f) (true (s ?a)))"
    rules = load_rules(LARGE + facts, "larger")
    assert rules.engine == "interpreter"
    assert rules.why.endswith("no compiled rules: `true` has room for 777,600,000 tuples")


def test_terms_that_grow_without_end_are_noticed():
    rules = load_rules(FRAME + "(init (box 1)) (<= (next (box (f ?x))) (true (box ?x)))", engine="compiled")
    assert rules.engine == "interpreter"
    assert "nested deeper than" in rules.compiled.why


def test_a_second_load_comes_from_the_cache(tmp_path, monkeypatch):
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    first = compiled(SHEETS["nim.kif"]).compiled
    (stored,) = (tmp_path / "gdl").glob("*-rules.json.gz")
    monkeypatch.setattr("ludoport.gdl.rules.compile_rules", None)
    assert compiled(SHEETS["nim.kif"]).compiled == first
    monkeypatch.undo()
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    stored.write_bytes(b"damaged")
    assert compiled(SHEETS["nim.kif"]).compiled == first


@pytest.mark.slow
@pytest.mark.skipif(not (REFERENCE / "conformance.json").is_file(), reason="the reference suite is not at hand")
def test_the_reference_suite_holds(monkeypatch):
    """One game as machine code, the others and the many small cases in plain Python from the same kernel texts."""
    monkeypatch.setattr(
        "ludoport.verify.gdl.load_rules",
        lambda sheet, network: load_rules(sheet, engine="compiled" if network else None),
    )
    tasks = suite_tasks(REFERENCE / "conformance.json", REFERENCE / "index.json")
    games = [task for task in tasks if task.id.startswith("games/")]
    results = list(compare_all(games[:1]))
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    results += compare_all([task for task in tasks if task not in games[:1]])
    assert len(results) == len(tasks) > len(games) >= 3
    assert [result.line() for result, _ in results if not result.agrees] == []
    assert sum(engine == "compiled" for _, engine in results) >= 19
