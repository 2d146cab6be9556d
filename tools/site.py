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

DOCS = Path(__file__).resolve().parents[1] / "docs"

_LINK = re.compile(r"\[([^\]]*)\]\(((?:\.\./)+[^)]*)\)")
_PAGE = re.compile(r"\[[\w./-]+\.md\]\(([\w./-]+\.md)(#[^)]*)?\)")


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
    """Links to notebooks lead to their pages; links to other files outside of ``docs`` become plain text.

    Links that show the name of a page's file show its title.
    """

    def on_site(found: re.Match[str]) -> str:
        text, link = found.groups()
        if not outside_docs(page, link):
            return found[0]
        # The site has the folder `examples` inside of `docs`, one level higher than the repository.
        return f"[{text}]({link[3:-6]}.md)" if link.endswith(".ipynb") else text

    def titled(found: re.Match[str]) -> str:
        link, anchor = found.groups(default="")
        file = DOCS / Path(page.file.src_uri).parent / link
        title = file.read_text(encoding="utf-8").partition("\n")[0] if file.is_file() else ""
        return f"[{title[2:]}]({link}{anchor})" if title.startswith("# ") else found[0]

    return _PAGE.sub(titled, _LINK.sub(on_site, markdown))


def outside_docs(page: Any, link: str) -> bool:
    """Whether a link leads out of the folder ``docs``."""
    target = link.split("#")[0]
    return os.path.normpath(Path(page.file.src_uri).parent / target).startswith("..")


def api_page() -> str:
    """The API from docstrings."""
    return "\n\n".join(["# API", *(f"::: {module}" for module in API)]) + "\n"
