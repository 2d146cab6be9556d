"""Files are replaced as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.files import replacing, write_atomically


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


@pytest.mark.parametrize(("place", "sentence"), [("no/file", "no such folder"), (".", "is a folder")])
def test_bad_places(tmp_path: Path, place: str, sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence):
        write_atomically(tmp_path / place, "")
