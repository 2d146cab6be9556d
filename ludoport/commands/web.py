"""``ludoport web``: a page to play, look and compare."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Annotated

import typer

from ludoport.commands.options import AllowHost, Host, Port, WebPlayers, option
from ludoport.errors import LudoportError


def web(
    things: Annotated[
        list[Path] | None, typer.Argument(metavar="RUN|STUDY|TREE|GAME...", help="Folders and files to look at.")
    ] = None,
    port: Port = 8765,
    host: Host = "127.0.0.1",
    allow_host: AllowHost = [],  # noqa: B006
    player: WebPlayers = None,
    browser: Annotated[bool, option("--browser/--no-browser", help="Open a browser.")] = True,
    tables: Annotated[
        Path | None,
        option("--tables", metavar="FOLDER", help="Folder that keeps games.", default="~/.local/share/ludoport/tables"),
    ] = None,
) -> None:
    """Play any game, watch searches and look at runs in a browser."""
    if not 0 <= port < 65536:
        raise LudoportError(f"the port must be between 0 and 65535, not {port}")
    if any(importlib.util.find_spec(package) is None for package in ("starlette", "uvicorn")):
        raise LudoportError("the page needs Starlette and uvicorn; install them with: pip install 'ludoport[web]'")
    from ludoport.web.serve import serve
    from ludoport.web.tables import tables_folder

    serve(
        things or [], tables or tables_folder(), host=host, port=port, browser=browser, names=allow_host,
        players=player or [], tell=typer.echo,
    )  # fmt: skip
