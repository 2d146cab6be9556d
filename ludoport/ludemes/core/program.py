"""A game being compiled: what its text says, its row layout, and the functions written so far."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any, Protocol, TypeVar

from ludoport.boards import Board, Sites, build_board
from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels import library
from ludoport.kernels.layout import Layout
from ludoport.kernels.source import Function, Module
from ludoport.lud import format_tree
from ludoport.lud.tree import Description, Ludeme, Value
from ludoport.ludemes.core.context import UNSET, Bool, Cx, Expr
from ludoport.ludemes.core.dice import Dice, die_components, read_dice
from ludoport.ludemes.core.dice_places import named_places
from ludoport.ludemes.core.dominoes import read_dominoes
from ludoport.ludemes.core.equipment import (
    Component,
    add_balls,
    find_board,
    read_components,
    read_hands,
    read_items,
    read_players,
    read_regions,
    refuse_items,
)
from ludoport.ludemes.core.features import (
    asks_counts,
    moves_others,
    other_kinds,
    plays_together,
    stacks_pieces,
    tests_moves,
    uses_chance,
)
from ludoport.ludemes.core.large_pieces import covering
from ludoport.ludemes.core.part import Part
from ludoport.ludemes.core.rules import MoveRules
from ludoport.ludemes.core.site_widths import SiteWidth
from ludoport.ludemes.core.tables import BoardTables

T = TypeVar("T")


class KeptGroups(Protocol):
    """Groups that positions keep, so that a connection needs no flood fill."""

    def connected(self, node: Ludeme, cx: Cx, owned: bool) -> Bool | None:
        """Code for a connection test, or None if this one is not kept."""

    def setup(self, f: Function) -> None:
        """Write how groups begin."""

    def write(self) -> None:
        """Write the functions that keep the groups."""


class Program(BoardTables):
    """Everything that is known about a game while its kernels are written."""

    def __init__(self, description: Description, part: Part | None = None) -> None:
        root = description.root
        if root.kind != "game":
            raise UnsupportedError("a match of several games cannot be compiled as a single game", root.source)
        self.part = part
        self.description = description
        self.module = Module()
        self._tails_found = {}
        self.state = Layout()
        self.moves = Layout()
        self.rules = MoveRules(self)
        self.shared: dict[object, tuple[str, list[str]]] = {}
        self.after: list[Callable[[], None]] = []
        self.pick_widths: dict[object, Expr | SiteWidth] = {}
        self.ways: str | None = None
        """A table of candidates by piece and site, of which rows keep the sum for each player."""
        self.listed: set[int] = set()
        self.primitives: set[str] = set()
        self.library: set[str] = set()
        self.buffer_wanted = False
        self.buffer_extra = 0
        self.extra_moves = 0
        self.uses_pending = False
        self.repetition: str | None = None
        self.wants: set[str] = set()
        self.spots: set[int] = set()
        """Kinds of pieces whose site positions keep."""
        self.noted: tuple[list[str], list[str]] | None = None
        """What each move notes about threats to a piece of the next player: code before it is applied, and after."""
        self.askers: list[tuple[Function, str]] = []
        """Functions that ask the enemies of a player for moves to a site, and what they ask each of them by."""
        self.strikes: tuple[str, str | None] | None = None
        """A call by which a piece threatens a site, with names to fill in, and the table of what it might reach."""
        self.when_noted: list[Callable[[str, str | None], None]] = []
        """Writes more where moves note whether a piece of some name is threatened."""
        self.unions: KeptGroups | None = None
        self._memo: dict[tuple[Callable[..., Any], tuple[Hashable, ...]], Any] = {}
        self._scratch: dict[str, int | str] = {}
        self.once: dict[str, str] = {}
        self.scratch_sizes: dict[str, int] = {}
        """How many numbers each piece of scratch space has, once offsets are fixed."""
        players, self.player_facing = read_players(root)
        self.simulation = players == 0
        """Whether there are no players: all that the rules of play do happens in one step, which one player watches."""
        self.n_players = max(players, 1)
        self._read_equipment(root)
        self._read_features(root)
        self._base_fields()

    # Reading the description ---------------------------------------------------------------------

    def _read_equipment(self, root: Ludeme) -> None:
        equipment = root.args["equipment"]
        assert isinstance(equipment, Ludeme)
        items = read_items(equipment)
        self.board_node = find_board(equipment)
        self.board: Board = build_board(self.board_node)
        self.sites: Sites = self.board.default
        self.n_board = self.sites.n
        self.dice: list[Dice] = read_dice(items, self.n_players)
        dice = die_components(self.dice, self.n_players)
        self.components: list[Component] = read_components(items, self.n_players, dice)
        self.dominoes = read_dominoes(items, self.n_players, len(self.components))
        self.components += self.dominoes
        if len(self.components) == 1 + len(dice) and not any(node.keyword == "satisfy" for node in root.walk()):
            add_balls(self.components, self.n_players)
        self.cover = covering(self.components)
        """The component on cells that large pieces cover; 0 if no piece is large."""
        if self.cover:
            self.components.append(Component(self.cover, "", "", 0))
        base = max(self.board.n_sites, self.n_board)
        self.hands = read_hands(items, self.n_players, base)
        self.n_sites = base + sum(hand.size for hand in self.hands)
        self.dice_base = self.n_sites
        """The number of the first die's place. Nothing else ever lies there, so places of dice are rarely sites."""
        places = range(self.dice_base, self.dice_base + sum(len(each.faces) for each in self.dice))
        self.selects_dice = named_places(root, places)
        if self.selects_dice:
            self.n_sites += len(places)
        self.literal_base = 0
        self.standing: dict[int, int] | None = None
        """While start rules are read: the components placed so far, by site; conditions and regions are known then."""
        self.drawn: tuple[int, ...] | None = None
        """While start rules are read: the sites that were drawn, for `sites Random`."""
        self.regions = read_regions(items, self.n_players)
        self.maps = [item for item in items if item.kind == "item" and item.keyword == "map"]
        self.hints = [item for item in items if item.kind == "item" and item.keyword == "hints"]
        refuse_items(items)

    def _read_features(self, root: Ludeme) -> None:
        self.keys = {node.key for node in root.walk()}
        self.any_tests = tests_moves(root)
        self.any_foreign = moves_others(root)
        self.stacking = stacks_pieces(root)
        self.chance = uses_chance(root) or (self.part is not None and self.part.chance)
        self.together = plays_together(root)
        # Dice lie in a container beside the board, as pieces in hand do.
        self.counts_matter = not self.stacking and (bool(self.hands or self.dice) or asks_counts(root))
        self._kind_base: dict[str, int] = {}
        for kind in other_kinds(root, self.board.kind):
            self._kind_base[kind] = self.n_sites
            self.n_sites += self.board.sites(kind).n
        self.other_kinds = bool(self._kind_base)

    def _base_fields(self) -> None:
        of_game = str if self.part is None else self.part.of_game
        if self.part is not None:
            self.part.want_fields(self.state, self.n_players)
        for name in ("MOVER", "NEXT", "PREV", "PLY", "TURN", "OVER", "LAST_FROM", "LAST_TO"):
            self.state.want(of_game(name))
        self.state.want(of_game("RANK"), self.n_players + 2)
        # One more cell than sites: the wall, which equals no piece.
        self.state.want("WHAT", self.n_sites + 1)
        if self.counts_matter:
            self.state.want("COUNT", self.n_sites)
        if self.chance:
            self.state.want("LUCK", library.LUCK_SIZE)
            self.state.want("UNSEEN")
            self.library.update(("chance", "next_luck"))
        for name in ("RULE", "FROM", "TO"):
            self.moves.want(name)
        if self.any_tests:
            self.moves.want("TAG")
        self.module.constant("N_PLAYERS", self.n_players)
        self.module.constant("N_SITES", self.n_sites)
        self.module.constant("N_BOARD", self.n_board)
        owners = [c.owner for c in self.components]
        self.same_owner = all(c.owner == c.index for c in self.components)
        self.owner_table = self.module.table("OWNER", owners)
        if self.counts_matter:
            self.state.want("COUNT", self.n_sites)

    # Writing functions ---------------------------------------------------------------------------

    def cite(self, node: Ludeme) -> str:
        """The ludeme and its place, for a comment in the generated source."""
        text = " ".join(format_tree(node).split())
        if len(text) > 70:
            text = text[:67] + "..."
        file = node.source.file.replace("\\", "/").rsplit("/", 1)[-1]
        return f"{text}  {file}:{node.source.line}"

    def root(self, function: Function, node: Ludeme | None = None) -> Cx:
        """A place at the start of a function that only knows the state."""
        return Cx(self, function, dict(UNSET), source=node)

    def close(self, function: Function, *params: str) -> None:
        """Finish a function that starts from the state: read the players it needs."""
        reads = []
        for slot, fieldname in (("mover", "MOVER"), ("nxt", "NEXT"), ("prv", "PREV")):
            if function.uses(slot) and slot not in params:
                reads.append(f"    {slot} = state[{fieldname}]")
        function.lines = reads + function.lines
        function.params = ["state", "work", *params]
        self.module.functions.append(function)

    def reach(self, node: Ludeme) -> list[Ludeme]:
        """A generator with all its parts, the moves of pieces included where it asks for them."""
        parts = list(node.walk())
        if any(part.keyword == "forEach Piece" and part.peek("specificMoves") is None for part in parts):
            for component in self.components:
                if component.moves is not None:
                    parts += component.moves.walk()
        return parts

    def scratch(self, size: int | str, stem: str) -> str:
        """Reserve scratch space; the name is the constant of its offset."""
        name = f"W_{stem}_{len(self._scratch)}"
        self._scratch[name] = size
        return name

    def enlarge(self, name: str, size: int) -> int:
        """Give scratch space at least a number of cells; returns how many it has."""
        known = self._scratch[name]
        assert isinstance(known, int)
        self._scratch[name] = max(size, known)
        return max(size, known)

    def list_once(self, items: str, marks: str) -> None:
        """State that a site enters a list in scratch space only if it is not marked, and is marked then."""
        self.once[items] = marks

    def reserve(self, name: str, size: int) -> None:
        """Reserves named scratch space."""
        self._scratch[name] = size

    def drop(self, name: str) -> None:
        """Give up scratch space that nothing uses."""
        del self._scratch[name], self.module.constants[name], self.scratch_sizes[name]

    def _scratch_size(self, size: int | str, sizes: dict[str, int]) -> int:
        """The size of a piece of scratch space, which may be given as a multiple such as ``CORE_SIZE * 24``."""
        if isinstance(size, int) or size in sizes:
            return size if isinstance(size, int) else sizes[size]
        unit, count = size.rsplit(" * ", 1)
        return sizes[unit] * int(count)

    def scratch_layout(self, sizes: dict[str, int]) -> int:
        """Fix the offsets of all scratch space and return its total size."""
        offset = 0
        for name, size in self._scratch.items():
            self.module.constants[name] = offset
            self.scratch_sizes[name] = self._scratch_size(size, sizes)
            offset += self.scratch_sizes[name]
        return offset

    def memo(self, find: Callable[..., T], *details: Hashable) -> T:
        """What a function finds out about the game and the details; it is called once for each of them."""
        key = (find, details)
        if key not in self._memo:
            self._memo[key] = find(self, *details)
        found: T = self._memo[key]
        return found

    # Sites and owners ----------------------------------------------------------------------------

    def kind_sites(self, kind: Value | None) -> Sites:
        """The sites of a kind, the board's own by default."""
        return self.sites if kind is None or str(kind) == self.board.kind else self.board.sites(str(kind))

    def kind_block(self, kind: Value | None) -> tuple[int, Sites]:
        """The first site number and the sites of a kind."""
        if kind is None or str(kind) == self.board.kind:
            return 0, self.sites
        return self._kind_base[str(kind)], self.board.sites(str(kind))

    def outside_hands(self, site: Expr) -> Bool:
        """Code that tests whether a site is on the board; sites of its other kinds are numbered after the hands."""
        if isinstance(site, int) or not self.hands:
            return not self.hands or not self.n_board <= int(site) < self.dice_base
        return (
            f"({site} < {self.n_board} or {site} >= {self.dice_base})"
            if self.other_kinds
            else f"{site} < {self.n_board}"
        )

    def has_site(self, label: Value, sites: Sites) -> bool:
        """Whether a site has this label."""
        return _labelled(label, sites) is not None

    def site_of(self, label: Value, sites: Sites) -> int:
        """The site with a label."""
        found = _labelled(label, sites)
        if found is not None:
            return found
        raise LudError(f"the board has no site `{label}`", getattr(label, "source", None))

    def owner_of(self, piece: Expr) -> Expr:
        """Code for the owner of a component."""
        if isinstance(piece, int):
            return self.components[piece].owner if 0 <= piece < len(self.components) else 0
        return piece if self.same_owner else f"{self.owner_table}[{piece}]"

    # Fields that ludemes ask for -----------------------------------------------------------------

    def want_state(self) -> None:
        """Positions keep a local state per site."""
        self.state.want("STATE", self.n_sites)

    def want_scores(self) -> None:
        """Positions keep scores."""
        self.state.want("SCORE", self.n_players + 2)

    def want_empty_list(self) -> bool:
        """Positions keep a list of the empty board sites."""
        self.state.want("SLOT", self.n_board)
        self.state.want("EMPTY", self.n_board)
        self.state.want("N_EMPTY")
        return True

    def want_own_list(self) -> bool:
        """Positions keep a list of the board sites of each player."""
        if self.stacking:
            return False
        self.state.want("SLOT", self.n_board)
        self.state.want("OWN", self.n_board * self.n_players)
        self.state.want("N_OWN", self.n_players + 2)
        return True

    def want_pending(self, many: bool = False) -> None:
        """Positions keep what is pending."""
        self.uses_pending = True
        self.state.want("N_PENDING")
        self.state.want("PENDING_VALUE")
        if many:
            self.wants.add("pending sites")
            self.state.want("PENDING", self.n_sites)

    def want_passes(self) -> None:
        """Positions count passes in a row."""
        self.wants.add("passes")

    def want_stuck(self) -> None:
        """Positions remember which player had to pass for lack of moves."""
        self.wants.add("stuck")
        self.state.want("STUCK", self.n_players + 2)

    def want_can_play(self) -> None:
        """There is a function that tests whether the mover can move."""
        self.wants.add("can_play")

    def want_hits(self, stuck: bool) -> str:
        """The name of a function that tests whether an enemy of a player has a move to a site.

        Args:
            stuck: whether it is asked in ``no Moves Next``.
        """
        self.wants.add("hits_play_stuck" if stuck else "hits_play")
        return "enemy_hits_stuck" if stuck else "enemy_hits"

    def want_last_after(self) -> None:
        """Positions remember where the last move ended after its consequents."""
        self.wants.add("last after")
        for name in ("LAST_TO_AFTER", "LAST_FROM_AFTER", "TRAIL_TO", "TRAIL_FROM"):
            self.state.want(name)

    def want_late_removal(self) -> None:
        """Positions remember pieces to remove at the end of the turn."""
        self.wants.add("late removal")
        self.state.want("LATE", self.n_sites)
        self.state.want("N_LATE")

    def on_history(self) -> list[str]:
        """Lines that run when a move enters the history."""
        lines = []
        if self.state.has("LAST_BETWEEN"):
            lines += ["for s in range(N_SITES):", "    state[LAST_BETWEEN + s] = state[NOW_BETWEEN + s]"]
        if "last after" in self.wants:
            # The trail follows every action; consequents still see where the move itself ended.
            lines += [
                "state[LAST_FROM_AFTER] = move[FROM]",
                "state[LAST_TO_AFTER] = move[TO]",
                "state[TRAIL_FROM] = move[FROM]",
                "state[TRAIL_TO] = move[TO]",
            ]
        return lines

    def on_done(self) -> list[str]:
        """Lines that run when the consequents of a move are done."""
        if "last after" in self.wants:
            return ["state[LAST_FROM_AFTER] = state[TRAIL_FROM]", "state[LAST_TO_AFTER] = state[TRAIL_TO]"]
        return []


def _labelled(label: Value, sites: Sites) -> int | None:
    try:
        return sites.site_of(str(label))
    except LookupError:
        return None
