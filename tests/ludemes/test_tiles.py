"""Tiles with paths: they arrive turned, sides match, paths return and extend, and forced tiles are laid at once."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.errors import LudError, UnsupportedError

HERE = Path(__file__).parent
GAME = (HERE / "games" / "tiles.lud").read_text(encoding="utf-8").replace("(meta (automove))", "META")
GAME = GAME[: GAME.index("(end")] + "(end (if END (result Mover Win)))))\n"
"""The game of the family with another end, and with forced tiles where a test asks for them."""

STRAIGHT, BEND = 25, 26
"""Sites of the hand where the tiles lie that are copied."""


def load(folder: Path, end: str = "False", meta: str = "", text: str = GAME) -> lp.State:
    file = folder / "Ways.lud"
    file.write_text(text.replace("END", end).replace("META", meta), encoding="utf-8")
    return lp.load(file, jit=False).start()


def tiles(state: lp.State) -> dict[int, tuple[int, int]]:
    """The pieces of the board with their quarter turns."""
    what, rotation = (state.game.rules.fields[name] for name in ("WHAT", "ROTATION"))
    row = state.row
    return {s: (int(row[what + s]), int(row[rotation + s]) // 2) for s in range(25) if row[what + s]}


def lay(state: lp.State, tile: int, label: str, turns: int) -> lp.State | None:
    """The position after a tile was laid; None if it may not lie there like that."""
    site = "ABCDE".index(label[0]) + 5 * (int(label[1]) - 1)
    for move in state.moves():
        if move.text.split("#")[0] == f"{tile}-{site}":
            after = state.play(move)
            if tiles(after)[site] == (tile - STRAIGHT + 1, turns):
                return after
    return None


def laid(state: lp.State, *placed: tuple[int, str, int]) -> lp.State:
    for tile, label, turns in placed:
        after = lay(state, tile, label, turns)
        assert after is not None, (label, turns)
        state = after
    return state


def test_tiles_arrive_in_all_rotations(tmp_path: Path) -> None:
    state = load(tmp_path)
    assert len(state.moves()) == 25 * (2 + 4)
    # Labels count eighths of a turn; the recorded notation only counts.
    at = [(move.text, move.label) for move in state.moves() if move.text.startswith("26-12#")]
    assert at == [(f"26-12#{k}", f"Bend@C3/r{2 * k}") for k in range(4)]
    assert {turns for turns in range(4) if lay(state, BEND, "C3", turns)} == {0, 1, 2, 3}
    assert {turns for turns in range(4) if lay(state, STRAIGHT, "C3", turns)} == {0, 1}


def test_sides_must_match(tmp_path: Path) -> None:
    # Colour 1 leaves C3 to the north and to the south.
    state = laid(load(tmp_path), (STRAIGHT, "C3", 0))
    assert {turns for turns in range(4) if lay(state, STRAIGHT, "C4", turns)} == {0}
    # A bend joins north and east in colour 1; each turn goes clockwise.
    assert {turns for turns in range(4) if lay(state, BEND, "C4", turns)} == {1, 2}
    assert {turns for turns in range(4) if lay(state, BEND, "D3", turns)} == {0, 1}


RING = [(BEND, "B2", 0), (BEND, "B3", 1), (BEND, "C3", 2), (BEND, "C2", 3)]
"""Four tiles around whose common corner a path of colour 1 returns."""


@pytest.mark.parametrize(("colour", "over"), [("1", True), ("2", False)])
def test_a_path_returns(colour: str, over: bool, tmp_path: Path) -> None:
    state = laid(load(tmp_path, f"(is Loop {colour} path:True)"), *RING[:3])
    assert not state.over
    assert laid(state, RING[3]).over == over


def test_extent_is_counted_from_the_last_tile_to_the_site_beyond(tmp_path: Path) -> None:
    end = "(= 3 (pathExtent 1))"
    state = laid(load(tmp_path, end), (STRAIGHT, "B2", 0), (STRAIGHT, "B3", 0))
    assert not state.over
    # From B4 the path leads south to B1, three rows away.
    assert laid(state, (STRAIGHT, "B4", 0)).over
    # From the middle of three tiles it leads only two rows away.
    state = laid(load(tmp_path, end), (STRAIGHT, "B2", 0), (STRAIGHT, "B4", 0), (STRAIGHT, "B3", 0))
    assert not state.over
    # A site may be named from which the path is followed.
    state = load(tmp_path, "(= 3 (pathExtent 1 6))")
    assert laid(state, (STRAIGHT, "B2", 0), (STRAIGHT, "B4", 0), (STRAIGHT, "B3", 0)).over


CORNER = [(STRAIGHT, "C3", 0), (BEND, "D4", 3)]
"""Between these, the sites C4 and D3 have room for a single tile each."""


def test_forced_tiles_are_laid_at_once(tmp_path: Path) -> None:
    placed = laid(load(tmp_path), *CORNER)
    single = {s for s in range(25) if sum(m.text.split("#")[0].split("-")[1] == str(s) for m in placed.moves()) == 1}
    assert single == {13, 17}
    state = laid(load(tmp_path, meta="(meta (automove))"), *CORNER)
    assert tiles(state) == {12: (1, 0), 18: (2, 3), 13: (2, 1), 17: (2, 1)}
    assert state.mover == 1


def test_forced_tiles_count_for_the_end(tmp_path: Path) -> None:
    state = laid(load(tmp_path, "(is Loop 1 path:True)", "(meta (automove))"), *RING[:2])
    assert not state.over
    after = laid(state, RING[2])
    assert len(tiles(after)) == 4
    assert after.over


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("(board (square 5))", "(board (hex 3))", "rotations"),
        ("numSides:4 {(path from:0 to:1 colour:1)", "numSides:6 {(path from:0 to:1 colour:1)", "not square"),
        ("(path from:2 to:3 colour:2)", "(path from:2 to:3 colour:1)", "one colour"),
        ('(tile "Bend" numSides:4 {', '(tile "Bend" {F R F} numSides:4 {', "all pieces have paths"),
        ("copy:True)\n        ) if", "copy:True (then (moveAgain)))\n        ) if", "effects"),
        ("META", "(meta {(automove) (swap)})", "`automove` with `swap`"),
    ],
)
def test_what_was_never_compared_is_refused(old: str, new: str, named: str, tmp_path: Path) -> None:
    assert old in GAME
    with pytest.raises(UnsupportedError, match=named):
        load(tmp_path, text=GAME.replace(old, new))


@pytest.mark.parametrize(
    ("old", "new", "named"),
    [
        ("colour:2)}", "colour:2147483647)}", "colours of paths are numbered from 0 to 100, not 2,147,483,647"),
        ("colour:2)}", "colour:-5)}", "colours of paths are numbered from 0 to 100, not -5"),
        ("numSides:4 {", "numSides:4 slotsPerSide:2147483647 {", "1 to 100 slots, not 2,147,483,647"),
        ("numSides:4 {", "numSides:4 slotsPerSide:-3 {", "1 to 100 slots, not -3"),
        ("from:1 to:3", "from:1 to:900000000", "numbered from 0 to 3"),
    ],
)
def test_numbers_beyond_bounds(old: str, new: str, named: str, tmp_path: Path) -> None:
    assert old in GAME
    with pytest.raises(LudError, match=named):
        load(tmp_path, text=GAME.replace(old, new))


@pytest.mark.slow
@pytest.mark.parametrize(
    "number", ["27", "-7", "(+ 900000000 (last To))", "(- (last To) 30)", "(* (count Moves) 50000)"]
)
def test_numbers_that_are_no_sites_and_no_colours(number: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    asked = ["(is SidesMatch X)", "(is Loop X path:True)", "(is Loop 1 X path:True)"]
    asked += ["(< 3 (pathExtent X))", "(< 3 (pathExtent 1 X))"]
    state = load(tmp_path, f"(and {{{' '.join(asked)}}})".replace("X", number))
    for _ in range(12):
        state = state.play(state.moves()[-1])
