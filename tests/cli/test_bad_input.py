"""Mistakes of users: one clear sentence that names the place, exit code 2, nothing written, no traceback."""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp

from .conftest import Command

TEXT = """(game "G"
    (players 2)
    (equipment { (board (square 3)) (piece "Disc" Each) })
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))
)
"""

WRONG_TEXTS = {
    "unbalanced": (TEXT.rstrip()[:-1], "unbalanced.lud:1:1: this `(` is never closed"),
    "closes too much": (TEXT + ")", "closes too much.lud:6:1: this `)` closes nothing"),
    "unknown ludeme": (TEXT.replace("(move", "(mvoe"), ":4:19: unknown ludeme `mvoe`; did you mean `move`?"),
    "unknown word": (TEXT.replace("Line", "Lime"), ":4:62: `is` has no `Lime`; did you mean `Line`?"),
    "for ever": (
        '(define "A" ("A" 1))' + TEXT.replace("(players 2)", '("A")'),
        ':1:13: the macro "A" expands for ever',
    ),
    "grows for ever": ('(define "A" ("A") ("A"))' + TEXT.replace("(players 2)", '("A")'), "expands for ever"),
    "million": (TEXT.replace("square 3", "square 1000"), ":3:18: a board of 1,002,001 sites is too large"),
    "million hexagons": (TEXT.replace("square 3", "hex 600"), "sites is too large; at most 20,000 are supported"),
    "million in a row": (TEXT.replace("square 3", "rectangle 1 1000000"), "sites is too large"),
    "no sites": (TEXT.replace("square 3", "square 0"), ":3:18: the board has no sites"),
    "no end": (TEXT.replace("(end (if (is Line 3) (result Mover Win)))", ""), ":4:5: `rules` lacks `(end ...)`"),
    "no board": (TEXT.replace("(board (square 3))", ""), ":3:5: a game needs exactly one board"),
    "many players": (TEXT.replace("players 2", "players 100"), ":2:5: a game needs 0 to 16 players, not 100"),
    "empty": ("", "empty.lud holds no `(game ...)`"),
}


@pytest.fixture
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty working directory, with the cache of kernels in it as well."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    return tmp_path


@pytest.mark.slow
@pytest.mark.parametrize("name", WRONG_TEXTS)
@pytest.mark.parametrize(
    "command", [["show", "FILE"], ["show", "FILE", "--svg", "board.svg"], ["perft", "FILE", "--depth", "1", "--json"]]
)
def test_wrong_text(ludoport: Command, here: Path, name: str, command: list[str]) -> None:
    text, sentence = WRONG_TEXTS[name]
    file = here / f"{name}.lud"
    file.write_text(text)
    answer = ludoport(*(str(file) if word == "FILE" else word for word in command))
    assert answer.code == 2
    assert answer.out == ""
    assert sentence in answer.err
    first, *excerpt = answer.err.rstrip("\n").split("\n")
    assert first.startswith("ludoport: ")
    assert len(excerpt) in (0, 2)  # the line of the text and the caret under it
    assert sorted(here.iterdir()) == [file]


@pytest.mark.parametrize("name", WRONG_TEXTS)
def test_wrong_text_in_python(here: Path, name: str) -> None:
    text, sentence = WRONG_TEXTS[name]
    file = here / f"{name}.lud"
    file.write_text(text)
    with pytest.raises(lp.LudoportError) as caught:
        lp.load(file).start()
    assert sentence in str(caught.value)


@pytest.mark.slow
def test_check_says_the_same(ludoport: Command, here: Path) -> None:
    for name, (text, _) in WRONG_TEXTS.items():
        (here / f"{name}.lud").write_text(text)
    answer = ludoport("check", *(str(here / f"{name}.lud") for name in WRONG_TEXTS))
    assert answer.code == 1
    assert answer.out.startswith(f"0 of {len(WRONG_TEXTS)} game files are correct")
    assert [sentence for _, sentence in WRONG_TEXTS.values() if sentence not in answer.err] == []


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "missing.lud"], "missing.lud: no such file"),
        (["check", "missing.lud"], "missing.lud: no such file"),
        (["show", "folder.lud"], "folder.lud: is a folder"),
        (["show", "binary.lud"], "binary.lud is not a text file"),
        (["perft", "Hexx", "--depth", "1"], "unknown game `Hexx`; did you mean Hex"),
        (["perft", "Hex", "-o", "Board Size/7x8", "--depth", "1"], 'unknown option "Board Size/7x8"; did you mean'),
        (["perft", "Hex", "-o", "Bord Size/7x7", "--depth", "1"], 'unknown option "Bord Size/7x7"'),
        (["perft", "Hex", "-o", "7x7", "--depth", "1"], "7x7"),
        (["perft", "Hex", "--depth", "-1"], "depth is -1; it must be at least 1"),
        (["perft", "Hex", "--depth", "0"], "depth is 0; it must be at least 1"),
        (["playouts", "Hex", "--games", "-5"], "games is -5"),
        (["playouts", "Hex", "--seconds", "-2"], "seconds is -2"),
        (["demo", "--games", "0"], "games is 0"),
        (["show", "Hex", "--svg", "no/such/folder/board.svg"], "no such folder"),
        (["uci", "nix"], "unknown game of the chess family `nix`"),
    ],
)
def test_wrong_arguments(ludoport: Command, here: Path, arguments: list[str], sentence: str) -> None:
    (here / "folder.lud").mkdir()
    (here / "binary.lud").write_bytes(bytes(range(256)))
    before = sorted(here.iterdir())
    answer = ludoport(*arguments)
    assert answer.code == 2
    assert answer.out == ""
    assert sentence in answer.err
    assert len(answer.err.splitlines()) == 1
    assert sorted(path for path in here.iterdir() if path.name != "cache") == before


def test_wrong_use_in_python() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    state = game.start()
    with pytest.raises(lp.LudoportError, match="`9` is not a legal move here; legal moves are A1, B1, C1"):
        state.play("9")
    taken = state.play("4")
    with pytest.raises(lp.LudoportError, match="`B2` is not a legal move here"):
        taken.play(state.find("4"))
    over = state
    for move in ("0", "3", "1", "4", "2"):
        over = over.play(move)
    with pytest.raises(lp.LudoportError, match="`5` is not a legal move here; the game is over"):
        over.play("5")
    for wrong in (
        lambda: game.perft(-1),
        lambda: game.divide(0),
        lambda: state.perft(-1),
        lambda: game.playouts(count=0),
        lambda: game.playouts(seconds=0),
        lambda: lp.load("No Such Game"),
        lambda: lp.load("Hex", options=["Board Size/0x0"]),
        lambda: lp.load("Hex", ruleset="none such"),
    ):
        with pytest.raises(lp.LudoportError):
            wrong()


@pytest.mark.slow
def test_a_move_of_another_game() -> None:
    state = lp.load("Tic-Tac-Toe", jit=False).start()
    other = lp.load("Chess", jit=False).start().moves()[0]
    with pytest.raises(lp.LudoportError, match="is not a legal move here"):
        state.play(other)


@pytest.mark.slow
def test_an_equal_position_takes_the_same_move() -> None:
    """Move objects belong to positions, not to the objects that hold them."""
    game = lp.load("Chess", jit=False)
    move = game.start().find("12-28")
    game.start().play("8-24").moves()
    assert game.start().play(move).pieces()[28] == "Pawn1"
