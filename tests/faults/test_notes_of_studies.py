"""Notes in the folder of a study or of a build that were damaged, or cut short because their writer was killed."""

from __future__ import annotations

from contextlib import suppress
from pathlib import Path

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.studies.banerjee_stone.jobs import cpu_seconds, curve_path, done, load_curve
from ludoport.studies.banerjee_stone.plan import PRESETS, make_plan
from ludoport.studies.cleaver.run import is_study
from ludoport.studies.cleaver.size import CleaverSize
from ludoport.studies.cleaver.study import NOTE, TIMES, Study

NO_TEXTS = [b"", b"{", b"\xff", b"[" * 100_000, b'"\\ud800"']
NOTES = [*NO_TEXTS, b"[]", b'{"source": 3}', b'{"source": {}}', b'{"source": {"seconds": "1"}}']


@pytest.mark.parametrize("data", NOTES, ids=lambda data: str(data[:20]))
def test_times_of_a_study_of_trees(tmp_path: Path, data: bytes) -> None:
    study = Study(tmp_path, CleaverSize(12, 10, 2, 400, 3000, 4, 3, (1.0,), 2))
    assert study.times() == {}
    (tmp_path / TIMES).write_bytes(data)
    with pytest.raises(LudoportError, match=r"times.json: damaged \(.*\); remove it and resume the study"):
        study.times()


@pytest.mark.parametrize("data", NO_TEXTS, ids=lambda data: str(data[:20]))
def test_settings_of_a_study_of_trees(tmp_path: Path, data: bytes) -> None:
    study = Study(tmp_path, CleaverSize(12, 10, 2, 400, 3000, 4, 3, (1.0,), 2))
    study.prepare()
    assert is_study(tmp_path)
    study.prepare()
    (tmp_path / NOTE).write_bytes(data)
    with pytest.raises(LudoportError, match=r"study.json: damaged|holds this study with other settings"):
        study.prepare()
    assert not is_study(tmp_path)


@pytest.mark.parametrize("data", NOTES, ids=lambda data: str(data[:20]))
def test_notes_of_a_study_of_features(tmp_path: Path, data: bytes) -> None:
    job = make_plan(PRESETS[min(PRESETS)]).curves[0]
    note = curve_path(tmp_path, job).with_suffix(".json")
    note.parent.mkdir(parents=True)
    note.write_bytes(data)
    assert not done(tmp_path, job)
    with pytest.raises(LudoportError, match=r"json: damaged \(.*\); remove it and run the study again"):
        cpu_seconds(tmp_path, job)


@pytest.mark.parametrize("place", [0, 30, 60, 150, 250, -60, -20, -3])
def test_curves_of_a_study_of_features(tmp_path: Path, place: int) -> None:
    job = make_plan(PRESETS[min(PRESETS)]).curves[0]
    path = curve_path(tmp_path, job)
    path.parent.mkdir(parents=True)
    rewards = np.arange(100, dtype=np.float32)
    np.savez_compressed(path, rewards=rewards)
    data = bytearray(path.read_bytes())
    for byte in (0, 0x7F, 0xFF):
        data[place] = byte
        path.write_bytes(bytes(data))
        with suppress(LudoportError):  # a byte that is not read may change
            load_curve(tmp_path, job)
    path.write_bytes(bytes(data[:-40]))
    with pytest.raises(LudoportError, match="delete it and run the study again"):
        load_curve(tmp_path, job)
