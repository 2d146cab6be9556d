"""A library is compared game by game; the records are kept and a second run examines what is missing."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from ludoport.verify import library


@pytest.fixture
def folder(data: Path, tmp_path: Path) -> Path:
    (tmp_path / "traces").mkdir()
    shutil.copy(data / "traces" / "tic_tac_toe.jsonl.gz", tmp_path / "traces")
    record = {"id": "tic_tac_toe", "lud": "/lud/Tic-Tac-Toe.lud"}
    (tmp_path / "index.jsonl").write_text(json.dumps(record) + "\n")
    rules = "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))"
    pieces = '(equipment {(board (square 3)) (piece "Disc" P1) (piece "Cross" P2)})'
    (tmp_path / "Tic-Tac-Toe.lud").write_text(f'(game "Tic-Tac-Toe" (players 2) {pieces} {rules})')
    return tmp_path


@pytest.mark.slow
def test_records_are_kept_and_not_made_twice(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = folder / "records.jsonl"
    arguments = [str(folder), "--lud-root", str(folder), "--out", str(out), "--plain", "--jobs", "1"]
    assert library.main(arguments) == 0
    (record,) = library.read_records(out)
    assert (record["agrees"], record["plies"], record["jit"]) == (True, 45, False)
    with out.open("a") as file:
        file.write('{"id": "cut o')
    assert library.main(arguments) == 0
    assert library.read_records(out) == [record]
    assert "1 of 1 games agree" in capsys.readouterr().out


def test_what_does_not_load_is_a_record(folder: Path) -> None:
    (folder / "Tic-Tac-Toe.lud").write_text("(game")
    task = library.plan("trace", [folder / "traces" / "tic_tac_toe.jsonl.gz"], folder)[0]
    record = library.examine(library.Examination(task, False, folder / "records.jsonl"))
    assert "Tic-Tac-Toe.lud" in record["failure"]


def test_a_known_record_holds_while_the_kernels_are_the_same(folder: Path) -> None:
    task = library.plan("trace", [folder / "traces" / "tic_tac_toe.jsonl.gz"], folder)[0]
    out = folder / "records.jsonl"
    first = library.examine(library.Examination(task, False, out))
    assert library.examine(library.Examination(task, False, out, first | {"plies": 1})) == first | {"plies": 1}
    changed = library.examine(library.Examination(task, False, out, first | {"kernels": "other", "plies": 1}))
    assert (changed["plies"], changed["kernels"]) == (45, first["kernels"])
