"""Tiles that cover several cells, beside a plain count of the places where they fit."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.errors import LudoportError
from ludoport.game import State

HOOKS = Path("tests/ludemes/games/large_pieces.lud")
WIDTH = 4
WALKS = ("FFRF", "FFLF")
AHEAD = ((1, 0), (0, 1), (-1, 0), (0, -1))
"""Steps to the north, east, south and west, as rows and columns."""

TILES = """
(game "Tiles" (players 2)
    (equipment { (board (square 3)) (tile "Bar" Each {F}) (tile "Corner" Each {F R F}) (hand Each) })
    (rules (start (place "Corner" "Hand" count:2)) (play PLAY) (end (if (no Moves Next) (result Mover Win)))))
"""


def cells(site: int, state: int, width: int = WIDTH, walks: tuple[str, ...] = WALKS) -> tuple[int, ...]:
    """The cells of a tile on a square board; none off the board."""
    row, column = divmod(site, width)
    way, found = state % 4, [site]
    for step in walks[state // 4]:
        way = (way + {"F": 0, "R": 1, "L": -1}[step]) % 4
        if step == "F":
            row, column = row + AHEAD[way][0], column + AHEAD[way][1]
            if not (0 <= row < width and 0 <= column < width):
                return ()
            found.append(row * width + column)
    return tuple(found)


def lies(state: State) -> dict[str, tuple[int, int]]:
    """Site and local state of each hook."""
    found = {}
    for site, text in state.pieces().items():
        name, _, turn = str(text).partition("/s")
        if name.startswith("Hook"):
            found[name] = (site, int(turn or 0))
    return found


def expected(state: State) -> int:
    """The number of ways to move the hook of the mover."""
    hooks = lies(state)
    own = hooks.pop(f"Hook{state.mover}")
    taken = {site for site in state.pieces() if site < WIDTH * WIDTH} - {own[0]}
    for other in hooks.values():
        taken |= set(cells(*other))
    ways = [(site, turn) for site in range(WIDTH * WIDTH) for turn in range(8)]
    # The first cell of the piece is no destination, the others are.
    return sum(
        bool(found := cells(*way)) and not taken & set(found) and way != own and way[0] != own[0] for way in ways
    )


@pytest.mark.parametrize("seed", range(5))
def test_hooks_move_wherever_they_fit(seed: int) -> None:
    rng = random.Random(seed)
    state = lp.load(HOOKS, jit=False).start()
    while not state.over:
        if state.ply % 2 == 0:
            assert len(state.moves()) == expected(state) > 0
        state = state.play(rng.choice(state.moves()))


@pytest.mark.parametrize(
    ("play", "count"),
    [
        ('(move Add (piece (id "Bar" Mover)) (to (sites Empty)))', 24),
        ('(move Add (piece (id "Bar" Mover) state:1) (to (sites Empty)))', 6),
        ('(move Add (piece "Corner1") (to 4))', 4),
        ("(move (from (handSite Mover)) (to (sites Empty)))", 16),
        ("(move (from (handSite Mover)) (to (union (sites Corners) (sites Row 0))))", 1),
    ],
)
def test_tiles_arrive_in_every_direction(play: str, count: int, tmp_path: Path) -> None:
    (tmp_path / "tiles.lud").write_text(TILES.replace("PLAY", play))
    assert len(lp.load(tmp_path / "tiles.lud", jit=False).start().moves()) == count


def test_covered_cells_become_free_again(tmp_path: Path) -> None:
    play = '(or (move Remove (sites Occupied by:Next)) (move Add (piece (id "Corner" Mover)) (to (sites Empty))))'
    (tmp_path / "tiles.lud").write_text(TILES.replace("PLAY", play))
    state = lp.load(tmp_path / "tiles.lud", jit=False).start()
    ways = len(state.moves())
    laid = state.play(state.moves()[1])
    (site,) = laid.pieces().keys() - state.pieces().keys()
    assert len(laid.moves()) < ways
    removed = laid.play(laid.find(str(site)))
    assert len(removed.moves()) == ways


@pytest.mark.slow
def test_machine_code_agrees() -> None:
    check_game(lp.load(HOOKS))


def test_needs_cells(tmp_path: Path) -> None:
    text = TILES.replace("(square 3)", "(square 3) use:Vertex").replace("PLAY", "(move (from (handSite Mover)) (to 0))")
    (tmp_path / "tiles.lud").write_text(text)
    with pytest.raises(LudoportError, match="tiles larger than a site are not implemented yet"):
        lp.load(tmp_path / "tiles.lud", jit=False).start()
