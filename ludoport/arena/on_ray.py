"""Games of a match on the machines of a Ray cluster; a game whose machine is lost is played again elsewhere."""

from __future__ import annotations

import pickle
from collections.abc import Generator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

from ludoport.arena.playing import PlayedGame
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.arena.playing import Pairing
    from ludoport.arena.workers import MatchJob

LOCAL = "local"
"""The address of a local Ray instance."""


def play_on_ray(job: MatchJob, pairs: Sequence[Pairing], address: str) -> Generator[PlayedGame, None, None]:
    """Play games as tasks of a cluster; yields them as they end.

    Args:
        job: the game and the players.
        pairs: the games to play.
        address: the cluster to join, or ``local``.
    """
    from ludoport.search.cluster import run_on_ray

    if any(player.interactive for player in job.players):
        raise LudoportError("a person plays at this machine, not on Ray")
    packed = job.packed()
    if b"__main__" in packed:
        raise LudoportError("other machines cannot import players that a script defines; define them in a module")
    tasks = [(packed, pair) for pair in pairs]
    for _, played in run_on_ray(play_packed, tasks, address=None if address == LOCAL else address):
        yield played


def play_packed(packed: bytes, pair: Pairing) -> PlayedGame:
    """Play one game on another machine."""
    played = _unpacked(packed).play(pair)
    assert isinstance(played, PlayedGame)
    return played


@lru_cache(maxsize=2)
def _unpacked(packed: bytes) -> MatchJob:
    """The job of a match; a process plays many of its games."""
    job: MatchJob = pickle.loads(packed)
    return job.apart()
