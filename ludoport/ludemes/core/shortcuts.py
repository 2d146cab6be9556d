"""Shorter ways to the same answers, which the compiler takes where it has proved them valid.

``LUDOPORT_PLAIN`` names those it must not take (``all`` for every one), so that both ways can be compared.
"""

from __future__ import annotations

import os
from typing import Literal

Shortcut = Literal[
    "aim",
    "first",
    "free",
    "hoist",
    "low",
    "merge",
    "once",
    "prev",
    "row",
    "rows",
    "safe",
    "spot",
    "table",
    "trial",
    "turn",
    "width",
]
"""What each of them does:

- ``aim``: a threat to one site is looked for only where a move could end there;
- ``first``: where one move is looked for, pieces that rules ask for threats to are tried first;
- ``free``: a piece placed beside an empty site has a liberty, so no trial counts them;
- ``hoist``: candidates for a random move are counted once, not at every draw;
- ``low``: where no stack grows, rows have room for the highest one of the setup only;
- ``merge``: rules that do the same share one function;
- ``once``: end rules ask once whether the next player can move;
- ``prev``: who is asked for threats did not move before, because the owner of the threatened piece did;
- ``row``: short rows are counted without branches;
- ``rows``: the sites in fixed directions from a site stand in tables;
- ``safe``: moves that open no line to a piece which is not threatened need no trial;
- ``spot``: positions keep where the one piece of a kind stands that rules ask for threats to;
- ``table``: what a candidate for a random move is stands in tables, where nothing but who stands where decides;
- ``trial``: a move is tried in place and taken back where only threats are asked for, not on a copy of the row;
- ``turn``: the row does not say that it is an enemy's turn while that enemy is asked for threats;
- ``width``: a piece has as many candidates for a random move as its site allows (seeds then give other moves).
"""


def taken(shortcut: Shortcut) -> bool:
    """Whether the compiler may take a shortcut."""
    plain = os.environ.get("LUDOPORT_PLAIN", "").split(",")
    return "all" not in plain and shortcut not in plain
