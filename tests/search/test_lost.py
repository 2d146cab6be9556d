"""A command on a machine that is cut off from its Ray cluster, or counted as lost, stops; without Ray itself."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import SimpleNamespace
from typing import Any

import pytest

from ludoport.errors import LudoportError
from ludoport.search import cluster


def fake_ray(alive: bool, answers: list[list[str]]) -> Any:
    """A Ray with one node whose waits end as they are given; tasks are the texts of their arguments."""
    return SimpleNamespace(
        cluster_resources=lambda: {"CPU": 1},
        nodes=lambda: [{"NodeID": "here", "Alive": alive}, {"NodeID": "there", "Alive": not alive}],
        get_runtime_context=lambda: SimpleNamespace(get_node_id=lambda: "here"),
        remote=lambda **_: lambda function: SimpleNamespace(remote=function),
        wait=lambda tasks, **_: (answers.pop(0), tasks),
        get=str.upper,
        cancel=lambda *_, **__: pytest.fail("nobody is there to be told"),
        exceptions=SimpleNamespace(RayTaskError=KeyError, RayError=KeyError),
    )


def results(ray: Any, monkeypatch: pytest.MonkeyPatch, address: str | None = None) -> list[tuple[int, str]]:
    @contextmanager
    def connected(*_: object) -> Iterator[Any]:
        yield ray

    monkeypatch.setattr(cluster, "connected", connected)
    monkeypatch.setattr(cluster, "LOOK", 0.0)
    return list(cluster.run_on_ray(str, [("a",), ("b",)], address=address))


def test_a_lost_machine_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(LudoportError, match="counts this machine as lost"):
        results(fake_ray(False, [["a"], []]), monkeypatch)


def test_another_lost_machine_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    assert results(fake_ray(True, [["b"], [], [], ["a"]]), monkeypatch) == [(1, "B"), (0, "A")]


def test_a_machine_that_is_cut_off_does_not_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nor does it while its own workers answer; nobody listens at port 1."""
    with pytest.raises(LudoportError, match=r"no Ray answers at 127\.0\.0\.1:1.*the same command resumes"):
        results(fake_ray(True, [["a"], ["b"]]), monkeypatch, "127.0.0.1:1")
