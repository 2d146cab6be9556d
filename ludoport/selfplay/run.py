"""A run is a folder: its configuration, checkpoints, metrics, ratings and a log.

config.toml       every setting
network.safetensors           the newest network, as players and transfer use it
checkpoints/epoch_00010.safetensors
state/            the checkpoint, see ``checkpoints.py``: weights, optimiser, replay, games under way, random state
metrics.jsonl     one line an epoch; also metrics.parquet and TensorBoard events where their packages are there
ratings.jsonl     what checkpoints scored against others; matches.sqlite keeps their games
learning.png      losses and ratings over time, where matplotlib is there
log.txt
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import IO, Any

from ludoport.arena.specification import refuse_code
from ludoport.errors import LudoportError
from ludoport.files import damaged, parse_json, read_text
from ludoport.selfplay.checkpoints import NEW_RUN, Checkpoints, refused, write_kept
from ludoport.selfplay.config import FREE, TrainConfig

try:
    import fcntl
except ImportError:  # not on Windows
    fcntl = None  # type: ignore[assignment]


def _locked(lock: IO[str]) -> bool:
    """Take the lock of a run; tried again for a moment, because `Run.under_way` holds it while it looks."""
    for _ in range(5):
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return True
        except OSError:
            time.sleep(0.02)
    return False


class Run:
    """The folder of a run.

    Args:
        folder: its path; ``create`` makes it if missing.
        config: its configuration; a folder that holds another one is refused.
    """

    def __init__(self, folder: Path, config: TrainConfig) -> None:
        self.folder, self.config = folder, config
        self.checkpoints = Checkpoints(folder)
        path = folder / "config.toml"
        if path.exists():
            kept = TrainConfig.from_toml(read_text(path, NEW_RUN), str(path))
            refuse_code(
                set(kept.opponents) - set(config.opponents), str(path),
                "if you trust it, repeat the run's opponents: --set 'opponents=[\"PLAYER\"]'; otherwise remove them",
            )  # fmt: skip
            names = [n for n in vars(config) if n not in FREE and getattr(config, n) != getattr(kept, n)]
            if not config.tournament and "checkpoint_epochs" in names:
                names.remove("checkpoint_epochs")
            if config.game.casefold() == kept.game.casefold() and "game" in names:
                names.remove("game")  # games are found whatever their case
            if "game_list" in names and kept.game_list == config.game_list[: len(kept.game_list)] != ():
                names.remove("game_list")  # more games join
            if names:
                raise LudoportError(
                    f"{folder} holds another run, which differs in {', '.join(names)}; choose another folder"
                )
        elif folder.exists() and (not folder.is_dir() or any(map(_foreign, folder.iterdir()))):
            raise LudoportError(f"{folder} already exists and is not a run; choose another folder")

    def create(self) -> None:
        """Make the folder if missing; record games that have joined."""
        path = self.folder / "config.toml"
        if path.exists():
            text = self.config.to_toml()
            if self.config.game_list and text != read_text(path, NEW_RUN):
                write_bytes(path, text.encode())
            return
        try:
            (self.folder / "checkpoints").mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise LudoportError(f"{self.folder}: cannot be created ({error.strerror})") from None
        write_bytes(path, self.config.to_toml().encode())

    @contextmanager
    def working(self) -> Iterator[None]:
        """Keep others from working on the same run; what a killed process left half-written is removed."""
        self.create()
        with (self.folder / ".lock").open("a") as lock:
            if not _locked(lock):
                raise LudoportError(f"{self.folder}: in use by another process")
            for left in [*self.folder.glob(".*.*"), *(self.folder / "checkpoints").glob(".*.*")]:
                left.unlink(missing_ok=True)
            self.checkpoints.tidy()
            yield

    @property
    def under_way(self) -> bool | None:
        """Whether a process works on this run now; None where the system has no such locks."""
        if fcntl is None:
            return None
        try:
            with (self.folder / ".lock").open() as lock:
                fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        except FileNotFoundError:
            return False
        except OSError:
            return True
        return False

    @property
    def network_file(self) -> Path:
        """The newest network."""
        return self.folder / "network.safetensors"

    def checkpoint_file(self, epoch: int) -> Path:
        """The network after an epoch."""
        return self.folder / "checkpoints" / f"epoch_{epoch:05d}.safetensors"

    def metrics(self) -> list[dict[str, Any]]:
        """One record an epoch, so far."""
        records = self.lines("metrics.jsonl")
        for number, record in enumerate(records, start=1):
            if type(record.get("epoch")) is not int:
                raise damaged(self.folder / "metrics.jsonl", f"record {number} has no epoch", "remove it")
        return records

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
        """Write what TensorBoard does not know yet; a file beside its own holds how far that is."""
        folder = self.folder / "tensorboard"
        note = folder / "epochs.txt"
        known = _whole_number(note, f"remove the folder {folder}, it is written again") if note.exists() else 0
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
            # A link in a folder of a stranger would let a run write anywhere.
            with open(path, "a", encoding="utf-8", opener=_no_link) as file:
                file.write(line + "\n")
        except OSError as error:
            raise refused(path, error) from None

    def lines(self, name: str) -> list[dict[str, Any]]:
        """The records of one of the run's files, one a line; a line that was cut short is left out."""
        path = self.folder / name
        found: list[dict[str, Any]] = []
        text = read_text(path, "remove the line with that byte") if path.exists() else ""
        for number, line in enumerate(text.split("\n"), start=1):
            try:
                record = parse_json(line)
            except ValueError:
                continue
            if not isinstance(record, dict):
                raise damaged(path, f"line {number} is not a record", "remove that line")
            found.append(record)
        return found


def _foreign(path: Path) -> bool:
    """Whether a folder with this in it is something else than a run that is being created, or was killed meanwhile."""
    return path.name != "checkpoints" and not path.name.startswith(".")


def _whole_number(path: Path, advice: str) -> int:
    text = read_text(path, advice)
    try:
        return int(text)
    except ValueError:
        raise damaged(path, f"it holds {text[:40]!r} instead of a number", advice) from None


def open_run(folder: Path) -> Run:
    """The run in a folder, to read.

    Raises:
        LudoportError: there is none.
    """
    path = folder / "config.toml"
    if not path.is_file():
        raise LudoportError(
            f"{folder}: no run here (missing config.toml); create one with: ludoport train GAME --out {folder}"
        )
    return Run(folder, TrainConfig.from_toml(read_text(path, NEW_RUN), str(path)))


def write_bytes(path: Path, data: bytes) -> None:
    """Write a file beside its place and then move it there."""
    write_kept(path, lambda file: file.write(data))


def _no_link(path: str, flags: int) -> int:
    return os.open(path, flags | getattr(os, "O_NOFOLLOW", 0), 0o666)
