"""The page to play and to analyse."""

from __future__ import annotations

import asyncio
import random
from dataclasses import replace
from functools import lru_cache
from typing import Any

from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import JSONResponse, PlainTextResponse, Response
from starlette.routing import Route

from ludoport.catalogue import games
from ludoport.errors import LudoportError
from ludoport.lud.reading import game_texts
from ludoport.moves import split_moves
from ludoport.web import positions
from ludoport.web.app import read_request
from ludoport.web.asides import asides
from ludoport.web.desk import Desk
from ludoport.web.playing import TablePlaying
from ludoport.web.positions import GameSpec, game_spec
from ludoport.web.tables import Table, new_id, read_seats, read_table
from ludoport.web.views import records

title = "Play"
place = 10


@lru_cache(1)
def _catalogue() -> list[dict[str, Any]]:
    return [
        {"name": game.name, "language": game.language, "players": game.players, "board": game.board,
         "options": [{"heading": heading, "items": items} for heading, items in game.options.items()]}
        for game in games()
    ]  # fmt: skip


async def list_games(request: Request) -> Response:
    """``GET /api/games``: all bundled games with their options."""
    return JSONResponse(await asyncio.to_thread(_catalogue))


async def about_text(request: Request) -> Response:
    """``POST /api/games/about``: players, options and rulesets of a text or of a game given on the command line."""
    spec = await _game(_desk(request), await read_request(request))
    return JSONResponse(await asides(request).ask("text", positions.about_game, spec))


async def list_tables(request: Request) -> Response:
    """``GET /api/tables``: all games, the one played last first."""
    return JSONResponse(
        [
            {"id": table.id, "title": table.title or table.game.name, "seats": table.seats,
             "plies": max(node.ply for node in table.nodes), "changed": table.changed}
            for table in _desk(request).tables.all()
        ]
    )  # fmt: skip


async def open_table(request: Request) -> Response:
    """``POST /api/tables``: a new game, perhaps with moves, one that was exported, or a record in another format."""
    desk, given = _desk(request), await read_request(request)
    if isinstance(given.get("record"), str):
        spec, moves = await asides(request).ask("record", records.read_record, given["record"])
        given = {"game": spec.as_json(), "moves": moves, "seats": ["human"]}
    if "import" in given:
        table = read_table(given["import"])
        nodes = [(node.parent, node.move) for node in table.nodes[1:]]
        checked = await desk.hosts.get(table.game).ask(positions.check_lines, table.seed, nodes)
        table.nodes[1:] = [
            replace(node, label=label, seat=seat) for node, (label, seat) in zip(table.nodes[1:], checked, strict=True)
        ]
        table.paused = True
    else:
        table = await _new_table(desk, given)
    desk.tables.take(table)
    return JSONResponse({"id": table.id})


async def _new_table(desk: Desk, given: dict[str, Any]) -> Table:
    spec, seats = await _game(desk, given), read_seats(given.get("seats", ["human"]))
    for seat in seats:
        desk.player_text(seat)
    moves = given.get("moves", [])
    if isinstance(moves, str):
        moves = split_moves(moves)
    if not isinstance(moves, list) or not all(isinstance(move, str) for move in moves):
        raise LudoportError("the moves are a list of texts")
    seed = given.get("seed", random.randrange(2**31))
    if not isinstance(seed, int) or not 0 <= seed < 2**31:
        raise LudoportError("the seed is a number from 0 to 2,147,483,647")
    table = Table(new_id(), spec, seats, seed)
    if moves:
        for text, label, seat in await desk.hosts.get(spec).ask(positions.replay, seed, moves):
            table.add(text, label, seat)
        table.paused = True
    return table


async def _game(desk: Desk, given: dict[str, Any]) -> GameSpec:
    """The game of a request: bundled, a text, or a game file given on the command line by its id."""
    game = given.get("game")
    if isinstance(game, dict) and isinstance(game.get("thing"), str):
        thing = desk.things.get(game["thing"], "game")
        text = await asyncio.to_thread(thing.path.read_text, encoding="utf-8", errors="replace")
        spec = game_spec({**game, "name": thing.path.stem, "text": text})
        if spec.language != "ludemic":
            return spec
        found = await asyncio.to_thread(game_texts, thing.path, spec.options, spec.ruleset or None)
        return replace(spec, games=tuple(found.items()))
    return game_spec(game)


async def show_table(request: Request) -> Response:
    """``GET /api/tables/ID``: board and position."""
    playing = _playing(request)
    board = await playing.board()
    view = await playing.view()
    playing.start_programs(view["position"])
    return JSONResponse({"board": board, **view})


