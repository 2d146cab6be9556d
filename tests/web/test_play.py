from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoport.web import hosts
from ludoport.web.desk import Desk
from ludoport.web.guard import Secrets
from ludoport.web.things import Things
from ludoport.web.workers import CallLimits
from tests.faults.texts import ENDLESS, game

from .conftest import client_of

Opened = Callable[..., dict[str, Any]]


def play(client: TestClient, view: dict[str, Any], move: str) -> Any:
    return client.post(f"/api/tables/{view['id']}/play", json={"node": view["node"], "ply": view["ply"], "move": move})


def test_a_move_is_played_and_a_stale_one_is_not(client: TestClient, opened: Opened) -> None:
    first = opened("Tic-Tac-Toe")
    assert len(first["moves"]) == 9
    assert first["position"]["mover"] == 1
    second = play(client, first, "B2").json()
    assert second["ply"] == 1
    assert second["position"]["pieces"][0]["site"] == 4
    assert play(client, first, "A1").status_code == 409
    assert play(client, second, "B2").status_code == 400
    assert client.get(f"/api/tables/{first['id']}").json()["ply"] == 1


def test_undo_redo_and_variations(client: TestClient, opened: Opened) -> None:
    view = opened("Tic-Tac-Toe")
    table = f"/api/tables/{view['id']}"
    for move in ("A1", "B1"):
        view = play(client, view, move).json()
    back = client.post(f"{table}/go", json={"node": 1}).json()
    assert back["node"] == 1
    assert back["line"] == [0, 1, 2]
    other = play(client, back, "C1").json()
    assert other["tree"] == [[-1, "", 1], [0, "A1", 2], [1, "B1", 1], [1, "C1", 1]]
    assert other["line"] == [0, 1, 3]
    assert other["moves_played"] == ["0", "2"]
    assert client.post(f"{table}/go", json={"node": 9}).status_code == 400


def test_a_program_answers(client: TestClient, opened: Opened, until: Callable[..., Any]) -> None:
    view = opened("Tic-Tac-Toe", seats=["human", "random"])
    play(client, view, "B2")
    answered = until(lambda: (now := client.get(f"/api/tables/{view['id']}").json())["ply"] == 2 and now)
    assert answered["position"]["mover"] == 1


def test_a_player_of_the_command_line_answers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, until: Callable[..., Any]
) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    (tmp_path / "mine.py").write_text("def last(state):\n    return max(state.moves(), key=str)\n")
    text = f"python:{tmp_path / 'mine.py'}:last"
    secrets = Secrets(8765)
    with client_of(Desk(Things(players=[text]), tmp_path / "tables"), secrets) as client:
        client.get("/", params={"token": secrets.token})
        (mine,) = (thing for thing in client.get("/api/things").json() if thing["kind"] == "player")
        assert mine["title"] == "mine.py:last"
        given = {"game": {"name": "Tic-Tac-Toe"}, "seed": 1}
        assert client.post("/api/tables", json={**given, "seats": ["human", text]}).status_code == 400
        made = client.post("/api/tables", json={**given, "seats": ["human", f"thing:{mine['id']}"]}).json()["id"]
        view = client.get(f"/api/tables/{made}").json()
        play(client, view, "B2")
        answered = until(lambda: (now := client.get(f"/api/tables/{made}").json())["ply"] == 2 and now)
        assert answered["moves_played"] == ["4", "8"]


