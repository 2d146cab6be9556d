"""Tests of the analysis that proves indices, and of the tests it writes where it cannot."""

from __future__ import annotations

import numpy as np
import pytest

from ludoport.kernels.guards import FunctionText, analysed, guarded
from ludoport.kernels.ranges import CellBlock, Ranges, Shapes

SITES = 9


def shapes() -> Shapes:
    fields = {
        "WHAT": CellBlock("WHAT", 0, SITES, "state"),
        "LAST": CellBlock("LAST", SITES, 1, "state"),
        "N": CellBlock("N", SITES + 1, 1, "state", (0, SITES)),
        "LIST": CellBlock("LIST", SITES + 2, SITES, "state", (0, SITES - 1)),
    }
    scratch = {"MARKS": CellBlock("MARKS", 0, SITES, "work"), "QUEUE": CellBlock("QUEUE", SITES, SITES, "work")}
    constants = {name: block.offset for name, block in (fields | scratch).items()}
    constants |= {"WORK_SIZE": 2 * SITES, "MOVE_SIZE": 2, "RULE": 0, "TO": 1, "MAX_MOVES": 5}
    tables = {"NEAR": np.array([1, 2, -1], dtype=np.int16), "OWNER": np.array([0, 1, 2], dtype=np.int16)}
    return Shapes(
        constants, tables, fields, scratch, {"RULE": 0, "TO": 1}, 2, 5, 2 * SITES + 2, 2 * SITES + 2, SITES, 2, 2
    )


def guard(*bodies: str, **facts: tuple[int, int]) -> list[str]:
    """The guarded texts of functions; the first one is called from outside."""
    return guard_parts([FunctionText(body, facts) for body in bodies], shapes())[0]


def guard_parts(parts: list[FunctionText], known: Shapes) -> tuple[list[str], Ranges]:
    """The guarded texts, and the analysis behind them."""
    ranges = analysed(parts, known, {}, ["play"])
    return guarded(parts, ranges), ranges


def same(*bodies: str, **facts: tuple[int, int]) -> bool:
    return guard(*bodies, **facts) == list(bodies)


def test_a_loop_over_the_sites_is_proved() -> None:
    assert same("def play(state, work):\n    for s in range(9):\n        state[WHAT + s] = 1\n    return 0")


def test_a_kept_field_bounds_a_loop() -> None:
    text = "def play(state, work):\n    for i in range(state[N]):\n        s = wide(state[LIST + i])\n"
    assert same(text + "        state[WHAT + s] = 1\n    return 0")


def test_one_site_too_many_is_tested() -> None:
    text = "def play(state, work):\n    for s in range(10):\n        state[WHAT + s] = 1\n    return 0"
    assert "        if 0 <= WHAT + s <= 8:\n            state[WHAT + s] = 1" in guard(text)[0]


def test_a_number_from_outside_is_tested() -> None:
    text = "def play(state, work, x):\n    return state[WHAT + x]"
    assert guard(text)[0].endswith("return state[WHAT + x] if 0 <= WHAT + x <= 8 else 0")


def test_a_table_of_sites_gives_no_site_outside() -> None:
    text = "def play(state, work, x):\n    return NEAR[x]"
    assert guard(text)[0].endswith("return NEAR[x] if 0 <= x <= 2 else -1")


@pytest.mark.parametrize(
    "test",
    ["x >= 0 and x < 9", "not (x < 0 or x >= 9)", "0 <= x < 9", "x > -1 and x <= 8", "on_board(x) and 1 == 1"],
)
def test_conditions_prove(test: str) -> None:
    text = f"def play(state, work, x):\n    if {test}:\n        state[WHAT + x] = 1\n    return 0"
    assert "<= WHAT" not in guard(text)[0]


@pytest.mark.parametrize("test", ["x >= 0", "x < 9", "x >= 0 or x < 9", "not (x >= 0 and x < 9)", "0 <= x <= 9"])
def test_conditions_that_are_not_enough_do_not(test: str) -> None:
    text = f"def play(state, work, x):\n    if {test}:\n        state[WHAT + x] = 1\n    return 0"
    assert "if 0 <= WHAT + x <= 8:" in guard(text)[0]


def test_a_condition_is_forgotten_when_its_variable_changes() -> None:
    text = "def play(state, work, x):\n    if 0 <= x < 9:\n        x = x + 1\n        state[WHAT + x] = 1\n    return 0"
    assert "if 0 <= WHAT + x <= 8:" in guard(text)[0]


def test_a_condition_on_a_cell_is_forgotten_when_the_row_changes() -> None:
    text = (
        "def play(state, work, x):\n    state[LAST] = x\n    if 0 <= state[LAST] < 9:\n        state[LAST] = x\n"
        "        state[WHAT + state[LAST]] = 1\n    return 0"
    )
    assert "<= WHAT + state[LAST] <=" in guard(text)[0]


def test_what_is_written_anywhere_bounds_what_is_read() -> None:
    more = "def more(state, work):\n    if state[LAST] >= 0:\n        return state[WHAT + state[LAST]]\n    return 0"
    assert same("def play(state, work):\n    state[LAST] = NEAR[2]\n    return more(state, work)", more)
    large = "def play(state, work, x):\n    state[LAST] = x\n    return more(state, work)"
    assert "if 0 <= WHAT + state[LAST] <= 8 else 0" in guard(large, more)[1]


