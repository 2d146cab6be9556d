"""Comparing finds what differs, and only that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludoport.verify import perft, trace
from ludoport.verify.reference import read_counts, read_trials
from ludoport.verify.report import FileComparison

from .fake import FakeGame


def replay(game: Any, path: Path) -> FileComparison:
    result = FileComparison("tic_tac_toe")
    trace.compare_file(game, path, result)
    return result


def count(game: Any, path: Path) -> FileComparison:
    result = FileComparison("tic_tac_toe")
    perft.compare_file(game, path, result)
    return result


@pytest.fixture
def traces(data: Path) -> Path:
    return data / "traces" / "tic_tac_toe.jsonl.gz"


@pytest.fixture
def counts(data: Path) -> Path:
    return data / "perft" / "tic_tac_toe.json"


def test_right_game_agrees(traces: Path) -> None:
    result = replay(FakeGame(), traces)
    assert result.agrees
    assert (result.trials, result.agreeing_trials) == (6, 6)
    assert result.checks == result.agreeing == 45


def test_missing_move_is_found(traces: Path) -> None:
    result = replay(FakeGame(forbidden=4), traces)
    assert not result.agrees
    assert result.first is not None
    assert result.first.what == "legal moves"
    assert result.first.picture == "...\n...\n..."
    assert "4" not in (result.first.game_moves or [])
    assert result.agreeing < result.checks == 45


def test_full_lists_show_both_sides(traces: Path) -> None:
    trial = read_trials(traces)[0]
    state: Any = FakeGame(forbidden=4).start()
    ply = trial.plies[0]
    full = type(ply)(ply.mover, ply.seat, ply.count, tuple(str(i) for i in range(9)), "", ply.move, False)
    found = trace.compare_ply(state, full, "here")
    assert found is not None
    assert (found.missing, found.extra) == (["4"], [])
    assert "missing: 4" in str(found)


def test_wrong_end_is_found(traces: Path) -> None:
    trial = read_trials(traces)[0]
    state: Any = FakeGame().start()
    for ply in trial.plies:
        state = state.play(ply.move)
    assert trace.compare_end(state, trial) is None
    found = trace.compare_end(FakeGame().start(), trial)  # type: ignore[arg-type]
    assert found is not None
    assert found.what == "over"


def test_wrong_score_is_found(traces: Path) -> None:
    trial = read_trials(traces)[0]
    state: Any = FakeGame().start()
    for ply in trial.plies:
        state = state.play(ply.move)
    assert trace.compare_end(state, replace(trial, scores=tuple(state.scores))) is None
    found = trace.compare_end(state, replace(trial, scores=(0, 0)))
    assert found is not None
    assert (found.what, found.expected, found.found) == ("scores", "(0, 0)", str(state.scores))


def test_counts_agree(counts: Path) -> None:
    small = read_counts(counts)
    game: Any = FakeGame()
    assert game.perft(5) == list(small.perft[:5])
    assert perft.compare_counts(game, type(small)(small.perft[:5])) == (5, None)


def test_wrong_counts_are_found(counts: Path) -> None:
    small = read_counts(counts)
    game: Any = FakeGame(forbidden=4)
    agreeing, first = perft.compare_counts(game, type(small)(small.perft[:3], 2, dict.fromkeys("012345678", 8)))
    assert agreeing == 0
    assert first is not None
    assert first.expected == "9"
    assert "4:8" in first.missing
