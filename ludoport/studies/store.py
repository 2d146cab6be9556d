"""A study on disk: an SQLite file with every job, who works on it, and what came out.

Several workers, also on several machines, may use one file at the same time: whoever wants a job claims it in a
transaction. Workers say now and then that they are alive; the job of one that is silent for too long, or that is known
to be dead, goes back to those that wait. A result counts only if it comes from the worker that has the job.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.studies.cells import Cell
from ludoport.studies.jobs import Entry, Job
from ludoport.studies.scores import Score, cells_of, scores_of
from ludoport.studies.store_file import StoreFile
from ludoport.studies.workers import is_dead

SILENCE = 60.0
"""Seconds after which a worker that says nothing is taken for dead."""

ATTEMPTS = 5
"""So many workers may die over one job before it is given up."""

_COLUMNS = "id, kind, params, seed, state, worker, attempts, note, result, seconds, commit_id, error"


class Store(StoreFile):
    """The store of a study; see ``StoreFile`` for how it is opened."""

    def enter(self, jobs: Sequence[Job]) -> None:
        """Make these the jobs that are wanted; those that are there keep their results, failed ones may try again."""
        with self._writing():
            known = {entry.job.id: entry.job for entry in self.entries()}
            for job in jobs:
                if job.id in known and known[job.id].text() != job.text():
                    raise LudoportError(_differs(self.folder, known[job.id], job))
            first = len(known)
            fresh = [(n, job) for n, job in enumerate((j for j in jobs if j.id not in known), first)]
            self._base.executemany(
                "INSERT INTO jobs (id, place, kind, params, seed, wanted, state, missing)"
                " VALUES (?, ?, ?, ?, ?, 1, 'waiting', 0)",
                [(job.id, n, job.kind, json.dumps(job.params, ensure_ascii=False), job.seed) for n, job in fresh],
            )
            needs = [(job.id, place, need) for _, job in fresh for place, need in enumerate(job.needs)]
            self._base.executemany("INSERT INTO needs VALUES (?, ?, ?)", needs)
            self._base.execute("UPDATE jobs SET wanted = 0 WHERE wanted = 1")
            self._base.executemany("UPDATE jobs SET wanted = 1, place = ? WHERE id = ?", [*_places(jobs)])
            self._base.execute(
                "UPDATE jobs SET state = 'waiting', attempts = 0, error = NULL WHERE state = 'failed' AND wanted = 1"
            )
            self._base.execute(
                "UPDATE jobs SET missing = (SELECT COUNT(*) FROM needs JOIN jobs AS other ON other.id = needs.need"
                " WHERE needs.job = jobs.id AND other.state <> 'done') WHERE state = 'waiting'"
            )

    def claim(self, worker: str, commit: str = "") -> Entry | None:
        """A job that can be done now, which from here on is this worker's; None if there is none."""
        if not self._promising():
            return None
        with self._writing():
            self._take_over()
            row = self._base.execute(
                "SELECT id FROM jobs WHERE state = 'waiting' AND wanted = 1 AND missing = 0 ORDER BY place LIMIT 1"
            ).fetchone()
            if row is None:
                return None
            self._base.execute(
                "UPDATE jobs SET state = 'running', worker = ?, heartbeat = ?, attempts = attempts + 1, note = '',"
                " commit_id = ? WHERE id = ?",
                (worker, time.time(), commit, row[0]),
            )
            return self.entry(row[0])

    def _promising(self) -> bool:
        """Whether a look at the jobs with the right to write is worth it; others need not wait for us if not."""
        with self._explained():
            row = self._base.execute(
                "SELECT 1 FROM jobs WHERE wanted = 1 AND (state = 'waiting' AND missing = 0) LIMIT 1"
            ).fetchone()
            return row is not None or bool(self._silent())

    def _silent(self) -> list[tuple[str, int]]:
        """Jobs whose worker is dead, or has not been heard of for too long, and how often they were begun."""
        rows = self._base.execute("SELECT id, worker, heartbeat, attempts FROM jobs WHERE state = 'running'")
        late = time.time() - SILENCE
        return [(job, attempts) for job, worker, heard, attempts in rows if heard < late or is_dead(worker)]

    def _take_over(self) -> None:
        for job, attempts in self._silent():
            if attempts >= ATTEMPTS:
                error = f"given up: {attempts} workers died over it"
                self._base.execute("UPDATE jobs SET state = 'failed', error = ? WHERE id = ?", (error, job))
            else:
                self._base.execute("UPDATE jobs SET state = 'waiting' WHERE id = ?", (job,))

    def beat(self, worker: str, note: str | None = None) -> None:
        """Say that a worker is alive, and perhaps what is new."""
        with self._writing():
            self._base.execute(
                "UPDATE jobs SET heartbeat = ?, note = COALESCE(?, note) WHERE worker = ? AND state = 'running'",
                (time.time(), note, worker),
            )

    def finish(self, job: str, worker: str, result: dict[str, Any], seconds: float) -> bool:
        """Keep a result; False if the job has been given to somebody else meanwhile."""
        with self._writing():
            done = self._base.execute(
                "UPDATE jobs SET state = 'done', result = ?, seconds = ?, ended = ?, error = NULL"
                " WHERE id = ? AND worker = ? AND state = 'running'",
                (json.dumps(result, ensure_ascii=False), round(seconds, 3), _now(), job, worker),
            )
            if done.rowcount:
                self._base.execute(
                    "UPDATE jobs SET missing = missing - 1 WHERE id IN (SELECT job FROM needs WHERE need = ?)", (job,)
                )
            return bool(done.rowcount)

    def fail(self, job: str, worker: str, error: str) -> None:
        """Keep why a job could not be done."""
        self._end(job, worker, "state = 'failed', error = ?, ended = ?", (error, _now()))

    def release(self, job: str, worker: str) -> None:
        """Give a job back that was interrupted; that attempt does not count."""
        self._end(job, worker, "state = 'waiting', attempts = attempts - 1", ())

    def _end(self, job: str, worker: str, change: str, values: tuple[Any, ...]) -> None:
        with self._writing():
            self._base.execute(
                f"UPDATE jobs SET {change} WHERE id = ? AND worker = ? AND state = 'running'", (*values, job, worker)
            )

    def entry(self, job: str) -> Entry:
        """What is known about one job."""
        found = self.entries("WHERE id = ?", (job,))
        if not found:
            raise LudoportError(f"{self.path} has no job `{job}`")
        return found[0]

    def entries(self, where: str = "", values: tuple[Any, ...] = ()) -> list[Entry]:
        """What is known about jobs, in the order of the plan."""
        with self._explained():
            rows = self._base.execute(f"SELECT {_COLUMNS} FROM jobs {where} ORDER BY place, id", values).fetchall()
            picked = " WHERE job = ?" if where == "WHERE id = ?" else ""
            needs: dict[str, list[str]] = {}
            for job, need in self._base.execute(
                f"SELECT job, need FROM needs{picked} ORDER BY job, place", values if picked else ()
            ):
                needs.setdefault(job, []).append(need)
        return [_entry(row, needs.get(row[0], [])) for row in rows]

    def results(self, job: Job) -> dict[str, dict[str, Any]]:
        """What came out of the jobs that a job needs."""
        return {need: self.entry(need).result or {} for need in job.needs}

    def counts(self) -> dict[str, dict[str, int]]:
        """How many wanted jobs of each kind are in each state."""
        with self._explained():
            rows = self._base.execute("SELECT kind, state, COUNT(*) FROM jobs WHERE wanted = 1 GROUP BY kind, state")
            found: dict[str, dict[str, int]] = {}
            for kind, state, count in rows:
                found.setdefault(kind, {})[state] = count
            return found

    def cells(self) -> list[Cell]:
        """The cells of the study's tables, as far as their games were played."""
        return cells_of(self.entries("WHERE state = 'done'"))

    def scores(self) -> list[Score]:
        """The scores of the study, as far as their games were played."""
        return scores_of(self.entries("WHERE state = 'done'"))

    def seconds(self) -> float:
        """How long all finished jobs took together."""
        with self._explained():
            return float(self._base.execute("SELECT TOTAL(seconds) FROM jobs WHERE state = 'done'").fetchone()[0])

    def over(self) -> bool:
        """Whether nothing can be done any more: no wanted job runs, and none can begin."""
        with self._explained():
            row = self._base.execute(
                "SELECT 1 FROM jobs WHERE wanted = 1 AND (state = 'running' OR (state = 'waiting' AND missing = 0))"
            ).fetchone()
            return row is None


def _entry(row: tuple[Any, ...], needs: list[str]) -> Entry:
    id, kind, params, seed, state, worker, attempts, note, result, seconds, commit, error = row
    job = Job(id, kind, json.loads(params), seed, tuple(needs))
    found = None if result is None else json.loads(result)
    return Entry(job, state, worker, attempts, note, found, seconds, commit, error)


def _places(jobs: Sequence[Job]) -> Iterator[tuple[int, str]]:
    yield from ((place, job.id) for place, job in enumerate(jobs))


def _differs(folder: Path, known: Job, wanted: Job) -> str:
    names = sorted(
        name
        for name in {*known.params, *wanted.params}
        if known.params.get(name, None) != wanted.params.get(name, None)
    )
    what = ", ".join(names) or "seed or order"
    return f"{folder} holds a study whose job {wanted.id} differs in {what}; choose another folder with --out"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
