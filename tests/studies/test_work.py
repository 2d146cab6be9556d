"""Workers: jobs get done, whoever dies meanwhile."""

from __future__ import annotations

import json
import os
import random
import signal
import threading
import time
from contextlib import suppress
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from typer import Typer
from typer.testing import CliRunner

from ludoport.bench.study import NAP, StudyFigure, fake_plan, measure, overhead
from ludoport.commands.bench_study import study
from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import Cell
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.engine.run import outcome, prepare
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.task import Stopped, Task
from ludoport.studies.engine.work import Place, Stopper, work

HERE = __name__


def table(folder: Path) -> list[Cell]:
    with Store(folder, create=False) as store:
        return store.cells()


def undisturbed(folder: Path, side: int) -> list[Cell]:
    """The table of a study in which nothing happens."""
    prepare(fake_plan(side, 0.0), folder)
    assert run_crew(Place(folder, runner=NAP))
    cells = table(folder)
    assert len(cells) == 2 * side * (side - 1)
    return cells


class Killer(threading.Thread):
    """Kills workers at random moments, and watches whether a result is lost or changes."""

    def __init__(self, folder: Path, most: int) -> None:
        super().__init__()
        self.folder, self.most = folder, most
        self.killed, self.lost = 0, list[str]()
        self.over = threading.Event()

    def run(self) -> None:
        rng, seen = random.Random(1), dict[str, Any]()
        while not self.over.wait(rng.uniform(0.0, 0.5)):
            with Store(self.folder, create=False) as store:
                entries = store.entries()
            now = {entry.job.id: entry.result for entry in entries if entry.state == "done"}
            self.lost += [job for job, result in seen.items() if now.get(job) != result]
            seen = now
            busy = [entry.worker for entry in entries if entry.state == "running" and entry.worker]
            if busy and self.killed < self.most:
                with suppress(ProcessLookupError):
                    os.kill(int(rng.choice(busy).split(":")[1]), signal.SIGKILL)
                    self.killed += 1


@pytest.mark.slow
def test_killed_workers_lose_nothing(tmp_path: Path) -> None:
    """Twenty workers are killed at random moments; no finished job is lost, and the table is the same."""
    expected, killed = undisturbed(tmp_path / "quiet", 7), 0
    for number in count():
        folder = tmp_path / str(number)
        prepare(fake_plan(7, 0.06), folder)
        killer = Killer(folder, 20 - killed)
        killer.start()
        try:
            assert run_crew(Place(folder, runner=NAP), workers=2)
        finally:
            killer.over.set()
            killer.join()
        found = outcome(folder)
        assert not killer.lost
        assert not found.failed
        assert found.done == found.total
        assert table(folder) == expected
        killed += killer.killed
        if killed == 20:
            break
        assert killer.killed, "nobody was killed"


@pytest.mark.slow
def test_helpers_play_fixed_opponents(tmp_path: Path) -> None:
    jobs = [Job(str(k), "evaluate", {"seconds": 0.0, **({"against": "random"} if k % 2 else {})}, k) for k in range(6)]
    prepare(StudyPlan("shared", "tiny", 1, tuple(jobs)), tmp_path)
    assert run_crew(Place(tmp_path, runner=NAP), workers=1, helpers=1)
    with Store(tmp_path, create=False) as store:
        who = {entry.job.id: entry.worker for entry in store.entries()}
    assert len({who[str(k)] for k in (1, 3, 5)}) == len({who[str(k)] for k in (0, 2, 4)}) == 1
    assert len(set(who.values())) == 2


def test_two_crews_share_a_study(tmp_path: Path) -> None:
    expected = undisturbed(tmp_path / "quiet", 4)
    prepare(fake_plan(4, 0.01), tmp_path)
    done: list[int] = []
    crews = [threading.Thread(target=lambda: done.append(work(Place(tmp_path, runner=NAP)))) for _ in range(2)]
    for crew in crews:
        crew.start()
    for crew in crews:
        crew.join()
    assert sum(done) == outcome(tmp_path).total == 64
    assert all(done)
    assert table(tmp_path) == expected


@pytest.mark.slow
@pytest.mark.ray
def test_ray(tmp_path: Path) -> None:
    ray = pytest.importorskip("ray", reason="Ray is not installed")
    expected = undisturbed(tmp_path / "quiet", 3)
    prepare(fake_plan(3, 0.05), tmp_path / "ray")
    ray.init(address="local", num_cpus=2, include_dashboard=False, logging_level="ERROR", log_to_driver=False)
    try:
        assert run_crew(Place(tmp_path / "ray", runner=NAP), workers=2, ray_address="local")
    finally:
        ray.shutdown()
    assert table(tmp_path / "ray") == expected
    with Store(tmp_path / "ray") as store:
        processes = {(entry.result or {})["clock"][0] for entry in store.entries()}
    assert processes
    assert os.getpid() not in processes


