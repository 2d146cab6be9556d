"""Jobs of a study and their dependencies."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

Kind = Literal["untrained", "train", "transfer", "tune", "grow", "distill", "evaluate", "time"]
"""Make a network with first weights; train from scratch; transfer a network or a tree; fine-tune a network; build a
tree; make a network of it; play a match; measure what a move costs."""

State = Literal["waiting", "running", "done", "failed"]


@dataclass(frozen=True)
class Job:
    """One piece of work.

    Attributes:
        id: its name, also the folder of its files inside the study's; the same in every run of the study.
        kind: what is to be done.
        params: everything that decides the outcome, as JSON can hold it.
        seed: random seed.
        needs: jobs whose results it uses.
    """

    id: str
    kind: Kind
    params: dict[str, Any] = field(default_factory=dict, hash=False)
    seed: int = 0
    needs: tuple[str, ...] = ()

    def text(self) -> str:
        """Identity of the job, equal for equal jobs."""
        return json.dumps([self.kind, self.params, self.seed, list(self.needs)], sort_keys=True, ensure_ascii=False)


@dataclass(frozen=True)
class JobEntry:
    """A job in a store, with all that is known about it.

    Attributes:
        job: the job.
        state: how far it is.
        worker: the worker that does it, or did.
        attempts: number of times that a worker started it.
        note: the latest news from a job at work.
        result: its result; None before.
        seconds: duration.
        commit: the version of the program that did it.
        error: why it failed.
    """

    job: Job
    state: State
    worker: str | None = None
    attempts: int = 0
    note: str = ""
    result: dict[str, Any] | None = None
    seconds: float | None = None
    commit: str | None = None
    error: str | None = None


def slug(*words: str) -> str:
    """Words as a part of a file name.

    >>> slug("Diagonal Hex", "11×11 Misere")
    'diagonal-hex-11x11-misere'
    """
    text = "-".join(words).lower().replace("×", "x")
    return re.sub(r"[^a-z0-9.]+", "-", text).strip("-")


def seed_of(study: int, job: str) -> int:
    """The seed of a job: from the study's seed and the job's name, so that jobs differ and stay the same."""
    digest = hashlib.sha256(f"{study} {job}".encode()).digest()
    return int.from_bytes(digest[:4], "big") % 2**31


def digest_of(text: Path) -> str:
    """A digest of a game file, which changes when the file is edited."""
    return hashlib.sha256(text.read_bytes()).hexdigest()[:16]
