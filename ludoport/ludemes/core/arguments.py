"""Which arguments of a game file the compiler looked at.

An argument that is written and that nothing looks at would be a rule that is silently left out. After the kernels are
written, every such argument is refused by name, unless its ludeme declares it to be without effect (``ignores`` in
``traits.py``). Passes that only search through a text use ``Ludeme.peek``, ``Ludeme.parts`` and ``Ludeme.walk``, which
do not count as looking.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from ludoport.errors import UnsupportedError
from ludoport.lud.printing import written_argument
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.traits import traits

_PLACES = ("at", "loc", "site", "locationFunction", "region", "regionFunction")
"""Parameters that say which sites a ludeme looks at."""


class Arguments(dict[str, Value]):
    """The arguments of one ludeme, with the names of those that were looked at."""

    __slots__ = ("seen",)

    def __init__(self, args: dict[str, Value]) -> None:
        super().__init__(args)
        self.seen: set[str] = set()

    def __getitem__(self, name: str) -> Value:
        self.seen.add(name)
        return super().__getitem__(name)

    def get(self, name: str, default: Any = None) -> Any:
        """An argument that may be missing."""
        self.seen.add(name)
        return super().get(name, default)

    def values(self) -> Any:
        """All arguments."""
        self.seen.update(self)
        return super().values()

    def items(self) -> Any:
        """All arguments with their names."""
        self.seen.update(self)
        return super().items()


@dataclass(frozen=True)
class Unread:
    """An argument that nothing looked at."""

    node: Ludeme
    name: str

    def error(self) -> UnsupportedError:
        """The refusal, which names the argument and its place."""
        value = self.node.peek(self.name)
        while isinstance(value, list) and value:
            value = value[0]
        place = getattr(value, "source", None) or self.node.source
        return UnsupportedError(
            f"the argument `{written_argument(self.node, self.name)}` of `{self.node.keyword}` is not implemented here",
            place,
        )


def settle(*values: Value | None) -> None:
    """Count parts of a text as looked at: what is known already makes them irrelevant."""
    for value in values:
        if isinstance(value, list):
            settle(*value)
        elif isinstance(value, Ludeme):
            for part in value.walk():
                part.args.values()


def settle_unused(*values: Value) -> None:
    """Count definitions that no rule asks for as looked at; of one that a rule asks for, every argument must be."""
    for value in values:
        if isinstance(value, Ludeme) and isinstance(value.args, Arguments) and not value.args.seen:
            settle(value)


def _right_anyway(node: Ludeme, value: Value, own_kind: str) -> bool:
    """Whether an argument names the kind of sites that its ludeme gets anyway.

    Sites of all kinds share one numbering, so a number that comes from a region or from a move belongs to the right
    kind; one that is written down or calculated counts within the kind that is named.
    """
    if not (isinstance(value, Word) and value.enum == "SiteType"):
        return False
    if value.name == own_kind:
        return True
    return bool(traits(node).get("given_sites")) and not any(
        isinstance(part, int) or (isinstance(part, Ludeme) and (traits(part).get("calculates") or part.peek("sites")))
        for part in map(node.peek, _PLACES)
    )


def unread(root: Ludeme, own_kind: str) -> Iterator[Unread]:
    """The arguments that nothing looked at, outermost ones only, in text order.

    Args:
        root: the game.
        own_kind: the kind of sites that is played on.
    """
    known: set[int] = set()

    def below(value: Value) -> Iterator[Unread]:
        if isinstance(value, list):
            for item in value:
                yield from below(item)
        elif isinstance(value, Ludeme) and id(value) not in known:
            known.add(id(value))
            seen = value.args.seen if isinstance(value.args, Arguments) else set(value.args)
            ignored = traits(value).get("ignores", {})
            for name in value.args:
                part = value.peek(name)
                assert part is not None
                if name in seen:
                    yield from below(part)
                elif name not in ignored and not _right_anyway(value, part, own_kind):
                    yield Unread(value, name)

    yield from below(root)


def refuse_unread(root: Ludeme, own_kind: str) -> None:
    """Refuse the first argument that nothing looked at.

    Raises:
        UnsupportedError: there is one.
    """
    for found in unread(root, own_kind):
        raise found.error()
