"""``ludoport train``: learn to play a game by playing against oneself."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import GameName, Json, Options, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from rich.table import Table

    from ludoport.selfplay.train import Trainer

Watch = Callable[[dict[str, Any]], None]

SHOWN = 12
"""Epochs that the table on a terminal shows."""


def train(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="The folder of the run; the same one goes on.")],
    option: Options = None,
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long the run works, all in all.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="How many epochs the run has, all in all.")] = None,
    preset: Annotated[str, typer.Option("--preset", help="tiny, small, modern or paper.")] = "tiny",
    init: Annotated[Path | None, typer.Option("--init", metavar="RUN0", help="Start from this run or network.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Where the randomness begins.")] = 1,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one setting of the preset.")
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="cpu or cuda; a GPU if there is one.")] = None,
    ray: Annotated[bool, typer.Option("--ray", help="Let actors play, on a Ray of our own.")] = False,
    ray_address: Annotated[
        str | None,
        typer.Option("--ray-address", metavar="HOST:PORT", help="Let actors play on this cluster; `local` is --ray."),
    ] = None,
    actors: Annotated[
        int | None, typer.Option("--actors", help="How many actors; one for each processor or GPU unless given.")
    ] = None,
    json: Json = False,
) -> None:
    """Train a network by self-play; interrupt it when you like, the same command goes on."""
    from ludoport.nets import require_torch
    from ludoport.nets.devices import require_device

    require_torch()
    from ludoport.selfplay.api import actors_on, best_device, network_of
    from ludoport.selfplay.config import preset as configured
    from ludoport.selfplay.train import Budget, Trainer

    budget = Budget(minutes, epochs)
    settings = dict(_setting(text) for text in set_ or [])
    config = configured(preset, **{"game": game, "options": tuple(option or ()), "seed": seed, **settings})
    where = device or best_device()
    require_device(where)
    on = actors_on(ray_address or ("local" if ray else None), actors, device, lambda text: typer.echo(text, err=True))
    trainer = Trainer(config, out, start=network_of(init), device=where, on=on)
    if trainer.epoch and not json:
        typer.echo(f"going on after epoch {trainer.epoch}, {trainer.seconds / 60:.1f} minutes")
    with _progress(json, f"{trainer.game.name}, {out}") as watch:
        file = trainer.train(budget, watch)
    _tell(trainer, file, json)
    if trainer.interrupted:
        raise typer.Exit(130)


def _tell(trainer: Trainer, file: Path, json: bool) -> None:
    from ludoport.selfplay.rating import ratings, records

    if json:
        answer = {"network": str(file), "epochs": trainer.epoch, "seconds": trainer.seconds}
        more = {"interrupted": trainer.interrupted, "ratings": records(ratings(trainer.run))}
        print_json({**answer, **more, "metrics": trainer.records})
        return
    typer.echo(f"{file}: the network after {trainer.epoch} epochs, {trainer.seconds / 60:.1f} minutes")
    found = ratings(trainer.run)
    if found:
        last, anchor = found[-1], trainer.config.opponents[0]
        typer.echo(f"  {last.elo:+.0f} ± {1.96 * last.error:.0f} Elo above {anchor} after epoch {last.epoch}")
    if trainer.interrupted:
        typer.echo("  interrupted; the same command goes on")


def _setting(text: str) -> tuple[str, Any]:
    import tomllib

    name, mark, value = text.partition("=")
    if not mark:
        raise LudoportError(f"`{text}` is no setting; write it like `simulations=64`")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


@contextmanager
def _progress(json: bool, title: str) -> Iterator[Watch]:
    """Nothing for programs, a table that changes on a terminal, otherwise a line an epoch."""
    if json:
        yield lambda record: None
        return
    if not sys.stdout.isatty():
        yield lambda record: typer.echo(line(record))
        return
    from rich.live import Live

    shown: list[dict[str, Any]] = []
    with Live(table(shown, title), auto_refresh=False) as live:

        def watch(record: dict[str, Any]) -> None:
            shown.append(record)
            live.update(table(shown[-SHOWN:], title), refresh=True)

        yield watch


COLUMNS = ("epoch", "minutes", "left", "games/s", "positions/s", "evaluations/s", "policy", "value", "Elo")


def table(records: list[dict[str, Any]], title: str) -> Table:
    """The last epochs as a table."""
    from rich.table import Table

    made = Table(title=title)
    for name in COLUMNS:
        made.add_column(name, justify="right")
    for record in records:
        made.add_row(*cells(record))
    return made


def cells(record: dict[str, Any]) -> list[str]:
    """What is shown of an epoch, in the order of ``COLUMNS``."""
    losses = [record["policy_loss"], record["value_loss"]]
    return [
        str(record["epoch"]), f"{record['seconds'] / 60:.2f}", f"{record['seconds_left'] / 60:.1f}",
        f"{record['games_per_second']:.1f}", f"{record['positions_per_second']:.0f}",
        f"{record['evaluations_per_second']:,.0f}", *("" if loss is None else f"{loss:.3f}" for loss in losses),
        "" if record["elo"] is None else f"{record['elo']:+.0f}",
    ]  # fmt: skip


def line(record: dict[str, Any]) -> str:
    """An epoch in one line."""
    loss = "waiting for games"
    if record["policy_loss"] is not None:
        loss = f"policy {record['policy_loss']:.3f} value {record['value_loss']:.3f}"
    elo = "" if record["elo"] is None else f"  {record['elo']:+.0f} Elo"
    crew = f"  {record['actors']} playing" if "actors" in record else ""
    return (
        f"epoch {record['epoch']:>4}  {record['seconds'] / 60:6.2f} min, {record['seconds_left'] / 60:.1f} left  "
        f"{record['games_per_second']:7.1f} games/s  {record['positions_per_second']:8.0f} positions/s  "
        f"{record['evaluations_per_second']:9.0f} evaluations/s  {loss}{elo}{crew}"
    )
