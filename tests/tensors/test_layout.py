"""Layouts: which channels there are, and where sites lie."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.layout import LAYOUTS, tensor_layout
from tests.tensors import texts

SIX = {(1, 0), (0, 1), (1, 1), (-1, 0), (0, -1), (-1, -1)}

HEXAGONAL: dict[str, tuple[str, list[str], tuple[int, int]]] = {
    "rhombus": ("Hex", ["Board Size/11x11"], (11, 11)),
    "hexagon, lines lying": ("Breakthrough", ["Board Size/6x6", "Board/Hexagon"], (11, 11)),
    "hexagon, lines standing": ("Yavalath", ["Board Size/5x5"], (9, 9)),
    "half a hexagon": ("Pentalath", ["Board/HalfHexHexBoard"], (13, 7)),
    "chess": ("Mini Hexchess", [], (7, 7)),
}
"""Name, options and size of the grid."""


def load(name: str, options: list[str] | None = None) -> Game:
    return lp.load(name, options=options or [], jit=False)


@pytest.mark.slow
@pytest.mark.parametrize("key", HEXAGONAL)
def test_six_of_eight_cells_around_are_the_neighbours(key: str) -> None:
    """Two sites of a hexagonal board touch exactly if their displacement is one of six; never at (1, -1) or (-1, 1)."""
    name, options, size = HEXAGONAL[key]
    game = load(name, options)
    layout, sites = tensor_layout(game), game.rules.board.default  # type: ignore[attr-defined]
    assert layout.shape[1:] == size
    places = list(zip(layout.x.tolist(), layout.y.tolist(), strict=True))
    number = {place: site for site, place in enumerate(places)}
    assert len(number) == sites.n == layout.mask.sum()
    for site, (x, y) in enumerate(places):
        around = {number[x + dx, y + dy] for dx, dy in SIX if (x + dx, y + dy) in number}
        assert around == set(sites.orthogonal[site]) == set(sites.adjacent[site])


def test_cells_of_hex_lie_by_their_labels() -> None:
    game = load("Hex", ["Board Size/7x7"])
    layout, labels = tensor_layout(game), game.rules.board.default.label  # type: ignore[attr-defined]
    for site, label in enumerate(labels):
        assert (layout.x[site], layout.y[site]) == (ord(label[0]) - ord("A"), int(label[1:]) - 1)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options"),
    [("Chess", []), ("Gomoku", ["Board Size/9x9"]), ("Connect Four", ["Modelisation/2D"]), ("Short Assize", [])],
)
def test_rectangular_boards_are_the_same_in_all_layouts(name: str, options: list[str]) -> None:
    game = load(name, options)
    layouts = [tensor_layout(game, layout) for layout in LAYOUTS]
    for layout in layouts:
        assert layout.mask.all()
        assert layout.shape == layouts[0].shape
        assert layout.cells.tolist() == layouts[0].cells.tolist()


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Hex", "Minishogi", "Reversi", "Connect Four", "Havannah"])
def test_layouts_have_the_same_channels(name: str) -> None:
    game = load(name)
    layouts = [tensor_layout(game, layout) for layout in LAYOUTS]
    for layout in layouts:
        assert layout.state_channels == layouts[0].state_channels
        assert layout.move_channels == layouts[0].move_channels
        assert layout.names == layouts[0].names
        assert len(layout.names) == layout.shape[0]
        assert len(layout.move_names) == layout.move_shape[0]


@pytest.mark.slow
def test_meanings() -> None:
    layout = tensor_layout(load("Minishogi"))
    assert layout.state_channels[2] == StateChannel("piece", 1, "Fuhyo1")
    assert layout.state_channels[layout.first("count")] == StateChannel("count")
    assert layout.state_channels[layout.first("to-move") + 1] == StateChannel("to-move", 2)
    assert layout.state_channels[-1] == StateChannel("last-to", index=1)
    assert layout.first("swapped") == layout.first("state") == -1
    assert layout.move_channels[24] == MoveChannel("displacement", 0, 0)
    assert layout.move_channels[3 * 7 + 4] == MoveChannel("displacement", 0, 1)
    assert layout.move_channels[-2:] == (MoveChannel("pass"), MoveChannel("swap"))
    stacks = tensor_layout(load("Connect Four"))
    assert stacks.state_channels[13] == StateChannel("level-from-bottom", 2, "Disc2", 3)
    assert stacks.move_channels[5] == MoveChannel("displacement", 0, 0, 1, 2)


@pytest.mark.slow
def test_hands_are_packed() -> None:
    layout = tensor_layout(load("Shogi"))
    assert layout.shape[1:] == (11, 9)
    assert layout.x[81:].tolist() == [9] * 7 + [10] * 7
    assert layout.y[81:].tolist() == [0, 1, 2, 3, 4, 5, 6] * 2


def test_short_hands_share_a_line(tmp_path: Path) -> None:
    layout = tensor_layout(texts.load("short hands", tmp_path))
    assert layout.shape[1:] == (5, 4)
    assert (layout.x[16:].tolist(), layout.y[16:].tolist()) == ([4, 4], [0, 1])


def test_long_hands_are_broken(tmp_path: Path) -> None:
    game = texts.load("long hands", tmp_path)
    compact, intended = tensor_layout(game), tensor_layout(game, "paper")
    assert compact.shape[1:] == (3 + 4, 2)
    assert compact.x[6:].tolist() == [3, 3, 4, 4, 5, 5, 6, 6]
    # The board is three wide and two high, and a hand longer than both: it becomes a row.
    assert intended.shape[1:] == (4, 2 + 1 + 2)
    assert intended.y[6:].tolist() == [3] * 4 + [4] * 4


@pytest.mark.parametrize("name", ["cells and vertices", "layers", "edges", "short hands", "long hands"])
def test_no_two_sites_share_a_cell(name: str, tmp_path: Path) -> None:
    layout = tensor_layout(texts.load(name, tmp_path))
    assert not layout.shared_cells
    assert (layout.cells >= 0).all()


def test_layers_share_cells_in_the_reference(tmp_path: Path) -> None:
    assert tensor_layout(texts.load("layers", tmp_path), "paper").shared_cells


def test_games_without_tensors(tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="puzzles"):
        tensor_layout(texts.load("puzzle", tmp_path))
    with pytest.raises(LudoportError, match="one kind of site"):
        tensor_layout(texts.load("cells and vertices", tmp_path), "paper")
    with pytest.raises(LudoportError, match="unknown tensor layout `wide`; choose from compact, paper, ludii"):
        tensor_layout(load("Hex"), "wide")  # type: ignore[arg-type]

    class Propositions:
        """Rules of a language without boards."""

        name = "Nim"

    rules: Any = Propositions()
    with pytest.raises(LudoportError, match="Nim: its rules do not say how positions become tensors"):
        tensor_layout(Game(rules, jit=False))
