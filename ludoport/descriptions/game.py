"""A game as networks for many games read it: the meaning of every channel, and the rules."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np

from ludoport.descriptions.bags import Bag
from ludoport.descriptions.channels import move_bag, state_bag
from ludoport.descriptions.frame import Frame, Taps, frame_of, plain_frame
from ludoport.descriptions.rules import board_rules, text_rules, way_rules
from ludoport.descriptions.rulesheets import fact_owners
from ludoport.descriptions.sides import Equipment, equipment_of
from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.gdl.rules import GdlRules
from ludoport.kernels.tensors import HasTensors
from ludoport.languages import find_rules
from ludoport.ludemes.core.program import Program
from ludoport.ludemic import LudemicRules, ludemic
from ludoport.tensors.channels import MoveChannel
from ludoport.tensors.layout import CLIP, LudemicLayout, TensorLayout, tensor_layout

PLAYERS = (1, 2)


@dataclass(frozen=True)
class PlaneWay:
    """Direction of the moves of a plane, in cells of the tensors.

    Attributes:
        dx: along the first axis.
        dy: along the second.
        distance: steps to neighbours that this takes on an empty board.
        far: whether longer ways share the plane.
    """

    dx: int
    dy: int
    distance: int
    far: bool


@dataclass(frozen=True)
class GameDescription:
    """A game of two players as bags of tokens, made from its text alone.

    Attributes:
        game: its name, for messages; not a part of its meaning.
        views: for player 1 and for player 2 to move, the meaning of every plane of a state.
        moves: the meaning of every plane of moves.
        ways: direction of the moves of each plane; None where a move has none.
        rules: tokens of the rules.
        taps: cells of a 3x3 window that are neighbours of the one in its middle.
        turns: the planes that are 1 if player 1 and if player 2 is to move.
        large: planes that hold numbers above 1.
    """

    game: str
    views: tuple[tuple[Bag, ...], tuple[Bag, ...]]
    moves: tuple[Bag, ...]
    ways: tuple[PlaneWay | None, ...]
    rules: Bag
    taps: Taps
    turns: tuple[int, int]
    large: tuple[int, ...]

    @property
    def state_tokens(self) -> set[str]:
        """All tokens of planes of states."""
        return {token for view in self.views for bag in view for token in bag.tokens}

    @property
    def move_tokens(self) -> set[str]:
        """All tokens of planes of moves."""
        return {token for bag in self.moves for token in bag.tokens}


def describe(game: Game | str | Path, layout: TensorLayout | None = None) -> GameDescription:
    """The description of a game; its kernels are not compiled.

    Args:
        game: a game of two players, its name, or the path of its file.
        layout: its compact layout, if that is there already.

    Raises:
        LudoportError: the game is not for two players, or its positions cannot become tensors.

    >>> import ludoport as lp
    >>> describe(lp.load("Hex", options=["Board Size/3x3"], jit=False)).views[0][0].tokens[3:6]
    ('own moves:add > util:to', 'own piece', 'own play:play')
    """
    game = as_game(game)
    if game.n_players != 2:
        raise LudoportError(f"descriptions are for games of two players; {game.name} has {game.n_players}")
    layout = layout or tensor_layout(game, "compact")
    if layout.layout != "compact":
        raise LudoportError(f"descriptions are for the layout compact, not {layout.layout}")
    rules = game.rules
    if isinstance(rules, LudemicRules):
        return _described(layout, *_ludemic(rules.compiled.program, layout))
    if isinstance(rules, GdlRules):
        return _described(layout, *_rulesheet(rules, layout))
    assert isinstance(rules, HasTensors)
    return _described(layout, *_kin(rules.tensors().kin, layout))


def _described(layout: TensorLayout, frame: Frame, equipment: Equipment, rules: Bag) -> GameDescription:
    first, second = (tuple(state_bag(c, mover, equipment) for c in layout.state_channels) for mover in PLAYERS)
    turns = {channel.owner: n for n, channel in enumerate(layout.state_channels) if channel.kind == "to-move"}
    kinds = ("height", "count", "amount", "die", "roll")
    return GameDescription(
        game=layout.game,
        views=(first, second),
        moves=tuple(move_bag(channel, equipment) for channel in layout.move_channels),
        ways=tuple(_way(channel, frame) for channel in layout.move_channels),
        rules=rules,
        taps=frame.taps,
        turns=(turns[1], turns[2]),
        large=tuple(n for n, channel in enumerate(layout.state_channels) if channel.kind in kinds),
    )


def _way(channel: MoveChannel, frame: Frame) -> PlaneWay | None:
    dx, dy = channel.dx, channel.dy
    if channel.kind != "displacement" or not (dx or dy):
        return None
    hexagonal = not frame.taps[0][2]
    # With neighbours at (1, 1) but not at (1, -1), ways whose parts differ in sign take both parts.
    distance = max(abs(dx), abs(dy), abs(dx - dy)) if hexagonal else max(abs(dx), abs(dy))
    return PlaneWay(dx, dy, distance, max(abs(dx), abs(dy)) >= CLIP)


def _ludemic(program: Program, layout: TensorLayout) -> tuple[Frame, Equipment, Bag]:
    assert isinstance(layout, LudemicLayout)
    frame = frame_of(program.sites, layout.grid)
    board = board_rules(program.board.graph.basis, layout.mask, len(program.hands), layout.features.stacking)
    return frame, equipment_of(program, frame), text_rules(program.description) + board


def _rulesheet(rules: GdlRules, layout: TensorLayout) -> tuple[Frame, Equipment, Bag]:
    roles = {role: number for number, role in enumerate(rules.roles, 1)}
    placed = [c for c in layout.move_channels if c.kind == "displacement"]
    moved = any(c.dx or c.dy for c in placed)
    ways = way_rules(any(not (c.dx or c.dy) for c in placed), moved, len(placed) < len(layout.move_channels))
    board = board_rules("Square" if layout.mask.size > 1 else "", layout.mask, 0, False)
    texts = [channel.piece for channel in layout.state_channels if channel.kind == "fact"]
    equipment = Equipment(roles=roles, facts=fact_owners(rules.program, texts))
    return plain_frame(_places(layout)), equipment, ways + board


def _kin(name: str, layout: TensorLayout) -> tuple[Frame, Equipment, Bag]:
    """Descriptions of the same pieces in a game file, for rules that are not written as text."""
    program = _program(name)
    frame = plain_frame(_places(layout))
    board = board_rules("Square", layout.mask, 0, False)
    return frame, equipment_of(program, frame), text_rules(program.description) + board


@lru_cache(maxsize=2)
def _program(name: str) -> Program:
    return Program(ludemic(find_rules(name)).description)


def _places(layout: TensorLayout) -> np.ndarray[tuple[int, ...], np.dtype[np.float64]]:
    there = layout.x >= 0
    return np.stack([layout.x[there], layout.y[there]], 1).astype(float)
