"""Parts of the measurement of whole runs are kept."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from ludoport.bench import goals
from ludoport.bench.goals import Goal, GoalGroup, Measuring
from ludoport.errors import LudoportError


def test_bounds() -> None:
    assert Goal("share", 0.85, 0.85, least=True).reached
    assert not Goal("share", 0.84, 0.85, least=True).reached
    assert Goal("seconds", 10.0, 10.0, least=False).reached
    assert not Goal("seconds", 10.1, 10.0, least=False).reached


def test_a_part_is_measured_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[Measuring] = []

    def measured(plan: Measuring) -> Iterator[Goal]:
        calls.append(plan)
        yield Goal("share", 0.2, 0.85, True, "beside others")
        yield Goal("share", 0.5, 0.85, True, "alone")

    monkeypatch.setattr(goals, "PARTS", {"one": GoalGroup(1, measured)})
    plan = Measuring("cpu", tmp_path / "kept")
    first = list(goals.measure(plan, ["one"]))
    assert [goal.told() for _, goal in first] == [
        "share: 0.2 (at least 0.85: not reached); beside others",
        "share: 0.5 (at least 0.85: not reached); alone",
    ]
    assert list(goals.measure(plan, [])) == first[1:]
    assert len(calls) == 1
    with pytest.raises(LudoportError, match="unknown part `three`; choose from one"):
        list(goals.measure(plan, ["three"]))


def test_a_part_that_is_cut_off_keeps_what_it_had(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cut = [True, False]

    def measured(plan: Measuring) -> Iterator[Goal]:
        yield Goal("share", 1.0, 0.85, True)
        if cut.pop(0):
            raise LudoportError("cut off")
        yield Goal("seconds", None, 10.0, False, "failed")

    monkeypatch.setattr(goals, "PARTS", {"one": GoalGroup(1, measured)})
    plan = Measuring("cpu", tmp_path)
    with pytest.raises(LudoportError, match="cut off"):
        list(goals.measure(plan, []))
    kept = json.loads((tmp_path / "one.json").read_text())
    assert not kept["complete"]
    assert [(goal["what"], goal["reached"]) for goal in kept["goals"]] == [("share", True)]
    found = list(goals.measure(plan, []))
    assert [goal.reached for _, goal in found] == [True, False]
    assert list(goals.measure(plan, [])) == found


def test_starts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Games that cannot be learned are listed; slow starts are measured again alone."""
    begun: list[str] = []

    def start(plan: Measuring, game: str, out: Path) -> float:
        begun.append(game)
        if game == "Chess":
            raise LudoportError("train failed: ludoport: training is for games of two players; Chess has 3")
        if game == "Go":
            raise LudoportError("train failed:\nout of memory")
        return 12.0 if game == "Hex" and begun.count("Hex") < 3 else 2.0

    monkeypatch.setattr(goals, "_start", start)
    plan = Measuring("cpu", tmp_path, only=("Chess", "Go", "Hex", "Tic-Tac-Toe"))
    found = {goal.what: goal for _, goal in goals.measure(plan, ["starts"])}
    assert {what: goal.value for what, goal in found.items()} == {
        "not trained: Chess": 0.0,
        "seconds to the first step, Go": None,
        "seconds to the first step, Hex": 2.0,
        "seconds to the first step, Tic-Tac-Toe": 2.0,
    }
    assert found["not trained: Chess"].detail == "training is for games of two players; Chess has 3"
    assert {what for what, goal in found.items() if not goal.reached} == {"seconds to the first step, Go"}
    assert sorted(begun) == ["Chess", *["Go"] * 3, *["Hex"] * 3, *["Tic-Tac-Toe"] * 2]


def test_a_run_that_was_cut_off_is_not_resumed(tmp_path: Path) -> None:
    for name in ("run", "run~2", "run~3"):
        assert goals._free(tmp_path / "run").name == name
        (tmp_path / name).mkdir()
