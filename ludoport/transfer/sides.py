"""The two games of a mapping: their channels, names of channels, and trees of pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.kernels.contract import Rules
from ludoport.kernels.tensors import HasTensors
from ludoport.languages import find_rules
from ludoport.lud.tree import Description, Ludeme
from ludoport.ludemes import compile_description
from ludoport.ludemes.core.program import Program
from ludoport.ludemic import LudemicRules, ludemic, options_of
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.dice import read_dice_planes
from ludoport.tensors.features import read_features
from ludoport.tensors.layout import channel_names, channels_of_moves, channels_of_states
from ludoport.tensors.names import move_name, state_name
from ludoport.transfer.distance import LabelTree
from ludoport.transfer.piece_trees import piece_tree

_LEVELS = ("level-from-bottom", "level-from-top")


@dataclass(frozen=True, eq=False)
class Side:
    """One game of a mapping.

    Attributes:
        game: its name.
        players: number of players.
        state: meanings of the planes of a state.
        moves: meanings of the planes of moves.
        state_names: names of the planes of a state.
        move_names: names of the planes of moves.
        rules: the rules of each piece by its name; a piece without rules of its own has None.
        fingerprint: of the game's rules.
        options: the options that were chosen.
        without_rules: whether the game's language has no rules of pieces that could be compared.
    """

    game: str
    players: int
    state: tuple[StateChannel, ...]
    moves: tuple[MoveChannel, ...]
    state_names: tuple[str, ...]
    move_names: tuple[str, ...]
    rules: Mapping[str, Ludeme | None] = field(default_factory=dict)
    fingerprint: str = ""
    options: tuple[str, ...] = ()
    without_rules: bool = False

    @cached_property
    def trees(self) -> dict[str, LabelTree]:
        """The trees of all pieces, by name; pieces that share their rules share their tree."""
        made: dict[int, LabelTree] = {}
        return {name: made.setdefault(id(node), piece_tree(node)) for name, node in self.rules.items()}

    @property
    def stacking(self) -> bool:
        """Whether planes show the levels of stacks."""
        return any(channel.kind in _LEVELS for channel in self.state)

    @property
    def movement(self) -> bool:
        """Whether planes of moves distinguish displacements."""
        return any(channel.dx or channel.dy for channel in self.moves)

    def pieces(self) -> list[tuple[str, int]]:
        """Name and owner of every piece type, in order."""
        drawn = [(c.piece, c.owner) for c in self.state if c.kind in ("piece", *_LEVELS)]
        return list(dict.fromkeys(drawn))


def side_of(game: Game) -> Side:
    """The side of a loaded game; its kernels are not compiled."""
    return _side(game.rules)


def find_side(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None) -> Side:
    """The side of a bundled game, of a game text by its path, or of a game of the chess family.

    >>> find_side("Hex", ["Board Size/7x7"]).state_names[0]
    'Piece Type 1 (Marker1)'
    """
    return _side(find_rules(name, options, ruleset), options)


def _side(rules: Rules, options: Sequence[str] = ()) -> Side:
    if isinstance(rules, LudemicRules):
        return read_side(rules.description, rules.fingerprint, options or options_of(rules))
    if not isinstance(rules, HasTensors):
        raise LudoportError(f"{rules.name}: its rules do not say how positions become tensors")
    plan = rules.tensors()
    state_names, move_names = channel_names(plan)
    pieces = ludemic(find_rules(plan.kin)).description if plan.kin else None
    return Side(
        game=rules.name,
        players=rules.n_players,
        state=plan.state,
        moves=plan.moves,
        state_names=state_names,
        move_names=move_names,
        rules=_piece_rules(Program(pieces)) if pieces is not None else {},
        fingerprint=rules.fingerprint,
        options=tuple(options),
        without_rules=pieces is None,
    )


def _piece_rules(program: Program) -> dict[str, Ludeme | None]:
    return {piece.name: piece.moves for piece in program.components[1:]}


def read_side(description: Description, fingerprint: str = "", options: Sequence[str] = ()) -> Side:
    """The side of a game text; its board is built, but no kernel is written unless people can vote."""
    if any(node.keyword == "satisfy" for node in description.root.walk()):
        raise LudoportError(f"{description.name}: deduction puzzles have numbers instead of pieces, and no tensors")
    program = Program(description)
    if program.keys & {"moves:propose", "moves:vote", "moves:move Propose", "moves:move Vote"}:
        program = compile_description(description).program  # only then are the texts known
    features = read_features(program)
    state = channels_of_states(program, features, read_dice_planes(program))
    moves = channels_of_moves(features)
    return Side(
        game=description.name,
        players=program.n_players,
        state=state,
        moves=moves,
        state_names=tuple(state_name(channel, program) for channel in state),
        move_names=tuple(move_name(channel, features) for channel in moves),
        rules=_piece_rules(program),
        fingerprint=fingerprint,
        options=tuple(options),
    )
