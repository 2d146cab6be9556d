"""From the description of a match to the source of its kernels.

Each game is compiled as a program of its own, on rows that begin with the fields of the match (``core/part.py``). So
are the rules around the games. The module of the match holds all of them, and the functions of ``contract_match.py``,
which call those of the current game.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from ludoport.budget import limited
from ludoport.errors import LudError
from ludoport.kernels import library
from ludoport.kernels.build import initial_row, row_text
from ludoport.kernels.room import GIVEN_UP, MARK
from ludoport.kernels.source import quoted
from ludoport.kernels.table_text import UNPACKING
from ludoport.lud.reading import read_text
from ludoport.lud.subgames import subgames
from ludoport.lud.tree import Description, Ludeme, Value
from ludoport.ludemes.bounds import Bounds
from ludoport.ludemes.compile import Compiled, compile_description, lay_out
from ludoport.ludemes.contract_match import PLAIN, kernels, write_frame
from ludoport.ludemes.core.arguments import refuse_unread
from ludoport.ludemes.core.equipment import read_players
from ludoport.ludemes.core.features import uses_chance
from ludoport.ludemes.core.interning import intern
from ludoport.ludemes.core.part import Part
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.rewriting import rewritten
from ludoport.ludemes.core.unforeseen import explained
from ludoport.ludemes.joining import ModulePart

_BOARD = '(game "Frame" (players 2) (equipment {(board (square 1)) (piece "Ball" Each)}))'
"""Gives the rules around the games the board that every program has; they cannot ask for it."""

_OF_A_GAME = ("legal", "sample", "play", "key", "begin", "game_worth")
"""Functions that the match calls for the current game."""

_SHARED = ("draw_number", "chance", "next_luck", "reseed", "LUCK", "UNSEEN")
"""Names that are equal in all programs: chance is one for the whole match."""


@dataclass
class CompiledMatch:
    """Generated source of a match, and what is needed to run and to show it.

    Attributes:
        source: the kernels, with the initial position.
        games: the programs of its games; their kernels work on rows of the match, too.
        fields: where the fields of the match begin in a row.
        sizes: its constants, such as ``MOVE_SIZE``; the last number of a move is that of its game.
    """

    source: str
    games: list[Compiled]
    fields: dict[str, int]
    sizes: dict[str, int]


def compile_match(description: Description) -> CompiledMatch:
    """Write the kernels of a match.

    Raises:
        LudoportError: the rules are wrong, or take too much time or memory to compile.
    """
    with limited(description.file), explained(description.root):
        root = intern(rewritten(with_players(description.root)))
        listed = list(zip(description.subgames, subgames(root), strict=True))
        players = read_players(root)[0]
        for game, node in listed:
            if (found := read_players(game.root)[0]) != players:
                raise LudError(f"the match has {players} players, but `{game.name}` has {found}", node.source)
        part = Part(len(listed), any(uses_chance(game.root) for game, _ in listed))
        games = [compile_description(_with_result(game, node), part) for game, node in listed]
        frame = _compile_frame(description, root, replace(part, frame=True), [node.get("next") for _, node in listed])
        return _joined(description, frame, games)


def with_players(root: Ludeme) -> Ludeme:
    """A match in which the number of players is written: two, if it says nothing."""
    if root.peek("players") is not None:
        return root
    return replace(root, args={**root.args, "players": read_text(_BOARD).root.args["players"]})


def _with_result(game: Description, node: Ludeme) -> Description:
    """A game that knows what it is worth in the match."""
    result = node.get("result")
    return game if result is None else replace(game, root=replace(game.root, args={**game.root.args, "result": result}))


def _compile_frame(description: Description, root: Ludeme, part: Part, following: Sequence[Value | None]) -> Compiled:
    """Write the rules around the games."""
    board = intern(read_text(_BOARD).root)
    args = {**board.args, "players": root.args["players"], "end": root.args["end"]}
    program = Program(replace(description, root=replace(board, args=args)), part)
    end = root.args["end"]
    assert isinstance(end, Ludeme)
    write_frame(program, end, following)
    for value in (end, *following):
        if isinstance(value, Ludeme):
            refuse_unread(value, program.board.kind)
    program.module.functions += library.parts(program.library)
    program.module.tidy()
    written = program.module.texts()
    work = lay_out(program, 1)
    texts = Bounds(program, written).guarded(1)
    source = program.module.text("", texts)
    return Compiled(source, program, program.state.size, program.moves.size, 1, work, {}, dict(program.state.offsets))


def _joined(description: Description, frame: Compiled, games: Sequence[Compiled]) -> CompiledMatch:
    """The module of a match."""
    part = frame.program.part
    assert part is not None
    inner = [_Inner(game, f"g{number}_") for number, game in enumerate(games)]
    fields = {name: at for name, at in frame.fields.items() if name in (*PLAIN, "LUCK", "UNSEEN", "GAME_OVER")}
    sizes = _sizes(frame, inner)
    constants = fields | sizes
    for each in games:
        if "HISTORY" in each.fields:  # searches ask whether positions depend on earlier ones
            fields["HISTORY"] = each.fields["HISTORY"]
    chance = ModulePart(games[0].source, ("chance", "next_luck") if part.chance else (), [*constants, "draw_number"])
    around = ModulePart(frame.source, ("match_end", "match_next", "utility", "draw"), constants)
    modules = [chance, around, *(each.module for each in inner)]
    first = [*inner[0].row, *[0] * (sizes["STATE_SIZE"] - len(inner[0].row))]
    parts = [
        quoted(f"Kernels of {description.name}."),
        f"{UNPACKING}import numpy as np\n",
        "\n".join(f"{name} = {value}" for name, value in constants.items()),
        "\n".join(line for module in modules for line in module.tables()),
        *(f"\n\n{text}" for module in modules for text in module.functions.values()),
        f"\n\n{kernels(part, [each.shape for each in inner])}",
        f"\n\n{library.always(part.chance).strip()}",
        f"\n\n{library.entries()}",
        f"\nINITIAL = {row_text(first)}\n",
    ]
    text = "\n".join(parts)
    assert text.isascii(), "text of a game got into its source other than as a literal or a comment"
    return CompiledMatch(text, list(games), fields, sizes)


class _Inner:
    """A game within the module of its match.

    Args:
        game: its program.
        prefix: what its names begin with there.
    """

    def __init__(self, game: Compiled, prefix: str) -> None:
        constants = game.program.module.constants
        self.game, self.prefix = game, prefix.upper()
        self.row = initial_row(game.source)
        self.module = ModulePart(game.source, _OF_A_GAME, _SHARED).prefixed(prefix)
        self.full = "FULL" in constants
        self.shape = (game.move_size, self.full, "def begin(" in game.source)
        named = {"WORK_SIZE": game.work_size, "STATE_SIZE": game.state_size}
        self.module.values |= {f"{self.prefix}{name}": str(value) for name, value in named.items()}
        self.module.values[f"{self.prefix}INITIAL"] = row_text(self.row)
        if self.full:
            self.module.values[f"{self.prefix}FULL"] = str(constants["FULL"])

    def place(self, begin: int) -> int:
        """Give the game its scratch space; returns where that ends."""
        self.module.values[f"{self.prefix}WORK"] = str(begin)
        return begin + self.game.work_size


def _sizes(frame: Compiled, inner: Sequence[_Inner]) -> dict[str, int]:
    """The constants of a match."""
    games = [each.game for each in inner]
    move_size = max(game.move_size for game in games) + 1
    work = frame.work_size
    for each in inner:
        work = each.place(work)
    marks = {"FULL": work, "GIVEN_UP": GIVEN_UP, "MARK": MARK} if any(each.full for each in inner) else {}
    return {
        "STATE_SIZE": max(game.state_size for game in games),
        "MOVE_SIZE": move_size,
        "MAX_MOVES": max(game.max_moves for game in games),
        "WORK_SIZE": max(work + bool(marks), 1),
        "N_PLAYERS": frame.program.n_players,
        "N_GAMES": len(games),
        "INSIDE": frame.fields["MOVER"],
        "GAME": move_size - 1,
        **{name: games[0].columns[name] for name in ("RULE", "FROM", "TO")},
        **marks,
    }
