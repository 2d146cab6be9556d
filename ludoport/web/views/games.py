"""Games that were played and kept: matches of studies and of the ratings of runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ludoport.arena.luck import replay
from ludoport.arena.storage import MatchStore
from ludoport.drawing.scenes import board_scene, position_scene
from ludoport.game import Game, load
from ludoport.nets.finding import NETWORK

MOST = 500
"""Games of a file that are listed."""


def kept_games(file: Path) -> list[dict[str, Any]]:
    """The games of a file of matches, the newest match first.

    Returns:
        ``match`` and ``number``; ``first`` and ``second``: the players by seat; ``result``: 1-0, 0-1 or a half each;
        ``plies``, ``finished``, ``moves`` (in recorded notation) and ``seed`` of the initial position, as a
        text because pages cannot hold such numbers.
    """
    if not file.is_file():
        return []
    found: list[dict[str, Any]] = []
    with MatchStore(file) as store:
        for match in reversed(store.matches()):
            for played in store.games(int(match["id"])):
                pair = played.pairing
                names = (match["a"], match["b"]) if pair.first == "a" else (match["b"], match["a"])
                ours, theirs = played.utilities if pair.first == "a" else played.utilities[::-1]
                found.append(
                    {
                        "match": match["id"],
                        "number": pair.number,
                        "first": _short(names[0]),
                        "second": _short(names[1]),
                        "result": "1-0" if ours > theirs else "0-1" if ours < theirs else "½-½",
                        "plies": len(played.moves),
                        "finished": played.finished,
                        "moves": list(played.moves),
                        "seed": str(pair.start_seed),
                    }
                )
                if len(found) == MOST:
                    return found
    return found


def replayed(game: Game, moves: list[str], seed: int = 0) -> dict[str, Any]:
    """A game as a page steps through it: ``board``, and ``positions`` with the ``label`` of the move that led there."""
    shown = [
        {"label": move.label if move is not None else "", "position": position_scene(state)}
        for move, state in replay(game, seed, moves)
    ]
    return {"title": game.title, "board": board_scene(game), "positions": shown}


def replay_named(name: str, options: list[str], moves: list[str], seed: int) -> dict[str, Any]:
    """The same for the name or path of a game; in plain Python, because it is shown once."""
    return replayed(load(name, options, jit=False), moves, seed)


def _short(player: str) -> str:
    """A player without the folders of its network and how it searches, which all networks of a match share.

    >>> _short("net:/home/me/runs/train/hex-7x7/network.safetensors,simulations=32"), _short("uct:100")
    ('train/hex-7x7', 'uct:100')
    """
    if not player.startswith("net:"):
        return player
    parts = Path(player.removeprefix("net:").partition(",")[0]).parts
    return "/".join((parts[:-1] if parts[-1] == NETWORK else parts)[-2:])
