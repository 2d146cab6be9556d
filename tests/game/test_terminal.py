"""Boards in the terminal: coordinates, the last move, colours, hands."""

import random

import pytest

import ludoport as lp
from ludoport.game import State
from ludoport.terminal import RESET, terminal_picture, visible_length


def shown(state: State, colour: bool = False) -> str:
    rules = state.game.rules
    marked = () if state.last is None else rules.move_sites(state.row, state.last.row).ends
    return terminal_picture(rules.geometry, rules.figures(state.row), rules.player_names, marked, colour)


def after(name: str, *moves: str, options: tuple[str, ...] = ()) -> State:
    state = lp.load(name, list(options), jit=False).start()
    for move in moves:
        state = state.play(move)
    return state


def test_a_square_board() -> None:
    assert shown(after("Tic-Tac-Toe", "B2", "A1")).splitlines() == [
        "3 .  .  .",
        "2 .  W  .",
        "1[B] .  .",
        "  A  B  C",
    ]


def test_a_hexagonal_board_has_coordinates_at_two_sides() -> None:
    assert shown(after("Hex", "B2", options=("Board Size/3x3",))).splitlines() == [
        "      .",
        "    .   .",
        "  .  [W]  .",
        "3   .   .   C",
        "  2   .   B",
        "    1   A",
    ]


@pytest.mark.slow
def test_the_last_move_is_marked_at_both_ends() -> None:
    lines = shown(after("Chess", "E2-E4")).splitlines()
    assert lines[4] == "4 .  .  .  . [P] .  .  ."
    assert lines[6] == "2 P  P  P  P [.] P  P  P"
    assert lines[0] == "8 r  n  b  q  k  b  n  r"


def test_colours_take_no_room() -> None:
    state = after("Chess 8x8", "e2e4")
    for plain, coloured in zip(shown(state).splitlines(), shown(state, colour=True).splitlines(), strict=True):
        assert RESET in coloured
        assert visible_length(coloured) in (len(plain), len(plain) - 1)


@pytest.mark.slow
def test_stacks_and_hands() -> None:
    assert shown(after("Connect Four", "A1", "A1", "B1")).splitlines()[0].startswith("1  B2 [W]")
    rng = random.Random(2)
    state = lp.load("Minishogi", jit=False).start()
    while "in hand" not in shown(state):
        state = state.play(rng.choice(state.moves()))
    line = next(line for line in shown(state).splitlines() if "in hand" in line)
    assert line.split(" in hand: ")[0] in ("Black", "White")


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Yavalath", "HeXentafl", "Go", "breakthrough.kif", "gardner-chessplus"])
def test_every_site_is_shown(name: str) -> None:
    state = after(name)
    text = shown(state)
    geometry = state.game.rules.geometry
    empty = sum(site not in state.game.rules.figures(state.row) for site in range(len(geometry.sites)))
    assert text.count(".") == empty
