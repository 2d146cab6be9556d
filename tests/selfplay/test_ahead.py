"""Preparing games for a device that is not here; compiling itself is replaced, because it takes minutes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from ludoport.cli import main
from ludoport.selfplay import ahead
from ludoport.selfplay.lists import read_entry


@pytest.fixture
def compiled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The games whose kernels were asked for."""
    asked: list[str] = []

    def compile_ahead(game: Any, layout: Any, capability: Any) -> Iterator[Path]:
        asked.append(f"{game.title} {layout.layout} {capability}")
        file = tmp_path / "fill.cubin"
        file.write_bytes(b"1234")
        yield file

    monkeypatch.setattr(ahead, "compile_ahead", compile_ahead)
    return asked


def test_a_list_of_games(compiled: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.txt"
    games.write_text("Tic-Tac-Toe\nHex; Board Size/3x3\n")
    with pytest.raises(SystemExit) as exit:
        main(["compile", "--games", str(games), "--capability", "8.0", "--json"])
    assert not exit.value.code
    answer = json.loads(capsys.readouterr().out)
    assert [(record["game"], record["kernels"], record["bytes"]) for record in answer["games"]] == [
        ("Tic-Tac-Toe", 1, 4),
        ("Hex 3x3", 1, 4),
    ]
    assert compiled == ["Tic-Tac-Toe compact (8, 0)", "Hex 3x3 compact (8, 0)"]


def test_no_game(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as exit:
        main(["compile"])
    assert exit.value.code == 2
    assert "--games" in capsys.readouterr().err


def test_what_a_run_asks_is_found_out(compiled: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Afterwards a run answers its questions about the game from the disk."""
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path / "cache"))
    ahead.prepare_game(read_entry("Tic-Tac-Toe"), "compact", (9, 0))
    assert compiled
    names = {file.name.partition("_")[0] for file in (tmp_path / "cache" / "found").rglob("*.json")}
    assert {"trainable", "symmetries"} <= names
