"""The rules of a piece as a labelled tree, after all macros are expanded.

Trees have the form in which Ludii compares pieces, so that the same pieces are near each other; `shapes.py` says what
that form is. A ludeme without an entry there has its parameters as children, in order, and ``null`` for each one that
is not written.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from ludoport.lud.signatures import language
from ludoport.lud.tree import Ludeme, Text, Value, Word
from ludoport.transfer.distance import LabelTree
from ludoport.transfer.shapes import SAME, SHAPES

NULL = LabelTree("null")
PLAYERS = 16
"""Number of players, besides 0, for which Ludii precomputes regions."""


def piece_tree(rules: Ludeme | None) -> LabelTree:
    """The tree of a piece's own rules; a piece that has none is a single node without a name.

    >>> from ludoport.lud.reading import read_text
    >>> text = '(game "G" (players 2) (equipment {(board (square 3)) (piece "Man" P1 (move Step Forward (to)))}))'
    >>> rules = next(node.get("generator") for node in read_text(text).root.walk() if node.kind == "component")
    >>> piece_tree(rules).size
    33
    """
    return LabelTree("") if rules is None else _node(rules)


def _node(ludeme: Ludeme) -> LabelTree:
    special = _SPECIAL.get(ludeme.key)
    if special is not None:
        return special(ludeme)
    keyword = SAME.get(ludeme.keyword, ludeme.keyword) if ludeme.kind == "moves" else ludeme.keyword
    key = f"{ludeme.kind}:{keyword}"
    shape = SHAPES.get(key)
    fields = _parameters(ludeme) if shape is None else [tree for word in shape.split() for tree in _field(ludeme, word)]
    return LabelTree(key, (*fields, *_inherited(ludeme)))


def _parameters(ludeme: Ludeme) -> list[LabelTree]:
    """The children of a ludeme whose class is not listed."""
    names = _parameter_names(ludeme.kind, ludeme.keyword, ludeme.alternative)
    return [tree for name in names if name != "then" for tree in _field(ludeme, name)]


@cache
def _parameter_names(kind: str, keyword: str, alternative: int) -> tuple[str, ...]:
    for signature in language().by_keyword.get(keyword, ()):
        if signature.kind == kind:
            for choice in signature.alternatives:
                if choice.index == alternative:
                    return tuple(dict.fromkeys(parameter.name for parameter in choice.parameters))
    return ()


def _inherited(ludeme: Ludeme) -> tuple[LabelTree, ...]:
    """The fields that all moves and all conditions have."""
    if ludeme.kind == "boolean":
        return NULL, NULL, NULL
    if ludeme.kind != "moves":
        return ()
    decision = ludeme.keyword == "move" or ludeme.keyword.startswith("move ")
    then = ludeme.get("then")
    return (_node(then) if isinstance(then, Ludeme) else NULL), _leaf(decision), _leaf(False)


def _field(ludeme: Ludeme, word: str) -> list[LabelTree]:
    """The trees of one field; see `shapes.py` for how fields are written."""
    mark, rest = word[0], word[1:]
    if mark == "=":
        return [LabelTree(rest)]
    if mark == "!":
        return [_default(rest, ludeme)]
    if mark == "*":
        return [] if _at(ludeme, rest) is not None else [NULL]
    if mark == "?":
        return [_leaf(_at(ludeme, rest) is True)]
    ahead = mark != "~"
    paths, _, default = (word if ahead else rest).partition(":")
    if "+" in paths:
        values = [_at(ludeme, path) for path in paths.split("+")]
        return [tree for value in values if value is not None for tree in _value(value, ahead)]
    for path in paths.split("|"):
        value = _at(ludeme, path.lstrip("$#"))
        if value is not None:
            return _marked(path[0], value, ahead)
    if default and not _elsewhere(ludeme, paths):
        return [_default(default, ludeme, ahead)]
    return [NULL]


def _marked(mark: str, value: Value, ahead: bool) -> list[LabelTree]:
    """A role or names of pieces as numbers; everything else as it is."""
    if mark == "$":
        return [_role(value)]
    if mark == "#":
        return [
            LabelTree("int:id", (LabelTree(str(name)), NULL))
            for name in (value if isinstance(value, list) else [value])
        ]
    return _value(value, ahead)


def _elsewhere(ludeme: Ludeme, path: str) -> bool:
    """Whether a place is given as a region, so that it has no default."""
    head, _, last = path.rpartition(".")
    return last == "loc" and _at(ludeme, f"{head}.region" if head else "region") is not None


def _at(ludeme: Ludeme, path: str) -> Value | None:
    value: Value | None = ludeme
    for name in path.split("."):
        if not isinstance(value, Ludeme):
            return None
        value = _bound(value, name) if value.kind == "range" else value.get(name)
    return value


def _bound(ludeme: Ludeme, name: str) -> Value | None:
    """The lower or upper end of a range."""
    if ludeme.keyword == "exact":
        return ludeme.get("value")
    if ludeme.keyword == "range" and name == "max" and ludeme.get("max") is None:
        return ludeme.get("min")
    value = ludeme.get(name)
    if value is None:
        return -1 if name == "min" else 1_000_000_000
    return value


def _value(value: Value, ahead: bool = True) -> list[LabelTree]:
    if isinstance(value, list):
        return [tree for item in value for tree in _value(item, ahead)]
    if isinstance(value, Ludeme):
        return [_directions(value, ahead) if value.kind == "direction" else _node(value)]
    if isinstance(value, Word):
        if value.enum == "AbsoluteDirection":
            return [_absolute(ahead)]
        return [_relative(value.name)] if value.enum == "RelativeDirection" else []
    if isinstance(value, bool):
        return [_condition("constant", _leaf(value))]
    if isinstance(value, int | float):
        return [LabelTree("int:constant", (LabelTree(str(value)),))]
    return [LabelTree(value.text)]


def _leaf(value: bool) -> LabelTree:
    return LabelTree("true" if value else "false")


def _condition(name: str, *fields: LabelTree) -> LabelTree:
    return LabelTree(f"boolean:{name}", (*fields, NULL, NULL, NULL))


def _role(value: Value) -> LabelTree:
    """A role as a number: players are constants, all others an `Id` without a name."""
    name = str(value)
    number = name.removeprefix("P").removeprefix("Team")
    if number.isdigit():
        return LabelTree("int:constant", (LabelTree(number),))
    return LabelTree("int:id", (NULL,))


def _absolute(ahead: bool) -> LabelTree:
    return LabelTree("directions", (NULL, _leaf(False), NULL, *(() if ahead else (NULL,)), *[NULL] * 5))


def _relative(*names: str, by_site: bool = False) -> LabelTree:
    cached = not by_site and not {"SameDirection", "OppositeDirection"} & set(names)
    return LabelTree("directions", (_leaf(by_site), *(() if cached else (NULL,)), *[NULL] * 7))


def _directions(ludeme: Ludeme, ahead: bool = True) -> LabelTree:
    if ludeme.keyword != "directions" or ludeme.alternative == 3:
        return LabelTree(ludeme.key, tuple(_parameters(ludeme)))
    if ludeme.alternative == 0:
        return _absolute(ahead)
    if ludeme.alternative == 1:
        words = ludeme.get("relativeDirections")
        names = words if isinstance(words, list) else [ludeme.get("relativeDirection")]
        return _relative(*map(str, names), by_site=ludeme.get("bySite") is True)
    ends = [tree for name in ("from", "to") for tree in _field(ludeme, name)]
    return LabelTree("directions", (NULL, NULL, _leaf(False), NULL, NULL, NULL, *ends, NULL, NULL))


def _is_in(ludeme: Ludeme) -> LabelTree:
    region, array, sites = ludeme.get("region"), ludeme.get("array"), ludeme.get("sites")
    if array is None and sites is None:
        return _condition("is In one", *_field(ludeme, "site:to"), *([NULL] if region is None else _value(region)))
    places = _value(sites) if sites is not None else _field(ludeme, "site:to")
    return _condition("is In", *places, *_field(ludeme, "region"), *_field(ludeme, "array"))


def _named_region(ludeme: Ludeme) -> LabelTree:
    """A region of the equipment: worked out once, or for every player where it is the mover's."""
    if ludeme.alternative != 4:
        return LabelTree(ludeme.key, tuple(_parameters(ludeme)))
    owner = ludeme.get("role") or ludeme.get("player")
    index = NULL if owner is None else _role(owner) if isinstance(owner, Word) else _value(owner)[0]
    moving = owner is not None and index.label != "int:constant"
    regions = [NULL, *[_default("region", ludeme)] * (PLAYERS + 1)] if moving else [_default("region", ludeme), NULL]
    name = ludeme.get("name")
    return LabelTree("region:named", (*regions, index, LabelTree(name.text if isinstance(name, Text) else ""), NULL))


