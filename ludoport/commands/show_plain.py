"""``ludoport show`` for games that are not written in the ludemic language: chess and rulesheets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ludoport.game import Game


def plain_record(game: Game) -> dict[str, Any]:
    """The game as a record."""
    rules, state = game.rules, game.start()
    engine, why = getattr(rules, "engine", None), getattr(rules, "why", None)
    return {
        "players": game.n_players,
        "roles": list(getattr(rules, "roles", [])),
        "row": rules.state_size,
        "most_moves": rules.max_moves,
        **({"engine": engine, "why": why or None} if engine else {}),
        "moves": [str(move) for move in state.moves()],
        "picture": state.picture(),
    }


def plain_lines(game: Game) -> Iterator[str]:
    """The game for people."""
    record = plain_record(game)
    roles = f" ({', '.join(map(str, record['roles']))})" if record["roles"] else ""
    yield f"{game.name}, {record['players']} players{roles}"
    if "engine" in record:
        reason = f": {record['why']}" if record["why"] else ""
        yield f"  played by: {record['engine']}{reason}"
    yield f"  a position is a row of {record['row']} integers; at most {record['most_moves']} moves"
    yield ""
    yield record["picture"]
    yield ""
    yield f"{len(record['moves'])} moves: {', '.join(record['moves'])}"
