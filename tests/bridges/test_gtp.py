from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest

import ludoport as lp
from ludoport.arena.player import Player
from ludoport.arena.players import player
from ludoport.bridges.gtp import GtpEngine, GtpSettings
from ludoport.bridges.thinking import Thinking, ThinkingLimits
from ludoport.game import Move, State
from ludoport.search.result import SearchResult


def answers(lines: list[str], game: str = "Tic-Tac-Toe", plays: str = "random", size: str = "") -> list[str]:
    """Answer of the engine to each line."""
    said: list[str] = []
    GtpEngine(GtpSettings(game, (f"Board Size/{size}",) if size else (), player(plays)), said.append).run(lines)
    return "".join(said).split("\n\n")[:-1]


@pytest.mark.slow
def test_a_game_of_tic_tac_toe() -> None:
    moves = ["play black A1", "play w C3", "play B A2", "play W C2", "play B A3"]
    after = ["final_score", "play W B2", "undo", "reg_genmove white", "genmove white", "showboard", "nonsense", "quit"]
    said = answers(["1 protocol_version", "boardsize 3", *moves, *after])
    assert said[:8] == ["=1 2", "= ", "= ", "= ", "= ", "= ", "= ", "= B+"]
    assert said[8] == "? the game is over"
    assert said[10] == said[11]
    assert said[13] == "? unknown command"


@pytest.mark.slow
def test_what_is_refused() -> None:
    lines = ["play red A1", "play black D9", "komi 6.5", "undo", "boardsize 77", "play black", "play white A1"]
    said = answers(lines)
    assert [line[0] for line in said] == ["?"] * len(lines)
    assert said[1] == "? illegal move"
    assert said[4] == "? unacceptable size"
    assert said[5] == "? syntax error"


@pytest.mark.slow
def test_hex_with_swap() -> None:
    said = answers(["boardsize 3 3", "play b a1", "play w swap-pieces", "play w b2", "play b c3"], "Hex", size="3x3")
    assert said == ["= "] * 5


@pytest.mark.slow
def test_columns_of_squares_have_no_i() -> None:
    lines = ["boardsize 9", "play black J9", "play white I8", "play white H9", "showboard"]
    *said, board = answers(lines, "Gomoku", size="9x9")
    assert said == ["= ", "= ", "? illegal move", "= "]
    assert board.splitlines()[-1].split() == list("ABCDEFGHJ")


def test_colours_out_of_turn_pass() -> None:
    said = answers(["play black C3", "play black D4", "komi 0"], "Go", size="9x9")
    assert said == ["= "] * 3


def test_komi_is_an_option_of_the_rules() -> None:
    """One black stone owns the whole board; the komi changes the score, and keeps the position."""
    lines = ["play b E5", "komi 6.5", "play w pass", "komi 7", "komi 6.25", "play b pass", "final_score", "komi 6.5"]
    said = answers(
        [*lines, "final_score", "clear_board", "play b pass", "play w pass", "final_score"], "Go", size="9x9"
    )
    assert said[4].startswith("? the rules of this game have a komi of 0, 0.5, 3.5")
    assert [said[6], said[8], said[12]] == ["= B+73", "= B+73.5", "= W+6.5"]


def test_analysis() -> None:
    lines = [
        "analyze black 10",
        "genmove_analyze black 10",
        "ludoport-visits",
        "hexgui-analyze_commands",
        "gogui-analyze_commands",
    ]
    said = answers(lines, plays="uct:4")
    assert said[0].startswith("=\ninfo move ")
    assert " visits " in said[0]
    assert " winrate " in said[0]
    assert "\nplay " in said[1]
    assert len(said[2].split()) >= 3
    assert said[3].startswith("= pspairs/")
    assert said[3] == said[4]


