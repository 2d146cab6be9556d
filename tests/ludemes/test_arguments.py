"""Arguments that are written are looked at, declared without effect, or refused."""

from __future__ import annotations

import pytest

from ludoport.errors import UnsupportedError
from ludoport.game import Game
from ludoport.lud import read_text
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.compile import compile_description
from ludoport.ludemes.core.arguments import Arguments, settle, unread
from ludoport.ludemes.core.interning import intern
from ludoport.ludemes.core.traits import TRAITS
from ludoport.ludemic import LudemicRules

GAME = """(game "Small"
    (players 2)
    (equipment {{(board (square 3)) (piece "Disc" Each {piece}) {items}}})
    (rules
        (play {play})
        (end (if (is Full) (result Mover Draw)))))
"""


def text(play: str = "(move Add (to (sites Empty)))", piece: str = "", items: str = "") -> str:
    return GAME.format(play=play, piece=piece, items=items)


def test_looking_is_noted() -> None:
    args = Arguments({"a": 1, "b": 2})
    node = Ludeme("int", "+", args, None)  # type: ignore[arg-type]
    assert (node.peek("a"), list(node.parts()), args.seen) == (1, [1, 2], set())
    assert (node.get("a"), args.seen) == (1, {"a"})
    assert (list(args.values()), args.seen) == ([1, 2], {"a", "b"})


def test_unread_arguments_are_found_once_and_outermost() -> None:
    root = intern(read_text(text(), "small.lud").root)
    assert [each.name for each in unread(root, "Cell")] == ["players", "equipment", "rules"]
    rules = root.args["rules"]
    assert [each.name for each in unread(root, "Cell")] == ["players", "equipment", "play", "end"]
    settle(rules)
    assert [each.name for each in unread(root, "Cell")] == ["players", "equipment"]


@pytest.mark.parametrize(
    ("play", "message"),
    [
        ("(move Add (to (sites Empty) (rotations N)))", "small.lud:5:43: the argument `(rotations N)` of `to`"),
        (
            "(move Add (to Edge (intersection (sites Empty) (sites Empty Edge))))",
            "small.lud:5:25: `to Edge` with sites of several kinds is not implemented yet",
        ),
        ("(move Add (to (intersection (sites Empty) (sites Empty Edge))))", None),
        ("(move Add (to (intersection (sites Empty Cell) (sites Board))))", None),
        ("(move Remove (sites Occupied by:Mover) at:EndOfTurn)", None),
        ("(forEach Site (sites Empty) (move Add (to (site)) (then (note (score Mover) to:All))))", None),
        ("(move Pass (then (set Hidden at:0 to:Next (then (moveAgain)))))", None),
    ],
)
def test_refusals_name_argument_and_place(play: str, message: str | None) -> None:
    description = read_text(text(play), "small.lud")
    if message is None:
        compile_description(description)
        return
    with pytest.raises(UnsupportedError) as error:
        compile_description(description)
    assert message in str(error.value)


@pytest.mark.parametrize(
    ("play", "moves"),
    [
        ("(move Add (to (sites Empty) if:(= 3 (count Orthogonal at:(to) who:Mover))))", 4),
        ('(move Add (to (sites Empty) if:(= 0 (count at:(to) what:(id "Disc" Mover)))))', 9),
        ("(move Add (to (sites Empty) if:(= 0 (count SizeBiggestGroup min:3))))", 9),
        ("(move Add (to (sites Empty) if:(not (is Loop (sites Board)))))", 9),
        ("(move Claim (to (sites Corners)) count:2 stack:True)", 4),
        ("(or (forEach Piece top:True) (move Add (to (sites Top))))", 3),
        ("(move Add (to (sites Top)) (then (set State at:(last To) level:0 1)))", 3),
        ("(move Add (to (sites Top) if:(= 0 (value Piece at:(to) level:1))))", 3),
    ],
)
def test_what_the_reference_ignores_has_no_effect(play: str, moves: int) -> None:
    game = Game(LudemicRules(read_text(text(play), "small.lud")), jit=False)
    assert len(game.start().moves()) == moves


def test_a_constraint_for_all_sites_of_another_kind() -> None:
    around = "(<= 1 (count Sites in:(sites Incident Cell of:Vertex at:(from))))"
    puzzle = f"""(game "Puzzle" (players 1)
        (equipment {{(board (square 2) (values Cell (range 0 1))) (hints {{(hint 0 1)}})}})
        (rules (play (satisfy {{(forAll Vertex {around})}})) (end (if (is Solved) (result P1 Win)))))"""
    game = Game(LudemicRules(read_text(puzzle, "small.lud")), jit=False)
    assert len(game.start().moves()) == 16


def test_what_no_rule_asks_for_may_stand_there() -> None:
    compile_description(read_text(text(items='(regions "Far" (sites Row 2)) (map "Far" {(pair 1 2)})'), "small.lud"))


def test_the_kind_that_is_played_on_may_be_named() -> None:
    compile_description(read_text(text("(move Add (to Cell (sites Empty Cell) if:(is Empty Cell (to))))"), "small.lud"))


def test_branches_that_are_never_taken_count_as_read() -> None:
    play = "(if (= 1 2) (move Add (to (sites Empty) (rotations N))) (move Add (to (sites Empty))))"
    compile_description(read_text(text(play), "small.lud"))


def test_every_argument_without_effect_has_a_reason() -> None:
    for key, declared in TRAITS.items():
        for name, reason in declared.get("ignores", {}).items():
            assert len(reason.split()) > 1, f"{key} {name}"


@pytest.mark.parametrize(
    ("play", "items", "message"),
    [
        ("(do (roll) next:(move Add (to (sites {9}))))", "", "places of dice are not implemented yet"),
        (
            '(do (roll) next:(move Add (to (sites "Dice"))))',
            '(regions "Dice" {3 9})',
            "places of dice are not implemented",
        ),
        ("(do (roll) next:(move Select (from 9)))", "", "site 9 holds a die"),
        (
            "(forEach Piece (move Step (union (directions FR of:Diagonal) (directions Rightward)) (to if:True)))",
            "",
            "directions of Adjacent and Diagonal neighbours together",
        ),
    ],
)
def test_parts_that_are_not_read_are_refused(play: str, items: str, message: str) -> None:
    with pytest.raises(UnsupportedError, match=message):
        compile_description(read_text(text(play, items=f"(dice d:6 num:1) {items}"), "small.lud"))


def test_one_meta_rule_twice_is_refused() -> None:
    twice = text().replace("(rules", "(rules (meta {(no Repeat) (no Repeat PositionalInTurn)})")
    with pytest.raises(UnsupportedError, match="the meta rule `no Repeat` twice"):
        compile_description(read_text(twice, "small.lud"))


def test_a_piece_that_no_hand_takes_is_refused() -> None:
    start = text(items="(hand P1)").replace("(rules", '(rules (start (place "Disc2" "Hand3"))')
    with pytest.raises(UnsupportedError, match="`Disc2` is not placed anywhere: no hand `Hand3` for it"):
        compile_description(read_text(start, "small.lud"))
