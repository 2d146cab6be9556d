from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import chess
import chess.engine
import pytest

import ludoport as lp
from ludoport.arena.player import Player
from ludoport.bridges.uci import UciEngine, UciSettings, limits
from ludoport.game import Move, State


class Ponderer(Player):
    """Thinks for ever; likes the last move."""

    spec = "ponderer"

    def choose(self, state: State, seed: int) -> Move:
        return state.moves()[-1]

    def think(self, state: State, seed: int) -> Iterator[Move | str]:
        while True:
            yield state.moves()[-1]


def told(lines: list[str], variant: str = "gardner") -> list[str]:
    """Output of the engine."""
    said: list[str] = []
    UciEngine(UciSettings(variant, Ponderer()), said.append).run(lines)
    return said


def test_options_and_variants() -> None:
    said = told(["uci", "setoption name UCI_Variant value gardner-chessplus", "d"])
    assert said[-2] == "uciok"
    assert "option name UCI_Variant type combo default gardner var gardner" in said[2]
    assert said[-1].endswith("Fen: rnbqk/ppppp/5/PPPPP/RNBQK w - - 0 1")


def test_infinite_thinking_ends_with_stop() -> None:
    said = told(["position startpos moves a2a3", "go infinite", "isready", "stop", "go movetime 1", "quit"])
    assert said[0] == "readyok"
    assert len(said) == 3
    assert said[1] == said[2]
    assert said[1].startswith("bestmove ")


def test_several_lines_of_analysis() -> None:
    lines = ["setoption name MultiPV value 3", "position startpos", "go nodes 100"]
    said: list[str] = []
    engine = UciEngine(UciSettings("gardner", "uct"), said.append)
    for line in lines:
        engine.answer(line.split())
    assert engine._thinking is not None
    engine._thinking.join()
    shown = [line.split() for line in said if line.startswith("info depth")][-3:]
    assert [words[words.index("multipv") + 1] for words in shown] == ["1", "2", "3"]
    assert len({words[words.index("pv") + 1] for words in shown}) == 3
    assert told(["setoption name MultiPV value 0"])[0].startswith("info string error: MultiPV is a number from 1")


def test_pondering_ends_after_the_hit() -> None:
    engine = UciEngine(UciSettings("gardner", Ponderer()), (said := []).append)
    engine.answer(["position", "startpos", "moves", "a2a3"])
    engine.answer(["go", "ponder", "wtime", "100", "btime", "100"])
    assert not said
    engine.answer(["ponderhit"])
    assert engine._thinking is not None
    engine._thinking.join()
    assert len(said) == 1


def test_positions_by_fen_and_moves_to_choose_from() -> None:
    said = told(["position fen 4k/5/2P2/5/KN3 w - - 0 1", "go movetime 1 searchmoves b1c3"], "gardner-chessplus")
    assert said == ["bestmove b1c3"]


def test_a_game_that_is_over() -> None:
    assert told(["position fen 4k/4Q/3K1/5/5 b - - 0 1", "go movetime 1"]) == ["bestmove (none)"]


@pytest.mark.parametrize("line", ["position startpos moves e9e9", "setoption name Hash value 3", "position sideways"])
def test_what_cannot_be_done_is_told(line: str) -> None:
    (said,) = told([line])
    assert said.startswith("info string error: ")


def test_time_is_shared_among_moves() -> None:
    assert limits(["wtime", "60000", "btime", "1000", "movestogo", "2"], 2).seconds == 0.5
    assert limits(["nodes", "100"], 1).seconds is None
    assert limits(["depth", "3"], 1).seconds == 1
    assert limits(["infinite"], 1).waits


def engine(*arguments: str, plain: bool = True) -> chess.engine.SimpleEngine:
    """Ludoport in a process of its own, run by python-chess."""
    env = os.environ | {"LUDOPORT_JIT": "0" if plain else "1"}
    command = [sys.executable, "-m", "ludoport", "uci", *arguments]
    return chess.engine.SimpleEngine.popen_uci(command, env=env, timeout=60)


def test_a_game_run_by_python_chess() -> None:
    with engine("--player", "random") as ours:
        assert ours.id["name"].startswith("Ludoport")
        board = chess.Board("7k/P7/8/8/8/8/8/K6R w - - 0 1")
        for _ in range(6):
            if not board.is_game_over():
                board.push(ours.play(board, chess.engine.Limit(time=0.1)).move)
        assert board.fullmove_number > 1


STOCKFISH = Path("/usr/games/stockfish")


@pytest.mark.slow
@pytest.mark.skipif(not STOCKFISH.exists(), reason="stockfish is not installed")
def test_a_game_against_stockfish() -> None:
    with engine(plain=False) as ours, chess.engine.SimpleEngine.popen_uci(str(STOCKFISH)) as theirs:
        board = chess.Board()
        while not board.is_game_over() and board.ply() < 40:
            limit = chess.engine.Limit(nodes=200)
            board.push((ours if board.turn else theirs).play(board, limit).move)
        assert board.is_valid()
        assert board.ply() > 6


FAIRY = shutil.which("fairy-stockfish", path=os.environ.get("PATH", "") + ":/usr/games")


@pytest.mark.slow
@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_moves_of_gardner_are_those_of_fairy_stockfish() -> None:
    text = "uci\nsetoption name UCI_Variant value gardner\nposition startpos moves b2b3 c4b3\ngo perft 1\nquit\n"
    done = subprocess.run([str(FAIRY)], input=text, capture_output=True, text=True, check=True)
    theirs = sorted(line.split(":")[0] for line in done.stdout.splitlines() if re.fullmatch(r"(?:[a-e]\d){2}: 1", line))
    ours = sorted(move.label for move in lp.load("gardner").start().play("b2b3").play("c4b3").moves())
    assert ours == theirs


@pytest.mark.slow
@pytest.mark.skipif(FAIRY is None, reason="fairy-stockfish is not installed")
def test_a_whole_game_of_gardner_against_fairy_stockfish() -> None:
    """Each accepts the other's moves, and both see that the game is over."""
    ours = [sys.executable, "-m", "ludoport", "uci", "gardner"]
    env = os.environ | {"LUDOPORT_JIT": "0"}
    engines = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=env)
        for command in (ours, [str(FAIRY)])
    ]

    def answer(engine: subprocess.Popen[str], moves: list[str]) -> str:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(f"position startpos moves {' '.join(moves)}\ngo nodes 20\n")
        engine.stdin.flush()
        said = [line := engine.stdout.readline()]
        while not line.startswith("bestmove"):
            assert line
            said.append(line := engine.stdout.readline())
        assert not [line for line in said if "error" in line], said
        return line.split()[1]

    try:
        assert engines[1].stdin is not None
        engines[1].stdin.write("uci\nsetoption name UCI_Variant value gardner\n")
        moves: list[str] = []
        while len(moves) < 200 and (move := answer(engines[len(moves) % 2], moves)) != "(none)":
            moves.append(move)
        assert len(moves) > 8
        assert [answer(engine, moves) for engine in engines] == ["(none)", "(none)"]
    finally:
        for engine in engines:
            engine.kill()
