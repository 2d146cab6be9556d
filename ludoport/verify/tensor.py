"""Compares state tensors and slots of moves with recorded ones.

A file of tensors is one JSON object: ``stateShape``, ``moveShape``, and ``trials`` with ``positions``. A position has
``played`` (the moves that lead there), ``nz`` (what is not 0 in the state tensor: ``[c, x, y]``, with the value behind
it if that is not 1) and ``moves`` (text, ``[c, x, y]`` and flat index of every legal move). Where they are known, names
of channels and places of sites are compared too: ``stateTensorChannelNames``, ``moveTensorChannelNames``, ``sites`` and
``extraSites`` (objects with ``i``, ``tx`` and ``ty``), in the same object, or in the file of the variant in the folder
``info`` that lies beside the folder of the file.

    python -m ludoport.verify.tensor SRC DST

writes a copy of recorded files that is complete in this sense and small enough to be kept with the tests.
"""

from __future__ import annotations

import gzip
import json
import sys
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.tensors.encoder import TensorEncoder
from ludoport.tensors.layout import LayoutName, TensorLayout
from ludoport.verify.compact import run_compact
from ludoport.verify.reference import read_text
from ludoport.verify.report import Disagreement, FileComparison
from ludoport.verify.variants import variant_id

LAYOUT: LayoutName = "ludii-1.3.14"
"""The layout that was recorded."""

_KEPT = ("id", "stateShape", "moveShape", "stateTensorChannelNames", "moveTensorChannelNames")


@dataclass(frozen=True, slots=True)
class RecordedPosition:
    """Reference data of one position.

    Attributes:
        where: trial and ply.
        played: the moves that lead there.
        values: the numbers of the state tensor that are not 0, by place.
        slots: place and flat index of every legal move, by its text.
    """

    where: str
    played: tuple[str, ...]
    values: dict[tuple[int, ...], float]
    slots: dict[str, tuple[tuple[int, ...], int]]


def compare_file(game: Game, path: Path, result: FileComparison, plies: Collection[int] | None = None) -> None:
    """Compares the tensors of a game with a file and writes what is found into ``result``.

    Args:
        game: the game.
        path: the file.
        result: is filled in.
        plies: plies of each trial to compare, as numbers of moves before the position; None for all.
    """
    record = read_tensors(path)
    encoder = TensorEncoder(game, LAYOUT)
    result.first = compare_layout(encoder.layout, record)
    for trial in record["trials"]:
        before = result.agreeing
        recorded = [p for p in _positions(trial) if plies is None or len(p.played) in plies]
        for position in recorded:
            found = compare_position(encoder, position)
            result.agreeing += found is None
            result.first = result.first or found
        result.trials += 1
        result.checks += len(recorded)
        result.agreeing_trials += result.agreeing - before == len(recorded)


def read_tensors(path: Path) -> dict[str, Any]:
    """Reads a file of tensors, with what is known about its channels and sites."""
    beside = path.parent.parent / "info" / f"{variant_id(path)}.json"
    try:
        record = json.loads(read_text(path))
        if beside.is_file():
            record = json.loads(read_text(beside)) | record
        for trial in record["trials"]:
            list(_positions(trial))
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        if isinstance(error, LudoportError):
            raise
        raise LudoportError(f"{path}: not a record of tensors ({type(error).__name__}: {error})") from None
    return dict(record)


def compare_layout(layout: TensorLayout, record: dict[str, Any]) -> Disagreement | None:
    """Compares shapes, names of channels and places of sites."""
    for what, key, ours in (
        ("shape of states", "stateShape", list(layout.shape)),
        ("shape of moves", "moveShape", list(layout.move_shape)),
        ("names of state channels", "stateTensorChannelNames", list(layout.state_names)),
        ("names of move channels", "moveTensorChannelNames", list(layout.move_names)),
    ):
        if key in record and record[key] != ours:
            return Disagreement("layout", what, str(record[key]), str(ours))
    for site in [*record.get("sites", ()), *record.get("extraSites", ())]:
        expected, found = (site["tx"], site["ty"]), (int(layout.x[site["i"]]), int(layout.y[site["i"]]))
        if expected != found:
            return Disagreement("layout", f"place of site {site['i']}", str(expected), str(found))
    return None


def compare_position(encoder: TensorEncoder, position: RecordedPosition) -> Disagreement | None:
    """Compares one position."""
    batch = encoder.trial(position.played)
    state = State(encoder.game, batch.rows[-1])
    planes = encoder.state_tensor(state, batch.histories[-1])
    values = {tuple(place): float(planes[tuple(place)]) for place in np.argwhere(planes).tolist()}
    if values != position.values:
        places = sorted(p for p in values.keys() | position.values.keys() if values.get(p) != position.values.get(p))
        place = places[0]
        what = f"state tensor at {len(places)} place(s), first at {place} ({encoder.layout.names[place[0]]})"
        expected, found = str(position.values.get(place, 0)), str(values.get(place, 0))
        return Disagreement(position.where, what, expected, found, picture=state.picture())
    return _compare_moves(encoder, position, state)


def _compare_moves(encoder: TensorEncoder, position: RecordedPosition, state: State) -> Disagreement | None:
    shape = encoder.layout.move_shape
    ours = encoder.move_slots(state)
    if ours.keys() != position.slots.keys():
        missing, extra = sorted(position.slots.keys() - ours.keys()), sorted(ours.keys() - position.slots.keys())
        counts = str(len(position.slots)), str(len(ours))
        return Disagreement(position.where, "legal moves", *counts, missing, extra, picture=state.picture())
    for text, slot in ours.items():
        place = tuple(int(index) for index in np.unravel_index(slot, shape))
        if (place, slot) != position.slots[text]:
            expected, found = str(position.slots[text]), str((place, slot))
            return Disagreement(position.where, f"slot of {text}", expected, found, picture=state.picture())
    return None


def _positions(trial: dict[str, Any]) -> Iterator[RecordedPosition]:
    for record in trial["positions"]:
        yield RecordedPosition(
            where=f"trial {trial['seed']}, ply {record['ply']}",
            played=tuple(record["played"]),
            values={tuple(entry[:3]): float(entry[3]) if len(entry) > 3 else 1.0 for entry in record["nz"]},
            slots={text: (tuple(place), flat) for text, place, flat in record["moves"]},
        )


def compact(source: Path, target: Path) -> None:
    """Copies the files of a folder so that each is complete, without what no comparison reads."""
    target.mkdir(parents=True, exist_ok=True)
    for path in sorted(source.glob("*.json*")):
        record = read_tensors(path)
        kept = {key: record[key] for key in _KEPT if key in record}
        for key in ("sites", "extraSites"):
            kept[key] = [{name: site[name] for name in ("i", "tx", "ty")} for site in record.get(key, ())]
        kept["trials"] = [
            {
                "seed": trial["seed"],
                "positions": [{key: p[key] for key in ("ply", "played", "nz", "moves")} for p in trial["positions"]],
            }
            for trial in record["trials"]
        ]
        data = gzip.compress(json.dumps(kept, separators=(",", ":")).encode(), mtime=0)
        (target / f"{variant_id(path)}.json.gz").write_bytes(data)


if __name__ == "__main__":
    sys.exit(run_compact("tensor", compact, sys.argv[1:]))
