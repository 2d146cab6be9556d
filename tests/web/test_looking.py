"""Answers and refusals of the pages for studies, runs, trees and networks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("starlette")
from starlette.testclient import TestClient

from ludoport.web.desk import Desk
from ludoport.web.guard import Secrets
from ludoport.web.things import Things
from tests.web.conftest import client_of
from tests.web.made import make_run


@pytest.fixture(scope="module")
def kept(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Folder in which the server keeps what pages make."""
    return tmp_path_factory.mktemp("kept")


@pytest.fixture(scope="module")
def looking(study: Path, tree: Path, kept: Path) -> Iterator[TestClient]:
    """A page of a server that was started with a study and a tree."""
    secrets = Secrets(8765)
    with client_of(Desk(Things([study, tree]), kept / "tables"), secrets) as client:
        assert client.get("/", params={"token": secrets.token}).status_code == 200
        yield client


def ids(client: TestClient, kind: str) -> list[str]:
    return [thing["id"] for thing in client.get("/api/things").json() if thing["kind"] == kind]


@pytest.mark.slow
def test_every_page_is_there(looking: TestClient) -> None:
    paths = [page["path"] for page in looking.get("/api/pages").json()]
    assert paths == ["/play", "/design", "/runs", "/transfer", "/study", "/tree"]
    for path in paths:
        assert looking.get(path).status_code == 200


@pytest.mark.slow
def test_a_carried_network_can_play(looking: TestClient, kept: Path) -> None:
    network = next(id for id in ids(looking, "run"))
    target = {"name": "Hex", "options": ["Board Size/4x4"]}
    made = looking.post(f"/api/transfer/{network}/carry", json={"target": target, "edits": {"state": {"0": 1}}})
    assert made.status_code == 200, made.text
    assert made.json()["id"] in ids(looking, "run")
    assert [path.name for path in (kept / "carried").iterdir()] == ["hex-3x3 for Hex 4x4"]
    seats = ["human", f"thing:{made.json()['id']}"]
    assert looking.post("/api/tables", json={"game": target, "seats": seats}).status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/api/transfer/{run}/explain", {"target": {"name": "/etc/passwd"}}),
        (
            "/api/transfer/{run}/explain",
            {"target": {"name": "Hex", "options": ["Board Size/4x4"]}, "edits": {"state": {"99": 1}}},
        ),
        ("/api/transfer/{run}/compare", {"target": {"name": "Hex"}, "moves": [1]}),
        ("/api/transfer/../explain", {"target": {"name": "Hex"}}),
        ("/api/trees/{tree}/walk", {"moves": ["nowhere"]}),
        ("/api/trees/{tree}/walk", {"moves": 3}),
        ("/api/trees/{run}/walk", {"moves": []}),
        ("/api/studies/{study}/replay?name=../..", {"moves": [], "seed": "1"}),
        ("/api/runs/{run}/replay", {"moves": ["0"], "seed": "-1"}),
        ("/api/design/problems", {"text": 3}),
        ("/api/design/complete", {"text": "(", "offset": 9}),
        ("/api/design/report", {"text": "(", "seconds": 1e9}),
    ],
)
def test_what_is_refused(looking: TestClient, path: str, body: dict[str, Any]) -> None:
    known = {kind: ids(looking, kind)[0] for kind in ("run", "tree", "study")}
    answer = looking.post(path.format(**known), json=body)
    assert answer.status_code in (400, 404), answer.text
    assert "internal" not in answer.text


def test_a_hostile_text_has_a_problem(looking: TestClient) -> None:
    text = (
        '(game "X" (players 2) (equipment {(board (square 3000)) (piece "A" Each)})'
        " (rules (play (move Add (to (sites Empty)))) (end (if (is Full) (result Mover Win)))))"
    )
    found = looking.post("/api/design/look", json={"text": text}).json()
    assert found["board"] is None
    assert found["problems"][0]["message"]
    assert looking.post("/api/design/look", json={"text": text.replace("3000", "3")}).json()["problems"] == []


def test_a_run_answers_with_what_is_new(looking: TestClient, tmp_path: Path) -> None:
    run = next(thing["id"] for thing in looking.get("/api/runs").json())
    first = looking.get(f"/api/runs/{run}").json()
    assert first["about"]["title"] == "Hex 3x3"
    assert looking.get(f"/api/runs/{run}?after={first['last']}").json()["epochs"] == []
    make_run(tmp_path / "another")
    assert looking.get("/api/runs/another").status_code == 400
