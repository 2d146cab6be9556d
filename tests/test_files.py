"""Files are replaced as a whole."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.files import folder_beside, remove_abandoned, replacing, write_atomically


def test_a_text_and_bytes(tmp_path: Path) -> None:
    path = tmp_path / "file"
    write_atomically(path, "größer")
    assert path.read_text(encoding="utf-8") == "größer"
    write_atomically(path, b"\x00\x01", sync=False)
    assert path.read_bytes() == b"\x00\x01"
    assert [other.name for other in tmp_path.iterdir()] == ["file"]


def test_what_fails_changes_nothing(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_text("old")

    def interrupted() -> None:
        with replacing(path) as file:
            file.write(b"half of it")
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        interrupted()
    assert path.read_text() == "old"
    assert len(list(tmp_path.iterdir())) == 1


def test_as_readable_as_any_new_file(tmp_path: Path) -> None:
    (tmp_path / "usual").write_text("")
    write_atomically(tmp_path / "ours", "")
    assert (tmp_path / "ours").stat().st_mode == (tmp_path / "usual").stat().st_mode


WRITER = """
import os, pathlib, sys, time
from ludoport.files import folder_beside, replacing
with replacing(pathlib.Path(sys.argv[1]) / "file") as file, folder_beside(pathlib.Path(sys.argv[1]) / "tree") as folder:
    (folder / "large").write_text("x")
    file.write(b"half")
    print("writing", flush=True)
    time.sleep(600)
"""


def test_a_killed_writer_leaves_nothing_for_good(tmp_path: Path) -> None:
    def start() -> subprocess.Popen[str]:
        process = subprocess.Popen([sys.executable, "-c", WRITER, str(tmp_path)], stdout=subprocess.PIPE, text=True)
        assert process.stdout is not None
        assert process.stdout.readline() == "writing\n"
        return process

    def unfinished() -> int:
        return len(list(tmp_path.glob(".*.tmp")))

    dead, alive = start(), start()
    try:
        dead.kill()
        dead.wait()
        assert unfinished() == 4
        write_atomically(tmp_path / "other", "x")
        assert unfinished() == 2, "what a living process is writing stays"
        assert (tmp_path / "other").read_text() == "x"
    finally:
        alive.kill()
        alive.wait()
    remove_abandoned.cache_clear()  # as another process would
    with folder_beside(tmp_path / "another") as folder:
        assert [path.name for path in tmp_path.glob(".*.tmp")] == [folder.name]
    assert unfinished() == 0


@pytest.mark.parametrize(("place", "sentence"), [("no/file", "no such folder"), (".", "is a folder")])
def test_bad_places(tmp_path: Path, place: str, sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence):
        write_atomically(tmp_path / place, "")
