"""Geometry of boards in all languages, and pictures of positions."""

from xml.etree import ElementTree

import pytest

import ludoport as lp
from ludoport.game import State
from ludoport.kernels.geometry import Figure

SVG = "{http://www.w3.org/2000/svg}"


def start(name: str, *options: str) -> State:
    return lp.load(name, list(options), jit=False).start()


def shapes(state: State, tag: str) -> list[ElementTree.Element]:
    return list(ElementTree.fromstring(state.svg()).iter(SVG + tag))


def texts(state: State) -> list[str]:
    return [element.text or "" for element in shapes(state, "text")]


def used(state: State) -> set[str]:
    return {use.get("href", "").removeprefix("#piece-") for use in shapes(state, "use")}


@pytest.mark.slow
def test_geometry_in_three_languages() -> None:
    squares = start("Chess 8x8").game.rules.geometry.sites
    assert [(site.label, site.column, site.row) for site in squares[:2]] == [("a1", "a", "1"), ("b1", "b", "1")]
    assert all(len(site.outline) == 4 for site in squares)
    hexagons = start("Hex", "Board Size/3x3").game.rules.geometry.sites
    assert [site.owners for site in hexagons] == [(1, 2), (1,), (2,), (1, 2), (), (1, 2), (2,), (1,), (1, 2)]
    assert all(len(site.outline) == 6 for site in hexagons)
    points = start("Go", "Board Size/9x9").game.rules.geometry
    assert (len(points.sites), len(points.edges), points.sites[0].outline) == (81, 144, ())
    cells = start("tic-tac-toe.kif").game.rules.geometry.sites
    assert [site.label for site in cells] == [f"{x} {y}" for x in "123" for y in "123"]
    assert start("rock-paper-scissors.kif").game.rules.geometry.sites == ()


@pytest.mark.slow
def test_hands_follow_the_board() -> None:
    geometry = start("Minishogi").game.rules.geometry
    assert [(hand.owner, hand.sites[0], len(hand.sites)) for hand in geometry.hands] == [(1, 25, 5), (2, 30, 5)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "move", "labels"),
    [
        ("Chess", "E2-E4", ["E2", "E4"]),
        ("Chess 8x8", "e2e4", ["e2", "e4"]),
        ("Tic-Tac-Toe", "B2", ["B2"]),
        ("tic-tac-toe.kif", "claim 2 3", ["2 3"]),
        ("breakthrough.kif", "go 1 2 1 3", ["1 2", "1 3"]),
    ],
)
def test_sites_of_a_move(name: str, move: str, labels: list[str]) -> None:
    state = start(name)
    rules = state.game.rules
    sites = rules.move_sites(state.row, state.find(move).row).ends
    assert [rules.geometry.sites[site].label for site in sites] == labels
    marked = [e for tag in ("polygon", "circle") for e in shapes(state.play(move), tag) if e.get("class") == "marked"]
    assert len(marked) == len(labels)


@pytest.mark.slow
def test_figures() -> None:
    assert start("Chess").game.rules.figures(start("Chess").row)[4] == [Figure("King", 1, state=1)]
    plus = start("gardner-chessplus").play("b1c3").play("a4a3")
    merged = next(move for move in plus.moves() if "&" in move.text)
    assert max(map(len, plus.game.rules.figures(plus.play(merged).row).values())) == 2
    sheet = start("tic-tac-toe.kif").play("claim 2 2")
    assert [figure.owner for figure in sheet.game.rules.figures(sheet.row)[4]] == [1]
    reversi = start("Reversi")
    assert used(reversi) == {"disc"}
    assert {figure[0].owner for figure in reversi.game.rules.figures(reversi.row).values()} == {1, 2}


def test_labels_stand_beside_the_board() -> None:
    state = start("Tic-Tac-Toe")
    assert sorted(texts(state)) == ["1", "2", "3", "A", "B", "C"]
    assert sorted(texts(start("Hex", "Board Size/3x3"))) == ["1", "2", "3", "A", "B", "C"]
    assert len(texts(start("Yavalath"))) == 18


@pytest.mark.slow
def test_pieces_can_be_told_apart() -> None:
    assert used(start("Chess 8x8")) == {"king", "queen", "rook", "bishop", "knight", "pawn"}
    kinds = ("king", "rook", "bishop", "gold", "silver", "pawn")
    assert used(start("Minishogi")) == {f"shogi-{kind}" for kind in kinds}
    assert {"T", "J"} <= set(texts(start("HeXentafl")))


def test_sides_have_the_colours_of_their_players() -> None:
    colours = [line.get("stroke") for line in shapes(start("Hex", "Board Size/3x3"), "line")]
    # Each player has two sides; the sharp corners have an edge that is as near to both.
    assert colours.count("#ffffff") + colours.count("#262626") == 22
    assert min(colours.count("#ffffff"), colours.count("#262626")) == 10


def test_counts_and_stacks() -> None:
    stacked = start("Connect Four")
    for move in ("A1", "A1", "A1"):
        stacked = stacked.play(move)
    assert len(shapes(stacked, "use")) == 3


def test_a_game_without_board_shows_its_facts() -> None:
    state = start("rock-paper-scissors.kif")
    assert texts(state) == state.picture().splitlines()


def test_notebooks_show_the_picture() -> None:
    state = start("Hex", "Board Size/3x3").play("B2")
    assert state._repr_svg_() == state.svg()
    assert "<title>Hex 3x3, ply 1, Black to move</title>" in state.svg()
