"""What the cache keeps beside machine code for the CPU: answers about games, and device code."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.kernels.digested import place, read_digested, write_digested
from ludoport.kernels.found import found


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache"


def test_asked_once(cache: Path) -> None:
    asked: list[int] = []

    def find() -> list[int]:
        asked.append(1)
        return [3, 4]

    for source, details in (("one", (1,)), ("one", (1,)), ("one", (2,)), ("two", (1,))):
        assert found(source, "question", find, *details) == [3, 4]
    assert len(asked) == 3, "other rules and other details are other questions"


def test_damaged_answers_are_found_again(cache: Path) -> None:
    assert found("game", "question", lambda: 5) == 5
    (file,) = cache.rglob("question_*.json")
    for damage in (b"", file.read_bytes()[:-1], file.read_bytes() + b"1", b"x" * 40):
        file.write_bytes(damage)
        assert found("game", "question", lambda: 6) == 6
        assert found("game", "question", lambda: 7) == 6


def test_what_fails_is_not_kept(cache: Path) -> None:
    def refuse() -> None:
        raise ValueError("no")

    for _ in range(2):
        with pytest.raises(ValueError, match="no"):
            found("game", "question", refuse)
    assert not list(cache.rglob("*.json"))


def test_other_recipes_have_other_files(cache: Path) -> None:
    one, two = place("cuda", "run_fill", "one", ".cubin"), place("cuda", "run_fill", "two", ".cubin")
    write_digested(one, b"code")
    assert read_digested(one) == b"code"
    assert read_digested(two) is None
