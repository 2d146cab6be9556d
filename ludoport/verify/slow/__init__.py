"""A slow, obvious interpreter of the ludemic language, to compare the compiled kernels with.

It walks the tree of a game text and does what each ludeme says, on positions that are plain objects and are copied for
every try. It shares the reader and the boards with the compiler, and nothing of `ludoport.ludemes`. A ludeme without a
meaning here is refused by name (`NotCovered`) before the game begins.

Files: ``registry`` (meanings by ludeme), ``position`` (what a position holds), ``context`` (where a ludeme is
evaluated), ``equipment``, ``starting``, ``turns`` (legal moves and playing), ``ending``, ``texts`` (names of moves),
``compare`` (with records and kernels); the other files hold one family of ludemes each.
"""

from ludoport.verify.slow.registry import NotCovered
from ludoport.verify.slow.turns import TreeInterpreter

__all__ = ["NotCovered", "TreeInterpreter"]
