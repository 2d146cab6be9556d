"""Ludoport in a real notebook kernel: own players, progress, pictures."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import Any

import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_client.manager import KernelManager

pytestmark = pytest.mark.slow

OWN_PLAYER = """
import ludoport as lp

class First(lp.Player):
    def choose(self, state, seed):
        return state.moves()[0]

lp.match(First(), "random", "Tic-Tac-Toe", games=3).record.games
"""


@pytest.fixture(scope="module")
def kernel() -> Iterator[BlockingKernelClient]:
    """A kernel as notebooks start it, in plain Python; each test may be the first one in it."""
    manager = KernelManager()
    manager.kernel_spec.argv[0] = sys.executable
    manager.start_kernel(env={**os.environ, "LUDOPORT_JIT": "0"})
    client: Any = manager.client()
    client.start_channels()
    client.wait_for_ready(timeout=300)
    run(client, "import ludoport as lp")
    yield client
    client.stop_channels()
    manager.shutdown_kernel(now=True)


def run(client: BlockingKernelClient, cell: str) -> list[dict[str, Any]]:
    """The messages that a cell sends; an error in it fails the test."""
    messages: list[dict[str, Any]] = []
    answer = client.execute_interactive(cell, timeout=300, output_hook=messages.append, store_history=False)
    assert answer["content"]["status"] == "ok", answer["content"]
    return messages


def shown(messages: list[dict[str, Any]], mime: str) -> list[str]:
    """Outputs that were displayed, updated or returned as one type."""
    return [message["content"]["data"][mime] for message in messages if mime in message["content"].get("data", {})]


def test_own_player_and_progress(kernel: BlockingKernelClient) -> None:
    """A class of a cell has no file that other processes could import."""
    messages = run(kernel, OWN_PLAYER)
    # One view, which is replaced and disappears in the end.
    assert [message["msg_type"] for message in messages].count("display_data") == 1
    first, *between, last = shown(messages, "text/html")
    assert first == last == ""
    assert "0/3  no game has ended yet" in between[0]
    assert not [message for message in messages if message["content"].get("name") == "stderr"]
    assert shown(messages, "text/plain")[-1] == "3"


def test_a_function_is_a_player(kernel: BlockingKernelClient) -> None:
    match = 'lp.match(lambda state: state.moves()[-1], "random", "Tic-Tac-Toe", games=2)'
    cell = f"import ludoport as lp\n{match}.record.games"
    assert shown(run(kernel, cell), "text/plain")[-1] == "2"


def test_positions_are_pictures(kernel: BlockingKernelClient) -> None:
    messages = run(kernel, 'import ludoport as lp\nlp.load("Hex", ["Board Size/3x3"]).start().play("B2")')
    assert shown(messages, "image/svg+xml")[0].startswith("<svg")
    assert shown(messages, "text/plain") == ["Hex 3x3, ply 1, Black to move"]


def test_errors_are_sentences(kernel: BlockingKernelClient) -> None:
    answer = kernel.execute_interactive("lp.load('Hexx')", timeout=300, output_hook=lambda message: None)
    assert answer["content"]["ename"] == "LudoportError"
    assert "did you mean" in answer["content"]["evalue"]