def _identity(ludeme: Ludeme) -> LabelTree:
    if ludeme.alternative == 1:
        return LabelTree("int:id of component", (*_field(ludeme, "name"), LabelTree("-1")))
    return LabelTree("int:id", tuple(_field(ludeme, "name")))


def _promotion(ludeme: Ludeme) -> LabelTree:
    """Names of pieces leave no trace, numbers do."""
    what = ludeme.get("what")
    named = isinstance(what, Ludeme) and bool({"nameComponent", "nameComponents"} & what.args.keys())
    role = ludeme.get("role")
    owner = [_role(role)] if role is not None else _field(ludeme, "who.index")
    names = [] if named else [NULL]
    pieces = [NULL, NULL] if named else [*_field(ludeme, "what.component"), *_field(ludeme, "what.components")]
    return LabelTree("moves:promote", (*_field(ludeme, "locationFn:to"), *owner, *names, *pieces, *_inherited(ludeme)))


def _who(ludeme: Ludeme) -> LabelTree:
    level = [] if ludeme.get("level") is None else _field(ludeme, "level")
    return LabelTree("int:who at level" if level else "int:who", (*_field(ludeme, "at"), *level))


_SPECIAL: dict[str, Callable[[Ludeme], LabelTree]] = {
    "boolean:is In": _is_in,
    "region:sites": _named_region,
    "int:id": _identity,
    "int:who": _who,
    "moves:promote": _promotion,
    "moves:move Promote": _promotion,
    "direction:directions": _directions,
}


