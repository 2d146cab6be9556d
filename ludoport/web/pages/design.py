"""The page to write a game."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse
from starlette.routing import Route

from ludoport.errors import LudoportError
from ludoport.languages import named_game
from ludoport.web.app import read_request
from ludoport.web.asides import asides, streamed
from ludoport.web.positions import MOST_TEXT
from ludoport.web.views import completion, design

title = "Design"
place = 20

SECONDS = (2.0, 60.0)
"""Shortest and longest time that a report plays."""


async def text_of(request: Request) -> Response:
    """``GET /api/design/text?name=Hex``: the text of a bundled game, to begin with."""
    game = named_game(request.query_params.get("name", ""))
    if game.path is None:
        raise LudoportError(f"{game.name} has no game text")
    return JSONResponse({"text": game.path.read_text(encoding="utf-8")})


async def problems(request: Request) -> Response:
    """``POST /api/design/problems``: what reading a text finds wrong; quick."""
    return JSONResponse({"problems": await _asked(request, design.problems_in, await _text(request))})


async def look(request: Request) -> Response:
    """``POST /api/design/look``: what compiling a text finds wrong, and its board."""
    return JSONResponse(await _asked(request, design.look_at, await _text(request)))


async def complete(request: Request) -> Response:
    """``POST /api/design/complete``: what may be written at a place of a text."""
    given = await read_request(request)
    match given:
        case {"text": str(text), "offset": int(offset)} if 0 <= offset <= len(text) <= MOST_TEXT:
            return JSONResponse(completion.complete(text, offset))
    raise LudoportError("a completion needs a text, and a place in it (offset)")


async def report(request: Request) -> Response:
    """``POST /api/design/report``: plays for some seconds; a line of JSON for each step, the last with the report."""
    given = await read_request(request)
    text, seconds = _checked(given.get("text")), given.get("seconds", 10)
    if not isinstance(seconds, (int, float)) or not SECONDS[0] <= seconds <= SECONDS[1]:
        raise LudoportError(f"a report takes {SECONDS[0]:g} to {SECONDS[1]:g} seconds")
    return StreamingResponse(_lines(text, float(seconds)), media_type="application/x-ndjson")


async def _lines(text: str, seconds: float) -> AsyncIterator[str]:
    try:
        async for item in streamed("report", design.report, text, seconds):
            yield json.dumps(item) + "\n"
    except LudoportError as error:
        yield json.dumps({"error": str(error)}) + "\n"


async def _text(request: Request) -> str:
    return _checked((await read_request(request)).get("text"))


def _checked(text: Any) -> str:
    if not isinstance(text, str) or len(text) > MOST_TEXT:
        raise LudoportError(f"a game text has at most {MOST_TEXT:,} characters")
    return text


async def _asked(request: Request, function: Any, text: str) -> Any:
    """Problems of a text; exceeding a limit is one too."""
    try:
        return await asides(request).ask("text", function, text)
    except LudoportError as error:
        found = [design.problem_of(error)]
        return found if function is design.problems_in else {**design.NOTHING, "problems": found}


routes = [
    Route("/api/design/text", text_of),
    Route("/api/design/problems", problems, methods=["POST"]),
    Route("/api/design/look", look, methods=["POST"]),
    Route("/api/design/complete", complete, methods=["POST"]),
    Route("/api/design/report", report, methods=["POST"]),
]
