"""Ratings beside the run: checkpoints play in a process of their own, which the run does not wait for.

The run writes one line of JSON for each checkpoint; the process, ``rater.py``, keeps results in the run's files and
tells how long it has played. It plays on the CPU, so a device stays with the run.
"""

from __future__ import annotations

import base64
import json
import os
import subprocess
import sys
import threading
import time
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.gamespec import pack_game

if TYPE_CHECKING:
    from ludoport.game import Game


class RatingProcess:
    """The process that rates, seen from the run.

    Args:
        folder: the folder of the run.
        game: its game.

    Attributes:
        spent: seconds that checkpoints have played.
        busy: whether a checkpoint that was asked for has not been rated yet.
        changed: whether there are new results.
    """

    def __init__(self, folder: Path, game: Game) -> None:
        self.spent, self.busy, self.changed = 0.0, False, False
        environment = {**os.environ, "CUDA_VISIBLE_DEVICES": "", "OMP_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}
        environment.pop("NUMBA_ENABLE_CUDASIM", None)
        self._process = subprocess.Popen(
            [sys.executable, "-m", "ludoport.selfplay.rater", str(folder)], env=environment,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, start_new_session=True,
        )  # fmt: skip
        self._send({"game": base64.b64encode(pack_game(game)).decode()})
        threading.Thread(target=self._listen, name="ratings", daemon=True).start()

    @property
    def alive(self) -> bool:
        """Whether the process works."""
        return self._process.poll() is None

    def rate(self, epoch: int, seconds: float, allowed: float) -> None:
        """Ask for the rating of a checkpoint, in place of one that has not begun yet."""
        self.busy = True
        self._send({"epoch": epoch, "seconds": seconds, "allowed": allowed})

    def wait(self, seconds: float, patient: bool) -> None:
        """Wait for the last checkpoint's games, at most this long.

        Args:
            seconds: duration.
            patient: count from the first game that the process has ever played, not from now.
        """
        until = None
        while self.busy and self.alive and (until is None or time.monotonic() < until):
            if until is None and (self.spent > 0 or not patient):
                until = time.monotonic() + seconds
            time.sleep(0.02)

    def end(self) -> None:
        """Ends the process; an unfinished game is lost."""
        with suppress(OSError):
            self._process.kill()
        self._process.wait()

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        with suppress(OSError):  # one that has died rates nothing more, and the run continues
            self._process.stdin.write(json.dumps(message).encode() + b"\n")
            self._process.stdin.flush()

    def _listen(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            message = json.loads(line)
            self.spent += message.get("spent", 0.0)
            self.changed |= "spent" in message
            self.busy &= "done" not in message
        self.busy = False
