"""The page of runs: curves while they learn, and games."""

from __future__ import annotations

import asyncio
from typing import Any

from starlette.requests import Request
from starlette.responses import JSONResponse, Response
from starlette.routing import Route

from ludoport.errors import LudoportError
from ludoport.web.app import read_request
from ludoport.web.asides import asides
from ludoport.web.views import games, runs
from ludoport.web.views.runs import WatchedRun

title = "Runs"
place = 30


async def listed(request: Request) -> Response:
    """``GET /api/runs``: all runs that learn or have learned; carried networks are none."""
    found = request.app.state.desk.things.all()
    shown = [thing for thing in found if thing.kind == "run" and (thing.path / "config.toml").is_file()]
    return JSONResponse([thing.as_json() for thing in shown])


async def news(request: Request) -> Response:
    """``GET /api/runs/ID?after=EPOCH``: what is new; with after=0 also what stays the same."""
    watched = _watched(request)
    after = request.query_params.get("after", "0")
    number = int(after) if after.isdecimal() and len(after) < 10 else 0
    found: dict[str, Any] = await asyncio.to_thread(watched.news, number)
    return JSONResponse(found if number else {**found, "about": watched.about()})


async def kept(request: Request) -> Response:
    """``GET /api/runs/ID/games``: games of the checkpoints that were rated."""
    return JSONResponse(await asyncio.to_thread(_watched(request).games))


async def self_play(request: Request) -> Response:
    """``POST /api/runs/ID/self-play``: a game of the newest network against itself, played now."""
    given = await read_request(request)
    seed = given.get("seed", 1)
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise LudoportError("the seed is a number from 0 to 2,147,483,647")
    folder = _watched(request).run.folder
    return JSONResponse(await asides(request).ask("game", runs.selfplay_game, folder, seed))


async def replay(request: Request) -> Response:
    """``POST /api/runs/ID/replay``: the positions of a game of the run's game."""
    config = _watched(request).run.config
    return JSONResponse(await replayed(request, config.game, config.options))


async def replayed(request: Request, game: str, options: Any) -> Any:
    """The positions of the game in a request."""
    match await read_request(request):
        case {"moves": list(moves), "seed": str(seed)} if (
            seed.isdecimal() and len(seed) < 20 and all(isinstance(move, str) for move in moves)
        ):
            return await asides(request).ask("study", games.replay_named, game, list(options), moves, int(seed))
    raise LudoportError("a game is given as its moves and the seed of its start")


def _watched(request: Request) -> WatchedRun:
    state = request.app.state
    id = request.path_params["id"]
    if not hasattr(state, "watched"):
        state.watched = {}
    if id not in state.watched:
        state.watched[id] = WatchedRun(state.desk.things.get(id, "run").path)
    found: WatchedRun = state.watched[id]
    return found


routes = [
    Route("/api/runs", listed),
    Route("/api/runs/{id}", news),
    Route("/api/runs/{id}/games", kept),
    Route("/api/runs/{id}/self-play", self_play, methods=["POST"]),
    Route("/api/runs/{id}/replay", replay, methods=["POST"]),
]
