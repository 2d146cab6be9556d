"""``ludoport perft`` for chess and Chessplus, where any position may be the start."""

from __future__ import annotations

import time

import typer

from ludoport.commands.common import at_least, print_json
from ludoport.errors import LudoportError


def chess_perft(game: str, fen: str | None, depth: int, divide: bool, json: bool) -> bool:
    """Counts move sequences of a game of the chess family and prints them.

    Args:
        game: a name; with a FEN, one of the chess family, such as ``chess``.
        fen: the start position; that of the game otherwise.
        depth: length of the longest sequences.
        divide: also count below each first move.
        json: answer in JSON.

    Returns:
        Whether the game is of this family; if not, nothing is done.
    """
    from ludoport.chess import NAMED, named_rules
    from ludoport.chess.perft import Perft
    from ludoport.languages import find_game

    try:
        found = find_game(game, None if fen is None else "chess")
    except LudoportError:
        if fen is None:
            raise
        names = ", ".join(variant.name for variant in NAMED.values())
        raise LudoportError(
            f"only games of the chess family start from a FEN, and `{game}` is none of them: "
            f"{names}, chess960:N, chessplus960:N"
        ) from None
    rules = named_rules(found.name) if found.language == "chess" else None
    if rules is None:
        return False
    at_least("depth", depth, 1)
    if fen is not None and not rules.holds(fen):
        rules = rules.with_fen(fen)
    state = rules.state_row(fen or rules.variant.start)
    perft = Perft(rules)
    begin = time.perf_counter()
    counts = [perft.count(state, length) for length in range(1, depth + 1)]
    seconds = time.perf_counter() - begin
    below = perft.divide(state, depth) if divide else None
    if json:
        answer = {"perft": counts, "game": rules.name, "fen": rules.fen_of(state), "seconds": round(seconds, 3)}
        print_json(answer | ({"divideDepth": depth, "divide": below} if below is not None else {}))
        return True
    for length, count in enumerate(counts, start=1):
        typer.echo(f"{length:>3} {count:>16,}")
    for move, count in (below or {}).items():
        typer.echo(f"{move}: {count}")
    return True
