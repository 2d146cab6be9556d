"""Examining game files within limits of time and memory."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from ludoport.errors import LudoportError, UnsupportedError
from ludoport.game import Game, seeded
from ludoport.kernels.contract import Rules
from ludoport.limited import SECONDS, Limited, OverLimit
from ludoport.source import plain_name


@dataclass(frozen=True, slots=True)
class FileFinding:
    """The result for one game file.

    Attributes:
        file: path of the game file.
        right: whether it reads, expands and fits the signatures.
        playable: whether it compiles; None if that was not tried.
        message: message about a mistake or a missing part; empty for nothing.
        warnings: likely mistakes in a game that compiles.
    """

    file: str
    right: bool
    playable: bool | None
    message: str
    warnings: tuple[str, ...] = ()


def examine_all(paths: Sequence[Path], compiled: bool) -> Iterator[FileFinding]:
    """Examine files one after another, in another process, within limits of time and memory."""
    with Limited(_examine) as limited:
        for path in paths:
            name = plain_name(str(path))
            try:
                yield limited((path, compiled), seconds_for(path))
            except OverLimit as error:
                yield FileFinding(
                    name, False, False, f"{name}: checking it {error}; make the board or the rules smaller"
                )
            except LudoportError as error:
                yield FileFinding(name, True, False, str(error))


BYTES_PER_SECOND = 1_000
"""Bytes of a text that earn it one more second of CPU time: texts of the size of Taikyoku Shogi have 75,000 and take 15
to 30 s, and a hostile text of a few lines gets no more."""

MOST_SECONDS = 90.0
"""CPU time for the longest texts, as much as compiling one game may take."""


def seconds_for(path: Path) -> float:
    """CPU time for a text, by its length."""
    try:
        size = path.stat().st_size
    except OSError:  # reading it tells why
        size = 0
    return min(SECONDS + size // BYTES_PER_SECOND, MOST_SECONDS)


def _examine(task: tuple[Path, bool]) -> FileFinding:
    return examine(*task)


def examine(path: Path, compiled: bool) -> FileFinding:
    """Read one game file and, if asked, generate its kernels and the initial position."""
    from ludoport.gdl import GdlRules
    from ludoport.languages import find_rules

    name = plain_name(str(path))
    try:
        rules = find_rules(path)
    except LudoportError as error:
        return FileFinding(name, False, None, str(error))
    if not compiled:
        return FileFinding(name, True, None, "")
    try:
        if isinstance(rules, GdlRules):
            rules.hurry()
        _ = rules.source
        if isinstance(rules, GdlRules) and rules.engine == "interpreter":
            Game(rules, jit=False).start().moves()  # nothing else has shown that this comes to an end
    except UnsupportedError as error:
        return FileFinding(name, True, False, str(error))
    except LudoportError as error:
        text = str(error)
        return FileFinding(name, False, False, text if text.startswith(name) else f"{name}: {text}")
    except Exception as error:  # a bug that one file meets must not hide the results of the others
        return FileFinding(name, True, False, f"internal error, {type(error).__name__}: {error}")
    return FileFinding(name, True, True, "", _warnings(name, rules))


GAMES, PLAYED, LONGEST = 200, 2.0, 2_000
"""Random games by which endings are looked for: how many, how long, and the most moves of one."""


def _warnings(name: str, rules: Rules) -> tuple[str, ...]:
    """Likely mistakes in a game that compiles."""
    from ludoport.gdl import GdlRules
    from ludoport.gdl.checks import problem_text
    from ludoport.ludemes.advice import advice
    from ludoport.ludemic import LudemicRules
    from ludoport.matches import MatchRules

    if isinstance(rules, GdlRules):
        return tuple(problem_text(rules.program, note) for note in rules.notes)
    if isinstance(rules, MatchRules):
        found = [line for each in rules.games for line in advice(each.compiled.program)]
    elif isinstance(rules, LudemicRules):
        found = advice(rules.compiled.program)
    else:
        return ()
    game = Game(rules, jit=False)
    played = ended = 0
    stop = time.process_time() + PLAYED
    row, rng = game.new_row(), seeded(1)
    try:
        while played < GAMES and not ended and time.process_time() < stop:
            game.kernels.start(row, rng)
            moves = 0
            while not game.kernels.over(row) and moves < LONGEST and time.process_time() < stop:
                moves += game.kernels.playout(row, rng, game.move_list, game.work, 20)
            played += 1
            ended += bool(game.kernels.over(row)) and moves < LONGEST
    except LudoportError as error:  # such as: more legal moves than there is room for
        return (*found, f"{name}: a random game could not be played: {error}")
    if not ended:
        found.append(f"{name}: no random game ended ({played} played, at most {LONGEST} moves each)")
    return tuple(found)
