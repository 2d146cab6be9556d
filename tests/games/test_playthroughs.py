"""Every bundled game still plays as it did, by kernels in which nothing is without effect.

``python -m ludoport.playthrough --write tests/games/playthroughs`` writes the files anew.
"""

from __future__ import annotations

from pathlib import Path

import pytest

import ludoport as lp
from ludoport.games import bundled
from ludoport.playthrough import file_name, main, playthrough
from tests.kernels.generated import assert_nothing_is_without_effect

FOLDER = Path(__file__).parent / "playthroughs"


@pytest.mark.slow
@pytest.mark.parametrize("name", bundled())
def test_playthrough(name: str) -> None:
    expected = (FOLDER / file_name(name)).read_text(encoding="utf-8")
    game = lp.load(name, jit=False)
    assert playthrough(game) == expected
    assert_nothing_is_without_effect(game.rules.source)


def test_machine_code_plays_the_same() -> None:
    expected = (FOLDER / file_name("Tic-Tac-Toe")).read_text(encoding="utf-8")
    assert playthrough(lp.load("Tic-Tac-Toe", jit=True)) == expected


def test_no_file_is_left_over() -> None:
    assert {path.name for path in FOLDER.iterdir()} == {file_name(name) for name in bundled()}


def test_the_command_writes_and_prints(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["Tic-Tac-Toe", "--write", str(tmp_path)])
    main(["Tic-Tac-Toe"])
    expected = (FOLDER / file_name("Tic-Tac-Toe")).read_text(encoding="utf-8")
    assert [path.read_text(encoding="utf-8") for path in tmp_path.iterdir()] == [expected]
    assert capsys.readouterr().out == expected + "\n"
