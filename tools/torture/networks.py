"""Machines with networks of their own: namespaces of Linux joined by a bridge, so that a link can be cut.

Requires root and ``ip`` (Debian's iproute2). Nothing leaves the namespaces: their only devices join them.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

NETWORK = "10.231.7"
"""First numbers of all addresses; they exist in the namespaces only."""

PORT = 6379
STORE = 80_000_000
"""Bytes of the object store of a node."""

OPEN = {"RAY_AUTH_MODE": "disabled"}
"""A head asks for a token where one was made before, and other nodes do not send it."""

PATIENCE = 120.0
"""Seconds for a node to join."""


def _ip(*words: str) -> str:
    return subprocess.run(["ip", *words], check=True, capture_output=True, text=True).stdout


@dataclass
class Networks:
    """A Ray cluster whose nodes are namespaces; the first one is the head, and has the bridge."""

    folder: Path
    here: Path
    names: list[str] = field(default_factory=list)

    @property
    def address(self) -> str:
        """Value of ``--ray-address``."""
        return f"{NETWORK}.1:{PORT}"

    def inside(self, number: int) -> tuple[str, ...]:
        """Words before a command that make it run on a machine, which has a folder of its own for Ray's files.

        With one folder for all, a command would find the sockets and the address of the head on every machine.
        """
        disk, ray = self.folder / f"disk{number}", self.folder / "ray"
        disk.mkdir(exist_ok=True)
        ray.mkdir(exist_ok=True)
        mount = 'mount --bind "$0" "$1" && shift && exec "$@"'
        return ("ip", "netns", "exec", self.names[number], "sh", "-c", mount, str(disk), str(ray))

    def join(self) -> None:
        """One more machine."""
        number = len(self.names)
        name = f"torture{os.getpid()}-{number}"
        _ip("netns", "add", name)
        self.names.append(name)
        _ip("-n", name, "link", "set", "lo", "up")
        device, head = "bridge", self.names[0]
        if number == 0:
            _ip("-n", name, "link", "add", "bridge", "type", "bridge")
        else:
            device = "wire"
            _ip("-n", head, "link", "add", f"wire{number}", "type", "veth", "peer", "name", device, "netns", name)
            _ip("-n", head, "link", "set", f"wire{number}", "master", "bridge", "up")
        _ip("-n", name, "addr", "add", f"{NETWORK}.{number + 1}/24", "dev", device)
        _ip("-n", name, "link", "set", device, "up")
        _ip("-n", name, "route", "add", "default", "dev", device)  # by which Ray finds out its own address
        self._start_ray(number)

    def _start_ray(self, number: int) -> None:
        head = ["--head", "--port", str(PORT), "--temp-dir", str(self.folder / "ray"), "--include-dashboard=false"]
        where = ["--address", self.address] if number else head
        words = [*where, "--node-ip-address", f"{NETWORK}.{number + 1}", "--num-cpus", "1"]
        program = "import sys; from ray.scripts.scripts import main; main()"
        with (self.folder / f"ray{number}.txt").open("w") as out:
            subprocess.Popen(
                [*self.inside(number), sys.executable, "-c", program, "start", *words,
                 "--object-store-memory", str(STORE), "--disable-usage-stats", "--block"],
                stdout=out, stderr=out, start_new_session=True,
                env={**os.environ, **OPEN, "PYTHONPATH": str(self.here), "OMP_NUM_THREADS": "1"},
            )  # fmt: skip
        self._await(number)

    def _await(self, number: int) -> None:
        """Wait until a node says that it runs."""
        end = time.monotonic() + PATIENCE
        told = self.folder / f"ray{number}.txt"
        while "Ray runtime started" not in told.read_text():
            if time.monotonic() > end:
                raise RuntimeError(f"node {number} does not start: {told.read_text()[-500:]}")
            time.sleep(0.2)

    def cut(self, number: int, seconds: float) -> None:
        """A machine loses the network for a while: nothing arrives, and nothing says why."""
        wire = f"wire{number}"
        _ip("-n", self.names[0], "link", "set", wire, "down")
        time.sleep(seconds)
        _ip("-n", self.names[0], "link", "set", wire, "up")

    def close(self) -> None:
        """End all processes of the namespaces, then these."""
        for number in (signal.SIGTERM, signal.SIGKILL):
            for name in self.names:
                for pid in _ip("netns", "pids", name).split():
                    with suppress(ProcessLookupError):
                        os.kill(int(pid), number)
            time.sleep(2)
        for name in reversed(self.names):
            _ip("netns", "del", name)


@contextmanager
def networks(others: int, here: Path) -> Iterator[Networks]:
    """A cluster with a head and other machines, ended afterwards."""
    with tempfile.TemporaryDirectory(prefix="torture-") as place:
        all_ = Networks(Path(place), here)
        try:
            for _ in range(others + 1):
                all_.join()
            yield all_
        finally:
            all_.close()
