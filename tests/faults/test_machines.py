"""Three machines, one of which is killed: nothing finished is lost, and the result is that of one machine.

`python -m tools.torture machines` has more of this: heads that are gone, silence, wrong clocks.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import ludoport as lp
from ludoport.bench.study import NAP, fake_plan
from ludoport.search.build import Cluster, build_tree
from ludoport.search.cluster import run_on_ray
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.run import outcome, prepare
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.work import Place
from tools.torture.machines import Machines, machines

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = [pytest.mark.ray, pytest.mark.slow]


@pytest.fixture(scope="module")
def three() -> Iterator[Machines]:
    """A head without processors and two machines, one with GPUs that only have a number."""
    with machines(others=0, head=0) as all_:
        all_.join(clock=600.0, num_cpus=1, num_gpus=2)
        all_.join(num_cpus=1)  # the last one is the one that tests kill
        ray.init(address=all_.address, log_to_driver=False, logging_level="ERROR")
        yield all_
        ray.shutdown()


def where(seconds: float) -> tuple[str, float, float]:
    """The machine, begin and end of a task."""
    begin = time.monotonic()
    time.sleep(seconds)
    return ray.get_runtime_context().get_node_id(), begin, time.monotonic()


def clock(_: int) -> float:
    return time.time()


def test_gpus_are_respected(three: Machines) -> None:
    """Tasks for GPUs run only where there are some, and no more at a time than their shares allow."""
    done = [found for _, found in run_on_ray(where, [(0.3,)] * 3, device="cuda", address=three.address)]
    holders = {node["NodeID"] for node in ray.nodes() if node["Resources"].get("GPU")}
    assert {node for node, _, _ in done} == holders
    shares = 1 / (int(100 * 2 / 3) / 100)
    at_once = max(sum(b <= moment < e for _, b, e in done) for _, moment, _ in done)
    assert at_once <= 2 * shares


def test_results_are_those_of_one_machine(three: Machines, tmp_path: Path) -> None:
    """A machine has another clock, one joins, and one is killed while it works."""
    assert max(clock for _, clock in run_on_ray(clock, [(k,) for k in range(4)], device="cuda")) > time.time() + 500
    game = lp.load("Tic-Tac-Toe", jit=False)
    plan = BuildPlan(about_game(game), simulations=240, nodes=300, seed=5)
    expected = build_tree(game, plan, 4, tmp_path / "here.tree")
    alone = lp.match("uct:40", "random", game, games=6, workers=1)
    parts = tmp_path / "there.tree.parts"

    def build() -> None:
        build_tree(game, plan, 4, tmp_path / "there.tree", on=Cluster(ray=True, address=three.address))

    thread = threading.Thread(target=build)
    thread.start()
    while not any(parts.glob("*")) and thread.is_alive():
        time.sleep(0.02)
    three.kill(three.others[-1])
    three.join()
    thread.join(120)
    assert not thread.is_alive()
    assert (tmp_path / "there.tree").read_bytes() == expected.path.read_bytes()
    spread: Any = lp.match("uct:40", "random", game, games=6, ray_address=three.address)
    assert spread.record == alone.record


def results(folder: Path) -> dict[str, dict[str, Any]]:
    with Store(folder, create=False) as store:
        return {entry.job.id: dict(entry.result or {}) for entry in store.entries()}


def test_a_study_survives_the_loss_of_a_machine(three: Machines, tmp_path: Path) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    prepare(fake_plan(3, 0.0), here)
    assert run_crew(Place(here, runner=NAP))
    prepare(fake_plan(3, 0.15), there)
    lost: list[Any] = []

    def look() -> None:
        if not lost and outcome(there).done:
            lost.append(three.others[-1])
            three.kill(three.others[-1])
            three.join()

    assert run_crew(Place(there, runner=NAP), workers=0, ray_address=three.address, look=look)
    assert lost
    one, many = results(here), results(there)
    for result in (*one.values(), *many.values()):
        result.pop("clock")
    assert one == many


def test_studies_respect_gpus(three: Machines, tmp_path: Path) -> None:
    """Two cards, a job each."""
    prepare(fake_plan(2, 0.1), tmp_path)
    assert run_crew(Place(tmp_path, "cuda", NAP), workers=0, ray_address=three.address)
    times = [result["clock"][1:] for result in results(tmp_path).values()]
    assert 1 <= max(sum(begin <= moment < end for begin, end in times) for moment, _ in times) <= 2


def test_a_study_whose_cluster_is_gone(tmp_path: Path) -> None:
    prepare(fake_plan(2, 0.1), tmp_path)
    with pytest.raises(lp.LudoportError, match=r"no Ray answers at 127\.0\.0\.1:1:"):
        run_crew(Place(tmp_path, runner=NAP), workers=0, ray_address="127.0.0.1:1")
    assert outcome(tmp_path).done == 0
