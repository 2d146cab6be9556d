"""Search on Ray finds the same as on threads, also when workers die."""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import ludoport as lp
from ludoport.search import build, cluster
from ludoport.search.build import Cluster, build_tree
from ludoport.search.cluster import run_on_ray, search_on_ray
from ludoport.search.graph import about_game
from ludoport.search.parallel import search_parallel
from ludoport.search.shares import BuildPlan, grow_packed

from .graphs import assert_same

ray = pytest.importorskip("ray", reason="Ray is not installed")
pytestmark = pytest.mark.ray


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.fixture(scope="module", autouse=True)
def local_ray() -> Iterator[None]:
    """One Ray for all tests here; starting one takes seconds."""
    here = str(Path(__file__).parents[2])
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level="ERROR",
        runtime_env={"env_vars": {"PYTHONPATH": here}},
    )  # fmt: skip
    yield
    ray.shutdown()


def dies_once(marks: str, *arguments: Any) -> Any:
    """A worker's share whose process is killed in the first attempt."""
    mark = Path(marks) / str(arguments[2])
    if not mark.exists():
        mark.touch()
        os.kill(os.getpid(), signal.SIGKILL)
    return grow_packed(*arguments)


def dies_late(number: int) -> int:
    if number == 1:
        time.sleep(2)
        os.kill(os.getpid(), signal.SIGKILL)
    return number


def refuses(number: int) -> int:
    raise lp.LudoportError(f"{number} is not right")


def test_a_build_whose_workers_die_is_the_same(game: lp.Game, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan = BuildPlan(about_game(game), simulations=150, nodes=300, seed=5)
    expected = build_tree(game, plan, 3, tmp_path / "threads.tree").graph()
    (tmp_path / "marks").mkdir()
    original = run_on_ray

    def with_deaths(function: Any, tasks: Any, **more: Any) -> Any:
        assert function is grow_packed
        return original(dies_once, [(str(tmp_path / "marks"), *task) for task in tasks], **more)

    monkeypatch.setattr(build, "run_on_ray", with_deaths)
    built = build_tree(game, plan, 3, tmp_path / "ray.tree", on=Cluster(ray=True))
    assert len(list((tmp_path / "marks").iterdir())) == 3, "every worker died once"
    assert_same(built.graph(), expected)
    assert (tmp_path / "ray.tree").read_bytes() == (tmp_path / "threads.tree").read_bytes()


def test_a_task_that_kills_every_worker_is_given_up_and_the_others_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "ATTEMPTS", 1)
    results = run_on_ray(dies_late, [(0,), (1,)])
    assert next(results) == (0, 0)
    with pytest.raises(lp.LudoportError, match="given up: workers that died over it: 1"):
        next(results)


def test_what_a_worker_refuses_is_said() -> None:
    with pytest.raises(lp.LudoportError, match=r"^7 is not right$"):
        list(run_on_ray(refuses, [(7,)]))


@pytest.mark.parametrize("way", ["root", "vote"])
def test_search_finds_the_same_as_threads(game: lp.Game, way: Any) -> None:
    state = game.start().play("4").play("1")
    here = search_parallel(state, simulations=91, threads=3, way=way, seed=2)
    there = search_on_ray(state, simulations=91, workers=3, way=way, seed=2)
    assert [move.text for move in there.moves] == [move.text for move in here.moves]
    np.testing.assert_array_equal(there.visits, here.visits)
    np.testing.assert_array_equal(there.values, here.values)
    assert there.nodes == here.nodes


def test_bad_input(game: lp.Game) -> None:
    for address, problem in (
        ("127.0.0.1:1", "no Ray answers at 127.0.0.1:1"),
        ("ray://127.0.0.1:1", "no Ray answers at ray://127.0.0.1:1"),
        ("somewhere", "`somewhere` is not a Ray address"),
    ):
        with pytest.raises(lp.LudoportError, match=problem):
            search_on_ray(game.start(), simulations=4, address=address)
    with pytest.raises(lp.LudoportError, match="0 simulations for 2 workers"):
        search_on_ray(game.start(), simulations=0)
    with pytest.raises(lp.LudoportError, match="`leaf`; choose from root, vote"):
        search_on_ray(game.start(), simulations=4, way="leaf")


class Machines:
    """Stands for Ray; knows what there is, and hears what a task needs."""

    def __init__(self, cards: float) -> None:
        self.cards, self.asked = cards, dict[str, Any]()

    def cluster_resources(self) -> dict[str, float]:
        return {"CPU": 8.0, "GPU": self.cards} if self.cards else {"CPU": 8.0}

    def nodes(self) -> list[int]:
        return [0]

    def remote(self, **needs: Any) -> Any:
        self.asked = needs
        return lambda function: None


@pytest.mark.parametrize(
    ("device", "cards", "tasks", "needs"),
    [("cpu", 2, 1, (1, None)), ("cuda", 2, 1, (0, 1.0)), ("cuda", 2, 2, (0, 1.0)), ("cuda", 1, 3, (0, 0.33))],
)
def test_tasks_ask_for_what_they_work_on(
    monkeypatch: pytest.MonkeyPatch, device: str, cards: float, tasks: int, needs: tuple[float, float | None]
) -> None:
    machines = Machines(cards)
    monkeypatch.setattr(cluster, "connected", lambda *_: nullcontext(machines))
    with pytest.raises(AttributeError, match="remote"):  # nobody is there to do it
        list(run_on_ray(refuses, [(0,)] * tasks, device=device))
    assert (machines.asked["num_cpus"], machines.asked.get("num_gpus")) == needs


def test_a_cluster_without_gpus_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cluster, "connected", lambda *_: nullcontext(Machines(0)))
    with pytest.raises(lp.LudoportError, match="this Ray cluster has no GPU"):
        list(run_on_ray(refuses, [(0,)], device="cuda"))
