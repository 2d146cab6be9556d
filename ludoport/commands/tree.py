"""``ludoport tree``: build large search trees, merge them, show them, transfer them to other games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import at_least, counted, load_game, print_json
from ludoport.commands.options import (
    Exploration,
    GameName,
    GameOfTree,
    Json,
    MoveTexts,
    Nodes,
    Options,
    OutFile,
    Policy,
    Ray,
    RayAddress,
    Rollouts,
    RulesetName,
    Seed,
    Simulations,
    Svg,
    Threads,
    Workers,
    cluster,
    option,
)
from ludoport.commands.tree_distill import distill
from ludoport.commands.tree_transfer import match, transfer
from ludoport.errors import LudoportError
from ludoport.files import write_atomically

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.search.build import Cluster
    from ludoport.search.graph import About, SearchGraph
    from ludoport.search.tree import UctSettings

app = typer.Typer(help="Build, merge, show and transfer search trees.", no_args_is_help=True)

TreeFile = Annotated[Path, typer.Argument(metavar="FILE", help="Saved tree.")]


@app.command()
def build(
    game: GameName,
    out: OutFile,
    simulations: Simulations = 10_000,
    workers: Workers = 1,
    option: Options = None,
    ruleset: RulesetName = None,
    moves: MoveTexts = "",
    nodes: Nodes = 4_000_000,
    policy: Policy = "drop",
    seed: Seed = 1,
    exploration: Exploration = 2**0.5,
    draw: Annotated[float, option("--draw", help="Value of a draw, from 0 to 1.")] = 0.5,
    rollouts: Rollouts = 1,
    threads: Threads = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    json: Json = False,
) -> None:
    """Build search trees and merge them into one file.

    Each worker runs --simulations of its own; --threads of them run at once. Finished trees are kept in FILE.parts
    until all are merged, and the same command resumes from there.
    """
    from ludoport.moves import split_moves
    from ludoport.search.graph import about_game
    from ludoport.search.tree import UctSettings

    loaded = load_game(game, option, ruleset)
    about = about_game(
        loaded, source=game, options=tuple(option or ()), ruleset=ruleset, moves=tuple(split_moves(moves)), draw=draw
    )
    settings = UctSettings(exploration=exploration, draw=draw, rollouts=rollouts)
    on = cluster(ray, ray_address, threads)
    _build(loaded, about, settings, (simulations, nodes, policy, seed), workers, out, on, json)


@app.command()
def tune(
    file: TreeFile,
    out: OutFile,
    simulations: Simulations = 10_000,
    workers: Workers = 1,
    nodes: Nodes = 4_000_000,
    policy: Policy = "drop",
    seed: Seed = 1,
    exploration: Exploration = 2**0.5,
    rollouts: Rollouts = 1,
    threads: Threads = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Continue the search from a saved tree. Visits known before are counted once."""
    from ludoport.search.graph_files import read_graph
    from ludoport.search.tree import UctSettings
    from ludoport.transfer.api import game_of_tree

    graph = read_graph(file)
    loaded = game_of_tree(graph.about, game)
    graph.root_state(loaded)
    about = replace(graph.about, simulations=0, seeds=(), settings={})
    settings = UctSettings(exploration=exploration, draw=about.draw, rollouts=rollouts, transpose=True)
    on = cluster(ray, ray_address, threads)
    _build(loaded, about, settings, (simulations, nodes, policy, seed), workers, out, on, json, begin=file)


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Saved trees of one game.")],
    out: OutFile,
    max_memory: Annotated[
        float | None,
        option("--max-memory", metavar="GB", help="Memory limit in gigabytes.", default="half of what is free"),
    ] = None,
    json: Json = False,
) -> None:
    """Merge saved trees: add up visits and results of equal states."""
    from ludoport.search.graph_files import read_header, visits_in
    from ludoport.search.graph_merge import merge_files

    if max_memory is not None and not max_memory > 0:
        raise LudoportError(f"max-memory is {max_memory:g} gigabytes; it must be more than 0")
    limit = None if max_memory is None else int(max_memory * 2**30)
    merge_files(files, out, memory=limit, tell=lambda text: typer.echo(text, err=True))
    header = read_header(out)
    visits = visits_in(out)
    answer = {name: header[name] for name in ("game", "states", "edges", "simulations")}
    if json:
        print_json({"file": str(out), "merged": len(files), **answer, "visits": visits})
        return
    trees = "1 tree" if len(files) == 1 else f"{len(files)} trees"
    typer.echo(f"{trees} of {header['game']} merged: {header['states']:,} states, {header['edges']:,} moves")
    typer.echo(f"  {visits:,} visits of moves from {header['simulations']:,} simulations")


