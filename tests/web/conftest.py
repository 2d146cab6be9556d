"""A server without a socket, entered as a browser does it."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from ludoport.web.app import make_app
from ludoport.web.desk import Desk
from ludoport.web.guard import Secrets
from ludoport.web.things import Things
from tests.web.made import make_study, make_tree

ORIGIN = "http://127.0.0.1:8765"


def client_of(desk: Desk, secrets: Secrets) -> TestClient:
    return TestClient(
        make_app(desk, secrets), base_url=ORIGIN, headers={"Origin": ORIGIN}, raise_server_exceptions=False
    )


@pytest.fixture
def secrets() -> Secrets:
    return Secrets(8765)


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    monkeypatch.setenv("LUDOPORT_JIT", "0")  # nothing has to be compiled
    return Desk(Things(), tmp_path / "tables")


@pytest.fixture
def stranger(desk: Desk, secrets: Secrets) -> Iterator[TestClient]:
    """Somebody without the secret."""
    with client_of(desk, secrets) as client:
        yield client


@pytest.fixture
def client(stranger: TestClient, secrets: Secrets) -> TestClient:
    """Somebody who opened the address."""
    assert stranger.get("/", params={"token": secrets.token}).status_code == 200
    return stranger


@pytest.fixture
def opened(client: TestClient) -> Callable[..., dict[str, Any]]:
    """Opens a table and returns what a page sees."""

    def opening(game: dict[str, Any] | str, **more: Any) -> dict[str, Any]:
        given = {"name": game} if isinstance(game, str) else game
        answer = client.post("/api/tables", json={"game": given, "seats": ["human"], "seed": 1, **more})
        assert answer.status_code == 200, answer.text
        shown = client.get(f"/api/tables/{answer.json()['id']}")
        assert shown.status_code == 200, shown.text
        seen: dict[str, Any] = shown.json()
        return seen

    return opening


@pytest.fixture
def until() -> Callable[[Callable[[], Any]], Any]:
    """Waits for something that a machine under load may take long for."""

    def waiting(test: Callable[[], Any], seconds: float = 120.0) -> Any:
        end = time.monotonic() + seconds
        while not (found := test()):
            assert time.monotonic() < end, "it did not happen"
            time.sleep(0.02)
        return found

    return waiting


@pytest.fixture(scope="session")
def study(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a finished demonstration."""
    return make_study(tmp_path_factory.mktemp("studies") / "demo")


@pytest.fixture(scope="session")
def tree(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A saved search tree of Tic-Tac-Toe."""
    return make_tree(tmp_path_factory.mktemp("trees") / "tic.tree")
