"""Replays recorded trials and compares every position."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from ludoport.errors import LudoportError
from ludoport.verify.reference import RecordedGame, RecordedPly, digest, read_trials
from ludoport.verify.report import Disagreement, FileComparison

if TYPE_CHECKING:
    from ludoport.game import Game, State

TOLERANCE = 1e-6
"""Utilities closer than this are equal."""


class RecordedDraws(Protocol):
    """Takes recorded draws, which the game then has."""

    def load(self, listed: tuple[str, ...], applied: tuple[str, ...], chosen: int = 0) -> None:
        """Take the draws of a list of moves and of the move played, which has a place in the list."""


def compare_file(
    game: Game, path: Path, result: FileComparison, trials: int | None = None, outcomes: RecordedDraws | None = None
) -> None:
    """Replays a file of trials in a game and writes what it finds into ``result``.

    Args:
        game: the game.
        path: the file.
        result: is filled in.
        trials: number of trials to replay, from the front; None for all.
        outcomes: takes the recorded draws of what comes next, in games with chance.
    """
    recorded = read_trials(path)[:trials]
    result.trials = len(recorded)
    result.checks = sum(len(trial.plies) for trial in recorded)
    for trial in recorded:
        agreeing, first = compare_trial(game, trial, outcomes)
        result.agreeing += agreeing
        result.agreeing_trials += first is None
        result.first = result.first or first


def compare_trial(
    game: Game, trial: RecordedGame, outcomes: RecordedDraws | None = None
) -> tuple[int, Disagreement | None]:
    """Replays one trial.

    Returns:
        How many plies agree, and the first disagreement. The replay continues after a disagreement as long as the
        recorded move can be played.
    """
    if outcomes is not None:
        outcomes.load((), trial.start)
    state = game.start()
    agreeing = 0
    first: Disagreement | None = None
    for number, ply in enumerate(trial.plies):
        where = f"trial {trial.id}, ply {number}"
        if outcomes is not None:
            chosen = ply.legal.index(ply.move) if ply.legal is not None and ply.move in ply.legal else 0
            outcomes.load(ply.listed, ply.applied, chosen)
        found = compare_ply(state, ply, where)
        agreeing += found is None
        first = first or found
        try:
            state = state.play(ply.move)
        except LudoportError as error:
            refused = Disagreement(where, "move played", ply.move, f"refuses it ({error})", picture=state.picture())
            return agreeing, first or refused
    return agreeing, first or compare_end(state, trial)


def compare_ply(state: State, ply: RecordedPly, where: str) -> Disagreement | None:
    """Compares one position with the record of it."""
    if state.over:
        return Disagreement(where, "end", "not over", "over", picture=state.picture())
    for what, expected, found in (("mover", ply.mover, state.mover), ("seat", ply.seat, state.seat)):
        if expected != found and ply.mover != 0:
            return Disagreement(where, what, str(expected), str(found), picture=state.picture())
    moves = [move.text for move in state.moves()]
    if ply.legal is not None:
        return _compare_lists(state, ply.legal, moves, where)
    if len(moves) != ply.count or not digest(moves).startswith(ply.digest):
        expected_text = f"{ply.count} with digest {ply.digest[:6]}"
        found_text = f"{len(moves)} with digest {digest(moves)[:6]}"
        missing = [] if ply.move in moves else [ply.move]
        return Disagreement(
            where, "legal moves", expected_text, found_text, missing, game_moves=sorted(moves), picture=state.picture()
        )
    if ply.forced and moves != ["pass"]:
        return Disagreement(where, "forced pass", "pass", " ".join(moves), picture=state.picture())
    return None


def compare_end(state: State, trial: RecordedGame) -> Disagreement | None:
    """Compares the position behind the last move with what the record says about the end."""
    where = f"trial {trial.id}, after ply {len(trial.plies)}"
    # A simulation has no players, so it has no utilities.
    played = bool(trial.utilities)
    checks: Iterable[tuple[str, object, object, bool]] = (
        ("over", trial.over, state.over, trial.over == state.over),
        ("winner", trial.winner, state.winner, trial.winner == state.winner),
        (
            "utilities",
            list(trial.utilities),
            state.utilities,
            not played or _close(trial.utilities, state.utilities),
        ),
        (
            "seat utilities",
            list(trial.seat_utilities),
            state.seat_utilities,
            not played or _close(trial.seat_utilities, state.seat_utilities),
        ),
        *(
            (what, expected, found, expected is None or list(expected) == found)
            for what, expected, found in (
                ("scores", trial.scores, state.scores),
                ("match scores", trial.match_scores, state.match_scores),
            )
        ),
    )
    for what, expected, found, agrees in checks:
        if not agrees:
            return Disagreement(where, what, str(expected), str(found), picture=state.picture())
    if trial.final is None:
        return None
    pieces = {int(site): _plain(piece) for site, piece in state.pieces().items()}
    recorded = {site: _plain(piece) for site, piece in trial.final.items()}
    sites = sorted(site for site in pieces.keys() | recorded.keys() if pieces.get(site) != recorded.get(site))
    if not sites:
        return None
    site = sites[0]
    expected, found = recorded.get(site, "nothing"), pieces.get(site, "nothing")
    what = f"pieces at {len(sites)} site(s), first at {site}"
    return Disagreement(where, what, str(expected), str(found), picture=state.picture())


def _compare_lists(state: State, legal: Sequence[str], moves: list[str], where: str) -> Disagreement | None:
    recorded, ours = Counter(legal), Counter(moves)
    if recorded == ours:
        return None
    return Disagreement(
        where,
        "legal moves",
        str(len(legal)),
        str(len(moves)),
        missing=sorted((recorded - ours).elements()),
        extra=sorted((ours - recorded).elements()),
        reference_moves=sorted(legal),
        game_moves=sorted(moves),
        picture=state.picture(),
    )


def _close(expected: Sequence[float], found: Sequence[float]) -> bool:
    if len(expected) != len(found):
        return False
    return all(abs(a - b) <= TOLERANCE for a, b in zip(expected, found, strict=True))


def _plain(piece: object) -> object:
    """Texts that can be compared: the record of a stacking game has lists of names, without the faces of dice."""
    return [text.split("/")[0] for text in piece] if isinstance(piece, (list, tuple)) else piece
