"""Pages show the same findings of searches as Python."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from starlette.testclient import TestClient

import ludoport as lp
from ludoport.web.desk import Desk

from .test_play import Opened, play


@pytest.fixture
def told(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, Any]]:
    """All events, as pages get them."""
    events: list[tuple[str, Any]] = []
    monkeypatch.setattr(desk.hub, "publish", lambda topic, kind, data, latest=False: events.append((kind, data)))
    return events


def of(told: list[tuple[str, Any]], kind: str) -> list[Any]:
    return [data for name, data in told if name == kind]


@pytest.mark.slow
def test_the_last_numbers_are_those_of_search(
    client: TestClient, opened: Opened, told: list[tuple[str, Any]], until: Callable[..., Any]
) -> None:
    view = play(client, opened("Tic-Tac-Toe"), "B2").json()
    table = f"/api/tables/{view['id']}"
    assert client.post(f"{table}/analyse", json={"players": ["uct:300", "minimax:2"]}).status_code == 200
    for slot, player in enumerate(("uct:300", "minimax:2")):
        until(lambda slot=slot: any(event.get("done") for event in of(told, f"analysis{slot}")))
        shown = [event["found"] for event in of(told, f"analysis{slot}") if "found" in event][-1]
        expected = lp.search(lp.load("Tic-Tac-Toe", jit=False).start().play("B2"), player).as_json()
        assert shown["moves"] == expected["moves"]
        assert shown["simulations"] == expected["simulations"]


@pytest.mark.slow
def test_every_player_searches_step_by_step() -> None:
    state = lp.load("Tic-Tac-Toe", jit=False).start()
    for text in ("uct:2000", "minimax:3"):
        searching = lp.player(text)
        searching.begin(state.game, 1, 0)
        *_, last = searching.searching(state, 0)
        assert last.as_json() == lp.search(state, text).as_json()


def test_a_long_analysis_stops_at_once_and_follows_the_game(
    client: TestClient, opened: Opened, told: list[tuple[str, Any]], until: Callable[..., Any], desk: Desk
) -> None:
    view = opened({"name": "Hex", "options": ["Board Size/5x5"]})
    table = f"/api/tables/{view['id']}"
    client.post(f"{table}/analyse", json={"players": ["uct:1000000000,nodes=100000"]})
    until(lambda: len(of(told, "analysis0")) > 2)
    view = play(client, view, "C3").json()
    until(lambda: any(event["node"] == view["node"] and "found" in event for event in of(told, "analysis0")))
    client.post(f"{table}/analyse", json={"players": []})
    playing = desk.playing[view["id"]]
    until(lambda: all(task is None or task.done() for task in playing._analyses))
    before = len(of(told, "analysis0"))
    client.get(table)
    assert len(of(told, "analysis0")) == before
    assert playing._analysts[0] is None or not playing._analysts[0].busy


def test_a_page_that_leaves_stops_its_analyses(
    client: TestClient, opened: Opened, told: list[tuple[str, Any]], until: Callable[..., Any], desk: Desk
) -> None:
    view = opened("Tic-Tac-Toe")
    client.post(f"/api/tables/{view['id']}/analyse", json={"players": ["uct:1000000000,nodes=100000"]})
    until(lambda: of(told, "analysis0"))
    playing = desk.playing[view["id"]]
    assert client.portal is not None
    client.portal.call(desk._left, f"table:{view['id']}")
    until(lambda: all(task is None or task.done() for task in playing._analyses))
    assert playing.analysing == ["", ""]


@pytest.mark.slow
def test_the_whole_game_is_analysed(
    client: TestClient, opened: Opened, told: list[tuple[str, Any]], until: Callable[..., Any]
) -> None:
    view = opened("Tic-Tac-Toe", moves=["A1", "B1", "A2", "B2", "A3"])
    client.post(f"/api/tables/{view['id']}/review", json={"player": "minimax:exact"})
    until(lambda: any(event.get("done") for event in of(told, "review")))
    found = [event["found"] for event in of(told, "review") if "found" in event]
    assert [one["ply"] for one in found] == list(range(6))
    assert found[4]["value"] == 1.0
    assert found[4]["played"] == 1.0
    assert found[5]["values"] == [1.0, -1.0]


@pytest.mark.parametrize("player", ["human", "random", "net:a", "uct:0"])
def test_what_does_not_search_is_refused(client: TestClient, opened: Opened, player: str) -> None:
    table = f"/api/tables/{opened('Tic-Tac-Toe')['id']}"
    assert client.post(f"{table}/analyse", json={"players": [player]}).status_code == 400
    assert client.post(f"{table}/review", json={"player": player}).status_code == 400
