"""A study on disk: an SQLite file with every job, its worker, and its result.

Several workers, also on several machines, may use one file at the same time: a worker claims a job in a
transaction. Workers say now and then that they are alive; the job of one that is silent for too long, or that is known
to be dead, goes back to those that wait. A result counts only if it comes from the worker that has the job.

No clock is compared with that of another machine: a sign of life is a number that grows, and a worker is silent when an
observer has seen the same number for a minute of its own time.
"""

from __future__ import annotations

import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path, PurePath
from typing import Any, Literal

from ludoport.databases import Unreadable, stored, stored_json
from ludoport.errors import LudoportError
from ludoport.studies.engine.cells import Cell
from ludoport.studies.engine.jobs import Job, JobEntry
from ludoport.studies.engine.scores import Score, cells_of, scores_of
from ludoport.studies.engine.store_file import COMMANDS, StoreFile
from ludoport.studies.engine.watch import Watch
from ludoport.studies.engine.workers import is_alive, is_dead

SILENCE = 60.0
"""Seconds after which a worker that says nothing is taken for dead."""

LOOK = 0.2
"""Seconds between two looks at the signs of life of others."""

ATTEMPTS = 25
"""Number of workers that may die over one job before it is given up.

Twenty that are killed at random moments must not change a table, even if all of them had the same long job; but a job
that kills its workers itself must come to an end."""

Share = Literal["all", "networks", "fixed opponents"]
"""Jobs that a worker may have: all, those that need networks only, or matches against fixed opponents."""

_SHARES: dict[Share, str] = {
    "all": "1",
    "networks": "json_extract(params, '$.against') IS NULL",
    "fixed opponents": "json_extract(params, '$.against') IS NOT NULL",
}

_COLUMNS = "id, kind, params, seed, state, worker, attempts, note, result, seconds, commit_id, error"


