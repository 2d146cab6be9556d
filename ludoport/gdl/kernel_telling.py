"""Lines inside the kernels of all networks: telling what is behind a node that it has changed."""

from __future__ import annotations

from textwrap import indent

GATES = """
for k in range(wide(START[node]), wide(MIDDLE[node])):
    target = wide(TARGET[k])
    counter = wide(work[target]) + change
    work[target] = counter
    if counter == up:
        work[top] = 2 * target + up
        top += 1
for k in range(wide(MIDDLE[node]), wide(END)):
    target = wide(TARGET[k])
    counter = wide(work[target]) - change
    work[target] = counter
    if counter == 1 - up:
        work[top] = 2 * target + 1 - up
        top += 1
"""

MOVES = """
for k in range(wide(LEGAL_START[node]), wide(LEGAL_START[node + 1])):
    m = wide(LEGAL[k])
    # A gate may change twice, and be told about it in any order, so nothing is set but everything is counted.
    by = 2 * (up ^ (m & 1)) - 1
    m >>= 1
    work[FLAG + m] = wide(work[FLAG + m]) + by
    work[BLOCK + m // BLOCK_MOVES] = wide(work[BLOCK + m // BLOCK_MOVES]) + by
"""


def tell_gates(end: str, depth: int) -> str:
    """Update the gates behind ``node``, up to the edge number ``end``; changed ones are pushed onto the stack.

    Args:
        end: where the edges end, as the lines say it.
        depth: blanks before each line.
    """
    return indent(GATES.replace("END", end).strip(), " " * depth)


def tell_moves(depth: int) -> str:
    """Update the moves that depend on ``node``; each line is indented by ``depth``."""
    return indent(MOVES.strip(), " " * depth)
