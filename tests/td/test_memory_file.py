"""A memory comes back from its file as it was, for games of any language."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.td.learner import ValueLearner
from ludoport.td.memory_file import load_memory, save_memory
from ludoport.td.opponents import Opponent
from tests.td.games import NOUGHTS, TINY, small_game


def learned(matches: int = 60) -> ValueLearner:
    learner = ValueLearner(small_game(NOUGHTS), seed=1, keep=True)
    learner.train(Opponent("random"), matches)
    return learner


def test_there_and_back(tmp_path: Path) -> None:
    one, path = learned(), tmp_path / "deep" / "memory.npz"
    save_memory(one.memory, path, {"game": "Noughts", "matches": 60})
    other = ValueLearner(small_game(NOUGHTS), seed=1, keep=True)
    header = load_memory(other.memory, path, {"game": "Noughts"})
    assert header["matches"] == 60
    assert [file.name for file in path.parent.iterdir()] == ["memory.npz"]
    states = [other.game.start().play(move) for move in other.game.start().moves()]
    assert [other.value(state) for state in states] == [one.value(state) for state in states]
    assert [other.visited(state) for state in states] == [one.visited(state) for state in states]
    assert (other.codes() == one.codes()).all()
    # What is learned from now on is the same, so nothing was forgotten.
    for learner in (one, other):
        learner._rng[:] = 5, 6
        learner.train(Opponent("random"), 20)
    assert one.memory.values.tolist() == other.memory.values.tolist()


def test_a_large_memory_finds_room(tmp_path: Path) -> None:
    one = learned(300)
    save_memory(one.memory, tmp_path / "m.npz", {})
    other = ValueLearner(small_game(NOUGHTS), seed=1, keep=True)
    other.memory.__init__(other.game, other.memory._kernels, 8, True)  # type: ignore[misc]
    load_memory(other.memory, tmp_path / "m.npz", {})
    assert other.memory.q.shape[0] >= 2 * len(one.memory) > 16
    assert other.memory.values.tolist() == one.memory.values.tolist()


def test_only_what_fits_is_loaded(tmp_path: Path) -> None:
    path = tmp_path / "m.npz"
    save_memory(learned().memory, path, {"game": "Noughts"})
    other = ValueLearner(small_game(NOUGHTS), seed=1, keep=True)
    with pytest.raises(LudoportError, match="has game Noughts, but Chess is needed"):
        load_memory(other.memory, path, {"game": "Chess"})
    with pytest.raises(LudoportError, match="do not match"):
        load_memory(ValueLearner(small_game(TINY), keep=True).memory, path, {})
    with pytest.raises(FileNotFoundError):
        load_memory(other.memory, tmp_path / "nothing.npz", {})
    np.savez(
        path.open("wb"), header=np.frombuffer(json.dumps({"format": "x"}).encode(), dtype=np.uint8), book=0, q=0, kept=0
    )
    with pytest.raises(LudoportError, match="holds no memory of a learner"):
        load_memory(other.memory, path, {})
    assert len(other.memory) == 0
