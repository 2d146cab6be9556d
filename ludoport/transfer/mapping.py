"""Mapping of the channels of a game S to those of a game T (Soemers et al., section 3 and appendix B).

Planes of pieces correspond by name and owner, otherwise by the least distance between the rules of the pieces;
containers by their order; all other planes by their meaning. Moves correspond by their displacement. Where only one
game tells displacements apart, the one plane of a placement game goes to all planes of a movement game, and the other
way round only moves that stay where they are count.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Literal, get_args

from ludoport.errors import LudoportError
from ludoport.tensors.channels import MoveChannel
from ludoport.transfer.distance import distance, nearest
from ludoport.transfer.sides import Side

Reason = Literal[
    "same name", "edit distance", "only piece", "container by order", "same meaning", "same displacement",
    "placement to movement", "movement to placement", "behaviour", "given", "at random", "none",
]  # fmt: skip
"""Why a channel has the source it has; ``given`` by a person, ``behaviour`` in random play, ``at random`` in controls.

A language without rules of pieces leaves nothing to compare: a piece then needs a namesake, or an owner with but one
piece.
"""

NONE = -1
"""The source of a channel that has none."""


@dataclass(frozen=True)
class MappedChannel:
    """Source of one channel of the target.

    Attributes:
        target: name of the channel.
        source: name of the channel of the source game that it is copied from; None if there is none.
        index: number of that channel, -1 if there is none.
        reason: why.
        distance: edit distance of the two pieces' rules, where it was measured.
    """

    target: str
    source: str | None
    index: int
    reason: Reason
    distance: int | None = None


@dataclass(frozen=True)
class Mapping:
    """Mapping between the channels of two games.

    Attributes:
        source: name of the game that knowledge comes from.
        target: name of the game that it goes to.
        state: one row for each plane of a state of the target.
        moves: one row for each plane of moves of the target.
    """

    source: str
    target: str
    state: tuple[MappedChannel, ...]
    moves: tuple[MappedChannel, ...]

    @property
    def state_sources(self) -> tuple[int, ...]:
        """For each plane of a state of the target, the plane of the source, or -1."""
        return tuple(row.index for row in self.state)

    @property
    def move_sources(self) -> tuple[int, ...]:
        """For each plane of moves of the target, the plane of the source, or -1."""
        return tuple(row.index for row in self.moves)

    def shuffled(self, seed: int) -> Mapping:
        """The same sources for channels drawn at random: a control that moves as many weights, but to wrong places."""
        rng = random.Random(seed)
        return replace(self, state=_shuffled(self.state, rng), moves=_shuffled(self.moves, rng))

    def to_dict(self) -> dict[str, Any]:
        """The mapping as data for JSON."""
        return asdict(self)

    def to_json(self) -> str:
        """The mapping as JSON for people to edit, one channel a line."""
        rows = {
            part: ",\n    ".join(json.dumps(asdict(row), ensure_ascii=False) for row in getattr(self, part))
            for part in ("state", "moves")
        }
        names = "".join(f'  "{key}": {json.dumps(getattr(self, key))},\n' for key in ("source", "target"))
        return f'{{\n{names}  "state": [\n    {rows["state"]}\n  ],\n  "moves": [\n    {rows["moves"]}\n  ]\n}}\n'

    @staticmethod
    def from_dict(record: Any) -> Mapping:
        """The inverse of ``to_dict``.

        Raises:
            LudoportError: it is not a mapping.
        """
        try:
            parts = [tuple(MappedChannel(**row) for row in record[part]) for part in ("state", "moves")]
            mapping = Mapping(str(record["source"]), str(record["target"]), *parts)
            known = all(isinstance(r.index, int) and r.reason in get_args(Reason) for part in parts for r in part)
        except (TypeError, KeyError) as error:
            raise LudoportError(f"not a mapping of channels ({type(error).__name__}: {error})") from None
        if not known:
            raise LudoportError("not a mapping of channels (a row has an unknown reason or no number)")
        return mapping


def _shuffled(rows: Sequence[MappedChannel], rng: random.Random) -> tuple[MappedChannel, ...]:
    sources = [(row.source, row.index) for row in rows]
    rng.shuffle(sources)
    return tuple(
        replace(row, source=source, index=index, reason="none" if index == NONE else "at random", distance=None)
        for row, (source, index) in zip(rows, sources, strict=True)
    )


def map_channels(source: Side, target: Side) -> Mapping:
    """The mapping from one game to another.

    >>> from ludoport.transfer.sides import find_side
    >>> mapping = map_channels(find_side("Minishogi"), find_side("Shogi"))
    >>> row = mapping.state[10]
    >>> row.target, row.source, row.reason
    ('Piece Type 11 (Keima1)', 'Piece Type 7 (Hisha1)', 'edit distance')

    Raises:
        LudoportError: the games have different numbers of players, or stacks in only one of them.
    """
    if source.players != target.players:
        raise LudoportError(
            f"{source.game} has {source.players} players and {target.game} {target.players}; "
            "channels can only be mapped between games with the same number of players"
        )
    if source.stacking != target.stacking:
        stacked, flat = (source, target) if source.stacking else (target, source)
        raise LudoportError(
            f"{stacked.game} has stacks, whose planes show levels, and {flat.game} has none; "
            "channels can only be mapped between two games with stacks or two without"
        )
    return Mapping(source.game, target.game, tuple(_state_rows(source, target)), tuple(_move_rows(source, target)))


def _state_rows(source: Side, target: Side) -> Iterator[MappedChannel]:
    pieces = {piece: match_piece(source, target, piece) for piece in target.pieces()}
    places = {channel: number for number, channel in reversed(list(enumerate(source.state)))}
    for channel, name in zip(target.state, target.state_names, strict=True):
        reason: Reason
        wanted, reason, apart = channel, "same meaning", None
        if (channel.piece, channel.owner) in pieces:
            partner, reason, apart = pieces[channel.piece, channel.owner]
            wanted = replace(channel, piece=partner)
        elif channel.kind == "container":
            reason = "container by order"
        yield _row(source.state_names, name, places.get(wanted, NONE), reason, apart)


def match_piece(source: Side, target: Side, piece: tuple[str, int]) -> tuple[str, Reason, int | None]:
    """The partner of a piece of the target: its name (empty if there is none), the reason, and the distance.

    Args:
        source: the game that knowledge comes from.
        target: the game that it goes to.
        piece: name and owner of one of its pieces.
    """
    name, owner = piece
    candidates = [other for other, owned in source.pieces() if owned == owner]
    known = name in target.trees and all(other in source.trees for other in candidates)
    if name in candidates:
        return name, "same name", distance(target.trees[name], source.trees[name]) if known else None
    if not candidates:
        return "", "none", None
    if not known and len(candidates) == 1:
        return candidates[0], "only piece", None
    if not known and (source.without_rules or target.without_rules):
        return "", "none", None
    if not known:
        raise LudoportError(
            f"{target.game} has the piece {name} and {source.game} has none of that name; to compare their rules, "
            f"the text of {source.game} is needed (--source)"
        )
    best, apart = nearest(target.trees[name], [source.trees[other] for other in candidates])
    return candidates[best], "edit distance", apart


def _move_rows(source: Side, target: Side) -> Iterator[MappedChannel]:
    places = {channel: number for number, channel in reversed(list(enumerate(source.moves)))}
    for channel, name in zip(target.moves, target.move_names, strict=True):
        wanted, reason = _move_partner(channel, source.movement, target.movement)
        # What one game tells apart, such as a half that leaves a merged piece, another may know by its way only.
        index = places.get(wanted, places.get(replace(wanted, text=""), NONE))
        yield _row(source.move_names, name, index, reason)


def _move_partner(channel: MoveChannel, source_moves: bool, target_moves: bool) -> tuple[MoveChannel, Reason]:
    if channel.kind != "displacement":
        return channel, "same meaning"
    if source_moves == target_moves:
        return channel, "same displacement"
    return replace(channel, dx=0, dy=0), "placement to movement" if target_moves else "movement to placement"


def _row(names: Sequence[str], target: str, index: int, reason: Reason, apart: int | None = None) -> MappedChannel:
    if index == NONE:
        return MappedChannel(target, None, NONE, "none")
    return MappedChannel(target, names[index], index, reason, apart)
