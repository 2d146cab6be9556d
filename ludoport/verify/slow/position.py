"""A position as plain objects, and how it is copied."""

from __future__ import annotations

from dataclasses import dataclass, field

Spot = tuple[str, int]
"""A kind of site and its number."""


@dataclass(slots=True)
class Standing:
    """One piece, or several alike, on a level of a site."""

    what: int
    count: int = 1
    state: int = 0
    rotation: int = 0
    value: int = 0


@dataclass(slots=True)
class PastMove:
    """A move of the history."""

    mover: int
    from_: int
    to: int
    passed: bool = False
    swapped: bool = False
    between: tuple[int, ...] = ()
    from_kind: str = ""
    to_kind: str = ""


@dataclass
class TreePosition:
    """Everything that changes in the course of a game."""

    stacks: dict[Spot, list[Standing]] = field(default_factory=dict)
    owners: dict[Spot, int] = field(default_factory=dict)
    mover: int = 1
    next: int = 2
    prev: int = 0
    turn: int = 1
    moves: int = 0
    moves_this_turn: int = 0
    counter: int = -1
    temp: int = -1
    scores: list[int] = field(default_factory=list)
    amounts: list[int] = field(default_factory=list)
    pot: int = 0
    player_values: list[int] = field(default_factory=list)
    variables: dict[str, int] = field(default_factory=dict)
    remembered: dict[str, list[int]] = field(default_factory=dict)
    pending: list[int] = field(default_factory=list)
    to_clear: list[int] = field(default_factory=list)
    visited: set[int] = field(default_factory=set)
    triggered: set[tuple[str, int]] = field(default_factory=set)
    proposed: list[str] = field(default_factory=list)
    votes: list[str] = field(default_factory=list)
    decided: str = ""
    phases: list[int] = field(default_factory=list)
    stalemated: list[bool] = field(default_factory=list)
    active: list[int] = field(default_factory=list)
    ranks: dict[int, float] = field(default_factory=dict)
    over: bool = False
    touched: int = -1
    seats: list[int] = field(default_factory=list)
    history: list[PastMove] = field(default_factory=list)
    seen: list[object] = field(default_factory=list)
    seen_this_turn: list[object] = field(default_factory=list)
    teams: list[int] = field(default_factory=list)

    def copy(self) -> TreePosition:
        """Another position with the same contents."""
        new = TreePosition.__new__(TreePosition)
        for name, value in self.__dict__.items():
            if isinstance(value, list | set | dict):
                value = value.copy()
            new.__dict__[name] = value
        new.stacks = {
            spot: [Standing(p.what, p.count, p.state, p.rotation, p.value) for p in pieces]
            for spot, pieces in self.stacks.items()
            if pieces
        }
        new.remembered = {name: list(values) for name, values in self.remembered.items()}
        return new

    @property
    def last(self) -> PastMove | None:
        """The last move, placements of the start included."""
        return self.history[-1] if self.history else None

    def contents(self) -> tuple[object, ...]:
        """Pieces by site, as a value that can be compared."""
        return tuple(
            sorted(
                (spot, tuple((p.what, p.count, p.state, p.rotation, p.value) for p in pieces))
                for spot, pieces in self.stacks.items()
                if pieces
            )
        )
