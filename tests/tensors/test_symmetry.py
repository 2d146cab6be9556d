"""Turns and reflections that leave the rules unchanged."""

from __future__ import annotations

import numpy as np
import pytest

import ludoport as lp
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.symmetry import symmetries

IDENTITY = ((1, 0), (0, 1))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "options", "count"),
    [
        ("Tic-Tac-Toe", [], 7),
        ("Hex", ["Board Size/3x3"], 1),
        ("Breakthrough", ["Board Size/6x6"], 1),
        ("Connect Four", [], 1),
        ("Reversi", ["Board Size/6x6"], 3),
    ],
)
def test_how_many(name: str, options: list[str], count: int) -> None:
    game = lp.load(name, options=options, jit=False)
    found = symmetries(game, TensorEncoder(game, "compact").layout)
    assert len(found) == count
    assert IDENTITY not in [symmetry.matrix for symmetry in found]


@pytest.mark.parametrize("name", ["Tic-Tac-Toe", "Hex"])
def test_images_are_positions_of_the_game(name: str) -> None:
    """A game and its image have the same tensors and the same legal moves, up to the symmetry."""
    game = lp.load(name, options=["Board Size/3x3"] if name == "Hex" else [], jit=False)
    encoder = TensorEncoder(game, "compact")
    for symmetry in symmetries(game, encoder.layout):
        rng = np.random.default_rng(3)
        state, image = game.start(), game.start()
        while not state.over:
            here, there = encoder.move_slots(state), encoder.move_slots(image)
            policy = np.full(len(symmetry.slots), -1.0)
            policy[list(here.values())] = 0.5
            assert set(np.flatnonzero(policy[symmetry.slots] >= 0)) == set(there.values())
            planes = encoder.state_tensor(state).reshape(-1)[symmetry.planes]
            assert (planes == encoder.state_tensor(image).reshape(-1)).all()
            text = str(rng.choice(sorted(here)))
            target = int(np.flatnonzero(symmetry.slots == here[text])[0])
            state, image = state.play(text), image.play(next(t for t, slot in there.items() if slot == target))
        assert image.over
        assert state.utilities == image.utilities


def test_permutations() -> None:
    game = lp.load("Tic-Tac-Toe", jit=False)
    layout = TensorEncoder(game, "compact").layout
    for symmetry in symmetries(game, layout):
        assert sorted(symmetry.planes) == list(range(int(np.prod(layout.shape))))
        assert sorted(symmetry.slots) == list(range(int(np.prod(layout.move_shape))))
