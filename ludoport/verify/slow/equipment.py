"""The equipment of a game, numbered as in the language."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

from ludoport.boards import Sites, build_board
from ludoport.lud.tree import Description, Ludeme, Text, Word
from ludoport.verify.slow.registry import NotCovered, means
from ludoport.verify.slow.tracks import SiteTrack, read_track

means("component:piece", "name role dirn flips generator maxState maxValue maxCount")(lambda node, cx: None)
means("container:board", "graphFn track tracks use largeStack")(lambda node, cx: None)
means("container:mancalaBoard", "rows columns store numStores largeStack track tracks")(lambda node, cx: None)
means("container:hand", "role size")(lambda node, cx: None)
means("item:regions", "name role sites regionFn regionsFn")(lambda node, cx: None)
means("item:map", "name pairs")(lambda node, cx: None)
means("util:pair", "key value landmark")(lambda node, cx: None)
means("util:flips", "flipA flipB")(lambda node, cx: None)
means("util:track", "name track trackDirection loop owner role directed")(lambda node, cx: None)

STACKING = frozenset(
    {"start:place Stack", "int:size Stack", "int:topLevel", "int:level", "int:count Stack"}
    | {"moves:forEach Level", "region:forEach Level"}
)


@dataclass(frozen=True)
class PieceKind:
    """A kind of piece of one owner."""

    name: str
    plain: str
    owner: int
    facing: str | None
    flips: tuple[int, int] | None
    generator: Ludeme | None


@dataclass(frozen=True)
class EquipmentRegion:
    """A region of the equipment."""

    name: str
    owner: int
    parts: list[Any]


class TreeGame:
    """Players, board, hands, pieces, regions, maps and rules of a game, as the text has them."""

    def __init__(self, description: Description) -> None:
        root = description.root
        if root.keyword != "game":
            raise NotCovered(f"game:{root.keyword}")
        if root.get("mode") is not None:
            raise NotCovered("game:game with mode:")
        self.root = root
        self.name = description.name
        players = root.args["players"]
        assert isinstance(players, Ludeme)
        listed = players.get("players")
        if isinstance(listed, list):
            self.facings: list[str | None] = [None, *(_facing(p) for p in listed)]
            self.n_players = len(listed)
        else:
            count = players.args["numPlayers"]
            if not isinstance(count, int):
                raise NotCovered("players:players with a dimension")
            self.n_players = count
            self.facings = [None] * (count + 1)
        self.facings.append(None)
        equipment = root.args["equipment"]
        assert isinstance(equipment, Ludeme)
        items = [item for item in equipment.args["items"] if isinstance(item, Ludeme)]  # type: ignore[union-attr]
        self._make_containers(items)
        self._make_components(items)
        self._make_rest(items)
        nodes = list(root.walk())
        self.stacking = any(n.key in STACKING or n.get("stack") is True or (n.get("level") is not None) for n in nodes)
        self.counting = bool(self.hands) or any(
            n.keyword in ("mancalaBoard", "sow", "set Count") or n.get("count") is not None for n in nodes
        )
        self.uses_all_passed = any(n.key == "boolean:all Passed" for n in nodes)
        self.captures_later = any(str(n.get("at")) == "EndOfTurn" for n in nodes)
        self.start_sites: dict[int, list[int]] = {}

    def _make_containers(self, items: list[Ludeme]) -> None:
        boards = [i for i in items if i.kind == "container" and i.keyword not in ("hand", "dice", "deck")]
        self.board = build_board(boards[0])
        self.kind = self.board.kind
        self.n_board = self.board.n_sites
        self.hands: dict[int, list[int]] = {}
        site = self.n_board
        for item in items:
            if item.kind != "container" or item.keyword != "hand":
                continue
            role = str(item.args["role"])
            size = item.get("size")
            owners = range(1, self.n_players + 1) if role == "Each" else [self._owner(role)]
            for owner in owners:
                count = size if isinstance(size, int) else 1
                self.hands[owner] = list(range(site, site + count))
                site += count
        self.n_sites = site
        self.tracks: list[SiteTrack] = []
        listed = boards[0].get("tracks")
        single = boards[0].get("track")
        for node in [*(listed if isinstance(listed, list) else []), *([single] if single is not None else [])]:
            assert isinstance(node, Ludeme)
            word, given = node.get("role"), node.get("owner")
            number = given if isinstance(given, int) else 0
            if isinstance(word, Word):
                number = self._owner(word.name)
            self.tracks.append(read_track(node, self.board, number))

    def _owner(self, role: str) -> int:
        if role == "Neutral":
            return 0
        if role in ("Shared", "All", "Each"):
            return self.n_players + 1
        if role[0] == "P" and role[1:].isdigit():
            return int(role[1:])
        raise NotCovered(f"equipment of the role {role}")

    def _make_components(self, items: list[Ludeme]) -> None:
        self.components = [PieceKind("", "", 0, None, None, None)]
        for item in items:
            if item.kind != "component":
                continue
            name, role = str(item.args["name"]), str(item.get("role") or "Each")
            facing = item.get("dirn")
            flips = item.get("flips")
            pair = None
            if isinstance(flips, Ludeme):
                pair = (int(flips.args["flipA"]), int(flips.args["flipB"]))  # type: ignore[arg-type]
            generator = item.get("generator")
            for owner in range(1, self.n_players + 1) if role == "Each" else [self._owner(role)]:
                shared = owner > self.n_players or (owner == 1 and self.n_players == 1)
                self.components.append(
                    PieceKind(
                        name if shared else f"{name}{owner}",
                        name,
                        owner,
                        str(facing) if facing is not None else None,
                        pair,
                        generator if isinstance(generator, Ludeme) else None,
                    )
                )

    def _make_rest(self, items: list[Ludeme]) -> None:
        self.regions: list[EquipmentRegion] = []
        self.maps: list[tuple[str, list[Ludeme]]] = []
        for item in items:
            if item.key == "item:regions":
                role = item.get("role")
                owner = self._owner(role.name) if isinstance(role, Word) else 0
                parts: list[Any] = []
                if item.get("regionsFn") is not None:
                    parts = list(item.args["regionsFn"])  # type: ignore[arg-type]
                elif item.get("regionFn") is not None:
                    parts = [item.args["regionFn"]]
                else:
                    parts = [item.args["sites"]]
                name = item.get("name")
                self.regions.append(EquipmentRegion(str(name) if name is not None else f"Region{role}", owner, parts))
            elif item.key == "item:map":
                name = item.get("name")
                self.maps.append((str(name) if name is not None else "", list(item.args["pairs"])))  # type: ignore[arg-type]
            elif item.kind == "item":
                raise NotCovered(item.key)

    @cached_property
    def default(self) -> Sites:
        """The sites of the board that play is on."""
        return self.board.default

    def sites(self, kind: str | None = None) -> Sites:
        """The sites of a kind."""
        return self.board.sites(kind or self.kind)

    def facing(self, component: int) -> str:
        """Direction that a piece faces."""
        piece = self.components[component]
        own = piece.facing or (self.facings[piece.owner] if piece.owner < len(self.facings) else None)
        return own or "N"

    def components_named(self, text: str, owner: int | None = None) -> list[int]:
        """Components whose name contains a text, of one owner or of all."""
        return [
            n for n, c in enumerate(self.components) if n and text in c.name and (owner is None or c.owner == owner)
        ]

    def component(self, full: str) -> int:
        """The component with a full name, 0 for none."""
        for n, component in enumerate(self.components):
            if n and component.name == full:
                return n
        return 0

    def hand_of(self, name: str) -> list[int]:
        """The sites of a hand such as ``Hand1``."""
        if name.startswith("Hand") and name[4:].isdigit() and int(name[4:]) in self.hands:
            return self.hands[int(name[4:])]
        raise NotCovered(f"the container {name}")


def _facing(node: Any) -> str | None:
    dirn = node.get("dirn") if isinstance(node, Ludeme) else None
    return str(dirn) if dirn is not None else None


def text_of(value: Any) -> str:
    """A quoted string as text, empty if there is none."""
    return value.text if isinstance(value, Text) else ""
