"""Walks through connected sites: flood fills and the marks that they need."""

from __future__ import annotations

from ludoport.lud.tree import Word
from ludoport.ludemes.core.context import Cx
from ludoport.ludemes.fields.rays import Steps
from ludoport.source import Source


def flood(cx: Cx, start: str, table: Steps, member: object, visit: object, marks: str, queue: str, mark: str) -> None:
    """Write a flood fill from a site.

    Args:
        cx: the place.
        start: the first site.
        table: the neighbours.
        member: given a place and a site, the test whether the site belongs to the group.
        visit: given a place and a site, writes what to do with each member.
        marks: marks from ``stamps``.
        mark: sites with this mark are not entered again.
        queue: scratch space for the members; its length is left in the variable ``tail``.
    """
    cx.program.list_once(queue, marks)
    cx.line(f"work[{queue}] = {start}")
    cx.line(f"work[{marks} + {start}] = {mark}")
    cx.line("head = 0")
    cx.line("tail = 1")
    with cx.block("while head < tail:"):
        cx.line(f"m = work[{queue} + head]")
        cx.line("head += 1")
        visit(cx.sure("m"), "m")  # type: ignore[operator]
        with table.each(cx.sure("m"), "m") as near:
            here = cx.sure(near)
            with cx.block(f"if work[{marks} + {near}] != {mark}:"), cx.when(member(here, near)):  # type: ignore[operator]
                cx.line(f"work[{marks} + {near}] = {mark}")
                cx.line(f"work[{queue} + tail] = {near}")
                cx.line("tail += 1")


def stamps(cx: Cx, size: int, amount: int) -> tuple[str, str]:
    """Marks for sites that need not be emptied before each use.

    Every use takes fresh numbers; only when they run out is the scratch space emptied.

    Args:
        cx: the place.
        size: how many sites.
        amount: how many different marks one use needs.

    Returns:
        The offset of the marks, and a variable: smaller marks are old, the marks after it are free to use.
    """
    marks = cx.program.scratch(size + 1, "STAMPS")
    first, index = cx.fresh("stamp"), cx.fresh("i")
    cx.line(f"{first} = work[{marks} + {size}]")
    with cx.block(f"if {first} > {32000 - amount}:"):
        with cx.block(f"for {index} in range({size}):"):
            cx.line(f"work[{marks} + {index}] = 0")
        cx.line(f"{first} = 0")
    cx.line(f"{first} += 1")
    cx.line(f"work[{marks} + {size}] = {first} + {amount}")
    return marks, first


def direction_word(name: str) -> Word:
    """A direction as the language would name it."""
    return Word(name, "AbsoluteDirection", Source("", 0, 0))
