"""``ludoport show GAME --network`` tells the shapes, the meaning of channels, and how large the network is."""

from __future__ import annotations

import json
from typing import Any

import pytest

from ludoport.cli import main

pytest.importorskip("torch")


def record(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    with pytest.raises(SystemExit):
        main(["show", *arguments, "--network", "--json"])
    answer: dict[str, Any] = json.loads(capsys.readouterr().out)
    return answer


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "states", "moves", "parameters"),
    [
        (("Gomoku", "-o", "Board Size/9x9"), 9, 3, 180_472),
        (("Hex", "-o", "Board Size/5x5"), 10, 3, 222_464),
        (("Breakthrough", "-o", "Board Size/6x6"), 9, 51, 188_296),
        (("Minishogi",), 30, 51, 2_009_752),
    ],
)
def test_the_networks_of_the_paper(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], states: int, moves: int, parameters: int
) -> None:
    found = record(capsys, *arguments, "--preset", "paper")
    assert found["layout"] == "paper"
    assert (found["state_shape"][0], found["move_shape"][0]) == (states, moves)
    assert len(found["state_channels"]) == states
    assert len(found["move_channels"]) == moves
    assert found["parameters"] == parameters


def test_meanings(capsys: pytest.CaptureFixture[str]) -> None:
    found = record(capsys, "Hex", "-o", "Board Size/5x5")
    assert found["layout"] == "compact"
    assert found["state_shape"] == [10, 5, 5]
    first = found["state_channels"][0]
    assert (first["kind"], first["owner"], first["piece"]) == ("piece", 1, "Marker1")
    assert [channel["kind"] for channel in found["move_channels"]] == ["displacement", "pass", "swap"]


@pytest.mark.slow
@pytest.mark.parametrize("preset", ["conv-fc", "u-conv-fc", "nano-fc", "nano-conv", "tiny"])
def test_every_family(capsys: pytest.CaptureFixture[str], preset: str) -> None:
    assert record(capsys, "Hex", "-o", "Board Size/5x5", "--preset", preset)["parameters"] > 0


@pytest.mark.slow
@pytest.mark.parametrize(("option", "name"), [("--preset", "huge"), ("--layout", "round")])
def test_unknown_names(capsys: pytest.CaptureFixture[str], option: str, name: str) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["show", "Hex", "--network", option, name])
    assert stopped.value.code == 2
    assert f"`{name}`" in capsys.readouterr().err
