"""Meanings that no other way of computing confirms, in positions small enough to be checked by hand."""

from __future__ import annotations

import pytest

from ludoport.errors import LudoportError, UnsupportedError
from ludoport.game import Game, State
from ludoport.lud import read_text
from ludoport.ludemes.core.conditions import negation
from ludoport.ludemic import LudemicRules

CHECK = '(is Threatened (id "King" Mover))'
ENEMY = "if:(is Enemy (who at:(between)))"
FRIEND = "(to if:(is Friend (who at:(to))))"


def start(rules: str, board: str = "(square 3)", pieces: str = '(piece "Disc" Each)') -> State:
    text = f'(game "Small" (players 2) (equipment {{(board {board}) {pieces}}}) (rules {rules}))'
    return Game(LudemicRules(read_text(text)), jit=False).start()


def texts(state: State) -> set[str]:
    return {move.text for move in state.moves()}


@pytest.mark.parametrize(
    "capture",
    [
        f"(custodial (between (max 1) {ENEMY}) {FRIEND})",
        f"(enclose Orthogonal (between {ENEMY}))",
        f"(surround (from (last To)) Orthogonal (between {ENEMY}) {FRIEND})",
    ],
)
def test_victims_are_removed_where_the_text_names_no_effect(capture: str) -> None:
    state = start(f"(play (move Add (to (sites Empty)) (then {capture}))) (end (if (is Line 3) (result Mover Win)))")
    for move in ("0", "1", "4", "8", "2"):
        state = state.play(move)
    assert "1" in texts(state)


def test_nothing_is_surrounded_without_an_origin() -> None:
    rule = f"(surround Orthogonal (between {ENEMY}) {FRIEND})"
    state = start(f"(play (move Add (to (sites Empty)) (then {rule}))) (end (if (is Line 3) (result Mover Win)))")
    for move in ("0", "1", "4", "8", "2"):
        state = state.play(move)
    assert "1" not in texts(state)


def test_no_moves_next_counts_as_false_for_threats_inside_it() -> None:
    king = '(piece "King" Each (move Step (to if:(not (is Friend (who at:(to)))) (apply (remove (to))))))'
    play = f"(play (do (forEach Piece) ifAfterwards:(and (not (no Moves Next)) (not {CHECK}))))"
    setup = '(start {(place "King1" 0) (place "King2" 3)})'
    state = start(f"{setup} {play} (end (if (no Pieces Next) (result Mover Win)))", "(rectangle 1 4)", king)
    # After 0-1 the other king could only step next to this one, so 0-1 leaves no move and is illegal.
    assert texts(state) == {"pass"}


def test_a_sequence_sees_who_moves_next() -> None:
    steps = "(seq {(set NextPlayer (player 1)) (if (is Next P2) (addScore P2 1))})"
    state = start(f"(play (move Add (to (sites Empty)) (then {steps}))) (end (if (> (score P2) 0) (result P2 Win)))")
    state = state.play("0")
    assert not state.over
    assert state.mover == 1


def test_the_last_move_changes_within_a_sequence() -> None:
    steps = "(seq {(remove 8) (remove (last To))})"
    with pytest.raises(UnsupportedError, match="`last To` in a later part of `seq`"):
        start(f"(play (move Add (to (sites Empty)) (then {steps}))) (end (if (is Line 3) (result Mover Win)))")


