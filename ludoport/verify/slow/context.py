"""Context in which a ludeme is evaluated: the game, the position, and the values of the iterators."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from ludoport.lud.tree import Ludeme, Word
from ludoport.verify.slow.position import Standing, TreePosition
from ludoport.verify.slow.registry import NotCovered, evaluate

if TYPE_CHECKING:
    from ludoport.verify.slow.equipment import TreeGame

Action = Callable[["Context"], None]


@dataclass
class TreeMove:
    """A move that a rule made: what it does, and what people call it.

    Attributes:
        actions: done one after another; an action may itself play a move of an effect.
        thens: the consequents, the innermost first.
        again: whether one of the actions gives the turn to the mover.
    """

    mover: int
    from_: int = -1
    to: int = -1
    actions: list[Action] = field(default_factory=list)
    thens: list[Ludeme] = field(default_factory=list)
    from_kind: str = ""
    to_kind: str = ""
    word: str = ""
    between: tuple[int, ...] = ()
    piece: int = 0
    marks: dict[str, int] = field(default_factory=dict)
    forced: bool = False

    @property
    def passed(self) -> bool:
        """Whether it is a pass."""
        return self.word == "pass"


class Context:
    """A game, a position and the values of the iterators; `at` gives another one with other iterators."""

    def __init__(self, game: TreeGame, position: TreePosition, slots: dict[str, Any] | None = None) -> None:
        self.game = game
        self.position = position
        self.slots: dict[str, Any] = slots or {}
        self.asking_threats = False

    def slot(self, name: str) -> int:
        """The value of an iterator, -1 if it has none."""
        return int(self.slots.get(name, -1))

    def at(self, **slots: Any) -> Context:
        """The same place with other iterators."""
        new = Context(self.game, self.position, {**self.slots, **slots})
        new.asking_threats = self.asking_threats
        return new

    def fresh(self) -> Context:
        """The same position without iterators, where consequents run."""
        new = Context(self.game, self.position)
        new.asking_threats = self.asking_threats
        return new

    def copied(self) -> Context:
        """The same iterators on a copy of the position."""
        new = Context(self.game, self.position.copy(), dict(self.slots))
        new.asking_threats = self.asking_threats
        return new

    # What stands on a site

    def spot(self, site: int, kind: str | None = None) -> tuple[str, int]:
        """The place of a site in a position; hands count as sites of the board's kind."""
        default = self.game.kind
        if kind is None or kind == default or (kind == "Cell" and site >= len(self.game.board.graph.faces)):
            return default, site
        return kind, site

    def pieces(self, site: int, kind: str | None = None) -> list[Standing]:
        """The pieces on a site, bottom first."""
        return self.position.stacks.get(self.spot(site, kind), [])

    def piece(self, site: int, kind: str | None = None, level: int = -1) -> Standing | None:
        """The top piece of a site, or that of a level."""
        pieces = self.pieces(site, kind)
        if not pieces or level >= len(pieces):
            return None
        return pieces[level] if level >= 0 else pieces[-1]

    def what(self, site: int, kind: str | None = None, level: int = -1) -> int:
        """The component on a site, 0 for none."""
        piece = self.piece(site, kind, level)
        return piece.what if piece else 0

    def who(self, site: int, kind: str | None = None, level: int = -1) -> int:
        """The owner of the piece on a site."""
        piece = self.piece(site, kind, level)
        return self.game.components[piece.what].owner if piece else 0

    def empty(self, site: int, kind: str | None = None) -> bool:
        """Whether a site of the board exists and is empty."""
        return site >= 0 and not self.pieces(site, kind)

    # Players

    def role(self, word: Any) -> int:
        """The number of a player who plays a role."""
        name = word.name if isinstance(word, Word) else str(word)
        position = self.position
        numbers = {"Mover": position.mover, "Next": position.next, "Prev": position.prev, "Neutral": 0}
        if name in numbers:
            return numbers[name]
        if name[0] == "P" and name[1:].isdigit():
            return int(name[1:])
        if name in ("Shared", "All", "Each", "Any"):
            return self.game.n_players + 1
        if name == "Player":
            return self.slot("player")
        raise NotCovered(f"the role {name} as a number")

    def players(self, word: Any) -> list[int]:
        """The players that a role means: 0 is Neutral, one more than the players is Shared."""
        name = word.name if isinstance(word, Word) else str(word)
        everybody = list(range(1, self.game.n_players + 1))
        mover = self.position.mover
        if name in ("All", "Any"):
            return [0, *everybody, self.game.n_players + 1]
        if name == "Each":
            return everybody
        if name in ("Enemy", "NonMover"):
            return [p for p in everybody if (self.is_enemy(p) if name == "Enemy" else p != mover)]
        if name in ("Friend", "Ally"):
            return [p for p in everybody if self.is_friend(p) and not (name == "Ally" and p == mover)]
        return [self.role(word)]

    def is_enemy(self, player: int) -> bool:
        """Whether a player plays against the mover."""
        teams = self.position.teams
        if player in (0, self.position.mover) or player > self.game.n_players:
            return False
        return not teams or teams[player] != teams[self.position.mover]

    def is_friend(self, player: int) -> bool:
        """Whether a player is the mover or of its team."""
        teams = self.position.teams
        if player == self.position.mover:
            return True
        return bool(teams) and 0 < player < len(teams) and teams[player] == teams[self.position.mover]


def number(node: Any, cx: Context, default: int = -1) -> int:
    """A part of the text as a number."""
    return default if node is None else int(evaluate(node, cx))


def truth(node: Any, cx: Context, default: bool = True) -> bool:
    """A part of the text as a condition."""
    return default if node is None else bool(evaluate(node, cx))


def region(node: Any, cx: Context) -> list[int]:
    """A part of the text as sites in ascending order, each once."""
    if isinstance(node, list):
        return sorted({number(item, cx) for item in node})
    return sorted(set(evaluate(node, cx)))


def numbers(node: Any, cx: Context) -> list[int]:
    """A part of the text as a list of numbers, in its order."""
    if isinstance(node, list):
        return [number(item, cx) for item in node]
    return list(evaluate(node, cx))


def moves(node: Any, cx: Context) -> list[TreeMove]:
    """A part of the text as moves."""
    return list(evaluate(node, cx))


def kind(node: Ludeme, cx: Context, name: str = "type") -> str:
    """The kind of site that a ludeme names, or that of the board."""
    word = node.get(name)
    return word.name if isinstance(word, Word) else cx.game.kind


def player(node: Ludeme, cx: Context, index: str = "player", role: str = "role") -> int | None:
    """The player that a ludeme names by a number, a ``(player ...)`` or a role."""
    named = node.get(index)
    if named is not None:
        if isinstance(named, Word):
            return cx.role(named)
        return number(named, cx)
    word = node.get(role)
    return None if word is None else cx.role(word)
