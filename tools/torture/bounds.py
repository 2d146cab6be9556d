"""Games played with a check of every index: as they are, and mutated.

Kernels run as plain Python on arrays that refuse every index outside of them. Each game is played at random, listed,
drawn as tensors and searched, so the kernels of other rooms are checked too.
"""

from __future__ import annotations

import os
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.errors import LudoportError
from tools.torture.formats import Format
from tools.torture.grammar import written
from tools.torture.mutants import mutated

if TYPE_CHECKING:
    import ludoport as lp

SECONDS = 0.3
"""CPU time for each kind of use of a game; plain Python is slow."""

MOVES = 300
"""Most moves of a random game."""

FOLDERS: list[Path] = []
"""Folders with further games."""


@cache
def game_files() -> tuple[Path, ...]:
    """Bundled games, then those of ``FOLDERS``."""
    from ludoport.games import bundled, bundled_rulesheets

    paths = [*bundled().values(), *bundled_rulesheets().values()]
    for folder in FOLDERS:
        paths += sorted(path for path in folder.rglob("*") if path.suffix in (".lud", ".kif"))
    return tuple(paths)


def _texts() -> list[bytes]:
    return [path.read_bytes() for path in game_files()]


def _plain(number: int) -> bytes:
    """The text of one game after another."""
    return game_files()[number % len(game_files())].read_bytes()


def _mutant(number: int) -> bytes:
    rng = random.Random(f"mutant {number}")
    text = rng.choice([path for path in game_files() if path.suffix == ".lud"]).read_text("utf-8", "replace")
    return mutated(text, rng).encode()


def _grammar(number: int) -> bytes:
    return written(random.Random(f"grammar {number}")).encode()


def play_checked(data: bytes, folder: Path) -> object:
    """Use a game in every way; an index outside of its array is an ``IndexError``."""
    import ludoport as lp

    os.environ["LUDOPORT_BOUNDS"] = "1"
    path = folder / ("game.lud" if b"(game" in data else "game.kif")
    path.write_bytes(data)
    game = lp.load(path, jit=False)
    game.start()  # refused once, not by every use
    for use in (_random_games, _lists, _tensors, _uct, _minimax):
        with suppress(LudoportError):  # such as: more legal moves than there is room for, no two players
            use(game)
    return None


def play_compiled(data: bytes, folder: Path) -> object:
    """Play a game in machine code that checks every index."""
    os.environ["LUDOPORT_BOUNDS"] = "1"
    from ludoport.kernels.checked import checking
    from ludoport.kernels.jit import _COMMON

    if not checking() or not _COMMON["boundscheck"]:
        raise RuntimeError("machine code was prepared without checks")
    import ludoport as lp

    path = folder / ("game.lud" if b"(game" in data else "game.kif")
    path.write_bytes(data)
    game = lp.load(path, jit=True)
    _lists(game)
    for number in _while_time():
        game.playouts(count=20, seed=number, limit=MOVES)
    return None


def _while_time() -> Iterator[int]:
    """Numbers until the time is over."""
    begin, number = time.process_time(), 0
    while time.process_time() - begin < SECONDS:
        yield number
        number += 1


def _random_games(game: lp.Game) -> None:
    from ludoport.game import seeded

    row, rng, moves, work = game.new_row(), seeded(1), game.move_list, game.work
    move, played = moves[-game.rules.move_size :], 0
    game.kernels.call("start", row, rng)
    for _ in _while_time():
        if row[game.rules.fields["OVER"]] or played >= MOVES:
            game.kernels.call("key", row)
            for player in range(game.n_players):
                game.kernels.call("utility", row, player)
            game.kernels.call("start", row, rng)
            played = 0
            continue
        game.kernels.call("sample", row, rng, move, moves, work)
        game.kernels.call("play", row, move, work)
        played += 1


def _lists(game: lp.Game) -> None:
    """Through everything that people see: lists of moves, their names, pictures."""
    rng, state = random.Random(1), game.start()
    for _ in _while_time():
        moves = state.moves()
        if state.over or not moves:
            state = game.start()
            continue
        str(moves[0])
        state = state.play(rng.choice(moves))
    state.svg()
    str(state)


def _tensors(game: lp.Game) -> None:
    import ludoport as lp

    many = lp.batch(game, 2, seed=1)
    for _ in _while_time():
        many.step(many.random_actions())
        many.tensors()


def _uct(game: lp.Game) -> None:
    import ludoport as lp

    state = game.start()
    for number in _while_time():
        lp.search(state, "uct:3", seed=number)


def _minimax(game: lp.Game) -> None:
    import ludoport as lp

    state = game.start()
    for number in _while_time():
        lp.search(state, "minimax:1", seed=number)


CHECKED: dict[str, Format] = {
    "games": Format("games", _texts, play_checked, make=_plain, seconds=100),
    "compiled": Format("compiled", _texts, play_compiled, make=_plain, seconds=200),
    "mutants": Format("mutants", _texts, play_checked, make=_mutant, seconds=100),
    "grammar": Format("grammar", _texts, play_checked, make=_grammar, seconds=100),
}
"""Number k of ``games`` is the k-th file as it is, and of ``compiled`` the same in machine code; of ``mutants`` a file
with parts replaced, of ``grammar`` a new game."""
