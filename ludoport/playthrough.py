"""One random game of every bundled game as readable text, so that a change of behaviour shows as a difference.

``python -m ludoport.playthrough --write FOLDER`` writes one file per game; without ``--write`` it prints the texts.
"""

from __future__ import annotations

import argparse
import random
import textwrap
from collections.abc import Iterator, Sequence
from pathlib import Path

from ludoport.game import Game, State, load
from ludoport.games import bundled
from ludoport.kernels.contract import rules_at
from ludoport.ludemic import LudemicRules, ludemic

SHOWN = 25
"""Number of moves written out; the rest is summarised."""

LAST = 120
"""Maximum number of moves of a game."""

PICTURES = (0, 1, 8, 24)
"""Plies whose positions are shown in full; the last position always is."""


def playthrough(game: Game, seed: int = 1) -> str:
    """The text of one random game; the same seed gives the same text on every target."""
    return "\n".join(_lines(game, seed)) + "\n"


def file_name(name: str) -> str:
    """The file that holds the playthrough of a game, given by name or by path."""
    return name.rsplit("/", 1)[-1].removesuffix(".lud").lower().replace(" ", "_").replace("-", "_") + ".txt"


def _lines(game: Game, seed: int) -> Iterator[str]:
    games: list[LudemicRules] = getattr(game.rules, "games", None) or [ludemic(game.rules)]
    sites = " and ".join(f"{rules.board.n_sites} sites" for rules in games)
    yield f"{game.name}: {game.n_players} players, {sites}, seed {seed}"
    for rules in games:
        yield from _wrapped("pieces: " + " ".join(f"{piece.name}={rules.letter(piece)}" for piece in rules.components))
    rng = random.Random(seed)
    state = game.start(seed=seed)
    for ply in range(LAST):
        if state.over:
            break
        if ply in PICTURES:
            yield from _position(state, ply)
        texts = _texts(state)
        move = rng.choice(texts)
        if ply < SHOWN:
            yield f"{ply + 1:>3}. player {state.mover}: {move}  (one of {len(texts)})"
        elif ply == SHOWN:
            yield "     ..."
        state, played = state.play(move), ply + 1
    yield from _position(state, played)
    if state.over:
        yield f"the end after {played} moves: winner {state.winner}, utilities {state.utilities}"
    else:
        yield f"given up after {played} moves"


def _position(state: State, ply: int) -> Iterator[str]:
    swapped = ", colours swapped" if state.swapped else ""
    yield ""
    yield f"After {ply} move{'s' * (ply != 1)}{'' if state.over else f', player {state.mover} to move'}{swapped}:"
    yield from (line.rstrip() for line in textwrap.indent(state.picture(), "    ").splitlines())
    board = ludemic(rules_at(state.game.rules, state.row)).board
    aside = {site: piece for site, piece in state.pieces().items() if site >= board.n_sites}
    if aside:
        yield "  in hand: " + ", ".join(f"{piece} on {site}" for site, piece in sorted(aside.items()))
    texts = _texts(state)
    if texts:
        yield from _wrapped(f"  {len(texts)} legal: {' '.join(texts)}")
    yield ""


def _wrapped(text: str) -> list[str]:
    return textwrap.wrap(text, 120, subsequent_indent="    ", break_on_hyphens=False, break_long_words=False)


def _texts(state: State) -> list[str]:
    """The legal moves in an order that does not depend on how they were found."""
    return sorted((move.text for move in state.moves()), key=lambda text: (len(text), text))


def main(arguments: Sequence[str] | None = None) -> None:
    """Write or print the playthroughs of games."""
    parser = argparse.ArgumentParser(prog="python -m ludoport.playthrough", description=main.__doc__)
    parser.add_argument("games", nargs="*", metavar="GAME", help="names or paths of games (default: all bundled ones)")
    parser.add_argument("--write", type=Path, metavar="FOLDER", help="write one file per game into this folder")
    chosen = parser.parse_args(arguments)
    for name in chosen.games or bundled():
        text = playthrough(load(name, jit=False))
        if chosen.write is None:
            print(text)
        else:
            (chosen.write / file_name(name)).write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
