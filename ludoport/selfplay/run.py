"""A run is a folder: its configuration, checkpoints, the state to go on from, metrics and a log.

config.toml       every setting
network.safetensors           the newest network, as players and transfer use it
checkpoints/epoch_00010.safetensors
state.npz         all that the next epoch needs: weights, optimiser, replay, games that go on, random state
metrics.jsonl     one line an epoch; also metrics.parquet and TensorBoard events where their packages are there
log.txt
"""

from __future__ import annotations

import json
import os
import tempfile
import zipfile
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.selfplay.config import TrainConfig

VERSION = 1
"""Raised when older programs could not go on with a run any more."""


class Run:
    """The folder of a run.

    Args:
        folder: where it lies; made if it is not there.
        config: its configuration; a folder that holds another one is refused.
    """

    def __init__(self, folder: Path, config: TrainConfig) -> None:
        self.folder, self.config = folder, config
        path = folder / "config.toml"
        if path.exists():
            kept = TrainConfig.from_toml(path.read_text(), str(path))
            if kept != config:
                names = [n for n in vars(config) if getattr(config, n) != getattr(kept, n)]
                raise LudoportError(
                    f"{folder} holds another run, which differs in {', '.join(names)}; choose another folder"
                )
        elif folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise LudoportError(f"{folder} is there already and is no run; choose another folder")
        else:
            (folder / "checkpoints").mkdir(parents=True, exist_ok=True)
            write_bytes(path, config.to_toml().encode())

    @property
    def state_file(self) -> Path:
        """All that the next epoch needs."""
        return self.folder / "state.npz"

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
        with tempfile.NamedTemporaryFile(dir=self.folder, prefix=".state.", delete=False) as file:
            temporary = Path(file.name)
            try:
                np.savez(file, header=np.frombuffer(record, dtype=np.uint8), **arrays)  # type: ignore[arg-type]
                file.flush()
                os.fsync(file.fileno())
            except OSError as error:
                temporary.unlink(missing_ok=True)
                raise LudoportError(f"{self.state_file}: {error.strerror}; the checkpoint before is kept") from None
        temporary.replace(self.state_file)

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
        return arrays, facts

    def metrics(self) -> list[dict[str, Any]]:
        """One record an epoch, so far."""
        path = self.folder / "metrics.jsonl"
        return [json.loads(line) for line in path.read_text().splitlines()] if path.exists() else []

    def keep_metrics(self, records: list[dict[str, Any]]) -> None:
        """Write all metrics, for programs that read lines and for those that read tables."""
        text = "".join(json.dumps(record) + "\n" for record in records)
        write_bytes(self.folder / "metrics.jsonl", text.encode())

    def export_metrics(self) -> None:
        """Write the metrics as Parquet and for TensorBoard, where the packages are there."""
        records = self.metrics()
        if not records:
            return
        try:
            import pyarrow as pa
            import pyarrow.parquet as pq

            pq.write_table(pa.Table.from_pylist(records), self.folder / "metrics.parquet")
        except ImportError:
            pass
        try:
            from torch.utils.tensorboard import SummaryWriter
        except ImportError:
            return
        with SummaryWriter(str(self.folder / "tensorboard")) as writer:
            for record in records:
                for name, value in record.items():
                    if isinstance(value, (int, float)) and name != "epoch":
                        writer.add_scalar(name, value, record["epoch"])

    def log(self, line: str) -> None:
        """Add a line to the log."""
        with (self.folder / "log.txt").open("a") as file:
            file.write(line + "\n")


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file beside its place and then move it there."""
    with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())
    Path(file.name).replace(path)
