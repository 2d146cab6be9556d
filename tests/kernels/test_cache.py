"""The cache on disk: two processes may fill it at once, and damaged files are made anew."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.kernels.cache import cache_folder

COUNT = """
import sys, ludoport as lp
print(lp.load("Tic-Tac-Toe").perft(3), lp.load("Tic-Tac-Toe").playouts(count=50, seed=3).moves)
"""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty cache."""
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def count_moves() -> int:
    """Loads a game as a new process would, and uses it."""
    for name in [name for name in sys.modules if name.startswith("ludoport_generated_")]:
        del sys.modules[name]
    return len(lp.load("Tic-Tac-Toe", jit=True).start().moves())


def contents(cache: Path, ending: str) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in sorted(cache.rglob(f"*{ending}"))}


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def empty(data: bytes) -> bytes:
    del data
    return b""


def scribble(data: bytes) -> bytes:
    """Changes one byte in the middle, where machine code is."""
    middle = len(data) // 2
    return data[:middle] + bytes([data[middle] ^ 0xFF]) + data[middle + 1 :]


def replace(data: bytes) -> bytes:
    return b"\x80\x00 nothing that was ever written \xff" * (1 + len(data) // 40)


def test_the_folder_is_chosen(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("LUDOPORT_CACHE", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache_folder() == tmp_path / "ludoport"
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "here"))
    assert cache_folder() == tmp_path / "here"


@pytest.mark.slow
def test_machine_code_is_found_again(cache: Path) -> None:
    assert count_moves() == 9
    code = {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()}
    assert {path.suffix for path in code} == {".py", ".nbi", ".nbc", ".code", ".json"}
    assert count_moves() == 9
    assert {path: path.stat().st_mtime_ns for path in cache.rglob("*") if path.is_file()} == code


@pytest.mark.slow
@pytest.mark.parametrize("damage", [cut, empty, scribble, replace])
@pytest.mark.parametrize("ending", [".nbi", ".nbc", ".code", ".json", "kernels.py"])
def test_damaged_files_are_rebuilt(cache: Path, ending: str, damage: Callable[[bytes], bytes]) -> None:
    assert count_moves() == 9
    right = contents(cache, ending)
    assert right
    for path, data in right.items():
        path.write_bytes(damage(data))
    damaged = contents(cache, ending)
    assert count_moves() == 9
    rebuilt = contents(cache, ending)
    assert rebuilt.keys() == right.keys()
    assert all(rebuilt[path] != damaged[path] for path in right)
    if ending in ("kernels.py", ".json"):
        assert rebuilt == right


@pytest.mark.slow
def test_a_moved_cache_is_used_where_it_is(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert count_moves() == 9
    moved = cache.rename(cache.with_name("moved"))
    monkeypatch.setenv("LUDOPORT_CACHE", str(moved))
    assert count_moves() == 9
    assert not cache.exists()


@pytest.mark.slow
def test_two_processes_at_once(tmp_path: Path) -> None:
    environment = os.environ | {"LUDOPORT_CACHE": str(tmp_path)}
    both = [
        subprocess.Popen(
            [sys.executable, "-c", COUNT], env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for _ in range(2)
    ]
    answers = [process.communicate(timeout=300) for process in both]
    assert [error for _, error in answers] == ["", ""]
    assert answers[0][0] == answers[1][0]
    assert answers[0][0].startswith("[9, 72, 504] ")
    assert not [path for path in tmp_path.rglob("*") if ".tmp" in path.name]


@pytest.mark.slow
def test_the_folder_is_private(cache: Path) -> None:
    cache.mkdir(mode=0o755)
    count_moves()
    assert cache.stat().st_mode & 0o777 == 0o700


@pytest.mark.parametrize("mode", [0o777, 0o775, 0o770, 0o702, 0o1777])
def test_a_folder_that_others_can_write_is_refused(cache: Path, mode: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """What others could have put there would be run."""
    cache.mkdir()
    cache.chmod(mode)
    for name in ("Tic-Tac-Toe", "tic-tac-toe.kif"):
        with pytest.raises(lp.LudoportError, match=r"not used as a cache, because .* can write to .*LUDOPORT_CACHE"):
            lp.load(name, jit=True).start().moves()
    assert list(cache.iterdir()) == []
    inside = cache / "inside"  # a folder of our own in one that others can write could be exchanged
    monkeypatch.setenv("LUDOPORT_CACHE", str(inside))
    if not mode & 0o1000 and mode & 0o002:
        with pytest.raises(lp.LudoportError, match="every user can write to"):
            count_moves()


def test_a_folder_of_another_user_is_refused(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache.mkdir()
    monkeypatch.setattr(os, "getuid", lambda: cache.stat().st_uid + 1)
    if cache.stat().st_uid == 0:
        os.chown(cache, 12345, 12345)
    with pytest.raises(lp.LudoportError, match="belongs to another user"):
        count_moves()


def test_a_link_to_an_open_folder_is_refused(cache: Path, tmp_path: Path) -> None:
    there = tmp_path / "open" / "there"
    there.mkdir(parents=True)
    there.parent.chmod(0o777)
    cache.symlink_to(there)
    with pytest.raises(lp.LudoportError, match="every user can write to"):
        count_moves()


def test_machine_code_lies_in_the_cache_only(cache: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """NUMBA_CACHE_DIR names a folder of which nothing is known."""
    other = tmp_path / "numba"
    monkeypatch.setattr("numba.core.config.CACHE_DIR", str(other))
    count_moves()
    assert not [path for path in other.rglob("*") if path.is_file()]
    assert list(cache.rglob("*.nbc"))


def test_a_folder_that_cannot_be_written(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("LUDOPORT_CACHE", str(blocked))
    with pytest.raises(lp.LudoportError, match="cannot write the kernel cache"):
        count_moves()
