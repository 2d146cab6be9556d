from __future__ import annotations

import io
import random
from pathlib import Path

import chess.pgn
import pytest

import ludoport as lp
from ludoport.bridges.records import Record, format_of, read, write
from ludoport.bridges.records.record import record_of
from ludoport.errors import LudoportError
from ludoport.game import Move

CASES = {
    "Chess 8x8": ("pgn", ()),
    "gardner-chessplus": ("pgn", ()),
    "Hex": ("sgf", ("Board Size/3x3",)),
    "Gomoku": ("sgf", ("Board Size/9x9",)),
    "Go": ("sgf", ("Board Size/9x9",)),
    "Tic-Tac-Toe": ("text", ()),
    "tic-tac-toe.kif": ("text", ()),
}


def played(name: str, options: tuple[str, ...] = (), most: int = 20) -> Record:
    """A random game."""
    draw, state, moves = random.Random(4), lp.load(name, options).start(), list[Move]()
    while not state.over and len(moves) < most:
        moves.append(draw.choice(state.moves()))
        state = state.play(moves[-1])
    return record_of(name, options, state, moves, White='A "quoted" [name]', Date="2026.01.02")


@pytest.mark.slow
@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("own", [True, False])
def test_there_and_back(name: str, own: bool) -> None:
    form, options = CASES[name]
    form = "text" if own else form
    record = played(name, options, most=8 if name == "Go" else 20)
    text = write([record, record], form)
    assert format_of(text) == form
    assert read(text) == [record, record]


def test_python_chess_reads_what_we_write() -> None:
    record = played("Chess 8x8", most=40)
    game = chess.pgn.read_game(io.StringIO(write(record, "pgn")))
    assert game is not None
    assert not game.errors
    assert [move.uci() for move in game.mainline_moves()] == list(record.moves)


def test_comments_variations_and_positions_of_pgn() -> None:
    text = """[Event "Test"]
[SetUp "1"]
[FEN "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1"]

1... e5 {a comment (with brackets)} 2. Nf3! $1 (2. f4 exf4 (2... d5)) 2... Nc6 ; to the end
3. Bb5 a6 1/2-1/2
"""
    (record,) = read(text)
    assert record.moves == ("e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
    assert record.result == "1/2-1/2"
    assert read(write(record, "pgn")) == [record]
    assert "1... e5 2. Nf3 Nc6" in write(record, "pgn")


@pytest.mark.slow
def test_first_line_of_sgf() -> None:
    text = "(;FF[4]GM[4]SZ[9]PB[Black \\] player]RE[W+R];B[aa]C[a (comment\\]];W[ii](;B[ab];W[ba])(;B[ac]))"
    (record,) = read(text)
    assert record.moves == ("A9", "I1", "A8", "B9")
    assert record.result == "0-1"
    assert record.facts == {"Black": "Black ] player"}
    assert record.options == ("Board Size/9x9",)


@pytest.mark.slow
def test_komi_of_sgf() -> None:
    """It is an option where the rules have it, else a fact."""
    text = "(;GM[1]SZ[9]KM[{}];B[ee];W[];B[])"
    known, unknown = (read(text.format(komi))[0] for komi in ("6.50", "3.75"))
    assert known.options == ("Board Size/9x9", "Komi/6.5")
    assert known.line()[0][-1].scores == [160, 13]
    assert unknown.facts == {"Komi": "3.75"}
    for record, komi in ((known, "6.5"), (unknown, "3.75")):
        assert f"KM[{komi}]" in write(record, "sgf")
        assert read(write(record, "sgf")) == [record]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("hello", "no game record"),
        ("(;GM[3]SZ[8])", r"SGF of GM\[3\]"),
        ("(;GM[4]SZ[9]AB[aa])", "stones that were set"),
        ("(;GM[4]SZ[9];B[zz])", "not a legal move"),
        ('[Event "x"]\n\n1. e5 *', "Chess 8x8, move 1"),
        ("# Ludoport game record\nresult: *\n\nA1", "no line `game"),
    ],
)
def test_what_cannot_be_read(text: str, wrong: str) -> None:
    with pytest.raises(LudoportError, match=wrong):
        read(text)


def test_formats_are_for_their_games(tmp_path: Path) -> None:
    record = Record("Tic-Tac-Toe", moves=("B2",))
    with pytest.raises(LudoportError, match="PGN is for games of the chess family"):
        write(record, "pgn")
    with pytest.raises(LudoportError, match="SGF is for Go"):
        write(record, "sgf")
    (tmp_path / "a.txt").write_text(write(record))
    assert read(tmp_path / "a.txt") == [record]
