"""One game in two languages: a network that is carried over judges the same positions alike."""

from __future__ import annotations

import random

import numpy as np
import pytest
import torch

from ludoport.game import Game, load
from ludoport.nets.build import build_network
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import preset
from ludoport.tensors.channels import MoveChannel
from ludoport.tensors.encoder import TensorEncoder
from ludoport.transfer.mapping import map_channels
from ludoport.transfer.networks import transfer_network
from ludoport.transfer.options import TransferOptions
from ludoport.transfer.sides import side_of

Place = tuple[MoveChannel, int, int]


class Seen:
    """A game as a network sees it: judgements of moves by their meaning."""

    def __init__(self, game: Game, net: PolicyValueNet) -> None:
        self.encoder, self.net, self.state = TensorEncoder(game), net, game.start()
        self.history = self.encoder.new_histories(1)

    @torch.no_grad()
    def judged(self) -> tuple[dict[Place, float], float]:
        """Logits of the legal moves, and the value."""
        planes = self.encoder.planes(self.state.row[None], self.history, dtype=np.float32)
        mask = torch.from_numpy(self.encoder.layout.mask.astype(np.float32))[None, None]
        output = self.net(torch.from_numpy(planes), mask)
        logits = output.policy_logits.reshape(-1)
        return {place: float(logits[slot]) for place, slot in self.places().items()}, float(
            output.value_logits.reshape(-1)[0]
        )

    def places(self) -> dict[Place, int]:
        """The slots of the legal moves by their meaning."""
        return {self.place(slot): slot for slot in self.encoder.move_slots(self.state).values()}

    def place(self, slot: int) -> Place:
        channel, x, y = np.unravel_index(slot, self.encoder.layout.move_shape)
        return self.encoder.layout.move_channels[channel], int(x), int(y)

    def play(self, place: Place) -> None:
        """Play the move with this meaning."""
        slot = self.places()[place]
        text = next(text for text, found in self.encoder.move_slots(self.state).items() if found == slot)
        move = self.state.find(text)
        self.encoder.remember(self.history, self.state.row[None], move.row[None])
        self.state = self.state.play(move)


@pytest.mark.slow
@pytest.mark.parametrize(("one", "two"), [("Breakthrough", "breakthrough.kif"), ("Chess 8x8", "Chess")])
def test_same_game_same_judgement(one: str, two: str) -> None:
    source, target = load(one, jit=False), load(two, jit=False)
    layout = TensorEncoder(source).layout
    torch.manual_seed(5)
    net = build_network(preset("tiny", layout.shape[0], layout.move_shape[0]), seed=5).eval()
    with torch.no_grad():
        for parameter in net.parameters():
            parameter.add_(0.05 * torch.randn_like(parameter))
        _forget(net, layout.first("castles"), layout.first("passant"), layout.first("clock"))
    mapping = map_channels(side_of(source), side_of(target))
    carried = transfer_network(net, mapping, TransferOptions(unmapped="zero"))
    here, there, rng = Seen(source, net), Seen(target, carried), random.Random(3)
    for _ in range(6):
        (logits, value), (others, other) = here.judged(), there.judged()
        assert logits.keys() == others.keys()
        for place, logit in logits.items():
            assert others[place] == pytest.approx(logit, abs=1e-4)
        assert other == pytest.approx(value, abs=1e-4)
        place = rng.choice(sorted(logits, key=str))
        here.play(place)
        there.play(place)


def _forget(net: PolicyValueNet, *planes: int) -> None:
    """Let a network not see planes that the other game lacks, which are not always 0 there."""
    first = next(parameter for parameter in net.parameters() if parameter.dim() == 4)
    for plane in planes:
        if plane >= 0:
            first[:, plane] = 0
