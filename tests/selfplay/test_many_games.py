"""Runs in which one network learns many games."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.numpy import load_file

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.universal.files import load_universal
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.device_replay import DeviceReplay
from ludoport.selfplay.learner import Sample
from ludoport.selfplay.lists import game_list, read_entry
from ludoport.selfplay.many_games import ManyGames
from ludoport.selfplay.many_learner import ManyLearner
from ludoport.selfplay.many_play import ManyPlays, ManyReplays
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small

GAMES = ("Hex; Board Size/3x3", "Tic-Tac-Toe")
MORE = (*GAMES, "Hex; Board Size/3x3; End Rules/Misere")

SHORT: dict[str, Any] = {"positions": 32, "simulations": 2, "warmup": 16}
"""Plain Python does this faster than a game is compiled."""


def many(games: tuple[str, ...] = GAMES, **changes: Any) -> TrainConfig:
    return small(game="", options=(), game_list=games, games=8, **changes)


def weights(folder: Path) -> dict[str, Any]:
    return load_file(folder / "network.safetensors")


def equal(one: Path, other: Path) -> bool:
    mine, theirs = weights(one), weights(other)
    return mine.keys() == theirs.keys() and all(np.array_equal(mine[name], theirs[name]) for name in mine)


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A run of three epochs without interruption."""
    folder = tmp_path_factory.mktemp("many") / "whole"
    Trainer(many(sharing="progress"), folder).train(Budget(epochs=3))
    return folder


@pytest.mark.slow
def test_a_run_of_two_games_learns_both(run: Path) -> None:
    saved = load_universal(run / "network.safetensors")
    assert saved.games == GAMES
    records = Trainer(many(sharing="progress"), run).records
    for line in GAMES:
        assert all(record[f"loss of {line}"] > 0 for record in records[1:])
        assert sum(record[f"share of {game}"] for game in GAMES for record in records) == pytest.approx(len(records))


@pytest.mark.slow
def test_resuming_is_bit_identical(run: Path, tmp_path: Path) -> None:
    for epochs in (1, 3):
        Trainer(many(sharing="progress"), tmp_path / "run").train(Budget(epochs=epochs))
    assert equal(run, tmp_path / "run")


@pytest.mark.slow
def test_interrupted_in_the_middle_of_an_epoch(run: Path, tmp_path: Path) -> None:
    trainer = Trainer(many(sharing="progress"), tmp_path / "run")
    subject = trainer.subject
    assert isinstance(subject, ManyGames)
    first = next(iter(subject.parts.values())).play
    play = first.play

    def stops(positions: int, stop: Any) -> Any:
        trainer.stop()
        return play(positions, stop)

    trainer.train(Budget(epochs=1))
    first.play = stops  # type: ignore[method-assign]
    trainer.train(Budget(epochs=3))
    assert trainer.epoch == 1
    Trainer(many(sharing="progress"), tmp_path / "run").train(Budget(epochs=3))
    assert equal(run, tmp_path / "run")


@pytest.mark.slow
def test_games_join_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    folder = tmp_path / "run"
    Trainer(many(**SHORT), folder).train(Budget(epochs=2))
    before = load_universal(folder / "network.safetensors").net
    trainer = Trainer(many(MORE, **SHORT), folder)
    assert trainer.epoch == 2
    assert trainer.learner.net.vocabulary.rule[: len(before.vocabulary.rule)] == before.vocabulary.rule
    assert len(trainer.learner.net.vocabulary.rule) > len(before.vocabulary.rule)
    trainer.train(Budget(epochs=4))
    assert load_universal(folder / "network.safetensors").games == MORE
    assert TrainConfig.from_toml((folder / "config.toml").read_text(), "").game_list == MORE
    with pytest.raises(LudoportError, match="game_list"):
        Trainer(many(GAMES, **SHORT), folder)


