"""Compares the interpreter with recorded trials, and with the kernels on random games."""

from __future__ import annotations

import random
import time
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.lud.reading import read_file
from ludoport.verify.reference import RecordedGame, RecordedPly, digest
from ludoport.verify.slow.context import Context, TreeMove
from ludoport.verify.slow.ending import utilities
from ludoport.verify.slow.texts import move_texts, piece_texts
from ludoport.verify.slow.turns import TreeInterpreter

if TYPE_CHECKING:
    from ludoport.game import Game, State


@dataclass(frozen=True)
class Parting:
    """First difference between two ways of playing a game.

    Attributes:
        seed: of the random game, or the name of the recorded trial.
        ply: from 0.
        what: ``moves``, ``mover``, ``over``, ``utilities``, ``scores`` or ``pieces``.
        expected: values of the kernels or the record that the interpreter has not.
        found: values of the interpreter that the other has not.
    """

    seed: str
    ply: int
    what: str
    expected: str
    found: str

    def __str__(self) -> str:
        return f"{self.seed}, ply {self.ply}, {self.what}: {self.expected or '-'} | slow: {self.found or '-'}"


@dataclass
class SideBySide:
    """Result of a comparison: positions that agree, and the first difference."""

    positions: int = 0
    difference: Parting | None = None


def interpreter_of(path: Path) -> TreeInterpreter:
    """The interpreter of a game file."""
    return TreeInterpreter(read_file(path))


def replay(slow: TreeInterpreter, trials: Iterable[RecordedGame], plies: int, seconds: float = 1e9) -> SideBySide:
    """Replays recorded trials with the interpreter."""
    result = SideBySide()
    deadline = time.monotonic() + seconds
    for trial in trials:
        cx = slow.start()
        for number, ply in enumerate(trial.plies[:plies]):
            if time.monotonic() > deadline:
                return result
            found = slow.legal(cx)
            texts = move_texts(found, cx)
            result.difference = _against_record(ply, cx, texts, trial.id, number)
            if result.difference is not None:
                return result
            result.positions += 1
            cx = slow.play(cx, found[texts.index(ply.move)])
        if plies >= len(trial.plies):
            result.difference = _end_against_record(cx, trial)
            if result.difference is not None:
                return result
    return result


def _against_record(ply: RecordedPly, cx: Context, texts: list[str], seed: str, number: int) -> Parting | None:
    if cx.position.over:
        return Parting(seed, number, "over", "no", "yes")
    if cx.position.mover != ply.mover:
        return Parting(seed, number, "mover", str(ply.mover), str(cx.position.mover))
    if ply.legal is not None:
        return _lists(ply.legal, texts, seed, number)
    if len(texts) != ply.count or not digest(texts).startswith(ply.digest) or ply.move not in texts:
        return Parting(seed, number, "moves", f"{ply.count} moves, {ply.move}", f"{len(texts)} moves")
    return None


def _lists(expected: Iterable[str], found: Iterable[str], seed: str, number: int) -> Parting | None:
    one, other = Counter(expected), Counter(found)
    if one == other:
        return None
    missing, extra = sorted((one - other).elements()), sorted((other - one).elements())
    return Parting(seed, number, "moves", " ".join(missing), " ".join(extra))


def _end_against_record(cx: Context, trial: RecordedGame) -> Parting | None:
    number = len(trial.plies)
    if cx.position.over != trial.over:
        return Parting(trial.id, number, "over", str(trial.over), str(cx.position.over))
    if trial.over:
        ours = utilities(cx)
        if any(abs(a - b) > 1e-6 for a, b in zip(trial.utilities, ours, strict=True)):
            return Parting(trial.id, number, "utilities", str(trial.utilities), str(ours))
    if trial.scores is not None and list(trial.scores) != cx.position.scores[1 : len(trial.scores) + 1]:
        return Parting(trial.id, number, "scores", str(trial.scores), str(cx.position.scores))
    if trial.final is not None:
        return _pieces(trial.final, cx, trial.id, number)
    return None


def _pieces(expected: dict[int, str | list[str]], cx: Context, seed: str, number: int) -> Parting | None:
    theirs = {site: _names(piece) for site, piece in expected.items()}
    ours = {site: _names(piece) for site, piece in piece_texts(cx).items()}
    for site in sorted(theirs.keys() | ours.keys()):
        if theirs.get(site) != ours.get(site):
            return Parting(seed, number, f"pieces at {site}", str(theirs.get(site)), str(ours.get(site)))
    return None


def _names(piece: str | list[str]) -> str | list[str]:
    """Stacks as names only: their other marks are not recorded."""
    return [text.split("/")[0].split("*")[0] for text in piece] if isinstance(piece, list | tuple) else piece


def compare(slow: TreeInterpreter, game: Game, seeds: Iterable[int], plies: int, seconds: float = 1e9) -> SideBySide:
    """Plays random games with the interpreter and the kernels side by side.

    Args:
        slow: the interpreter.
        game: the compiled game.
        seeds: one game each.
        plies: most plies of each game.
        seconds: no further position is compared afterwards.
    """
    result = SideBySide()
    game.start()  # makes functions of the kernels' source, which may take longer than many positions
    deadline = time.monotonic() + seconds
    for seed in seeds:
        choice = random.Random(seed)
        cx, state = slow.start(), game.start(seed)
        for number in range(plies + 1):
            if time.monotonic() > deadline:
                return result
            found = slow.legal(cx)
            texts = move_texts(found, cx)
            result.difference = _against_kernels(state, cx, texts, f"seed {seed}", number)
            if result.difference is not None:
                return result
            result.positions += 1
            if state.over or number == plies:
                break
            move = choice.choice(state.moves())
            cx, state = slow.play(cx, _chosen(found, texts, move.text)), state.play(move)
    return result


def _chosen(found: list[TreeMove], texts: list[str], text: str) -> TreeMove:
    return found[texts.index(text)]


def _against_kernels(state: State, cx: Context, texts: list[str], seed: str, number: int) -> Parting | None:
    position = cx.position
    if state.over != position.over:
        return Parting(seed, number, "over", str(state.over), str(position.over))
    if state.over:
        ours = utilities(cx)
        if any(abs(a - b) > 1e-6 for a, b in zip(state.utilities, ours, strict=True)):
            return Parting(seed, number, "utilities", str(state.utilities), str(ours))
    elif state.mover != position.mover:
        return Parting(seed, number, "mover", str(state.mover), str(position.mover))
    scores = state.scores
    if scores is not None and list(scores) != position.scores[1 : len(scores) + 1]:
        return Parting(seed, number, "scores", str(scores), str(position.scores[1 : len(scores) + 1]))
    different = _pieces(state.pieces(), cx, seed, number)
    if different is not None or state.over:
        return different
    return _lists([move.text for move in state.moves()], texts, seed, number)
