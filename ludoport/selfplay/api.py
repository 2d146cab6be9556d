"""``lp.train``: a run in one call."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.kinds.python import text_of
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.languages import chosen
from ludoport.nets import load_torch
from ludoport.nets.finding import find_network
from ludoport.selfplay.progress import watching

if TYPE_CHECKING:
    from ludoport.selfplay.cluster import OnRay
    from ludoport.selfplay.config import TrainConfig


def train(
    game: Game | str | Path | Sequence[str],
    *,
    minutes: float | None = None,
    epochs: int | None = None,
    out: Path | str | None = None,
    options: Sequence[str] = (),
    preset: str = "tiny",
    init: NetworkPlayer | Path | str | None = None,
    seed: int = 1,
    device: str | None = None,
    ray_address: str | None = None,
    actors: int | None = None,
    progress: Callable[[dict[str, Any]], None] | bool | None = None,
    **settings: Any,
) -> NetworkPlayer:
    """Train a network by self-play.

    Args:
        game: a game, its name, or the path of its file. A list of games, such as ``["Tic-Tac-Toe", "Hex; Board
            Size/5x5"]``, is learned by one network, which plays any game of two players at once.
        minutes: time limit of the run, including earlier calls.
        epochs: number of epochs of the run, including earlier calls; the first limit reached ends the run.
        out: the folder of the run; a run that is there resumes. Default: a folder in ``runs`` named after the game.
        options: options of the game, if it is given by name.
        preset: ``tiny``, ``small``, ``modern`` or ``paper``.
        init: what to start from: what ``train`` or ``transfer`` returned, a run, or the file of a network.
        seed: random seed.
        device: ``cpu`` or ``cuda``; default: a GPU if there is one.
        ray_address: let actors on this Ray cluster play (``auto``, ``HOST:PORT``, ``ray://HOST:PORT``), or on a local
            Ray instance (``local``).
        actors: number of actors; default: one for each core or GPU.
        progress: show a table of epochs; default: in a terminal and in a notebook. A function is called with the record
            of every epoch instead.
        **settings: changes to the preset, see ``TrainConfig``; ``opponents``, who rate checkpoints, may be functions
            ``state -> move`` at the top of a file.

    Returns:
        A player with the network, which ``match`` and ``transfer`` accept; its ``file`` is the network.

    For example ``lp.match(lp.train("Hex", options=five, minutes=2), "uct:100", lp.load("Hex", options=five))`` with
    ``five = ["Board Size/5x5"]``.
    """
    load_torch()
    from ludoport.selfplay.config import preset as configured
    from ludoport.selfplay.rating import network_player
    from ludoport.selfplay.train import Budget, Trainer

    budget = Budget(minutes, epochs)
    if "opponents" in settings:
        settings["opponents"] = [given if isinstance(given, str) else text_of(given) for given in settings["opponents"]]
    config = configured(preset, **{**subject(game, options), "seed": seed, **settings})
    trainer = Trainer(
        config, out or default_folder(config, game), start=network_of(init), device=device or best_device(),
        game=game if isinstance(game, Game) else None, on=actors_on(ray_address, actors, device),
    )  # fmt: skip
    with watching(progress, f"{trainer.subject.title}, {trainer.run.folder}") as watch:
        file = trainer.train(budget, watch)
    return network_player(config, file)


def subject(game: Game | str | Path | Sequence[str], options: Sequence[str] = ()) -> dict[str, Any]:
    """The settings that say what a run learns."""
    if isinstance(game, (Game, str, Path)):
        return {"game": game.name if isinstance(game, Game) else str(game), "options": chosen(options)}
    from ludoport.selfplay.lists import game_list

    if options:
        raise LudoportError("options belong to a single game; in a list write `GAME; CATEGORY/ITEM`")
    return {"game": "", "game_list": game_list(game)}


def default_folder(config: TrainConfig, game: Game | str | Path | Sequence[str]) -> Path:
    """The default folder of a run; loaded games are told apart by their rules."""
    if config.game_list:
        return Path("runs") / f"{len(config.game_list)}-games-{config.seed}"
    choices = [choice.rpartition("/")[2] for choice in config.options]
    if isinstance(game, Game):
        choices = [game.rules.fingerprint[:8]]
    parts = [Path(config.game).stem, *choices, str(config.seed)]
    return Path("runs") / "-".join(part.lower().replace(" ", "-") for part in parts)


def actors_on(
    address: str | None, actors: int | None, device: str | None, tell: Callable[[str], None] = lambda _: None
) -> OnRay | None:
    """Settings of actors on a Ray cluster; None if this process plays.

    Args:
        address: the cluster, or ``local``; None for this process.
        actors: number of actors.
        device: device of the actors; default: GPUs if the cluster has some.
        tell: called with messages to the user.
    """
    from ludoport.selfplay.cluster import OnRay

    if address is None:
        if actors is not None:
            raise LudoportError("a number of actors needs the address of a Ray cluster, or `local`")
        return None
    return OnRay(address, actors, device, tell)


def best_device() -> str:
    """A GPU if there is one."""
    import torch

    return "cuda" if torch.cuda.is_available() else "cpu"


def network_of(given: NetworkPlayer | Path | str | None) -> Path | None:
    """The file of a network, given a player, a run, or itself."""
    if given is None:
        return None
    return find_network(Path(given.file if isinstance(given, NetworkPlayer) else given))
