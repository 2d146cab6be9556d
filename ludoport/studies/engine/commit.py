"""Version of the program that does the work."""

from __future__ import annotations

import hashlib
import subprocess
from functools import cache
from pathlib import Path

PACKAGE = Path(__file__).resolve().parents[2]
"""The folder of the whole program."""


@cache
def commit() -> str:
    """The commit of this program; if files have changed since, also a digest of them; elsewhere version and digest.

    A commit alone would not tell apart two states of files that are being edited, and workers that begin at
    different times may see different ones.

    Example: ``9ba427d0c1e4``, ``9ba427d0c1e4 with changes 5d41402a`` or ``version 0.1.0, 5d41402a``.
    """
    from ludoport import __version__

    root = PACKAGE.parent
    head = _git(root, "rev-parse", "--short=12", "HEAD") if (root / ".git").exists() else None
    if head is None:
        return f"version {__version__}, {digest(PACKAGE)}"
    changed = _git(root, "status", "--porcelain", "--", PACKAGE.name)
    return f"{head} with changes {digest(PACKAGE)}" if changed else head


def digest(folder: Path) -> str:
    """A digest of the program's texts in a folder."""
    known = hashlib.sha256()
    for path in sorted(folder.rglob("*.py")):
        known.update(f"{path.relative_to(folder)}\n".encode() + path.read_bytes())
    return known.hexdigest()[:8]


def _git(root: Path, *arguments: str) -> str | None:
    try:
        found = subprocess.run(["git", "-C", str(root), *arguments], capture_output=True, text=True, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    return found.stdout.strip() if found.returncode == 0 else None
