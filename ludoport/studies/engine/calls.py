"""The commands that made a study: device, number of workers, machine.

Networks learn for some time, not for some number of steps, so all of this decides how much they learn.
"""

from __future__ import annotations

import os
import platform
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

from ludoport.nets.devices import cards

if TYPE_CHECKING:
    from ludoport.studies.engine.store import Store

_PREFIX = "call "
"""Begins the names of these facts in a store. Each has a name of its own, so commands that work together add theirs."""


@dataclass(frozen=True)
class Call:
    """One way in which ``ludoport study`` was called.

    Attributes:
        machine: processors and cards in words.
        device: device of the networks.
        workers: number of workers at the same time.
        minutes: after which it was to stop; None for no limit.
        ray: the cluster that worked; empty if it was this machine itself.
        helpers: number of further processes that played against fixed opponents.
    """

    machine: str
    device: str = "cpu"
    workers: int = 1
    minutes: float | None = None
    ray: str = ""
    helpers: int = 0

    def options(self) -> str:
        """Options of this call, as the command line has them."""
        words = ["--device", self.device] if self.device != "cpu" else []
        words += ["--workers", str(self.workers)] if self.workers else []  # all of a cluster
        words += ["--helpers", str(self.helpers)] if self.helpers else []
        words += ["--ray-address", self.ray] if self.ray else []
        words += ["--minutes", f"{self.minutes:g}"] if self.minutes is not None else []
        return " ".join(words)


def keep_call(store: Store, call: Call) -> None:
    """Remember a call, unless an equal one is known or everything was done before."""
    if store.over():
        return
    record = asdict(call)
    name = _PREFIX + " ".join(str(value) for value in record.values())
    store.claim_study({name: {**record, "began": time.time()}}, ())


def calls_of(facts: dict[str, Any]) -> list[Call]:
    """The calls that a store knows of, the first one first."""
    records = [value for name, value in facts.items() if name.startswith(_PREFIX)]
    records.sort(key=lambda record: float(record["began"]))
    return [Call(**{name: value for name, value in record.items() if name != "began"}) for record in records]


def command_lines(start: str, calls: Sequence[Call], devices: Sequence[str]) -> str:
    """The commands that made a study.

    Args:
        start: the command without what calls decide.
        calls: those that are known.
        devices: devices on which networks learned, for stores that know of no calls.
    """
    if calls:
        return "; ".join(dict.fromkeys(f"{start} {call.options()}" for call in calls))
    return "; ".join(start if device in ("", "cpu") else f"{start} --device {device}" for device in devices or [""])


def machine(device: str = "cpu") -> str:
    """This machine in words, with its cards where networks are on them."""
    names = cards() if device == "cuda" else []
    counted = [name if names.count(name) == 1 else f"{names.count(name)} {name}" for name in dict.fromkeys(names)]
    return ", ".join([platform.machine(), f"{os.cpu_count()} cores", platform.system(), *counted])
