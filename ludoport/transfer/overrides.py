"""Mappings that a person wrote or changed.

A file is JSON. It may be a whole mapping, as ``ludoport transfer --explain S T --json`` prints it, or only what should
be different: ``{"state": {"Keima1": "Kinsho1", "Did Swap Occur?": null}, "moves": {"swap": null}}``, target first. A
channel is given by its name or its number, a plane of a piece also by the piece's name. What the file does not mention
stays as it is.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import read_json
from ludoport.transfer.mapping import NONE, MappedChannel, Mapping
from ludoport.transfer.sides import Side


def read_overrides(path: Path, mapping: Mapping, source: Side, target: Side) -> Mapping:
    """A mapping with the changes that a file asks for.

    Args:
        path: the file.
        mapping: the mapping to change.
        source: the game that knowledge comes from.
        target: the game that it goes to.

    Raises:
        LudoportError: the file cannot be read, or names a channel that does not exist.
    """
    record = read_json(path, "write it as `ludoport transfer --explain S T --json` does")
    try:
        return override(mapping, record, source, target)
    except LudoportError as error:
        raise LudoportError(f"{path}: {error}") from None


def override(mapping: Mapping, record: Any, source: Side, target: Side) -> Mapping:
    """The same with what was read from a file."""
    if not isinstance(record, dict) or not record.keys() & {"state", "moves"}:
        raise LudoportError('a mapping is an object with "state" or "moves"')
    for key, side in (("source", source), ("target", target)):
        if record.get(key, side.game) != side.game:
            raise LudoportError(f"the mapping has the {key} {record[key]!r:.200}, not {side.game!r}")
    for key in record.keys() - {"source", "target", "state", "moves", "behaviour"}:
        raise LudoportError(f"a mapping has no part {key!r:.200}; it has source, target, state and moves")
    return replace(
        mapping,
        state=_changed(mapping.state, record.get("state", {}), _names(source, "state"), _names(target, "state")),
        moves=_changed(mapping.moves, record.get("moves", {}), _names(source, "moves"), _names(target, "moves")),
    )


def _names(side: Side, part: str) -> tuple[str, Sequence[str], dict[str, int]]:
    """The game, the names of its channels, and the number of everything that a channel may be called."""
    names = side.state_names if part == "state" else side.move_names
    numbers = {name: number for number, name in enumerate(names)}
    if part == "state" and not side.stacking:
        numbers |= {channel.piece: number for number, channel in enumerate(side.state) if channel.piece}
    return side.game, names, numbers


def _changed(
    rows: tuple[MappedChannel, ...],
    wanted: Any,
    source: tuple[str, Sequence[str], dict[str, int]],
    target: tuple[str, Sequence[str], dict[str, int]],
) -> tuple[MappedChannel, ...]:
    changed = list(rows)
    for to, given in _pairs(wanted):
        place = _number(to, target)
        index = NONE if given is None else _number(given, source)
        if index != rows[place].index:
            name = None if index == NONE else source[1][index]
            changed[place] = MappedChannel(rows[place].target, name, index, "given")
    return tuple(changed)


def _pairs(wanted: Any) -> Iterator[tuple[Any, Any]]:
    """Channels of the target with what they should be copied from."""
    if isinstance(wanted, dict):
        yield from wanted.items()
        return
    if not isinstance(wanted, list):
        raise LudoportError("the parts of a mapping are objects or lists of rows")
    for row in wanted:
        if not isinstance(row, dict) or not {"target", "source"} <= row.keys():
            raise LudoportError(f'a row of a mapping needs "target" and "source", not {row!r:.200}')
        yield row["target"], row["source"]


def _number(channel: Any, known: tuple[str, Sequence[str], dict[str, int]]) -> int:
    game, names, numbers = known
    if isinstance(channel, str) and channel in numbers:
        return numbers[channel]
    number = int(channel) if isinstance(channel, str) and re.fullmatch(r"[0-9]{1,9}", channel) else channel
    if isinstance(number, int) and not isinstance(number, bool) and 0 <= number < len(names):
        return number
    near = difflib.get_close_matches(str(channel)[:200], list(numbers), n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"it has {len(names)}, from {names[0]!r} to {names[-1]!r}"
    raise LudoportError(f"{game} has no channel {channel!r:.200}; {hint}")
