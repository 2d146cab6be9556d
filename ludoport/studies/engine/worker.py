"""A worker in a process of its own: ``python -m ludoport.studies.engine.worker FOLDER DEVICE RUNNER SHARE PARENT``."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import cast

from ludoport.errors import LudoportError
from ludoport.studies.engine.store import Share
from ludoport.studies.engine.work import Place, work


def main(arguments: list[str]) -> int:
    """Works until nothing is left; returns the exit code."""
    folder, device, runner, share, parent = arguments
    try:
        work(Place(Path(folder), device, runner, cast(Share, share)), parent=int(parent))
    except LudoportError as error:
        print(error, file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
