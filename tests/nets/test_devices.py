"""A device that does not exist is refused before any work."""

from __future__ import annotations

from pathlib import Path

import pytest
import torch
from typer.testing import CliRunner

from ludoport.cli import app
from ludoport.errors import LudoportError
from ludoport.nets.devices import cards, require_device

NONE = "torch finds no CUDA device on this machine; use --device cpu"


@pytest.fixture
def _no_cards(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)


@pytest.mark.usefixtures("_no_cards")
def test_a_device_must_exist() -> None:
    require_device("cpu")
    require_device("cuda", elsewhere=True)
    assert cards() == []
    with pytest.raises(LudoportError, match="unknown device `tpu`; choose cpu or cuda"):
        require_device("tpu", elsewhere=True)
    with pytest.raises(LudoportError, match=NONE):
        require_device("cuda")


def test_cards_have_names(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(torch.cuda, "is_available", lambda: True)
    monkeypatch.setattr(torch.cuda, "device_count", lambda: 2)
    monkeypatch.setattr(torch.cuda, "get_device_name", lambda number: f"card {number}")
    assert cards() == ["card 0", "card 1"]
    require_device("cuda")


@pytest.mark.usefixtures("_no_cards")
@pytest.mark.parametrize("command", [["train", "Hex", "--epochs", "1"], ["study", "variants/hex"]])
def test_commands_refuse_a_missing_card_and_write_nothing(tmp_path: Path, command: list[str]) -> None:
    answer = CliRunner().invoke(app, [*command, "--device", "cuda", "--out", str(tmp_path / "out")])
    assert isinstance(answer.exception, LudoportError)
    assert str(answer.exception) == NONE
    assert not (tmp_path / "out").exists()
