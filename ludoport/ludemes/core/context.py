"""Where a piece of kernel code is being written: the function, the bound iterators, the moves' surroundings."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, TypeAlias

from ludoport.kernels.source import Function, wide
from ludoport.lud.tree import Ludeme

if TYPE_CHECKING:
    from ludoport.ludemes.core.digits import Digits
    from ludoport.ludemes.core.program import Program
    from ludoport.ludemes.core.region import Region

Expr: TypeAlias = int | str
"""A number known at compile time, or the text of an expression."""

Bool: TypeAlias = bool | str

UNSET: dict[str, Expr] = {
    "mover": "mover",
    "nxt": "nxt",
    "prv": "prv",
    "frm": -1,
    "to": -1,
    "btw": -1,
    "site": -1,
    "lvl": -1,
    "plr": -1,
    "val": -1,
    "hint": -1,
    "trk": -1,
    "die": -1,
    "pips": -1,
    "team": -1,
    "tag": 0,
}
"""The iterators of the language, by their names in kernels, and what they hold where nothing binds them."""


def one_less(value: Expr) -> Expr:
    """A number less 1."""
    return value - 1 if isinstance(value, int) else f"{value} - 1"


def divided(value: str, by: int) -> str:
    """Code for a whole division; by 1, there is nothing to divide."""
    return value if by == 1 else f"{value} // {by}"


_NAME = re.compile(r"[A-Za-z_]\w*\Z")


@dataclass
class Cx:
    """One point in the generated code.

    Attributes:
        program: the game being compiled.
        fn: the function being written.
        slots: what each iterator is bound to here.
        safe: names of variables that always hold a site (never -1).
        chain: consequents of the enclosing ludemes, innermost first.
        filters: ``ifAfterwards`` conditions around the moves being generated, each with the chain it sees.
        threat: inside ``is Threatened``, where nested threats count as false.
        stuck: inside ``no Moves Next``, where the same question counts as false.
        owner: expression for the owner of the piece at ``frm`` where it is known.
        group: the sites that ``(sites)`` stands for, inside a loop over groups of sites.
        picking: loops are replaced by digits of a candidate number (see ``picking.py``).
        buffer: actions are collected at this level and done later, because what follows must not see them.
    """

    program: Program
    fn: Function
    slots: dict[str, Expr]
    safe: frozenset[str] = frozenset()
    chain: tuple[Ludeme, ...] = ()
    filters: tuple[Filter, ...] = ()
    threat: bool = False
    stuck: bool = False
    owner: Expr | None = None
    buffer: int | None = None
    picking: Digits | None = None
    group: Region | None = None
    source: Ludeme | None = None

    def plain(self) -> Cx:
        """The same place for code whose loops are loops."""
        return self if self.picking is None else replace(self, picking=None)

    def bind(self, **slots: Expr) -> Cx:
        """The same place with some iterators rebound; variables bound so are known to hold sites."""
        merged = {**self.slots, **slots}
        return replace(self, slots=merged)

    def sure(self, *names: Expr) -> Cx:
        """The same place, knowing that these variables hold sites."""
        return replace(self, safe=self.safe | {str(name) for name in names})

    def inside(self, then: Ludeme | None) -> Cx:
        """The place inside a ludeme that carries a consequent."""
        return self if then is None else replace(self, chain=(then, *self.chain))

    def chain_key(self) -> object:
        """Key that differs between places whose moves carry different consequents or conditions."""
        return (tuple(map(id, self.chain)), self.filters)

    # Writing lines -----------------------------------------------------------------------------

    def line(self, text: str) -> None:
        """Write one line."""
        self.fn.line(text)

    @contextmanager
    def block(self, header: str) -> Iterator[None]:
        """Write a header and indent what follows."""
        with self.fn.block(header):
            yield

    @contextmanager
    def when(self, condition: Bool) -> Iterator[bool]:
        """Write ``if condition:`` unless it is known; yields False if the code can never run."""
        if condition is True:
            yield True
        elif condition is False:
            mark = len(self.fn.lines)
            yield False
            del self.fn.lines[mark:]
        else:
            with self.fn.block(f"if {condition}:"):
                yield True

    def name(self, value: Expr, stem: str = "v") -> str:
        """A plain name (or number) for a value, assigned to a fresh variable where it is an expression."""
        text = str(value)
        if isinstance(value, int) or _NAME.match(text):
            return text
        name = self.fn.fresh(stem)
        self.line(f"{name} = {text}")
        return name

    def once(self, value: Expr) -> Expr:
        """A value that may be written several times: a known number itself, or a name."""
        return value if isinstance(value, int) else self.name(value)

    def fresh(self, stem: str) -> str:
        """A new local name."""
        return self.fn.fresh(stem)

    def act(self, name: str, *arguments: Expr) -> None:
        """Write one change of the state: now, or into the buffer of actions."""
        self.program.primitives.add(name)
        if self.buffer is None:
            self.line(f"{name}({', '.join(('state', *map(wide, arguments)))})")
        else:
            self.program.rules.buffer.push(self, name, arguments)

    # Functions ---------------------------------------------------------------------------------

    def call(
        self,
        stem: str,
        node: Ludeme | None,
        body: Callable[[Cx], None],
        params: tuple[str, ...] = (),
        arguments: tuple[str, ...] = (),
        key: object = None,
        on: str = "state",
    ) -> str:
        """Write a function of its own and return the text of a call to it.

        Args:
            stem: start of the function's name.
            node: the ludeme it serves, for the comment and for sharing.
            body: writes the function; it must end with a ``return`` on every path that matters.
            params: further parameters after ``state, work``.
            arguments: what this call passes for them.
            key: functions with an equal key (and equal fixed iterators) are written once.
            on: the row that the call works on.
        """
        fixed = tuple((s, v) for s, v in self.slots.items() if isinstance(v, int))
        names = {s: (v if isinstance(v, int) else s) for s, v in self.slots.items()}
        carried = frozenset(s for s, v in self.slots.items() if isinstance(v, str) and v in self.safe)
        owner = self.owner if self.owner is None or isinstance(self.owner, int) else "mover"
        if owner == "mover" and self.owner != self.slots["mover"]:
            owner = None
        memo_key = None if key is None else (stem, key, fixed, carried, self.threat, self.stuck, owner, self.buffer)
        known = self.program.shared.get(memo_key) if memo_key is not None else None
        if known is None:
            function = Function(f"{stem}_{self.program.module.number()}", [])
            function.comment = self.program.cite(node) if node is not None else ""
            if key is None:
                # A function for one place may ask for the variables of that place, which its own must not hide.
                function.begin_names_after(self.fn)
            inner = replace(
                self.plain(),
                fn=function,
                slots=names,
                safe=carried,
                owner=owner,
                source=node if node is not None else self.source,
            )
            body(inner)
            used = [s for s, v in names.items() if v == s and function.uses(s)]
            if key is None:
                captured = sorted(function.unknown() & self.fn.assigned() - {*used, *params})
                params, arguments = (*params, *captured), (*arguments, *captured)
            function.params = ["state", "work", *params, *used]
            self.program.module.functions.append(function)
            known = (function.name, used)
            if memo_key is not None:
                self.program.shared[memo_key] = known
        name, used = known
        passed = [wide(self.slots[s]) for s in used]
        return f"{name}({', '.join([on, 'work', *arguments, *passed])})"


@dataclass(frozen=True, eq=False)
class Filter:
    """An ``ifAfterwards`` condition and the consequents that already belong to the move when it is tested."""

    condition: Ludeme
    scope: Ludeme
    """The generator whose moves are tested."""
    outer: int = 0
    """How many of the enclosing consequents lie outside of the condition."""
    piece: bool = False
    """Whether the moves are those of a piece, which is still ``(from)`` when the condition is tested."""
