"""The layout of a game's tensors: its channels, and the cell of each site.

A state is a tensor of shape (channels, height, width), and so are its moves: the destination is the place, the
displacement chooses the channel. There are three layouts, which have the same channels, except for dice:

- ``compact``, for new work: hexagonal boards in sheared coordinates, hands packed beside the board, neutral pieces
  drawn as all others. What dice show has planes of its own (``dice.py``).
- ``paper``: as Ludii intends it. Sites are ranked by their centres, so that hexagonal boards fill every other cell;
  an empty line lies before the hands; neutral pieces are not drawn except in stacks.
- ``ludii-1.3.14``: as that version does it. Where hands are columns, the first one is in the last column, and all
  others at (0, 0).

On rectangular boards without hands and neutral pieces they are the same. Games of other languages have one layout only:
the one that their rules give (``kernels/tensors.py``).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Literal, get_args

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, as_game
from ludoport.kernels.tensors import HasTensors, TensorPlan
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.fields.hidden import UNKNOWN
from ludoport.ludemic import LudemicRules
from ludoport.tensors.channels import MoveChannel, StateChannel
from ludoport.tensors.dice import DicePlanes, read_dice_planes
from ludoport.tensors.features import Features, read_features
from ludoport.tensors.grid import Grid, compact_grid, containers, reference_grid
from ludoport.tensors.names import move_name, plane_name, state_name, way_name
from ludoport.tensors.ways import Way, read_ways

LayoutName = Literal["compact", "paper", "ludii-1.3.14"]

LAYOUTS: tuple[LayoutName, ...] = get_args(LayoutName)

CLIP = 3
"""Longer displacements share the channels of this length."""

LEVELS = 5
"""Levels of a stack that are drawn, from the bottom and from the top."""

STATES = 6
"""Local states that are drawn; the last one stands for all higher ones too."""

LEVELS_MOVED = 3
"""Lowest levels of moves that are told apart, and numbers of levels that move with them."""


@dataclass(frozen=True, eq=False)
class TensorLayout:
    """The layout of a game's tensors.

    Attributes:
        game: the game's name.
        layout: the name of the layout.
        state_channels: the meaning of every plane of a state.
        move_channels: the meaning of every plane of moves.
        grid: the grid, with the cell of each site.
        containers: the sites of every container, the board first.
        state_names: names of the planes of a state, those of the reference.
        move_names: names of the planes of moves.
        text: the kernels as the rules of the game give them; empty where they are made from the layout.
    """

    game: str
    layout: LayoutName
    state_channels: tuple[StateChannel, ...]
    move_channels: tuple[MoveChannel, ...]
    grid: Grid
    containers: tuple[tuple[int, ...], ...]
    state_names: tuple[str, ...]
    move_names: tuple[str, ...]
    text: str = ""

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the planes of a state."""
        return self.state_names

    @property
    def shape(self) -> tuple[int, int, int]:
        """Shape of a state: (channels, height, width)."""
        return len(self.state_channels), self.grid.height, self.grid.width

    @property
    def move_shape(self) -> tuple[int, int, int]:
        """Shape of moves: (channels, height, width)."""
        return len(self.move_channels), self.grid.height, self.grid.width

    @property
    def x(self) -> NDArray[np.int32]:
        """First coordinate of every site; -1 for numbers that are not sites."""
        return self.grid.x

    @property
    def y(self) -> NDArray[np.int32]:
        """Second coordinate of every site."""
        return self.grid.y

    @cached_property
    def cells(self) -> NDArray[np.int32]:
        """The cell of every site, ``x * width + y``; -1 for numbers that are not sites."""
        return np.where(self.x >= 0, self.x * self.grid.width + self.y, -1).astype(np.int32)

    @cached_property
    def mask(self) -> NDArray[np.bool_]:
        """Mask of the cells that hold a site; shape (height, width)."""
        mask = np.zeros((self.grid.height, self.grid.width), dtype=np.bool_)
        mask.reshape(-1)[self.cells[self.cells >= 0]] = True
        return mask

    @cached_property
    def shared_cells(self) -> bool:
        """Whether some cell holds several sites."""
        return int((self.cells >= 0).sum()) > int(self.mask.sum())

    @property
    def hides_dice(self) -> bool:
        """Whether the game has dice that the layout does not show."""
        return False

    def first(self, kind: str) -> int:
        """The number of the first plane of a state with this kind of meaning; -1 if there is none."""
        return next((i for i, channel in enumerate(self.state_channels) if channel.kind == kind), -1)


@dataclass(frozen=True, eq=False)
class LudemicLayout(TensorLayout):
    """The layout of a game in the ludemic language.

    Attributes:
        features: features of the game.
        ways: meaning of each rule's moves for tensors, by the number of the rule.
        drawn: the pieces that are drawn, by number, from 1.
        fields: names of the fields of a row.
        dice: planes of dice; none where the layout does not show them.
    """

    features: Features = field(kw_only=True)
    ways: tuple[Way, ...] = field(kw_only=True)
    drawn: frozenset[int] = field(kw_only=True)
    fields: frozenset[str] = field(kw_only=True)
    dice: DicePlanes = field(kw_only=True)

    @property
    def hides_dice(self) -> bool:
        """Whether the game has dice that the layout does not show."""
        return "DICE" in self.fields and not self.dice.channels


