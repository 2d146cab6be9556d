"""Every row of the table of what went wrong in other local servers."""

from __future__ import annotations

import re
from collections.abc import Callable
from inspect import signature
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient

from ludoport.commands.web import web
from ludoport.errors import LudoportError
from ludoport.web.app import STATIC
from ludoport.web.guard import MOST_BYTES, Secrets
from ludoport.web.serve import _listen, serve
from ludoport.web.things import Things

from .conftest import ORIGIN

METHODS = ("GET", "POST", "DELETE")


@pytest.mark.parametrize("host", ["evil.example", "127.0.0.1.evil.example", "localhost.evil", "evil.example:8765", ""])
@pytest.mark.parametrize("method", METHODS)
def test_a_request_must_name_this_server(client: TestClient, method: str, host: str) -> None:
    answer = client.request(method, "/api/tables", headers={"Host": host}, json={} if method != "GET" else None)
    assert answer.status_code == 403


@pytest.mark.parametrize("host", ["127.0.0.1:8765", "localhost:1", "LOCALHOST", "[::1]:8765", "[::1]"])
def test_all_names_of_loopback_are_known(client: TestClient, host: str) -> None:
    assert client.get("/api/pages", headers={"Host": host}).status_code == 200


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "", ORIGIN + ".evil.example", "https://127.0.0.1:8765"]
)
@pytest.mark.parametrize("method", ["POST", "DELETE"])
def test_changes_need_the_origin_of_the_page(client: TestClient, method: str, origin: str) -> None:
    assert client.request(method, "/api/tables", headers={"Origin": origin}, json={}).status_code == 403


def test_a_page_of_another_site_is_recognised_without_origin(client: TestClient) -> None:
    assert client.get("/api/pages", headers={"Sec-Fetch-Site": "cross-site"}).status_code == 403


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""])
def test_changes_need_json(client: TestClient, kind: str) -> None:
    assert client.post("/api/tables", content=b"{}", headers={"Content-Type": kind}).status_code == 415


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("agent", ["Mozilla/5.0", "curl/8.0"])
def test_nothing_is_answered_without_the_cookie(stranger: TestClient, method: str, agent: str) -> None:
    for path in ("/", "/play", "/static/page.js", "/api/tables", "/api/events?topic=a"):
        answer = stranger.request(method, path, headers={"User-Agent": agent}, json={} if method != "GET" else None)
        assert answer.status_code == 403


def test_other_methods_do_not_exist(client: TestClient) -> None:
    for method in ("PUT", "PATCH", "OPTIONS", "TRACE"):
        assert client.request(method, "/api/tables").status_code == 405


def test_the_secret_works_once_and_becomes_a_cookie(stranger: TestClient, secrets: Secrets) -> None:
    announced: list[str] = []
    secrets.announce = announced.append
    token = secrets.token
    answer = stranger.get("/", params={"token": token}, follow_redirects=False)
    assert answer.status_code == 303
    assert "token" not in answer.headers["location"]
    cookie = answer.headers["set-cookie"]
    assert cookie.startswith("ludoport-8765=")
    assert "HttpOnly" in cookie
    assert "SameSite=strict" in cookie
    assert token not in cookie
    stranger.cookies.clear()
    assert stranger.get("/", params={"token": token}).status_code == 403
    assert announced == [secrets.token]
    assert secrets.token != token


def test_a_wrong_secret_or_cookie_is_refused(stranger: TestClient) -> None:
    assert stranger.get("/", params={"token": "guess"}).status_code == 403
    stranger.cookies.set("ludoport-8765", "guess")
    assert stranger.get("/api/pages").status_code == 403


def test_the_entrance_leads_to_no_other_host(stranger: TestClient, secrets: Secrets) -> None:
    answer = stranger.get("//evil.example/", params={"token": secrets.token}, follow_redirects=False)
    assert answer.headers["location"].startswith("/")
    assert not answer.headers["location"].startswith("//")


