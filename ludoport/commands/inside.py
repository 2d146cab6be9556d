"""``ludoport inside``: what a network for many games reads in game files."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Annotated, Any

import typer

from ludoport.commands.common import counted, print_json
from ludoport.commands.options import GameList, Json, Seed, option
from ludoport.errors import LudoportError


def inside(
    run: Annotated[Path, typer.Argument(metavar="RUN", help="Run or network for many games.")],
    games: GameList = None,
    tokens: Annotated[int, option("--tokens", help="Tokens to print for each game.")] = 5,
    against: Annotated[
        str | None, option("--by", metavar="PLAYER", help="Player of games to compare with.", default="none")
    ] = None,
    matches: Annotated[int, option("--plays", help="Number of games of that player against itself.")] = 40,
    keep: Annotated[
        Path | None, option("--keep", metavar="FILE", help="File of results, to resume from.", default="none")
    ] = None,
    patience: Annotated[float, option("--patience", help="CPU seconds for each game with --keep.")] = 60.0,
    map_file: Annotated[
        Path | None, option("--picture", metavar="FILE", help="Picture of distances between games.", default="none")
    ] = None,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Show what a network for many games reads in game files.

    For each game of the run, or of --games (`bundled` takes all; a folder takes its game files): the result that the
    network expects before a move is played, and the tokens that change its judgement of random positions most.
    --picture draws games with similar rules near each other.

    With --keep the result of each game is added to a file, and the same command resumes. Games that cannot be loaded or
    take too long are noted there.
    """
    from ludoport.nets import load_torch

    load_torch()
    from ludoport.analysis.inside import distances, draw_map
    from ludoport.analysis.inside_list import answers, question
    from ludoport.nets.finding import find_network
    from ludoport.nets.universal.files import load_universal
    from ludoport.selfplay.lists import read_entry

    network = find_network(run)
    lines = _lines(games, load_universal(network).games)
    asked = question(network, against=against or "", plays=matches, tokens=tokens, seed=seed)
    found = []
    entries = [read_entry(line) for line in lines]
    for answer in answers(asked, [(entry.game, entry.options) for entry in entries], keep, patience):
        found.append(answer)
        if not json:
            _tell(answer, against)
    loaded = [answer for answer in found if "error" not in answer]
    apart = distances([answer["rules"] for answer in loaded])
    if map_file is not None and loaded:
        draw_map([answer["game"] for answer in loaded], apart, map_file)
    if json:
        print_json({"games": found, "distances": apart.round(6).tolist()})
        return
    if map_file is not None:
        typer.echo(f"{map_file}: map of {counted(len(loaded), 'game')}")
    if len(loaded) < len(found):
        typer.echo(f"{counted(len(found) - len(loaded), 'game')} not loaded, {counted(len(loaded), 'game')} loaded")


def _tell(answer: dict[str, Any], against: str | None) -> None:
    from ludoport.analysis.numbers import Measured

    if "error" in answer:
        typer.echo(f"{answer['game']}: not loaded: {answer['error']}")
        return
    known = answer["played"]
    played = ""
    if known is not None:
        low, high = (math.nan if known[end] is None else known[end] for end in ("low", "high"))
        played = f", {against}: {Measured(known['value'], low, high, known['count']).text(100, ' %', 0)}"
    typer.echo(
        f"{answer['game']}: first player {100 * answer['first']:.0f} %, draws {100 * answer['draw']:.0f} %{played}"
    )
    for effect in answer["tokens"]:
        numbers = f"value {effect['value']:.3f}, policy {effect['policy']:.3f}"
        typer.echo(f"    {effect['part']:<5} {effect['token']}  {numbers}")


def _lines(given: str | None, learned: tuple[str, ...]) -> list[str]:
    """The games of a list, of a folder, of the run, or all bundled games for two players."""
    from ludoport.selfplay.lists import game_list

    if given is None:
        return list(learned)
    if given != "bundled":
        folder = Path(given)
        return list(map(str, sorted(folder.rglob("*.lud")))) if folder.is_dir() else list(game_list(given))
    import ludoport as lp
    from ludoport.tensors.layout import tensor_layout

    found = []
    for record in lp.games():
        if record.players == 2:
            try:
                tensor_layout(lp.load(record.name))
            except LudoportError:
                continue
            found.append(record.name)
    return found
