"""Games, positions and moves are values: they compare, hash, copy and travel."""

import copy
import pickle
import subprocess
import sys
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.game import Game, State

HEX = ["Board Size/3x3"]
NAMES = [("Hex", HEX), ("gardner", []), ("nim.kif", [])]


def played(game: Game, plies: int = 2) -> State:
    state = game.start()
    for _ in range(plies):
        state = state.play(state.moves()[0])
    return state


@pytest.mark.slow
@pytest.mark.parametrize(("name", "options"), NAMES)
def test_equal_games_and_positions(name: str, options: list[str]) -> None:
    one, two = (lp.load(name, options, jit=False) for _ in range(2))
    assert one == two
    assert hash(one) == hash(two)
    assert played(one) == played(two)
    assert hash(played(one)) == hash(played(two))
    assert len({played(one), played(two), one.start()}) == 2
    assert one.start().moves() == two.start().moves()
    assert len(set(one.start().moves()) | set(two.start().moves())) == len(one.start().moves())


def test_different_games_and_positions() -> None:
    three, four = (lp.load("Hex", [f"Board Size/{n}x{n}"], jit=False) for n in (3, 4))
    assert three != four
    assert three.start() != four.start()
    assert three.start() != played(three)
    assert three.start().moves()[0] != three.start().moves()[1]
    assert three != "Hex"
    assert three.start() != 1
    assert three.start().moves()[0] != "A1"


def test_machine_code_and_plain_python_have_the_same_positions() -> None:
    fast, plain = (lp.load("Tic-Tac-Toe", jit=jit) for jit in (True, False))
    assert fast != plain
    assert played(fast) == played(plain)
    assert hash(played(fast)) == hash(played(plain))


@pytest.mark.parametrize(("name", "options"), NAMES)
def test_copies_and_pickles(name: str, options: list[str]) -> None:
    game = lp.load(name, options, jit=False)
    state = played(game)
    move = state.moves()[-1]
    for copied in (copy.copy, copy.deepcopy, lambda value: pickle.loads(pickle.dumps(value))):
        for value in (game, state, move):
            assert copied(value) == value
        again = copied(state)
        assert again.row is not state.row
        assert again.play(copied(move)) == state.play(move)
        assert copied(move).label == move.label


@pytest.mark.slow
def test_what_was_compiled_does_not_travel() -> None:
    game = lp.load("Hex", HEX)
    before = len(pickle.dumps(game))
    game.start().moves()
    game.playouts(count=1)
    assert len(pickle.dumps(game)) == before < 10_000


def test_games_that_arrive_share_their_rules_but_no_scratch_space() -> None:
    states = [played(lp.load("Hex", HEX, jit=False), plies) for plies in (1, 2)]
    one, two = (pickle.loads(pickle.dumps(state)) for state in states)
    assert one.game.rules is two.game.rules
    assert one.game.work is not two.game.work
    three, four = pickle.loads(pickle.dumps(states))
    assert three.game.rules is four.game.rules


@pytest.mark.slow
@pytest.mark.parametrize("suffix", [".lud", ".kif"])
def test_a_game_travels_without_its_file(tmp_path: Path, suffix: str) -> None:
    bundled = {".lud": "Hex.lud", ".kif": "gdl/nim.kif"}[suffix]
    file = tmp_path / f"mine{suffix}"
    file.write_text((Path(lp.__file__).parent / "games" / bundled).read_text())
    state = played(lp.load(file, HEX if suffix == ".lud" else [], jit=False))
    packed = tmp_path / "state.pickle"
    packed.write_bytes(pickle.dumps(state))
    file.unlink()
    text = "import pickle, sys; s = pickle.load(open(sys.argv[1], 'rb')); print(repr(s)); print(s.moves()[0].text)"
    shown = subprocess.run([sys.executable, "-c", text, str(packed)], capture_output=True, text=True, check=True)
    assert shown.stdout.splitlines() == [repr(state), state.moves()[0].text]


def test_representations() -> None:
    state = lp.load("Hex", ["Board Size/7x7"], jit=False).start()
    assert repr(state.game) == "Game('Hex 7x7')"
    assert repr(state) == "Hex 7x7, ply 0, White to move"
    after = state.play("C3")
    assert repr(after) == "Hex 7x7, ply 1, Black to move"
    assert repr(after.moves()[0]) == "Move('A1')"
    assert repr(lp.load("nim.kif", jit=False).start()).startswith("nim")
    line = lp.load("Tic-Tac-Toe", jit=False).start()
    for move in ("A1", "A2", "B1", "B2", "C1"):
        line = line.play(move)
    assert repr(line) == "Tic-Tac-Toe, ply 5, White won"


def test_a_copied_game_has_scratch_space_of_its_own() -> None:
    game = lp.load("Hex", HEX, jit=False)
    game.start().moves()
    for copied in (copy.copy(game), copy.deepcopy(game)):
        assert copied.work is not game.work
        assert copied.move_list is not game.move_list
        assert copied.kernels is game.kernels
        assert copied.rules is game.rules
