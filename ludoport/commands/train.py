"""``ludoport train``: train a network by self-play."""

from __future__ import annotations

import sys
from contextlib import AbstractContextManager, nullcontext
from dataclasses import fields
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from ludoport.commands.common import counted, print_json
from ludoport.commands.options import (
    BestDevice,
    GameList,
    Json,
    Minutes,
    Options,
    OutFolder,
    Ray,
    RayAddress,
    Seed,
    TrainPreset,
    TrainSettings,
    address_of,
    option,
)
from ludoport.errors import LudoportError
from ludoport.selfplay.progress import Watch, line, watching

if TYPE_CHECKING:
    from ludoport.selfplay.train import Trainer


class TrainCommand(TyperCommand):
    """The command; an unknown option that is a setting is answered with how to set it."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        """Reads the command line."""
        try:
            return super().parse_args(ctx, args)
        except Exception as error:
            name = getattr(error, "option_name", None)  # typer's own class or click's, by the version of typer
            if meant := name and _setting_meant(name):
                error.possibilities = [f"--set {meant}=VALUE"]  # type: ignore[attr-defined]
            raise


def _setting_meant(name: str) -> str:
    """The setting whose name an option has, or nearly has; '' if there is none."""
    from ludoport.selfplay.config import TrainConfig

    known = [field.name for field in fields(TrainConfig)]
    return next(iter(get_close_matches(name.strip("-").replace("-", "_"), known, 1, 0.8)), "")


def train(
    out: OutFolder,
    game: Annotated[str | None, typer.Argument(metavar="GAME", help="Name of a bundled game, or a game file.")] = None,
    games: GameList = None,
    option: Options = None,
    minutes: Minutes = None,
    epochs: Annotated[int | None, option("--epochs", help="Number of epochs of the whole run.")] = None,
    preset: TrainPreset = "tiny",
    init: Annotated[
        Path | None, option("--init", metavar="RUN", help="Run or network to start from.", default="from scratch")
    ] = None,
    seed: Seed = 1,
    set_: TrainSettings = None,
    device: BestDevice = None,
    ray: Ray = False,
    ray_address: RayAddress = None,
    actors: Annotated[
        int | None, option("--actors", help="Number of actors on Ray.", default="one per core or GPU")
    ] = None,
    json: Json = False,
) -> None:
    """Train a network by self-play. Interrupt it at any time; the same command resumes.

    With --games one network learns all games of a list (a file with one game a line, `GAME; CATEGORY/ITEM`). More games
    may be added at the end of the list later. `ludoport transfer` makes a network for any game of it.

    --minutes and --epochs limit the whole run, including earlier commands. With Ray, actors play the games.
    """
    from ludoport.nets import load_torch
    from ludoport.nets.devices import require_device

    load_torch()
    from ludoport.selfplay.api import actors_on, best_device, network_of
    from ludoport.selfplay.config import preset as configured
    from ludoport.selfplay.costs import process_began
    from ludoport.selfplay.train import Budget, Trainer

    budget = Budget(minutes, epochs)
    settings = changed(set_)
    config = configured(preset, **{**_subject(game, games, option or []), "seed": seed, **settings})
    where = device or best_device()
    require_device(where)
    on = actors_on(address_of(ray, ray_address), actors, device, lambda text: typer.echo(text, err=True))
    trainer = Trainer(config, out, start=network_of(init), device=where, on=on, since=process_began())
    if trainer.epoch and not json:
        typer.echo(f"resuming after epoch {trainer.epoch}, {trainer.seconds / 60:.1f} minutes")
    with _progress(json, f"{trainer.subject.name}, {out}") as watch:
        file = trainer.train(budget, watch)
    _tell(trainer, file, json)
    if trainer.interrupted:
        raise typer.Exit(130)


def _subject(game: str | None, games: str | None, options: list[str]) -> dict[str, Any]:
    """The settings that say what the run learns."""
    from ludoport.selfplay.api import subject
    from ludoport.selfplay.lists import game_list

    if (game is None) == (games is None):
        raise LudoportError("name one game, or a list of games with --games")
    return subject(game, options) if game is not None else subject(game_list(games or ""), options)


def _tell(trainer: Trainer, file: Path, json: bool) -> None:
    from ludoport.selfplay.costs import told
    from ludoport.selfplay.rating import ratings, records
    from ludoport.selfplay.segments import position_bytes

    spent = trainer.costs.total()
    if json:
        answer = {"network": str(file), "epochs": trainer.epoch, "seconds": trainer.seconds, "spent": spent}
        more = {"interrupted": trainer.interrupted, "ratings": records(ratings(trainer.run))}
        more |= {"checkpoint_bytes": trainer.run.checkpoints.bytes, "position_bytes": position_bytes(trainer.replay)}
        print_json({**answer, **more, "metrics": trainer.records})
        return
    typer.echo(f"{file}: the network after {counted(trainer.epoch, 'epoch')}, {trainer.seconds / 60:.1f} minutes")
    typer.echo(f"  {told(spent)}")
    found = ratings(trainer.run)
    if found:
        last, anchor = found[-1], trainer.config.opponents[0]
        typer.echo(f"  Elo vs {anchor} after epoch {last.epoch}: {last.elo}")
    if trainer.interrupted:
        typer.echo("  interrupted; the same command resumes")


def changed(texts: list[str] | None) -> dict[str, Any]:
    """Settings by their names, from texts such as ``simulations=64``."""
    return dict(_setting(text) for text in texts or [])


def _setting(text: str) -> tuple[str, Any]:
    import tomllib

    name, mark, value = text.partition("=")
    if not mark:
        raise LudoportError(f"`{text}` is not a setting; write NAME=VALUE, for example simulations=64")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except (ValueError, RecursionError):
        return name, value


def _progress(json: bool, title: str) -> AbstractContextManager[Watch]:
    """Nothing with --json, a live table on a terminal, otherwise one line per epoch."""
    if not json and not sys.stdout.isatty():
        return nullcontext(lambda record: typer.echo(line(record)))
    return watching(False if json else None, title, sys.stdout)
