"""Boards, positions and moves as plain data (numbers, texts, lists, dicts), from which a page draws.

Places are those of the board: x grows to the right, y upwards. Sizes and shifts of pieces are in tiles, the distance of
neighbouring sites.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ludoport.drawing.colours import CELLS, LINE, MARK, NEUTRAL, SEED, edge_of, ink_on, player_fills
from ludoport.drawing.glyphs import HOLE, PIT, glyph_of, has_pits, kind_letters
from ludoport.drawing.piles import arranged, badge
from ludoport.drawing.plan import lozenge, plan_of
from ludoport.kernels.contract import rules_at
from ludoport.kernels.geometry import Figure, MoveSites, Point

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.moves import Move

COLOURS = {"cells": CELLS, "line": LINE, "mark": MARK, "neutral": NEUTRAL, "seed": SEED}


def board_scene(game: Game, row: NDArray[Any] | None = None) -> dict[str, Any]:
    """Everything of a scene that stays the same during a game; with a row of a match, during its current game.

    - ``sites``: ``site`` (number), ``kind`` (cell, vertex, edge or hand), ``label``, ``x``, ``y``, ``outline``
      (corners; a lozenge around an edge), ``ends`` (of an edge), ``shade`` (0, 1, ... so that neighbours differ),
      ``owner`` (of a hand); empty where a game has no board, and positions then have ``facts``;
    - ``lines``: [x, y, x, y] each; ``dashed`` where pieces stand on the lines themselves; ``pits``: radius in tiles
      of the pits of a mancala board, which are drawn instead of lines; otherwise None; ``rack``: levels of a board
      that stands upright, each site a column (0 for others), and ``hole``: radius of its places, in tiles;
    - ``sides``: ``line`` and ``owner`` of outer edges that belong to a player;
    - ``labels``: ``x``, ``y``, ``text`` of the names of columns and rows beside the board;
    - ``players``: ``number``, ``name``, ``fill``, ``ink`` (of what is written on the fill), ``edge`` (outline);
    - ``colours``: ``cells`` (by shade), ``line``, ``mark``, ``neutral`` (pieces without owner), ``seed``;
    - ``bounds``: left, bottom, right, top, with labels and hands; ``board``: the same without hands;
    - ``tile``: distance of neighbouring sites; ``up``: the direction in which y grows.
    """
    rules = game.rules if row is None else rules_at(game.rules, row)
    geometry = rules.geometry
    names = game.rules.player_names
    players = [
        {"number": number, "name": spoken(name), "fill": fill, "ink": ink_on(fill), "edge": edge_of(fill)}
        for number, (name, fill) in enumerate(zip(names, player_fills(names), strict=True), 1)
    ]
    scene: dict[str, Any] = {"title": game.title, "name": game.name, "players": players, "colours": COLOURS, "up": "y"}
    if rules is not game.rules:
        scene["played"] = rules.name
    if not geometry.sites:
        return scene | {"sites": [], "lines": [], "sides": [], "labels": [], "bounds": [0, 0, 1, 1], "tile": 1.0}
    plan = plan_of(geometry)
    sites: list[dict[str, Any]] = [
        {
            "site": number,
            "kind": site.kind,
            "label": site.label,
            **_at((site.x, site.y)),
            "outline": _points(lozenge(site, plan.tile)),
            "ends": _points(site.outline) if site.kind == "edge" else [],
            "shade": site.shade,
        }
        for number, site in geometry.by_number.items()
    ]
    for hand in geometry.hands:
        for number, site in enumerate(hand.sites, 1):
            label = f"hand{hand.owner}.{number}"
            place = _at(plan.hands[site])
            sites.append({"site": site, "kind": "hand", "label": label, **place, "outline": [], "owner": hand.owner})
    return scene | {
        "sites": sites,
        "lines": [[*begin, *end] for begin, end in geometry.edges],
        "rack": geometry.rack,
        "hole": HOLE,
        "pits": PIT if has_pits(geometry, rules.kinds) else None,
        "dashed": any(site.kind == "edge" for site in geometry.by_number.values()),
        "sides": [{"line": [*begin, *end], "owner": owner} for begin, end, owner in plan.sides],
        "labels": [{**_at(place), "text": text} for place, text in plan.labels],
        "bounds": [round(number, 4) for number in plan.bounds],
        "board": [round(number, 4) for number in plan_of(geometry, ()).bounds],
        "tile": plan.tile,
    }


def spoken(name: str) -> str:
    """The name of a player as people write it: ``DarkGreen`` is ``Dark green``, ``white`` is ``White``."""
    words = re.sub(r"(?<=[a-z])(?=[A-Z][a-z])", " ", name)
    return words[:1].upper() + (words[1:].lower() if words != name else words[1:])


def position_scene(state: State) -> dict[str, Any]:
    """Contents of a picture of a position.

    - ``pieces``: ``site``, ``level`` (0 at the bottom), ``name``, ``owner`` (0 for none), ``glyph`` (name of the
      symbol), ``text`` (letters or a number on it), ``turned`` (degrees), ``count``, ``state``, ``rotation``,
      ``value``, ``right``, ``up``, ``size`` (where it is drawn); pieces deep in a high stack are left out;
    - ``badges``: numbers beside sites, by site;
    - ``mover``, ``seat``, ``ply``, ``over``, ``winner``, ``utilities`` (None while the game runs), ``swapped``;
    - ``scores``: of the players, where the game has them; ``last``: the move that led here, as in `moves_scene`;
    - ``dice``: ``value``, ``owner`` (0 for all) and ``used`` of each die, as the player to move sees them;
    - ``facts``: lines of text where the game has no board; ``title``: the position in words;
    - ``board``: the board of the current game, in a match.
    """
    rules = rules_at(state.game.rules, state.row)
    piles = rules.figures(state.row)
    letters = _letters(state, (figure for pile in piles.values() for figure in pile))
    pieces = [
        {
            "site": site,
            "level": placed.level,
            **_figure(placed.figure),
            "glyph": placed.glyph.symbol,
            "text": str(placed.figure.value) if placed.figure.value else placed.glyph.text,
            "turned": placed.glyph.turned % 360,
            "right": placed.right,
            "up": placed.up,
            "size": placed.size,
        }
        for site, pile in sorted(piles.items())
        for placed in arranged(pile, letters, rules.geometry.rack)
    ]
    badges = {str(site): badge(pile, rules.geometry.rack) for site, pile in sorted(piles.items())}
    another = {"board": board_scene(state.game, state.row)} if rules is not state.game.rules else {}
    return {
        **another,
        "title": repr(state),
        "pieces": pieces,
        "badges": {site: text for site, text in badges.items() if text},
        "mover": state.mover,
        "seat": state.seat,
        "ply": state.ply,
        "over": state.over,
        "winner": state.winner,
        "utilities": state.utilities if state.over else None,
        "swapped": state.swapped,
        "scores": state.scores,
        "last": None if state.last is None else move_scene(state, state.last),
        "dice": _dice(state),
        "facts": [] if rules.geometry.sites else state.picture().splitlines(),
    }


def _dice(state: State) -> list[dict[str, Any]]:
    if "DICE" not in rules_at(state.game.rules, state.row).fields:
        return []
    after = state if state.over else state.play(state.moves()[0])
    return [asdict(die) for die in state.game.rules.dice(state.row, after.row)]


def moves_scene(state: State) -> list[dict[str, Any]]:
    """The legal moves of a position, in the order of ``state.moves()``; see `move_scene`."""
    piles = state.game.rules.figures(state.row)
    return [move_scene(state, move, piles) for move in state.moves()]


def move_scene(state: State, move: Move, piles: dict[int, list[Figure]] | None = None) -> dict[str, Any]:
    """One move.

    - ``text``: the recorded notation, which differs from that of all other legal moves; ``label``: for people;
    - ``kind``: move, place, remove, select, promote, pass, swap or other;
    - ``from``, ``to``: sites, or None; ``between``: sites that it passes or captures on; ``level``: in a stack, or
      None;
    - ``name``, ``owner``, ``glyph``, ``letters``, ``turned``: the piece that moves or is put down; name is None where
      it is unknown.
    """
    sites = state.game.rules.move_sites(state.row, move.row)
    piece = _moving(sites, piles or {})
    scene: dict[str, Any] = {
        "text": move.text,
        "label": move.label,
        "kind": sites.kind,
        "from": sites.start,
        "to": sites.end,
        "between": list(sites.between),
        "level": sites.level,
        "name": None,
        "owner": None,
        "glyph": None,
        "letters": "",
        "turned": 0,
    }
    if piece is not None:
        glyph = glyph_of(piece, _letters(state, [piece]))
        scene |= {"name": piece.name, "owner": piece.owner, "glyph": glyph.symbol, "letters": glyph.text}
        scene["turned"] = glyph.turned % 360
    return scene


def _moving(sites: MoveSites, piles: dict[int, list[Figure]]) -> Figure | None:
    """The piece of a move: as given by the move, otherwise the piece at its origin."""
    if sites.piece is not None or sites.start is None:
        return sites.piece
    pile = piles.get(sites.start)
    if not pile:
        return None
    return pile[sites.level] if sites.level is not None and sites.level < len(pile) else pile[-1]


def _letters(state: State, shown: Iterable[Figure]) -> dict[str, str]:
    return kind_letters({*state.game.rules.kinds, *((figure.owner, figure.name) for figure in shown)})


def _figure(figure: Figure) -> dict[str, Any]:
    names = ("name", "owner", "count", "state", "rotation", "value")
    return {name: getattr(figure, name) for name in names}


def _at(place: Point) -> dict[str, float]:
    return {"x": round(place[0], 4), "y": round(place[1], 4)}


def _points(outline: Iterable[Point]) -> list[list[float]]:
    return [[round(x, 4), round(y, 4)] for x, y in outline]
