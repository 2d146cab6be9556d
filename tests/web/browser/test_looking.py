"""The pages to look at things and to write games, in a real browser."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.web.browser.conftest import PATIENCE, Served
from tests.web.made import epoch, make_run, make_study, make_tree

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Open = Callable[..., Any]
READY = {
    "design": "#problem.good",
    "runs": "#curves polyline",
    "transfer": "[data-view=untrained] [data-overlay]",
    "study": ".matrix button",
    "tree": "#moves tbody tr",
}
"""Element that a page shows when it is ready."""

CORNERS = (
    '(game "Ban" (players 2) (equipment {(board (square 3)) (piece "Disc" P1) (piece "Cross" P2)})'
    " (rules (play (move Add (to (difference (sites Empty) (sites Corners)))))"
    " (end (if (is Line 3) (result Mover Win)))))"
)


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a study, a tree, a run that learns, and a game."""
    folder = tmp_path_factory.mktemp("things")
    make_study(folder / "demo")
    make_tree(folder / "tic.tree")
    make_run(folder / "learning", epochs=2)
    (folder / "Ban.lud").write_text(CORNERS)
    return folder


@pytest.fixture(scope="module")
def entered(browser: Any, things: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Any, str]]:
    """A browser that the server knows, and the server's address."""
    server = Served(tmp_path_factory.mktemp("kept") / "tables", str(things))
    context = browser.new_context(viewport={"width": 1200, "height": 900}, reduced_motion="reduce")
    context.set_default_timeout(PATIENCE)
    page = context.new_page()
    address = server.address()
    page.goto(address)
    page.close()
    yield context, address.partition("/?")[0]
    context.close()
    server.stop()


@pytest.fixture
def opened(entered: tuple[Any, str]) -> Iterator[Open]:
    """Opens pages; none of them may have complained."""
    context, address = entered
    pages, complaints = list[Any](), list[str]()

    def opening(name: str, width: int = 1200) -> Any:
        page = context.new_page()
        pages.append(page)
        page.set_viewport_size({"width": width, "height": 900})
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: message.type == "error" and complaints.append(message.text))
        page.goto(f"{address}/{name}")
        page.wait_for_selector(READY[name])
        return page

    yield opening
    for page in pages:
        page.evaluate("() => localStorage.clear()")  # what one test wrote is not what the next one opens
        page.close()
    assert not complaints


def test_a_mistake_is_shown_and_mended_by_keyboard(opened: Open) -> None:
    page = opened("design")
    page.locator("#text").focus()
    page.keyboard.press("Control+Home")
    for _ in range(8):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    for _ in range(len("ne 4) (result Mover Win)))")):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Backspace")  # is Lne
    page.wait_for_selector("#problem.bad")
    assert page.inner_text("#problem").startswith("Line 9, column 22: `is` has no `Lne`; did you mean `Line`?")
    assert page.inner_text("#numbers .wrong") == "● 9"
    assert page.inner_text("#marks mark") == "Lne"
    assert page.is_disabled("#play")
    for key in ("Delete", "Delete", "i"):
        page.keyboard.press(key)
    page.wait_for_selector("#completions li")
    assert page.inner_text("#completions li >> nth=0") == "is Line"
    assert "Whether a line of pieces runs through a site." in page.inner_text("#help")
    page.keyboard.press("Enter")
    page.wait_for_selector("#problem.good")
    assert "(is Line 4)" in page.input_value("#text")
    page.locator("#text").fill(page.input_value("#text").replace("(square 5)", "(hex 3)"))
    page.wait_for_function("() => document.querySelectorAll('#board [data-site]').length === 19")


def test_a_network_is_carried(opened: Open) -> None:
    page = opened("transfer")
    own, carried = (page.locator(f"[data-view={name}] [data-site]").count() for name in ("own", "carried"))
    assert (own, carried) == (9, 25)
    reasons = page.locator("#state tbody tr td:nth-child(3)").all_inner_texts()
    assert {"same name", "same meaning"} <= set(reasons)
    before = page.inner_text("[data-view=carried] figcaption")
    page.locator("#state select >> nth=0").select_option("1")
    page.wait_for_selector("#state tr.changed")
    page.wait_for_function(
        "(text) => document.querySelector('[data-view=carried] figcaption')?.innerText !== text", arg=before
    )
    page.click("#apply")
    page.wait_for_url("**/play?table=*")
    page.wait_for_function("() => document.querySelectorAll('#board [data-site]').length === 25")
    assert "for Hex 5x5" in page.inner_text("main")


