"""Boards of several layers: what may be taken, what falls, what can be seen, and shapes through the layers."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.boards import build_board
from ludoport.lud import read_text

GAME = """
(game "Layers"
    (players 2)
    (equipment {(board (square 3 pyramidal:True) use:Vertex) (piece "Ball" Each)})
    (rules
        META
        (play (or {
            (move Add (piece 1) (to (sites Empty) if:(is Flat)) (then (moveAgain)))
            (move Add (piece 2) (to (sites Empty) if:(is Flat)) (then (moveAgain)))
            (move Remove (sites Occupied by:All) (then (moveAgain)))
            (move (from (sites Occupied by:P1)) (to (sites Empty) if:(is Flat)) (then (moveAgain)))
        }))
        (end (if END (result Mover Win)))
    )
)
"""


def load(folder: Path, end: str = "False", meta: str = "") -> lp.State:
    file = folder / "Layers.lud"
    file.write_text(GAME.replace("END", end).replace("META", meta), encoding="utf-8")
    return lp.load(file, jit=False).start()


def put(state: lp.State, *sites: int, piece: int = 1) -> lp.State:
    for site in sites:
        texts = [move.text for move in state.moves()]
        both = f"{site}=Ball{piece}"
        state = state.play(both if both in texts else str(site))
    return state


DESCRIPTION = read_text(GAME.replace("END", "False").replace("META", ""))
SITES = build_board(next(node for node in DESCRIPTION.root.walk() if node.kind == "container")).default
TOP, *LEVEL = [site for site in range(SITES.n) if SITES.layer[site] == 1]
CORNERS = sorted(SITES.steps(TOP, "Downward"))
"""The sites of the lowest layer on which the first site of the second layer rests."""


def test_pieces_fall_and_are_pinned(tmp_path: Path) -> None:
    state = load(tmp_path, meta="(meta {(pin SupportMultiple) (gravity)})")
    state = put(state, *CORNERS, TOP)
    # One piece rests on each corner: each may be taken, and the upper piece drops into the gap.
    fallen = state.play(str(CORNERS[0]))
    assert set(fallen.pieces()) == set(CORNERS)
    second = next(s for s in LEVEL if len(set(SITES.steps(s, "Downward")) & set(CORNERS)) == 2)
    rest = [s for s in SITES.steps(second, "Downward") if s not in CORNERS]
    state = put(state, *rest, second)
    shared = set(SITES.steps(second, "Downward")) & set(CORNERS)
    taken = {move.text for move in state.moves() if move.text in {str(s) for s in (*CORNERS, *rest)}}
    assert taken.isdisjoint({str(s) for s in shared})
    assert {str(s) for s in rest} <= taken


def test_a_moved_piece_does_not_land_on_what_falls(tmp_path: Path) -> None:
    free = load(tmp_path)
    bound = load(tmp_path, meta="(meta (noStackOn Fallen))")
    moves = [{move.text for move in put(state, *CORNERS).moves()} for state in (free, bound)]
    assert {f"{site}-{TOP}" for site in CORNERS} & moves[0] == {f"{site}-{TOP}" for site in CORNERS}
    assert not {f"{site}-{TOP}" for site in CORNERS} & moves[1]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("end", "extra", "over"),
    [
        ("(= 4 (count SitesPlatformBelow at:(last To) who:P1))", "top", True),
        ("(is PyramidCorners from:(last To))", "top", True),
        ("(is PyramidCorners from:(last To))", "other", False),
        ("(= 3 (count SizeBiggestLine SameLayer))", "beside", True),
        ("(is Line 3 SameLayer whats:{1 2} throughHowMuch:2)", "other beside", True),
        ("(is Line 3 SameLayer whats:{1 2} throughHowMuch:2)", "beside", False),
    ],
)
def test_shapes(end: str, extra: str, over: bool, tmp_path: Path) -> None:
    state = load(tmp_path, end)
    state = put(state, *CORNERS)
    assert not state.over
    line = next(ray for ray, _ in SITES.lines(CORNERS[0], "E") if CORNERS[1] in ray)
    site = next(s for s in line if s not in CORNERS) if "beside" in extra else TOP
    state = put(state, site, piece=2 if "other" in extra else 1)
    assert state.over is over


def test_groups_that_can_be_seen(tmp_path: Path) -> None:
    base = [site for site in range(SITES.n) if SITES.layer[site] == 0]
    middle = next(site for site in base if len(SITES.steps(site, "Upward")) == 4)

    group = f"(size Array (array (sites Group at:{middle} if:(is In (to) (sites Layer 0)) isVisible:True)))"
    free = load(tmp_path, f"(and (= 9 (count Pieces All)) (= 9 {group}))")
    assert put(free, *base).over
    # Two pieces that rest on both of two sites hide where those touch: the middle one has no visible neighbour left.
    hidden = load(tmp_path, f"(and (= 13 (count Pieces All)) (= 1 {group}))")
    assert put(hidden, *base, TOP, *LEVEL).over
