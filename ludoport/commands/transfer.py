"""``ludoport transfer``: knowledge about one game transferred to another."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import load_game, print_json
from ludoport.commands.options import (
    AgainstIfAny,
    Discount,
    Json,
    Layout,
    Options,
    OutPath,
    RulesetName,
    Seed,
    SourceGame,
    TargetName,
    option,
)
from ludoport.errors import LudoportError
from ludoport.nets import load_torch

if TYPE_CHECKING:
    from ludoport.transfer.api import TransferSettings
    from ludoport.transfer.mapping import MappedChannel, Mapping
    from ludoport.transfer.options import TransferOptions
    from ludoport.transfer.sides import Side

EVERY = 10.0
"""Seconds between two lines of progress."""


def transfer(
    thing: Annotated[
        str,
        typer.Argument(
            metavar="THING",
            help="Run, or file of a network, tree or features.",
        ),
    ],
    target: TargetName,
    option: Options = None,
    ruleset: RulesetName = None,
    out: OutPath = None,
    source: SourceGame = None,
    source_option: Annotated[
        list[str] | None,
        option("--source-option", metavar="CATEGORY/ITEM", help="Option of the source game."),
    ] = None,
    explain: Annotated[bool, option("--explain", help="Networks or games: print the mapping and its reasons.")] = False,
    behaviour: Annotated[
        bool, option("--behaviour", help="Networks: match pieces without a namesake by random play.")
    ] = False,
    map_file: Annotated[
        Path | None, option("--map", metavar="FILE", help="Networks: JSON file of channels to map differently.")
    ] = None,
    layout: Layout = None,
    zero: Annotated[
        bool, option("--zero/--fresh", help="Networks: initial weights without a source: zero or random.")
    ] = True,
    reinit_heads: Annotated[bool, option("--reinit-heads", help="Networks: re-initialise the heads.")] = False,
    adjust_width: Annotated[
        bool, option("--adjust-width", help="Networks: use the width natural for the target.")
    ] = False,
    statistics: Annotated[
        bool, option("--statistics", help="Networks: measure normalisations on random positions of the target.")
    ] = False,
    rescale_pooled: Annotated[
        bool, option("--rescale-pooled", help="Networks: scale weights of board means by board size.")
    ] = False,
    move_taps: Annotated[
        bool, option("--move-taps", help="Networks: move kernel taps to the same board directions.")
    ] = False,
    turn_value: Annotated[bool, option("--turn-value", help="Networks: exchange win and loss (misere).")] = False,
    discount: Discount = 1.0,
    against: AgainstIfAny = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Transfer knowledge to another game.

    THING is a network, a search tree or value features; the file decides which. A network for many games
    (ludoport train --games) is specialised to the target. --explain prints how
    the channels of two games, or of a network and a game, correspond.
    """
    from ludoport.transfer.api import PLURALS, TransferSettings, knowledge_in
    from ludoport.transfer.features import ALL_OPPONENTS
    from ludoport.transfer.options import TransferOptions

    kind = "network" if explain and not _is_file(thing) else knowledge_in(Path(thing))
    network = kind == "network"
    for name, given in (("--explain", explain), ("--behaviour", behaviour), ("--map", map_file is not None)):
        if given and not network:
            raise LudoportError(f"{name} is for networks, not for {PLURALS[kind]} such as {thing}")
    options = TransferOptions(
        unmapped="zero" if zero else "fresh", reinit_heads=reinit_heads, adjust_width=adjust_width,
        statistics=statistics, rescale_pooled=rescale_pooled, move_taps=move_taps, turn_value=turn_value,
        seed=seed if network else 1,
    )  # fmt: skip
    mapping = None
    if network and (explain or behaviour or map_file is not None or source_option):
        plain, watched = _mappings(thing, target, (option, ruleset), (source, source_option), behaviour, seed)
        if explain:
            remedies = _remedies(thing, target, (option, ruleset), (source, source_option), layout, options)
            _explain(_overridden(plain, map_file), watched.mapping if watched else None, remedies, json)
            return
        mapping = _overridden(watched or plain, map_file)
    if out is None:
        raise LudoportError("--out is missing: give the file or folder to write, or use --explain")
    carry_file(
        thing, target, out, json, option, ruleset,
        TransferSettings(
            network=options, mapping=mapping, layout=layout, discount=discount, source=source,
            opponent=against or ALL_OPPONENTS, seed=seed, tell=TransferProgress(),
        ),
    )  # fmt: skip


def carry_file(
    thing: str,
    target: str,
    out: Path,
    json: bool,
    option: list[str] | None,
    ruleset: str | None,
    settings: TransferSettings,
) -> None:
    """Carry the knowledge in a file over and print the report."""
    from ludoport.transfer.api import carry

    game = load_game(target, option, ruleset)
    report = carry(Path(thing), game, out, settings, (target, option or (), ruleset))
    if json:
        print_json(report.as_json())
    else:
        typer.echo(str(report))


