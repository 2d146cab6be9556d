"""The page of studies: tables of cells, and what is behind a cell."""

from __future__ import annotations

from pathlib import Path

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludoport.errors import LudoportError
from ludoport.web.asides import asides
from ludoport.web.pages.runs import replayed
from ludoport.web.views import study

title = "Studies"
place = 50


async def about(request: Request) -> Response:
    """``GET /api/studies/ID``: all tables and scores."""
    return JSONResponse(await asides(request).ask("study", study.about_study, _folder(request)))


async def behind(request: Request) -> Response:
    """``GET /api/studies/ID/job?name=...``: what is behind a cell."""
    name = request.query_params.get("name", "")
    return JSONResponse(await asides(request).ask("study", study.behind, _folder(request), name))


async def replay(request: Request) -> Response:
    """``POST /api/studies/ID/replay?name=...``: the positions of a game of a job."""
    name = request.query_params.get("name", "")
    found = await asides(request).ask("study", study.behind, _folder(request), name)
    if not found["game"]:
        raise LudoportError(f"no game belongs to `{name[:80]}`")
    return JSONResponse(await replayed(request, found["game"], found["options"]))


def _folder(request: Request) -> Path:
    path: Path = request.app.state.desk.things.get(request.path_params["id"], "study").path
    return path


routes = [
    Route("/api/studies/{id}", about),
    Route("/api/studies/{id}/job", behind),
    Route("/api/studies/{id}/replay", replay, methods=["POST"]),
]
