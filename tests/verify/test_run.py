"""Running comparisons: one that fails, crashes or hangs is reported, and the rest goes on."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.verify.pool import run_apart
from ludoport.verify.run import compare_all, plan


def work(task: str) -> str:
    if task == "crash":
        os._exit(3)
    if task == "hang":
        time.sleep(60)
    return task.upper()


@pytest.mark.slow
def test_processes_answer_in_order() -> None:
    assert list(run_apart(work, ["a", "crash", "b"], jobs=2)) == ["A", "the process died with exit code 3", "B"]


@pytest.mark.slow
def test_a_process_that_hangs_is_given_up() -> None:
    assert list(run_apart(work, ["hang"], jobs=1, limit=1.0)) == ["gave up after 1 s"]


def test_a_game_that_cannot_load_is_a_failure_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "variants.tsv").write_text("nowhere\tx\t/lud/Nowhere At All.lud\t\n")
    (tmp_path / "nowhere.json").write_text('{"id": "nowhere", "perft": [1]}')
    (result,) = compare_all(plan("perft", [tmp_path / "nowhere.json"]))
    assert not result.agrees
    assert result.failure is not None
    assert result.failure.startswith("cannot load: ")


def test_an_unknown_variant_stops_before_any_work(tmp_path: Path) -> None:
    (tmp_path / "strange.json").write_text("{}")
    with pytest.raises(LudoportError, match="unknown variant 'strange'"):
        plan("perft", [tmp_path / "strange.json"])
