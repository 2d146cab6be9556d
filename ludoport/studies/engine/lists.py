"""The games of jobs that learn many games, and of a whole study, as lines of a list."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoport.files import write_atomically
from ludoport.studies.engine.jobs import Job

VARIED = "varied"
"""The folder of varied games in that of a study; they are made once, and packed with the study."""

LIST = "games.txt"
"""The list of all games of a study, as ``ludoport compile --games`` takes it."""

SPARE = 5
"""Varied games that are made at a time where those there are not enough."""


def lines_of(params: Mapping[str, Any], folder: Path, note: Callable[[str], None] = lambda _: None) -> list[str]:
    """The games of a job.

    Args:
        params: what decides the job; ``games`` are lines of a list, ``varied`` says which varied games come to them.
        folder: the folder of the study.
        note: called with news of the job.
    """
    if "varied" in params:
        wanted = params["varied"]
        return [*params["games"], *_varied(folder, wanted["count"], wanted["seed"], wanted["without"], note)]
    return ["; ".join((params["game"], *params["options"]))]


def _varied(folder: Path, count: int, seed: int, without: Sequence[str], note: Callable[[str], None]) -> list[str]:
    """Varied games but for some families; the first ones are the same however many are asked for."""
    from ludoport.varied.making import LIST as MADE
    from ludoport.varied.making import write_games
    from ludoport.varied.templates import FAMILIES

    if not count:
        return []
    place = folder / VARIED / str(seed)
    total = -(-count * len(FAMILIES) // (len(FAMILIES) - len(without)))
    while True:
        there = (place / MADE).read_text(encoding="utf-8").splitlines() if (place / MADE).is_file() else []
        fitting = [name for name in there if not name.startswith(tuple(without))]  # names begin with the family's
        if len(fitting) >= count:
            return [str(place / name) for name in fitting[:count]]
        total += SPARE if len(there) >= total else 0
        note(f"making {total} varied games")
        list(write_games(place, total, seed))


def write_list(jobs: Iterable[Job], folder: Path) -> Path:
    """Write all games of some jobs, each once, with paths relative to the folder; varied games are made."""
    found: dict[str, None] = {}
    for job in jobs:
        found |= dict.fromkeys(line.removeprefix(f"{folder}/") for line in lines_of(job.params, folder))
    folder.mkdir(parents=True, exist_ok=True)
    write_atomically(folder / LIST, "".join(f"{line}\n" for line in found))
    return folder / LIST
