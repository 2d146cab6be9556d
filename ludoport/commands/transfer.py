"""``ludoport transfer``: what a network learned in one game, carried over to another."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import Json, Options, RulesetName, Seed, load_game, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.tensors.layout import LayoutName
    from ludoport.transfer.mapping import Mapping, Row
    from ludoport.transfer.options import TransferOptions
    from ludoport.transfer.sides import Side


def transfer(
    run: Annotated[
        str,
        typer.Argument(metavar="RUN", help="A network's file or folder; with --explain also a game's name or text."),
    ],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The game to carry it to: a name or a path.")],
    option: Options = None,
    ruleset: RulesetName = None,
    source_option: Annotated[
        list[str] | None,
        typer.Option("--source-option", metavar="CATEGORY/ITEM", help="An option of the source game."),
    ] = None,
    source: Annotated[
        str | None,
        typer.Option("--source", metavar="GAME", help="The text of the source game, where it is not a bundled one."),
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="RUN2", help="Where to write: a folder, or FILE.safetensors.")
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Print how the channels correspond, and why.")] = False,
    behaviour: Annotated[
        bool,
        typer.Option("--behaviour", help="Match pieces without a namesake by random play; shown beside --explain."),
    ] = False,
    map_file: Annotated[
        Path | None, typer.Option("--map", metavar="FILE", help="Channels that shall correspond otherwise, as JSON.")
    ] = None,
    layout: Annotated[
        str | None, typer.Option("--layout", help="Tensor layout of the new network; as before unless given.")
    ] = None,
    zero: Annotated[
        bool, typer.Option("--zero/--fresh", help="Channels without a source: 0 to play at once, or new to be trained.")
    ] = False,
    reinit_heads: Annotated[bool, typer.Option("--reinit-heads", help="Begin anew behind the trunk.")] = False,
    adjust_width: Annotated[
        bool, typer.Option("--adjust-width", help="As many hidden channels as a network made for the target has.")
    ] = False,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Carry a network over to another game, or explain how the channels of two games correspond."""
    from ludoport.transfer.mapping import map_channels
    from ludoport.transfer.options import TransferOptions
    from ludoport.transfer.overrides import read_overrides
    from ludoport.transfer.sides import find_side

    here, there = _source(run, source, source_option, explain), find_side(target, option or [], ruleset)
    mapping = map_channels(here, there)
    watched = None
    if behaviour:
        from ludoport.transfer.behaviour import map_by_behaviour

        first = load_game(source or here.game if _is_run(run) else run, list(here.options))
        watched = map_by_behaviour(first, load_game(target, option, ruleset), seed=seed)
    if explain:
        if map_file is not None:
            mapping = read_overrides(map_file, mapping, here, there)
        _explain(mapping, watched, json)
        return
    mapping = watched or mapping
    if map_file is not None:
        mapping = read_overrides(map_file, mapping, here, there)
    if out is None:
        raise LudoportError("say where to write the new network with --out, or ask for --explain")
    options = TransferOptions(
        unmapped="zero" if zero else "fresh", reinit_heads=reinit_heads, adjust_width=adjust_width, seed=seed
    )
    chosen = _layout(run, layout)
    board = _board(run, chosen, lambda: load_game(target, option, ruleset))
    from ludoport.transfer.runs import transfer_file

    file = transfer_file(Path(run), there, mapping, out, options=options, layout=chosen, board=board)
    _tell(file, mapping, options, json)


def _is_run(name: str) -> bool:
    """Whether a name means a file or folder with a network, not a game."""
    path = Path(name)
    return path.suffix == ".safetensors" or (path.is_dir() and path.suffix != ".lud")


def _source(run: str, text: str | None, options: list[str] | None, explain: bool) -> Side:
    from ludoport.transfer.sides import find_side

    if explain and not _is_run(run):
        return find_side(run, options or [])
    from ludoport.nets.files import read_header
    from ludoport.transfer.runs import find_network, source_side

    return source_side(read_header(find_network(Path(run))), text, options or [])


def _layout(run: str, given: str | None) -> LayoutName:
    """The tensor layout of the new network: the one that was given, otherwise that of the old one."""
    from ludoport.nets.files import read_header
    from ludoport.tensors.layout import LAYOUTS
    from ludoport.transfer.runs import find_network

    wanted = given or read_header(find_network(Path(run))).origin.layout
    for layout in LAYOUTS:
        if layout == wanted:
            return layout
    raise LudoportError(f"there is no tensor layout `{wanted}`; there are {', '.join(LAYOUTS)}")


def _board(run: str, layout: LayoutName, load: Callable[[], Game]) -> tuple[int, int] | None:
    """Height and width of the target's tensors, if the network is for boards of one size."""
    from ludoport.nets.files import read_header
    from ludoport.tensors.layout import tensor_layout
    from ludoport.transfer.runs import find_network

    if read_header(find_network(Path(run))).config.size_free:
        return None
    _, height, width = tensor_layout(load(), layout).shape
    return height, width


def _tell(file: Path, mapping: Mapping, options: TransferOptions, json: bool) -> None:
    unmapped = [row.target for row in (*mapping.state, *mapping.moves) if row.source is None]
    if json:
        print_json({"file": str(file), "source": mapping.source, "target": mapping.target, "unmapped": unmapped})
        return
    typer.echo(f"{file}: a network for {mapping.target} that begins with what one for {mapping.source} knows")
    if unmapped:
        typer.echo(f"  {'0' if options.unmapped == 'zero' else 'new'}: {', '.join(unmapped)}")


def _explain(mapping: Mapping, watched: Mapping | None, json: bool) -> None:
    if json:
        print_json(mapping.to_dict() if watched is None else {**mapping.to_dict(), "behaviour": watched.to_dict()})
        return
    typer.echo(f"{mapping.source} -> {mapping.target}")
    for title, rows, others in (
        ("state", mapping.state, None if watched is None else watched.state),
        ("moves", mapping.moves, None),
    ):
        typer.echo("")
        for line in _table(title, rows, others):
            typer.echo(line)


def _table(title: str, rows: tuple[Row, ...], others: tuple[Row, ...] | None) -> Iterator[str]:
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
