"""How each kind of job is done.

A job writes its files into a folder of its own inside the study's, and returns what others need to know, with paths
relative to the study's folder. A job that starts again resumes from what it left there.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.jobs import Job

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.config import TrainConfig

Result = dict[str, Any]

NOISY = 8
"""Plies at the start of a game whose moves are drawn, as in the paper's evaluation, so that games differ."""


class Stopped(Exception):  # noqa: N818, since nothing went wrong
    """The work was asked to stop; what was done is kept."""


@dataclass(frozen=True)
class Task:
    """A job and what it needs.

    Attributes:
        job: what is to be done.
        folder: the folder of the study.
        results: what came out of the jobs that it needs.
        device: where networks are, ``cpu`` or ``cuda``.
        note: hears what is new.
    """

    job: Job
    folder: Path
    results: dict[str, Result] = field(default_factory=dict)
    device: str = "cpu"
    note: Callable[[str], None] = lambda _: None

    @property
    def place(self) -> Path:
        """The folder of this job."""
        return self.folder / self.job.id

    def need(self, number: int) -> Result:
        """What came out of one of the jobs that it needs."""
        return self.results[self.job.needs[number]]

    def network(self, number: int) -> Path:
        """The network that one of these jobs made; where the job says at which epoch, its checkpoint.

        Two checkpoints of one run need the same job, which is named once.
        """
        found, epochs = self.need(min(number, len(self.job.needs) - 1)), self.job.params.get("at")
        if epochs is None or epochs[number] == found.get("epochs", epochs[number]):
            return self.folder / str(found["network"])
        return self.folder / str(found["checkpoints"][str(epochs[number])])


def run_job(task: Task) -> Result:
    """Do a job; returns what came out."""
    from ludoport.nets import require_torch

    require_torch()
    try:
        return KINDS[task.job.kind](task)
    finally:
        if task.device == "cuda":
            _tidy()


def _tidy() -> None:
    """Give the device's memory back, and forget compiled networks.

    Torch compiles a function for a few networks only and is slow with any further ones; a study has many.
    """
    import gc

    import torch

    gc.collect()
    if "torch._dynamo" in sys.modules:  # otherwise nothing was compiled, and importing it takes seconds
        torch.compiler.reset()
    torch.cuda.empty_cache()


def untrained(task: Task) -> Result:
    """A network with the weights that learning would begin with."""
    from ludoport.nets.files import save_network
    from ludoport.nets.guide import origin_of
    from ludoport.selfplay.assembling import first_network

    game, config = game_of(task.job.params), training(task)
    net, layout = first_network(game, config, None)
    task.place.mkdir(parents=True, exist_ok=True)
    file = task.place / "network.safetensors"
    save_network(file, net, origin_of(game, layout, config.options), {})
    return {"network": str(file.relative_to(task.folder)), "epochs": 0, "source_epochs": 0}


def train(task: Task) -> Result:
    """Learn a game from nothing, or from a network of a given shape."""
    learned = _learn(task, _first_network(task))
    return {**learned, "source_epochs": learned["epochs"]}


def tune(task: Task) -> Result:
    """Fine-tunes a transferred network."""
    return {**_learn(task, task.network(0)), "source_epochs": task.need(0)["source_epochs"]}


def _learn(task: Task, start: Path | None) -> Result:
    from ludoport.selfplay.train import Budget, Trainer

    params = task.job.params
    task.note("preparing")
    game = None if "games" in params else game_of(params)
    trainer = Trainer(training(task), task.place, start=start, device=task.device, game=game, warm=True)
    budget = Budget(params.get("minutes"), params.get("epochs"))

    def watch(record: dict[str, Any]) -> None:
        loss = "" if record["policy_loss"] is None else f", policy {record['policy_loss']:.2f}"
        task.note(f"epoch {record['epoch']}{loss}, {100 * budget.progress(record['seconds'], record['epoch']):.0f} %")

    file = trainer.train(budget, watch)
    if trainer.interrupted:
        raise Stopped
    trainer.run.checkpoints.forget()  # only needed to resume; much larger than everything else
    parameters = sum(tensor.numel() for tensor in trainer.learner.averaged.parameters())
    kept = {epoch: trainer.run.checkpoint_file(epoch) for epoch in range(1, trainer.epoch)}
    return {
        "checkpoints": {str(n): str(path.relative_to(task.folder)) for n, path in kept.items() if path.is_file()},
        "positions": sum(record["positions"] for record in trainer.records),
        "network": str(file.relative_to(task.folder)), "epochs": trainer.epoch, "seconds": round(trainer.seconds, 1),
        "games": sum(record["games"] for record in trainer.records), "parameters": parameters, "device": task.device,
        "spent": {kind: round(seconds, 2) for kind, seconds in trainer.costs.total().items()},
    }  # fmt: skip


def training(task: Task) -> TrainConfig:
    """The settings of a job that learns."""
    from ludoport.selfplay.config import preset

    params = task.job.params
    where = {"game": params["game"], "options": tuple(params["options"]), "seed": task.job.seed}
    if "games" in params:
        where["game_list"] = (*params["games"], *_varied(task, *params["varied"]))
    return preset(params["training"], **{**params["settings"], **where})


