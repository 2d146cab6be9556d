"""Captured steps: how often they are rehearsed, captured and replayed; a stand-in takes the place of the device."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext
from typing import Any

import pytest
import torch
from torch import Tensor

from ludoport.selfplay import learner_graph
from ludoport.selfplay.learner_graph import REHEARSALS, CapturedStep


class Waits:
    """A stream or graph that only notes what is asked of it."""

    replays = 0

    def wait_stream(self, other: object) -> None:
        """Nothing to wait for."""

    def replay(self) -> None:
        Waits.replays += 1


@pytest.fixture
def captures(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[Any]]:
    """The memory pools of all captures."""
    pools: list[Any] = []

    @contextmanager
    def graph(made: object, pool: Any = None, stream: Any = None) -> Iterator[None]:
        pools.append(pool)
        yield

    Waits.replays = 0
    learner_graph._side_stream.cache_clear()
    fakes = {"Stream": Waits, "current_stream": Waits, "CUDAGraph": Waits, "graph": graph}
    fakes |= {"stream": lambda _: nullcontext(), "synchronize": lambda: None}
    for name, fake in fakes.items():
        monkeypatch.setattr(torch.cuda, name, fake)
    yield pools
    learner_graph._side_stream.cache_clear()


def test_rehearsed_captured_and_replayed(captures: list[Any]) -> None:
    taken: list[Tensor] = []

    def step(inputs: Sequence[Tensor]) -> Tensor:
        taken.append(inputs[0])
        return inputs[0]

    captured = CapturedStep(torch.device("cuda"), pool="shared")
    for number in range(REHEARSALS + 3):
        output = captured(step, [torch.tensor([float(number)])])
        assert output.item() == number
    assert captures == ["shared"]
    assert len(taken) == REHEARSALS + 1
    assert Waits.replays == 3
    assert output is taken[-1]  # later inputs are copied into those that were captured


def test_a_cpu_captures_nothing(captures: list[Any]) -> None:
    captured, one = CapturedStep(torch.device("cpu")), torch.ones(1)
    assert all(captured(lambda inputs: inputs[0], [one]) is one for _ in range(REHEARSALS + 2))
    assert not captures
