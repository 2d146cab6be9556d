"""``ludoport train``: learn to play a game by playing against oneself."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from ludoport.commands.common import GameName, Json, Options, print_json
from ludoport.errors import LudoportError


def train(
    game: GameName,
    out: Annotated[Path, typer.Option("--out", metavar="RUN", help="The folder of the run; the same one goes on.")],
    option: Options = None,
    minutes: Annotated[float | None, typer.Option("--minutes", help="How long to learn.")] = None,
    epochs: Annotated[int | None, typer.Option("--epochs", help="How many epochs to learn.")] = None,
    preset: Annotated[str, typer.Option("--preset", help="tiny, small, modern or paper.")] = "tiny",
    init: Annotated[Path | None, typer.Option("--init", metavar="RUN0", help="Start from this run or network.")] = None,
    seed: Annotated[int, typer.Option("--seed", help="Where the randomness begins.")] = 1,
    set_: Annotated[
        list[str] | None, typer.Option("--set", metavar="NAME=VALUE", help="Change one setting of the preset.")
    ] = None,
    device: Annotated[str | None, typer.Option("--device", help="cpu or cuda; a GPU if there is one.")] = None,
    json: Json = False,
) -> None:
    """Train a network by self-play; interrupt it when you like, the same command goes on."""
    from ludoport.nets import require_torch

    require_torch()
    import torch

    from ludoport.selfplay.config import preset as configured
    from ludoport.selfplay.train import Budget, Trainer

    budget = Budget(minutes, epochs)
    settings = dict(_setting(text) for text in set_ or [])
    config = configured(preset, **{"game": game, "options": tuple(option or ()), "seed": seed, **settings})
    where = device or ("cuda" if torch.cuda.is_available() else "cpu")
    trainer = Trainer(config, out, start=_start(init), device=where)
    if trainer.epoch and not json:
        typer.echo(f"going on after epoch {trainer.epoch}")

    def watch(record: dict[str, Any]) -> None:
        if not json:
            typer.echo(_line(record))

    file = trainer.train(budget, watch)
    if json:
        print_json(
            {"network": str(file), "epochs": trainer.epoch, "seconds": trainer.seconds, "metrics": trainer.records}
        )
    else:
        typer.echo(f"{file}: the network after {trainer.epoch} epochs, {trainer.seconds / 60:.1f} minutes")


def _start(given: Path | None) -> Path | None:
    if given is None or not given.is_dir():
        return given
    return given / "network.safetensors"


def _setting(text: str) -> tuple[str, Any]:
    import tomllib

    name, mark, value = text.partition("=")
    if not mark:
        raise LudoportError(f"`{text}` is no setting; write it like `simulations=64`")
    try:
        return name, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return name, value


def _line(record: dict[str, Any]) -> str:
    loss = "waiting for games"
    if record["policy_loss"] is not None:
        loss = f"policy {record['policy_loss']:.3f} value {record['value_loss']:.3f}"
    return (
        f"epoch {record['epoch']:>4}  {record['seconds'] / 60:6.2f} min  {record['games_per_second']:7.1f} games/s  "
        f"{record['positions_per_second']:8.0f} positions/s  {record['evaluations_per_second']:9.0f} evaluations/s  "
        f"{loss}"
    )
