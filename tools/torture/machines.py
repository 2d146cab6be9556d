"""Several machines: a Ray cluster of three nodes on this one, which join, leave, fall silent and have wrong clocks.

``python -m tools.torture machines`` runs ``tree build``, ``match``, ``train`` and a study on such a cluster, disturbs
it once the first result is there, and compares with an undisturbed run on one machine.
"""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tools.torture.commands import PROGRAM, _bytes, _digest, _games
from tools.torture.networks import STORE, networks

HERE = Path(__file__).parents[2]
LONGEST = 900.0
"""Seconds for one command."""

STUDY = """
import sys
from pathlib import Path
from ludoport.bench.study import NAP, fake_plan
from ludoport.errors import LudoportError
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.run import prepare
from ludoport.studies.engine.work import Place

folder, address = Path(sys.argv[1]), sys.argv[3] if len(sys.argv) > 3 else None
prepare(fake_plan(4, 0.6 if address else 0.0), folder)
try:
    sys.exit(not run_crew(Place(folder, runner=NAP), workers=0 if address else 1, ray_address=address))
except LudoportError as error:
    print(error, file=sys.stderr)
    sys.exit(2)
"""
"""A study whose jobs only wait; its results do not depend on how long."""

SHIFTED = """
import os, time
if "SHIFTED_CLOCK" in os.environ:
    real, shift = time.time, float(os.environ["SHIFTED_CLOCK"])
    time.time = lambda: real() + shift
"""
"""A ``sitecustomize`` that gives all processes of a node another clock."""


def _epochs(folder: Path) -> str:
    """Number of epochs of a run, as text; its weights depend on when games arrive."""
    return f"{len((folder / 'run' / 'metrics.jsonl').read_text().splitlines())} epochs"


def _jobs(folder: Path) -> str:
    """The results of all jobs of a study, without times."""
    with closing(sqlite3.connect(folder / "study" / "study.sqlite")) as base:
        rows = base.execute("SELECT id, seed, state, json_remove(result, '$.clock') FROM jobs ORDER BY id").fetchall()
    return _digest(repr(rows).encode())


def _some(name: str, rows: str) -> Callable[[Path], bool]:
    """Whether a database has some rows."""

    def begun(folder: Path) -> bool:
        with suppress(sqlite3.Error), closing(sqlite3.connect(f"file:{folder / name}?mode=ro", uri=True)) as base:
            return bool(base.execute(f"SELECT 1 FROM {rows} LIMIT 1").fetchone())
        return False

    return begun


@dataclass(frozen=True)
class Spread:
    """A command that runs on several machines.

    Attributes:
        arguments: of the program; ``OUT`` stands for its folder.
        begun: whether a first part is finished.
        result: what must be the same on one machine and on many.
        program: in Python; default: ``ludoport``.
    """

    arguments: tuple[str, ...]
    begun: Callable[[Path], bool]
    result: Callable[[Path], str]
    program: str = PROGRAM

    def start(self, folder: Path, *more: str, inside: tuple[str, ...] = ()) -> subprocess.Popen[str]:
        """Begin it in a process of its own; ``inside`` are words before it."""
        words = [word.replace("OUT", str(folder)) for word in self.arguments]
        return subprocess.Popen(
            [*inside, sys.executable, "-c", self.program, *words, *more],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": str(HERE), "OMP_NUM_THREADS": "1"},
        )

    def alone(self) -> str:
        """The result of one machine."""
        with tempfile.TemporaryDirectory(prefix="torture-") as place:
            process = self.start(Path(place))
            _, error = process.communicate(timeout=LONGEST)
            if process.returncode:
                raise RuntimeError(error[-500:])
            return self.result(Path(place))


