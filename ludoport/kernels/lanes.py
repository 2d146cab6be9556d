"""Several threads of a device that work on one game: the words that texts have for it.

A text says ``for i in range(first + LANE, last, LANES)`` where its threads, the *lanes*, share a loop, ``lanes_sum``
and the like where they put together what each has found, ``if FIRST_LANE:`` around what only one may do, and
``lanes_wait()`` between writing and reading by others. All lanes take the same way through the text: what they decide
by, they read before a wait, and the first lane changes it after that. ``alone`` makes the text of it that one thread
works on, with none of these words left; so a CPU never sees them.
"""

from __future__ import annotations

import re

LANES = 32
"""Threads that work on a game together: those of a warp, which can hand numbers to each other."""

LANE_WORDS = '''
@kernel
def lanes_wait():
    """What a lane has written can be read by the others afterwards."""
    cuda.syncwarp()
    return 0


@kernel
def lanes_first(number):
    """What the first lane has."""
    return cuda.shfl_sync(0xFFFFFFFF, number, 0)


@kernel
def lanes_sum(number):
    """The sum over all lanes."""
    for step in range(5):
        number += cuda.shfl_xor_sync(0xFFFFFFFF, number, 16 >> step)
    return number


@kernel
def lanes_max(number):
    """The highest number of all lanes."""
    for step in range(5):
        number = max(number, cuda.shfl_xor_sync(0xFFFFFFFF, number, 16 >> step))
    return number


@kernel
def lanes_best(bound, best):
    """The place with the highest bound, of equal ones the first; 0 is no place."""
    for step in range(5):
        other = cuda.shfl_xor_sync(0xFFFFFFFF, best, 16 >> step)
        its = cuda.shfl_xor_sync(0xFFFFFFFF, bound, 16 >> step)
        if other != 0 and (best == 0 or its > bound or (its == bound and other < best)):
            best = other
            bound = its
    return best
'''

_TOGETHER = re.compile(r"^ *(?:\w+ = )?lanes_\w+\(.*\)\n", re.MULTILINE)
_FIRST = re.compile(r"^( *)if FIRST_LANE:\n((?:\1 {4}.*\n|\n)+)", re.MULTILINE)


def alone(text: str) -> str:
    """A text for one thread."""
    text = _TOGETHER.sub("", text).replace(" + LANE, ", ", ").replace(", LANES)", ")").replace(" and FIRST_LANE", "")
    return _FIRST.sub(lambda found: re.sub("^ {4}", "", found[2], flags=re.MULTILINE), text)


def for_lanes(text: str) -> str:
    """A text for all lanes, to be put behind ``LANE_WORDS``."""
    return text.replace(" + LANE, ", " + wide(cuda.laneid), ").replace("FIRST_LANE", "cuda.laneid == 0")
