"""Players that people write: functions, classes in scripts and in sessions without a file."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.arena.function import FunctionPlayer
from ludoport.arena.kinds.python import text_of
from ludoport.arena.players import as_player


def first_move(state: lp.State) -> lp.Move:
    return state.moves()[0]


def centre(state: lp.State) -> str:
    return "B2" if "B2" in [str(move) for move in state.moves()] else str(state.moves()[0])


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


def test_function_is_a_player(game: lp.Game) -> None:
    result = lp.match(first_move, centre, game, games=4, workers=1)
    assert (result.a, result.b, result.record.games) == ("function:first_move", "function:centre", 4)


@pytest.mark.slow
def test_function_of_a_module_plays_in_other_processes(game: lp.Game) -> None:
    here, apart = (lp.match(first_move, "random", game, games=4, workers=workers) for workers in (1, 2))
    assert here.record == apart.record


def test_lambda_plays_in_this_process(game: lp.Game) -> None:
    assert lp.match(lambda state: state.moves()[-1], "random", game, games=2).record.games == 2
    with pytest.raises(lp.LudoportError, match=r"cannot be sent to other processes .*; use workers=1"):
        lp.match(lambda state: state.moves()[-1], "random", game, games=2, workers=2)


def test_changed_function_is_another_player() -> None:
    one, same, other = (FunctionPlayer(function) for function in (first_move, first_move, centre))
    assert one.identity == same.identity != other.identity


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        (None, "player answer returned None instead of a move"),
        (3, "player answer returned 3 instead of a move"),
        ("Z9", "player answer: `Z9` is not a legal move here"),
    ],
)
def test_what_is_no_move_is_an_error_that_names_the_player(game: lp.Game, answer: object, sentence: str) -> None:
    player = FunctionPlayer(lambda state: answer)  # type: ignore[arg-type, return-value]
    player.function.__name__ = "answer"
    with pytest.raises(lp.LudoportError, match=sentence):
        lp.match(player, "random", game, games=1, workers=1)


def test_illegal_move_of_another_position(game: lp.Game) -> None:
    move = game.start().moves()[0]
    always = FunctionPlayer(lambda state: move)
    always.function.__name__ = "always"
    with pytest.raises(lp.LudoportError, match="player always: `A1` is not a legal move here"):
        lp.match(always, always, game, games=1, workers=1)


def test_what_cannot_play_is_refused() -> None:
    with pytest.raises(lp.LudoportError, match=r"a player is a Player, a text such as `uct:800` or a function, not 7"):
        as_player(7)  # type: ignore[arg-type]
    with pytest.raises(lp.LudoportError, match=r"FunctionPlayer is a class; pass an instance"):
        as_player(FunctionPlayer)


def test_game_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    result = lp.match("random", first_move, "Hex", games=2, workers=1, options=["Board Size/3x3"])
    assert result.game == "Hex 3x3"
    assert result.record.games == 2


def test_reprs(game: lp.Game) -> None:
    result = lp.match(first_move, "random", game, games=2, workers=1, seed=3)
    assert repr(result).startswith("<MatchResult function:first_move vs random, Tic-Tac-Toe, 2 games: +")
    assert repr(lp.player("uct:800")) == "player('uct:800')"
    assert repr(as_player(first_move)) == "player('function:first_move')"


SESSION = """
import ludoport as lp

class First(lp.Player):
    spec = "first"

    def choose(self, state, seed):
        return state.moves()[0]

game = lp.load("Tic-Tac-Toe", jit=False)
print(lp.match(First(), lambda state: state.moves()[-1], game, games=2).record.games, "games")
try:
    lp.match(First(), "random", game, games=2, workers=2)
except lp.LudoportError as error:
    print(error)
"""


@pytest.mark.slow
def test_class_of_a_session_without_a_file() -> None:
    """As in a notebook: nothing that other processes could import."""
    ended = subprocess.run([sys.executable, "-c", SESSION], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    first, second = ended.stdout.splitlines()
    assert first == "2 games"
    assert second.startswith("other processes cannot import players that are defined in a session without a file")


UNGUARDED = """
import ludoport as lp

def first(state):
    return state.moves()[0]

lp.match(first, "random", lp.load("Tic-Tac-Toe", jit=False), games=2, workers=2)
"""


@pytest.mark.slow
def test_script_without_a_guard_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "script.py").write_text(UNGUARDED)
    ended = subprocess.run([sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, timeout=120)
    assert ended.returncode != 0
    assert 'must call `match` under `if __name__ == "__main__":`' in ended.stderr


@pytest.mark.slow
def test_script_without_a_guard_plays_in_its_own_process(tmp_path: Path) -> None:
    text = UNGUARDED.replace(", workers=2", "").replace("lp.match", "result = lp.match") + "print(result.record.games)"
    (tmp_path / "script.py").write_text(text)
    ended = subprocess.run([sys.executable, str(tmp_path / "script.py")], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "2\n", "")


def test_a_torch_module_is_a_player(game: lp.Game) -> None:
    torch = pytest.importorskip("torch")
    module = torch.nn.Conv2d(9, 3, 3, padding=1)
    assert lp.match(module, module, game, games=2, workers=1).record.games == 2
    one, other = as_player(module), as_player(torch.nn.Conv2d(9, 3, 3, padding=1))
    assert one.spec == "module:Conv2d"
    assert one.identity != other.identity
    with pytest.raises(lp.LudoportError, match=r"player module:Conv2d returned .*; moves of Tic-Tac-Toe have shape"):
        lp.match(torch.nn.Conv2d(9, 2, 3, padding=1), "random", game, games=1, workers=1)


FILE = """
import ludoport as lp

def last(state: lp.State) -> lp.Move:
    return state.moves()[-1]

nothing = 7
"""


@pytest.mark.slow
def test_a_function_of_a_file_has_a_text(game: lp.Game, tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(FILE)
    player = lp.player(f"python:{file}:last")
    assert player.spec == f"python:{file}:last"
    here, apart = (lp.match(player.spec, "random", game, games=4, workers=workers) for workers in (1, 2))
    assert here.record == apart.record
    before = player.identity
    file.write_text(FILE.replace("[-1]", "[0]"))
    assert lp.player(player.spec).identity != before
    for text, problem in (
        (f"python:{file}", "write python:FILE.py:NAME"),
        ("python:none.py:last", "there is no file none.py"),
        (f"python:{file}:missing", "the file defines no `missing`"),
        (f"python:{file}:nothing", "a player is a Player, a text"),
    ):
        with pytest.raises(lp.LudoportError, match=problem):
            lp.match(text, "random", game, games=1, workers=1)


def test_texts_of_functions() -> None:
    assert text_of(first_move) == f"python:{Path(__file__).resolve()}:first_move"
    with pytest.raises(lp.LudoportError, match="define it at the top level of a file"):
        text_of(lambda state: state.moves()[0])