COMMANDS = {
    "tree": Spread(
        ("tree", "build", "Tic-Tac-Toe", "--simulations", "40000", "--workers", "8", "--nodes", "400000",
         "--out", "OUT/a.tree"),
        lambda folder: any((folder / "a.tree.parts").glob("*.tree")),
        _bytes("a.tree"),
    ),
    "match": Spread(
        ("match", "uct:2000", "random", "--game", "Tic-Tac-Toe", "--games", "60", "--out", "OUT/match.sqlite"),
        _some("match.sqlite", "games"),
        _games,
    ),
    "train": Spread(
        ("train", "Tic-Tac-Toe", "--preset", "tiny", "--epochs", "4", "--out", "OUT/run", "--set", "games=16",
         "--set", "positions=512", "--set", "simulations=8", "--set", "warmup=256", "--set", "rating_share=0"),
        lambda folder: (folder / "run" / "metrics.jsonl").exists(),
        _epochs,
    ),
    "study": Spread(("OUT/study",), _some("study/study.sqlite", "jobs WHERE state = 'done'"), _jobs, STUDY),
}  # fmt: skip
"""The commands that run on Ray."""


@dataclass
class Machines:
    """A cluster of nodes on this machine; the first one is the head."""

    cluster: Any
    folder: Path
    others: list[Any] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Value of ``--ray-address``."""
        return str(self.cluster.address)

    def join(self, clock: float = 0.0, **resources: float) -> Any:
        """One more machine, whose clock may be wrong."""
        paths = f"{self.folder}{os.pathsep}{HERE}"
        variables = {"PYTHONPATH": paths, "SHIFTED_CLOCK": str(clock)}
        node = self.cluster.add_node(
            **{"num_cpus": 1, **resources}, object_store_memory=STORE, env_vars=variables, include_dashboard=False
        )
        self.others.append(node)
        return node

    def kill(self, node: Any) -> None:
        """A machine is gone at once."""
        self.others.remove(node)
        self.cluster.remove_node(node, allow_graceful=False)

    def leave(self, node: Any) -> None:
        """A machine leaves in peace."""
        self.others.remove(node)
        self.cluster.remove_node(node, allow_graceful=True)

    def silence(self, node: Any, seconds: float) -> None:
        """A machine loses the network: its processes neither hear nor answer for a while."""
        group = [info.process.pid for infos in node.all_processes.values() for info in infos]
        pids = [pid for each in group for pid in (each, *_children(each))]
        for number in (signal.SIGSTOP, signal.SIGCONT):
            for pid in pids:
                with suppress(ProcessLookupError):
                    os.kill(pid, number)
            if number == signal.SIGSTOP:
                time.sleep(seconds)


def _children(pid: int) -> list[int]:
    """The processes that a process has started, and theirs."""
    found: list[int] = []
    with suppress(OSError):
        for task in Path(f"/proc/{pid}/task").iterdir():
            for child in (task / "children").read_text().split():
                found += [int(child), *_children(int(child))]
    return found


@contextmanager
def machines(others: int = 2, head: float = 1) -> Iterator[Machines]:
    """A cluster with a head and other machines, stopped afterwards."""
    from ray.cluster_utils import Cluster

    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        (Path(place) / "sitecustomize.py").write_text(SHIFTED)
        settings = {
            "num_cpus": head, "object_store_memory": STORE, "include_dashboard": False,
            "env_vars": {"PYTHONPATH": str(HERE)},
        }  # fmt: skip
        cluster = Cluster(initialize_head=True, head_node_args=settings, shutdown_at_exit=True)
        try:
            all_ = Machines(cluster, Path(place))
            for _ in range(others):
                all_.join()
            yield all_
        finally:
            cluster.shutdown()  # type: ignore[no-untyped-call]


def _one_is_killed(all_: Machines) -> None:
    all_.kill(all_.others[0])


def _one_leaves_and_one_joins(all_: Machines) -> None:
    all_.leave(all_.others[0])
    all_.join()


def _one_is_silent(all_: Machines) -> None:
    all_.silence(all_.others[0], 60)


def _clocks_differ(all_: Machines) -> None:
    for clock in (-600.0, 600.0):
        all_.join(clock)
    for node in all_.others[:2]:
        all_.kill(node)


DISTURBANCES: dict[str, Callable[[Machines], None]] = {
    "killed": _one_is_killed,
    "replaced": _one_leaves_and_one_joins,
    "silent": _one_is_silent,
    "clocks": _clocks_differ,
}
"""Disturbances of the other machines while a command runs, by name."""


def disturb(name: str, how: str) -> Iterator[str]:
    """Run a command on three machines and disturb them; yields what went wrong."""
    command = COMMANDS[name]
    expected = command.alone()
    with machines() as all_, tempfile.TemporaryDirectory(prefix="torture-") as place:
        folder = Path(place)
        process = command.start(folder, "--ray-address", all_.address)
        in_time = _await(lambda: command.begun(folder), process)
        if in_time:
            DISTURBANCES[how](all_)
        yield from _compared(command, process, folder, expected, f"{name} {how}")
        if not in_time:
            yield f"{name} {how}: ended before anything could happen"


CUT = {"cut": 1, "cut-off": 2}
"""Number of the machine that loses the network: another one, or that of the command."""


def cut(name: str, how: str) -> Iterator[str]:
    """Run a command on three machines, one of which loses the network for a minute; then run it again if it stopped."""
    command = COMMANDS[name]
    expected = command.alone()
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        folder = Path(place)
        with networks(2, HERE) as all_:
            own = all_.inside(0 if how == "cut" else CUT[how])
            process = command.start(folder, "--ray-address", all_.address, inside=own)
            if not _await(lambda: command.begun(folder), process):
                yield f"{name} {how}: ended before anything could happen"
            else:
                all_.cut(CUT[how], 60)
            if how == "cut":
                yield from _compared(command, process, folder, expected, f"{name} {how}")
                return
            error = _ended(process)
            if error is None:
                yield f"{name} {how}: does not end"
                return
            if "Traceback" in error or process.returncode not in (0, 2):
                yield f"{name} {how}: exit code {process.returncode}: {error[-300:]}"
            process = command.start(folder, "--ray-address", all_.address, inside=all_.inside(0))
            yield from _compared(command, process, folder, expected, f"{name} {how}, again")


def headless(name: str) -> Iterator[str]:
    """The head dies; the command stops with a sentence, and the same command resumes on another cluster."""
    command = COMMANDS[name]
    expected = command.alone()
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        folder = Path(place)
        with machines(1) as all_:
            process = command.start(folder, "--ray-address", all_.address)
            _await(lambda: command.begun(folder), process)
            all_.cluster.head_node.kill_all_processes(check_alive=False, allow_graceful=False)
            error = _ended(process)
            if error is None:
                yield f"{name} without a head: does not end"
                return
        finished = process.returncode == 0 and command.result(folder) == expected  # before the head was gone
        if "Traceback" in error or not (finished or process.returncode == 2):
            yield f"{name} without a head: exit code {process.returncode}: {error[-300:]}"
        with machines(1) as all_:
            process = command.start(folder, "--ray-address", all_.address)
            yield from _compared(command, process, folder, expected, f"{name} with another head")


def _await(ready: Callable[[], bool], process: subprocess.Popen[str]) -> bool:
    """Wait until something is there; False if the command ended before."""
    end = time.monotonic() + LONGEST
    while not ready():
        if process.poll() is not None or time.monotonic() > end:
            return False
        time.sleep(0.1)
    return True


def _ended(process: subprocess.Popen[str]) -> str | None:
    """Error output of a command at its end; None if it has to be killed."""
    try:
        return process.communicate(timeout=LONGEST)[1]
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        return None


def _compared(
    command: Spread, process: subprocess.Popen[str], folder: Path, expected: str, label: str
) -> Iterator[str]:
    error = _ended(process)
    if error is None:
        yield f"{label}: does not end"
    elif process.returncode or "Traceback" in error:
        yield f"{label}: exit code {process.returncode}: {error[-300:]}"
    elif (found := command.result(folder)) != expected:
        yield f"{label}: the result {found} is not {expected}"


WAYS: dict[str, Callable[[str], Iterator[str]]] = {
    **{how: partial(disturb, how=how) for how in DISTURBANCES},
    **{how: partial(cut, how=how) for how in CUT},
    "head": headless,
}
"""All disturbances of a cluster."""


def everything(names: list[str], ways: list[str]) -> Iterator[str]:
    """Disturbances of some commands; yields a line about each."""
    for name in names or list(COMMANDS):
        for how in ways or list(WAYS):
            begin = time.monotonic()
            found = list(WAYS[how](name))
            yield from (f"finding: {line}" for line in found)
            yield f"{name} {how}: {len(found)} findings, {time.monotonic() - begin:.0f} s"
