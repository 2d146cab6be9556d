"""Self-play on Ray: actors on many processors or GPUs play, this process learns.

Finished positions travel to the replay of the process that learns. A position travels once and is learned from
several times (``reuse_factor``), so a replay that is spread over the cluster would send more, not less, and a machine
that leaves would take a part of it along.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import torch
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.search.cluster import connected, reach
from ludoport.selfplay.actors import News, count_verdicts, part_of, weights_of
from ludoport.selfplay.cluster_crew import Crew
from ludoport.selfplay.playing import Plays, Progress, never
from ludoport.selfplay.shards import Inbox, add_shard, total

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.nets.network import PolicyValueNet
    from ludoport.selfplay.config import TrainConfig
    from ludoport.selfplay.device import DeviceReplay
    from ludoport.selfplay.replay import Replay
    from ludoport.selfplay.tournament import Tournament
    from ludoport.tensors.layout import TensorLayout

LOCAL = "local"
"""The address of a local Ray instance."""

PATIENCE = 30.0
"""Seconds without news from any actor before a message is printed."""


@dataclass(frozen=True)
class OnRay:
    """Settings of actors on Ray.

    Attributes:
        address: the cluster to join (``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``), or ``local``.
        actors: number of actors; default: one for each processor or GPU, also of machines that join later.
        device: ``cpu`` or ``cuda``; default: GPUs if the cluster has some.
        tell: called with messages to the user.
    """

    address: str = LOCAL
    actors: int | None = None
    device: str | None = None
    tell: Callable[[str], None] = lambda _: None

    def __post_init__(self) -> None:
        if self.actors is not None and self.actors < 1:
            raise LudoportError(f"the number of actors must be at least 1, not {self.actors}")

    def check(self) -> None:
        """Checks that Ray is installed and that a cluster answers at the address."""
        # Ray would print a paragraph about every death among what we print; ``tell`` says it in a sentence.
        os.environ.setdefault("RAY_DEDUP_LOGS_SKIP_REGEX", "^A worker died or was killed")
        try:
            import ray  # noqa: F401
        except ImportError:
            raise LudoportError("actors need the package ray: pip install 'ludoport[ray]'") from None
        if self.address != LOCAL:
            reach(self.address)

    @contextmanager
    def connected(self) -> Iterator[Any]:
        """Ray, ready to be used."""
        address = None if self.address == LOCAL else self.address
        with connected(address, self.actors or 1_000_000) as ray:
            yield ray


@contextmanager
def left_threads(ray: Any, address: str) -> Iterator[None]:
    """Learn on the processors of this machine that are not Ray's: threads that wait for each other hate company.

    With two actors on two busy processors, the first epoch took 77 seconds with two threads, and 11 with one.
    """
    node = ray.get_runtime_context().get_node_id()
    here = [] if address.startswith("ray://") else [machine for machine in ray.nodes() if machine["NodeID"] == node]
    taken = sum(machine["Resources"].get("CPU", 0) for machine in here)
    before = torch.get_num_threads()
    torch.set_num_threads(max(1, min(before, (os.cpu_count() or 1) - int(taken))))
    try:
        yield
    finally:
        torch.set_num_threads(before)


class Silence:
    """Reports from time to time that no actor answers."""

    def __init__(self, tell: Callable[[str], None]) -> None:
        self.tell, self.since = tell, time.monotonic()

    def goes_on(self, what: str) -> None:
        """Still no answer; reports it if that has lasted for ``PATIENCE`` seconds."""
        if time.monotonic() - self.since > PATIENCE:
            self.tell(f"no actor {what}; they wait for a free processor or GPU, or compile the game")
            self.since = time.monotonic()


@dataclass(frozen=True, kw_only=True)
class ClusterProgress(Progress):
    """Positions and games of actors, and the number of actors.

    ``play_seconds`` is the time since the last stretch: actors also play while the network learns.

    Attributes:
        actors: number of actors that play.
        actors_lost: number of actors that died meanwhile.
    """

    actors: int
    actors_lost: int


class ClusterSelfPlay(Plays):
    """Self-play by actors on Ray, with the interface of ``SelfPlay``.

    Args:
        game: a game of two players.
        layout: layout of the tensors.
        config: settings of the run.
        replay: receives the finished positions.
        net: the network; ``update`` takes over new weights.
        on: settings of the actors.
        tournament: opponents of the newest network; default: only itself.
    """

    def __init__(
        self,
        game: Game,
        layout: TensorLayout,
        config: TrainConfig,
        replay: Replay | DeviceReplay,
        net: PolicyValueNet,
        on: OnRay,
        tournament: Tournament | None = None,
    ) -> None:
        self.game, self.layout, self.config, self.replay, self.net, self.on = game, layout, config, replay, net, on
        self.tournament = tournament
        self.inbox = Inbox()
        self._files: dict[int, Any] = {}
        self.hired = 0
        self.crew: Crew | None = None
        self._since, self._lost = 0.0, 0

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Have actors as long as this lasts."""
        with self.on.connected() as ray:
            part = part_of(self.game, self.layout, self.config, self.net, self._device(ray))
            crew = Crew(
                ray, part, self.on.actors, self.inbox,
                ahead=self.config.positions, first=self.hired, tell=self.on.tell,
            )  # fmt: skip
            self.crew = crew
            try:
                with left_threads(ray, self.on.address):
                    self._files.clear()
                    crew.begin(self._news(crew))
                    self._await(crew)
                    self._since, self._lost = time.perf_counter(), crew.lost
                    yield
            finally:
                crew.end()
                self.hired, self.crew = crew.hired, None

    def _await(self, crew: Crew) -> None:
        """Wait for the first actor; that it compiles kernels is not part of the run's time."""
        silence = Silence(self.on.tell)
        while not crew.playing and crew.problem is None:
            silence.goes_on("is there yet")
            time.sleep(0.02)

    def _device(self, ray: Any) -> str:
        some = ray.cluster_resources().get("GPU", 0) > 0
        if self.on.device == "cuda" and not some:
            raise LudoportError(f"Ray at {self.on.address} has no GPU; use --device cpu")
        return self.on.device or ("cuda" if some else "cpu")

    def play(self, positions: int, stop: Callable[[], bool] = never) -> ClusterProgress:
        """Collects a number of positions of finished games, or stops when asked to."""
        crew = self._crew()
        parts: list[Progress] = []
        first, silence = self.replay.written, Silence(self.on.tell)
        while self.replay.written - first < positions and not stop():
            if crew.problem is not None:
                raise crew.problem
            harvest = self.inbox.take(0.1)
            if harvest is not None:
                add_shard(self.replay, harvest.shard)
                parts.append(harvest.progress)
                if self.tournament is not None:
                    count_verdicts(self.tournament, harvest.verdicts)
                silence = Silence(self.on.tell)
            silence.goes_on("has answered for a while")
        return self._told(total(parts), crew)

    def _told(self, done: Progress, crew: Crew) -> ClusterProgress:
        now, lost = time.perf_counter(), crew.lost
        seconds, self._since = max(0.001, now - self._since), now
        gone, self._lost = lost - self._lost, lost
        crowd = {"actors": len(crew.playing), "actors_lost": gone}
        return ClusterProgress(**{**asdict(done), "play_seconds": seconds}, **crowd)

    def _crew(self) -> Crew:
        if self.crew is None:
            raise LudoportError("actors play inside `with play.at_work():` only")
        return self.crew

    def rest(self) -> None:
        """Play no more; what ends meanwhile is still taken."""
        if self.crew is not None:
            self.crew.rest()

    def update(self, net: PolicyValueNet) -> None:
        """Take over new weights; they are sent once, whatever the number of actors."""
        self.net = net
        if self.crew is not None:
            self.crew.send(self._news(self.crew))

    def _news(self, crew: Crew) -> News:
        tournament = self.tournament
        if tournament is None:
            return News(weights_of(self.net))
        for epoch in tournament.ratings.keys() - self._files.keys():
            self._files[epoch] = crew.ray.put(tournament.find(epoch).read_bytes())
        return News(weights_of(self.net), tournament.rating, dict(tournament.ratings), dict(self._files))

    def arrays(self) -> dict[str, NDArray[Any]]:
        """Arrays of a checkpoint: positions that have arrived and were not used yet. Unfinished games are not kept."""
        hired = self.crew.hired if self.crew is not None else self.hired
        rated = self.tournament.arrays() if self.tournament is not None else {}
        return self.inbox.arrays() | rated | {"play_hired": np.array(hired)}

    def restore(self, arrays: dict[str, NDArray[Any]]) -> None:
        """Take over what a checkpoint kept."""
        self.inbox.restore(arrays)
        self.hired = int(arrays["play_hired"])
        if self.tournament is not None:
            self.tournament.restore(arrays)