class TransferProgress:
    """Prints the progress of a transfer."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def __call__(self, done: int, total: int) -> None:
        """Prints the number of positions compared so far, and their maximum."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            typer.echo(f"{done:,} of at most {total:,} positions compared", err=True)


def _is_file(name: str) -> bool:
    """Whether a name means a file or folder with knowledge, not a game."""
    from ludoport.nets.finding import in_zoo

    path = Path(name)
    known = path.exists() and path.suffix not in (".lud", ".kif", ".gdl")
    return known or path.suffix == ".safetensors" or bool(in_zoo(path))


@dataclass(frozen=True)
class _Mapped:
    """A mapping with the sides that it maps."""

    mapping: Mapping
    here: Side
    there: Side


def _mappings(
    thing: str,
    target: str,
    chosen: tuple[list[str] | None, str | None],
    source: tuple[str | None, list[str] | None],
    behaviour: bool,
    seed: int,
) -> tuple[_Mapped, _Mapped | None]:
    """The mapping by meaning, and the one by behaviour where that is asked for."""
    from ludoport.transfer.mapping import map_channels
    from ludoport.transfer.sides import find_side

    here, there = _source(thing, *source), find_side(target, chosen[0] or [], chosen[1])
    plain = _Mapped(map_channels(here, there), here, there)
    if not behaviour:
        return plain, None
    from ludoport.transfer.behaviour import map_by_behaviour

    first = load_game(source[0] or (here.game if _is_file(thing) else thing), list(here.options))
    return plain, replace(plain, mapping=map_by_behaviour(first, load_game(target, *chosen), seed=seed))


def _overridden(mapped: _Mapped, file: Path | None) -> Mapping:
    from ludoport.transfer.overrides import read_overrides

    return mapped.mapping if file is None else read_overrides(file, mapped.mapping, mapped.here, mapped.there)


def _source(thing: str, game: str | None, options: list[str] | None) -> Side:
    """The side of a network, or of a game by its name."""
    if not _is_file(thing):
        from ludoport.transfer.sides import find_side

        return find_side(thing, options or [])
    load_torch()
    from ludoport.nets.files import read_header
    from ludoport.nets.finding import find_network
    from ludoport.transfer.network_files import source_side

    return source_side(read_header(find_network(Path(thing))), game, options or [])


def _remedies(
    thing: str,
    target: str,
    chosen: tuple[list[str] | None, str | None],
    source: tuple[str | None, list[str] | None],
    layout: str | None,
    options: TransferOptions,
) -> list[str]:
    """Changes that the remedies would make, a line each."""
    if not options.remedies:
        return []
    load_torch()
    from ludoport.transfer.network_files import as_layout
    from ludoport.transfer.remedies import explained

    here = _source(thing, *source)
    first = load_game(source[0] or (here.game if _is_file(thing) else thing), list(here.options))
    return list(explained(first, load_game(target, *chosen), as_layout(layout or "compact"), options))


def _explain(mapping: Mapping, watched: Mapping | None, remedies: list[str], json: bool) -> None:
    if json:
        more = {} if watched is None else {"behaviour": watched.to_dict()}
        print_json({**mapping.to_dict(), **more, **({"remedies": remedies} if remedies else {})})
        return
    typer.echo(f"{mapping.source} -> {mapping.target}")
    for title, rows, others in (
        ("state", mapping.state, None if watched is None else watched.state),
        ("moves", mapping.moves, None),
    ):
        typer.echo("")
        for line in _table(title, rows, others):
            typer.echo(line)
    if remedies:
        typer.echo("\nremedies")
    for line in remedies:
        typer.echo(f"  {line}")


def _table(title: str, rows: tuple[MappedChannel, ...], others: tuple[MappedChannel, ...] | None) -> Iterator[str]:
    """One line for each channel of the target."""
    cells = [["", f"{title} of the target", "", "copied from", "because of", "distance"]]
    if others is not None:
        cells[0].append("by behaviour")
    for number, row in enumerate(rows):
        index = "-" if row.source is None else str(row.index)
        apart = "" if row.distance is None else str(row.distance)
        cells.append([str(number), row.target, index, row.source or "nothing", row.reason, apart])
        if others is not None:
            cells[-1].append((others[number].source or "nothing") if others[number] != row else "")
    widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
    numeric: dict[int, Any] = {0: str.rjust, 2: str.rjust, 5: str.rjust}
    for line in cells:
        parts = [numeric.get(i, str.ljust)(text, widths[i]) for i, text in enumerate(line)]
        yield "  ".join(parts).rstrip()
