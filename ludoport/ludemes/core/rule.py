"""Moves as rows: a rule, which is one way of making moves, and what its moves keep."""

from __future__ import annotations

from dataclasses import dataclass, field

from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.context import Cx, Expr
from ludoport.ludemes.core.sinks import Spec

COLUMNS = {
    "btw": "BTW",
    "site": "SITE",
    "lvl": "LEVEL",
    "plr": "PLAYER",
    "val": "NUMBER",
    "what": "PIECE",
    "mover": "BY",
    "die": "DIE",
    "pips": "PIPS",
}
"""Where iterator values are kept in a move's row when playing the move needs them again."""


@dataclass
class Rule:
    """One way of making moves, with a number that every such move carries."""

    number: int
    spec: Spec
    chain: tuple[Ludeme, ...]
    columns: list[str] = field(default_factory=list)
    needed: list[str] = field(default_factory=list)
    fixed: dict[str, Expr] = field(default_factory=dict)

    def write(self, cx: Cx, spec: Spec, target: str) -> None:
        """Write the code that stores one move of this rule in a row."""
        cx.line(f"{target.format('RULE')} = {self.number}")
        cx.line(f"{target.format('FROM')} = {spec.frm}")
        cx.line(f"{target.format('TO')} = {spec.to}")
        values = {**cx.slots, **spec.slots}
        for slot in self.needed:
            cx.line(f"{target.format(COLUMNS[slot])} = {values[slot]}")

    def keep(self, cx: Cx, row: str) -> str:
        """Code that tests whether the move in a row passes all tests; empty if there are none."""
        tests = [cx.program.rules.keep(cx, f, row) for f in cx.filters]
        return " and ".join(t for t in tests if t)

    def keep_in_threat(self, cx: Cx, spec: Spec, row: str) -> str:
        """The same while looking for threats, where tests about threats pass by themselves."""
        tests = [cx.program.rules.keep(cx, f, row) for f in cx.filters]
        texts = [t for t in tests if t]
        if texts:
            self.write(cx, spec, f"{row}[{{}}]")
        return " and ".join(texts)