def _default(name: str, ludeme: Ludeme, ahead: bool = True) -> LabelTree:
    """Default of an argument that is not written."""
    if name.lstrip("-").isdigit():
        return LabelTree("int:constant", (LabelTree(name),))
    if name == "adjacent":
        return _absolute(ahead)
    if name == "hurdle":
        return NULL if ludeme.get("between") is not None else _DEFAULTS["true"]
    if name == "walk":
        turns = _field(ludeme, "rotations:true")
        return LabelTree("region:walk", (*_field(ludeme, "from.loc:from"), *turns))
    return _DEFAULTS[name]


_TO, _BETWEEN, _FROM = LabelTree("int:to"), LabelTree("int:between"), LabelTree("int:from", (NULL,))
_DEFAULTS: dict[str, LabelTree] = {
    "to": _TO,
    "from": _FROM,
    "mover": LabelTree("int:mover"),
    "true": _condition("constant", _leaf(True)),
    "false": _condition("constant", _leaf(False)),
    "last": LabelTree("int:last To", (_condition("constant", _leaf(False)),)),
    "forward": _relative("Forward"),
    "region": LabelTree("region", (LabelTree("?"),)),
    "empty": _condition("is In", _BETWEEN, LabelTree("region:sites Empty"), NULL),
    "enemy": _condition("is Enemy", _BETWEEN),
    "friend": _condition("is Friend", _TO),
    "remove": LabelTree(
        "moves:move Remove",
        (LabelTree("int:constant", (LabelTree("1"),)), NULL, NULL, NULL, _leaf(False), _leaf(False)),
    ),
}
