"""Whole runs, from the start of the process to the finished file: how much of the time is play and learning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.selfplay.costs import useful_share

GOAL = 0.85
"""The share of the wall-clock that should be play and learning, in two minutes with a warm cache."""

MOST_START = 10.0
"""Seconds from the start of the process to the first step, with a warm cache."""

MOST_KEEPING = 0.02
"""The share of checkpoints and ratings."""

CASES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Hex", ("Board Size/7x7",)),
    ("Hex", ("Board Size/11x11",)),
    ("Breakthrough", ("Board Size/8x8",)),
    ("Gardner chess", ()),
)
"""Games and their options."""


@dataclass(frozen=True)
class Whole:
    """One whole run.

    Attributes:
        game: the game and its options.
        warm: whether compiled code was in the cache.
        wall: seconds from the start of the process to its end.
        spent: seconds of each kind, as the run counts them.
        epochs: epochs done.
        positions: positions recorded.
        evaluations_per_second: of the last epoch.
        checkpoint_bytes: size of the checkpoint in bytes.
        policy_loss: of the last epoch.
    """

    game: str
    warm: bool
    wall: float
    spent: dict[str, float]
    epochs: int
    positions: int
    evaluations_per_second: float
    checkpoint_bytes: int
    policy_loss: float | None

    @property
    def useful(self) -> float:
        """Play and learning as a share of the wall-clock."""
        return useful_share(self.spent) * sum(self.spent.values()) / self.wall

    @property
    def keeping(self) -> float:
        """Checkpoints and ratings as a share of the wall-clock."""
        return (self.spent["checkpoint"] + self.spent["rating"]) / self.wall

    @property
    def reached(self) -> bool:
        """Whether all goals were reached; a cold start has none."""
        return not self.warm or (
            self.useful >= GOAL and self.spent["start"] <= MOST_START and self.keeping <= MOST_KEEPING
        )

    def record(self) -> dict[str, Any]:
        """The run for programs."""
        return {**asdict(self), "useful": self.useful, "keeping": self.keeping, "reached": self.reached}

    def told(self) -> str:
        """The run in a line."""
        spent = ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in self.spent.items())
        return (
            f"{self.game} ({'warm' if self.warm else 'cold'}): {self.wall:.1f} s ({spent}); "
            f"{100 * self.useful:.0f} % play and learning, {100 * self.keeping:.1f} % checkpoints and ratings, "
            f"{self.epochs} epochs, {self.evaluations_per_second:,.0f} evaluations/s, "
            f"{self.checkpoint_bytes / 1e6:,.0f} MB of checkpoint"
        )


def measure(
    device: str, minutes: float, cases: Sequence[tuple[str, tuple[str, ...]]] = CASES, settings: Sequence[str] = ()
) -> Iterator[Whole]:
    """A short run of each game, so that the cache is warm, then one of some minutes."""
    with tempfile.TemporaryDirectory(prefix="ludoport-bench-") as folder:
        for number, (game, options) in enumerate(cases):
            for warm in (False, True):
                out = Path(folder) / f"{number}-{warm}"
                yield run(device, game, options, out, minutes if warm else 0.05, warm, settings)


def run(
    device: str,
    game: str,
    options: Sequence[str],
    out: Path,
    minutes: float,
    warm: bool,
    settings: Sequence[str] = (),
) -> Whole:
    """One call of ``ludoport train``, measured from outside."""
    name = "modern" if device == "cuda" else "tiny"
    command = [sys.executable, "-m", "ludoport.cli", "train", game, "--out", str(out), "--json"]
    command += ["--minutes", str(minutes), "--preset", name, "--device", device]
    command += [part for option in options for part in ("-o", option)]
    command += [part for setting in settings for part in ("--set", setting)]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=dict(os.environ))
    wall = time.perf_counter() - begin
    if done.returncode != 0:
        raise LudoportError(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
    found = json.loads(done.stdout)
    last = found["metrics"][-1] if found["metrics"] else {}
    return Whole(
        " ".join([game, *options]), warm, wall, found["spent"], found["epochs"],
        sum(record["positions"] for record in found["metrics"]), last.get("evaluations_per_second", 0.0),
        sum(file.stat().st_size for file in (out / "state").iterdir()), last.get("policy_loss"),
    )  # fmt: skip
