"""Pages of the documentation site that are written by a program: one for each game, and the API from docstrings.

mkdocs calls the functions whose names begin with ``on_``; ``make site`` builds the site.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import ludoport as lp
from ludoport.catalogue import GameRecord
from ludoport.errors import LudoportError
from ludoport.tensors.layout import tensor_layout

API = ("ludoport.game", "ludoport.moves", "ludoport.tensors.batch", "ludoport.search.result", "ludoport.arena.player")

_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)]*)\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the pages of games and the API."""
    pages = {"reference/api.md": api_page()}
    records = lp.games()
    for record in records:
        pages[f"games/{slug(record.name)}.md"] = game_page(record)
    pages["games/index.md"] = index_page(records)
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to files outside of ``docs`` become plain text: the site has no such pages."""
    return _LINK.sub(lambda found: found[1] if outside_docs(page, found[2]) else found[0], markdown)


def outside_docs(page: Any, link: str) -> bool:
    """Whether a link leads out of the folder ``docs``."""
    target = link.split("#")[0]
    return os.path.normpath(Path(page.file.src_uri).parent / target).startswith("..")


def slug(name: str) -> str:
    """The name of a game's page.

    >>> slug("Kyoto Shogi"), slug("tic-tac-toe.kif")
    ('kyoto-shogi', 'tic-tac-toe-kif')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def api_page() -> str:
    """The API from docstrings."""
    return "\n\n".join(["# API", *(f"::: {module}" for module in API)]) + "\n"


def index_page(records: list[GameRecord]) -> str:
    """All games in a table."""
    rows = [
        f"| [{r.name}]({slug(r.name)}.md) | {r.language} | {r.players} | {r.board} | {len(r.networks)} |"
        for r in records
    ]
    return "\n".join(
        ["# Games", "", "| game | language | players | board | networks |", "|---|---|--:|---|--:|", *rows, ""]
    )


def game_page(record: GameRecord) -> str:
    """The page of a game: its board, its rules in words, options, and sizes of tensors."""
    game = lp.load(record.name, jit=False)
    state = game.start()
    lines = [f"# {record.name}", "", _picture(state), "", *_facts(record, game), ""]
    if record.options:
        lines += ["## Options", "", "| category | items; the default comes first |", "|---|---|"]
        lines += [f"| {category} | {', '.join(items)} |" for category, items in record.options.items()] + [""]
    example = f'lp.load("{record.name}")'
    lines += [
        "## Try it",
        "",
        "    import ludoport as lp",
        "",
        f'    print(lp.search({example}.start(), "uct:1000"))',
        "",
    ]
    lines += [f'    ludoport show "{record.name}"', f'    ludoport match uct:800 random -g "{record.name}"', ""]
    for network in record.networks:
        lines.append(f"Network: `{network.path.name}` {' '.join(network.options)}")
    return "\n".join(lines)


def _picture(state: lp.State) -> str:
    picture = state.svg()
    return f'<div style="max-width: 24em">{picture}</div>' if "\n\n" not in picture else f"    {state}"


def _facts(record: GameRecord, game: lp.Game) -> list[str]:
    metadata = getattr(getattr(game.rules, "description", None), "metadata", "")
    facts = re.findall(r'\(description\s+"([^"]+)"', metadata)[:1]
    facts += ["", "| | |", "|---|---|", f"| language | {record.language} |", f"| players | {record.players} |"]
    facts += [f"| board | {record.board} |"] if record.board else []
    facts.append(f"| legal moves at the start | {len(game.start().moves())} |")
    try:
        layout = tensor_layout(game)
        facts += [f"| state tensor | {_shape(layout.shape)} |", f"| tensor of moves | {_shape(layout.move_shape)} |"]
    except LudoportError as error:
        facts.append(f"| tensors | {error} |")
    return facts


def _shape(shape: tuple[int, int, int]) -> str:
    return f"{shape[0]} channels, {shape[1]} x {shape[2]}"