BEFORE = "(is Occupied (- (site) 1))"


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        # Site 2 is empty when all sites are looked at, so nothing follows it.
        (f"(seq {{(if {BEFORE} (add (to (site))))}})", {0, 1}),
        # The second step sees the first one for the same site.
        (f"(seq {{(if {BEFORE} (add (to (site)))) (if (is Occupied (site)) (add (to (+ (site) 3))))}})", {0, 1, 4}),
        # A loop sees its own rounds.
        (f"(if {BEFORE} (while (is Empty (+ (site) 1)) (add (to (+ (site) 1)))))", {0, 2}),
        # What follows a step is done before the next one.
        (
            f"(seq {{(if {BEFORE} (add (to (site)) (then (addScore P1 1)))) (if (= (score P1) 1) (add (to 6)))}})",
            {0, 1, 6},
        ),
    ],
)
def test_sequences_for_several_sites_do_not_see_each_other(steps: str, expected: set[int]) -> None:
    follow = f"(forEach Site (sites {{1 2 3}}) {steps})"
    end = "(end (if (> (score P2) 0) (result P2 Win)))"
    state = start(f"(play (move Add (to (sites Empty)) (then {follow}))) {end}", "(rectangle 1 9)")
    after = state.play("0")
    assert {int(site) for site in after.pieces()} == expected
    assert after.scores in (None, [0, 0], [1, 0])


def test_many_steps_are_collected() -> None:
    steps = "(if (is Empty (site)) (seq {" + "(addScore P1 1) " * 10 + "(remove (site))}))"
    end = "(end (if (no Pieces All) (result P2 Win)))"
    state = start(
        f"(play (move Add (to (sites Empty)) (then (forEach Site (sites Board) {steps})))) {end}", "(square 10)"
    )
    assert state.play("0").scores == [990, 0]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("range_", "sites"), [("(exact 1)", "1 3"), ("(exact 2)", "2 4 6"), ("(range 2 3)", "2 4 5 6 7")]
)
def test_distance_in_steps_of_a_kind(range_: str, sites: str) -> None:
    ends = f"(sites Distance (step Orthogonal (to if:(is Empty (to)))) from:0 {range_})"
    state = start(f"(play (move Add (to {ends}))) (end (if (is Line 3) (result Mover Win)))")
    assert texts(state) == set(sites.split())


def test_the_longest_moves_are_only_chosen_from_decisions() -> None:
    hop = "(hop (between if:(is Enemy (who at:(between)))) (to if:(is Empty (to))))"
    play = f"(play (move Add (to (sites From (max Moves (forEach Piece {hop}))))))"
    with pytest.raises(UnsupportedError, match="`max Moves` is not implemented yet"):
        start(f"{play} (end (if (is Line 3) (result Mover Win)))")


HOP = f"(move Hop E (between {ENEMY} (apply (remove (between)))) (to if:(is Empty (to))) {{}})"
LEAPS = HOP.format(
    "(then (if (can Move (hop (from (last To)) E (between {}) (to if:(is Empty (to))))) (moveAgain)))"
).format(ENEMY)
TWO_OR_ONE = '(start {(place "Disc1" {0 7}) (place "Disc2" {1 3 8})})'


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        # From site 0 two pieces can be taken, from site 7 only one.
        (f"(set Pending (sites From (max Moves (forEach Piece {LEAPS}))))", "(move Remove (sites Pending))", {"0"}),
        (f"(set Pending (sites To (max Moves (forEach Piece {LEAPS}))))", "(move Add (to (sites Pending)))", {"2"}),
        # What comes before the moves is not done again where turns are measured.
        ("(addScore Mover 1)", f"(max Moves (forEach Piece (if (= (score Mover) 1) {LEAPS})))", {"0-2"}),
    ],
)
def test_the_longest_moves_beside_decisions(before: str, after: str, expected: set[str]) -> None:
    play = f"(play (if (is Prev Mover) (forEach Piece {LEAPS}) (do {before} next:{after})))"
    rules = f"{TWO_OR_ONE} {play} (end (if (no Pieces Next) (result Mover Win)))"
    state = start(rules, "(rectangle 2 7)")
    assert texts(state) == expected
    assert not state.play(next(iter(expected))).over


def test_turns_are_not_measured_while_one_is_measured() -> None:
    before = f"(set Pending (sites From (max Moves (forEach Piece {LEAPS}))))"
    play = f"(play (do {before} next:(move Remove (sites Pending))))"
    state = start(f"{TWO_OR_ONE} {play} (end (if (no Pieces Next) (result Mover Win)))", "(rectangle 2 7)")
    with pytest.raises(LudoportError):
        state.moves()


