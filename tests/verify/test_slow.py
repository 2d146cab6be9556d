"""The slow interpreter agrees with the kernels, finds differences, and says what it does not know."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.game import load
from ludoport.lud.reading import read_text
from ludoport.verify.slow import NotCovered, TreeInterpreter
from ludoport.verify.slow.__main__ import main
from ludoport.verify.slow.compare import compare, interpreter_of
from ludoport.verify.slow.registry import MEANINGS

FAMILIES = Path(__file__).parents[1] / "ludemes" / "games"
BUNDLED = Path(__file__).parents[2] / "ludoport" / "games"
SOME = [
    *(FAMILIES / f"{name}.lud" for name in ("counts_pieces", "jumps", "memory", "moves_logic", "sowing", "visits")),
    *(BUNDLED / f"{name}.lud" for name in ("Breakthrough", "Squava")),
]


@pytest.mark.parametrize("path", SOME, ids=lambda path: path.stem)
def test_agrees_with_the_kernels(path: Path) -> None:
    result = compare(interpreter_of(path), load(path, jit=False), range(2), 12)
    assert result.difference is None, str(result.difference)
    assert result.positions > 8


def test_finds_a_difference(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    path = str(BUNDLED / "Tic-Tac-Toe.lud")
    assert main([path, "--games", "2", "--plies", "9"]) == 0
    monkeypatch.setitem(MEANINGS, "boolean:is Line", lambda node, cx: False)
    assert main([path, "--games", "2", "--plies", "9"]) == 1
    assert "over: True | slow: False" in capsys.readouterr().out


def test_names_what_it_does_not_cover() -> None:
    text = '(game "Dice" (players 2) (equipment {(board (square 3)) (dice d:6 num:1) (piece "Ball" Each)}))'
    with pytest.raises(NotCovered, match="container:dice"):
        TreeInterpreter(read_text(text))
