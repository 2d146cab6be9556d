"""Texts as they are typed: what is wrong where, what may follow, and the board."""

from __future__ import annotations

import pytest

from ludoport.games import bundled, bundled_rulesheets
from ludoport.web.views.completion import complete
from ludoport.web.views.design import look_at, problems_in, report

TEXT = """(game "Row"
    (players 2)
    (equipment { (board (square 3)) (piece "Ball" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
"""


def test_a_right_text_has_a_board() -> None:
    found = look_at(TEXT)
    assert found["problems"] == []
    assert found["name"] == "Row"
    assert len(found["board"]["sites"]) == 9
    assert found["position"]["pieces"] == []


@pytest.mark.parametrize(
    ("wrong", "place", "hint"),
    [
        (TEXT.replace("move Add", "mvoe Add"), (4, 19), "did you mean `move`?"),
        (TEXT.replace("Mover Win", "Mover Wim"), (4, 84), "did you mean `Win`?"),
        (TEXT.rstrip()[:-1], (1, 1), ""),
    ],
)
def test_a_problem_has_a_place(wrong: str, place: tuple[int, int], hint: str) -> None:
    (problem,) = problems_in(wrong)
    assert (problem["line"], problem["column"]) == place
    assert problem["hint"] == hint
    assert problem["message"]
    assert look_at(wrong)["problems"] == [problem]
    assert look_at(wrong)["board"] is None


def test_what_cannot_be_compiled_is_a_problem_too() -> None:
    text = TEXT.replace("(square 3)", "(square 30000)")
    assert problems_in(text) == []
    assert look_at(text)["problems"][0]["message"]


def test_rulesheets_too() -> None:
    text = bundled_rulesheets()["tic-tac-toe.kif"].read_text()
    assert problems_in(text) == []
    (problem,) = problems_in(f"{text}\n(<= (legal x ?y) (")
    assert problem["line"] == text.count("\n") + 2
    assert "never closed" in problem["message"]
    assert problems_in("/etc/passwd")[0]["message"] == "game holds no `(game ...)`"


@pytest.mark.parametrize(
    ("typed", "first", "fits"),
    [
        ('(game "Row" (play', "players", True),
        ("(equipment {(board (hex", "hex", True),
        ("(play (move Add (to (sites Em", "sites Empty", True),
        ("(end (if (is Li", "is Line", True),
        ('(game "(", (pla', "players", True),
        ("// (move Add\n(gam", "game", True),
        ("(result Mover W", "Win", True),
        ("(is Line 3 thr", "through:", True),
    ],
)
def test_completions_fit_their_place(typed: str, first: str, fits: bool) -> None:
    found = complete(typed, len(typed))
    assert found["items"][0]["label"] == first
    assert found["items"][0]["fits"] is fits
    assert typed[found["start"] :] == typed[found["start"] :].lstrip()


def test_completions_say_what_they_mean() -> None:
    found = complete("(if (is Li", 10)
    assert found["items"][0]["help"] == "Whether a line of pieces runs through a site."
    assert found["items"][0]["forms"][0].startswith("(is Line ")
    assert found["inside"]["label"] == "if"


def test_every_place_of_a_text_can_be_completed() -> None:
    text = bundled()["Minishogi"].read_text()[:1500]
    for offset in range(0, len(text), 7):
        assert complete(text, offset)["start"] <= offset


@pytest.mark.slow
def test_a_report_comes_in_steps() -> None:
    *steps, last = report(bundled()["Tic-Tac-Toe"].read_text(), 0.5)
    assert {step["stage"] for step in steps} <= {"compiling", "random", "first moves", "uct", "skill"}
    assert steps
    assert last["report"]["game"] == "Tic-Tac-Toe"
    assert len(last["report"]["first"]) == len(last["board"]["sites"]) == 9
