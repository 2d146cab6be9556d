"""Pieces without a namesake matched by their behaviour in random play.

Names and rules are only text; play shows what pieces do. In random games every piece type is watched: how many
of it are on the board, how many moves each of them has and how far these go, how much its number changes, and whether
having many of it goes with winning. Of the pieces of the same owner, the one that behaves most alike is the partner.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, as_game, seeded
from ludoport.ludemic import ludemic
from ludoport.tensors.layout import CLIP, LudemicLayout, ludemic_layout
from ludoport.transfer import mapping as channels
from ludoport.transfer.sides import Side, side_of

GAMES = 40
LIMIT = 400
"""Maximum number of moves of a random game."""


@dataclass(frozen=True)
class Behaviour:
    """Behaviour of one piece type in random play.

    Attributes:
        occupancy: mean number of it in a position.
        mobility: legal moves of one of them, on average over the positions in which its owner is to move.
        change: mean change of that number from one position to the next.
        result: correlation of their number with what their owner gets in the end, over all games.
        steps: share of each displacement, cut at 3, among its legal moves; shape (7, 7). All 0 if it never moves.
    """

    occupancy: float
    mobility: float
    change: float
    result: float
    steps: NDArray[np.float64]

    def unlike(self, other: Behaviour) -> float:
        """Distance between the behaviour of two pieces; 0 if there is no difference.

        Numbers are compared by their ratio, since boards differ in size; displacements by the share that differs.
        """
        numbers = sum(
            abs(np.log1p(getattr(self, part)) - np.log1p(getattr(other, part)))
            for part in ("occupancy", "mobility", "change")
        )
        moves = np.abs(self.steps - other.steps).sum() / 2
        return float(numbers + moves + abs(self.result - other.result) / 2)


@dataclass
class _Tally:
    """Counts for all piece types; index 0 is an empty site."""

    pieces: int
    positions: int = 0
    count: NDArray[np.float64] = field(init=False)
    moves: NDArray[np.float64] = field(init=False)
    movable: NDArray[np.float64] = field(init=False)
    change: NDArray[np.float64] = field(init=False)
    steps: NDArray[np.float64] = field(init=False)
    means: list[NDArray[np.float64]] = field(default_factory=list)
    results: list[NDArray[np.float64]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.count, self.moves, self.movable, self.change = (np.zeros(self.pieces) for _ in range(4))
        self.steps = np.zeros((self.pieces, 2 * CLIP + 1, 2 * CLIP + 1))


def observe(game: Game, games: int = GAMES, seed: int = 1) -> dict[str, Behaviour]:
    """Behaviour of every piece type of a game in random play, by name.

    Args:
        game: a game without stacks.
        games: number of random games.
        seed: random seed.
    """
    layout = ludemic_layout(ludemic(game.rules), "compact")
    if layout.features.stacking:
        raise LudoportError(f"{game.name} has stacks; behaviour is only measured in games without them")
    components = ludemic(game.rules).compiled.program.components
    owners = np.array([component.owner for component in components])
    tally = _Tally(len(components))
    for number in range(games):
        _watch(game, layout, owners, tally, seeded(seed * 1_000_003 + number))
    correlations = _correlations(tally, owners, game.n_players)
    return {
        component.name: _behaviour(tally, component.index, correlations[component.index])
        for component in components[1:]
    }


def _watch(game: Game, layout: LudemicLayout, owners: NDArray[Any], tally: _Tally, rng: NDArray[np.int64]) -> None:
    """Plays one random game and counts."""
    fields, kernels, row = game.rules.fields, game.kernels, game.new_row()
    board = row[fields["WHAT"] : fields["WHAT"] + len(layout.x)]
    kernels.call("start", row, rng)
    before = _census(board, tally.pieces)
    total, plies = np.zeros(tally.pieces), 0
    while row[fields["OVER"]] == 0 and plies < LIMIT:
        moves = _legal(game, row)
        tally.movable += np.where(owners == row[fields["MOVER"]], before, 0)
        piece, dx, dy = _displacements(game, layout, board, moves)
        np.add.at(tally.moves, piece, 1)
        np.add.at(tally.steps, (piece, dx + CLIP, dy + CLIP), 1)
        kernels.call("play", row, moves[_draw(rng, len(moves))], game.work)
        after = _census(board, tally.pieces)
        tally.change += np.abs(after - before)
        total, plies, before = total + before, plies + 1, after
    tally.count += total
    tally.positions += plies
    tally.means.append(total / max(plies, 1))
    tally.results.append(np.array([kernels.call("utility", row, p) for p in range(1, game.n_players + 1)], dtype=float))


def _census(board: NDArray[Any], pieces: int) -> NDArray[np.int64]:
    return np.bincount(board, minlength=pieces)[:pieces]


def _draw(rng: NDArray[np.int64], below: int) -> int:
    """A random number below another; the two words of the generator change as those of kernels do."""
    a, b = int(rng[0]), int(rng[1])
    value = (a * 0x9E3779BB) & 0xFFFFFFFF
    b ^= a
    rng[0] = (((a << 26) | (a >> 6)) & 0xFFFFFFFF) ^ b ^ ((b << 9) & 0xFFFFFFFF)
    rng[1] = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    return (value * below) >> 32


def _legal(game: Game, row: NDArray[Any]) -> NDArray[Any]:
    game.move_list[:] = 0
    count = int(game.kernels.call("legal", row, game.move_list, game.work))
    width = game.rules.move_size
    return game.move_list[: count * width].reshape(count, width).copy()


def _displacements(
    game: Game, layout: LudemicLayout, board: NDArray[Any], moves: NDArray[Any]
) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    """Piece and displacement of all moves that have an origin."""
    columns = ludemic(game.rules).compiled.columns
    between = np.array([way.kind == "between" for way in layout.ways])
    moving = moves[between[moves[:, columns["RULE"]]]]
    origin, goal = moving[:, columns["FROM"]], moving[:, columns["TO"]]
    dx, dy = (np.clip(places[goal] - places[origin], -CLIP, CLIP) for places in (layout.x, layout.y))
    return board[origin], dx, dy


def _correlations(tally: _Tally, owners: NDArray[Any], players: int) -> NDArray[np.float64]:
    """Correlation of the number of each piece with the result of its owner; 0 where either never changes."""
    means, results = np.array(tally.means), np.array(tally.results)
    found = np.zeros(tally.pieces)
    for piece in range(1, tally.pieces):
        if 1 <= owners[piece] <= players:
            number, result = means[:, piece], results[:, owners[piece] - 1]
            if number.std() > 0 and result.std() > 0:
                found[piece] = np.corrcoef(number, result)[0, 1]
    return found


def _behaviour(tally: _Tally, piece: int, result: float) -> Behaviour:
    positions, movable = max(tally.positions, 1), tally.movable[piece]
    steps = tally.steps[piece]
    return Behaviour(
        occupancy=float(tally.count[piece] / positions),
        mobility=float(tally.moves[piece] / movable) if movable else 0.0,
        change=float(tally.change[piece] / positions),
        result=float(result),
        steps=steps / steps.sum() if steps.sum() else steps,
    )


def map_by_behaviour(
    source: Game | str | Path, target: Game | str | Path, games: int = GAMES, seed: int = 1
) -> channels.Mapping:
    """The mapping between two games, with pieces matched by behaviour where they have no namesake.

    Args:
        source: the game that knowledge comes from.
        target: the game that it goes to.
        games: number of random games of each.
        seed: random seed.
    """
    source, target = as_game(source), as_game(target)
    here, there = side_of(source), side_of(target)
    mapping = channels.map_channels(here, there)
    seen, wanted = observe(source, games, seed), observe(target, games, seed)
    rows = [
        _rematched(row, channel.piece, channel.owner, here, seen, wanted) if row.reason == "edit distance" else row
        for row, channel in zip(mapping.state, there.state, strict=True)
    ]
    return replace(mapping, state=tuple(rows))


def _rematched(
    row: channels.MappedChannel,
    piece: str,
    owner: int,
    source: Side,
    seen: Mapping[str, Behaviour],
    wanted: Mapping[str, Behaviour],
) -> channels.MappedChannel:
    candidates = [name for name, owned in source.pieces() if owned == owner]
    best = most_alike(wanted[piece], [seen[name] for name in candidates])
    index = next(i for i, channel in enumerate(source.state) if channel.piece == candidates[best])
    return channels.MappedChannel(row.target, source.state_names[index], index, "behaviour")


def most_alike(one: Behaviour, others: Sequence[Behaviour]) -> int:
    """The first of those that behave most alike."""
    return int(np.argmin([one.unlike(other) for other in others]))
