"""The functions that do jobs, one for each kind.

A job writes its files into a folder of its own inside the study's, and returns what others need to know, with paths
relative to the study's folder. A job that starts again resumes from what it left there.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from dataclasses import fields
from pathlib import Path
from typing import Any

from ludoport.arena.specification import refuse_code
from ludoport.nets import load_torch, require_torch
from ludoport.studies.engine.learning import training
from ludoport.studies.engine.matches import evaluate, measure
from ludoport.studies.engine.task import Result, Stopped, Task, game_of
from ludoport.studies.engine.trees import carry, distill, grow


def run_job(task: Task) -> Result:
    """Do a job; returns its result."""
    require_torch()
    settings = task.job.params.get("settings") or {}
    named = [*(task.job.params.get(name, "") for name in ("against", "player")), *settings.get("opponents", ())]
    refuse_code(
        map(str, named), f"{task.folder}, job {task.job.id}", "studies play against other kinds of players only"
    )
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
    load_torch()
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
    load_torch()
    from ludoport.selfplay.train import Budget, Trainer

    params = task.job.params
    task.note("preparing")
    game = None if "games" in params else game_of(params)
    trainer = Trainer(training(task), task.place, start=start, device=task.device, game=game, warm=True)
    budget = Budget(params.get("minutes"), params.get("epochs"))

    def watch(record: dict[str, Any]) -> None:
        loss = "" if record["policy_loss"] is None else f", policy {record['policy_loss']:.2f}"
        task.note(f"epoch {record['epoch']}{loss}, {100 * budget.progress(record['seconds'], record['epoch']):.0f} %")

    fresh, begin = trainer.epoch == 0, time.process_time()
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
        # What a run took before it was interrupted is not known.
        "cpu_seconds": round(time.process_time() - begin, 2) if fresh else None,
        "spent": {kind: round(seconds, 2) for kind, seconds in trainer.costs.total().items()},
    }  # fmt: skip


def _first_network(task: Task) -> Path | None:
    """The network to begin with where a job says more about its shape than the name of a preset."""
    shape = task.job.params.get("shape")
    if shape is None:
        return None
    load_torch()
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
    """Carry a network or a tree over to another game."""
    if "tree" in task.need(0):
        return carry(task)
    load_torch()
    from ludoport.nets.files import is_universal, read_header
    from ludoport.transfer.mapping import map_channels
    from ludoport.transfer.network_files import source_side, transfer_network_file
    from ludoport.transfer.options import TransferOptions
    from ludoport.transfer.sides import side_of
    from ludoport.transfer.specialised import specialise_file

    params = task.job.params
    source = task.network(0, params["at"][0] if "at" in params else None)
    if is_universal(source):
        made = specialise_file(source, game_of(params), task.place).file
        return {"network": str(made.relative_to(task.folder)), "source_epochs": task.need(0)["source_epochs"]}
    names = [field.name for field in fields(TransferOptions) if field.name != "seed"]
    # Weights without a source are random where a job says nothing, as in the first paper and in all recorded studies.
    options = TransferOptions(
        **{"unmapped": "fresh", **{n: params[n] for n in names if n in params}}, seed=task.job.seed
    )
    game, mapping = game_of(params), None
    if params.get("shuffled"):
        mapping = map_channels(source_side(read_header(source)), side_of(game)).shuffled(task.job.seed)
    moved = transfer_network_file(source, game, task.place, options=options, mapping=mapping)
    return {"network": str(moved.file.relative_to(task.folder)), "source_epochs": task.need(0)["source_epochs"]}


KINDS: dict[str, Callable[[Task], Result]] = {
    "untrained": untrained, "train": train, "transfer": transfer, "tune": tune, "grow": grow,
    "distill": distill, "evaluate": evaluate, "time": measure,
}  # fmt: skip
