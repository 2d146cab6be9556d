"""A command in a pseudo-terminal: read what it draws, press keys, see how it ends."""

from __future__ import annotations

import fcntl
import os
import re
import select
import struct
import subprocess
import sys
import termios
import time
from pathlib import Path
from types import TracebackType

ROOT = Path(__file__).parent.parent.parent
CTRL_C = "\x03"
PATIENCE = 240.0
"""Seconds after which a command that draws nothing expected is taken for stuck; machines may be busy."""

_CODES = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class Terminal:
    """``python -m ludoport`` as the foreground program of a terminal of its own.

    Args:
        arguments: of the command.
        folder: its working directory.
        environment: variables besides those of this process.
        columns: width of the terminal.
        program: Python code to run instead of the command line.
    """

    def __init__(
        self,
        *arguments: str,
        folder: Path,
        environment: dict[str, str] | None = None,
        columns: int = 140,
        program: str | None = None,
    ) -> None:
        self._master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 50, columns, 0, 0))
        start = ["-c", program] if program is not None else ["-m", "ludoport"]
        paths = os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH", "")]))
        inherited = {name: value for name, value in os.environ.items() if name not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            [sys.executable, *start, *arguments],
            stdin=slave, stdout=slave, stderr=slave, cwd=folder, start_new_session=True,
            preexec_fn=lambda: fcntl.ioctl(0, termios.TIOCSCTTY, 0),  # keys such as Ctrl-C reach the command
            env={**inherited, "TERM": "xterm", "PYTHONPATH": paths, **(environment or {})},
        )  # fmt: skip
        os.close(slave)
        self._raw = ""

    @property
    def text(self) -> str:
        """Everything drawn so far, in the order of drawing, without colours and cursor movements."""
        return _CODES.sub("", self._raw).replace("\r", "")

    def wait_for(self, pattern: str) -> str:
        """Reads until the drawn text matches a pattern; the matching part."""
        end = time.monotonic() + PATIENCE
        while not (found := re.search(pattern, self.text)):
            if not self._read(0.1) or time.monotonic() > end:
                raise AssertionError(f"`{pattern}` was never drawn; the terminal has:\n{self.text[-3000:]}")
        return found[0]

    def press(self, keys: str) -> None:
        """Types keys."""
        os.write(self._master, keys.encode())

    def finish(self) -> int:
        """Reads to the end; the exit code."""
        end = time.monotonic() + PATIENCE
        while self._read(0.1):
            if time.monotonic() > end:
                raise AssertionError(f"the command does not end; the terminal has:\n{self.text[-3000:]}")
        return self.process.wait(PATIENCE)

    def _read(self, seconds: float) -> bool:
        """Reads what has been drawn within some seconds; False once the command has closed its terminal."""
        if not select.select([self._master], [], [], seconds)[0]:
            return True
        try:
            piece = os.read(self._master, 65536)
        except OSError:  # Linux says EIO when the last program has left a terminal
            return False
        self._raw += piece.decode(errors="replace")
        return bool(piece)

    def __enter__(self) -> Terminal:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._master)
