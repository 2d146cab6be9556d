"""Legal moves are never cut off: lists are long enough, or the caller gets an error."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.game import seeded
from ludoport.kernels.room import GIVEN_UP, MARK
from ludoport.ludemes import compile as compiling

ANYWHERE = """(game "Anywhere"
    (players 2)
    (equipment {{ (board (square {size})) (piece "Disc" Each) }})
    (rules
        (start {{
            (place "Disc1" (expand (sites Bottom) steps:{rows})) (place "Disc2" (expand (sites Top) steps:{rows}))
        }})
        (play {play})
        (end (if (>= (count Moves) 4) (result Mover Draw)))
    )
)"""
FROM_TO = "(move (from (sites Occupied by:Mover)) (to (sites Empty)))"


def load(folder: Path, size: int, rows: int, play: str = FROM_TO, jit: bool = False) -> lp.Game:
    path = folder / "anywhere.lud"
    path.write_text(ANYWHERE.format(size=size, rows=rows, play=play))
    return lp.load(path, jit=jit)


@pytest.mark.slow
def test_twenty_thousand_moves_are_listed(tmp_path: Path) -> None:
    game = load(tmp_path, 20, 4)
    state = game.start()
    assert len(state.pieces()) == 200
    assert len(state.moves()) == 20_000 == state.perft(1)
    assert len({str(move) for move in state.moves()}) == 20_000


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> None:
    """Lists that have room for 300 moves at most."""
    monkeypatch.setattr(compiling, "_MOST_MOVES", 300)


def test_a_list_that_is_full_is_an_error(tmp_path: Path, short: None) -> None:
    game = load(tmp_path, 8, 1)
    assert game.rules.max_moves == 300
    state = game.start()
    with pytest.raises(lp.LudoportError, match="Anywhere: a position has more than 300 legal moves"):
        state.moves()
    with pytest.raises(lp.LudoportError, match="more than 300 legal moves"):
        state.perft(1)
    # A random move is drawn without a list, and so lacks nothing.
    assert game.playouts(count=3).moves == 12


def test_an_error_spoils_nothing(tmp_path: Path, short: None) -> None:
    # After two moves of the first player's pieces only few sites are left to go to.
    play = "(if (< (count Moves) 1) (move (from (sites Occupied by:Mover)) (to (sites Row 0))) " + FROM_TO + ")"
    game = load(tmp_path, 8, 1, play)
    state = game.start()
    good = state.moves()
    with pytest.raises(lp.LudoportError):
        state.play(good[0]).moves()
    assert game.start().moves() == good


def test_searches_report_a_full_list(tmp_path: Path, short: None) -> None:
    play = "(if (< (count Moves) 1) (move (from (sites Occupied by:Mover)) (to (sites Row 0))) " + FROM_TO + ")"
    state = load(tmp_path, 8, 1, play).start()
    with pytest.raises(lp.LudoportError, match="more than 300 legal moves"):
        lp.search(state, "uct:300")


@pytest.mark.slow
def test_a_list_with_room_needs_no_mark(tmp_path: Path) -> None:
    assert "FULL" not in load(tmp_path, 3, 0).rules.source
    assert "FULL" in lp.load("Chess").rules.source


BUFFERED = """(game "Buffered"
    (players 2)
    (equipment { (board (square 6)) (piece "Disc" Each) })
    (rules
        (play (move Add (to (sites Empty)) (then
            (forEach Site (sites Board) (forEach Site (sites Empty) (add (piece "Disc1") (to (site)))))
        )))
        (end (if (no Moves Next) (result Mover Win)))
    )
)"""


def test_effects_without_room_are_an_error(tmp_path: Path) -> None:
    path = tmp_path / "buffered.lud"
    path.write_text(BUFFERED)
    game = lp.load(path, jit=False)
    assert "BUFFER" in game.rules.source
    state = game.start()
    with pytest.raises(lp.LudoportError, match="a move has more effects"):
        state.play(state.moves()[0])


ENDLESS = """(game "Endless"
    (players 2)
    (equipment {{ (board (square 2){large}) (piece "Disc" Each) }})
    (rules {play} (end (if (no Moves Next) (result Mover Win))))
)"""

TOWER = "(play (move Add (piece (mover)) (to (sites {0})) stack:True))"
LIST = "(play (move Add (to (sites Empty)) (then (and (remember Value (count Moves)) (remove (last To))))))"


@pytest.mark.parametrize(("play", "plies"), [(TOWER, 32), (LIST, 24)], ids=["stack", "remembered"])
def test_what_a_row_cannot_keep_is_an_error(tmp_path: Path, play: str, plies: int) -> None:
    path = tmp_path / "endless.lud"
    path.write_text(ENDLESS.format(play=play, large=""))
    state = lp.load(path, jit=False).start()
    for _ in range(plies):
        state = state.play(state.moves()[0])
    with pytest.raises(lp.LudoportError, match="higher stacks or longer lists"):
        state.play(state.moves()[0])


EVER = "(forEach Value min:0 max:2147483647 {})"
LOOPS = {
    "values": EVER.format("(set State at:(value) 3)"),
    "values of values": EVER.format(EVER.format("(set State at:(value) 3)")),
    "values of a position": "(forEach Value min:0 max:(* 2000000000 (+ 1 (count Moves))) (set State at:(value) 3))",
    "seeds": "(sow 0 count:2147483647)",
    "seeds in a hole": "(sow 0 count:2147483647 numPerHole:2147483647)",
}
LONG = """(game "Long"
    (players 2)
    (equipment {{ (board (square 3) (track "T" "0,E,N,W" loop:True)) (piece "Disc" Each) }})
    (rules (play (move Add (to (sites Empty)) (then {effect}))) (end (if (is Line 3) (result Mover Win))))
)"""


@pytest.mark.slow
@pytest.mark.parametrize("effect", LOOPS.values(), ids=LOOPS)
def test_loops_that_a_text_makes_too_long_are_an_error(
    tmp_path: Path, effect: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("ludoport.kernels.turns.MOST", 4)
    monkeypatch.setattr("ludoport.kernels.turns.LAP", 1)
    path = tmp_path / "long.lud"
    path.write_text(LONG.format(effect=effect))
    for checks in ("0", "1"):
        monkeypatch.setenv("LUDOPORT_BOUNDS", checks)
        state = lp.load(path, jit=False).start()
        with pytest.raises(lp.LudoportError, match="takes more steps to work out"):
            state.play(state.moves()[0])


def test_loops_that_are_short_count_nothing(tmp_path: Path) -> None:
    path = tmp_path / "short.lud"
    path.write_text(LONG.format(effect="(forEach Value min:0 max:8 (set State at:(value) 3))"))
    assert "TURNS" not in lp.load(path, jit=False).rules.source


def test_many_short_turns_of_a_long_loop_are_no_error(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A loop that could be long and is not may run as often as it likes."""
    monkeypatch.setattr("ludoport.kernels.turns.MOST", 4)
    monkeypatch.setattr("ludoport.kernels.turns.LAP", 1)
    few = "(forEach Value min:0 max:(* 20 (count Moves)) (set State at:(value) 3))"
    path = tmp_path / "short.lud"
    path.write_text(LONG.format(effect=f"(forEach Site (sites Board) {few})"))
    state = lp.load(path, jit=False).start()
    assert "TURNS" in state.game.rules.source
    for _ in range(4):
        state = state.play(state.moves()[0])


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """Moves that may take 4,000 turns."""
    for name, value in {"UNIT": 40, "LAP": 50, "MOST": 2, "WHOLE": 4000}.items():
        monkeypatch.setattr(f"ludoport.kernels.turns.{name}", value)