def test_empty_sites_are_not_enclosed() -> None:
    rule = "(enclose (between if:(is Empty (between)) (apply (add (to (between))))))"
    with pytest.raises(UnsupportedError, match="`enclose` of empty sites"):
        start(f"(play (move Add (to (sites Empty)) (then {rule}))) (end (if (is Line 3) (result Mover Win)))")


def test_nothing_is_promoted_to_no_piece() -> None:
    play = "(play (or (move Promote 0 (piece (what at:4))) (move Add (to (sites Empty)))))"
    state = start(f'(start (place "Disc1" 0)) {play} (end (if (is Line 3) (result Mover Win)))')
    assert len(state.moves()) == 8
    assert len(state.play("4").moves()) == 8


def test_nobody_has_no_hand() -> None:
    play = "(play (or (move Add (to (sites Empty))) (move (from 0) (to (handSite Player 1)))))"
    pieces = '(hand Each) (piece "Disc" Each)'
    state = start(f'(start (place "Disc1" 0)) {play} (end (if (is Line 3) (result Mover Win)))', pieces=pieces)
    assert texts(state) == set("12345678")


def test_what_follows_a_capture_follows_each_victim() -> None:
    capture = f"(custodial (between {ENEMY} (apply (remove (between)))) {FRIEND} (then (addScore Mover 1)))"
    rules = f"(play (move Add (to (sites Empty)) (then {capture}))) (end (if (= (score Mover) 2) (result Mover Win)))"
    state = start(rules, "(rectangle 1 6)")
    for move in ("0", "1", "5", "2", "3"):
        assert not state.over
        state = state.play(move)
    assert state.winner == 1


def test_equal_moves_are_told_apart_by_their_actions() -> None:
    take = "(move Step (to if:(is Enemy (who at:(to))) (apply (if (is Enemy (who at:(to))) (remove (to))))))"
    step = "(move Step (to if:(is Enemy (who at:(to)))))"
    setup = '(start {(place "Disc1" 0) (place "Disc2" 1)})'
    play = f"(play (or (forEach Piece {take}) (forEach Piece {step})))"
    rules = f"{setup} {play} (end (if (no Pieces Next) (result Mover Win)))"
    assert texts(start(rules, "(rectangle 1 3)")) == {"0-1/v0/f0/g0", "0-1/f0/g0"}


def test_captures_on_the_way_are_actions_of_a_move() -> None:
    sweep = f"(move Slide E (between (exact 2) if:True (apply (if {ENEMY[3:]} (remove (between))))) (to if:False))"
    leap = "(move Hop E (between (exact 1) if:True) (to if:(is Empty (to))))"
    play = f"(play (or (forEach Piece {sweep}) (forEach Piece {leap})))"
    for enemies, expected in (("1", {"0-2/v0/f0/g0", "0-2/f0/g0"}), ("3", {"0-2#0", "0-2#1"})):
        setup = f'(start {{(place "Disc1" 0) (place "Disc2" {enemies})}})'
        rules = f"{setup} {play} (end (if (no Pieces Next) (result Mover Win)))"
        assert {text for text in texts(start(rules, "(rectangle 1 4)")) if text.startswith("0-2")} == expected


@pytest.mark.parametrize(
    ("condition", "opposite"),
    [
        ("(not a)", "a"),
        ("(not (a and b))", "(a and b)"),
        ("(not f(a, g(b)))", "f(a, g(b))"),
        ("(not f(a) and g(b))", "(not (not f(a) and g(b)))"),
        ("(not (a) and (b))", "(not (not (a) and (b)))"),
        ("(a == b)", "(a != b)"),
        ("f(x)", "(not f(x))"),
        (True, False),
    ],
)
def test_opposites(condition: str | bool, opposite: str | bool) -> None:
    assert negation(condition) == opposite
