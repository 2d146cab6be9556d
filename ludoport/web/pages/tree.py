"""The page of saved search trees."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludoport.errors import LudoportError
from ludoport.web.app import read_request
from ludoport.web.asides import asides
from ludoport.web.pages.transfer import kept_in, target_of
from ludoport.web.views import tree

title = "Trees"
place = 60


async def about(request: Request) -> Response:
    """``GET /api/trees/ID``: the size of a tree and its board."""
    return JSONResponse(await asides(request).ask("tree", tree.about_tree, _file(request)))


async def walk(request: Request) -> Response:
    """``POST /api/trees/ID/walk``: a position, and what would be kept of it in another game."""
    given = await read_request(request)
    moves = given.get("moves", [])
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise LudoportError("the moves are a list of texts")
    there = target_of(request, given) if given.get("target") else ("", ())
    return JSONResponse(await asides(request).ask("tree", tree.walk, _file(request), moves, *there))


async def carry(request: Request) -> Response:
    """``POST /api/trees/ID/carry``: what another game keeps; ``keep`` lists the carried tree too."""
    given = await read_request(request)
    file, there = _file(request), target_of(request, given)
    found: dict[str, Any] = await asides(request).ask("tree", tree.carried, file, *there)
    if given.get("keep"):
        out = kept_in(request, f"{file.stem} for {' '.join([found['target'], *there[1]])}", ".tree")
        await asides(request).ask("tree", tree.carry, file, there[0], out, there[1])
        found["id"] = request.app.state.desk.things.add(out).id
    return JSONResponse({name: value for name, value in found.items() if name != "file"})


def _file(request: Request) -> Path:
    path: Path = request.app.state.desk.things.get(request.path_params["id"], "tree").path
    return path


routes = [
    Route("/api/trees/{id}", about),
    Route("/api/trees/{id}/walk", walk, methods=["POST"]),
    Route("/api/trees/{id}/carry", carry, methods=["POST"]),
]