@pytest.mark.slow
def test_a_network_plays_and_tunes_games_that_it_has_not_seen(run: Path, tmp_path: Path) -> None:
    breakthrough = lp.load("Breakthrough", options=["Board Size/4x4"], jit=False)
    result = lp.match(f"net:{run},simulations=2", "random", breakthrough, 2, seed=1, workers=1)
    assert result.games == 2
    config = small(game="Breakthrough", options=("Board Size/4x4",), **SHORT)
    tuned = Trainer(config, tmp_path / "tuned", game=breakthrough, start=run / "network.safetensors")
    assert tuned.learner.net.config.norm == "none"
    tuned.train(Budget(epochs=1))


@pytest.mark.slow
def test_shares_follow_progress(run: Path) -> None:
    trainer = Trainer(many(sharing="progress"), run)
    learner = trainer.subject.learner
    one, two = learner.parts  # type: ignore[attr-defined]
    learner.losses = {one: [1.0, 0.5], two: [1.0, 1.0]}  # type: ignore[attr-defined]
    assert learner.shares() == {one: 0.75, two: 0.25}  # type: ignore[attr-defined]
    plays = trainer.play
    assert isinstance(plays, ManyPlays)
    plays.due = dict.fromkeys(plays.due, 0.0)
    before = {key: part.replay.written for key, part in plays.parts.items()}
    plays.play(64)
    assert {key: part.replay.written - before[key] for key, part in plays.parts.items()} == {one: 48, two: 16}


@pytest.mark.slow
def test_a_device_learns_as_a_cpu_does(run: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    there, here = (Trainer(many(sharing="progress"), run).subject for _ in range(2))
    one, other = there.learner, here.learner
    assert isinstance(one, ManyLearner)
    assert isinstance(other, ManyLearner)
    assert isinstance(there.replay, ManyReplays)
    memories = {key: on_device(replay) for key, replay in there.replay.memories.items()}
    monkeypatch.setattr(there.replay, "memories", memories)
    taken: list[tuple[str, Any]] = []
    gradients = one._captured_gradients

    def noted(replay: ManyReplays, key: str, games: int, given: Any) -> Any:
        taken.append((key, one._turned_by(Sample(*memories[key].take(given[0])), given[1])))
        return gradients(replay, key, games, given)

    monkeypatch.setattr(one, "_captured_gradients", lambda *given: (one._look_at(given[1]), noted(*given))[1])
    one.learn(there.replay, 2, 0.5)
    assert len(taken) == 4
    other.net.train()
    other._set_rate(one.optimiser.param_groups[0]["lr"])
    for batch in (taken[:2], taken[2:]):
        other._learn_from(dict(batch))
    for mine, theirs in zip(one.net.parameters(), other.net.parameters(), strict=True):
        assert torch.allclose(mine, theirs, atol=1e-6)
    assert one.losses.keys() == other.losses.keys()


def on_device(replay: Any) -> DeviceReplay:
    """The same replay as tensors."""
    moved = DeviceReplay(replay.places, replay.seen.shape[1], replay.policies.shape[1], device="cpu")
    kept = {f"replay_{name}": getattr(replay, name) for name in replay.ARRAYS}
    moved.restore(kept | {"replay_written": np.array(replay.written)})
    return moved


@pytest.mark.parametrize(
    "setting", [{"tournament": True}, {"reply_weight": 0.1}, {"ownership_weight": 0.1}, {"layout": "paper"}]
)
def test_settings_that_do_not_fit(setting: dict[str, Any], tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match="runs of many games"):
        Trainer(many(**setting), tmp_path / "run")


def test_titles() -> None:
    assert many().title == "2 games"
    assert small().title == "Hex 3x3"


def test_lists(tmp_path: Path) -> None:
    file = tmp_path / "list.txt"
    (tmp_path / "mine.lud").write_text("")
    file.write_text("# games\nHex; Board Size/3x3   # small\n\nmine.lud\n")
    assert game_list(file) == ("Hex; Board Size/3x3", str(tmp_path / "mine.lud"))
    assert game_list("Hex, Tic-Tac-Toe") == ("Hex", "Tic-Tac-Toe")
    assert game_list(["Hex; A/b"]) == (str(read_entry("Hex;A/b")),)
    for wrong in ("Hex, Hex", "; A/b", "Hex;;"):
        with pytest.raises(LudoportError):
            game_list(wrong)
