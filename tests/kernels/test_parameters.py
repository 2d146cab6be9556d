"""Long lists of positional arrays, which are easily mixed up, are records instead."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

import ludoport

ROOM = Path(ludoport.__file__).parent
MOST = 9
NUMBERS = {"batch_step", "add", "pawn_moves", "single_moves", "merged_moves"}
"""Functions with more parameters, of which most are single numbers or sets of squares."""

_KERNEL = re.compile(r"^@(?:kernel|entry|inlined)\ndef (\w+)\(([^)]*)\):", re.MULTILINE)


def kernels() -> list[tuple[str, str, int]]:
    """File, name and number of parameters of every kernel that is written as text."""
    return [
        (str(path.relative_to(ROOM)), name, len([part for part in parameters.split(",") if part.strip()]))
        for path in sorted(ROOM.rglob("*.py"))
        for name, parameters in _KERNEL.findall(path.read_text(encoding="utf-8"))
    ]


def test_kernels_are_found() -> None:
    assert {"step_game", "puct_select", "list_edges", "td_child"} <= {name for _, name, _ in kernels()}


@pytest.mark.parametrize("room", ["search", "selfplay", "td", "arena", "tensors", "chess", "kernels"])
def test_no_long_lists(room: str) -> None:
    long = {f"{path}: {name} ({size})" for path, name, size in kernels() if path.startswith(room) and size > MOST}
    assert not {line for line in long if line.split()[1] not in NUMBERS}
