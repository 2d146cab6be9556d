"""``ludoport show`` on games that are not written in the ludemic language."""

from __future__ import annotations

import json

import pytest

from ludoport.cli import main


def shown(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as end:
        main(["show", *arguments])
    assert end.value.code == 0
    return capsys.readouterr().out


@pytest.mark.slow
def test_chess(capsys: pytest.CaptureFixture[str]) -> None:
    text = shown(capsys, "gardner")
    assert text.startswith("Gardner")
    assert "5 r n b q k" in text
    assert "7 moves: " in text


def test_rulesheet(capsys: pytest.CaptureFixture[str]) -> None:
    record = json.loads(shown(capsys, "tic-tac-toe.kif", "--json"))
    assert record["engine"] == "network"
    assert record["roles"] == ["cross", "circle"]
    assert record["moves"][0] == "claim 1 1"
    assert len(record["moves"]) == 9