def test_a_match_of_the_command_line_comes_with_its_games(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_JIT", "0")
    secrets, matches = Secrets(8765), Path(__file__).parents[1] / "ludemes" / "matches"
    with client_of(Desk(Things([matches / "Rows and Races.lud"]), tmp_path / "tables"), secrets) as client:
        client.get("/", params={"token": secrets.token})
        (mine,) = (thing for thing in client.get("/api/things").json() if thing["kind"] == "game")
        given = {"game": {"thing": mine["id"]}, "seed": 1, "seats": ["human", "human"]}
        made = client.post("/api/tables", json=given).json()["id"]
        assert len(client.get(f"/api/tables/{made}").json()["board"]["sites"]) == 9
        exported = client.get(f"/api/tables/{made}/export").json()
        assert set(exported["game"]["games"]) == {"Row of Three", "Short Race"}
        assert client.post("/api/tables", json={"import": exported}).status_code == 200
        exported["game"]["games"]["Short Race"] = 1
        assert client.post("/api/tables", json={"import": exported}).status_code == 400


def test_networks_of_the_zoo_are_offered(client: TestClient) -> None:
    (found,) = (thing for thing in client.get("/api/things").json() if thing["title"] == "hex-11x11 (zoo)")
    assert (found["kind"], found["game"], found["zoo"]) == ("network", "Hex", True)


def test_a_restart_loses_nothing(client: TestClient, opened: Opened, desk: Desk) -> None:
    view = play(client, opened("Tic-Tac-Toe"), "B2").json()
    again = Desk(Things(), desk.tables.folder)
    secrets = Secrets(8765)
    with client_of(again, secrets) as other:
        other.get("/", params={"token": secrets.token})
        shown = other.get(f"/api/tables/{view['id']}").json()
    assert shown["moves_played"] == ["4"]
    assert shown["position"] == view["position"]


def test_export_and_import(client: TestClient, opened: Opened) -> None:
    view = play(client, opened("Tic-Tac-Toe"), "B2").json()
    exported = client.get(f"/api/tables/{view['id']}/export").json()
    made = client.post("/api/tables", json={"import": exported}).json()["id"]
    assert made != view["id"]
    assert client.get(f"/api/tables/{made}").json()["moves_played"] == ["4"]
    exported["nodes"][0][1] = "77"
    assert client.post("/api/tables", json={"import": exported}).status_code == 400


@pytest.mark.parametrize(
    ("game", "moves", "inside"),
    [
        ("Chess 8x8", ["e2e4", "e7e5"], "1. e4 e5"),
        ("Hex", ["C3", "D4"], ";B[c3]"),
        ("Tic-Tac-Toe", ["B2"], "# Ludoport game record"),
    ],
)
def test_records_of_other_programs(
    client: TestClient, opened: Opened, game: str, moves: list[str], inside: str
) -> None:
    view = opened(game, moves=moves)
    answer = client.get(f"/api/tables/{view['id']}/record")
    assert answer.status_code == 200, answer.text
    assert inside in answer.text
    made = client.post("/api/tables", json={"record": answer.text})
    assert made.status_code == 200, made.text
    again = client.get(f"/api/tables/{made.json()['id']}").json()
    assert again["moves_played"] == view["moves_played"]
    assert again["position"]["pieces"] == view["position"]["pieces"]


@pytest.mark.parametrize(
    "record",
    [
        '[Variant "/etc/passwd"]\n\n1. e4 *',
        "# Ludoport game record\ngame: ../Hex.lud\n\nA1",
        "(;GM[99])",
        "nothing",
        "(;GM[1];B[zz])",
    ],
)
def test_records_that_are_refused(client: TestClient, record: str) -> None:
    answer = client.post("/api/tables", json={"record": record})
    assert answer.status_code == 400, answer.text
    assert "root:" not in answer.text


def test_texts_in_all_languages(client: TestClient, opened: Opened) -> None:
    stacks = Path(__file__).with_name("stacks.lud").read_text()
    ludemic = opened({"text": stacks})
    assert ludemic["board"]["title"] == "Tower Steps"
    rulesheet = (
        "(role a) (init (cell 1)) (legal a (go 1)) (legal a (go 2)) (<= terminal (true done)) (next done) (goal a 100)"
    )
    assert [move["label"] for move in opened({"text": rulesheet})["moves"]] == ["go 1", "go 2"]
    chess = opened({"text": "4k3/P7/8/8/8/8/8/4K3 w - - 0 1"})
    assert sum(move["kind"] == "promote" or "a8" in move["label"] for move in chess["moves"]) == 4


def test_names_of_games(client: TestClient, opened: Opened) -> None:
    assert opened("short assize")["game"]["name"] == "Short Assize"
    for name, reason in (("Hexx", "did you mean Hex"), ("games/Hex.lud", "unknown game"), ("", "unknown game")):
        refused = client.post("/api/tables", json={"game": {"name": name}, "seats": ["human"]})
        assert refused.status_code == 400
        assert reason in refused.json()["error"]


def test_what_a_text_offers(client: TestClient) -> None:
    text = Path(__file__).with_name("stacks.lud").read_text()
    about = client.post("/api/games/about", json={"game": {"text": text}}).json()
    assert about["title"] == "Tower Steps"
    assert about["players"] == ["White", "Black"]
    assert client.post("/api/games/about", json={"game": {"text": "(game"}}).status_code == 400
    assert client.post("/api/games/about", json={"game": {"thing": "/etc/passwd"}}).status_code == 400


def test_a_wrong_text_says_where(client: TestClient) -> None:
    text = '(game "A" (players 2)\n  (equipment {(board (sqare 3))}))'
    made = client.post("/api/tables", json={"game": {"text": text}, "seats": ["human"]}).json()["id"]
    answer = client.get(f"/api/tables/{made}")
    assert answer.status_code == 400
    assert answer.json()["line"] == 2
    assert "sqare" in answer.json()["error"]


@pytest.mark.slow
@pytest.mark.parametrize("limits", [CallLimits(seconds=1.0), CallLimits(seconds=60.0, cpu=1.0)], ids=["clock", "CPU"])
def test_a_game_whose_moves_take_for_ever_is_stopped(
    client: TestClient, opened: Opened, monkeypatch: pytest.MonkeyPatch, limits: CallLimits
) -> None:
    monkeypatch.setattr(hosts, "ANSWERING", limits)
    monkeypatch.setattr(hosts.Host, "_compile", lambda self: asyncio.sleep(0))
    made = client.post("/api/tables", json={"game": {"text": ENDLESS}, "seats": ["human"]}).json()["id"]
    answer = client.get(f"/api/tables/{made}")
    assert answer.status_code == 400, answer.text
    assert "takes more than" in answer.text or "CPU" in answer.text
    monkeypatch.undo()
    assert opened("Tic-Tac-Toe")["ply"] == 0


def test_a_board_that_is_too_large_is_refused(client: TestClient) -> None:
    made = client.post("/api/tables", json={"game": {"text": game(board="(square 900)")}, "seats": ["human"]}).json()
    answer = client.get(f"/api/tables/{made['id']}")
    assert answer.status_code == 400
    assert "too large" in answer.json()["error"]


def test_deleting(client: TestClient, opened: Opened, desk: Desk) -> None:
    view = opened("Tic-Tac-Toe")
    assert client.request("DELETE", f"/api/tables/{view['id']}", json={}).status_code == 200
    assert client.get(f"/api/tables/{view['id']}").status_code == 404
    assert not list(desk.tables.folder.glob("*.json"))
