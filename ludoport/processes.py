"""Child processes, started from any program."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

_STARTING = threading.Lock()


@contextmanager
def without_script(packed: bytes) -> Iterator[None]:
    """Processes that start meanwhile do not run the program's script again, as they do to find what it defines.

    A script without ``if __name__ == "__main__":`` would start processes in each of its processes.

    Args:
        packed: what such a process is given; if that needs something of the script, nothing is changed.
    """
    script = vars(sys.modules["__main__"])
    if b"__main__" in packed:
        yield
        return
    with _STARTING:
        hidden: dict[str, Any] = {name: script[name] for name in ("__file__", "__spec__") if name in script}
        script.pop("__file__", None)
        script["__spec__"] = None
        try:
            yield
        finally:
            script.update(hidden)
