"""Pictures of every page for the documentation: ``python -m tools.screenshots THINGS... [--out FOLDER] [--pages ...]``.

THINGS are what ``ludoport web`` is given: a study with its runs (``ludoport demo``) and a saved tree. A server is
started, and a browser (chromium, driven by Playwright) opens page after page.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

OUT = Path("docs/howto/pictures")
SIZE = {"width": 1120, "height": 780}
PATIENCE = 300_000
"""Milliseconds; games are compiled when they are first used."""


def main() -> None:
    """Take all pictures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("things", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=OUT)
    parser.add_argument("--pages", nargs="+", choices=PAGES, default=list(PAGES), help="pages to take; default: all")
    given = parser.parse_args()
    given.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        tables = str(Path(folder) / "tables")
        command = [sys.executable, "-m", "ludoport", "web", "--no-browser", "--port", "0", "--tables", tables]
        server = subprocess.Popen(
            [*command, *map(str, given.things)], stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONUNBUFFERED": "1"},
        )  # fmt: skip
        try:
            assert server.stdout is not None
            found = re.search(r"http://\S+", server.stdout.readline())
            assert found, "the server does not start"
            take(found.group(), given.out, given.pages)
        finally:
            server.terminate()
            server.wait()


def take(address: str, out: Path, pages: Sequence[str]) -> None:
    """Open pages and write their pictures."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_context(viewport=SIZE, reduced_motion="reduce").new_page()  # type: ignore[arg-type]
        page.set_default_timeout(PATIENCE)
        page.goto(address)
        base = address.partition("/?")[0]
        for name in pages:
            page.goto(f"{base}/{name}")
            PAGES[name](page)
            page.screenshot(path=out / f"{name}.png")
            print(out / f"{name}.png")
        browser.close()


def play(page: Any) -> None:
    """A game of Hex with the search on the board, and its values so far."""
    game = {"name": "Hex", "options": ["Board Size/5x5"]}
    made = page.evaluate(
        "(given) => fetch('/api/tables', {method: 'POST', headers: {'Content-Type': 'application/json'},"
        " body: JSON.stringify(given)}).then((answer) => answer.json())",
        {"game": game, "seats": ["human", "uct:1000"], "moves": ["D5", "C3", "C4", "B2", "D2"], "seed": 1},
    )
    page.set_viewport_size({**SIZE, "height": 1000})
    page.goto(f"{page.url.partition('/play')[0]}/play?table={made['id']}")
    page.wait_for_selector("#board [data-site]")
    page.click("#analyse")
    page.wait_for_selector("#board [data-overlay]")
    page.click("#review")
    page.wait_for_function("() => document.querySelector('#review-note').textContent === 'Analysed.'")
    page.wait_for_function("() => document.querySelector('#found-0 p')?.textContent.endsWith('simulations')")


def design(page: Any) -> None:
    """A text with a mistake, and the list of what may be written."""
    page.wait_for_selector("#problem.good")
    text = page.input_value("#text").replace("(square 5)", "(hex 4)")
    page.fill("#text", text)
    page.wait_for_function("() => document.querySelectorAll('#board [data-site]').length === 37")
    page.fill("#text", text.replace("(is Line 4)", "(is Lo)"))
    page.wait_for_selector("#problem.bad")
    page.evaluate(
        "() => { const text = document.getElementById('text'), at = text.value.indexOf('(is Lo') + 6;"
        " text.focus(); text.setSelectionRange(at, at); }"
    )
    page.keyboard.press("Control+Space")
    page.wait_for_selector("#completions li")


def runs(page: Any) -> None:
    """The curves."""
    page.wait_for_selector("#curves polyline")
    page.wait_for_timeout(500)


def transfer(page: Any) -> None:
    """Three networks on their boards."""
    page.wait_for_selector("[data-view=untrained] [data-overlay]")


def study(page: Any) -> None:
    """The table, and what is behind its first cell."""
    page.locator(".matrix button").first.click()
    page.wait_for_selector("#behind-title")
    page.evaluate("() => window.scrollTo(0, 0)")


def tree(page: Any) -> None:
    """A position of a tree."""
    page.locator("#moves button").first.click()
    page.wait_for_selector("#line button >> nth=1")
    page.wait_for_timeout(500)


PAGES = {"design": design, "runs": runs, "transfer": transfer, "study": study, "tree": tree, "play": play}

if __name__ == "__main__":
    main()