def test_a_study_down_to_its_games(opened: Open) -> None:
    page = opened("study")
    assert "%" in page.inner_text(".matrix button")
    page.locator(".matrix button").press("Enter")
    page.wait_for_selector("#behind-title")
    commands = page.locator("#behind pre").all_inner_texts()
    assert [command.split()[1] for command in commands] == ["train", "transfer", "train", "match"]
    assert page.locator("#behind polyline").count() == 4
    page.click("text=Look >> nth=0")
    page.wait_for_selector(".replay svg")
    last = page.inner_text(".replay [role=status]")
    assert "wins" in last
    page.get_by_label("Back").click()
    assert page.inner_text(".replay [role=status]") != last


def test_a_run_that_learns(opened: Open, things: Path) -> None:
    page = opened("runs")
    row = page.locator("#list tbody tr", has_text=f"{things.name}/learning")
    row.locator("td:nth-child(3)", has_text="2").wait_for()
    from ludoport.selfplay.run import open_run

    open_run(things / "learning").keep_metrics([epoch(number) for number in range(1, 8)])
    row.locator("td:nth-child(3)", has_text="7").wait_for()
    assert "stopped" in row.inner_text()
    assert "play 60 %" in page.inner_text("#spent")
    assert page.locator("#curves svg").count() == 5


def test_a_run_that_is_being_trained_appears_by_itself(opened: Open, things: Path) -> None:
    page = opened("runs")
    command = [sys.executable, "-m", "ludoport", "train", "Hex", "-o", "Board Size/3x3", "--epochs", "2"]
    small = {"games": 4, "simulations": 2, "positions": 24, "warmup": 12, "batch": 8, "rating_share": 0}
    changes = [word for name, value in small.items() for word in ("--set", f"{name}={value}")]
    with subprocess.Popen(
        [*command, *changes, "--out", str(things / "live")],
        stdout=subprocess.DEVNULL,
        env={**os.environ, "LUDOPORT_JIT": "0"},
    ) as training:
        row = page.locator("#list tbody tr", has_text=f"{things.name}/live")
        row.wait_for()
        row.locator("td:nth-child(3)", has_text="2").wait_for()
        assert training.wait(PATIENCE / 1000) == 0
    assert float(row.locator("td:nth-child(5)").inner_text()) > 0


def test_walking_a_tree_by_keyboard(opened: Open, things: Path) -> None:
    page = opened("tree")
    first = page.locator("#moves button").first
    label = first.inner_text()
    first.focus()
    page.keyboard.press("Enter")
    page.locator("#line button", has_text=label).wait_for()
    assert page.locator("#board [data-overlay]").count() > 0
    page.locator("#line button", has_text="Root").press("Enter")
    page.locator("#target select").first.select_option(label=f"{things.name}/Ban.lud")
    page.locator("#compare").press("Enter")
    page.locator("#moves tr.pruned").first.wait_for()
    assert page.locator("#moves tr.pruned").count() == 4
    assert "kept" in page.inner_text("#kept")


@pytest.mark.parametrize("name", READY)
def test_narrow_and_accessible(opened: Open, name: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright").Axe()
    page = opened(name, width=360)
    wide = page.evaluate("() => document.documentElement.scrollWidth - document.documentElement.clientWidth")
    assert wide <= 0, "the page is wider than the screen"
    if name == "study":
        page.click(".matrix button")
        page.wait_for_selector("#behind-title")
    for theme in ("light", "dark"):
        page.evaluate("(theme) => { document.documentElement.dataset.theme = theme; }", theme)
        found = [one for one in axe.run(page).response["violations"] if one["impact"] in ("serious", "critical")]
        assert not found, [(one["id"], [node["html"][:200] for node in one["nodes"][:3]]) for one in found]