def fragile(task: Task) -> dict[str, Any]:
    """Jobs that go wrong in different ways."""
    if task.job.id == "train/refused":
        raise LudoportError("the board is too large")
    if task.job.id == "train/broken":
        raise ZeroDivisionError("oh")
    if task.job.id == "train/stopped":
        raise Stopped
    return {"network": task.job.id}


def test_failed_jobs_leave_the_others_alone(tmp_path: Path) -> None:
    jobs = [Job(f"train/{name}", "train") for name in ("refused", "broken", "fine")]
    jobs.append(Job("transfer/x", "transfer", needs=("train/refused",)))
    with Store(tmp_path) as store:
        store.enter(jobs)
    assert run_crew(Place(tmp_path, runner=f"{HERE}:fragile"))
    found = outcome(tmp_path)
    assert found.failed == {
        "train/refused": "the board is too large",
        "train/broken": "ZeroDivisionError: oh (see errors.txt)",
    }
    assert (found.done, found.total) == (1, 4)
    assert "ZeroDivisionError: oh" in (tmp_path / "errors.txt").read_text()


def test_stopped_job_goes_back(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter([Job("train/stopped", "train"), Job("train/fine", "train")])
    assert not run_crew(Place(tmp_path, runner=f"{HERE}:fragile"))
    with Store(tmp_path) as store:
        assert [(e.state, e.attempts) for e in store.entries()] == [("waiting", 0), ("waiting", 0)]


def test_ctrl_c_gives_the_job_back(tmp_path: Path) -> None:
    prepare(fake_plan(2, 30.0), tmp_path)
    timer = threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    begin = time.monotonic()
    assert not run_crew(Place(tmp_path, runner=NAP))
    assert time.monotonic() - begin < 20
    with Store(tmp_path) as store:
        assert {e.state for e in store.entries()} == {"waiting"}


@pytest.mark.slow
def test_time_is_up(tmp_path: Path) -> None:
    """Workers of their own are asked to stop, and give back what they do."""
    prepare(fake_plan(2, 60.0), tmp_path)
    assert not run_crew(Place(tmp_path, runner=NAP), workers=2, minutes=0.05)
    with Store(tmp_path) as store:
        assert [(e.state, e.attempts) for e in store.entries("WHERE kind = 'train'")] == [("waiting", 0)] * 2


@pytest.mark.slow
def test_workers_that_cannot_work(tmp_path: Path) -> None:
    prepare(fake_plan(2, 0.0), tmp_path)
    with pytest.raises(LudoportError, match=r"workers cannot start: .*no_such_module"):
        run_crew(Place(tmp_path, runner="no_such_module:nap"), workers=2)
    with pytest.raises(LudoportError, match="must be at least 1, not 0"):
        run_crew(Place(tmp_path), workers=0)


def test_stopper_interrupts_jobs_only() -> None:
    stopper = Stopper()
    stopper.ask()
    with pytest.raises(Stopped), stopper.inside():
        raise AssertionError("a job must not begin any more")
    other = Stopper()
    with pytest.raises(Stopped), other.inside():
        other.ask()
    assert other.asked


def test_notes_are_kept(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter([Job("train/talking", "train")])
    work(Place(tmp_path, runner=f"{HERE}:talking"))
    with Store(tmp_path) as store:
        assert store.entry("train/talking").note == "half done"


def talking(task: Task) -> dict[str, Any]:
    """A job that says how far it is."""
    task.note("half done")
    time.sleep(1.3)
    return {}


@pytest.mark.slow
def test_command_that_measures() -> None:
    app = Typer()
    app.command()(study)
    done = CliRunner().invoke(app, ["--job-seconds", "0.0001", "--workers", "1", "--json"])
    scheduler, resuming = json.loads(done.stdout)["figures"]
    assert not scheduler["reached"], "jobs that take no time are nothing but overhead"
    assert done.exit_code == 1
    assert resuming["detail"] == "1,056 pairs, 5,313 jobs, 2,112 cells"


def test_overhead_can_be_measured(tmp_path: Path) -> None:
    figure = overhead(tmp_path, 2, 0.01, 1)
    assert figure.value > 0
    assert "12 jobs of 0.01 s" in figure.detail
    assert not StudyFigure("x", 2.0, "s", 1.0, "").reached
    with pytest.raises(LudoportError, match="at least one worker"):
        list(measure(0.1, 0))
