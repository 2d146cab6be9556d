"""Running the server and opening the browser."""

from __future__ import annotations

import socket
import threading
import webbrowser
from collections.abc import Callable, Sequence
from pathlib import Path

import uvicorn

from ludoport.errors import LudoportError
from ludoport.web.app import make_app
from ludoport.web.desk import Desk
from ludoport.web.guard import LOOPBACK, Secrets
from ludoport.web.patience import PatientProtocol
from ludoport.web.things import Things

MOST_CONNECTIONS = 200
"""Connections and requests at once; streams of pages are among them."""


def serve(
    paths: Sequence[Path],
    folder: Path,
    *,
    host: str = "127.0.0.1",
    port: int = 0,
    browser: bool = True,
    names: Sequence[str] = (),
    players: Sequence[str] = (),
    tell: Callable[[str], None] = print,
) -> None:
    """Serve the pages until interrupted.

    Args:
        paths: runs, networks, trees, studies and games to look at.
        folder: folder of the games.
        host: address to listen on.
        port: port to listen on; 0 for any free one.
        browser: whether to open a browser.
        names: further host names by which requests may call this server.
        players: texts of further players that pages offer.
        tell: prints a line.
    """
    desk = Desk(Things(paths, players), folder)
    listening = _listen(host, port)
    port = listening.getsockname()[1]
    shown = f"[{host}]" if ":" in host else host

    def address(token: str) -> str:
        return f"http://{shown if host not in ('0.0.0.0', '::') else 'localhost'}:{port}/?token={token}"

    secrets = Secrets(port, lambda token: tell(f"Opened. Address for another browser: {address(token)}"))
    app = make_app(desk, secrets, [*LOOPBACK, shown, *names])
    for line in desk.tables.damaged:
        tell(f"Skipped {line}")
    tell(f"Ludoport is at {address(secrets.token)}")
    tell("The address works once. Press Ctrl-C to stop; games are kept.")
    if browser:
        threading.Thread(target=webbrowser.open, args=(address(secrets.token),), daemon=True).start()
    settings = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=1,
        http=PatientProtocol,
        ws="none",
        limit_concurrency=MOST_CONNECTIONS,
    )
    uvicorn.Server(settings).run(sockets=[listening])


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((host, port))
        listening.listen(128)  # a browser that comes before the server is ready waits
    except OSError as error:
        listening.close()
        raise LudoportError(f"cannot listen on {host}:{port}: {error.strerror}") from None
    return listening
