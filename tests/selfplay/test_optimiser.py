"""The optimiser beside torch's."""

from __future__ import annotations

from typing import Any

import pytest
import torch

from ludoport.selfplay.optimiser import FusedAdam


@pytest.mark.parametrize("decoupled", [True, False])
def test_same_steps_as_torch(decoupled: bool) -> None:
    def weights() -> list[torch.Tensor]:
        made = torch.Generator().manual_seed(1)
        return [torch.randn(shape, generator=made).requires_grad_() for shape in ((4, 3), (5,), (2, 2))]

    ours, theirs = weights(), weights()
    kind = torch.optim.AdamW if decoupled else torch.optim.Adam
    one: Any = FusedAdam(ours, 0.01, epsilon=1e-6, decay=0.1, decoupled=decoupled)
    two: Any = kind(theirs, lr=0.01, eps=1e-6, weight_decay=0.1)
    for step in range(6):
        if step == 3:  # resumes from what the other one has kept
            one, kept = FusedAdam(ours, 0.01, epsilon=1e-6, decay=0.1, decoupled=decoupled), two.state_dict()
            one.load_state_dict({"state": kept["state"], "param_groups": []})
        for optimiser, given in ((one, ours), (two, theirs)):
            optimiser.zero_grad()
            sum((weight**3).sum() for weight in given[:2]).backward()  # type: ignore[union-attr]
            optimiser.step()
    for mine, other in zip(ours, theirs, strict=True):
        assert torch.allclose(mine, other, atol=1e-6)
    assert torch.equal(ours[2], weights()[2]), "a weight without gradient stays"
