"""A real server and a real browser: Debian's chromium, driven by Playwright."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

CHROMIUM = next(
    (found for name in ("chromium", "chromium-browser", "google-chrome") if (found := shutil.which(name))), ""
)

PATIENCE = 180_000
"""Milliseconds; machines may be under load."""


# Playwright's event loop counts as running in this thread until it stops, and other tests start loops of their own: it
# must stop before the next test of another folder.
@pytest.fixture(scope="package")
def browser() -> Iterator[Any]:
    sync_api = pytest.importorskip("playwright.sync_api", reason="Playwright is not installed")
    if not CHROMIUM:
        pytest.skip("no chromium here; install it with: apt-get install chromium")
    with sync_api.sync_playwright() as playwright:
        launched = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield launched
        launched.close()


class Served:
    """A server in a process of its own; every page gets an address that works once."""

    def __init__(self, folder: Path, *things: str) -> None:
        command = [
            sys.executable,
            "-m",
            "ludoport",
            "web",
            "--no-browser",
            "--port",
            "0",
            "--tables",
            str(folder),
            *things,
        ]
        self.process = subprocess.Popen(
            command, stdout=subprocess.PIPE, text=True, env={**os.environ, "LUDOPORT_JIT": "0", "PYTHONUNBUFFERED": "1"}
        )

    def address(self) -> str:
        """The next address that lets a browser in."""
        assert self.process.stdout is not None
        for line in self.process.stdout:
            if found := re.search(r"http://\S+token=\S+", line):
                return found.group()
        raise AssertionError("the server has ended")

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait(30)


@pytest.fixture(scope="session")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    server = Served(tmp_path_factory.mktemp("tables"))
    yield server
    server.stop()


@pytest.fixture(scope="package")
def context(browser: Any, served: Served) -> Iterator[Any]:
    opened = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    opened.set_default_timeout(PATIENCE)
    page = opened.new_page()
    page.goto(served.address())
    page.close()
    yield opened
    opened.close()


class Player:
    """A person at a table: looks at the page, clicks on it."""

    def __init__(self, page: Any, id: str) -> None:
        self.page, self.id = page, id

    def view(self) -> dict[str, Any]:
        """The table as the server has it."""
        seen: dict[str, Any] = self.page.evaluate(f"fetch('/api/tables/{self.id}').then((answer) => answer.json())")
        return seen

    def shown(self, ply: int) -> None:
        """Wait until the page shows this many moves."""
        self.page.wait_for_function(
            "(ply) => document.querySelector('#board')?.dataset.ply === String(ply)", arg=ply, timeout=PATIENCE
        )

    def click(self, site: int) -> None:
        self.page.locator(f'#board [data-site="{site}"]').click(force=True)

    def play(self, label: str) -> dict[str, Any]:
        """Play a move by clicks, and wait for what the programs answer."""
        view = self.view()
        self.shown(view["ply"])
        move = next(move for move in view["moves"] if move["label"] == label)
        if move["from"] is None and move["to"] is None:
            self.page.locator(f'#siteless [data-move="{move["text"]}"]').click()
        else:
            for site in (move["from"], move["to"]):
                if site is not None:
                    self.click(site)
            if self.page.locator(".menu").count():
                self.page.locator(f'.menu [data-move="{move["text"]}"]').click()
        self.page.wait_for_function(
            "(ply) => { const at = document.querySelector('#board').dataset; return at.ply > ply && !at.waiting; }",
            arg=view["ply"],
            timeout=PATIENCE,
        )
        return self.view()

    def play_out(self, choose: Callable[[dict[str, Any]], str], most: int = 60) -> dict[str, Any]:
        """Play until the game is over."""
        view = self.view()
        for _ in range(most):
            if view["position"]["over"]:
                return view
            view = self.play(choose(view))
        raise AssertionError("the game does not end")


@pytest.fixture
def seated(context: Any, served: Served) -> Iterator[Callable[..., Player]]:
    """Opens a page with a table."""
    pages, complaints = [], []

    def opening(game: dict[str, Any] | str, seats: tuple[str, ...] = ("human", "random"), **more: Any) -> Player:
        page = context.new_page()
        pages.append(page)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: _is_fault(message) and complaints.append(message.text))
        page.goto(f"{origin(page, served)}/api/pages")
        given = {"game": {"name": game} if isinstance(game, str) else game, "seats": list(seats), "seed": 1, **more}
        made = page.evaluate(
            "(given) => fetch('/api/tables', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify(given)}).then((answer) => answer.json())",
            given,
        )
        assert "id" in made, made
        page.goto(f"{origin(page, served)}/play?table={made['id']}")
        page.wait_for_selector("#board[data-ply]", timeout=PATIENCE)
        return Player(page, made["id"])

    yield opening
    for page in pages:
        page.close()
    assert not complaints


def _is_fault(message: Any) -> bool:
    """Whether a browser complains about something other than an answer that the page shows to its user."""
    return message.type == "error" and not re.search("status of 40[04]", message.text)


def origin(page: Any, served: Served) -> str:
    """The address of the server."""
    return str(page.context.storage_state()["cookies"][0]["name"]).replace("ludoport-", "http://127.0.0.1:")
