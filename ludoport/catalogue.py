"""All games that have names, as records: what ``ludoport games`` and ``lp.games()`` list."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.boards import Board
from ludoport.languages import KnownGame, Language, known_games
from ludoport.lud.tree import Ludeme
from ludoport.zoo import ZooNetwork, known_networks


@dataclass(frozen=True)
class GameRecord:
    """A game that can be loaded by its name.

    Attributes:
        name: what ``lp.load`` and all commands take.
        language: ``ludemic`` (a game file), ``chess`` or ``GDL`` (a rulesheet).
        players: number of players, with the default options.
        board: the board with the default options; empty for rulesheets, which do not say.
        options: items by category, such as ``{"Board Size": ("7x7", "11x11")}``; the default comes first.
        networks: trained networks in the zoo.
    """

    name: str
    language: Language
    players: int
    board: str
    options: dict[str, tuple[str, ...]]
    networks: tuple[ZooNetwork, ...]


def games() -> list[GameRecord]:
    """All games that have names: game files, the chess family and rulesheets.

    Example:
        >>> [game.board for game in games() if game.name == "Hex"]
        ['121 hexagonal cells']
    """
    networks = known_networks()
    return [_record(game, tuple(net for net in networks if net.game == game.name)) for game in known_games()]


def options_of(name: str) -> dict[str, tuple[str, ...]]:
    """Items by category of one game, the default first; empty for a name that is not listed.

    Example:
        >>> options_of("tic-tac-toe")
        {}
    """
    game = next((known for known in known_games() if known.name.casefold() == name.casefold()), None)
    return {} if game is None else _record(game, ()).options


def _record(game: KnownGame, networks: tuple[ZooNetwork, ...]) -> GameRecord:
    players, board, options = {"ludemic": _ludemic, "chess": _chess, "GDL": _gdl}[game.language](game)
    return GameRecord(game.name, game.language, players, board, options, networks)


Facts = tuple[int, str, dict[str, tuple[str, ...]]]


def _ludemic(game: KnownGame) -> Facts:
    from ludoport.boards import build_board
    from ludoport.lud import read_file
    from ludoport.ludemes.core.equipment import find_board, read_players

    assert game.path is not None
    description = read_file(game.path)
    options = {}
    for option in description.options:
        items = [item.label for item in option.items]
        options[option.heading] = (items.pop(option.chosen), *items)
    equipment = description.root.args["equipment"]
    assert isinstance(equipment, Ludeme)
    return read_players(description.root)[0], _board(build_board(find_board(equipment))), options


def _board(board: Board) -> str:
    """A board in a few words: height and width where it is a rectangle, otherwise the number of its sites."""
    sites, tiling = board.default, board.graph.basis.lower()
    what = {"Cell": "cells", "Vertex": "points", "Edge": "edges"}[board.kind]
    width, height = max(sites.col) + 1, max(sites.row) + 1
    if tiling == "square" and width * height == sites.n:
        return f"{height}x{width} {'squares' if what == 'cells' else what}"
    return " ".join(word for word in (str(sites.n), tiling, what) if word)


def _chess(game: KnownGame) -> Facts:
    from ludoport.chess import named_variant

    variant = named_variant(game.name)
    assert variant is not None
    return 2, f"{variant.height}x{variant.width} squares", {}


def _gdl(game: KnownGame) -> Facts:
    from ludoport.gdl import load_rules

    assert game.path is not None
    return load_rules(game.path).n_players, "", {}
