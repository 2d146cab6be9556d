"""The documentation site builds without a warning, and has a page for every game."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import ludoport as lp
from tests.docs.pages import ROOT
from tools.game_pages import game_page, index_page, rules_in_words, slug
from tools.site import on_page_markdown


@pytest.mark.slow
def test_the_page_of_a_game() -> None:
    record = next(game for game in lp.games() if game.name == "Tic-Tac-Toe")
    page = game_page(record)
    assert page.startswith("# Tic-Tac-Toe\n")
    assert "<svg" in page
    assert "| state | 9 channels, 3 x 3 |" in page
    assert "## Rules\n\nTic-Tac-Toe" in page
    assert "| tic_tac_toe | " in page
    assert "](tic-tac-toe.md)" in index_page([record])
    assert '```\n\n```sh\nludoport show "Tic-Tac-Toe"\n' in page


@pytest.mark.slow
def test_pages_have_options_speeds_and_networks() -> None:
    known = {game.name: game for game in lp.games()}
    page = game_page(known["Hex"])
    assert "| Board Size | 11x11 (default) | A rhombus with eleven cells to a side. |" in page
    assert "| hex_11x11 | " in page
    assert "hexentafl" not in page
    assert "`net:zoo/hex-11x11`" in page
    assert "100 % (96 to 100 %) in 100 games against uct:800,rollouts=10" in page
    assert "There is no castling." in game_page(known["Gardner chess"])
    assert all(rules_in_words(game) for game in known.values())


def test_every_page_is_in_the_navigation() -> None:
    """Except reports of single studies, which the pages of results link to."""
    nav = (ROOT / "mkdocs.yml").read_text(encoding="utf-8").partition("\nnav:\n")[2]
    docs = ROOT / "docs"
    pages = [
        path for pattern in ("*.md", "howto/*.md", "reference/*.md", "results/*.md") for path in docs.glob(pattern)
    ]
    named = [line.split()[-1] for line in nav.splitlines()]
    assert not {str(path.relative_to(docs)) for path in pages} - set(named)
    assert len(named) == len(set(named))


def test_links_to_notebooks_lead_to_their_pages() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="howto/own.md"))
    text = "[a](../../examples/1-a.ipynb), [b](../../zoo/x.json), [c](../chess.md)"
    assert on_page_markdown(text, page) == "[a](../examples/1-a.md), b, [c](../chess.md)"


def test_links_to_pages_show_their_titles() -> None:
    page = SimpleNamespace(file=SimpleNamespace(src_uri="howto/own.md"))
    text = "[zoo.md](zoo.md#other-zoos), [the page](zoo.md), [../cite.md](../cite.md), [none.md](none.md)"
    expected = (
        "[The zoo: trained networks](zoo.md#other-zoos), [the page](zoo.md), [Citing](../cite.md), [none.md](none.md)"
    )
    assert on_page_markdown(text, page) == expected


@pytest.mark.slow
def test_the_site_builds_strictly(tmp_path: Path) -> None:
    env = os.environ | {"LUDOPORT_JIT": "0", "NO_MKDOCS_2_WARNING": "1", "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--quiet", "--site-dir", str(tmp_path)]
    done = subprocess.run(command, cwd=ROOT, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert {f"{slug(game.name)}.html" for game in lp.games()} <= {page.name for page in (tmp_path / "games").iterdir()}
    assert len(list((tmp_path / "examples").glob("*.html"))) == 4
    assert 'href="examples/2-train-and-transfer.html"' in (tmp_path / "index.html").read_text()
    assert 'class="doc' in (tmp_path / "reference" / "api.html").read_text()
