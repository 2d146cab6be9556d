"""Several commands on one study, commands that are refused, and commands that are told to stop."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from ludoport.bench.study import NAP, fake_plan
from ludoport.errors import LudoportError
from ludoport.studies.demo.study import QUICK, plan_demo, run_demo
from ludoport.studies.engine import crew
from ludoport.studies.engine import store as store_module
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.jobs import Job
from ludoport.studies.engine.plan import StudyPlan
from ludoport.studies.engine.run import at_work, outcome, prepare
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import Task
from ludoport.studies.engine.work import Place
from ludoport.studies.engine.workers import here, is_dead

WHOLE = fake_plan(3, 0.0)
FIRST, SECOND = (replace(WHOLE, jobs=(job,)) for job in WHOLE.jobs[:2])


def names(plan: StudyPlan) -> set[str]:
    return {job.id for job in plan.jobs}


def test_two_commands_want_different_parts(tmp_path: Path) -> None:
    prepare(WHOLE, tmp_path)
    with at_work(FIRST, tmp_path), Store(tmp_path) as store:
        assert store.wanted() == names(FIRST), "nobody wants the rest any more"
        with at_work(SECOND, tmp_path):
            assert store.wanted() == names(FIRST) | names(SECOND)
            run_crew(Place(tmp_path, runner=NAP))
        for part in (FIRST, SECOND):
            found = outcome(tmp_path, True, names(part))
            assert (found.done, found.total) == (1, 1)
    with Store(tmp_path) as store:
        assert not store.busy()
        assert "commands" not in store.facts()
    prepare(SECOND, tmp_path)
    with Store(tmp_path) as store:
        assert store.wanted() == names(SECOND)


def test_commands_with_jobs_are_not_disturbed(tmp_path: Path) -> None:
    """Also those that came long ago, or from an earlier version."""
    with Store(tmp_path) as store:
        store.enter(FIRST.jobs)
        store.claim("elsewhere:1:x")
        store.enter(SECOND.jobs)
        assert store.wanted() == names(FIRST) | names(SECOND)


def test_dead_commands_want_nothing(tmp_path: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", "pass"])
    child.wait()
    with Store(tmp_path) as store:
        store.enter(FIRST.jobs, f"{here()}:{child.pid}:x")
        store.enter(SECOND.jobs)
        assert store.wanted() == names(SECOND)


def test_failures_of_others_are_theirs(tmp_path: Path) -> None:
    with Store(tmp_path) as store:
        store.enter(FIRST.jobs, "elsewhere:1:x")
        store.claim("elsewhere:1:y")
        store.fail(FIRST.jobs[0].id, "elsewhere:1:y", "the disk was full")
        store.enter(SECOND.jobs, "elsewhere:2:x")
        assert store.entry(FIRST.jobs[0].id).state == "failed"
    assert not outcome(tmp_path, True, names(SECOND)).failed
    assert list(outcome(tmp_path, True, names(FIRST)).failed) == [FIRST.jobs[0].id]


@pytest.mark.parametrize(
    "other",
    [fake_plan(3, 0.0, seed=2), fake_plan(3, 1.0), replace(WHOLE, preset="paper")],
    ids=["seed", "job", "preset"],
)
def test_refused_command_changes_nothing(tmp_path: Path, other: StudyPlan) -> None:
    prepare(WHOLE, tmp_path)
    outcome(tmp_path)
    before = (tmp_path / FILE).read_bytes()
    with pytest.raises(LudoportError, match="choose another folder"):
        prepare(other, tmp_path)
    assert (tmp_path / FILE).read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == [FILE]


@pytest.mark.slow
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_signal_stops_all_workers(tmp_path: Path, number: signal.Signals) -> None:
    prepare(fake_plan(2, 60.0), tmp_path)
    workers: list[str] = []

    def look() -> None:
        if not workers:
            with Store(tmp_path) as store:
                running = [entry.worker or "" for entry in store.entries("WHERE state = 'running'")]
            if len(running) == 2:
                workers.extend(running)
                os.kill(os.getpid(), number)

    before = signal.signal(number, lambda *_: None)  # if nobody hears it, the time must come to an end, not the tests
    begin = time.monotonic()
    try:
        assert not run_crew(Place(tmp_path, runner=NAP), workers=2, look=look, minutes=0.6)
    finally:
        signal.signal(number, before)
    assert time.monotonic() - begin < 30
    assert len(workers) == 2
    assert all(is_dead(worker) for worker in workers)
    with Store(tmp_path) as store:
        assert {(entry.state, entry.attempts) for entry in store.entries()} == {("waiting", 0)}


def deadly(task: Task) -> dict[str, Any]:
    """A job over which three workers are killed."""
    task.folder.joinpath(f"victim-{os.getpid()}").touch()
    if len([*task.folder.glob("victim-*")]) <= 3:
        os.kill(os.getpid(), signal.SIGKILL)
    return {}


@pytest.mark.slow
def test_killed_workers_are_no_sign_that_none_can_work(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(crew, "QUICK_DEATHS", 1)
    with Store(tmp_path) as store:
        store.enter([Job("train/a", "train")])
    assert run_crew(Place(tmp_path, runner=f"{__name__}:deadly"), workers=2)
    assert outcome(tmp_path).done == 1


def test_twenty_dead_workers_are_not_too_many(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "SILENCE", -1.0)
    with Store(tmp_path) as store:
        store.enter(FIRST.jobs)
        assert all(store.claim("elsewhere:1:x") is not None for _ in range(20 + 1))


def test_demonstration_at_work_is_left_alone(tmp_path: Path) -> None:
    folder = tmp_path / "demo"
    with at_work(plan_demo(QUICK), folder):
        with pytest.raises(LudoportError, match="another demonstration is running in"):
            run_demo(QUICK, folder, lambda _: None)
        assert (folder / FILE).is_file()
