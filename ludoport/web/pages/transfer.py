"""The page on which a network is carried to another game."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludoport.errors import LudoportError
from ludoport.languages import named_game
from ludoport.web.app import read_request
from ludoport.web.asides import asides
from ludoport.web.views import transfer

title = "Transfer"
place = 40


async def explain(request: Request) -> Response:
    """``POST /api/transfer/ID/explain``: how channels correspond, and why."""
    given = await read_request(request)
    there = target_of(request, given)
    return JSONResponse(await asides(request).ask("transfer", transfer.explain, _file(request), *there, _edits(given)))


async def compare(request: Request) -> Response:
    """``POST /api/transfer/ID/compare``: what the network thinks in its own game, carried, and untrained."""
    given = await read_request(request)
    lines = [given.get(name) for name in ("moves", "own_moves")]
    for line in lines:
        if line is not None and not (isinstance(line, list) and all(isinstance(move, str) for move in line)):
            raise LudoportError("the moves are a list of texts")
    seed = given.get("seed", 1)
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise LudoportError("the seed is a number from 0 to 2,147,483,647")
    there = target_of(request, given)
    return JSONResponse(
        await asides(request).ask("transfer", transfer.compare, _file(request), *there, _edits(given), *lines, seed)
    )


async def carry(request: Request) -> Response:
    """``POST /api/transfer/ID/carry``: writes the carried network, which can then play."""
    given = await read_request(request)
    file, there = _file(request), target_of(request, given)
    name = " ".join([Path(there[0]).stem, *(option.rpartition("/")[2] for option in there[1])])
    out = kept_in(request, f"{file.parent.name if file.is_file() else file.name} for {name}", "")
    await asides(request).ask("transfer", transfer.carry, file, there[0], out, there[1], _edits(given))
    thing = request.app.state.desk.things.add(out)
    return JSONResponse({"id": thing.id, "title": thing.title, "game": there[0], "options": list(there[1])})


def target_of(request: Request, given: dict[str, Any]) -> tuple[str, tuple[str, ...]]:
    """The game that a request names: a bundled one, or the id of a game file, with its options."""
    match given.get("target"):
        case {"name": str(name), **more}:
            found = named_game(name).name
        case {"thing": str(id), **more}:
            found = str(request.app.state.desk.things.get(id, "game").path)
        case _:
            raise LudoportError('a target is given as {"name": ..., "options": [...]}')
    options = more.get("options", [])
    if not isinstance(options, list) or not all(isinstance(option, str) for option in options):
        raise LudoportError("the options of a game are a list of texts")
    return found, tuple(options)


def kept_in(request: Request, name: str, suffix: str) -> Path:
    """File of something that a page made: in a folder beside the games."""
    folder: Path = request.app.state.desk.tables.folder.parent / "carried"
    folder.mkdir(parents=True, exist_ok=True)
    return folder / f"{re.sub(r'[^A-Za-z0-9 .-]', '-', name).strip(' .')[:120]}{suffix}"


def _edits(given: dict[str, Any]) -> Any:
    edits = given.get("edits")
    return {part: edits[part] for part in ("state", "moves") if part in edits} if isinstance(edits, dict) else None


def _file(request: Request) -> Path:
    path: Path = request.app.state.desk.things.get(request.path_params["id"], "run", "network").path
    return path


routes = [
    Route("/api/transfer/{id}/explain", explain, methods=["POST"]),
    Route("/api/transfer/{id}/compare", compare, methods=["POST"]),
    Route("/api/transfer/{id}/carry", carry, methods=["POST"]),
]
