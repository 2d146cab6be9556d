"""One match as a worker plays it: positions, the player, and the best move known so far."""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.gdl import GdlRules
from ludoport.gdl.kif import Term
from ludoport.ggp.positions import Interpreted, SheetPosition, compiled_game, initial, read_rules, twin
from ludoport.ggp.role_player import RolePlayer, role_player
from ludoport.ggp.turns import ThreadQueue

log = logging.getLogger(__name__)

NOTHING = "nil"
"""The answer of a player that knows no move."""


@dataclass(frozen=True)
class WorkerTask:
    """The task of a worker.

    Attributes:
        rules: the text of the rulesheet.
        player: the text of the player that chooses.
        jit: whether the game is compiled to machine code.
        memory: most bytes of address space.
    """

    rules: str
    player: str
    jit: bool | None
    memory: int


@dataclass
class WorkerRules:
    """The rules that a worker has, and the compiled game as soon as it is there."""

    task: WorkerTask
    lock: threading.Lock = field(default_factory=threading.Lock)
    turns: ThreadQueue = field(default_factory=lambda: ThreadQueue(max(1, (os.cpu_count() or 1) - 1)))
    reading: ThreadQueue = field(default_factory=lambda: ThreadQueue(1))
    game: Game | None = None
    _rules: GdlRules | LudoportError | None = None

    def rules(self) -> GdlRules:
        """The rules, read once."""
        with self.lock:
            if self._rules is None:
                try:
                    self._rules = read_rules(self.task.rules)
                    _ = self._rules.interpreter
                except LudoportError as error:
                    self._rules = error
                except RecursionError:
                    self._rules = LudoportError("the rules are nested too deeply")
        if isinstance(self._rules, LudoportError):
            raise self._rules
        return self._rules

    def load(self) -> None:
        """Load what was compiled."""
        game = compiled_game(self.rules(), self.task.jit)
        if game is not None:
            role_player(self.task.player).warm(game)
        self.game = game


@dataclass
class MoveJob:
    """One move that is wanted; ``best`` is the best one known so far, ``done`` whether there will be no better one."""

    until: float
    best: str = NOTHING
    done: bool = False


class MatchPlaying:
    """One match. Its methods run one after another in the match's own thread, ``look`` also in another one if idle."""

    def __init__(self, host: WorkerRules, role: str, seed: int) -> None:
        self.host, self.role_name, self.seed = host, role, seed
        self.thread = ThreadPoolExecutor(1)
        self.role = -1
        self.position: SheetPosition | None = None
        self.history: list[list[str]] = []
        self.player: RolePlayer = role_player(host.task.player)
        self.begun = False
        self.latest = MoveJob(0.0, done=True)
        self._untold: list[tuple[SheetPosition, list[str]]] = []

    def begin(self, history: Sequence[tuple[Term, ...]] = ()) -> None:
        """Read the rules, repeat what was already played, and find out what can be done."""
        rules = self.host.rules()
        names = [name.lower() for name in rules.roles]
        if self.role_name in rules.roles:
            self.role = rules.roles.index(self.role_name)
        elif names.count(self.role_name.lower()) == 1:
            self.role = names.index(self.role_name.lower())
        else:
            raise LudoportError(f"the rules have no role `{self.role_name}`; roles are {', '.join(rules.roles)}")
        self.player.begin(self.role, self.seed)
        self.position = initial(rules)
        for moves in history:
            self._advance(moves)
        _ = self.position.legal
        self.begun = True

    def prepare(self, until: float) -> None:
        """Let the player use what is left of the start clock."""
        try:
            self._tell_player()
            self.player.prepare(self._faster(), until)
        except Exception:
            log.exception("the player failed to prepare; it plays all the same")

    @property
    def idle(self) -> bool:
        """Whether the match's thread has nothing to do."""
        return self.begun and self.latest.done

    def play(self, job: MoveJob, moves: tuple[Term, ...] | None) -> None:
        """Find a move; the best so far is always in the job."""
        try:
            with self.host.reading.turn(job.until):
                self.look(job, moves)
        finally:
            self.consider(job)

    def look(self, job: MoveJob, moves: tuple[Term, ...] | None) -> None:
        """Find any legal move; the job is done if there is no other. Takes no time where the game is compiled."""
        position = self._advance(moves)
        legal = position.legal[self.role]
        if not legal or position.terminal:
            log.warning("asked for a move, but %s", "the game is over" if position.terminal else "there is none")
        if legal:
            job.best = legal[self.seed % len(legal)]
        job.done = len(legal) < 2

    def consider(self, job: MoveJob) -> None:
        """Let the player think, if there is anything to think about."""
        try:
            if not job.done and job.best != NOTHING:
                self._tell_player()
                assert self.position is not None
                self._think(job, self.position)
        except Exception:
            log.exception("the player failed; another legal move is played")
        finally:
            job.done = True

    def _tell_player(self) -> None:
        """Pass the moves since the last request to the player, which may take some time."""
        untold, self._untold = self._untold, []
        for position, moves in untold:
            self.player.moved(position, moves)

    def _think(self, job: MoveJob, position: SheetPosition) -> None:
        thoughts = self.player.think(position, self.role, job.until)
        while time.monotonic() < job.until:
            with self.host.turns.turn(job.until) as granted:
                found = next(thoughts, None) if granted else None
            if found is None:
                return
            job.best = found

    def stop(self, moves: tuple[Term, ...] | None) -> None:
        """The match has ended."""
        position = self._advance(moves)
        log.info("a match ended%s with goals %s", "" if position.terminal else " early", position.goals)
        self._tell_player()
        self.player.end(position)

    def _advance(self, moves: tuple[Term, ...] | None) -> SheetPosition:
        position = self._faster()
        if moves is None:
            return position
        try:
            known = position.matching(moves)
        except LudoportError as error:
            log.warning("illegal moves: %s; the position does not change", error)
            return position
        self._untold.append((position, known))
        self.history.append(known)
        self.position = position.after(known)
        return self.position

    def _faster(self) -> SheetPosition:
        """The current position, of the compiled game as soon as there is one."""
        assert self.position is not None
        game = self.host.game
        if game is not None and isinstance(self.position, Interpreted):
            position = initial(self.host.rules(), twin(game))
            for moves in self.history:
                position = position.after(moves)
            self.position = position
        return self.position
