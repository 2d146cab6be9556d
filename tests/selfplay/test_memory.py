"""Too little memory: fewer positions or games at once, and a word about it."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from torch import Tensor

import ludoport as lp
from ludoport.errors import LudoportError
from ludoport.nets.network import NetOutput
from ludoport.selfplay.fitting import with_fewer
from ludoport.selfplay.learner import Learner, Sample
from ludoport.selfplay.train import Budget, Trainer
from tests.selfplay.conftest import small


def narrow(learner: Learner, most: int) -> list[int]:
    """Let a network run out of memory with more than so many positions; returns how many it got."""
    seen: list[int] = []
    forward = learner.net.forward

    def limited(planes: Tensor, mask: Tensor | None = None) -> NetOutput:
        seen.append(len(planes))
        if len(planes) > most:
            raise torch.OutOfMemoryError("the network is too large")
        return forward(planes, mask)

    learner.net.forward = limited  # type: ignore[method-assign]
    return seen


def test_learning_goes_on_with_parts_of_batches(tmp_path: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(), tmp_path / "run", game=hex3)
    trainer.play.play(256)
    learner = trainer.learner
    seen = narrow(learner, 12)
    with pytest.warns(UserWarning, match="cpu ran out of memory: learning continues with 8 positions at once"):
        learner.learn(trainer.replay, 3, 0.0)
    assert seen == [32, 16, *[8] * 12]


def test_parts_have_the_gradients_of_the_whole(tmp_path: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(), tmp_path / "run", game=hex3)
    trainer.play.play(256)
    learner = trainer.learner
    learner.net.eval()  # batch normalisation sees parts otherwise
    sample = Sample(*map(torch.as_tensor, trainer.replay.draw(learner.rng, 32)))
    found = []
    for learner.room in (32, 12):
        learner.optimiser.zero_grad(set_to_none=True)
        losses = learner._gradients(sample)
        gradients = [p.grad.flatten() for p in learner.net.parameters() if p.grad is not None]
        found.append(torch.cat([losses, *gradients]))
    assert len(found[0]) > 1000
    assert torch.allclose(found[0], found[1], atol=1e-5)


def test_not_even_one_position(tmp_path: Path, hex3: lp.Game) -> None:
    trainer = Trainer(small(), tmp_path / "run", game=hex3)
    narrow(trainer.learner, 0)
    with (
        pytest.warns(UserWarning, match="learning continues with 1 positions at once"),
        pytest.raises(LudoportError, match="cpu has too little memory to learn from one position"),
    ):
        trainer.train(Budget(epochs=2))


@pytest.mark.slow
def test_fewer_games() -> None:
    tried: list[int] = []

    def make(games: int) -> str:
        tried.append(games)
        if games > 30:
            raise torch.OutOfMemoryError("too many trees")
        return f"{games} games"

    with pytest.warns(UserWarning, match="the device ran out of memory: self-play continues with 25 games at once"):
        assert with_fewer(make, 100, "self-play") == "25 games"
    assert tried == [100, 50, 25]


@pytest.mark.slow
def test_not_even_one_game() -> None:
    def make(games: int) -> None:
        raise torch.OutOfMemoryError(f"{games} are too many")

    with (
        pytest.warns(UserWarning, match="with 1 games at once"),
        pytest.raises(LudoportError, match="the device has too little memory for one game of a duel"),
    ):
        with_fewer(make, 2, "a duel")
