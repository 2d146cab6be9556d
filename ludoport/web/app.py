"""The server: all pages, behind the guard."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import AsyncIterator, Collection
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, RedirectResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ludoport.drawing.symbols import symbol_sheet
from ludoport.errors import LudoportError
from ludoport.files import parse_json
from ludoport.web import events, pages
from ludoport.web.desk import Desk
from ludoport.web.guard import LOOPBACK, Guard, Secrets, TooLong
from ludoport.web.playing import Stale
from ludoport.web.workers import TextError

STATIC = Path(__file__).parent / "static"


def make_app(desk: Desk, secrets: Secrets, hosts: Collection[str] = LOOPBACK) -> Starlette:
    """The application.

    Args:
        desk: state that requests share.
        secrets: of this start of the server.
        hosts: names by which requests may call it.
    """

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        desk.begin()
        yield
        await desk.end()

    found = all_pages()
    routes = [
        Route("/", lambda request: RedirectResponse("/play", status_code=303)),
        Route("/favicon.ico", lambda request: FileResponse(STATIC / "icon.svg")),
        Route("/api/pages", _pages),
        Route("/api/things", _things),
        Route("/static/pieces.svg", lambda request: Response(_sheet(), media_type="image/svg+xml")),
        Mount("/static", StaticFiles(directory=STATIC)),
        *events.routes,
        *(Route(f"/{name}", _Html(name)) for name in found),
        *(route for page in found.values() for route in page.routes),
    ]
    errors: Any = {
        TooLong: lambda request, error: failure(413, "the request is too long"),
        Stale: lambda request, error: failure(409, str(error)),
        TextError: _text_error,
        LudoportError: lambda request, error: failure(400, str(error)),
        HTTPException: lambda request, error: failure(error.status_code, error.detail),
        Exception: lambda request, error: failure(500, "internal error; the terminal shows it"),
    }
    guard = Middleware(Guard, secrets=secrets, hosts=hosts)
    app = Starlette(routes=routes, middleware=[guard], exception_handlers=errors, lifespan=lifespan)
    app.state.desk = desk
    return app


def failure(status: int, reason: str, **more: Any) -> JSONResponse:
    """An answer that says what went wrong."""
    return JSONResponse({"error": reason, **more}, status_code=status)


async def read_request(request: Request) -> dict[str, Any]:
    """The JSON object of a request.

    Raises:
        LudoportError: it has none.
    """
    try:
        given = parse_json(await request.body())
    except ValueError:
        raise LudoportError("the request is not JSON") from None
    if not isinstance(given, dict):
        raise LudoportError("the request is not a JSON object")
    return given


def _text_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, TextError)
    return failure(400, str(error), message=error.message, line=error.line, column=error.column)


@cache
def all_pages() -> dict[str, ModuleType]:
    """The modules of all pages by name, in the order of the navigation."""
    names = [info.name for info in pkgutil.iter_modules(pages.__path__)]
    modules = {name: importlib.import_module(f"{pages.__name__}.{name}") for name in names}
    return dict(sorted(modules.items(), key=lambda item: (getattr(item[1], "place", 1000), item[0])))


class _Html:
    """The HTML of a page."""

    def __init__(self, name: str) -> None:
        self.path = STATIC / f"{name}.html"

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        await FileResponse(self.path, media_type="text/html")(scope, receive, send)


@cache
def _sheet() -> str:
    return symbol_sheet()


async def _pages(request: Request) -> Response:
    """``GET /api/pages``: the navigation."""
    listed = {name: page for name, page in all_pages().items() if hasattr(page, "place")}
    return JSONResponse([{"path": f"/{name}", "title": page.title} for name, page in listed.items()])


async def _things(request: Request) -> Response:
    """``GET /api/things``: what the server was started with."""
    desk: Desk = request.app.state.desk
    return JSONResponse([thing.as_json() for thing in desk.things.all()])
