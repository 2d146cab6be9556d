"""A game being compiled: its equipment, its row layout, and what generated code may ask of both."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from ludoport.boards import Board, Sites, build_board
from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels.layout import Layout
from ludoport.kernels.source import Function, Module
from ludoport.lud.tree import Description, Ludeme, Text, Value, Word
from ludoport.ludemes.context import UNSET, Bool, Cx, Expr
from ludoport.ludemes.equipment import Component, read_components, read_hands, read_regions, role_number
from ludoport.ludemes.region import PerPlayer, Region, Static, Union, any_of
from ludoport.ludemes.registry import number, region
from ludoport.ludemes.rules import Rules
from ludoport.ludemes.tables import BoardTables

if TYPE_CHECKING:
    from ludoport.ludemes.sinks import Sink
    from ludoport.ludemes.unions import Unions

MAX_SCRATCH_NAMES = 100_000


class Program(BoardTables):
    """Everything that is known about a game while its kernels are written."""

    def __init__(self, description: Description) -> None:
        root = description.root
        if root.kind != "game":
            raise UnsupportedError(f"`{root.keyword}` descriptions are not implemented yet", root.source)
        self.description = description
        self.module = Module()
        self.state = Layout()
        self.moves = Layout()
        self.rules = Rules(self)
        self.shared: dict[object, tuple[str, list[str]]] = {}
        self.after: list[Callable[[], None]] = []
        self.pick_widths: dict[object, Expr] = {}
        self.listed: set[int] = set()
        self.primitives: set[str] = set()
        self.library: set[str] = set()
        self.arity: dict[str, int] = {}
        self.buffer_wanted = False
        self.buffer_extra = 0
        self.extra_moves = 0
        self.uses_pending = False
        self.repetition: str | None = None
        self.wants: set[str] = set()
        self.unions: Unions | None = None
        self._scratch: list[tuple[str, int | str]] = []
        self._read_players(root)
        self._read_equipment(root)
        self._scan(root)
        self._base_fields()

    # Reading the description ---------------------------------------------------------------------

    def _read_players(self, root: Ludeme) -> None:
        players = root.args["players"]
        assert isinstance(players, Ludeme)
        listed = players.get("players")
        self.player_facing: dict[int, str] = {}
        if isinstance(listed, list):
            self.n_players = len(listed)
            for index, player in enumerate(listed, 1):
                assert isinstance(player, Ludeme)
                facing = player.get("dirn")
                if isinstance(facing, Word):
                    self.player_facing[index] = facing.name
        else:
            count = players.args["numPlayers"]
            assert isinstance(count, int)
            self.n_players = count
        if not 1 <= self.n_players <= 16:
            raise LudError(f"a game needs 1 to 16 players, not {self.n_players}", players.source)

    def _read_equipment(self, root: Ludeme) -> None:
        equipment = root.args["equipment"]
        assert isinstance(equipment, Ludeme)
        items = [item for item in equipment.args["items"] if isinstance(item, Ludeme)]  # type: ignore[union-attr]
        boards = [item for item in items if item.kind == "container" and "oard" in item.keyword]
        if len(boards) != 1:
            raise LudError("a game needs exactly one board", equipment.source)
        self.board_node = boards[0]
        self.board: Board = build_board(boards[0])
        self.sites: Sites = self.board.default
        self.n_board = self.sites.n
        self.components: list[Component] = read_components(items, self.n_players)
        if len(self.components) == 1 and not any(node.keyword == "satisfy" for node in root.walk()):
            # Without pieces, every player has a ball.
            for p in range(1, self.n_players + 1):
                self.components.append(Component(p, f"Ball{p}{p}" if self.n_players > 1 else "Ball1", f"Ball{p}", p))
        base = max(self.board.n_sites, self.n_board)
        self.hands = read_hands(items, self.n_players, base)
        self.n_sites = base + sum(hand.size for hand in self.hands)
        self._kind_base: dict[str, int] = {}
        self.literal_base = 0
        self.regions = read_regions(items, self.n_players)
        self.maps = [item for item in items if item.kind == "item" and item.keyword == "map"]
        self.hints = [item for item in items if item.kind == "item" and item.keyword == "hints"]
        for item in items:
            if item.kind == "item" and item.keyword not in ("map", "regions", "hints"):
                raise UnsupportedError(f"the equipment `{item.keyword}` is not implemented yet", item.source)

    def _scan(self, root: Ludeme) -> None:
        """Look through the whole text for features that change how positions are kept."""
        self.keys = {node.key for node in root.walk()}
        self.any_tests = any(node.get("ifAfterwards") is not None or node.keyword == "satisfy" for node in root.walk())
        self.any_foreign = any(
            node.keyword == "forEach Piece"
            and any(node.get(k) is not None and str(node.get(k)) != "Mover" for k in ("role", "player"))
            for node in root.walk()
        )
        stacking_args = any(
            node.get("stack") is True
            or node.get("byLevel") not in (None, False)
            or node.keyword in ("place Stack", "size Stack", "topLevel")
            for node in root.walk()
        )
        self.stacking = stacking_args
        counting = {"moves:sow", "int:count", "moves:set Count", "int:count Stack"}
        self.counts_matter = not self.stacking and (
            bool(self.hands)
            or bool(self.keys & counting)
            or any(
                node.get("count") is not None or node.get("counts") is not None
                for node in root.walk()
                if node.kind in ("start", "moves")
            )
        )
        extra = {
            str(value)
            for node in root.walk()
            for value in node.args.values()
            if isinstance(value, Word) and value.enum == "SiteType" and value.name != self.board.kind
        }
        for kind in sorted(extra):
            self._kind_base[kind] = self.n_sites
            self.n_sites += self.board.sites(kind).n
        self.other_kinds = bool(extra)

    def _base_fields(self) -> None:
        for name in ("MOVER", "NEXT", "PREV", "PLY", "TURN", "OVER", "LAST_FROM", "LAST_TO"):
            self.state.want(name)
        self.state.want("RANK", self.n_players + 2)
        # One more cell than sites: the wall, which equals no piece.
        self.state.want("WHAT", self.n_sites + 1)
        if self.counts_matter:
            self.state.want("COUNT", self.n_sites)
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
        from ludoport.lud import format_tree

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
            if function.uses(slot):
                reads.append(f"    {slot} = state[{fieldname}]")
        function.lines = reads + function.lines
        function.params = ["state", "work", *params]
        self.module.functions.append(function)

    def reach(self, node: Ludeme) -> list[Ludeme]:
        """A generator with all its parts, the moves of pieces included where it asks for them."""
        parts = list(node.walk())
        if any(part.keyword == "forEach Piece" and part.get("specificMoves") is None for part in parts):
            for component in self.components:
                if component.moves is not None:
                    parts += component.moves.walk()
        return parts

    def scratch(self, size: int | str, stem: str) -> str:
        """Reserve scratch space; the name stands for its offset."""
        name = f"W_{stem}_{len(self._scratch)}"
        self._scratch.append((name, size))
        return name

    def scratch_layout(self, sizes: dict[str, int]) -> int:
        """Fix the offsets of all scratch space and return its total size."""
        offset = 0
        for name, size in self._scratch:
            self.module.constant(name, offset)
            offset += sizes[size] if isinstance(size, str) else size
        return offset

    # Roles and pieces ----------------------------------------------------------------------------

    def role(self, word: Word, cx: Cx) -> Expr:
        """The player number that a role stands for."""
        slot = {"Mover": "mover", "Next": "nxt", "Prev": "prv", "Player": "plr"}.get(word.name)
        if slot is not None:
            return cx.slots[slot]
        fixed = role_number(word.name, self.n_players)
        if fixed is not None:
            return fixed
        if word.name in ("Enemy", "NonMover") and self.n_players == 2:
            mover = cx.slots["mover"]
            return 3 - mover if isinstance(mover, int) else f"(3 - {mover})"
        if word.name == "Friend":
            return cx.slots["mover"]
        raise UnsupportedError(f"the role `{word.name}` cannot be used as one player here", word.source)

    def named_number(self, text: Text) -> Expr:
        """A number written as a string: a site's label or a component's name."""
        for component in self.components[1:]:
            if component.name == text.text:
                return component.index
        return self.site_of(text, self.sites)

    def component_by_full_name(self, name: str, node: Ludeme) -> int:
        """The number of the component with this full name."""
        for component in self.components[1:]:
            if component.name == name:
                return component.index
        for component in self.components[1:]:
            if component.label == name:
                return component.index
        names = ", ".join(c.name for c in self.components[1:])
        raise LudError(f"there is no piece `{name}`; the pieces are {names}", node.source)

    def component_by_name(self, name: str, owner: Expr, cx: Cx, node: Ludeme) -> Expr:
        """The first component whose name contains a text and whose owner is given; -1 if there is none."""

        def find(player: int) -> int:
            for component in self.components[1:]:
                if name in component.name and component.owner == player:
                    return component.index
            return -1

        if isinstance(owner, int):
            return find(owner)
        table = self.module.table("PIECE_OF", [find(player) for player in range(self.n_players + 2)])
        return f"{table}[{owner}]"

    def is_named(self, piece: str, name: str) -> Bool:
        """Code that tells whether a component's name contains a text."""
        return self.one_of(piece, [c.index for c in self.components[1:] if name in c.name])

    def one_of(self, value: str, numbers: Sequence[int]) -> Bool:
        """Code that tells whether a value is one of some numbers."""
        if not numbers:
            return False
        ordered = sorted(numbers)
        if len(ordered) > 2 and ordered == list(range(ordered[0], ordered[-1] + 1)):
            return f"({ordered[0]} <= {value} <= {ordered[-1]})"
        return any_of(*[f"{value} == {n}" for n in ordered])

    def owner_of(self, piece: Expr) -> Expr:
        """Code for the owner of a component."""
        if isinstance(piece, int):
            return self.components[piece].owner
        return piece if self.same_owner else f"{self.owner_table}[{piece}]"

    def enemy(self, cx: Cx, who: Expr) -> Bool:
        """Code that tells whether a player number is an enemy of the mover."""
        mover = cx.slots["mover"]
        if self.n_players == 2 and isinstance(who, str) and all(c.owner <= 2 for c in self.components):
            return f"{who} == 3 - {mover}"
        name = who if isinstance(who, int) else cx.name(who)
        if self.has_teams:
            table = self.team_table()
            return f"({name} != 0 and {table}[{name}] != {table}[{mover}])"
        return f"({name} != 0 and {name} != {mover})"

    @cached_property
    def has_teams(self) -> bool:
        """Whether the start rules put players into teams."""
        return any(node.keyword == "set Team" and node.kind == "start" for node in self.description.root.walk())

    def team_table(self) -> str:
        """The team of every owner number; players without a team stand alone."""
        from ludoport.ludemes.starting import start_nodes

        teams = [100 + player for player in range(self.n_players + 2)]
        scratch = self.root(Function("unused", []))
        for node in start_nodes(self):
            if node.keyword == "set Team":
                roles = node.args["roles"]
                assert isinstance(roles, list)
                for role in roles:
                    player = number(role, scratch)
                    if isinstance(player, int) and player <= self.n_players:
                        teams[player] = self._fixed(node.args["index"], scratch, node)
        return self.module.table("TEAM", teams)

    def friend(self, cx: Cx, who: Expr) -> Bool:
        """Code that tells whether a player number is the mover's, or that of a team mate."""
        if self.has_teams:
            table, name = self.team_table(), cx.name(who)
            return f"{table}[{name}] == {table}[{cx.slots['mover']}]"
        return f"{who} == {cx.slots['mover']}"

    def owned_by(self, cx: Cx, owner: Expr, role: Value | None) -> Bool:
        """Code that tells whether an owner belongs to a role."""
        if isinstance(role, Word):
            if role.name in ("All", "Each"):
                return True
            if role.name == "Shared":
                return f"{owner} == {self.n_players + 1}"
            if role.name in ("Enemy", "NonMover"):
                return self.enemy(cx, owner)
            if role.name == "TeamMover":
                return self.friend(cx, owner)
            if role.name.startswith("Team"):
                return f"{self.team_table()}[{owner}] == {role.name[4:]}"
        return f"{owner} == {number(role, cx)}"

    def facings(self) -> list[str]:
        """The facing for each owner number from 0; nobody faces north."""
        return [self.player_facing.get(player, "N") for player in range(self.n_players + 2)]

    @property
    def faces_by_piece(self) -> bool:
        """Whether some pieces face elsewhere than their owners."""
        return any(c.facing is not None for c in self.components)

    def piece_facings(self) -> list[str]:
        """The facing for each owner number, or for each component where these differ; empty for no piece at all."""
        if self.faces_by_piece:
            return ["", *(c.facing or self.player_facing.get(c.owner, "N") for c in self.components[1:])]
        facings = self.facings()
        if all(c.owner != 0 for c in self.components[1:]) and not self.stacking:
            facings[0] = ""
        return facings

    def piece_groups(self, names: list[str] | None, specific: Ludeme | None) -> list[tuple[Ludeme, list[int]]]:
        """Components of players grouped by the moves they have."""
        groups: dict[int, tuple[Ludeme, list[int]]] = {}
        for component in self.components[1:]:
            if not 1 <= component.owner <= self.n_players:
                continue
            if names is not None and component.label not in names:
                continue
            moves = specific if specific is not None else component.moves
            if moves is not None:
                groups.setdefault(id(moves), (moves, []))[1].append(component.index)
        return list(groups.values())

    # Reading a position --------------------------------------------------------------------------

    def _guard(self, cx: Cx, site: Expr, text: str, otherwise: int = 0) -> Expr:
        if isinstance(site, int):
            return text if site >= 0 else otherwise
        return text if site in cx.safe else f"({text} if {site} >= 0 else {otherwise})"

    def what_at(self, cx: Cx, site: Expr, level: Value | None = None) -> Expr:
        """Code for the component at a site."""
        place = site if isinstance(site, int) else cx.name(site)
        if level is not None and self.stacking:
            from ludoport.ludemes.stacks import what_at_level

            return what_at_level(cx, place, number(level, cx))
        return self._guard(cx, place, f"state[WHAT + {place}]")

    def who_at(self, cx: Cx, site: Expr, level: Value | None = None) -> Expr:
        """Code for the owner of the component at a site."""
        piece = self.what_at(cx, site, level)
        if self.same_owner or isinstance(piece, int):
            return self.owner_of(piece)
        return f"{self.owner_table}[{piece}]"

    def state_at(self, cx: Cx, site: Expr, level: Value | None = None) -> Expr:
        """Code for the local state at a site."""
        self.want_state()
        place = site if isinstance(site, int) else cx.name(site)
        if level is not None and self.stacking:
            from ludoport.ludemes.stacks import state_at_level

            return state_at_level(cx, place, number(level, cx))
        return self._guard(cx, place, f"state[STATE + {place}]")

    def is_empty(self, site: Expr) -> Bool:
        """Code that tells whether nothing stands on a site that is known to be one."""
        if self.stacking:
            from ludoport.ludemes.stacks import want_stacks

            want_stacks(self)
            return f"state[HEIGHT + {site}] == 0"
        return f"state[WHAT + {site}] == 0"

    def count_at(self, cx: Cx, site: Expr) -> Expr:
        """Code for the number of pieces on a site."""
        place = site if isinstance(site, int) else cx.name(site)
        if self.stacking:
            return self.height_at(cx, place)
        if not self.counts_matter:
            return self._guard(cx, place, f"(1 if state[WHAT + {place}] != 0 else 0)")
        self.state.want("COUNT", self.n_sites)
        return self._guard(cx, place, f"state[COUNT + {place}]")

    def height_at(self, cx: Cx, site: Expr) -> Expr:
        """Code for the height of the stack on a site."""
        place = site if isinstance(site, int) else cx.name(site)
        if not self.stacking:
            return self._guard(cx, place, f"(1 if state[WHAT + {place}] != 0 else 0)")
        from ludoport.ludemes.stacks import want_stacks

        want_stacks(self)
        return self._guard(cx, place, f"state[HEIGHT + {place}]")

    # Changing a position -------------------------------------------------------------------------

    def move_piece(
        self, cx: Cx, frm: Expr, to: Expr, stack: bool, level: Value | None, end: Value | None = None
    ) -> None:
        """Write the displacement of a piece."""
        if self.stacking:
            from ludoport.ludemes.stacks import move_stacked

            move_stacked(cx, frm, to, stack, level, end)
            return
        cx.act("shift", frm, to)

    def add_piece(self, cx: Cx, site: Expr, piece: Expr, state: Expr | None, count: Expr | None, stack: bool) -> None:
        """Write the arrival of a piece."""
        if self.stacking:
            from ludoport.ludemes.stacks import add_stacked

            add_stacked(cx, site, piece, state, count, stack)
            return
        if state is not None:
            self.want_state()
        if count is not None and self.counts_matter:
            cx.act("add_many", site, piece, 0 if state is None else state, count)
        elif state is not None:
            cx.act("add_with_state", site, piece, state)
        else:
            cx.act("add_piece", site, piece)

    def remove_piece(self, cx: Cx, site: Expr, level: Value | None, count: Value | None) -> None:
        """Write the removal of a piece."""
        if self.stacking:
            from ludoport.ludemes.stacks import remove_stacked

            remove_stacked(cx, site, level, count)
            return
        if count is not None and self.counts_matter:
            cx.act("remove_many", site, number(count, cx))
        else:
            cx.act("lift", site)

    def promote_piece(self, cx: Cx, site: Expr, piece: Expr) -> None:
        """Write the change of a piece into another."""
        if self.stacking:
            from ludoport.ludemes.stacks import promote_stacked

            promote_stacked(cx, site, piece)
            return
        cx.act("promote", site, piece)

    def set_level_state(self, node: Ludeme, cx: Cx, sink: Sink, site: str, value: str) -> None:
        """Write the change of a local state in a stack."""
        from ludoport.ludemes.stacks import set_state_at_level

        set_state_at_level(node, cx, sink, site, value)

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
        """There is a function that tells whether the mover can move."""
        self.wants.add("can_play")

    def want_hits(self) -> None:
        """There is a function that tells whether the mover has a move to a site."""
        self.wants.add("hits_play")

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
        if "last after" in self.wants:
            # The trail follows every action; consequents still see where the move itself ended.
            return [
                "state[LAST_FROM_AFTER] = move[FROM]",
                "state[LAST_TO_AFTER] = move[TO]",
                "state[TRAIL_FROM] = move[FROM]",
                "state[TRAIL_TO] = move[TO]",
            ]
        return []

    def on_done(self) -> list[str]:
        """Lines that run when the consequents of a move are done."""
        if "last after" in self.wants:
            return ["state[LAST_FROM_AFTER] = state[TRAIL_FROM]", "state[LAST_TO_AFTER] = state[TRAIL_TO]"]
        return []

    # Regions and maps ----------------------------------------------------------------------------

    def everywhere(self) -> Region:
        """All sites of all containers."""
        return Static(tuple(range(self.n_sites)), self)

    def whole_board(self) -> Region:
        """All sites of the board."""
        return Static(tuple(range(self.n_board)), self)

    def hand_bases(self) -> list[int]:
        """The first hand site of each player number from 0; -1 where there is none."""
        bases = [-1] * (self.n_players + 2)
        for hand in self.hands:
            bases[hand.owner] = hand.base
        return bases

    def hand_region(self, cx: Cx, who: Value | Expr | None, node: Ludeme) -> Region:
        """The hand sites of a player."""
        choices: list[tuple[int, ...]] = [()] * (self.n_players + 2)
        for hand in self.hands:
            choices[hand.owner] = tuple(range(hand.base, hand.base + hand.size))
        if isinstance(who, Word):
            if who.name in ("All", "Each"):
                return Static(tuple(s for c in choices for s in c), self)
            who = number(who, cx)
        if isinstance(who, int):
            return Static(choices[who], self)
        assert isinstance(who, str)
        return PerPlayer(cx.name(who), tuple(choices), self)

    def named_region(self, cx: Cx, name: str | None, who: Value | None, node: Ludeme) -> Region:
        """The union of the regions of a player, or of those with a name."""
        if who is None:
            matching = [r for r in self.regions if r.name == name]
            if not matching:
                return self._container_region(str(name), node)
            return self._united([part for r in matching for part in r.parts], cx)
        if isinstance(who, Word) and who.name in ("All", "Each"):
            chosen = [r for r in self.regions if name is None or name in r.name]
            return self._united([part for r in chosen for part in r.parts], cx)
        owner = number(who, cx)
        choices = []
        dynamic = False
        for player in range(self.n_players + 2):
            chosen = [r for r in self.regions if r.owner == player and (name is None or name in r.name)]
            united = self._united([part for r in chosen for part in r.parts], cx)
            dynamic |= united.static is None
            choices.append(united.static or ())
        if dynamic:
            raise UnsupportedError("named regions that change during play are not implemented yet", node.source)
        if isinstance(owner, int):
            return Static(choices[owner], self)
        return PerPlayer(cx.name(owner), tuple(choices), self)

    def _container_region(self, name: str, node: Ludeme) -> Region:
        if name.startswith("Hand"):
            for index, hand in enumerate(self.hands, 1):
                if name == f"Hand{hand.owner}" or name == f"Hand{index}":
                    return Static(tuple(range(hand.base, hand.base + hand.size)), self)
        if name == "Board":
            return self.whole_board()
        base, sites = self.kind_block(node.get("siteType"))
        label = sites.site_of(name)
        if label is not None:
            return Static((base + label,), self)
        if self.regions:
            # Texts shared by several boards may speak of regions that one of them does not have.
            return Static((), self)
        raise LudError(f"there is no region `{name}`; the game has none", node.source)

    def _united(self, parts: list[Value], cx: Cx) -> Region:
        regions = [region(part, cx) for part in parts]
        if all(r.static is not None for r in regions):
            return Static(tuple(dict.fromkeys(s for r in regions for s in (r.static or ()))), self)
        return Union(regions)

    def player_regions(self, player: int) -> list[list[int]]:
        """The regions of a player, each apart."""
        scratch = self.root(Function("unused", []))
        found = []
        for each in self.regions:
            if each.owner == player:
                for part in each.parts:
                    sites = region(part, scratch).static
                    if sites is None:
                        raise UnsupportedError("named regions that change during play are not implemented yet")
                    found.append(list(sites))
        return found

    def map_entries(self, name: str | None, node: Ludeme) -> dict[int, int]:
        """What a map holds."""
        scratch = self.root(Function("unused", []))
        entries: dict[int, int] = {}
        for item in self.maps:
            own = item.get("name")
            if name is not None and str(own) != name:
                continue
            # A missing entry, or one that gives -1, leaves the key to the next map, or as it is.
            own_entries: dict[int, int] = {}
            for key, value in _pairs(item):
                own_entries[self._fixed(key, scratch, node)] = self._landmark(value, scratch, node)
            for k, v in own_entries.items():
                if v != -1:
                    entries.setdefault(k, v)
        return entries

    def _landmark(self, value: Value, cx: Cx, node: Ludeme) -> int:
        """A number of a map, which may be written as a landmark of the board."""
        if isinstance(value, Word) and value.enum == "LandmarkType":
            sites = self.sites
            first = {
                "FirstSite": [0],
                "LastSite": [sites.n - 1],
                "BottomSite": sites.bottom,
                "Topsite": sites.top,
                "LeftSite": sites.left,
                "RightSite": sites.right,
                "CentreSite": sites.centre,
            }
            return first[value.name][0]
        return self._fixed(value, cx, node)

    def _map_value(self, value: Value, cx: Cx, node: Ludeme) -> int | None:
        """What a map gives; None for a label that the board does not have."""
        if isinstance(value, Text) and all(c.name != value.text for c in self.components[1:]):
            return self.sites.site_of(value.text)
        return self._fixed(value, cx, node)

    def _fixed(self, value: Value, cx: Cx, node: Ludeme) -> int:
        result = number(value, cx)
        if not isinstance(result, int):
            raise UnsupportedError("maps must not change during play", node.source)
        return result

    def kind_sites(self, kind: Value | None) -> Sites:
        """The sites of a kind, the board's own by default."""
        return self.sites if kind is None or str(kind) == self.board.kind else self.board.sites(str(kind))

    def kind_block(self, kind: Value | None) -> tuple[int, Sites]:
        """The first site number and the sites of a kind."""
        if kind is None or str(kind) == self.board.kind:
            return 0, self.sites
        return self._kind_base[str(kind)], self.board.sites(str(kind))

    def site_of(self, label: Value, sites: Sites) -> int:
        """The site with a label."""
        try:
            found = sites.site_of(str(label))
        except (KeyError, ValueError, LookupError):
            found = None
        if found is not None:
            return int(found)
        raise LudError(f"the board has no site `{label}`", getattr(label, "source", None))

    def start_sites(self) -> tuple[tuple[int, ...], ...]:
        """For each component, where it stands after the setup."""
        from ludoport.ludemes.starting import placements

        found: list[list[int]] = [[] for _ in self.components]
        for placed in placements(self):
            found[placed.component].append(placed.site)
        return tuple(tuple(sites) for sites in found)

    def flip_tables(self) -> tuple[str, str]:
        """For each component, the two local states that it flips between."""
        first = [c.flips[0] if c.flips else -1 for c in self.components]
        second = [c.flips[1] if c.flips else -1 for c in self.components]
        return self.module.table("FACE", first), self.module.table("BACK", second)


def _pairs(item: Ludeme) -> list[tuple[Value, Value]]:
    listed = item.get("pairs")
    if isinstance(listed, list):
        pairs = []
        for pair in listed:
            assert isinstance(pair, Ludeme)
            value = pair.get("value") if pair.get("value") is not None else pair.get("landmark")
            assert value is not None
            pairs.append((pair.args["key"], value))
        return pairs
    keys, values = item.args["keys"], item.args["values"]
    assert isinstance(keys, list) and isinstance(values, list)
    return list(zip(keys, values, strict=True))
