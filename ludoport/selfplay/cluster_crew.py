"""The actors of a run: asked for steps, replaced when they die, more of them when machines join."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from ludoport.errors import LudoportError
from ludoport.selfplay.actors import ActorStart, News, SelfPlayActor
from ludoport.selfplay.shards import Inbox

ATTEMPTS = 4
"""Number of actors, plus one for each that is wanted, that may die without a single step before the run stops."""

RECOUNT = 2.0
"""Seconds between two looks at how large the cluster is."""

REST = 10.0
"""Seconds to wait, in the end, for steps that are under way."""


@dataclass(eq=False)
class _Member:
    """An actor: who it is, the step it was asked for, and how many it has done."""

    number: int
    handle: Any
    asked: Any = None
    steps: int = 0
    lost: bool = False


class Crew:
    """Actors at work, looked after by a thread, so that they play while the network learns.

    A step of an actor returns the positions of games that ended in it, and the next step is only asked for when they
    are here. So an actor that dies loses its unfinished games and its current step, and no game that ended
    before. Asking for two steps in advance would save actors the time of a question, and lose finished games.

    Args:
        ray: the package, connected.
        part: everything that actors need to begin.
        actors: number of actors; default: as many as the cluster has room for.
        inbox: receives the finished positions.
        ahead: actors wait while this number of positions is queued, so that playing does not outrun learning.
        first: the number of the first actor.
        tell: called with messages to the user.
    """

    def __init__(
        self,
        ray: Any,
        part: ActorStart,
        actors: int | None,
        inbox: Inbox,
        *,
        ahead: int,
        first: int = 0,
        tell: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.ray, self.part, self.actors, self.inbox, self.ahead, self.tell = ray, part, actors, inbox, ahead, tell
        self.hired, self.lost = first, 0
        self.problem: Exception | None = None
        self._members: list[_Member] = []
        self._news: tuple[int, list[Any]] | None = None
        self._failed, self._wanted, self._counted = 0, 0, -RECOUNT
        self._resting, self._asking, self._ending = False, threading.Lock(), threading.Event()
        # Every actor gets the game from the store of its machine instead of a copy of its own.
        self._part = ray.put(part)
        self._remote = ray.remote(SelfPlayActor).options(**self._needs(), scheduling_strategy="SPREAD")
        self._thread = threading.Thread(target=self._run, name="actors", daemon=True)

    def begin(self, news: News) -> None:
        """Begin to play."""
        self.send(news)
        self._thread.start()

    def send(self, news: News) -> None:
        """Give all actors the news with the next step that they are asked for."""
        version = self._news[0] + 1 if self._news else 0
        self._news = version, [self.ray.put(news)]

    @property
    def playing(self) -> dict[int, Any]:
        """Actors that have done a step and are alive, as far as is known, by their numbers."""
        return {member.number: member.handle for member in self._members if member.steps > 0 and not member.lost}

    def rest(self) -> None:
        """Ask for no more steps, and wait a while for those under way."""
        with self._asking:
            self._resting = True
        until = time.monotonic() + REST
        while time.monotonic() < until and self.problem is None:
            if not any(member.asked is not None for member in self._members if member.steps):
                return
            time.sleep(0.01)

    def end(self) -> None:
        """Let all actors go."""
        self._ending.set()
        if self._thread.ident is not None:
            self._thread.join()
        # First those that wait for room, which the others make when they go.
        for member in sorted(self._members, key=lambda member: member.steps):
            self.ray.kill(member.handle)

    def _room(self) -> float:
        """Number of actors that fit into the cluster, one per processor or GPU."""
        resources = self.ray.cluster_resources()
        return float(resources.get("GPU" if self.part.device == "cuda" else "CPU", 0))

    def _needs(self) -> dict[str, float]:
        """Resources of an actor, as Ray counts them: a processor or GPU, or a share of it if more actors are wanted."""
        room = self._room()
        share = min(1.0, room / self.actors) if self.actors and room else 1.0
        if self.part.device == "cuda":
            return {"num_gpus": int(100 * share) / 100 or 0.01, "num_cpus": 0}
        return {"num_cpus": int(100 * share) / 100 or 0.01}

    def _run(self) -> None:
        try:
            while not self._ending.is_set():
                self._hire()
                self._ask()
                self._receive()
        except Exception as error:
            # The thread that learns hears of it when it next asks for positions.
            self.problem = error

    def _hire(self) -> None:
        if time.monotonic() - self._counted >= RECOUNT:
            self._wanted = self.actors or max(1, int(self._room()))
            self._counted = time.monotonic()
        for _ in range(self._wanted - len(self._members)):
            self._members.append(_Member(self.hired, self._remote.remote(self._part, self.hired)))
            self.hired += 1

    def _ask(self) -> None:
        with self._asking:
            if self._resting or self._news is None:
                return
            for member in self._members:
                # A new one gets ready in any case, even where a checkpoint has left enough to learn from.
                if member.asked is None and (not member.steps or self.inbox.waiting < self.ahead):
                    member.asked = member.handle.step.remote(*self._news)

    def _receive(self) -> None:
        asked = {member.asked: member for member in self._members if member.asked is not None}
        if not asked:
            self._ending.wait(0.02)
            return
        for step in self.ray.wait(list(asked), timeout=0.1)[0]:
            self._finish(asked[step])
            # Only now, because for who rests, nothing asked means that nothing more arrives.
            asked[step].asked = None
        self._members = [member for member in self._members if not member.lost]

    def _finish(self, member: _Member) -> None:
        errors = self.ray.exceptions
        try:
            harvest = self.ray.get(member.asked)
        except errors.RayTaskError as error:
            cause = error.as_instanceof_cause()
            raise (LudoportError(str(error.cause)) if isinstance(cause, LudoportError) else error) from None
        except errors.RayError as error:
            self._lose(member, error)
        else:
            member.steps += 1
            self._failed = 0
            self.inbox.put(harvest)

    def _lose(self, member: _Member, error: Exception) -> None:
        member.lost = True
        # It may live on, if only its answer was lost with a machine.
        self.ray.kill(member.handle)
        self.lost += 1
        self._failed += not member.steps
        if self._failed > ATTEMPTS + self._wanted:
            reason = str(error).strip().splitlines()[0]
            raise LudoportError(
                f"{self._failed} actors died before they had played a step ({type(error).__name__}: {reason})"
            )
        self.tell(f"actor {member.number} died ({type(error).__name__}); another one takes its place")
