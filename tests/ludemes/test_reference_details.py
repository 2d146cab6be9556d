"""Details of the reference that no recorded game shows: small games with the answer worked out by hand."""

from __future__ import annotations

import pytest

from ludoport.errors import UnsupportedError
from ludoport.game import Game, State
from ludoport.lud import read_text
from ludoport.ludemes.compile import compile_description
from ludoport.ludemic import LudemicRules

GAME = """(game "Detail" (players 2)
    (equipment {{(board (square 3)) (piece "Disc" Each (move Step (to if:(is Empty (to))))) (piece "Stone" Each)}})
    (rules {start} (play {play}) (end (if {end} (result Mover Win)))))
"""
ADD = "(move Add (to (sites Empty)))"


def started(play: str = ADD, end: str = "(is Full)", start: str = "") -> State:
    """The first position of a small game."""
    text = GAME.format(play=play, end=end, start=start)
    return Game(LudemicRules(read_text(text, "detail.lud")), jit=False).start()


def after(state: State, *moves: str) -> State:
    """The position after moves given by their recorded texts."""
    for text in moves:
        state = state.play(next(move for move in state.moves() if move.text == text))
    return state


@pytest.mark.parametrize(
    ("line", "over"),
    [
        # Empty sites line up with an empty site, and stop where a disc is.
        ("(is Line 3 through:1 if:True)", True),
        ("(is Line 3 through:1)", True),
        ("(is Line 3 through:4 what:0)", True),
        ("(is Line 2 through:8 if:(is Occupied (to)))", False),
        # The first site of the region that fails the condition ends the search.
        ("(is Line 1 throughAny:(sites {0 8}) if:(is Occupied (to)))", False),
        ("(is Line 1 throughAny:(sites {0 8}) what:1 if:(is Occupied (to)))", True),
        ("(is Line 1 throughAny:(sites {8 0}) if:(is In (to) (sites {0 8})))", True),
    ],
)
def test_lines(line: str, over: bool) -> None:
    assert after(started(end=line), "8").over is over


@pytest.mark.parametrize(
    ("number", "value"),
    [
        # The second player has discs on 4 and 8; the first moved his from 3 to 0.
        ("(count Sites in:(sites LineOfSight))", 1),
        ("(count Sites in:(sites LineOfSight at:8))", 1),
        ("(count Liberties)", 2),
        ("(count Liberties if:(is Mover P2))", 0),
        ("(count Liberties at:4 if:(= (to) 4))", 6),
        ("(count Sites in:(sites LastTo))", 1),
        ("(size Array (union (array {1 1 2}) (array {2 3 3})))", 4),
        ("(size Array (if (is Mover P1) (array {1 1}) (array {2})))", 2),
    ],
)
def test_numbers(number: str, value: int) -> None:
    start = '(start {(place "Disc1" 3) (place "Disc2" {4 8})})'
    assert after(started("(forEach Piece)", f"(= {value} {number})", start), "3-0").over
    assert not after(started("(forEach Piece)", f"(= {value + 1} {number})", start), "3-0").over


def test_the_same_moves_twice_in_a_priority() -> None:
    assert len(started(f"(priority {ADD} {ADD})").moves()) == 9


def test_placements_with_several_local_states_tell_them() -> None:
    pieces = '(move Add (piece "Stone1" state:{}) (to (sites Centre)))'
    state = started(f"(or {pieces.format(0)} {pieces.format(1)})")
    assert [move.text for move in state.moves()] == ["4/t0/f0/g0", "4/t1/f0/g0"]


@pytest.mark.parametrize(("start", "size"), [("unique:True", 1), ("", 2)])
def test_values_remembered_once_at_the_start(start: str, size: int) -> None:
    twice = f"(set RememberValue 5) (set RememberValue 5 {start})"
    end = f"(= {size} (size Array (values Remembered)))"
    assert after(started(end=end, start=f"(start {{{twice}}})"), "0").over


@pytest.mark.parametrize(
    "play",
    [
        "(forEach Piece (move Step (to (last To) if:(is Empty (to)))))",
        "(forEach Piece (move Slide (between before:1 (exact 1)) (to if:False)))",
    ],
)
def test_parts_that_steps_and_slides_do_not_use(play: str) -> None:
    started(f"(or {ADD} {play})")


