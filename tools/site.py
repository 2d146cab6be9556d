"""Pages of the documentation site that are written by a program: games, notebooks, and the API from docstrings.

mkdocs calls the functions whose names begin with ``on_``; ``make site`` builds the site.
"""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

from mkdocs.structure.files import File, Files

import ludoport as lp
from tools.game_pages import game_page, index_page, slug
from tools.notebooks import notebooks, page

API = ("ludoport.game", "ludoport.moves", "ludoport.tensors.batch", "ludoport.search.result", "ludoport.arena.player")

_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)]*)\)")


def on_files(files: Files, config: Any, **_: Any) -> Files:
    """Add the pages of games, notebooks and the API."""
    pages = {"reference/api.md": api_page()}
    for book in notebooks():
        pages[f"examples/{book.stem}.md"] = page(book).replace("](../docs/", "](../")
    records = lp.games()
    for record in records:
        pages[f"games/{slug(record.name)}.md"] = game_page(record)
    pages["games/index.md"] = index_page(records)
    for path, text in pages.items():
        files.append(File.generated(config, path, content=text))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Links to notebooks lead to their pages; links to other files outside of ``docs`` become plain text."""

    def on_site(found: re.Match[str]) -> str:
        text, link = found.groups()
        if not outside_docs(page, link):
            return found[0]
        # The site has the folder `examples` inside of `docs`, one level higher than the repository.
        return f"[{text}]({link[3:-6]}.md)" if link.endswith(".ipynb") else text

    return _LINK.sub(on_site, markdown)


def outside_docs(page: Any, link: str) -> bool:
    """Whether a link leads out of the folder ``docs``."""
    target = link.split("#")[0]
    return os.path.normpath(Path(page.file.src_uri).parent / target).startswith("..")


def api_page() -> str:
    """The API from docstrings."""
    return "\n\n".join(["# API", *(f"::: {module}" for module in API)]) + "\n"
