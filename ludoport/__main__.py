"""Starts the command line: ``python -m ludoport``, and the script ``ludoport``."""

from __future__ import annotations

import sys


def main() -> None:
    """Runs the command line; Ctrl-C ends it with exit code 130 also while modules are still being imported."""
    try:
        from ludoport.cli import main as run
    except KeyboardInterrupt:
        sys.exit(130)
    run()


if __name__ == "__main__":
    main()