def test_every_answer_has_the_policy_and_no_cors(client: TestClient) -> None:
    for path in ("/play", "/static/page.js", "/api/pages", "/nothing"):
        headers = client.get(path, headers={"Origin": "http://evil.example"}).headers
        policy = headers["content-security-policy"]
        assert "default-src 'self'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"
        assert not any(name.startswith("access-control") for name in headers)


def test_bodies_are_limited_with_and_without_their_length(client: TestClient) -> None:
    headers = {"Content-Type": "application/json"}
    assert client.post("/api/tables", content=b"x" * (MOST_BYTES + 1), headers=headers).status_code == 413
    pieces = (b"x" * 100_000 for _ in range(20))
    assert client.post("/api/tables", content=pieces, headers=headers).status_code == 413


@pytest.mark.parametrize(
    "path", ["/static/../app.py", "/static/%2e%2e/app.py", "/static/..%2fapp.py", "/static//etc/passwd"]
)
def test_static_files_are_those_of_the_package(client: TestClient, path: str) -> None:
    assert client.get(path).status_code == 404


@pytest.mark.parametrize(
    "game",
    [
        {"name": "/etc/passwd"},
        {"name": "../Hex.lud"},
        {"name": "ludoport/games/Hex.lud"},
        {"thing": "/etc/passwd"},
        "Hex",
        {},
    ],
)
def test_no_game_is_given_by_a_path(client: TestClient, game: Any) -> None:
    answer = client.post("/api/tables", json={"game": game, "seats": ["human"]})
    assert answer.status_code == 400


@pytest.mark.parametrize("seat", ["net:/tmp/a.safetensors", "tree:/tmp/a", "thing:../../a", "uct:x", "python:os", 3])
def test_no_player_is_given_by_a_path(client: TestClient, seat: Any) -> None:
    answer = client.post("/api/tables", json={"game": {"name": "Hex"}, "seats": [seat]})
    assert answer.status_code == 400


def test_paths_of_things_stay_in_the_server(tmp_path: Path) -> None:
    (tmp_path / "own.lud").write_text('(game "Own" (players 2))')
    things = Things([tmp_path / "own.lud"])
    listed = [thing.as_json() for thing in things.all()]
    assert str(tmp_path) not in str(listed)
    assert things.get(listed[0]["id"], "game").path == tmp_path / "own.lud"
    with pytest.raises(LudoportError):
        things.get(listed[0]["id"], "run")


def test_streams_are_limited(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoport.web.events.MOST_STREAMS", 0)
    assert client.get("/api/events?topic=table:a").status_code == 429
    assert client.get("/api/events").status_code == 400


def test_tables_are_limited(opened: Callable[..., Any], client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ludoport.web.tables.MOST_TABLES", 0)
    answer = client.post("/api/tables", json={"game": {"name": "Tic-Tac-Toe"}, "seats": ["human"]})
    assert answer.status_code == 400
    assert "delete" in answer.json()["error"]


def test_other_machines_only_by_an_option() -> None:
    """The server listens on loopback unless it is told otherwise; then other names count, and only those."""
    assert signature(serve).parameters["host"].default == "127.0.0.1"
    assert signature(serve).parameters["names"].default == ()
    assert signature(web).parameters["host"].default == "127.0.0.1"
    listening = _listen("127.0.0.1", 0)
    assert listening.getsockname()[0] == "127.0.0.1"
    listening.close()


FILES = sorted(STATIC.iterdir())


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.name)
def test_pages_load_nothing_from_elsewhere_and_write_text_as_text(file: Path) -> None:
    text = file.read_text(encoding="utf-8").replace("http://www.w3.org/2000/svg", "")
    assert not re.search(r"https?://|url\(|@import|//cdn", text)
    assert not re.search(r"innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\(|new Function", text)
    assert not re.search(r"<script(?![^>]*\bsrc=)|\bon\w+=\"|<style|\bstyle=\"", text)


def test_the_page_is_small() -> None:
    """Texts of the interface, its code and its styles, before compression."""
    assert sum(file.stat().st_size for file in FILES) < 1_500_000
