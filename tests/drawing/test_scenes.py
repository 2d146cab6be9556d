"""Boards, positions and moves as plain data, in all three languages."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

import ludoport as lp
from ludoport.drawing.colours import NAMED, brightness, player_fills
from ludoport.drawing.glyphs import SYMBOLS, Glyph, glyph_of, kind_letters
from ludoport.drawing.scenes import board_scene, move_scene, moves_scene, position_scene, spoken
from ludoport.drawing.symbols import MOST_SEEDS, symbol_names, symbol_sheet
from ludoport.game import Game, State
from ludoport.kernels.geometry import Figure


def game(name: str, *options: str) -> Game:
    return lp.load(name, list(options), jit=False)


def own(text: str, tmp_path: Path) -> Game:
    path = tmp_path / "own.lud"
    path.write_text(text)
    return lp.load(path, jit=False)


def after(name: str, *moves: str) -> State:
    state = game(name).start()
    for move in moves:
        state = state.play(move)
    return state


def move(state: State, label: str) -> dict[str, Any]:
    found = next(entry for entry in moves_scene(state) if entry["label"] == label)
    return {key: found[key] for key in ("kind", "from", "to", "between", "name")}


@pytest.mark.parametrize("name", ["Tic-Tac-Toe", "Chess 8x8", "tic-tac-toe.kif", "rock-paper-scissors.kif", "Yavalath"])
def test_scenes_are_plain_data(name: str) -> None:
    loaded = game(name)
    state = loaded.start()
    board, position, moves = board_scene(loaded), position_scene(state), moves_scene(state)
    assert json.loads(json.dumps([position, moves])) == [position, moves]
    numbers = [site["site"] for site in json.loads(json.dumps(board))["sites"]]
    assert len(set(numbers)) == len(numbers)
    assert {piece["site"] for piece in position["pieces"]} <= set(numbers)
    assert [entry["text"] for entry in moves] == [move.text for move in state.moves()]
    for entry in moves:
        assert {entry["from"], entry["to"], *entry["between"]} <= {None, *numbers}
    # A game without a board shows lines instead.
    assert bool(position["facts"]) == (not numbers)


def test_a_board_has_bounds_sides_and_colours() -> None:
    scene = board_scene(game("Hex", "Board Size/3x3"))
    left, bottom, right, top = scene["bounds"]
    assert all(left < x < right and bottom < y < top for site in scene["sites"] for x, y in site["outline"])
    assert {side["owner"] for side in scene["sides"]} == {1, 2}
    assert {label["text"] for label in scene["labels"]} == {"A", "B", "C", "1", "2", "3"}
    assert [player["name"] for player in scene["players"]] == ["White", "Black"]


def test_moves_of_chess() -> None:
    castle = lp.load("Chess 8x8", jit=False).rules.with_fen("r3k2r/8/8/8/8/8/P7/R3K2R w KQkq - 0 1")  # type: ignore[attr-defined]
    white = Game(castle, jit=False).start()
    assert move(white, "e1g1") == {"kind": "move", "from": 4, "to": 6, "between": [7], "name": "King"}
    passant = after("Chess 8x8", "e2e4", "a7a6", "e4e5", "d7d5")
    assert move(passant, "e5d6")["between"] == [35]


def test_a_promotion_shows_the_new_piece() -> None:
    rules = lp.load("Chess 8x8", jit=False).rules.with_fen("k7/4P3/8/8/8/8/8/K7 w - - 0 1")  # type: ignore[attr-defined]
    entry = next(e for e in moves_scene(Game(rules, jit=False).start()) if e["label"] == "e7e8n")
    assert (entry["kind"], entry["glyph"], entry["owner"]) == ("promote", "knight", 1)


def test_moves_of_rulesheets() -> None:
    state = game("tic-tac-toe.kif").start()
    assert move(state, "claim 2 3") == {"kind": "place", "from": None, "to": 5, "between": [], "name": ""}
    runner = game("breakthrough.kif").start()
    assert move(runner, "go 1 2 1 3")["from"] == 1
    assert {entry["kind"] for entry in moves_scene(game("rock-paper-scissors.kif").start())} == {"other"}


def test_moves_of_ludemic_games() -> None:
    hexes = game("Hex", "Board Size/3x3").start().play("B2")
    swap = move(hexes, "swap")
    assert swap == {"kind": "swap", "from": None, "to": None, "between": [], "name": None}
    line = game("Tic-Tac-Toe").start()
    entry = moves_scene(line)[4]
    assert (entry["kind"], entry["to"], entry["owner"]) == ("place", 4, 1)
    last = position_scene(line.play("B2"))["last"]
    assert (last["text"], last["to"]) == ("4", 4)


HAND = """(game "Hand" (players 2)
    (equipment {(board (square 3)) (hand Each) (piece "Fuhyo" Each)})
    (rules (start {(place "Fuhyo1" "Hand1" count:4) (place "Fuhyo2" "Hand2" count:4)})
        (play (move (from (handSite Mover)) (to (sites Empty)) count:1))
        (end (if (is Line 3) (result Mover Win)))))"""


def test_hands_have_places_beside_the_board(tmp_path: Path) -> None:
    loaded = own(HAND, tmp_path)
    hands = {site["owner"]: site for site in board_scene(loaded)["sites"] if site["kind"] == "hand"}
    board = board_scene(loaded)["board"]
    assert hands[1]["y"] < board[1]
    assert hands[2]["y"] > board[3]
    state = loaded.start()
    assert position_scene(state)["badges"] == {"9": "4", "10": "4"}
    drop = moves_scene(state)[0]
    assert (drop["from"], drop["to"], drop["name"], drop["glyph"]) == (9, 0, "Fuhyo", "shogi-pawn")
    assert [piece["turned"] for piece in position_scene(state)["pieces"]] == [0, 180]


EDGES = """(game "Edges" (players 2)
    (equipment {(board (square 2) use:Edge) (piece "Marker" Each)})
    (rules (play (move Add (to (sites Empty Edge)))) (end (if (no Moves Next) (result Mover Win)))))"""


def test_edges_have_ends_and_can_be_clicked(tmp_path: Path) -> None:
    loaded = own(EDGES, tmp_path)
    scene = board_scene(loaded)
    assert {site["kind"] for site in scene["sites"]} == {"edge"}
    assert scene["dashed"]
    assert all(len(site["outline"]) == 4 and len(site["ends"]) == 2 for site in scene["sites"])
    played = loaded.start().play(loaded.start().moves()[0])
    lines = ElementTree.fromstring(played.svg()).iter("{http://www.w3.org/2000/svg}line")
    assert len([line for line in lines if line.get("stroke-width") == "7"]) == 1


SEEDS = """(game "Seeds" (players 2)
    (equipment {(mancalaBoard 2 3 (track "Track" "0,E,N,W" loop:True)) (piece "Seed" Shared)})
    (rules (start (set Count 3 to:(sites Track)))
        (play (move Select (from (sites Occupied by:Shared) if:(> (count at:(from)) 1))))
        (end (if (no Moves Next) (result Mover Win)))))"""


def test_seeds_lie_in_pits(tmp_path: Path) -> None:
    loaded = own(SEEDS, tmp_path)
    assert board_scene(loaded)["pits"]
    pieces = position_scene(loaded.start())["pieces"]
    assert {(piece["glyph"], piece["count"]) for piece in pieces} == {("seeds-3", 3)}


def test_letters_and_symbols() -> None:
    assert set(SYMBOLS.values()) <= set(symbol_names())
    assert glyph_of(Figure("Seed", 0, 99), {}) == Glyph(f"seeds-{MOST_SEEDS}")
    assert glyph_of(Figure("King_noCross", 1), {}).symbol == "king"
    assert kind_letters([(1, "Tiger"), (2, "Goat"), (2, "Gnu"), (2, "Marker")]) == {
        "Gnu": "G",
        "Goat": "O",
        "Tiger": "T",
    }
    # Two kinds of one owner with the same symbol need letters; kinds of two owners do not.
    assert kind_letters([(1, "Marker"), (1, "Ball")]) == {"Ball": "B", "Marker": "M"}
    assert kind_letters([(1, "Marker"), (2, "Ball")]) == {}


def test_letters_stay_the_same_during_a_game() -> None:
    state = game("HeXentafl").start()
    texts = {piece["name"]: piece["text"] for piece in position_scene(state)["pieces"]}
    assert texts == {"Thrall": "T", "Jarl": "J"}
    assert all(move_scene(state, move)["letters"] in ("T", "J", "") for move in state.moves())


def test_the_sheet_of_symbols_is_xml() -> None:
    found = ElementTree.fromstring(symbol_sheet())
    assert len(found) == len(symbol_names())


@pytest.mark.parametrize("names", [("White", "Black"), ("Red", "Blue"), ("Yellow", "Red"), ("north", "south")])
def test_players_differ_in_brightness(names: tuple[str, str]) -> None:
    first, second = (brightness(fill) for fill in player_fills(names))
    assert (max(first, second) + 0.05) / (min(first, second) + 0.05) >= 2


def test_players_as_people_write_them(tmp_path: Path) -> None:
    assert [spoken(name) for name in ("DarkGreen", "white", "X player", "Blue")] == [
        "Dark green",
        "White",
        "X player",
        "Blue",
    ]
    assert player_fills(["DarkGreen", "nobody"])[0] == NAMED["darkgreen"]


def test_kinds_that_differ_by_a_number_show_it() -> None:
    assert kind_letters([(0, "Tile2"), (0, "Tile16"), (0, "Fox")]) == {"Fox": "F", "Tile16": "16", "Tile2": "2"}
    assert kind_letters([(0, "12")]) == {"12": "12"}


@pytest.mark.slow
def test_piles_of_a_row_stand_upright() -> None:
    state = after("Connect Four", "A1", "A1", "B1")
    scene = board_scene(state.game)
    assert scene["rack"] == 6
    for site in scene["sites"]:
        ys = [y for _, y in site["outline"]]
        assert max(ys) - min(ys) == pytest.approx(6 * scene["tile"])
    placed = [(piece["site"], piece["level"], piece["up"]) for piece in position_scene(state)["pieces"]]
    assert placed == [(0, 0, 0.0), (0, 1, 1.0), (1, 0, 0.0)]
    assert position_scene(state)["badges"] == {}
    assert board_scene(game("Connect Four", "Modelisation/2D"))["rack"] == 0
    assert board_scene(game("Chess"))["rack"] == 0


def test_the_mover_sees_the_dice() -> None:
    """Each seed is another roll; what is shown is what the moves use."""
    loaded = lp.load(Path(__file__).parents[1] / "ludemes" / "games" / "dice.lud", jit=False)
    seen = set()
    for seed in range(8):
        dice = position_scene(loaded.start(seed))["dice"]
        assert not any(die["used"] for die in dice)
        seen.add(tuple(die["value"] for die in dice))
    assert len(seen) > 2


def test_played_dice_are_marked() -> None:
    loaded = lp.load(Path(__file__).parents[1] / "ludemes" / "games" / "dice.lud", jit=False)
    for seed in range(20):
        state = loaded.start(seed)
        before = position_scene(state)["dice"]
        state = state.play(state.moves()[0])
        if not state.over and state.mover == 1:
            break
    later = position_scene(state)["dice"]
    assert [die["value"] for die in later] == [die["value"] for die in before]
    assert any(die["used"] for die in later)


def test_a_puzzle_names_and_shows_what_is_written(tmp_path: Path) -> None:
    text = """(game "Latin" (players 1)
        (equipment {(board (square 2) (values Cell (range 1 2))) (regions {Columns Rows})})
        (rules (start (set {{0 1}})) (play (satisfy (all Different))) (end (if (is Solved) (result P1 Win)))))"""
    state = own(text, tmp_path).start()
    found = {entry["label"]: entry["name"] for entry in moves_scene(state) if entry["to"] == 1}
    assert found["B1=2"] == "2"
    assert {label for label, name in found.items() if name is None} == {"B1~1", "B1~2"}
    shown = {piece["site"]: piece["text"] for piece in position_scene(state.play("B1=2"))["pieces"]}
    assert shown == {0: "1", 1: "2"}