class Store(StoreFile):
    """The store of a study; see ``StoreFile`` for how it is opened."""

    def __init__(self, folder: Path, *, create: bool = True) -> None:
        super().__init__(folder, create=create)
        self._watch = Watch()

    def compare(self, jobs: Sequence[Job]) -> dict[str, Job]:
        """Refuse jobs that are others than those of their names here; changes nothing, returns all that are here."""
        known = {entry.job.id: entry.job for entry in self.entries()}
        for job in jobs:
            if job.id in known and not _agree(known[job.id], job):
                raise LudoportError(_differs(self.folder, known[job.id], job))
        return known

    def enter(self, jobs: Sequence[Job], command: str = "") -> None:
        """Make these the jobs that are wanted; those that are there keep their results, failed ones may try again.

        While other commands work on the study, these are wanted besides the others.

        Args:
            jobs: all that a command wants.
            command: its name as of a worker; it is at work until it leaves.
        """
        with self._writing():
            known = self.compare(jobs)
            moved = [(_params(j), j.id) for j in jobs if j.id in known and known[j.id].params != j.params]
            self._base.executemany("UPDATE jobs SET params = ? WHERE id = ?", moved)
            first = len(known)
            fresh = [(n, job) for n, job in enumerate((j for j in jobs if j.id not in known), first)]
            self._base.executemany(
                "INSERT INTO jobs (id, place, kind, params, seed, wanted, state, missing)"
                " VALUES (?, ?, ?, ?, ?, 1, 'waiting', 0)",
                [(job.id, n, job.kind, _params(job), job.seed) for n, job in fresh],
            )
            needs = [(job.id, place, need) for _, job in fresh for place, need in enumerate(job.needs)]
            self._base.executemany("INSERT INTO needs VALUES (?, ?, ?)", needs)
            if not self.busy():
                self._base.execute("UPDATE jobs SET wanted = 0 WHERE wanted = 1")
            self._base.executemany("UPDATE jobs SET wanted = 1, place = ? WHERE id = ?", [*_places(jobs)])
            self._base.executemany(
                "UPDATE jobs SET state = 'waiting', attempts = 0, error = NULL WHERE state = 'failed' AND id = ?",
                [(job.id,) for job in jobs],
            )
            self._count_missing()
            if command:
                self._keep_commands([*self._commands(), command])

    def leave(self, command: str) -> None:
        """A command is no longer at work."""
        with self._writing():
            self._keep_commands([name for name in self._commands() if name != command])

    def busy(self, *, sure: bool = False) -> bool:
        """Whether a command works on the study: it has a job, or started so lately that it may have none yet.

        Args:
            sure: look as long as it takes to tell whether workers of other machines are alive; otherwise they count as
                alive until they were silent for long enough while this store was open.
        """
        first, end = self._signs(), time.monotonic() + SILENCE
        signs = first
        while signs and time.monotonic() < end:
            if not sure or set(signs) - set(first) or any(is_alive(who) for who, *_ in signs):
                return True
            time.sleep(LOOK)
            signs = self._signs()
        return False

    def _signs(self) -> list[tuple[Any, ...]]:
        """Signs of life of all that may be at work."""
        with self._explained():
            gone = {job for job, _ in self._silent()}
            rows = self._base.execute(
                "SELECT worker, id, attempts, heartbeat FROM jobs WHERE state = 'running' ORDER BY id"
            ).fetchall()
            return [row for row in rows if row[1] not in gone] + [(name,) for name in self._commands()]

    def _commands(self) -> list[str]:
        """Commands that came lately and live."""
        row = self._base.execute("SELECT value FROM study WHERE name = ?", (COMMANDS,)).fetchone()
        found = {} if row is None else stored_json(dict, row[0], "the list of commands")
        return [name for name in found if not is_dead(name) and not self._watch.silent(f"command {name}", 0, SILENCE)]

    def _keep_commands(self, commands: list[str]) -> None:
        self._base.execute(
            "INSERT OR REPLACE INTO study VALUES (?, ?)", (COMMANDS, json.dumps(dict.fromkeys(commands, 0)))
        )

    def claim(self, worker: str, commit: str = "", share: Share = "all", like: Job | None = None) -> JobEntry | None:
        """A job that can be done now, which from here on is this worker's; None if there is none.

        Args:
            worker: name of the worker that asks.
            commit: the version of its program.
            share: jobs that it may have.
            like: the job that it did before; another one of the same kind and game comes first.
        """
        ready = f"state = 'waiting' AND wanted = 1 AND missing = 0 AND {_SHARES[share]}"
        if not self._promising(ready):
            return None
        with self._writing():
            self._take_over()
            row = self._base.execute(f"SELECT id, kind FROM jobs WHERE {ready} ORDER BY place LIMIT 1").fetchone()
            if row is None:
                return None
            if like is not None:
                game = like.params.get("game"), json.dumps(like.params.get("options"), ensure_ascii=False)
                same = "kind = ? AND json_extract(params, '$.game') = ? AND json_extract(params, '$.options') = json(?)"
                found = self._base.execute(
                    f"SELECT id FROM jobs WHERE {ready} AND {same} ORDER BY place LIMIT 1", (row[1], *game)
                ).fetchone()
                row = found or row
            self._base.execute(
                "UPDATE jobs SET state = 'running', worker = ?, heartbeat = COALESCE(heartbeat, 0) + 1,"
                " attempts = attempts + 1, note = '', commit_id = ? WHERE id = ?",
                (worker, commit, row[0]),
            )
            return self.entry(row[0])

    def _promising(self, ready: str) -> bool:
        """Whether a look at the jobs with the right to write is worth it; others need not wait for us if not."""
        with self._explained():
            row = self._base.execute(f"SELECT 1 FROM jobs WHERE {ready} LIMIT 1").fetchone()
            return row is not None or bool(self._silent())

    def _silent(self) -> list[tuple[str, int]]:
        """Jobs whose worker is dead, or has not been heard of for too long, and how often they were begun."""
        rows = self._base.execute("SELECT id, worker, heartbeat, attempts FROM jobs WHERE state = 'running'")
        return [
            (job, attempts)
            for job, worker, heard, attempts in rows
            if is_dead(worker) or self._watch.silent(job, (worker, heard, attempts), SILENCE)
        ]

    def _take_over(self) -> None:
        self._keep_commands(self._commands())
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
                "UPDATE jobs SET heartbeat = heartbeat + 1, note = COALESCE(?, note)"
                " WHERE worker = ? AND state = 'running'",
                (note, worker),
            )

    def finish(self, job: str, worker: str, result: dict[str, Any], seconds: float) -> bool:
        """Keep a result; False if the job has been given to another worker meanwhile."""
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

    def again(self, jobs: Sequence[str]) -> None:
        """Let jobs be done once more, as if they never were; those that need them keep their results."""
        with self._writing():
            self._base.executemany(
                "UPDATE jobs SET state = 'waiting', attempts = 0, result = NULL WHERE id = ?", [(job,) for job in jobs]
            )
            self._count_missing()

    def _count_missing(self) -> None:
        self._base.execute(
            "UPDATE jobs SET missing = (SELECT COUNT(*) FROM needs JOIN jobs AS other ON other.id = needs.need"
            " WHERE needs.job = jobs.id AND other.state <> 'done') WHERE state = 'waiting'"
        )

    def release(self, job: str, worker: str) -> None:
        """Give a job back that was interrupted; that attempt does not count."""
        self._end(job, worker, "state = 'waiting', attempts = attempts - 1", ())

    def _end(self, job: str, worker: str, change: str, values: tuple[Any, ...]) -> None:
        with self._writing():
            self._base.execute(
                f"UPDATE jobs SET {change} WHERE id = ? AND worker = ? AND state = 'running'", (*values, job, worker)
            )

    def entry(self, job: str) -> JobEntry:
        """Record of one job."""
        found = self.entries("WHERE id = ?", (job,))
        if not found:
            raise LudoportError(f"{self.path} has no job `{job}`")
        return found[0]

    def entries(self, where: str = "", values: tuple[Any, ...] = ()) -> list[JobEntry]:
        """Records of jobs, in the order of the plan."""
        with self._explained():
            rows = self._base.execute(f"SELECT {_COLUMNS} FROM jobs {where} ORDER BY place, id", values).fetchall()
            picked = " WHERE job = ?" if where == "WHERE id = ?" else ""
            needs: dict[str, list[str]] = {}
            for job, need in self._base.execute(
                f"SELECT job, need FROM needs{picked} ORDER BY job, place", values if picked else ()
            ):
                needs.setdefault(stored(str, job, "a need"), []).append(stored(str, need, f"a need of job {job}"))
            return [_entry(row, needs.get(row[0], [])) for row in rows]

    def results(self, job: Job) -> dict[str, dict[str, Any]]:
        """Results of the jobs that a job needs, by their names."""
        return {need: self.entry(need).result or {} for need in job.needs}

    def counts(self) -> dict[str, dict[str, int]]:
        """Number of wanted jobs of each kind in each state."""
        with self._explained():
            rows = self._base.execute("SELECT kind, state, COUNT(*) FROM jobs WHERE wanted = 1 GROUP BY kind, state")
            found: dict[str, dict[str, int]] = {}
            for kind, state, count in rows:
                found.setdefault(kind, {})[state] = count
            return found

    def wanted(self) -> set[str]:
        """The names of all wanted jobs."""
        with self._explained():
            return {row[0] for row in self._base.execute("SELECT id FROM jobs WHERE wanted = 1")}

    def cells(self) -> list[Cell]:
        """The cells of the study's tables, as far as their games were played."""
        return cells_of(self.entries("WHERE state = 'done'"))

    def scores(self) -> list[Score]:
        """The scores of the study, as far as their games were played."""
        return scores_of(self.entries("WHERE state = 'done'"))

    def seconds(self) -> float:
        """Total time of all finished jobs."""
        with self._explained():
            return float(self._base.execute("SELECT TOTAL(seconds) FROM jobs WHERE state = 'done'").fetchone()[0])

    def over(self) -> bool:
        """Whether nothing is left to do: no wanted job runs, and none can start."""
        with self._explained():
            row = self._base.execute(
                "SELECT 1 FROM jobs WHERE wanted = 1 AND (state = 'running' OR (state = 'waiting' AND missing = 0))"
            ).fetchone()
            return row is None