def tensor_layout(game: Game | str | Path, layout: LayoutName = "compact") -> TensorLayout:
    """The layout of a game's tensors.

    Args:
        game: a game, its name, or the path of its file.
        layout: ``compact``, ``paper`` or ``ludii-1.3.14``.

    Example:
        >>> import ludoport as lp
        >>> layout = tensor_layout(lp.load("Hex", options=["Board Size/7x7"]))
        >>> layout.shape, layout.move_shape
        ((10, 7, 7), (3, 7, 7))
    """
    if layout not in LAYOUTS:
        raise LudoportError(f"unknown tensor layout `{layout}`; choose from {', '.join(LAYOUTS)}")
    game = as_game(game)
    if isinstance(game.rules, LudemicRules):
        return ludemic_layout(game.rules, layout)
    if hasattr(game.rules, "at"):
        raise LudoportError(
            f"{game.name} is a match of several games, which have no tensors in common; use one of them"
        )
    if not isinstance(game.rules, HasTensors):
        raise LudoportError(f"{game.name}: its rules do not say how positions become tensors")
    return planned_layout(game.name, game.rules.tensors())


def refuse_hidden_dice(layout: TensorLayout) -> None:
    """Refuse a layout in which a network would not see the dice.

    Raises:
        LudoportError: the game has dice, and the layout has no planes for them.
    """
    if layout.hides_dice:
        raise LudoportError(f"{layout.game}: the layout `{layout.layout}` does not show dice; use `compact`")


def planned_layout(game: str, plan: TensorPlan) -> TensorLayout:
    """The layout of a game whose rules have a plan; there is one way to draw it, so all layouts are the compact one."""
    state_names, move_names = channel_names(plan)
    x, y = (np.asarray(places, dtype=np.int32) for places in (plan.x, plan.y))
    board = tuple(np.flatnonzero(x >= 0).tolist())
    return TensorLayout(
        game, "compact", plan.state, plan.moves, Grid(x, y, *plan.shape), (board,), state_names, move_names, plan.text
    )


def channel_names(plan: TensorPlan) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Names of the planes of states and of moves."""
    pieces = list(dict.fromkeys(channel.piece for channel in plan.state if channel.kind == "piece"))
    movement = any(channel.dx or channel.dy for channel in plan.moves)
    return (
        tuple(plane_name(channel, pieces) for channel in plan.state),
        tuple(way_name(channel, movement=movement) for channel in plan.moves),
    )


def ludemic_layout(rules: LudemicRules, layout: LayoutName) -> LudemicLayout:
    """The layout of a game in the ludemic language."""
    program = rules.compiled.program
    if "DOMAIN" in rules.fields:
        raise LudoportError(f"{rules.name}: deduction puzzles have numbers instead of pieces, and no tensors")
    if layout != "compact" and program.other_kinds:
        raise LudoportError(
            f"{rules.name}: the layout `{layout}` has places for one kind of site only, and this game uses several; "
            "`compact` has places for all"
        )
    if UNKNOWN in program.wants:
        raise LudoportError(f"{rules.name} hides something from players that positions do not keep; it has no tensors")
    features = read_features(program)
    grid = compact_grid(program) if layout == "compact" else reference_grid(program, repeated=layout != "paper")
    neutral = layout == "compact" or features.stacking
    dice = read_dice_planes(program) if layout == "compact" else DicePlanes()
    state_channels, move_channels = channels_of_states(program, features, dice), channels_of_moves(features)
    return LudemicLayout(
        rules.name,
        layout,
        state_channels,
        move_channels,
        grid,
        containers(program),
        tuple(state_name(channel, program) for channel in state_channels),
        tuple(move_name(channel, features) for channel in move_channels),
        features=features,
        ways=read_ways(program, move_channels),
        drawn=frozenset(c.index for c in program.components[1:] if neutral or c.owner != 0),
        fields=frozenset(rules.fields),
        dice=dice,
    )


def channels_of_states(program: Program, features: Features, dice: DicePlanes) -> tuple[StateChannel, ...]:
    """The planes of a state, in the order of the reference; then those of dice, which are no pieces on sites."""
    channels: list[StateChannel] = []
    for piece in program.components[1 + dice.components :]:
        if features.stacking:
            for kind in ("level-from-bottom", "level-from-top"):
                channels += [StateChannel(kind, piece.owner, piece.name, level) for level in range(LEVELS)]
        else:
            channels.append(StateChannel("piece", piece.owner, piece.name))
    if features.stacking:
        channels.append(StateChannel("height"))
    if features.counts:
        channels.append(StateChannel("count"))
    if program.n_players > 1:
        channels += [StateChannel("to-move", player) for player in range(1, program.n_players + 1)]
    if features.states:
        channels += [StateChannel("state", index=state) for state in range(STATES)]
    if features.swap:
        channels.append(StateChannel("swapped"))
    channels += [StateChannel("container", index=number) for number in range(len(containers(program)))]
    for ago in (0, 1):
        channels += [StateChannel("last-from", index=ago), StateChannel("last-to", index=ago)]
    return (*channels, *dice.channels)


def channels_of_moves(features: Features) -> tuple[MoveChannel, ...]:
    """The planes of moves, in the order of the reference."""
    reach = range(-CLIP, CLIP + 1) if features.movement else range(1)
    levels = range(LEVELS_MOVED) if features.stacking else range(1)
    return (
        *(
            MoveChannel("displacement", dx, dy, level, span)
            for dx in reach
            for dy in reach
            for level in levels
            for span in levels
        ),
        *(MoveChannel("propose", text=text) for text in features.texts),
        *(MoveChannel("vote", text=text) for text in features.texts),
        MoveChannel("pass"),
        MoveChannel("swap"),
    )
