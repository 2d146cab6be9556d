"""Networks that learned, against games that are solved."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch

import ludoport as lp
from ludoport.game import State
from ludoport.nets.files import load_network
from ludoport.nets.network import NetOutput
from ludoport.selfplay.learner import Learner
from ludoport.selfplay.losses import policy_loss, value_loss
from ludoport.selfplay.train import Budget, Trainer
from ludoport.tensors.encoder import TensorEncoder
from tests.search.brute import value_of
from tests.selfplay.conftest import HEX, small


@pytest.mark.slow
@pytest.mark.parametrize("name", ["Hex", "Tic-Tac-Toe"])
def test_network_knows_a_solved_game(name: str, tmp_path: Path, hex3: lp.Game, noughts: lp.Game) -> None:
    """In positions of random games in which it matters what one plays, policy and value are mostly right."""
    game, options = (hex3, HEX) if name == "Hex" else (noughts, ())
    config = small(
        game=name, options=options, games=64, simulations=16, positions=1024, warmup=500, batch=128, replay=16_000,
        reuse_factor=4.0, considered=9, openings=0.9, opening_plies=6, rate=6e-3,
    )  # fmt: skip
    Trainer(config, tmp_path / "run", game=game).train(Budget(epochs=16 if name == "Hex" else 18))
    net = load_network(tmp_path / "run/network.safetensors").net
    encoder, known = TensorEncoder(game, "compact"), dict[int, float]()
    rows, histories = encoder.wander(400, seed=5)
    with torch.no_grad():
        output = net(torch.from_numpy(encoder.planes(rows, histories, dtype=np.float32)))
    tested = good = chance = right = decided = 0.0
    for row, logits, value in zip(rows, output.policy_logits.flatten(1), output.value(), strict=True):
        state = State(game, row)
        values = {move.text: value_of(state, move, known) for move in state.moves()}
        if len(set(values.values())) == 1:
            continue
        slots, truth = encoder.move_slots(state), max(values.values())
        best = max(slots, key=lambda text: float(logits[slots[text]]))
        tested += 1
        good += values[best] == truth
        chance += sum(v == truth for v in values.values()) / len(values)
        decided += truth != 0
        right += truth != 0 and (float(value) > 0) == (truth > 0)
    assert tested > 100
    assert chance / tested < 0.6
    assert good / tested > 0.8
    assert right / decided > 0.85


def test_losses_by_hand() -> None:
    logits = torch.tensor([[[[0.0, 1.0, 5.0]]]])
    shares = torch.tensor([[0.25, 0.75, -1.0]])
    chances = torch.softmax(torch.tensor([0.0, 1.0]), 0)
    wanted = -(0.25 * chances[0].log() + 0.75 * chances[1].log())
    assert policy_loss(logits, shares) == pytest.approx(float(wanted))
    output = NetOutput(logits, torch.tensor([[1.0, 0.0, -1.0]]))
    likely = torch.softmax(output.value_logits[0], 0).log()
    assert value_loss(output, torch.tensor([-1.0])) == pytest.approx(float(-likely[2]))
    assert value_loss(output, torch.tensor([0.5])) == pytest.approx(float(-(likely[0] + likely[1]) / 2))
    assert value_loss(NetOutput(logits, torch.tensor([[0.0]])), torch.tensor([1.0])) == pytest.approx(1.0)


@pytest.mark.slow
def test_turned_positions_keep_their_replies(hex3: lp.Game, tmp_path: Path) -> None:
    """A reply is turned like the policy: where it points, the turned policy has the same share."""
    trainer = Trainer(small(reply_weight=0.15), tmp_path / "run", game=hex3)
    assert len(trainer.learner.turns) == 1
    _, slots, images = trainer.learner.turns[0]
    shares = torch.rand(len(slots))
    assert all(shares[slots][images[reply]] == shares[reply] for reply in range(len(slots)))
    trainer.train(Budget(epochs=2))
    assert trainer.records[-1]["reply_loss"] > 0


def test_averaged_weights_follow(hex3: lp.Game, tmp_path: Path) -> None:
    learner: Learner = Trainer(small(ema=0.0), tmp_path / "run", game=hex3).learner
    with torch.no_grad():
        next(learner.net.parameters()).add_(1.0)
    learner._average()
    for mine, new in zip(learner.averaged.parameters(), learner.net.parameters(), strict=True):
        assert torch.equal(mine, new)


@pytest.mark.slow
def test_a_frozen_trunk_stays(tmp_path: Path, hex3: lp.Game) -> None:
    """Only the heads learn; normalisations of the trunk keep their statistics."""
    first = small(options=HEX)
    start = Trainer(first, tmp_path / "first", game=hex3).train(Budget(epochs=1))
    before = load_network(start).net.state_dict()
    frozen = small(options=HEX, frozen=True, ema=0.0)
    after = load_network(Trainer(frozen, tmp_path / "run", start=start, game=hex3).train(Budget(epochs=2)))
    same = {name: bool((tensor == before[name]).all()) for name, tensor in after.net.state_dict().items()}
    trunk = {name for name in same if name.split(".")[0] in ("stem", "blocks")}
    assert trunk
    assert all(same[name] for name in trunk)
    assert not any(same[name] for name in ("policy.weight", "value.weight", "value_hidden.weight"))
