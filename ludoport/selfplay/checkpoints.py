"""Checkpoints that the run does not wait for: what is new since the last one is copied, and written in the background.

state/manifest.json                       which files make up the checkpoint, and facts about the run
state/rest-7.npz                          weights, optimiser, games under way, random state
state/positions-000000000000-000000131072.npz    a stretch of the replay, written once
state/ends-000000000000-000000131072.npz         how the games of its positions ended, once all have

A run of many games has a replay for each; the names of its files and arrays say of which.

The manifest is written last, so a run that is killed at any instant has the checkpoint before; files that no manifest
names are removed when the run resumes. A stretch that the replay has forgotten goes with the next checkpoint.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.files import NPZ_DAMAGE, damaged, parse_json, replacing
from ludoport.selfplay.background import Background
from ludoport.selfplay.kernels import PENDING
from ludoport.selfplay.segments import ENDS, FIXED, MOST_BYTES, narrowed, pack, unpack

if TYPE_CHECKING:
    from ludoport.selfplay.device_replay import DeviceReplay
    from ludoport.selfplay.replay import Replay

VERSION = 4
"""Raised when the format of checkpoints changes."""

OLD_STATE = "state.npz"
"""File in which versions up to 3 kept everything."""

NEW_RUN = "restore it from a copy, or begin a new run in another folder"
"""Advice when a run cannot resume."""

TYPES = {"results": np.float32, "replies": np.int32, "finals": np.int8}

Kept = tuple[dict[str, NDArray[Any]], dict[str, Any]]
"""Arrays by name, and facts."""


@dataclass
class Segment:
    """A stretch of the replay: positions number ``first`` up to ``last`` of the run.

    Attributes:
        first: the first position.
        last: the one after the last.
        positions: the file that holds them.
        ends: the file with the results of their games, empty while some are unfinished, which are kept with the rest.
        memory: the replay, where there are several.
    """

    first: int
    last: int
    positions: str
    ends: str = ""
    memory: str = ""

    @property
    def name(self) -> str:
        """A name that is unique among others, for names of files."""
        return f"{self.memory}{self.first:012d}-{self.last:012d}"

    def end(self, name: str) -> str:
        """The name of an array of results of unfinished games."""
        return f"ends_{self.memory}{self.first}_{name}"


class Checkpoints:
    """The checkpoint of a run, in its folder.

    Args:
        folder: the folder of the run.

    Attributes:
        bytes: written so far.
    """

    def __init__(self, folder: Path) -> None:
        self.run_folder, self.folder = folder, folder / "state"
        self.bytes = 0
        self._background = Background("checkpoint")
        self._segments: list[Segment] = []
        self._number = 0

    @property
    def exists(self) -> bool:
        """Whether there is a checkpoint."""
        return (self.folder / "manifest.json").exists() or (self.run_folder / OLD_STATE).exists()

    def load(self) -> Kept | None:
        """Contents of the last checkpoint; None without one."""
        manifest = self.folder / "manifest.json"
        try:
            if not manifest.exists():
                return self._load_old()
            record = parse_json(manifest.read_bytes())
            _check_version(manifest, record.get("version", 0), self.run_folder)
            self._segments = [Segment(**segment) for segment in record["segments"]]
            self._number = record["number"]
            return self._read(record), record["facts"]
        except LudoportError:
            raise
        except NPZ_DAMAGE as error:
            raise damaged(manifest, str(error) or type(error).__name__, NEW_RUN) from None

    def save(
        self,
        replays: Mapping[str, Replay | DeviceReplay],
        arrays: dict[str, Any],
        facts: dict[str, Any],
        then: Callable[[], None] = lambda: None,
    ) -> None:
        """Copy what the next epoch needs, and write it in the background.

        Args:
            replays: the replays by name; the only one of a run has no name. Only what is new in them is written.
            arrays: everything else, on the CPU or on a device.
            facts: facts that fit into JSON.
            then: is called in the background at the end.
        """
        self._background.wait()
        segments, new = list[Segment](), list[Segment]()
        for memory, replay in replays.items():
            oldest = max(0, replay.written - replay.places)
            kept = [segment for segment in self._segments if segment.memory == memory and segment.last > oldest]
            more = list(self._new(memory, replay, max(oldest, kept[-1].last if kept else 0)))
            segments, new = [*segments, *kept, *more], [*new, *more]
        packed = [
            {name: _copied(array) for name, array in pack(*_slices(replays[s.memory], s, FIXED)).items()} for s in new
        ]
        open_ends = [(s, list(map(_copied, _slices(replays[s.memory], s, ENDS)))) for s in segments if not s.ends]
        rest = {name: _copied(array) for name, array in arrays.items()}
        _arrived()
        self._segments, self._number = segments, self._number + 1
        shapes = {
            memory: {"written": replay.written, "places": replay.places, "slots": int(replay.policies.shape[1])}
            for memory, replay in replays.items()
        }

        def write() -> None:
            self.folder.mkdir(exist_ok=True)
            for segment, contents in zip(new, packed, strict=True):
                self._write(segment.positions, {name: np.asarray(array) for name, array in contents.items()})
            for segment, ends in open_ends:
                known = {name: np.asarray(array) for name, array in zip(ENDS, ends, strict=True)}
                if (known["results"] != PENDING).all():
                    name = f"ends-{segment.name}.npz"
                    self._write(name, known)
                    segment.ends = name
                else:
                    rest.update({segment.end(name): narrowed(array) for name, array in known.items()})
            name = f"rest-{self._number}.npz"
            self._write(name, {name: np.asarray(array) for name, array in rest.items()}, narrow=False)
            record = {
                "version": VERSION, "number": self._number, "rest": name, "facts": facts,
                **({"replay": shapes[""]} if "" in shapes else {"replays": shapes}),
                "segments": [asdict(segment) for segment in segments],
            }  # fmt: skip
            text = json.dumps(record).encode()
            write_kept(self.folder / "manifest.json", lambda file: file.write(text))
            self.tidy()
            then()

        self._background.start(write)

    def check(self) -> None:
        """Raise what went wrong in the background."""
        self._background.check()

    def wait(self) -> None:
        """Wait until the last checkpoint is on the disk."""
        self._background.wait()

    def forget(self) -> None:
        """Removes the checkpoint; the run can no longer resume from it."""
        self.wait()
        shutil.rmtree(self.folder, ignore_errors=True)
        (self.run_folder / OLD_STATE).unlink(missing_ok=True)
        self._segments = []

    def tidy(self) -> None:
        """Remove files that the manifest does not name."""
        if not (self.folder / "manifest.json").exists():
            return
        record = json.loads((self.folder / "manifest.json").read_text())
        named = {"manifest.json", record["rest"]}
        for segment in record["segments"]:
            named |= {segment["positions"], segment["ends"]}
        for file in self.folder.iterdir():
            if file.name not in named:
                file.unlink(missing_ok=True)
        (self.run_folder / OLD_STATE).unlink(missing_ok=True)

    def _new(self, memory: str, replay: Replay | DeviceReplay, first: int) -> Iterator[Segment]:
        """Positions that no segment holds, cut where the replay begins again and before files become too large."""
        most = max(1, MOST_BYTES // int(replay.seen.shape[1] + 2 * replay.policies.shape[1] + 16))
        while first < replay.written:
            last = min(replay.written, first + most, (first // replay.places + 1) * replay.places)
            segment = Segment(first, last, "", memory=memory)
            segment.positions = f"positions-{segment.name}.npz"
            yield segment
            first = last

    def _write(self, name: str, arrays: dict[str, NDArray[Any]], *, narrow: bool = True) -> None:
        path = self.folder / name
        if narrow:
            arrays = {key: narrowed(array) for key, array in arrays.items()}
        write_kept(path, lambda file: np.savez(file, **arrays))  # type: ignore[arg-type]
        self.bytes += path.stat().st_size

    def _read(self, record: dict[str, Any]) -> dict[str, NDArray[Any]]:
        """All arrays of a checkpoint, the replay by places."""
        rest = _load(self.folder / record["rest"])
        found: dict[str, NDArray[Any]] = {}
        for memory, shape in record["replays"].items() if "replays" in record else [("", record["replay"])]:
            found |= self._read_replay(memory, shape, rest)
        return rest | found

    def _read_replay(self, memory: str, shape: dict[str, int], rest: dict[str, Any]) -> dict[str, NDArray[Any]]:
        """The arrays of a replay, by places; results of unfinished games are taken out of the rest."""
        written, places, slots = (shape[name] for name in ("written", "places", "slots"))
        found: dict[str, NDArray[Any]] = {f"{memory}replay_written": np.array(written)}
        used, oldest = min(written, places), max(0, written - places)
        for segment in self._segments:
            if segment.memory != memory:
                continue
            kept = unpack(_load(self.folder / segment.positions), slots)
            ends = _load(self.folder / segment.ends) if segment.ends else {}
            for name in ENDS:
                array = ends[name] if segment.ends else rest.pop(segment.end(name))
                kept[name] = array.astype(TYPES[name])
            skipped = max(0, oldest - segment.first)
            begin, count = (segment.first + skipped) % places, segment.last - segment.first - skipped
            for name, array in kept.items():
                whole = found.setdefault(
                    f"{memory}replay_{name}", np.zeros((used, *array.shape[1:]), dtype=array.dtype)
                )
                whole[begin : begin + count] = array[skipped:]
        return found

    def _load_old(self) -> Kept | None:
        """Contents of the file in which old versions kept everything; None if there is no such file."""
        path = self.run_folder / OLD_STATE
        if not path.exists():
            return None
        try:
            arrays = _load(path)
            facts: dict[str, Any] = parse_json(arrays.pop("header").tobytes())
            _check_version(path, facts.get("version", 0), self.run_folder, oldest=3)
        except LudoportError:
            raise
        except NPZ_DAMAGE as error:
            raise damaged(path, str(error) or type(error).__name__, NEW_RUN) from None
        return arrays, facts


def _check_version(path: Path, version: int, folder: Path, oldest: int = VERSION) -> None:
    if version > VERSION:
        raise LudoportError(f"{path}: written by a newer version of Ludoport")
    if version < oldest:
        raise LudoportError(f"{path}: written by an older version of Ludoport; begin a new run with --init {folder}")


def _slices(replay: Replay | DeviceReplay, segment: Segment, names: tuple[str, ...]) -> list[Any]:
    """The arrays of a stretch, without copying."""
    begin = segment.first % replay.places
    return [getattr(replay, name)[begin : begin + segment.last - segment.first] for name in names]


def _copied(array: Any) -> Any:
    """A copy on the CPU; one from a device is under way, into memory that the device can write by itself."""
    if isinstance(array, np.ndarray):
        return array.copy()
    import torch

    array = array.detach()
    if array.device.type == "cpu":
        return array.clone()
    there = torch.empty(array.shape, dtype=array.dtype, pin_memory=True)
    return there.copy_(array, non_blocking=True)


def _arrived() -> None:
    """Wait for copies from the device."""
    import torch

    if torch.cuda.is_available():
        torch.cuda.synchronize()


def _load(path: Path) -> dict[str, NDArray[Any]]:
    with np.load(path, allow_pickle=False) as kept:
        return {name: kept[name] for name in kept.files}


def write_kept(path: Path, write: Callable[[IO[bytes]], object]) -> None:
    """Write a file of a run beside its place and then move it there.

    Raises:
        LudoportError: it cannot be written.
    """
    try:
        with replacing(path) as file:
            write(file)
    except OSError as error:
        raise refused(path, error) from None


def refused(path: Path, error: OSError) -> LudoportError:
    """The error for a file of a run that cannot be written."""
    # A file is in the folder of the run, or in one of its folders.
    kept = any(Checkpoints(folder).exists for folder in path.parents[:2])
    what = "the run keeps its last checkpoint" if kept else "the run has no checkpoint yet"
    return LudoportError(f"{path}: cannot be written ({error.strerror}); {what}")
