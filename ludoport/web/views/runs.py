"""Runs of self-play, under way or done: what is new since a page last asked."""

from __future__ import annotations

import math
import time
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.selfplay.costs import KINDS
from ludoport.selfplay.rating import STORE, Rating, ratings
from ludoport.selfplay.run import Run, open_run
from ludoport.web.views.games import kept_games

SERIES = (
    "policy_loss", "value_loss", "games_per_second", "positions_per_second", "evaluations_per_second", "games",
    "positions", "rate",
)  # fmt: skip
"""Numbers of an epoch that pages draw."""


class WatchedRun:
    """A run that a page looks at again and again; files are read only when they have changed.

    Args:
        folder: the folder of the run.
    """

    def __init__(self, folder: Path) -> None:
        self.run: Run = open_run(folder)
        self._stamps: dict[str, tuple[int, int]] = {}
        self._records: list[dict[str, Any]] = []
        self._ratings: list[Rating] = []

    def about(self) -> dict[str, Any]:
        """Facts that stay the same: game, options, network, opponent of the ratings, and the kinds of work."""
        config = self.run.config
        return {
            "game": config.game,
            "options": list(config.options),
            "title": config.title,
            "network": config.network,
            "simulations": config.simulations,
            "seed": config.seed,
            "opponent": config.opponents[0] if config.opponents else "",
            "kinds": list(KINDS),
        }

    def news(self, after: int = 0) -> dict[str, Any]:
        """News since the last request.

        Args:
            after: the last epoch that the page knows.

        Returns:
            ``epochs``: ``epoch``, ``seconds``, the numbers of ``SERIES`` and ``spent`` (seconds by kind of work) of
            all later epochs; ``elo``: ``epoch``, ``seconds``, ``value``, ``low``, ``high`` (None where nothing
            bounds it) and ``text`` of all rated checkpoints; ``again``: whether the page must forget what it knows,
            because the run has begun again; ``seconds_left``: None where unknown; ``under_way``: whether a process
            works on it, None where that cannot be seen; ``age``: seconds since the last epoch ended, None before the
            first.
        """
        self._read()
        last = self._records[-1]["epoch"] if self._records else 0
        again = last < after
        fresh = [record for record in self._records if again or record["epoch"] > after]
        left = self._records[-1].get("seconds_left") if self._records else None
        stamp = self._stamps.get("metrics.jsonl")
        return {
            "epochs": [_epoch(record) for record in fresh],
            "last": last,
            "elo": [_rated(rating) for rating in self._ratings],
            "again": again,
            "seconds_left": left,
            "under_way": self.run.under_way,
            "age": None if stamp is None else max(0.0, time.time() - stamp[0] / 1e9),
        }

    def games(self) -> list[dict[str, Any]]:
        """Games of checkpoints against their opponents; see `kept_games`."""
        return kept_games(self.run.folder / STORE)

    def _read(self) -> None:
        if self._changed("metrics.jsonl"):
            self._records = self.run.metrics()
        if self._changed("ratings.jsonl"):
            self._ratings = ratings(self.run)

    def _changed(self, name: str) -> bool:
        try:
            status = (self.run.folder / name).stat()
        except OSError:
            return False
        stamp = (status.st_mtime_ns, status.st_size)
        if self._stamps.get(name) == stamp:
            return False
        self._stamps[name] = stamp
        return True


def selfplay_game(folder: Path, seed: int = 1, simulations: int | None = None) -> dict[str, Any]:
    """A game of the newest network against itself, played now: searched as for ratings, with the run's simulations.

    Returns:
        ``moves`` in recorded notation, ``seed`` of the initial position, ``result``, ``first``, ``second``, ``plies``.
    """
    from ludoport.arena.playing import pairing, play_game
    from ludoport.game import load
    from ludoport.nets import require_torch
    from ludoport.selfplay.rating import network_player

    require_torch()
    run = open_run(folder)
    if not run.network_file.is_file():
        raise LudoportError("this run has no network yet; wait for its first epoch")
    config = run.config
    if config.game_list:
        raise LudoportError("this run learns many games; let its network play one of them with: ludoport match")
    game = load(config.game, config.options)
    players = [network_player(config, run.network_file, simulations or config.simulations) for _ in range(2)]
    played = play_game(game, players[0], players[1], pairing(seed, 0), config.ply_limit)
    ours, theirs = played.utilities
    return {
        "first": "newest network",
        "second": "newest network",
        "result": "1-0" if ours > theirs else "0-1" if ours < theirs else "½-½",
        "plies": len(played.moves),
        "finished": played.finished,
        "moves": list(played.moves),
        "seed": str(played.pairing.start_seed),
    }


def _epoch(record: dict[str, Any]) -> dict[str, Any]:
    shown = {name: _number(record.get(name)) for name in ("epoch", "seconds", *SERIES)}
    return {**shown, "spent": {kind: _number(record.get(f"{kind}_seconds")) or 0.0 for kind in KINDS}}


def _rated(rating: Rating) -> dict[str, Any]:
    elo = rating.elo
    return {
        "epoch": rating.epoch,
        "seconds": rating.seconds,
        "value": _number(elo.shown),
        "low": _number(elo.low),
        "high": _number(elo.high),
        "text": elo.short,
    }


def _number(value: Any) -> float | int | None:
    """A number that JSON can hold."""
    return value if isinstance(value, (int, float)) and math.isfinite(value) else None
