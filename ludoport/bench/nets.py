"""The network bench: positions evaluated per second, on a CPU and on a CUDA device.

Run as ``python -m ludoport.bench.nets [--device cuda] [--only NAME] [--json FILE]``; positions are random, so nothing
but PyTorch is needed.
"""

from __future__ import annotations

import argparse
import copy
import json
import platform
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from ludoport.errors import LudoportError
from ludoport.nets.build import build_network
from ludoport.nets.infer import DTYPES, Engine, Evaluator, Precision
from ludoport.nets.network import PolicyValueNet
from ludoport.nets.registry import preset


@dataclass(frozen=True, slots=True)
class NetworkCase:
    """A network on a board.

    Attributes:
        id: its name in tables.
        preset: the network.
        planes: planes of a state and of moves.
        board: height and width.
        goal: evaluations per second that an H200 should reach.
    """

    id: str
    preset: str
    planes: tuple[int, int]
    board: tuple[int, int]
    goal: int


CASES = (
    NetworkCase("paper_9x9", "paper", (9, 3), (9, 9), 750_000),
    NetworkCase("default_hex_11x11", "default", (10, 3), (11, 11), 2_000_000),
)
"""The paper's network for small placement games, and ours on Hex 11x11 in the compact layout."""


@dataclass(frozen=True, slots=True)
class RunWay:
    """Settings for running a network.

    Attributes:
        id: its name in tables.
        engine: see ``Evaluator``.
        precision: of weights and activations.
        graph: whether it is captured as a CUDA graph.
        multiple: channels are padded to multiples of this.
        original: whether to run the network as it is, with normalisations and channels first.
    """

    id: str
    engine: Engine = "eager"
    precision: Precision = "float16"
    graph: bool = True
    multiple: int = 8
    original: bool = False


CPU_WAYS = (
    RunWay("as it is", precision="float32", graph=False, original=True),
    RunWay("eager", precision="float32", graph=False),
)
CUDA_WAYS = (
    RunWay("as it is", graph=False, original=True),
    RunWay("eager, float32", precision="float32", graph=False),
    RunWay("eager, not padded", graph=False, multiple=1),
    RunWay("eager", graph=False),
    RunWay("graph"),
    RunWay("graph, cudnn", engine="cudnn"),
    RunWay("graph, cudnn, padded to 16", engine="cudnn", multiple=16),
    RunWay("graph, cudnn, padded to 32", engine="cudnn", multiple=32),
    RunWay("graph, bfloat16", precision="bfloat16"),
    RunWay("graph, compiled", engine="compile"),
    RunWay("graph, compiled, padded to 32", engine="compile", multiple=32),
    RunWay("graph, max-autotune", engine="max-autotune"),
)
"""Those that take long to prepare come last; all but the first are channels last and without normalisations."""

CPU_BATCHES = (1, 8, 64)
CUDA_BATCHES = (4096, 8192)


@dataclass(frozen=True, slots=True)
class NetworkRow:
    """One network, run in one way with one batch size.

    Attributes:
        id: the network.
        way: the way in which it is run.
        batch: positions at once.
        evaluations_per_second: without bringing positions to the device and answers back.
        prepare_seconds: compiling, capturing and choosing kernels.
        error: largest difference of a value from the one in float32 by the original network.
        goal: goal for an H200; None elsewhere.
        failure: why nothing was measured.
    """

    id: str
    way: str
    batch: int
    evaluations_per_second: float = 0.0
    prepare_seconds: float = 0.0
    error: float = 0.0
    goal: int | None = None
    failure: str | None = None

    def record(self) -> dict[str, Any]:
        """Record for JSON."""
        return {key: round(value, 6) if isinstance(value, float) else value for key, value in asdict(self).items()}


HEAD = (
    "| network | way | batch | evaluations/s | preparing s | largest error of a value | goal |\n"
    "|---|---|--:|--:|--:|--:|--:|"
)


def line(row: NetworkRow) -> str:
    """One row of the table, in Markdown."""
    if row.failure is not None:
        return f"| {row.id} | {row.way} | {row.batch:,} | {row.failure} | | | |"
    goal = "" if row.goal is None else f"{row.goal:,}"
    speed = f"{row.evaluations_per_second:,.0f}"
    return f"| {row.id} | {row.way} | {row.batch:,} | {speed} | {row.prepare_seconds:.1f} | {row.error:.4f} | {goal} |"


def rows(
    cases: Sequence[NetworkCase] = CASES,
    device: str = "cpu",
    *,
    ways: Sequence[RunWay] | None = None,
    batches: Sequence[int] | None = None,
    seconds: float = 1.0,
    seed: int = 1,
) -> Iterator[NetworkRow]:
    """Measures networks one after the other.

    Args:
        cases: which.
        device: ``cpu`` (one thread) or ``cuda``.
        ways: how; None for all that make sense on the device.
        batches: positions at once; None for the usual ones.
        seconds: time for each, without preparing.
        seed: of weights and positions.
    """
    cuda = device.startswith("cuda")
    if not cuda:
        torch.set_num_threads(1)
    nets = {case.id: _settled(case, seed) for case in cases}
    for way in ways or (CUDA_WAYS if cuda else CPU_WAYS):
        for case in cases:
            for batch in batches or (CUDA_BATCHES if cuda else CPU_BATCHES):
                try:
                    yield _measured(nets[case.id], case, way, batch, device, seconds, seed)
                except Exception as error:
                    # A way that this device or this version of torch does not know must not end the bench.
                    reason = (str(error).strip() or type(error).__name__).splitlines()[0][:160]
                    yield NetworkRow(case.id, way.id, batch, failure=reason)


