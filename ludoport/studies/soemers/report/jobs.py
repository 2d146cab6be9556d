"""Reads from the jobs of a study the basis of its cells: games, seeds and versions."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from ludoport.studies.engine.cells import TableOrder
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.soemers.report.facts import JobFacts

Played = tuple[str, tuple[str, ...]]
"""A game and its options."""

Place = tuple[str, str]
"""The table of a cell, and the job that played it; studies in one report may have jobs with equal names."""


def job_facts(study: str, entry: JobEntry) -> JobFacts:
    """Record of a finished job in a report."""
    job = entry.job
    return JobFacts(study, job.id, job.kind, job.seed, job.params, job.needs, entry.commit or "", entry.seconds)


def cell_jobs(jobs: Iterable[JobFacts]) -> dict[Place, JobFacts]:
    """The jobs that played cells."""
    return {(job.params["cell"]["table"], job.id): job for job in jobs if "cell" in job.params}


def games_of_cells(jobs: Iterable[JobFacts]) -> dict[Place, tuple[Played, Played]]:
    """Source and target of every cell, as far as the jobs record them."""
    known = {(job.study, job.id): job for job in jobs}
    found = {}
    for place, job in cell_jobs(known.values()).items():
        learned = _learned(job, known)
        if learned is not None and "game" in job.params and "game" in learned.params:
            found[place] = _played(learned), _played(job)
    return found


def _learned(job: JobFacts, known: dict[tuple[str, str], JobFacts]) -> JobFacts | None:
    """The training job of the transferred network: training, transfer, perhaps tuning, then playing."""
    while job.kind != "train":
        before = known.get((job.study, job.needs[0])) if job.needs else None
        if before is None:
            return None
        job = before
    return job


def _played(job: JobFacts) -> Played:
    return job.params["game"], tuple(job.params.get("options", ()))


def own_order(order: TableOrder, jobs: Sequence[JobFacts]) -> TableOrder:
    """The table of your own study, in which equal names, and names of one game, are no pair."""
    games: dict[str, Played] = {}
    cells = cell_jobs(jobs)
    for place, (source, target) in games_of_cells(jobs).items():
        cell = cells[place].params["cell"]
        if cell["table"] == order.table:
            games |= {cell["source"]: source, cell["target"]: target}
    return replace(order, same=tuple(_same(order, games)))


def _same(order: TableOrder, games: dict[str, Played]) -> Iterator[tuple[str, str]]:
    for source in order.rows:
        for target in order.columns:
            if source == target or (source in games and games[source] == games.get(target)):
                yield source, target