def test_a_number_that_does_not_fit_the_row_may_be_anything() -> None:
    text = (
        "def play(state, work):\n    state[LAST] = 70000 + state[N]\n    if state[LAST] < 9:\n"
        "        return state[WHAT + state[LAST]]\n    return 0"
    )
    assert "if 0 <= WHAT + state[LAST] <= 8 else 0" in guard(text)[0]


def test_products_that_may_overflow_prove_nothing() -> None:
    text = (
        "def play(state, work, x):\n    y = x * x * x\n    if y < 9:\n        if x > 0:\n"
        "            state[WHAT + y] = 1\n    return 0"
    )
    assert "if 0 <= WHAT + y <= 8:" in guard(text)[0]


def test_calls_bound_parameters() -> None:
    inner = "def put(state, s):\n    state[WHAT + s] = 1\n    return 0"
    good = "def play(state, work):\n    put(state, 3)\n    put(state, 8)\n    return 0"
    bad = good.replace("8", "9")
    assert same(good, inner)
    assert "if 0 <= WHAT + s <= 8:" in guard(bad, inner)[1]


def test_a_primitive_tests_what_it_needs() -> None:
    inner = FunctionText("def put(state, s):\n    state[WHAT + s] = 1\n    return 0", needs={"s": (0, 8)})
    play = FunctionText("def play(state, work, x):\n    put(state, x)\n    return 0")
    texts, ranges = guard_parts([play, inner], shapes())
    assert (
        texts[1]
        == "def put(state, s):\n    if s < 0 or s > 8:\n        return 0\n    state[WHAT + s] = 1\n    return 0"
    )
    assert not ranges.findings()


MOVES = """def play(state, work, moves, x):
    n = 0
    cap = MAX_MOVES
    for s in range(9):
        if state[WHAT + s] == 0:
            if n >= cap:
                return n
            moves[n * MOVE_SIZE + RULE] = 1
            moves[n * MOVE_SIZE + TO] = s
            n += 1
    return n"""


def test_a_list_of_moves_with_its_test_is_proved() -> None:
    assert same(MOVES)


def test_a_list_of_moves_without_its_test_is_not() -> None:
    text = MOVES.replace("            if n >= cap:\n                return n\n", "")
    assert "if 0 <= n * MOVE_SIZE + RULE <= 11:" in guard(text)[0]


def test_moves_of_different_rules_are_told_apart() -> None:
    play = (
        "def play(state, work, moves, move):\n    moves[RULE] = 1\n    moves[TO] = 5\n    moves[RULE] = 2\n"
        "    moves[TO] = 70\n    do_1(state, move)\n    do_2(state, move)\n    return 0"
    )
    one = "def do_1(state, move):\n    state[WHAT + move[TO]] = 1\n    return 0"
    two = one.replace("do_1", "do_2")
    texts = guard(play, one, two)
    assert texts[1] == one
    assert "if 0 <= WHAT + move[TO] <= 8:" in texts[2]


QUEUE = """def play(state, work):
    head = 0
    tail = 1
    work[QUEUE] = 0
    while head < tail:
        m = wide(work[QUEUE + head])
        head += 1
        if work[MARKS + m] == 0:
            work[MARKS + m] = 1
            work[QUEUE + tail] = m
            tail += 1
    return 0"""


def test_a_list_of_marked_sites_needs_its_marks() -> None:
    assert "if 9 <= QUEUE + tail <= 17:" in guard(QUEUE)[0]
    known = shapes()
    known.once = {"QUEUE": "MARKS"}
    assert guard_parts([FunctionText(QUEUE)], known)[0] == [QUEUE]
    wrong = QUEUE.replace("MARKS + m", "MARKS + m + 1").replace("[QUEUE] = 0", "[QUEUE] = 8")
    assert "if 9 <= QUEUE + tail <= 17:" in guard_parts([FunctionText(wrong)], known)[0][0]


def test_counters_are_bounded_by_their_loops() -> None:
    text = (
        "def play(state, work):\n    count = 0\n    for r in range(3):\n        for k in range({}):\n"
        "            if state[WHAT + k] == 0:\n                work[QUEUE + count] = k\n                count += 1\n"
        "    return count"
    )
    assert same(text.format(3))
    assert "if 9 <= QUEUE + count <= 17:" in guard(text.format(4))[0]


def test_on_board_is_written_out_where_nothing_arrives() -> None:
    text = "def play(state, work):\n    if state[N] > 900:\n        if on_board(state[LAST]):\n"
    text += "            return 1\n    return 0"
    assert "if 0 <= state[LAST] <= 8:" in guard(text)[0]


def test_guarded_text_is_proved() -> None:
    text = "def play(state, work, x):\n    y = state[WHAT + x]\n    state[WHAT + y + x] = NEAR[y]\n    return OWNER[x]"
    once = guard(text)
    assert once != [text]
    assert guard(*once) == once