def chosen(only: Sequence[str]) -> list[NetworkCase]:
    """The cases to measure: all, or those whose name begins with one of these."""
    picked = [case for case in CASES if not only or any(case.id.startswith(name) for name in only)]
    if not picked:
        raise LudoportError(f"unknown case {' or '.join(only)}; choose from {', '.join(case.id for case in CASES)}")
    return picked


def _settled(case: NetworkCase, seed: int) -> PolicyValueNet:
    """A network whose normalisations have seen random positions, so that values are as large as in a trained one."""
    net = build_network(preset(case.preset, *case.planes), seed=seed).train()
    with torch.no_grad():
        for step in range(3):
            for module in net.modules():
                if isinstance(module, torch.nn.BatchNorm2d):
                    module.momentum = 1.0 / (step + 1)
            net(_positions(case, 32, seed + step))
    return net.eval()


def _positions(case: NetworkCase, count: int, seed: int) -> Tensor:
    generator = torch.Generator().manual_seed(seed)
    return (torch.rand(count, case.planes[0], *case.board, generator=generator) < 0.25).float()


class _Original:
    """A network as it is, run as an evaluator is."""

    def __init__(self, net: PolicyValueNet, device: str, precision: Precision) -> None:
        self.device = torch.device(device)
        self.net = copy.deepcopy(net).to(self.device, DTYPES[precision])

    @torch.no_grad()
    def evaluate(self, planes: Tensor) -> tuple[Tensor, Tensor]:
        output = self.net(planes)
        return output.policy_logits.float(), output.value()


def _evaluator(net: PolicyValueNet, way: RunWay, batch: int, device: str) -> Evaluator | _Original:
    torch.compiler.reset()  # drops the compiled networks of earlier rows
    if way.original:
        return _Original(net, device, way.precision)
    return Evaluator(
        net,
        device=device,
        precision=way.precision,
        batch=batch,
        engine=way.engine,
        graph=way.graph,
        multiple=way.multiple,
    )


def _measured(
    net: PolicyValueNet, case: NetworkCase, way: RunWay, batch: int, device: str, seconds: float, seed: int
) -> NetworkRow:
    begin = time.perf_counter()
    evaluator = _evaluator(net, way, batch, device)
    planes = _positions(case, batch, seed).to(evaluator.device, DTYPES[way.precision])
    for _ in range(2):
        _, values = evaluator.evaluate(planes)
    _wait(evaluator)
    prepared = time.perf_counter() - begin
    if isinstance(evaluator, Evaluator) and evaluator.batch != batch:
        raise LudoportError("too little memory")
    checked = min(batch, 64)
    with torch.no_grad():
        right = net(planes[:checked].float().cpu()).value()
    error = float((values[:checked].cpu() - right).abs().max())
    goal = case.goal if evaluator.device.type == "cuda" else None
    return NetworkRow(case.id, way.id, batch, _speed(evaluator, planes, seconds), prepared, error, goal)


def _speed(evaluator: Evaluator | _Original, planes: Tensor, seconds: float) -> float:
    """Evaluations per second: the best of five stretches, in each of which the device never waits for us."""
    begin = time.perf_counter()
    evaluator.evaluate(planes)
    _wait(evaluator)
    repeats = max(1, int(seconds / 5 / (time.perf_counter() - begin)))
    best = 0.0
    for _ in range(5):
        begin = time.perf_counter()
        for _ in range(repeats):
            evaluator.evaluate(planes)
        _wait(evaluator)
        best = max(best, repeats * len(planes) / (time.perf_counter() - begin))
    return best


def _wait(evaluator: Evaluator | _Original) -> None:
    if evaluator.device.type == "cuda":
        torch.cuda.synchronize()


def machine(device: str) -> dict[str, str]:
    """Names of the device and versions of the programs."""
    name = torch.cuda.get_device_name() if device.startswith("cuda") else platform.processor() or platform.machine()
    return {"device": name, "torch": torch.__version__, "python": platform.python_version()}


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.bench.nets", description="Evaluations per second.")
    parser.add_argument("--device", default="cuda" if torch.cuda.is_available() else "cpu")
    parser.add_argument("--only", action="append", default=[], help="networks whose name begins so")
    parser.add_argument("--way", action="append", default=[], help="ways whose name holds this")
    parser.add_argument("--batch", action="append", type=int, default=[])
    parser.add_argument("--seconds", type=float, default=1.0)
    parser.add_argument("--json", type=Path, help="a file for the record; rewritten after each row")
    options = parser.parse_args(arguments)
    every = CUDA_WAYS if options.device.startswith("cuda") else CPU_WAYS
    ways = [way for way in every if not options.way or any(part in way.id for part in options.way)]
    try:
        found = rows(chosen(options.only), options.device, ways=ways, batches=options.batch, seconds=options.seconds)
        record: dict[str, Any] = {"machine": machine(options.device), "rows": []}
        print(HEAD)
        for row in found:
            print(line(row), flush=True)
            record["rows"].append(row.record())
            if options.json is not None:
                options.json.write_text(json.dumps(record, indent=1) + "\n", encoding="utf-8")
    except LudoportError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
