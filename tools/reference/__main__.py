"""``python -m tools.reference``: write the reference pages, or see whether they are up to date."""

from __future__ import annotations

import sys
from pathlib import Path

from tools.reference import pages

FOLDER = Path(__file__).resolve().parents[2] / "docs" / "reference"


def stale(folder: Path = FOLDER) -> list[str]:
    """Names of pages that differ from what the code says, or that are obsolete."""
    made = pages()
    there = {path.name: path.read_text(encoding="utf-8") for path in folder.glob("*.md")}
    return sorted(name for name in made.keys() | there.keys() if made.get(name) != there.get(name))


def write(folder: Path = FOLDER) -> None:
    """Writes all pages, and removes obsolete ones."""
    folder.mkdir(parents=True, exist_ok=True)
    made = pages()
    for path in folder.glob("*.md"):
        if path.name not in made:
            path.unlink()
    for name, text in made.items():
        (folder / name).write_text(text, encoding="utf-8")


def main(arguments: list[str]) -> int:
    """Runs the command."""
    if arguments == ["--check"]:
        old = stale()
        for name in old:
            print(f"docs/reference/{name} is out of date; `make docs` writes it", file=sys.stderr)
        return bool(old)
    if arguments:
        print("usage: python -m tools.reference [--check]", file=sys.stderr)
        return 2
    write()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