@app.command()
def show(
    file: TreeFile,
    lines: Annotated[int, option("--lines", help="Number of best lines of play to print.")] = 5,
    svg: Svg = None,
    levels: Annotated[int, option("--levels", help="Depth of the drawing, in moves.")] = 3,
    most: Annotated[int, option("--most", help="Maximum number of moves drawn at each position.")] = 4,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Show the size of a tree and its best lines of play."""
    from ludoport.commands.tree_drawing import tree_svg
    from ludoport.search.graph_files import read_graph
    from ludoport.transfer.api import game_of_tree

    at_least("lines", lines, 0)
    at_least("levels", levels, 1)
    at_least("most", most, 1)
    graph = read_graph(file)
    state = graph.root_state(game_of_tree(graph.about, game))
    if svg is not None:
        write_atomically(svg, tree_svg(graph, state, levels, most))
    _print(graph, state, lines, json, {"file": str(file)})


app.command()(transfer)
app.command()(distill)
app.command()(match)


def _build(
    game: Game,
    about: About,
    settings: UctSettings,
    numbers: tuple[int, int, str, int],
    workers: int,
    out: Path,
    on: Cluster,
    json: bool,
    begin: Path | None = None,
) -> None:
    """Build a tree and say how large it is."""
    from ludoport.search.build import build_tree
    from ludoport.search.shares import BuildPlan

    simulations, nodes, policy, seed = numbers
    at_least("workers", workers, 1)
    at_least("simulations", simulations, 1)
    if on.threads is not None:
        at_least("threads", on.threads, 1)
    plan = BuildPlan(about, simulations, nodes, policy, seed, settings)  # type: ignore[arg-type]
    built = build_tree(game, plan, workers, out, begin=begin, on=on, tell=lambda text: typer.echo(text, err=True))
    for note in built.notes:
        typer.echo(f"note: {note}", err=True)
    more = {"file": str(built.path) if built.path else None, "notes": built.notes}
    try:
        _print(built.graph(), about.root(game), 5, json, more)
    except MemoryError:
        if built.path is None:
            raise
        raise LudoportError(f"the tree is saved in {out}, but there is not enough memory to show it") from None
    if built.path is None:
        raise LudoportError(built.notes[-1])


def _print(graph: SearchGraph, state: State, lines: int, json: bool, more: dict[str, Any]) -> None:
    """Size and best lines of a tree, for people or programs."""
    from ludoport.search.graph_lines import best_lines

    about, best = graph.about, best_lines(graph, state, lines)
    if json:
        print_json(
            {
                **more,
                "game": about.game,
                "options": list(about.options),
                "ruleset": about.ruleset,
                "moves": list(about.moves),
                "simulations": about.simulations,
                "workers": len(about.seeds),
                "states": graph.states,
                "edges": graph.edges,
                "visits": int(graph.visits.sum()),
                "depth": graph.depth,
                "branching": round(graph.branching, 4),
                "lines": [{"moves": x.moves, "visits": x.visits, "value": round(x.value, 4)} for x in best],
            }
        )
        return
    where = f" after {' '.join(about.moves)}" if about.moves else ""
    work = f"{counted(about.simulations, 'simulation')} by {counted(len(about.seeds), 'worker')}"
    typer.echo(f"{about.game}{where}: {work}")
    for value, what in (
        (f"{graph.states:,}", "states"),
        (f"{graph.edges:,}", "moves between them"),
        (f"{int(graph.visits.sum()):,}", "visits of moves"),
        (f"{graph.depth:,}", "moves from the root to the farthest state"),
        (f"{graph.branching:.2f}", "moves per state that has any"),
    ):
        typer.echo(f"  {value:>14} {what}")
    for line in best:
        shown = " ".join(line.moves[:12]) + (f" ... ({len(line.moves)} moves)" if len(line.moves) > 12 else "")
        typer.echo(f"  {line.visits:>14,} {100 * line.value:5.1f} %  {shown}")
