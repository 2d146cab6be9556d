"""``ludoport tree``: build large search trees, merge them, look at them, carry them to other games."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import GameName, Json, Options, RulesetName, Seed, at_least, load_game, print_json
from ludoport.commands.tree_transfer import game_of, match, transfer
from ludoport.errors import LudoportError
from ludoport.files import write_atomically

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.search.build import Cluster
    from ludoport.search.graph import About, SearchGraph
    from ludoport.search.tree import UctSettings

app = typer.Typer(help="Build, merge and show search trees, and carry them to other games.", no_args_is_help=True)

GameOfTree = Annotated[
    str | None, typer.Option("--game", help="The game, if the name or path in the file is no longer right.")
]
TreeFile = Annotated[Path, typer.Argument(metavar="FILE", help="A saved tree.")]


@app.command()
def build(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the tree goes.")],
    iterations: Annotated[int, typer.Option("--iterations", help="Iterations of each worker.")] = 10_000,
    workers: Annotated[int, typer.Option("--workers", help="How many trees are grown and merged.")] = 1,
    option: Options = None,
    ruleset: RulesetName = None,
    moves: Annotated[str, typer.Option("--moves", help="Moves from the start to the root, with spaces between.")] = "",
    nodes: Annotated[int, typer.Option("--nodes", help="Room of each worker, in moves and positions.")] = 4_000_000,
    memory: Annotated[str, typer.Option("--memory", help="What to do when that is full.")] = "drop",
    seed: Seed = 1,
    exploration: Annotated[float, typer.Option("--exploration", help="Weight of moves tried seldom.")] = 2**0.5,
    draw: Annotated[float, typer.Option("--draw", help="What a draw is worth, from 0 to 1.")] = 0.5,
    rollouts: Annotated[int, typer.Option("--rollouts", help="Random games from each new position.")] = 1,
    threads: Annotated[int | None, typer.Option("--threads", help="Workers at a time, without Ray.")] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Run the workers as processes, on a Ray of our own.")] = False,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", metavar="HOST:PORT", help="Run them on this cluster.")
    ] = None,
    json: Json = False,
) -> None:
    """Grow a tree for every worker and merge them into one.

    What a worker has finished is kept in FILE.parts until the tree is finished; the same command goes on from there.
    """
    from ludoport.search.build import Cluster
    from ludoport.search.graph import about_game
    from ludoport.search.tree import UctSettings

    loaded = load_game(game, option, ruleset)
    about = about_game(
        loaded, source=game, options=tuple(option or ()), ruleset=ruleset, moves=tuple(moves.split()), draw=draw
    )
    settings = UctSettings(exploration=exploration, draw=draw, rollouts=rollouts)
    on = Cluster(ray or ray_address is not None, ray_address, threads)
    _build(loaded, about, settings, (iterations, nodes, memory, seed), workers, out, on, json)


@app.command()
def tune(
    file: TreeFile,
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the tree goes.")],
    iterations: Annotated[int, typer.Option("--iterations", help="Iterations of each worker.")] = 10_000,
    workers: Annotated[int, typer.Option("--workers", help="How many workers go on from the tree.")] = 1,
    nodes: Annotated[int, typer.Option("--nodes", help="Room for new moves and positions.")] = 4_000_000,
    memory: Annotated[str, typer.Option("--memory", help="What to do when that is full.")] = "drop",
    seed: Seed = 1,
    exploration: Annotated[float, typer.Option("--exploration", help="Weight of moves tried seldom.")] = 2**0.5,
    rollouts: Annotated[int, typer.Option("--rollouts", help="Random games from each new position.")] = 1,
    threads: Annotated[int | None, typer.Option("--threads", help="Workers at a time, without Ray.")] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Run the workers as processes, on a Ray of our own.")] = False,
    ray_address: Annotated[
        str | None, typer.Option("--ray-address", metavar="HOST:PORT", help="Run them on this cluster.")
    ] = None,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Go on searching from a saved tree; what was known and what is new are counted once."""
    from ludoport.search.build import Cluster
    from ludoport.search.graph_files import read_graph
    from ludoport.search.tree import UctSettings

    graph = read_graph(file)
    loaded = game_of(graph.about, game)
    graph.root_state(loaded)
    about = replace(graph.about, iterations=0, seeds=(), settings={})
    settings = UctSettings(exploration=exploration, draw=about.draw, rollouts=rollouts, transpose=True)
    on = Cluster(ray or ray_address is not None, ray_address, threads)
    _build(loaded, about, settings, (iterations, nodes, memory, seed), workers, out, on, json, begin=file)


@app.command()
def merge(
    files: Annotated[list[Path], typer.Argument(metavar="FILES...", help="Saved trees of one game.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the merged tree goes.")],
    memory: Annotated[
        float | None, typer.Option("--memory", help="Most gigabytes to use; otherwise half of what is free.")
    ] = None,
    json: Json = False,
) -> None:
    """Add up visits and results of equal states, whichever way they were reached."""
    from ludoport.search.graph_files import read_header, visits_in
    from ludoport.search.graph_merge import merge_files

    if memory is not None and not memory > 0:
        raise LudoportError(f"memory is {memory:g} gigabytes; it must be more than 0")
    limit = None if memory is None else int(memory * 2**30)
    merge_files(files, out, memory=limit, tell=lambda text: typer.echo(text, err=True))
    header = read_header(out)
    visits = visits_in(out)
    answer = {name: header[name] for name in ("game", "states", "edges", "iterations")}
    if json:
        print_json({"file": str(out), "merged": len(files), **answer, "visits": visits})
        return
    trees = "1 tree" if len(files) == 1 else f"{len(files)} trees"
    typer.echo(f"{trees} of {header['game']} merged: {header['states']:,} states, {header['edges']:,} moves")
    typer.echo(f"  {visits:,} visits of moves from {header['iterations']:,} iterations")


@app.command()
def show(
    file: TreeFile,
    lines: Annotated[int, typer.Option("--lines", help="How many best lines.")] = 5,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the top of the tree.")] = None,
    levels: Annotated[int, typer.Option("--levels", help="How many moves deep the drawing goes.")] = 3,
    most: Annotated[int, typer.Option("--most", help="Most moves drawn of one position.")] = 4,
    game: GameOfTree = None,
    json: Json = False,
) -> None:
    """Say how large a tree is and what it thinks is best."""
    from ludoport.commands.tree_drawing import tree_svg
    from ludoport.search.graph_files import read_graph

    at_least("lines", lines, 0)
    at_least("levels", levels, 1)
    at_least("most", most, 1)
    graph = read_graph(file)
    state = graph.root_state(game_of(graph.about, game))
    if svg is not None:
        write_atomically(svg, tree_svg(graph, state, levels, most))
    _print(graph, state, lines, json, {"file": str(file)})


app.command()(transfer)
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
    from ludoport.search.shares import Plan

    iterations, nodes, memory, seed = numbers
    at_least("workers", workers, 1)
    at_least("iterations", iterations, 1)
    if on.threads is not None:
        at_least("threads", on.threads, 1)
    plan = Plan(about, iterations, nodes, memory, seed, settings)  # type: ignore[arg-type]
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
                "iterations": about.iterations,
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
    typer.echo(f"{about.game}{where}: {about.iterations:,} iterations of {len(about.seeds)} workers")
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
