"""Search on Ray: processes of this machine, or a cluster of machines (section 4.2 of the thesis)."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import State
from ludoport.gamespec import pack_game, unpack_game
from ludoport.search.memory import BoundedSearch, Policy
from ludoport.search.parallel import voted
from ludoport.search.tree import SearchFindings, Tree, UctSettings, combine, in_order

Result = TypeVar("Result")

ATTEMPTS = 4
"""Deaths of workers over one task before it is given up."""

LOOK = 10.0
"""Seconds between two times that a command asks whether its machine still belongs to the cluster.

After a minute without a link, Ray may wait for ever for what was under way, although no machine counts as lost.
"""

PATIENCE = 8.0
"""Seconds to wait for the machine of a cluster to answer."""


def run_on_ray(
    function: Callable[..., Result],
    tasks: Sequence[tuple[Any, ...]],
    *,
    address: str | None = None,
    device: str = "cpu",
    tell: Callable[[str], None] = lambda _: None,
) -> Iterator[tuple[int, Result]]:
    """Call a function on the arguments of every task, one processor or GPU each; a worker that dies is replaced.

    Args:
        function: must be known by its name wherever it runs.
        tasks: the arguments of each call.
        address: the cluster to join (``auto``, ``HOST:PORT`` or ``ray://HOST:PORT``); default: a local instance.
        device: device of a task, ``cpu`` or ``cuda``; where tasks are more than GPUs, several share one.
        tell: called with where the tasks run.

    Yields:
        The number of a task and its result, as they are finished.
    """
    with connected(address, len(tasks)) as ray:
        tell(f"Ray has {int(ray.cluster_resources().get('CPU', 0))} processors on {len(ray.nodes())} machines")
        remote = ray.remote(**needs(ray, device, len(tasks)), max_retries=ATTEMPTS - 1)(function)
        shared: dict[int, Any] = {}

        def sent(argument: Any) -> Any:
            """Large arguments that several tasks have in common travel once."""
            if not isinstance(argument, bytes):
                return argument
            if id(argument) not in shared:
                shared[id(argument)] = ray.put(argument)
            return shared[id(argument)]

        waiting = {remote.remote(*map(sent, task)): number for number, task in enumerate(tasks)}
        looked = time.monotonic()
        try:
            while waiting:
                ready, _ = ray.wait(list(waiting), num_returns=1, timeout=LOOK)
                for task in ready:
                    number = waiting.pop(task)
                    yield number, _result(ray, task)
                # Workers on this machine answer even if nobody else does.
                if waiting and time.monotonic() - looked >= LOOK:
                    refuse_lost(ray, address)
                    looked = time.monotonic()
        except LostError:
            waiting.clear()  # there is nothing here that could tell the others
            raise
        finally:
            for task in waiting:
                ray.cancel(task, force=True)


class LostError(LudoportError):
    """This machine is no longer a part of its cluster."""


def refuse_lost(ray: Any, address: str | None) -> None:
    """Refuse to wait on a machine that is cut off from its cluster, or counted as lost: no result might ever arrive."""
    if address is not None:
        try:
            reach(ray.get_runtime_context().gcs_address if address == "auto" else address)
        except LudoportError as error:
            raise LostError(f"{error}; what is finished is kept, and the same command resumes") from None
    own = ray.get_runtime_context().get_node_id()
    if any(node["NodeID"] == own and not node["Alive"] for node in ray.nodes()):
        raise LostError(
            "Ray counts this machine as lost, because it did not answer for a while; what is finished is kept: "
            "add the machine to the cluster again, and the same command resumes"
        )


def needs(ray: Any, device: str, tasks: int) -> dict[str, float]:
    """Resources that a task takes."""
    if device != "cuda":
        return {"num_cpus": 1}
    room = float(ray.cluster_resources().get("GPU", 0))
    if not room:
        raise LudoportError("this Ray cluster has no GPU; use device cpu")
    return {"num_cpus": 0, "num_gpus": max(0.01, int(100 * min(1.0, room / tasks)) / 100)}


def _result(ray: Any, task: Any) -> Any:
    try:
        return ray.get(task)
    except ray.exceptions.RayTaskError as error:
        cause = error.as_instanceof_cause()
        if isinstance(cause, LudoportError):
            raise LudoportError(str(error.cause)) from None
        raise
    except ray.exceptions.RayError as error:
        raise LudoportError(
            f"a part of the work was given up: workers that died over it: {ATTEMPTS} "
            f"({type(error).__name__}); what is finished is kept"
        ) from None


@contextmanager
def connected(address: str | None, tasks: int) -> Iterator[Any]:
    """Ray, ready to be used; one that was started here is stopped afterwards."""
    try:
        import ray
    except ImportError:
        raise LudoportError("Ray is not installed: pip install 'ludoport[ray]'") from None
    if address is not None:
        reach(address)
    if ray.is_initialized():
        yield ray
        return
    quiet: dict[str, Any] = {"logging_level": "ERROR", "log_to_driver": False}
    try:
        if address is None:
            processors = max(1, min(tasks, os.cpu_count() or 1))
            # Without an address a Ray that happens to run here would be joined.
            ray.init(address="local", num_cpus=processors, include_dashboard=False, **quiet)
        else:
            ray.init(address=address, **quiet)
    except (ConnectionError, TimeoutError, RuntimeError, ValueError, ray.exceptions.RayError) as error:
        where = "a local Ray" if address is None else f"Ray at {address}"
        raise LudoportError(f"cannot use {where}: {str(error).strip().splitlines()[0]}") from None
    try:
        yield ray
    finally:
        ray.shutdown()


def reach(address: str) -> None:
    """Refuses an address that does not answer; Ray itself would try for minutes."""
    if address == "auto":
        return
    host, _, port = address.removeprefix("ray://").rpartition(":")
    if not host or not port.isdigit():
        raise LudoportError(f"`{address}` is not a Ray address; write it as `HOST:6379` or `ray://HOST:10001`")
    try:
        socket.create_connection((host, int(port)), timeout=PATIENCE).close()
    except OSError as error:
        raise LudoportError(f"no Ray answers at {address}: {error.strerror or error}") from None


def search_on_ray(
    state: State,
    *,
    simulations: int,
    workers: int = 2,
    way: str = "root",
    seed: int = 0,
    nodes: int = 4_000_000,
    memory: Policy = "stunt",
    address: str | None = None,
    **settings: Any,
) -> SearchFindings:
    """Search one position with a tree for every worker; finds the same as ``search_parallel`` on as many threads.

    Args:
        state: a position that is not the end of a game.
        simulations: number of simulations, all workers together.
        workers: number of trees.
        way: ``root``: results added up (average selection); ``vote``: every tree has one vote for its best move.
        seed: random seed.
        nodes: room of all pools together.
        memory: memory policy, for full pools.
        address: the cluster to join; default: a local instance.
        settings: see ``UctSettings``.
    """
    if way not in ("root", "vote"):
        raise LudoportError(f"unknown search on Ray `{way}`; choose from root, vote")
    if workers < 1 or simulations < workers:
        raise LudoportError(
            f"{simulations} simulations for {workers} workers: both must be at least 1, and every worker needs one"
        )
    chosen = UctSettings(**settings)
    children = len(state.moves())
    room = max(children + 2, min(nodes, workers * (2 + (simulations + 1) * (state.game.rules.max_moves + 1))))
    packed = pack_game(state.game)
    tasks = []
    for number in range(workers):
        share = simulations // workers + (number < simulations % workers)
        tasks.append(
            (packed, state.row, chosen, max(children + 2, room // workers), seed * 1009 + number, share, memory)
        )
    results = dict(run_on_ray(search_packed, tasks, address=address))
    parts = [_unpacked(state, *results[number]) for number in range(workers)]
    found = combine(parts)
    return voted(found, parts) if way == "vote" else found


Packed = tuple[NDArray[Any], NDArray[np.int64], NDArray[np.float64], NDArray[np.float64], int, str]


def search_packed(
    packed: bytes, row: NDArray[Any], settings: UctSettings, room: int, seed: int, simulations: int, memory: Policy
) -> Packed:
    """Search one position in another process; moves come back as rows."""
    game = unpack_game(packed)
    search = BoundedSearch(Tree(State(game, row.copy()), room, settings, seed), memory)
    search.run(simulations)
    found = search.found()
    rows = np.array([move.row for move in found.moves])
    return rows, found.visits, found.values, found.exact, found.nodes, found.stopped


def _unpacked(state: State, rows: NDArray[Any], *rest: Any) -> SearchFindings:
    return SearchFindings(in_order(state.moves(), rows), *rest)
