"""The equipment of a game in the order of its text: players, board, components, hands, named regions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.large_pieces import read_walks
from ludoport.ludemes.core.tile_paths import TilePath, read_paths
from ludoport.ludemes.core.traits import declare

declare("game:game", ignores={"name": "the title"})
_BOUNDS = dict.fromkeys(("maxState", "maxCount", "maxValue"), "a bound, not a rule")
declare("component:piece", ignores=_BOUNDS)
declare("component:tile", ignores={"numSides": "how it is drawn", **_BOUNDS})
declare("item:map", ignores=dict.fromkeys(("name", "pairs", "keys", "values"), "no rule asks for this map"))
declare("item:hints", ignores=dict.fromkeys(("label", "records", "type"), "no rule asks for these hints"))


_BOARDS = ("board", "mancalaBoard", "surakartaBoard", "boardless")

_LARGEST_HAND = 1000
"""Sites of one hand."""


@dataclass
class Component:
    """A piece type of one owner."""

    index: int
    name: str
    """Full name: the given name and the owner's number."""
    label: str
    """The given name."""
    owner: int
    moves: Ludeme | None = None
    flips: tuple[int, int] | None = None
    value: int = 0
    facing: str | None = None
    faces: tuple[int, ...] = ()
    """The numbers on the faces of a die."""
    pips: tuple[int, ...] = ()
    """The two numbers of a domino."""
    paths: tuple[TilePath, ...] = ()
    """Ways between the sides of a tile."""
    walks: tuple[tuple[str, ...], ...] = ()
    """The walks that give the shapes of a tile larger than a cell."""


@dataclass
class Hand:
    """Sites of a player beside the board."""

    owner: int
    base: int
    size: int


@dataclass
class NamedRegion:
    """A region written in the equipment."""

    name: str
    owner: int
    parts: list[Value]
    plain: bool = False


def role_number(word: str, n_players: int) -> int | None:
    """The player number of a role that does not depend on the state."""
    if word == "Neutral":
        return 0
    if word in ("Shared", "All", "Each", "Any"):
        return n_players + 1
    if word.startswith("P") and word[1:].isdigit():
        return int(word[1:])
    return None


def read_players(root: Ludeme) -> tuple[int, dict[int, str]]:
    """The number of players, and where players face that are said to."""
    players = root.args["players"]
    assert isinstance(players, Ludeme)
    listed = players.get("players")
    facing: dict[int, str] = {}
    if isinstance(listed, list):
        count = len(listed)
        for index, player in enumerate(listed, 1):
            assert isinstance(player, Ludeme)
            direction = player.get("dirn")
            if isinstance(direction, Word):
                facing[index] = direction.name
    else:
        number = players.args["numPlayers"]
        assert isinstance(number, int)
        count = number
    if not 0 <= count <= 16:
        raise LudError(f"a game needs 0 to 16 players, not {count}", players.source)
    return count, facing


def read_items(equipment: Ludeme) -> list[Ludeme]:
    """Everything that the equipment lists."""
    return [item for item in equipment.args["items"] if isinstance(item, Ludeme)]  # type: ignore[union-attr]


def refuse_items(items: list[Ludeme]) -> None:
    """Say which equipment cannot be compiled."""
    for item in items:
        if item.kind == "item" and item.keyword not in ("map", "regions", "hints", "dominoes"):
            raise UnsupportedError(f"the equipment `{item.keyword}` is not implemented yet", item.source)


def find_board(equipment: Ludeme) -> Ludeme:
    """The board, of which there is one."""
    boards = [item for item in read_items(equipment) if item.kind == "container" and "oard" in item.keyword]
    if len(boards) != 1:
        raise LudError("a game needs exactly one board", equipment.source)
    return boards[0]


def add_balls(components: list[Component], n_players: int) -> None:
    """Without pieces, every player has a ball."""
    for p in range(1, n_players + 1):
        components.append(Component(len(components), f"Ball{p}{p}" if n_players > 1 else "Ball1", f"Ball{p}", p))


def read_components(items: list[Ludeme], n_players: int, dice: Sequence[Component] = ()) -> list[Component]:
    """The components in the order of their numbers, dice first; number 0 is the empty site."""
    components = [Component(0, "", "", 0), *dice]
    for item in items:
        if item.kind != "component":
            continue
        if item.keyword not in ("piece", "tile"):
            raise UnsupportedError(f"the component `{item.keyword}` is not implemented yet", item.source)
        tile = item.keyword == "tile"
        paths = read_paths(item) if tile else ()
        walks = read_walks(item) if tile else ()
        label = str(item.args["name"])
        role = item.get("role")
        word = role.name if isinstance(role, Word) else "Shared" if tile else "Each"
        if word == "Each":
            owners = list(range(1, n_players + 1))
        else:
            number = role_number(word, n_players)
            if number is None:
                raise LudError(f"a piece cannot belong to `{word}`", item.source)
            owners = [number]
        flips = item.get("flips")
        generator = item.get("generator")
        facing = item.get("dirn")
        for owner in owners:
            shared = owner == n_players + 1
            components.append(
                Component(
                    len(components),
                    label if shared or n_players == owner == 1 else f"{label}{owner}",
                    label,
                    owner,
                    generator if isinstance(generator, Ludeme) else None,
                    _flips(flips),
                    facing=facing.name if isinstance(facing, Word) else None,
                    paths=paths,
                    walks=walks,
                )
            )
    return components


def _flips(value: Value | None) -> tuple[int, int] | None:
    if not isinstance(value, Ludeme):
        return None
    a, b = value.args["flipA"], value.args["flipB"]
    assert isinstance(a, int) and isinstance(b, int)
    return a, b


def read_hands(items: list[Ludeme], n_players: int, base: int) -> list[Hand]:
    """The hands, numbered after the board."""
    hands: list[Hand] = []
    for item in items:
        if item.kind != "container" or item.keyword in (*_BOARDS, "dice"):
            continue
        if item.keyword != "hand":
            raise UnsupportedError(f"the container `{item.keyword}` is not implemented yet", item.source)
        role = item.args["role"]
        assert isinstance(role, Word)
        size = item.get("size")
        count = size if isinstance(size, int) else 1
        number = role_number(role.name, n_players)
        owners = list(range(1, n_players + 1)) if role.name == "Each" else [number or 0]
        if not 1 <= count <= _LARGEST_HAND:
            raise LudError(f"a hand has 1 to {_LARGEST_HAND:,} sites, not {count:,}", item.source)
        for owner in owners:
            hands.append(Hand(owner, base, count))
            base += count
    return hands


def read_regions(items: list[Ludeme], n_players: int) -> list[NamedRegion]:
    """The named regions."""
    regions: list[NamedRegion] = []
    for item in items:
        if item.kind != "item" or item.keyword != "regions":
            continue
        role = item.get("role")
        owner = role_number(role.name, n_players) if isinstance(role, Word) else 0
        name = item.get("name")
        parts: list[Value] = []
        plain = False
        for key in ("sites", "regionFn", "regionsFn", "staticRegion", "staticRegions"):
            value = item.get(key)
            if value is None:
                continue
            if key == "sites":
                parts.append(value)
                plain = True
            elif isinstance(value, list):
                parts += value
            else:
                parts.append(value)
        role_text = role.name if isinstance(role, Word) else ""
        regions.append(NamedRegion(str(name) if name is not None else f"Region{role_text}", owner or 0, parts, plain))
    return regions
