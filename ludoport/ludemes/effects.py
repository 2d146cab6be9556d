"""Whether effects may be done while they are being evaluated.

The language evaluates a consequent completely before it does any of it. Where nothing that is evaluated later could
see what was done earlier, both happen in one go; otherwise actions are collected first (see ``Rules.effect``).
"""

from __future__ import annotations

from ludoport.lud.tree import Ludeme, Value, Word

# What each effect changes. Anything that is not listed here is taken to change the board.
_WRITES = {
    "moveAgain": "next",
    "set NextPlayer": "next",
    "set Counter": "counter",
    "set Score": "score",
    "addScore": "score",
    "set Pending": "pending",
    "set Var": "var",
    "remember Value": "var",
    "forget Value": "var",
    "remember State": "var",
    "set Value": "value",
    "set State": "state",
    "pass": "nothing",
    "note": "nothing",
    "set Hidden": "nothing",
    "trigger": "trigger",
}

# What each question looks at. Anything that is not listed here is taken to look at the board.
_READS = {
    "counter": "counter",
    "score": "score",
    "next": "next",
    "is Next": "next",
    "is Pending": "pending",
    "value Pending": "pending",
    "sites Pending": "pending",
    "var": "var",
    "is Triggered": "trigger",
    "values Remembered": "var",
    "state": "state",
    "sites State": "state",
}

_BLIND = {
    *(
        "from",
        "to",
        "between",
        "site",
        "level",
        "player",
        "last From",
        "last To",
        "last LevelFrom",
        "last LevelTo",
        "mover",
    ),
    *(
        "prev",
        "value",
        "mapEntry",
        "handSite",
        "id",
        "centrePoint",
        "column",
        "row",
        "phase",
        "count Moves",
        "count Turns",
    ),
    *(
        "count MovesThisTurn",
        "count Players",
        "count Rows",
        "count Columns",
        "count Phases",
        "count Cells",
        "count Vertices",
    ),
    *(
        "+",
        "-",
        "*",
        "/",
        "%",
        "^",
        "abs",
        "min",
        "max",
        "=",
        "!=",
        "<",
        "<=",
        ">",
        ">=",
        "and",
        "or",
        "not",
        "xor",
        "if",
    ),
    *(
        "is In",
        "is Mover",
        "is Prev",
        "is Even",
        "is Odd",
        "is Enemy",
        "is Friend",
        "is Cycle",
        "union",
        "intersection",
        "difference",
    ),
    *(
        "sites Top",
        "sites Bottom",
        "sites Left",
        "sites Right",
        "sites Outer",
        "sites Inner",
        "sites Corners",
        "sites Centre",
        "sites Board",
    ),
    *(
        "sites Row",
        "sites Column",
        "sites Phase",
        "sites Side",
        "sites Perimeter",
        "sites Start",
        "sites Layer",
        "sites",
        "expand",
    ),
    *(
        "sites Track",
        "trackSite Move",
        "trackSite EndSite",
        "ahead",
        "directions",
        "exact",
        "max",
        "min",
        "range",
        "piece",
        "player",
    ),
}

CAPTURES = {"custodial", "enclose", "surround", "intervene", "directional"}
_LOOPS = {
    "forEach Site",
    "forEach Piece",
    "forEach Direction",
    "forEach Value",
    "forEach Player",
    "forEach Level",
    "forEach",
    "forEach Group",
}
_FRAMES = {
    "and",
    "or",
    "if",
    "apply",
    "then",
    "allCombinations",
    "append",
    "priority",
    "from",
    "to",
    "between",
    *_LOOPS,
}


def conflicts(node: Ludeme) -> bool:
    """Whether some part of an effect is evaluated after a part that changes what it looks at."""
    return _scan(node, set())


def clears_stack(node: Ludeme) -> bool:
    """Whether a loop over levels just removes every level of the site, from the top."""
    if node.keyword != "forEach Level" or set(node.args) != {"site", "moves"}:
        return False
    inner, site = node.args["moves"], node.args["site"]
    if not isinstance(inner, Ludeme) or inner.keyword != "remove" or set(inner.args) != {"locationFunction", "level"}:
        return False
    level, place = inner.args["level"], inner.args["locationFunction"]
    if not (
        isinstance(level, Ludeme)
        and level.keyword == "level"
        and isinstance(site, Ludeme)
        and isinstance(place, Ludeme)
    ):
        return False
    return place.keyword == site.keyword and not place.args and not site.args


def _scan(node: Ludeme, written: set[str]) -> bool:
    if node.kind != "moves":
        return (
            _reads(node, written)
            if node.kind in ("int", "boolean", "region", "direction")
            else _scan_args(node, written)
        )
    if node.keyword in ("seq", "while"):
        return False
    if node.keyword == "if":
        return _scan_if(node, written)
    if node.keyword in CAPTURES:
        # These look first and act afterwards; only what was written before them matters.
        if any(_reads(part, written) for part in node.walk() if part.kind in ("int", "boolean", "region")):
            return True
        if written & {"board"}:
            return True
        written.add("board")
        return False
    if node.keyword == "sow" or (node.keyword == "do" and node.get("next") is not None):
        return _scan_sow(node, written)
    if clears_stack(node):
        written.add("board")
        return False
    if node.keyword in _LOOPS:
        return _scan_args(node, written) or _scan_args(node, written)
    if node.keyword in _FRAMES:
        return _scan_args(node, written)
    if any(_scan_value(v, written) for k, v in node.args.items() if k not in ("then", "to", "between")):
        return True
    if "level" in node.args and "board" in written:
        # Taking a piece from a level looks at how high the stack is.
        return True
    for name in ("to", "between"):
        if name in node.args and _scan_value(node.args[name], written):
            return True
    written.add(_WRITES.get(node.keyword, "board"))
    return False


def _scan_sow(node: Ludeme, written: set[str]) -> bool:
    """Sowing and ``do ... next:`` see their own changes by themselves; only what was written before them matters."""
    if "board" in written or any(
        _reads(part, written) for part in node.walk() if part.kind in ("int", "boolean", "region")
    ):
        return True
    for part in node.walk():
        if part.kind == "moves" and part.keyword not in _FRAMES:
            written.add(_WRITES.get(part.keyword, "board"))
    return False


def looks_at_board(node: Value | None) -> bool:
    """Whether what a part gives may change while pieces move."""
    return isinstance(node, Ludeme) and any(
        _reads(part, {"board"}) for part in node.walk() if part.kind in ("int", "boolean", "region")
    )


def _scan_if(node: Ludeme, written: set[str]) -> bool:
    if _scan_value(node.args["cond"], written):
        return True
    results: set[str] = set()
    for name in ("list", "elseList"):
        branch = set(written)
        if name in node.args and _scan_value(node.args[name], branch):
            return True
        results |= branch
    written |= results
    return False


def _scan_args(node: Ludeme, written: set[str]) -> bool:
    return any(_scan_value(value, written) for name, value in node.args.items() if name != "then")


def _scan_value(value: Value, written: set[str]) -> bool:
    if isinstance(value, Ludeme):
        return _scan(value, written)
    if isinstance(value, list):
        return any(_scan_value(item, written) for item in value)
    if isinstance(value, Word) and value.name == "Next":
        return "next" in written
    return False


def _reads(node: Ludeme, written: set[str]) -> bool:
    if not written:
        return False
    for part in node.walk():
        if part.keyword in _BLIND:
            continue
        tag = _READS.get(part.keyword, "board")
        if tag in written or (tag == "board" and written & {"state", "value"}):
            return True
        if tag == "state" and "board" in written:
            return True
    return False
