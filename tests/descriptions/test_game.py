"""Games as bags of tokens."""

from dataclasses import replace
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.descriptions.frame import HEXAGONAL, SQUARE
from ludoport.descriptions.game import GameDescription, describe
from ludoport.tensors.layout import tensor_layout

TEXT = """
(game "{name}" (players {{(player {one}) (player {two})}})
    (equipment {{
        (board {board}) (regions P1 {goal}) (regions P2 {home})
        (piece "{pawn}" Each {moves}) (piece "{rook}" Each (move Slide Orthogonal))
    }})
    (rules
        (start {{(place "{pawn}1" {home}) (place "{pawn}2" {goal})}})
        (play (forEach Piece))
        (end {end})))
"""
USUAL = {
    "name": "G", "one": "N", "two": "S", "board": "(square 4)", "goal": "(sites Top)", "home": "(sites Bottom)",
    "pawn": "Pawn", "rook": "Rook",
    "moves": "(or (move Step Forward (to if:(is Empty (to)))) (move Step Rightward (to)))",
    "end": "(if (is In (last To) (sites Mover)) (result Mover Win))",
}  # fmt: skip


def described(tmp_path: Path, **changes: str) -> GameDescription:
    file = tmp_path / "game.lud"
    file.write_text(TEXT.format(**{**USUAL, **changes}))
    return replace(describe(lp.load(file, jit=False)), game="")


def hexes(*options: str, game: str = "Hex") -> GameDescription:
    return describe(lp.load(game, options=["Board Size/4x4", *options], jit=False))


def test_names_do_not_matter(tmp_path: Path) -> None:
    assert described(tmp_path) == described(tmp_path, name="Other", pawn="Foo", rook="Bar")


def test_two_texts_of_the_same_game(tmp_path: Path) -> None:
    grouped = "(or {(move Step Rightward (to)) (move Step Forward (to if:(is Empty (to))))})"
    assert described(tmp_path) == described(tmp_path, moves=grouped, board="(rectangle 4 4)")


@pytest.mark.slow
def test_rules_that_differ_are_told_apart(tmp_path: Path) -> None:
    usual = described(tmp_path)
    lost = described(tmp_path, end="(if (is In (last To) (sites Mover)) (result Mover Loss))")
    assert usual.views == lost.views
    assert set(lost.rules.tokens) - set(usual.rules.tokens) >= {"end boolean:is In => Mover Loss"}
    taking = described(tmp_path, moves="(move Step Forward (to (apply (remove (to)))))")
    assert taking.views != usual.views


def test_a_turned_board_differs_in_its_directions_only(tmp_path: Path) -> None:
    usual = described(tmp_path)
    turned = described(tmp_path, one="E", two="W", goal="(sites Right)", home="(sites Left)")
    tokens = {token.split(" ")[1] for token in usual.state_tokens ^ turned.state_tokens}
    assert tokens == {"faces", "region"}
    for view in (0, 1):
        assert usual.views[view][0] == turned.views[view][0]


def test_each_player_sees_the_own_pieces_in_the_same_way(tmp_path: Path) -> None:
    first, second = described(tmp_path).views
    pawn1, pawn2, rook1, rook2 = range(4)
    assert first[pawn1] == second[pawn2]
    assert first[pawn2] == second[pawn1]
    assert first[rook1] == second[rook2] != first[pawn1]
    own = {token for token, _ in first[pawn1].weights if token.startswith("own")}
    assert "own moves:step Forward" in own


def test_lengths_of_lines_share_tokens() -> None:
    three, five = (describe(lp.load("Broken Line", options=[f"Line Size/{n}"], jit=False)) for n in (3, 5))
    more = {token for token in set(five.rules.tokens) - set(three.rules.tokens) if "=>" not in token}
    assert more == {"end boolean:is Line length>=4", "end boolean:is Line length>=5"}
    assert not set(three.rules.tokens) - set(five.rules.tokens)


def test_neighbourhoods() -> None:
    assert hexes().taps == HEXAGONAL
    assert describe(lp.load("Tic-Tac-Toe", jit=False)).taps == SQUARE
    assert describe(lp.load("Breakthrough", options=["Board/Hexagon"], jit=False)).taps == HEXAGONAL


def test_sides_of_hex() -> None:
    first, second = hexes().views
    mine = {token for token in first[hexes().turns[0]].tokens if "region" in token}
    theirs = {token for token in second[hexes().turns[1]].tokens if "region" in token}
    assert mine == {"own region +0", "own region -0", "enemy region 0+", "enemy region 0-"}
    assert theirs == {"own region 0+", "own region 0-", "enemy region +0", "enemy region -0"}


@pytest.mark.slow
def test_chess_of_two_languages() -> None:
    text, native = (describe(lp.load(name, jit=False)) for name in ("Chess", "Chess 8x8"))
    assert text.rules == native.rules
    pieces = [{bag for bag in game.views[0] if "piece" in bag.tokens} for game in (text, native)]
    assert pieces[0] == pieces[1]
    assert len(pieces[0]) == 12
    promotions = [bag for bag in native.moves if "promotion" in bag.tokens]
    assert len(set(promotions)) == 3  # to knight, bishop and rook


def test_facts_of_rulesheets_belong_to_roles() -> None:
    game = describe(lp.load("tic-tac-toe.kif", jit=False))
    tokens = [{token for token in bag.tokens if token in ("own piece", "enemy piece")} for bag in game.views[0]]
    assert {"own piece"} in tokens
    assert {"enemy piece"} in tokens
    assert any("own fact" in bag.tokens for bag in game.views[0])


SHEET = """
(role left) (role right) (init (control left))
(init (cell 1 1 blank)) (init (cell 1 2 blank)) (init (cell 2 1 blank)) (init (cell 2 2 blank))
(next-in-turn left right) (next-in-turn right left)
(<= (legal ?p (mark ?x ?y)) (true (control ?p)) (true (cell ?x ?y blank)))
(<= (legal ?p noop) (role ?p) (not (true (control ?p))))
(<= (next (cell ?x ?y cross)) (does left (mark ?x ?y)))
(<= (next (cell ?x ?y nought)) (does right (mark ?x ?y)))
(<= (next (cell ?x ?y ?m)) (true (cell ?x ?y ?m)) (distinct ?m blank))
(<= (next (cell ?x ?y blank)) (true (cell ?x ?y blank)) (not (touched ?x ?y)))
(<= (touched ?x ?y) (does ?p (mark ?x ?y)))
(<= (next (control ?q)) (true (control ?p)) (next-in-turn ?p ?q))
(<= open (true (cell ?x ?y blank)))
(<= terminal (not open))
(goal left 50) (goal right 50)
"""


def test_owners_of_facts_that_name_no_role(tmp_path: Path) -> None:
    file = tmp_path / "marks.kif"
    file.write_text(SHEET)
    game = lp.load(file, jit=False)
    layout, told = tensor_layout(game), describe(game)
    owners = {
        channel.piece: [token.split()[0] for token in bag.tokens if token.endswith(" fact on board")]
        for channel, bag in zip(layout.state_channels, told.views[0], strict=True)
        if channel.kind == "fact"
    }
    assert owners["(cell . . cross)"] == ["own"]
    assert owners["(cell . . nought)"] == ["enemy"]
    assert owners["(cell . . blank)"] == ["neutral"]


def test_only_two_players() -> None:
    with pytest.raises(lp.LudoportError, match="two players"):
        describe(lp.load("three-in-a-row-for-three.kif", jit=False))
