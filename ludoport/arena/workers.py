"""Games in other processes, as many at a time as there are workers; a worker that dies is replaced."""

from __future__ import annotations

import copy
import multiprocessing
import os
import pickle
import sys
import traceback
from collections import Counter, deque
from collections.abc import Generator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.arena.playing import Pairing, PlayedGame, Seated, Seating, play_game, play_seating
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.processes import uninterrupted, without_script

if TYPE_CHECKING:
    from ludoport.arena.player import Player
ATTEMPTS = 3
"""Deaths of workers over one game before the match is given up."""


@dataclass
class MatchJob:
    """Everything that workers need for the games of a match."""

    game: Game
    players: tuple[Player, ...]
    limit: int

    def play(self, wanted: Pairing | Seating) -> PlayedGame | Seated:
        """Play one game."""
        if isinstance(wanted, Pairing):
            a, b = self.players
            return play_game(self.game, a, b, wanted, self.limit)
        return play_seating(self.game, self.players, wanted, self.limit)

    def apart(self) -> MatchJob:
        """The same job, in which no two players are one object: what one remembers the other must not know."""
        players: list[Player] = []
        for player in self.players:
            known = any(player is other for other in players)
            players.append(copy.deepcopy(player) if known else player)
        return MatchJob(self.game, tuple(players), self.limit)

    def travels(self, script: bool) -> bool:
        """Whether other processes can be given this job.

        Not if it cannot be pickled, as a lambda, or if it needs something that was defined in a session without a file,
        as in a notebook: processes import what they are given from its file.

        Args:
            script: whether they may run the program's script again to find what it defines. That is safe only if the
                script calls ``match`` under ``if __name__ == "__main__":``.
        """
        try:
            packed = self.packed()
        except LudoportError:
            return False
        return b"__main__" not in packed or (script and _main_file() is not None)

    def packed(self) -> bytes:
        """The job as bytes; compiled code is left behind, a worker loads it from the cache."""
        try:
            return pickle.dumps(self)
        except (pickle.PicklingError, TypeError, AttributeError) as error:
            raise LudoportError(
                f"this game or its players cannot be sent to other processes ({error}); use workers=1"
            ) from None


def _main_file() -> Path | None:
    """The file of the running script, None in a session without one."""
    path = getattr(sys.modules["__main__"], "__file__", None)
    return Path(path) if path and Path(path).is_file() else None


@dataclass
class _Worker:
    process: SpawnProcess
    line: Connection
    pair: Pairing | Seating


def play_here(job: MatchJob, pairs: Sequence[Pairing | Seating]) -> Generator[PlayedGame | Seated, None, None]:
    """Play games one after another in this process."""
    own = job.apart()
    for pair in pairs:
        yield own.play(pair)


def play_apart(
    job: MatchJob, pairs: Sequence[Pairing | Seating], workers: int
) -> Generator[PlayedGame | Seated, None, None]:
    """Play games in other processes; yields them as they end."""
    if getattr(multiprocessing.current_process(), "_inheriting", False):
        # A worker runs the script again to find the player, and arrives at `match`; its caller says what is wrong.
        raise SystemExit(1)
    packed = job.packed()
    waiting, busy, idle = deque(pairs), dict[Connection, _Worker](), list[tuple[SpawnProcess, Connection]]()
    deaths: Counter[int] = Counter()
    try:
        while waiting or busy:
            while waiting and len(busy) < workers:
                process, line = idle.pop() if idle else _hire(packed)
                pair = waiting.popleft()
                busy[line] = _Worker(process, line, pair)
                _send(line, pair)
            for ready in wait(list(busy)):
                assert isinstance(ready, Connection)
                worker = busy.pop(ready)
                played = _answer(worker)
                if played is None:
                    _count_death(deaths, worker, b"__main__" in packed)
                    waiting.appendleft(worker.pair)
                else:
                    idle.append((worker.process, ready))
                    yield played
    finally:
        for process, line in [*idle, *((worker.process, worker.line) for worker in busy.values())]:
            process.kill()
            process.join()
            line.close()


def _hire(packed: bytes) -> tuple[SpawnProcess, Connection]:
    """Start a worker; Ctrl-C is for us alone."""
    context = multiprocessing.get_context("spawn")
    ours, theirs = context.Pipe()
    process = context.Process(target=_serve, args=(packed, theirs), daemon=True)
    with uninterrupted(), without_script(packed):
        process.start()
    theirs.close()
    return process, ours


def _send(line: Connection, pair: Pairing | Seating) -> None:
    with suppress(OSError):  # a dead worker is noticed when its answer is read
        line.send(pair)


def _answer(worker: _Worker) -> PlayedGame | Seated | None:
    """A worker's answer; None if it died."""
    try:
        kind, answer = worker.line.recv()
    except (EOFError, OSError):
        worker.process.join()
        worker.line.close()
        return None
    if kind == "played":
        played: PlayedGame | Seated = answer
        return played
    worker.process.kill()
    worker.process.join()
    worker.line.close()
    raise LudoportError(answer) if kind == "refused" else RuntimeError(f"a worker failed:\n{answer}")


def _count_death(deaths: Counter[int], worker: _Worker, own: bool) -> None:
    number = worker.pair.number
    deaths[number] += 1
    if deaths[number] >= ATTEMPTS:
        hint = (
            '; a script that defines its own players must call `match` under `if __name__ == "__main__":`, '
            "or with workers=1"
        )
        raise LudoportError(
            f"stopped at game {number}: {ATTEMPTS} processes died playing it, "
            f"the last with exit code {worker.process.exitcode}{hint if own else ''}"
        )


def _serve(packed: bytes, line: Connection) -> None:
    """A worker: plays the games that it is sent until its line closes."""
    # Every worker has one core; libraries that are loaded from here on are not to take more.
    for name in ("OMP_NUM_THREADS", "MKL_NUM_THREADS", "OPENBLAS_NUM_THREADS"):
        os.environ.setdefault(name, "1")
    try:
        job: MatchJob = pickle.loads(packed)
        own = job.apart()
        while True:
            line.send(("played", own.play(line.recv())))
    except (EOFError, BrokenPipeError, ConnectionResetError):
        return
    except LudoportError as error:
        line.send(("refused", str(error)))
    except Exception:
        line.send(("failed", traceback.format_exc()))
