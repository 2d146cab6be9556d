"""Whole games, played by clicks against a program."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from .conftest import PATIENCE, Player, Served

pytestmark = [pytest.mark.browser, pytest.mark.slow]
Seated = Callable[..., Player]


def first(view: dict[str, Any]) -> str:
    label: str = view["moves"][0]["label"]
    return label


def onward(view: dict[str, Any]) -> str:
    """The move that goes farthest up the board."""
    label: str = max(view["moves"], key=lambda move: move["to"] if move["to"] is not None else -1)["label"]
    return label


def test_hex(seated: Seated) -> None:
    player = seated({"name": "Hex", "options": ["Board Size/3x3"]})
    end = player.play_out(first)
    assert end["position"]["winner"] in (1, 2)
    assert "won" in player.page.inner_text("#status")
    assert player.page.inner_text("#announcer").endswith("won")


def test_breakthrough(seated: Seated) -> None:
    end = seated({"name": "Breakthrough", "options": ["Board Size/4x4"]}).play_out(onward)
    assert end["position"]["winner"] in (1, 2)


def test_a_piece_is_dragged(seated: Seated) -> None:
    player = seated("Breakthrough")
    player.shown(0)
    move = next(move for move in player.view()["moves"] if move["from"] is not None)
    boxes = [player.page.locator(f'#board [data-site="{move[end]}"]').bounding_box() for end in ("from", "to")]
    (x, y), (to_x, to_y) = ((box["x"] + box["width"] / 2, box["y"] + box["height"] / 2) for box in boxes)
    player.page.mouse.move(x, y)
    player.page.mouse.down()
    player.page.mouse.move(to_x, to_y, steps=5)
    player.page.mouse.up()
    player.shown(2)  # the program has answered


def test_konane(seated: Seated) -> None:
    player = seated({"name": "Konane", "options": ["Board Size/6x6"]})
    end = player.play_out(first)
    assert end["position"]["winner"] in (1, 2)


def test_go_ends_with_two_passes(seated: Seated) -> None:
    player = seated({"name": "Go", "options": ["Board Size/9x9"]}, seed=3)
    player.play("E5")
    end = player.play("pass")
    assert end["position"]["over"]
    assert end["ply"] == 4


def test_minishogi_with_a_promotion_and_a_drop(seated: Seated) -> None:
    player = seated("Minishogi", seed=13)
    for label in ("E1-E4", "Fuhyo@E3", "D1-A4", "A4-B5", "B5", "B5-D3", "Kinsho@E4"):
        view = player.play(label)
    assert view["position"]["winner"] == 1
    promoted = {piece["glyph"] for piece in view["position"]["pieces"]}
    assert "shogi-horse" in promoted


def test_chess_with_castling_and_a_promotion(seated: Seated) -> None:
    player = seated({"text": "7k/P6p/7P/8/8/8/8/4K2R w K - 0 1"})
    view = player.play(next(m["label"] for m in player.view()["moves"] if m["text"].startswith("O-O")))
    assert {piece["site"]: piece["name"] for piece in view["position"]["pieces"]}[5] == "Rook"
    queen = next(m for m in view["moves"] if m["kind"] == "promote" and m["name"] == "Queen")
    end = player.play(queen["label"])
    assert end["position"]["winner"] == 1


def test_a_rulesheet(seated: Seated) -> None:
    end = seated("tic-tac-toe.kif").play_out(first)
    assert end["position"]["over"]


def test_a_game_with_stacks(seated: Seated) -> None:
    text = (Path(__file__).parents[1] / "stacks.lud").read_text()
    player = seated({"text": text})
    end = player.play_out(onward)
    assert end["position"]["over"]


def test_dice_are_shown(seated: Seated) -> None:
    text = (Path(__file__).parents[2] / "ludemes" / "games" / "dice.lud").read_text()
    player = seated({"text": text}, ("human",))
    shown = [
        int(die) for die in player.page.eval_on_selector_all("#board [data-die]", "all => all.map(d => d.dataset.die)")
    ]
    assert shown == [die["value"] for die in player.view()["position"]["dice"]]
    assert len(shown) == 2


def test_discs_fall_into_a_rack(seated: Seated) -> None:
    player = seated("Connect Four", ("human",))
    for _ in range(2):
        player.play("C1")
    low, high = (box["y"] for box in (piece.bounding_box() for piece in player.page.locator("#board .piece").all()))
    assert low > high


def test_a_match_given_at_the_start_is_on_the_table(browser: Any, tmp_path: Path) -> None:
    server = Served(tmp_path / "tables", str(Path(__file__).parents[2] / "ludemes" / "matches" / "Rows and Races.lud"))
    context = browser.new_context()
    try:
        page = context.new_page()
        page.goto(server.address())
        page.wait_for_selector("#board [data-site]", timeout=PATIENCE)
        assert page.inner_text("#title") == "Rows and Races"
        opened = page.url
        page.goto(opened.partition("/play")[0])
        page.wait_for_url(opened, timeout=PATIENCE)
    finally:
        context.close()
        server.stop()
