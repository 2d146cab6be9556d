"""Whole runs, from the start of the process to the finished file: how much of the time is play and learning."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.selfplay.costs import useful_share

GOAL = 0.85
"""The share of the wall-clock that should be play and learning, in two minutes with a warm cache."""

MOST_START = 10.0
"""Seconds from the start of the process to the first step, with a warm cache."""

MOST_KEEPING = 0.02
"""The share of checkpoints and ratings."""


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
        written_bytes: bytes that all checkpoints wrote.
        position_bytes: bytes of a position of the replay in memory.
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
    written_bytes: int
    position_bytes: int
    policy_loss: float | None

    @property
    def useful(self) -> float:
        """Play and learning as a share of the wall-clock."""
        return useful_share(self.spent) * sum(self.spent.values()) / self.wall

    @property
    def keeping(self) -> float:
        """Checkpoints and ratings as a share of the wall-clock."""
        return (self.spent["checkpoint"] + self.spent["rating"]) / self.wall

    def told(self) -> str:
        """The run in a line."""
        spent = ", ".join(f"{kind} {seconds:.1f}" for kind, seconds in self.spent.items())
        return (
            f"{self.game} ({'warm' if self.warm else 'cold'}): {self.wall:.1f} s ({spent}); "
            f"{100 * self.useful:.0f} % play and learning, {100 * self.keeping:.1f} % checkpoints and ratings, "
            f"{self.epochs} epochs, {self.evaluations_per_second:,.0f} evaluations/s, "
            f"{self.checkpoint_bytes / 1e6:,.0f} MB of checkpoint"
        )


def run(
    device: str,
    game: str,
    options: Sequence[str],
    out: Path,
    minutes: float,
    warm: bool,
    settings: Sequence[str] = (),
    environment: Mapping[str, str] = {},
    epochs: int | None = None,
) -> Whole:
    """One call of ``ludoport train``, measured from outside.

    Args:
        device: device of the training.
        game: the game.
        options: its options.
        out: the folder of the run.
        minutes: length of the run; not used if ``epochs`` are given.
        warm: whether compiled code is in the cache, for the result.
        settings: further settings, such as ``games=64``.
        environment: further environment variables.
        epochs: length of the run in epochs.
    """
    name = "modern" if device == "cuda" else "tiny"
    command = [sys.executable, "-m", "ludoport.cli", "train", game, "--out", str(out), "--json"]
    command += ["--minutes", str(minutes)] if epochs is None else ["--epochs", str(epochs)]
    command += ["--preset", name, "--device", device]
    command += [part for option in options for part in ("-o", option)]
    command += [part for setting in settings for part in ("--set", setting)]
    begin = time.perf_counter()
    done = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    wall = time.perf_counter() - begin
    if done.returncode != 0:
        raise LudoportError(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
    found = json.loads(done.stdout)
    last = found["metrics"][-1] if found["metrics"] else {}
    return Whole(
        " ".join([game, *options]), warm, wall, found["spent"], found["epochs"],
        sum(record["positions"] for record in found["metrics"]), last.get("evaluations_per_second", 0.0),
        sum(file.stat().st_size for file in (out / "state").iterdir()),
        found["checkpoint_bytes"], found["position_bytes"], last.get("policy_loss"),
    )  # fmt: skip
