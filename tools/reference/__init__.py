"""The pages of ``docs/reference``, written from the code: nothing in them is typed by hand.

``python -m tools.reference`` writes them, ``python -m tools.reference --check`` says whether they are up to date.
"""

from __future__ import annotations

from collections.abc import Callable

from tools.reference import commands, ludemes, players, python_api, settings, tensors

PAGES: dict[str, tuple[str, Callable[[], str]]] = {
    "commands.md": ("every command with its arguments and options", commands.page),
    "settings.md": ("every setting of a training run, its meaning, and its value in each preset", settings.page),
    "players.md": ("kinds of players, and what can be set", players.page),
    "python.md": ("what a program touches: functions and classes, with signatures", python_api.page),
    "ludemes.md": ("every ludeme that can be compiled, and how it is written", ludemes.page),
    "tensors.md": ("what the planes of positions and moves mean", tensors.page),
}
"""The pages: file name, what is on it, and how it is written."""


def pages() -> dict[str, str]:
    """All pages by file name, the table of contents among them."""
    made = {name: write() for name, (_, write) in PAGES.items()}
    entries = "".join(f"- [{name.removesuffix('.md')}]({name}): {what}.\n" for name, (what, _) in PAGES.items())
    return {"README.md": f"# Reference\n\nWritten from the code by `make docs`.\n\n{entries}", **made}