@pytest.mark.slow
@pytest.mark.parametrize("settings", ["simulations=12", "simulations=16,gumbel=true"])
def test_analysis_by_a_network(settings: str) -> None:
    """Findings are reported during the search, and once more at its end."""
    said = answers(["genmove_analyze black 2"], plays=f"net:zoo/tic-tac-toe,{settings}")
    *reports, played = said[0].removeprefix("=\n").splitlines()
    visits = [sum(map(int, re.findall(r"visits (\d+)", line))) for line in reports]
    assert visits == sorted(visits)
    assert visits[-1] == int(re.findall(r"\d+", settings)[0])
    assert played.removeprefix("play ") in {words.split()[0] for words in reports[-1].split("info move ")[1:]}


@pytest.mark.parametrize(
    ("interval", "reported"), [(0.5, [0.5, 1.0, 1.5, 2.0]), (None, [0.125, 0.25, 0.375, 0.625, 1.0])]
)
def test_lines_of_analysis_come_at_the_interval_that_the_program_wants(
    monkeypatch: pytest.MonkeyPatch, interval: float | None, reported: list[float]
) -> None:
    """The clock shows an eighth of a second more whenever the player comes up with a move."""
    clock, told = SimpleNamespace(now=0.0), list[float]()
    monkeypatch.setattr("ludoport.bridges.thinking.time", SimpleNamespace(monotonic=lambda: clock.now))

    class Ticking(Player):
        spec = "ticking"

        def choose(self, state: State, seed: int) -> Move:
            return state.moves()[0]

        def think(self, state: State, seed: int) -> Iterator[Move | str]:
            while True:
                clock.now += 0.125
                yield "A1"

        def so_far(self) -> SearchResult | None:
            return cast(SearchResult, "a result")

    state, limits = lp.load("Tic-Tac-Toe").start(), ThinkingLimits(2.0, interval=interval)
    Thinking(Ticking(), state, 1, limits, lambda _, seconds: told.append(seconds), lambda best, found: None).run()
    assert told[: len(reported)] == reported


def test_commands_are_known() -> None:
    said = answers(["list_commands", "known_command genmove", "known_command fly", "time_settings 60 0 0"])
    assert "genmove_analyze" in said[0].split()
    assert said[1:] == ["= true", "= false", "= "]


GNUGO = Path("/usr/games/gnugo")


@pytest.mark.slow
@pytest.mark.skipif(not GNUGO.exists(), reason="gnugo is not installed")
def test_a_whole_game_against_gnu_go() -> None:
    """Until GNU Go passes, which we answer with a pass; both programs then have the same stones on the board."""
    ours = [sys.executable, "-m", "ludoport", "gtp", "Go", "--player", "random"]
    engines = [
        subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, env=os.environ)
        for command in (ours, [str(GNUGO), "--mode", "gtp", "--level", "0"])
    ]

    def ask(engine: subprocess.Popen[str], line: str) -> str:
        assert engine.stdin is not None
        assert engine.stdout is not None
        engine.stdin.write(f"{line}\n")
        engine.stdin.flush()
        lines = iter(engine.stdout.readline, "\n")
        answer = "".join(lines).strip()
        assert answer.startswith("="), f"{line}: {answer}"
        return answer[1:].strip()

    try:
        for engine in engines:
            ask(engine, "boardsize 9")
            ask(engine, "clear_board")
        passes, number = 0, 0
        while passes < 2:
            colour, mover = ("black", "white")[number % 2], engines[number % 2]
            if passes:
                ask(mover, f"play {colour} pass")
            move = "pass" if passes else ask(mover, f"genmove {colour}").lower()
            ask(engines[1 - number % 2], f"play {colour} {move}")
            passes = passes + 1 if move == "pass" else 0
            number += 1
            assert number < 300, "the game does not end"
        assert number > 20
        boards = [ask(engine, "showboard").replace("M", "X").replace("m", "O").replace("+", ".") for engine in engines]
        rows = [[line.split()[1:10] for line in board.splitlines() if line.strip()[0].isdigit()] for board in boards]
        assert rows[0] == rows[1]
        assert ask(engines[0], "final_score")[0] in "BW0"
    finally:
        for engine in engines:
            engine.kill()
