"""Which fields a row has: a state row, a move row and the scratch space of one game."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass
class Layout:
    """Named blocks of integers that lie one after another in a row.

    A field exists only when something asked for it; asking twice gives the same field.
    """

    fields: dict[str, int] = field(default_factory=dict)
    offsets: dict[str, int] = field(default_factory=dict)
    size: int = 0

    def want(self, name: str, size: int = 1) -> str:
        """Make sure that a field exists, and return its name."""
        known = self.fields.get(name)
        if known is None:
            self.fields[name] = size
            self.offsets[name] = self.size
            self.size += size
        elif known != size:
            raise AssertionError(f"field {name} was asked for with sizes {known} and {size}")
        return name

    def put_last(self, name: str) -> None:
        """Put a field, if it exists, behind all others."""
        if name in self.fields:
            size, before = self.fields[name], self.offsets[name]
            self.offsets = {n: at - size if at > before else at for n, at in self.offsets.items()}
            self.offsets[name] = self.size - size

    def has(self, name: str) -> bool:
        """Whether anything asked for this field."""
        return name in self.fields
