"""What a mapping has to know of the game on either side of it: channels, their names, and the trees of its pieces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.lud.tree import Description, Ludeme
from ludoport.ludemes import compile_description
from ludoport.ludemes.program import Program
from ludoport.ludemic import find_rules, ludemic
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.features import read_features
from ludoport.tensors.layout import channels_of_moves, channels_of_states
from ludoport.tensors.names import move_name, state_name
from ludoport.transfer.distance import Tree
from ludoport.transfer.trees import piece_tree

_LEVELS = ("level-from-bottom", "level-from-top")


@dataclass(frozen=True, eq=False)
class Side:
    """One game of a mapping.

    Attributes:
        game: its name.
        players: how many play it.
        state: what the planes of a state mean.
        moves: what the planes of moves mean.
        state_names: names of the planes of a state.
        move_names: names of the planes of moves.
        rules: the rules of each piece by its name; a piece without rules of its own has None.
        fingerprint: of the game's rules.
        options: the options that were chosen.
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

    @cached_property
    def trees(self) -> dict[str, Tree]:
        """The trees of all pieces, by name; pieces that share their rules share their tree."""
        made: dict[int, Tree] = {}
        return {name: made.setdefault(id(node), piece_tree(node)) for name, node in self.rules.items()}

    @property
    def stacking(self) -> bool:
        """Whether planes show the levels of stacks."""
        return any(channel.kind in _LEVELS for channel in self.state)

    @property
    def movement(self) -> bool:
        """Whether planes of moves tell displacements apart."""
        return any(channel.dx or channel.dy for channel in self.moves)

    def pieces(self) -> list[tuple[str, int]]:
        """Name and owner of every piece type, in order."""
        drawn = [(c.piece, c.owner) for c in self.state if c.kind in ("piece", *_LEVELS)]
        return list(dict.fromkeys(drawn))


def side_of(game: Game) -> Side:
    """The side of a loaded game; its kernels are not compiled."""
    rules = ludemic(game.rules)
    return read_side(rules.description, rules.fingerprint)


def find_side(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None) -> Side:
    """The side of a bundled game, or of a game text by its path.

    >>> find_side("Hex", ["Board Size/7x7"]).state_names[0]
    'Piece Type 1 (Marker1)'
    """
    rules = find_rules(name, options, ruleset)
    return read_side(rules.description, rules.fingerprint, options)


def read_side(description: Description, fingerprint: str = "", options: Sequence[str] = ()) -> Side:
    """The side of a game text; its board is built, but no kernel is written unless people can vote."""
    if any(node.keyword == "satisfy" for node in description.root.walk()):
        raise LudoportError(f"{description.name}: deduction puzzles have numbers instead of pieces, and no tensors")
    program = Program(description)
    if program.keys & {"moves:propose", "moves:vote", "moves:move Propose", "moves:move Vote"}:
        program = compile_description(description).program  # only then are the texts known
    features = read_features(program)
    state, moves = channels_of_states(program, features), channels_of_moves(features)
    return Side(
        game=description.name,
        players=program.n_players,
        state=state,
        moves=moves,
        state_names=tuple(state_name(channel, program) for channel in state),
        move_names=tuple(move_name(channel, features) for channel in moves),
        rules={piece.name: piece.moves for piece in program.components[1:]},
        fingerprint=fingerprint,
        options=tuple(options),
    )