def _entry(row: tuple[Any, ...], needs: list[str]) -> JobEntry:
    id, kind, params, seed, state, worker, attempts, note, result, seconds, commit, error = row
    for name, value in (("name", id), ("kind", kind), ("state", state)):
        stored(str, value, f"the {name} of job {id}")
    if not _inside(id) or not all(map(_inside, needs)):
        raise Unreadable(f"the name or a need of job {id!r:.60} leads out of the folder")
    for name, value in (("worker", worker), ("note", note), ("commit", commit), ("error", error)):
        stored(str, value or "", f"the {name} of job {id}")
    for name, value in (("attempts", attempts), ("seed", seed)):
        stored(int, value, f"the {name} of job {id}")
    stored(float, seconds or 0.0, f"the seconds of job {id}")
    job = Job(
        id, kind, stored_json(dict, params, f"job {id}"), stored(int, seed, f"the seed of job {id}"), tuple(needs)
    )
    found = None if result is None else stored_json(dict, result, f"the result of job {id}")
    return JobEntry(job, state, worker, attempts, note, found, seconds, commit, error)


def _inside(id: str) -> bool:
    """Whether the folder of a job is in the folder of its study."""
    path = PurePath(id)
    return bool(path.parts) and not path.is_absolute() and ".." not in path.parts and "\0" not in id


def _places(jobs: Sequence[Job]) -> Iterator[tuple[int, str]]:
    yield from ((place, job.id) for place, job in enumerate(jobs))


def _params(job: Job) -> str:
    return json.dumps(job.params, ensure_ascii=False)


def _agree(known: Job, wanted: Job) -> bool:
    """Whether two jobs of one name are the same.

    A game's text is told by its digest, wherever it lies; stores of earlier versions only know where it lies.
    """
    game = str(known.params.get("game", ""))
    if "text" not in wanted.params or not ("text" in known.params or {".", "/"} & set(game)):
        return known.text() == wanted.text()
    moved = {"text": wanted.params["text"], **known.params, "game": wanted.params["game"]}
    return replace(known, params=moved).text() == wanted.text()


def _differs(folder: Path, known: Job, wanted: Job) -> str:
    names = sorted(
        name
        for name in {*known.params, *wanted.params}
        if known.params.get(name, None) != wanted.params.get(name, None)
    )
    if "text" in names:
        names = ["the text of its game"]
    what = ", ".join(names) or "seed or order"
    return f"{folder} holds a study whose job {wanted.id} differs in {what}; choose another folder with --out"


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds")
