"""A run is a folder: its configuration, checkpoints, the state to go on from, metrics, ratings and a log.

config.toml       every setting
network.safetensors           the newest network, as players and transfer use it
checkpoints/epoch_00010.safetensors
state.npz         all that the next epoch needs: weights, optimiser, replay, games that go on, random state
metrics.jsonl     one line an epoch; also metrics.parquet and TensorBoard events where their packages are there
ratings.jsonl     what checkpoints scored against others; matches.sqlite keeps their games
learning.png      losses and ratings over time, where matplotlib is there
log.txt
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.files import replacing
from ludoport.selfplay.config import TrainConfig

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]

VERSION = 3
"""Raised when what a run goes on from changes."""

STATE = "state.npz"
"""What a run goes on from."""


class Run:
    """The folder of a run.

    Args:
        folder: where it lies; ``create`` makes it if it is not there.
        config: its configuration; a folder that holds another one is refused.
    """

    def __init__(self, folder: Path, config: TrainConfig) -> None:
        self.folder, self.config = folder, config
        path = folder / "config.toml"
        if path.exists():
            kept = TrainConfig.from_toml(path.read_text(), str(path))
            names = [n for n in vars(config) if getattr(config, n) != getattr(kept, n)]
            if config.game.casefold() == kept.game.casefold() and "game" in names:
                names.remove("game")  # games are found whatever their case
            if names:
                raise LudoportError(
                    f"{folder} holds another run, which differs in {', '.join(names)}; choose another folder"
                )
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise LudoportError(f"{folder} is there already and is no run; choose another folder")

    def create(self) -> None:
        """Make the folder, unless it is there."""
        if (self.folder / "config.toml").exists():
            return
        try:
            (self.folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LudoportError(f"{self.folder}: cannot be made ({error.strerror})") from None
        write_bytes(self.folder / "config.toml", self.config.to_toml().encode())

    @contextmanager
    def working(self) -> Iterator[None]:
        """Keep others from working on the same run; what a killed process left half-written is removed."""
        self.create()
        with (self.folder / ".lock").open("a") as lock:
            if fcntl is not None:
                try:
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise LudoportError(f"{self.folder}: another process works on this run") from None
            for left in [*self.folder.glob(".*.*"), *(self.folder / "checkpoints").glob(".*.*")]:
                left.unlink(missing_ok=True)
            yield

    @property
    def state_file(self) -> Path:
        """All that the next epoch needs."""
        return self.folder / STATE

    @property
    def network_file(self) -> Path:
        """The newest network."""
        return self.folder / "network.safetensors"

    def checkpoint_file(self, epoch: int) -> Path:
        """The network after an epoch."""
        return self.folder / "checkpoints" / f"epoch_{epoch:05d}.safetensors"

    def save_state(self, arrays: dict[str, NDArray[Any]], facts: dict[str, Any]) -> None:
        """Keep what the next epoch needs; a run that is killed meanwhile has the state before."""
        record = json.dumps({"version": VERSION, **facts}).encode()

        def write(file: IO[bytes]) -> None:
            np.savez(file, header=np.frombuffer(record, dtype=np.uint8), **arrays)  # type: ignore[arg-type]

        _write(self.state_file, write)

    def load_state(self) -> tuple[dict[str, NDArray[Any]], dict[str, Any]] | None:
        """What the last checkpoint kept, None if there was none."""
        if not self.state_file.exists():
            return None
        try:
            with np.load(self.state_file, allow_pickle=False) as kept:
                arrays = {name: kept[name] for name in kept.files}
            facts: dict[str, Any] = json.loads(arrays.pop("header").tobytes())
        except (OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
            raise LudoportError(f"{self.state_file}: damaged ({error})") from None
        if facts.get("version", 0) > VERSION:
            raise LudoportError(f"{self.state_file}: written by a newer version of Ludoport")
        if facts.get("version", 0) < VERSION:
            raise LudoportError(
                f"{self.state_file}: written by an older version of Ludoport; begin a new run with --init {self.folder}"
            )
        return arrays, facts

    def metrics(self) -> list[dict[str, Any]]:
        """One record an epoch, so far."""
        return self.lines("metrics.jsonl")

    def keep_metrics(self, records: list[dict[str, Any]]) -> None:
        """Write all metrics, for programs that read lines and for those that read tables."""
        text = "".join(json.dumps(record) + "\n" for record in records)
        write_bytes(self.folder / "metrics.jsonl", text.encode())

    def export_metrics(self) -> None:
        """Write the metrics as Parquet and, those that are new, for TensorBoard, where the packages are there."""
        records = self.metrics()
        if not records:
            return
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq

            table = pa.BufferOutputStream()
            pq.write_table(pa.Table.from_pylist(records), table)
            write_bytes(self.folder / "metrics.parquet", table.getvalue().to_pybytes())
        except ImportError:
            pass
        self._export_events(records)

    def _export_events(self, records: list[dict[str, Any]]) -> None:
        """Write what TensorBoard does not know yet; a file beside its own tells how far it does."""
        folder = self.folder / "tensorboard"
        note = folder / "epochs.txt"
        known = int(note.read_text()) if note.exists() else 0
        new = [record for record in records if record["epoch"] > known]
        if not new:
            return
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        with SummaryWriter(str(folder)) as writer:
            for record in new:
                for name, value in record.items():
                    if isinstance(value, (int, float)) and name != "epoch":
                        writer.add_scalar(name, value, record["epoch"])
        write_bytes(note, str(new[-1]["epoch"]).encode())

    def log(self, line: str) -> None:
        """Add a line to the log."""
        self.add_line("log.txt", line)

    def add_line(self, name: str, line: str) -> None:
        """Add a line to one of the run's files."""
        path = self.folder / name
        try:
            with path.open("a", encoding="utf-8") as file:
                file.write(line + "\n")
        except OSError as error:
            raise _refused(path, error) from None

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The records of one of the run's files, one a line; a line that was cut short is left out."""
        path = self.folder / name
        found: list[dict[str, Any]] = []
        for line in path.read_text(encoding="utf-8").splitlines() if path.exists() else ():
            try:
                found.append(json.loads(line))
            except ValueError:
                continue
        return found


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file beside its place and then move it there."""
    _write(path, lambda file: file.write(data))


def _write(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    try:
        with replacing(path) as file:
            write(file)
    except OSError as error:
        raise _refused(path, error) from None


def _refused(path: Path, error: OSError) -> LudoportError:
    # A file lies in the folder of the run, or in one of its folders.
    kept = any((folder / STATE).exists() for folder in path.parents[:2])
    what = "the run keeps its last checkpoint" if kept else "the run has no checkpoint yet"
    return LudoportError(f"{path}: cannot be written ({error.strerror}); {what}")
