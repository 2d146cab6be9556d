"""Hostile game texts, slow readers and greedy pages: the server stays small and keeps answering."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from typing import Any

import pytest
import uvicorn
from starlette.testclient import TestClient
from uvicorn.server import ServerState

from ludoport.web import desk as desks
from ludoport.web import hosts, patience
from ludoport.web.desk import Desk
from ludoport.web.events import MOST_WAITING, Hub, Listener
from ludoport.web.hosts import Hosts
from ludoport.web.playing import TablePlaying
from ludoport.web.positions import GameSpec
from ludoport.web.tables import Table, new_id
from ludoport.web.views import completion
from ludoport.web.workers import CallLimits
from tests.faults.texts import ENDLESS, game

OUTSIDE = game(play="(move Add (to (sites Empty)) (then (set State at:(+ 900000000 (last To)) 7)))")


def posted(client: TestClient, text: str, **more: Any) -> Any:
    return client.post("/api/tables", json={"game": {"text": text}, "seats": ["human"], "seed": 1, **more})


@pytest.mark.parametrize("begun", [b"", b"GET / HTTP/1.1\r\nHost: x\r\nX: "])
def test_connections_without_a_request_are_closed(begun: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    """While an answer that takes longer arrives whole."""
    monkeypatch.setattr(patience, "PATIENCE", 0.01)

    async def run() -> bytes:
        closed = asyncio.Event()

        async def app(scope: Any, receive: Any, send: Any) -> None:
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await closed.wait()
            await send({"type": "http.response.body", "body": b"late"})

        settings = uvicorn.Config(app, http=patience.PatientProtocol, lifespan="off", log_level="error")
        state = ServerState()
        server = await asyncio.get_running_loop().create_server(
            lambda: patience.PatientProtocol(settings, state, {}), "127.0.0.1", 0
        )
        port = server.sockets[0].getsockname()[1]
        asked, asking = await asyncio.open_connection("127.0.0.1", port)
        asking.write(b"GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
        silent, silence = await asyncio.open_connection("127.0.0.1", port)
        silence.write(begun)
        assert await asyncio.wait_for(silent.read(), 30) == b""
        closed.set()
        answer = await asyncio.wait_for(asked.read(), 30)
        for writer in (asking, silence):
            writer.close()
        server.close()
        return answer

    assert b"late" in asyncio.run(run())


def test_a_reader_that_does_not_read_costs_nothing() -> None:
    listener = Listener(frozenset(["a"]))
    for number in range(10 * MOST_WAITING):
        listener.put("a", "review", f"event {number}", latest=False)
    assert listener.lost
    assert len(listener.waiting) <= MOST_WAITING


def test_a_stream_that_lost_events_ends() -> None:
    async def read() -> int:
        hub = Hub()
        stream = hub.stream(frozenset(["a"]))
        await anext(stream)
        for _ in range(MOST_WAITING + 1):
            hub.publish("a", "review", 1)
        count = len([text async for text in stream])
        assert not hub.listening("a")
        return count

    assert asyncio.run(read()) <= 1


@pytest.mark.slow
def test_games_on_tables_share_few_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    """Tables keep their hosts; the processes behind them are ended and started again."""
    monkeypatch.setattr(hosts, "MOST_HOSTS", 2)
    monkeypatch.setattr(hosts.Host, "_compile", lambda self: asyncio.sleep(0))

    async def open_all() -> None:
        known = Hosts()
        tables = [known.get(GameSpec("Tic-Tac-Toe", (), "", "")), *(known.get(text) for text in texts)]
        try:
            for host in [*tables, *tables]:
                await host.open()
                living = [other for other in tables if other._worker is not None and other._worker.alive]
                assert len(living) <= 2 + 1, "one may still be ending"
                assert len(known._open) <= 2
                assert known.get(host.spec) is host
        finally:
            known.close()

    texts = [GameSpec(f"G{number}", (), "", game(board=f"(square {number})")) for number in (3, 4)]
    asyncio.run(open_all())


@pytest.mark.slow
def test_ten_tables_and_one_of_them_hostile(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """While one text keeps its process busy, moves at nine other tables are answered."""
    monkeypatch.setattr(hosts, "ANSWERING", CallLimits(seconds=600.0, cpu=600.0))
    monkeypatch.setattr(hosts.Host, "_compile", lambda self: asyncio.sleep(0))

    def seated(spec: GameSpec) -> TablePlaying:
        table = Table(new_id(), spec, ["human"])
        desk.tables.take(table)
        return desk.table(table.id)

    async def play() -> None:
        desk.begin()
        hostile = asyncio.create_task(seated(GameSpec("Endless", (), "", ENDLESS)).view())
        others = [seated(GameSpec(f"G{n}", (), "", game(board=f"(rectangle 3 {n})"))) for n in range(2, 11)]
        for _ in range(2):
            for playing in others:
                view = await playing.view()
                await playing.play(view["node"], view["ply"], view["moves"][0]["text"])
        assert [playing.table.nodes[playing.table.current].ply for playing in others] == [2] * 9
        assert not hostile.done()
        hostile.cancel()
        await desk.end()

    asyncio.run(play())


def test_idle_programs_make_room(monkeypatch: pytest.MonkeyPatch, desk: Desk) -> None:
    monkeypatch.setattr(desks, "MOST_WORKERS", 1)

    async def hire() -> None:
        desk.begin()
        first = desk.hire(None, CallLimits())
        assert desk.hire(first, CallLimits()) is first
        second = desk.hire(None, CallLimits())
        until = time.monotonic() + 60
        while first.alive:
            assert time.monotonic() < until
            await asyncio.sleep(0.02)
        assert second.alive
        second.kill()

    asyncio.run(hire())


@pytest.mark.parametrize(
    "change",
    [{"changed": 10**400}, {"changed": float("nan")}, {"current": 7}, {"seed": -1}, {"nodes": [[5, "x", "y"]]},
     {"nodes": [[0, "x"]]}, {"nodes": [[0, "99", "x"]]}, {"seats": []}, {"format": 9}, {"game": {"name": "../x"}}],
    ids=lambda change: str(change)[:30],
)  # fmt: skip
def test_damaged_imports(client: TestClient, change: dict[str, Any]) -> None:
    good = Table("", GameSpec("Tic-Tac-Toe"), ["human"]).as_json()
    body = json.dumps({"import": {**good, **change}})
    answer = client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == (200 if "changed" in change else 400), answer.text
    assert client.get("/api/tables").status_code == 200


HALF = "\\ud800"
"""Half of a surrogate pair as JSON writes it: a text that no answer and no file could hold."""


@pytest.mark.parametrize("path", ["/api/tables", "/api/games/about", "/api/design/look"])
@pytest.mark.parametrize(
    "body",
    [
        '{"game": {"text": "HALF"}, "text": "HALF", "seats": ["human"]}',
        '{"game": {"name": "Tic-Tac-Toe"}, "seats": ["uct:HALF"]}',
        '{"game": {"name": "Tic-Tac-Toe"}, "seats": ["human"], "moves": ["HALF"]}',
        '{"import": {"format": 1, "game": {"name": "Tic-Tac-Toe"}, "seats": ["human"], "nodes": [], "seed": 1, '
        '"current": 0, "title": "HALF"}}',
    ],
)
def test_half_characters(client: TestClient, path: str, body: str) -> None:
    headers = {"Content-Type": "application/json"}
    answer = client.post(path, content=body.replace("HALF", HALF), headers=headers)
    assert (answer.status_code, answer.json()) == (400, {"error": "the request is not JSON"})
    assert client.get("/api/tables").json() == []


@pytest.mark.parametrize("text", ["a" * 400_000 + "!", "a_" * 200_000 + " ", "a/a/a" + " " * 400_000 + "\n!"])
def test_long_words_and_blanks_take_no_square_of_the_time(text: str) -> None:
    """These run in the process of the server, which would answer nobody for minutes."""
    assert completion.complete(text, len(text))["start"] == len(text)
    assert GameSpec("x", (), "", text).language == "GDL"


@pytest.mark.parametrize("body", [b"[" * 100_000, b'{"a":' * 100_000, b"1" * 5_000, b"\xff", b'{"game": {"text": 3}}'])
def test_hostile_bodies(client: TestClient, body: bytes) -> None:
    answer = client.post("/api/tables", content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400


@pytest.mark.slow
def test_a_text_that_writes_outside_of_its_arrays(client: TestClient, opened: Callable[..., Any]) -> None:
    """It is played as if the site were off the board, and others are answered afterwards."""
    answer = posted(client, OUTSIDE)
    view = client.get(f"/api/tables/{answer.json()['id']}").json()
    move = {"node": view["node"], "ply": view["ply"], "move": view["moves"][0]["text"]}
    answer = client.post(f"/api/tables/{view['id']}/play", json=move)
    assert answer.status_code == 200, answer.text
    assert len(opened("Tic-Tac-Toe")["moves"]) == 9