def _varied(task: Task, count: int, seed: int) -> list[str]:
    """Varied games, as lines of a list; they are written once into the folder of the study."""
    from ludoport.varied.making import LIST, write_games

    folder = task.folder / "varied" / f"{seed}-{count}"
    if count and not (folder / LIST).is_file():
        task.note(f"making {count} varied games")
        list(write_games(folder, count, seed))
    names = (folder / LIST).read_text(encoding="utf-8").splitlines() if count else []
    return [str(folder / name) for name in names]


def _first_network(task: Task) -> Path | None:
    """The network to begin with where a job says more about its shape than the name of a preset."""
    shape = task.job.params.get("shape")
    if shape is None:
        return None
    from ludoport.nets.build import build_network
    from ludoport.nets.files import save_network
    from ludoport.nets.guide import origin_of
    from ludoport.nets.registry import preset_for
    from ludoport.tensors.layout import tensor_layout

    game, config = game_of(task.job.params), training(task)
    layout = tensor_layout(game, config.layout)  # type: ignore[arg-type]
    sizes = {name: value for name, value in shape.items() if name != "family"}
    made = preset_for(shape["family"], layout, **sizes)
    file = task.folder / "shapes" / f"{task.job.id.replace('/', '-')}.safetensors"
    file.parent.mkdir(parents=True, exist_ok=True)
    save_network(file, build_network(made, seed=task.job.seed), origin_of(game, layout, config.options), {})
    return file


def transfer(task: Task) -> Result:
    """Carry a network over to another game."""
    from ludoport.nets.files import is_universal, read_header
    from ludoport.transfer.mapping import map_channels
    from ludoport.transfer.network_files import source_side, transfer_network_file
    from ludoport.transfer.options import TransferOptions
    from ludoport.transfer.sides import side_of
    from ludoport.transfer.specialised import specialise_file

    params, source = task.job.params, task.network(0)
    if is_universal(source):
        made = specialise_file(source, game_of(params), task.place).file
        return {"network": str(made.relative_to(task.folder)), "source_epochs": task.need(0)["source_epochs"]}
    names = ("unmapped", "reinit_heads", "adjust_width")
    # Weights without a source are random where a job says nothing, as in the first paper and in all recorded studies.
    options = TransferOptions(
        **{"unmapped": "fresh", **{n: params[n] for n in names if n in params}}, seed=task.job.seed
    )
    game, mapping = game_of(params), None
    if params.get("shuffled"):
        mapping = map_channels(source_side(read_header(source)), side_of(game)).shuffled(task.job.seed)
    moved = transfer_network_file(source, game, task.place, options=options, mapping=mapping)
    return {"network": str(moved.file.relative_to(task.folder)), "source_epochs": task.need(0)["source_epochs"]}


def evaluate(task: Task) -> Result:
    """Let a network play another one, or a player that is given by its text."""
    from ludoport.arena.match import match
    from ludoport.arena.result import MatchResult
    from ludoport.selfplay.config import preset
    from ludoport.selfplay.duel import duel
    from ludoport.selfplay.rating import network_player

    params, seed = task.job.params, task.job.seed
    config, game, games = preset(params["training"], **params.get("settings", {})), game_of(params), params["games"]

    def progress(result: MatchResult) -> None:
        record = result.record
        task.note(f"{record.games} of {games} games" + (f", {100 * record.score:.0f} %" if record.games else ""))

    task.place.mkdir(parents=True, exist_ok=True)
    store = task.place / "matches.sqlite"
    ours = network_player(config, task.network(0), params["simulations"])
    if "against" in params:
        found = match(
            ours, params["against"], game, games, workers=1, seed=seed, store=store, limit=config.ply_limit,
            progress=progress,
        )  # fmt: skip
    else:
        found = duel(
            game, task.network(0), task.network(1), games=games, simulations=params["simulations"],
            settings=ours.settings, drawing=config.drawing,
            sampled=NOISY, device=task.device, seed=seed, limit=config.ply_limit,
            store=store, progress=progress,
        )  # fmt: skip
    record = found.record
    if record.games < games:
        raise LudoportError(f"only {record.games} of {games} games were played")
    facts: Result = {name: task.need(0).get(name) for name in ("source_epochs", "parameters") if name in task.need(0)}
    if len(task.job.needs) > 1 and "epochs" in task.need(1):
        facts["target_epochs"] = task.need(1)["epochs"]
    return {
        "wins": record.wins, "draws": record.draws, "losses": record.losses, "moves": found.moves,
        "unfinished": found.unfinished, "matches": str(store.relative_to(task.folder)), **facts,
    }  # fmt: skip


KINDS: dict[str, Callable[[Task], Result]] = {
    "untrained": untrained, "train": train, "transfer": transfer, "tune": tune, "evaluate": evaluate,
}  # fmt: skip


def game_of(params: dict[str, Any]) -> Game:
    """The game of a job; jobs of one game share it, and so its compiled kernels."""
    return _game(params["game"], tuple(params["options"]))


@lru_cache(maxsize=8)
def _game(name: str, options: tuple[str, ...]) -> Game:
    import ludoport as lp

    return lp.load(name, options=list(options))
