"""Requirements on rulesheets, and the messages about violations."""

from __future__ import annotations

import pytest

from ludoport.errors import LudError
from ludoport.gdl import load_rules
from ludoport.gdl.checks import problem_text, problems
from ludoport.gdl.kif import Sheet
from ludoport.gdl.program import read_program

FRAME = "(role a) (init p) (<= (legal a go) (true p)) (<= (next q) (does a go)) (<= terminal (true q)) (goal a 100)\n"


def found(text):
    return problems(read_program(Sheet(FRAME + text, "s")))


def test_a_good_sheet_has_no_problems():
    assert found("") == []


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(<= (r ?x) (true p)) (<= (goal a 0) (r 1))", "`?x` is in the head"),
        ("(<= (goal a 0) (not (true ?x)))", "`?x` is in a negated condition"),
        ("(<= (goal a 0) (distinct ?x a) (true p))", "`?x` is in `distinct`"),
        ("(<= (goal a 0) (or (true ?x) (true p)) (distinct ?x p))", "`?x` is in `distinct`"),
        ("(r ?x) (<= (goal a 0) (r p))", "a fact cannot contain a variable"),
        ("(<= r (not s)) (<= s r) (<= (goal a 0) r)", "depends on its own negation"),
        ("(<= (n ?x) (n (s ?x))) (n (s z)) (<= (goal a 0) (n z))", "recursion restriction"),
        ("(<= (true p) (true q))", "cannot be the head"),
        ("(<= (role ?x) (true ?x))", "roles are plain facts"),
        ("(<= r (next p))", "cannot be a condition"),
        ("(<= (goal a 0) (does a go))", "must not depend on `does`"),
        ("(<= (init r) (true p))", "must not depend on `true`"),
    ],
)
def test_fatal_problems(text, message):
    first = found(text)[0]
    assert first.fatal
    assert first.error
    assert message in first.message
    with pytest.raises(LudError) as error:
        load_rules(FRAME + text, "s")
    assert message in str(error.value)
    assert "^" in str(error.value)


@pytest.mark.parametrize(
    ("text", "message", "strict"),
    [
        ("(<= (goal a 0) (true p) (not (distinct p p)))", "only a sentence may be negated", True),
        (
            "(<= r (true (f 1))) (<= r (true (f 1 2))) (<= (goal a 0) r)",
            "has 2 argument(s) here and 1 elsewhere",
            False,
        ),
        ("(<= (goal a 0))", "without conditions", False),
        ("(<= unused (true p))", "never used", False),
        ("(<= (goal a 0) missing)", "never defined", False),
        ("(<= (goal a 0) (true P))", "differ only in case", True),
    ],
)
def test_problems_that_do_not_stop_the_game(text, message, strict):
    notes = found(text)
    assert any(message in note.message and note.error == strict for note in notes)
    assert not any(note.fatal for note in notes)
    load_rules(FRAME + text)


def test_goals_are_stratified_by_their_values():
    assert not any(note.fatal for note in found("(<= (goal a 0) (not (goal a 50)))"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(init p)", "no `role`"),
        ("(role a) (init p)", "no rule for `legal`"),
        ("(role a) (legal a)", "`legal` has 2 argument(s), not 1"),
        ("(role a) (<=)", "needs a head"),
        ("(role a) (<= p (not q r))", "`not` takes one condition"),
        ("(role a) (<= p (distinct q))", "`distinct` compares two terms"),
        ("(role a) (<= p ?x)", "stands where a sentence should be"),
        ("(role a) (<= (or p q) r)", "`or` cannot be a relation"),
    ],
)
def test_sheets_that_cannot_be_read(text, message):
    with pytest.raises(LudError) as error:
        load_rules(text)
    assert message in str(error.value)


def test_problems_name_file_and_line():
    program = read_program(Sheet(FRAME + "(<= unused (true p))", "game.kif"))
    assert problem_text(program, problems(program)[0]).startswith("game.kif:2:1: ")