def test_modes_of_phases() -> None:
    phases = 'phases:{(phase "One" (mode MODE) (play (move Pass)))}'
    text = GAME.format(play="(move Pass)", end="(is Full)", start="").replace("(play (move Pass))", phases)
    compile_description(read_text(text.replace("MODE", "Alternating"), "detail.lud"))
    with pytest.raises(UnsupportedError, match="the mode `Simultaneous`"):
        compile_description(read_text(text.replace("MODE", "Simultaneous"), "detail.lud"))


@pytest.mark.parametrize(("player", "mover"), [("(mover)", 1), ("0", 2), ("(who at:4)", 2), ("(who at:0)", 1)])
def test_only_players_move_next(player: str, mover: int) -> None:
    play = f"(move Add (to (sites Empty)) (then (set NextPlayer (player {player}))))"
    assert after(started(play), "0").mover == mover


def test_the_last_of_several_players_moves_next() -> None:
    play = "(move Add (to (sites Empty)) (then (set NextPlayer (array {2 1}))))"
    assert after(started(play), "0").mover == 1


@pytest.mark.parametrize(
    "play",
    [
        "(max Moves MOVES THEN)",
        "(max Captures MOVES THEN)",
        "(avoidStoredState MOVES THEN)",
        "(move Add (to (sites Empty)) (then (surround (from (last To)) THEN)))",
    ],
)
def test_consequents_that_the_reference_does_not_do(play: str) -> None:
    with pytest.raises(UnsupportedError, match="the reference does not do it"):
        started(play.replace("MOVES", ADD).replace("THEN", "(then (moveAgain))"))


@pytest.mark.parametrize(
    ("line", "over"),
    [
        # The condition is asked of the other sites only.
        ("(is Line 2 if:(= (to) 0))", True),
        ("(is Line 2 if:(= (to) 2))", False),
        ("(is Line 2 if:(= (to) 2) byLevel:True)", True),
        # Arguments that only games without stacks look at.
        ("(is Line 2 throughAny:(sites {8}) contiguous:False)", True),
        ("(is Line 3 contiguous:False throughHowMuch:1)", False),
    ],
)
def test_lines_in_stacks(line: str, over: bool) -> None:
    play = '(move Add (piece "Disc1") (to (sites Board)) stack:True)'
    assert after(started(play, line), "0", "1").over is over


RING = """(game "Ring" (players 2)
    (equipment {
        (board (concentric {4 4}) use:Vertex)
        (piece "Man" Each (move Hop Rotational EFFECT (to if:(is Empty (to)))))
    })
    (rules
        (start {(place "Man1" 4) (place "Man2" {5 7})})
        (play (forEach Piece))
        (end (if (no Pieces Next) (result Mover Win)))))
"""


@pytest.mark.parametrize("effect", ["", "(apply (remove (between)))"])
def test_hops_both_ways_around_a_ring_tell_what_they_jump_over(effect: str) -> None:
    between = f"(between if:(is Enemy (who at:(between))) {effect})"
    text = RING.replace("EFFECT", between)
    state = Game(LudemicRules(read_text(text, "ring.lud")), jit=False).start()
    assert sorted(move.text for move in state.moves()) == ["4-6/b5", "4-6/b7"]
    if effect:
        assert 5 not in after(state, "4-6/b5").pieces()


@pytest.mark.parametrize(
    ("effect", "number"),
    [
        ("(set State at:0 (- (count Moves) 1))", "(state at:0)"),
        ("(set State at:0 (- (count Moves) 2))", "(- (state at:0) 1)"),
        ("(set State at:0 -1)", "(- (state at:0) 1)"),
        ("(set Value at:0 (- (count Moves) 3))", "(- (value Piece at:0) 3)"),
    ],
)
def test_negative_states_and_values_are_not_set(effect: str, number: str) -> None:
    start = '(start (place "Disc1" 0 state:1 value:3))'
    assert after(started(f"(move Add (to (sites Empty)) (then {effect}))", f"(= 0 {number})", start), "8").over
