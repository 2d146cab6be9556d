"""``ludoport tree transfer`` and ``ludoport tree match``: trees carried to other games, trees against each other."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import Json, Options, RulesetName, Seed, load_game, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.search.graph import About

EVERY = 10.0
"""Seconds between two lines of progress."""


def transfer(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A saved tree.")],
    target: Annotated[str, typer.Argument(metavar="TARGET", help="The game to carry it to: a name or a path.")],
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where the tree goes.")],
    option: Options = None,
    ruleset: RulesetName = None,
    discount: Annotated[
        float, typer.Option("--discount", help="What a visit of the source is worth, above 0 and at most 1.")
    ] = 1.0,
    source: Annotated[
        str | None, typer.Option("--source", metavar="GAME", help="The tree's game, if its file says it wrongly.")
    ] = None,
    json: Json = False,
) -> None:
    """Play a tree through in another game; what exists there is kept with its visits, the rest is pruned.

    `ludoport tree tune` goes on searching from the result.
    """
    from ludoport.search.graph_files import read_graph, write_graph
    from ludoport.transfer.search_trees import check_discount, transfer_tree

    check_discount(discount)
    if out.is_dir() or not out.parent.is_dir():
        raise LudoportError(f"cannot write {out}: {'it is a folder' if out.is_dir() else 'its folder does not exist'}")
    graph = read_graph(file)
    one, two = game_of(graph.about, source, "--source"), load_game(target, option, ruleset)
    loaded = (target, tuple(option or ()), ruleset)
    moved = transfer_tree(graph, one, two, discount=discount, loaded=loaded, tell=_Tell())
    write_graph(moved.graph, out)
    if json:
        print_json({"file": str(out), **moved.as_json()})
    else:
        typer.echo(str(moved))


def match(
    a: Annotated[Path, typer.Argument(metavar="FILE", help="A saved tree.")],
    b: Annotated[Path, typer.Argument(metavar="FILE", help="Another one of the same game.")],
    games: Annotated[int, typer.Option("--games", "-n", help="How many; both trees begin equally often.")] = 100,
    iterations: Annotated[
        int, typer.Option("--iterations", help="Of a search where a tree does not know the position.")
    ] = 200,
    least: Annotated[int, typer.Option("--least", help="Visits of a position that a tree is to know.")] = 1,
    seed: Seed = 1,
    workers: Annotated[int | None, typer.Option("--workers", help="Processes (as many as there are cores).")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="SQLite file that keeps all games; goes on with it.")
    ] = None,
    game: Annotated[str | None, typer.Option("--game", help="The game, if the files say it wrongly.")] = None,
    json: Json = False,
) -> None:
    """Let two trees play each other: moves drawn by visits, and search where a tree does not know the position."""
    from ludoport.arena.kinds.tree import tree_player
    from ludoport.arena.match import match as play_match
    from ludoport.search.graph_files import about_of, read_header

    abouts = [about_of(read_header(file)) for file in (a, b)]
    if abouts[0].fingerprint != abouts[1].fingerprint:
        raise LudoportError(
            f"trees of different games cannot play each other: {a} belongs to {abouts[0].game}, {b} to "
            f"{abouts[1].game}, or to other rules of it; carry one over first (ludoport tree transfer)"
        )
    one, two = (tree_player(file, iterations=iterations, least=least) for file in (a, b))
    played = play_match(one, two, game_of(abouts[0], game), games, seed=seed, workers=workers, store=out)
    if json:
        print_json(played.as_json())
    else:
        typer.echo(str(played))


def game_of(about: About, game: str | None, option: str = "--game") -> Game:
    """The game of a tree, by the name that it remembers unless another is given.

    Args:
        about: where the tree comes from.
        game: the other name.
        option: how that is given on the command line.
    """
    try:
        return load_game(game or about.source or about.game, list(about.options), about.ruleset)
    except LudoportError as error:
        if game is not None:
            raise
        raise LudoportError(f"{error}\nThe tree remembers its game by this name; {option} gives another.") from None


class _Tell:
    """Says how far a transfer is, but not too often."""

    def __init__(self) -> None:
        self._next = time.monotonic() + EVERY

    def __call__(self, done: int, total: int) -> None:
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + EVERY
            typer.echo(f"{done:,} of at most {total:,} positions compared", err=True)
