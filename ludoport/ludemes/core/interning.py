"""Equal parts of a description become one object, so that code for them is written once."""

from __future__ import annotations

from dataclasses import replace

from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.arguments import Arguments


def intern(root: Ludeme) -> Ludeme:
    """The same tree with equal ludemes shared; each keeps the place of its first occurrence."""
    return _Interner().ludeme(root)


class _Interner:
    def __init__(self) -> None:
        self.known: dict[object, Ludeme] = {}

    def ludeme(self, node: Ludeme, within: str = "") -> Ludeme:
        args: dict[str, Value] = {name: self.value(value, node) for name, value in node.args.items()}
        # Parts such as `(to ...)` are read by the ludeme around them, each of which looks at other arguments.
        reader = within if node.kind == "util" else ""
        named = tuple((name, _key(value)) for name, value in args.items())
        key = (node.kind, node.keyword, node.alternative, reader, named)
        found = self.known.get(key)
        if found is None:
            found = replace(node, args=Arguments(args))
            self.known[key] = found
        return found

    def value(self, value: Value, parent: Ludeme) -> Value:
        if isinstance(value, Ludeme):
            return self.ludeme(value, parent.key)
        if isinstance(value, list):
            return [self.value(item, parent) for item in value]
        return value


def _key(value: Value) -> object:
    """Identity of an interned value, without its place in the text."""
    if isinstance(value, Ludeme):
        return id(value)
    if isinstance(value, list):
        return tuple(_key(item) for item in value)
    if isinstance(value, Word):
        return ("word", value.enum, value.name)
    if isinstance(value, (bool, int, float)):
        return (type(value), value)
    return ("text", str(value))
