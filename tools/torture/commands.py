"""Long commands, and what must be the same however often they were interrupted."""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

PROGRAM = "import sys; from ludoport.cli import main; main(sys.argv[1:])"
STUDY = """
import sys
from pathlib import Path
from ludoport.bench.study import NAP, fake_plan
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.run import prepare
from ludoport.studies.engine.work import Place

prepare(fake_plan(4, 0.1), Path(sys.argv[1]))
sys.exit(not run_crew(Place(Path(sys.argv[1]), runner=NAP), workers=2))
"""
"""A study whose jobs only wait: what is killed is what runs jobs, not what they do."""


@dataclass(frozen=True)
class Long:
    """A long command.

    Attributes:
        arguments: of the program; ``OUT`` stands for its folder.
        result: what must be the same at the end.
        program: in Python.
    """

    arguments: tuple[str, ...]
    result: Callable[[Path], str]
    program: str = PROGRAM

    def start(self, folder: Path, before: str = "", limit: Callable[[], None] | None = None) -> subprocess.Popen[str]:
        """Begin it, in a process group of its own.

        Args:
            folder: where it writes.
            before: what its process does first.
            limit: called in the new process.
        """
        words = [word.replace("OUT", str(folder)) for word in self.arguments]
        return subprocess.Popen(
            [sys.executable, "-c", before + self.program, *words],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "OMP_NUM_THREADS": "1"},
            preexec_fn=limit,
        )


def _games(folder: Path) -> str:
    """All games of a match file, without times."""
    base = sqlite3.connect(folder / "match.sqlite")
    rows = base.execute("SELECT number, first, start_seed, seed, outcome, moves FROM games ORDER BY number").fetchall()
    base.close()
    return _digest(repr(rows).encode())


def _bytes(name: str) -> Callable[[Path], str]:
    return lambda folder: _digest((folder / name).read_bytes())


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()[:16]


def _weights(folder: Path) -> str:
    from safetensors.numpy import load_file

    tensors = load_file(folder / "run" / "network.safetensors")
    return _digest(b"".join(name.encode() + tensors[name].tobytes() for name in sorted(tensors)))


def _cells(folder: Path) -> str:
    """The results of all jobs of a study, without times and workers."""
    base = sqlite3.connect(folder / "study" / "study.sqlite")
    rows = base.execute("SELECT id, kind, params, seed, state, result FROM jobs ORDER BY id").fetchall()
    base.close()
    found = [
        (*row, {name: value for name, value in json.loads(result).items() if name != "clock"}) for *row, result in rows
    ]
    return _digest(repr(found).encode())


COMMANDS = {
    "match": Long(
        ("match", "uct:30", "random", "--game", "Tic-Tac-Toe", "--games", "60", "--workers", "2",
         "--out", "OUT/match.sqlite"),
        _games,
    ),
    "tree": Long(
        ("tree", "build", "Tic-Tac-Toe", "--simulations", "30000", "--workers", "4", "--threads", "2",
         "--nodes", "200000", "--out", "OUT/a.tree"),
        _bytes("a.tree"),
    ),
    "train": Long(
        ("train", "Tic-Tac-Toe", "--preset", "tiny", "--epochs", "4", "--out", "OUT/run", "--set", "games=16",
         "--set", "positions=256", "--set", "simulations=8", "--set", "warmup=128", "--set", "rating_share=0"),
        _weights,
    ),
    "study": Long(("OUT/study",), _cells, STUDY),
}  # fmt: skip
"""The commands that are killed."""