async def play(request: Request) -> Response:
    """``POST /api/tables/ID/play``: a move, with the position that it answers."""
    playing, given = _playing(request), await read_request(request)
    match given:
        case {"node": int(node), "ply": int(ply), "move": str(move)} if len(move) < 1000:
            return JSONResponse(await playing.play(node, ply, move))
    raise LudoportError("a move comes with the number of its position (node) and of the moves before it (ply)")


async def go(request: Request) -> Response:
    """``POST /api/tables/ID/go``: another position of the game."""
    playing, given = _playing(request), await read_request(request)
    if not isinstance(given.get("node"), int):
        raise LudoportError("the position is missing (node)")
    return JSONResponse(await playing.go(given["node"]))


async def resume(request: Request) -> Response:
    """``POST /api/tables/ID/resume``: programs play on, perhaps with other players in the seats."""
    playing, given = _playing(request), await read_request(request)
    return JSONResponse(await playing.resume(read_seats(given["seats"]) if "seats" in given else None))


async def pause(request: Request) -> Response:
    """``POST /api/tables/ID/pause``: programs wait."""
    return JSONResponse(await _playing(request).pause())


async def analyse(request: Request) -> Response:
    """``POST /api/tables/ID/analyse``: what to show beside the game; an empty list stops it."""
    playing, given = _playing(request), await read_request(request)
    players = given.get("players")
    if not isinstance(players, list) or not all(isinstance(seat, str) and len(seat) <= 200 for seat in players):
        raise LudoportError("the players of an analysis are a list of texts")
    for seat in players:
        if seat:
            playing.desk.player_text(_searching(seat))
    playing.analyse(players)
    return JSONResponse(playing.status())


async def review(request: Request) -> Response:
    """``POST /api/tables/ID/review``: analyse the whole game; an empty player stops it."""
    playing, given = _playing(request), await read_request(request)
    seat = given.get("player")
    if not isinstance(seat, str):
        raise LudoportError("the player is missing")
    if seat:
        playing.desk.player_text(_searching(seat))
    playing.review(seat)
    return JSONResponse(playing.status())


def _searching(seat: str) -> str:
    if seat in ("human", "random"):
        raise LudoportError(f"{seat} does not search; uct:1000 does")
    return seat


async def export(request: Request) -> Response:
    """``GET /api/tables/ID/export``: the game with its variations, as a file."""
    table = _playing(request).table
    disposition = {"Content-Disposition": f'attachment; filename="{_file_name(table)}.json"'}
    return JSONResponse(table.as_json(), headers=disposition)


async def record(request: Request) -> Response:
    """``GET /api/tables/ID/record``: the line on the board as PGN, SGF or plain text."""
    table = _playing(request).table
    line = table.line(table.whole_line()[-1])
    text, ending = await asides(request).ask("record", records.write_record, table.game, table.seed, line)
    name = f'attachment; filename="{_file_name(table)}.{ending}"'
    return PlainTextResponse(text, headers={"Content-Disposition": name})


def _file_name(table: Table) -> str:
    return "".join(c if c.isascii() and c.isalnum() else "-" for c in table.title or table.game.name)


async def delete(request: Request) -> Response:
    """``DELETE /api/tables/ID``: remove a game."""
    await _desk(request).delete(_playing(request).table.id)
    return JSONResponse({})


def _desk(request: Request) -> Desk:
    desk: Desk = request.app.state.desk
    return desk


def _playing(request: Request) -> TablePlaying:
    try:
        return _desk(request).table(request.path_params["id"])
    except KeyError:
        raise HTTPException(404, "there is no such game here") from None


routes = [
    Route("/api/games", list_games),
    Route("/api/games/about", about_text, methods=["POST"]),
    Route("/api/tables", list_tables),
    Route("/api/tables", open_table, methods=["POST"]),
    Route("/api/tables/{id}", show_table),
    Route("/api/tables/{id}", delete, methods=["DELETE"]),
    Route("/api/tables/{id}/export", export),
    Route("/api/tables/{id}/record", record),
    Route("/api/tables/{id}/play", play, methods=["POST"]),
    Route("/api/tables/{id}/go", go, methods=["POST"]),
    Route("/api/tables/{id}/resume", resume, methods=["POST"]),
    Route("/api/tables/{id}/pause", pause, methods=["POST"]),
    Route("/api/tables/{id}/analyse", analyse, methods=["POST"]),
    Route("/api/tables/{id}/review", review, methods=["POST"]),
]