NESTED = {
    "sites": ("(forEach Site (sites Board) " * 5 + "(set State at:(site) 3)" + ")" * 5, "(is Line 3)"),
    "values": ("(forEach Value min:0 max:50 " * 4 + "(set State at:(value) 3)" + ")" * 4, "(is Line 3)"),
    "conditions": ("(addScore Mover 1)", "(all Sites (sites Board) if:" * 5 + "(> 99 (site))" + ")" * 5),
    "counts": (
        f"(if {'(= 0 (count Sites in:(forEach (sites Board) if:' * 5}(is Empty (site)){')))' * 5} (addScore Mover 1))",
        "(is Line 3)",
    ),
}


@pytest.mark.slow
@pytest.mark.parametrize(("effect", "test"), NESTED.values(), ids=NESTED)
def test_short_loops_that_nest_deeply_are_an_error(
    tmp_path: Path, effect: str, test: str, monkeypatch: pytest.MonkeyPatch, impatient: None
) -> None:
    path = tmp_path / "nested.lud"
    path.write_text(LONG.format(effect=effect).replace("(is Line 3)", test))
    for checks in ("0", "1"):
        monkeypatch.setenv("LUDOPORT_BOUNDS", checks)
        game = lp.load(path, jit=False)
        assert "TURNS" in game.rules.source
        with pytest.raises(lp.LudoportError, match="takes more steps to work out"):
            game.playouts(count=3, limit=4)


def test_a_move_that_took_too_long_ends_the_call(tmp_path: Path, impatient: None) -> None:
    """What a call would still do after it counts on from there, so a thousand games take no thousand times as long."""
    path = tmp_path / "nested.lud"
    path.write_text(LONG.format(effect=NESTED["sites"][0]))
    game = lp.load(path, jit=False)
    row, move = game.new_row(), game.start().moves()[0].row
    game.kernels.start(row, seeded(1))
    game.work[int(game.kernels.FULL)], game.work[int(game.kernels.LAPS)] = MARK, 3
    with pytest.raises(lp.LudoportError, match="takes more steps"):
        game.kernels.call("play", row, move, game.work)
    assert game.work[int(game.kernels.LAPS)] == 3
    assert row[game.rules.fields["OVER"]] == GIVEN_UP


def test_bundled_games_have_time(impatient: None) -> None:
    """The bounds of these tests are too low for Hex, and nothing is an error."""
    game = lp.load("Hex", options=["Board Size/5x5"], jit=False)
    assert game.playouts(count=2).moves > 20


@pytest.mark.slow
def test_few_bundled_games_count() -> None:
    assert "TURNS" not in lp.load("Chess", jit=False).rules.source
    assert "TURNS" in lp.load("Minishogi", jit=False).rules.source
