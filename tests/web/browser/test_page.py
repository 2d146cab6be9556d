"""The page to play: keyboard, variations, analysis, own texts, narrow screens, accessibility."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest

import ludoport as lp

from .conftest import PATIENCE, Player, Served, origin

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Seated = Callable[..., Player]


OPTIONAL = """(game "Sizes" (players 3)
    (equipment {(board (square <Size:size>)) (piece "Disc" Each)})
    (rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))
(option "Size" <Size> args:{<size>} {(item "three" <3> "")* (item "four" <4> "")})"""


def faults(page: Any) -> list[str]:
    """Violations that axe calls serious or critical."""
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="axe-playwright-python is not installed")
    found = axe.Axe().run(page).response["violations"]
    return [f"{one['id']}: {one['nodes'][0]['html']}" for one in found if one["impact"] in ("serious", "critical")]


def test_axe_finds_nothing_serious(seated: Seated) -> None:
    page = seated("Tic-Tac-Toe", ("human",)).page
    page.click("#analyse")
    page.select_option("#analyst-0", "uct:1000")
    page.wait_for_selector("#found-0 table", timeout=PATIENCE)
    assert faults(page) == []
    page.click(".top button")
    assert page.evaluate("document.documentElement.dataset.theme") == "dark"
    assert faults(page) == []
    page.click(".top button")
    page.click("#new")
    page.wait_for_selector("#catalogue [role=option]", timeout=PATIENCE)
    assert faults(page) == []


def test_by_keyboard_only(seated: Seated) -> None:
    player = seated("Tic-Tac-Toe", ("human",))
    page = player.page
    page.focus("#board [data-site][tabindex='0']")
    first = page.evaluate("document.activeElement.getAttribute('aria-label')")
    assert first == "A3: empty, playable"
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    assert page.evaluate("document.activeElement.dataset.site") == "4"
    page.keyboard.press("Enter")
    player.shown(1)
    assert player.view()["moves_played"] == ["4"]
    assert "B2" in page.inner_text("#announcer")
    page.keyboard.press("Control+z")
    player.shown(0)


def test_undo_variations_and_the_address(seated: Seated) -> None:
    player = seated("Tic-Tac-Toe", ("human",))
    page = player.page
    for label in ("A1", "B1"):
        player.play(label)
    page.click("#undo")
    player.shown(1)
    player.play("C1")
    assert page.locator("#tree .variation").inner_text().replace(" ", "") == "2.B1"
    page.locator("#tree .variation button").click()
    page.wait_for_function(
        "() => document.querySelector('#tree [aria-current]').textContent === 'B1'", timeout=PATIENCE
    )
    assert player.view()["moves_played"] == ["0", "1"]
    address = page.url
    assert "game=Tic-Tac-Toe" in address
    assert "moves=0%3B1" in address
    page.goto(address.replace(f"table={player.id}", "table=0"))
    page.wait_for_selector("#board[data-ply='2']", timeout=PATIENCE)


def test_an_address_of_an_unknown_game_opens_another_table(seated: Seated) -> None:
    player = seated("Tic-Tac-Toe", ("human",))
    page = player.page
    page.goto(f"{page.url.partition('/play')[0]}/play?game=Hexx")
    page.wait_for_selector(".toast:not([hidden])", timeout=PATIENCE)
    assert page.inner_text(".toast") == "unknown game `Hexx`; did you mean Hex or hex-9x9.kif?"
    page.wait_for_selector("#board [data-site]", timeout=PATIENCE)


def test_after_a_swap_the_seats_play_the_other_colours(seated: Seated) -> None:
    player = seated({"name": "Hex", "options": ["Board Size/3x3"]}, ("human",))
    assert player.page.locator("#seats .name").all_inner_texts() == ["White", "Black"]
    player.play("B2")
    player.page.click("#siteless button")
    player.shown(2)
    assert player.page.locator("#seats .name").all_inner_texts() == ["Black", "White"]
    assert player.page.inner_text("#status") == "Black to move"
    assert player.page.locator("#seats .moving .name").inner_text() == "Black"


def test_networks_of_the_zoo_are_offered_for_their_game(seated: Seated) -> None:
    page = seated({"name": "Hex", "options": ["Board Size/3x3"]}, ("human",)).page
    for choices in ("#seats select >> nth=0", "#analyst-0"):
        offered = page.locator(choices).locator("option").all_inner_texts()
        assert "Network: hex-7x7 (zoo)" in offered
        assert not [text for text in offered if "gomoku" in text]


def test_the_overlay_shows_the_numbers_of_search(seated: Seated) -> None:
    page = seated("Tic-Tac-Toe", ("human",)).page
    page.click("#analyse")
    page.select_option("#analyst-0", "uct:1000")
    page.wait_for_function(
        "() => document.querySelector('#found-0 p')?.textContent === 'UCT, 1,000 simulations: 1,000 simulations'",
        timeout=PATIENCE,
    )
    expected = lp.search(lp.load("Tic-Tac-Toe", jit=False).start(), "uct:1000")
    rows = [row.split() for row in page.locator("#found-0 tbody tr").all_inner_texts()]
    shown = [[str(move), str(int(visits))] for move, visits in zip(expected.moves, expected.visits, strict=True)]
    assert [row[:2] for row in rows] == shown[:6]
    assert page.locator("#board [data-overlay]").count() == 9
    lines = page.locator("#found-0 td.line").all_inner_texts()
    assert lines[:4] == [" ".join(str(move) for move in line[1:12]) for line in expected.lines]
    page.select_option("#shown", "")
    assert page.locator("#board [data-overlay]").count() == 0
    assert page.locator("#found-0 table").count() == 0


def test_a_text_with_a_mistake_and_without(seated: Seated) -> None:
    page = seated("Tic-Tac-Toe", ("human",)).page
    right = '(game "Mine" (players 2) (equipment {(board (hex 2)) (piece "Disc" Each)}) (rules'
    right += " (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"
    page.click("#new")
    page.click("[data-tab=text]")
    page.fill("#text", right.replace("(hex 2)", "(hexx 2)"))
    page.click("#start")
    page.wait_for_selector("#setup-error:not([hidden])", timeout=PATIENCE)
    assert "hexx" in page.inner_text("#setup-error")
    page.fill("#text", right)
    page.click("#start")
    page.wait_for_function("() => document.querySelector('#title').textContent === 'Mine'", timeout=PATIENCE)
    assert page.locator("#board [data-site]").count() == 7


def test_options_of_a_text(seated: Seated) -> None:
    page = seated("Tic-Tac-Toe", ("human",)).page
    page.click("#new")
    page.click("[data-tab=text]")
    page.fill("#text", OPTIONAL)
    page.select_option("#options [data-heading=Size]", "four", timeout=PATIENCE)
    assert page.locator("#setup-seats select").count() == 3
    page.click("#start")
    page.wait_for_function("() => document.querySelectorAll('#board [data-site]').length === 16", timeout=PATIENCE)
    assert page.locator("#seats select").count() == 3


def test_a_page_that_is_closed_stops_its_analysis(seated: Seated, context: Any, served: Served) -> None:
    player, witness = seated("Tic-Tac-Toe", ("human",)), context.new_page()
    witness.goto(f"{origin(witness, served)}/api/pages")
    watching = Player(witness, player.id)
    player.page.click("#analyse")
    player.page.select_option("#analyst-0", "uct:1000000")
    player.page.wait_for_selector("#board [data-overlay]", timeout=PATIENCE)
    assert watching.view()["status"]["analysing"][0] == "uct:1000000"
    player.page.close()
    witness.wait_for_function(
        f"() => fetch('/api/tables/{player.id}').then((answer) => answer.json())"
        ".then((view) => view.status.analysing.every((player) => !player))",
        timeout=PATIENCE,
    )
    witness.close()


def test_an_exported_game_is_imported(seated: Seated, tmp_path: Path) -> None:
    player = seated("Tic-Tac-Toe", ("human",))
    player.play("B2")
    with player.page.expect_download(timeout=PATIENCE) as download:
        player.page.click("#export")
    download.value.save_as(tmp_path / "game.json")
    player.page.click("#new")
    player.page.click("[data-tab=import]")
    player.page.set_input_files("#import-file", tmp_path / "game.json")
    player.page.click("#start")
    player.page.wait_for_selector("#setup:not([open])", state="attached", timeout=PATIENCE)
    assert f"table={player.id}" not in player.page.url
    player.shown(1)


def test_the_menu_by_keyboard(seated: Seated) -> None:
    player = seated({"text": "7k/P6p/7P/8/8/8/8/4K3 w - - 0 1"}, ("human",))
    page = player.page
    player.click(48)
    player.click(56)
    page.wait_for_selector(".menu [role=menuitem]:focus", timeout=PATIENCE)
    names = page.locator(".menu [role=menuitem]").count()
    assert names == 4
    page.keyboard.press("Escape")
    assert page.locator(".menu").count() == 0
    player.click(48)
    player.click(56)
    page.keyboard.press("ArrowRight")
    page.keyboard.press("Enter")
    player.shown(1)


def test_a_narrow_screen(seated: Seated) -> None:
    player = seated({"name": "Breakthrough", "options": ["Board Size/4x4"]}, ("human",))
    player.page.set_viewport_size({"width": 360, "height": 700})
    assert player.page.evaluate("document.documentElement.scrollWidth") <= 360
    start = player.view()["moves"][0]
    places = [player.page.locator(f'#board [data-site="{start[end]}"]').bounding_box() for end in ("from", "to")]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in places)
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move((x + to_x) / 2, (y + to_y) / 2)
    player.page.mouse.move(to_x, to_y)
    player.page.mouse.up()
    player.shown(1)


def test_another_page_can_do_nothing(context: Any, served: Served, tmp_path: Path) -> None:
    """Not even one on the same machine, to which the browser sends the cookie."""
    page, given = context.new_page(), '{"game": {"name": "Hex"}, "seats": ["human"]}'
    tables = f"{origin(page, served)}/api/tables"
    before = context.request.get(tables).json()
    (tmp_path / "index.html").write_text("<p>elsewhere")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(SimpleHTTPRequestHandler, directory=tmp_path)) as elsewhere:
        Thread(target=elsewhere.serve_forever, daemon=True).start()
        page.goto(f"http://127.0.0.1:{elsewhere.server_port}/")
        for mode in ("no-cors", "cors"):
            for settings in ({"method": "GET"}, {"method": "POST", "body": given}):
                answer = page.evaluate(
                    "([address, settings]) => fetch(address, settings).then(() => 'answered', () => 'refused')",
                    [tables, {**settings, "mode": mode, "credentials": "include"}],
                )
                assert answer == "refused"
        page.close()
        elsewhere.shutdown()
    assert context.request.get(tables).json() == before
