"""Small things to look at: a run, a study with networks and games, a search tree; made within a second or two."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import ludoport as lp
from ludoport.arena.match import match
from ludoport.nets.build import build_network
from ludoport.nets.files import save_network
from ludoport.nets.guide import origin_of
from ludoport.nets.registry import preset_for
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan
from ludoport.search.tree import UctSettings
from ludoport.selfplay.config import preset
from ludoport.selfplay.run import Run
from ludoport.studies.demo.study import QUICK, plan_demo
from ludoport.studies.engine.run import at_work
from ludoport.studies.engine.store import Store
from ludoport.tensors.layout import tensor_layout


def epoch(number: int, **changed: Any) -> dict[str, Any]:
    """The metrics of one epoch, as a run writes them."""
    spent = {"start": 0.5, "play": 6.0, "learn": 3.0, "checkpoint": 0.25, "rating": 0.0, "other": 0.25}
    return {
        "epoch": number, "seconds": 10.0 * number, "seconds_left": 60.0, "games": 40, "positions": 400, "rate": 0.001,
        "policy_loss": 3.0 / number, "value_loss": 1.0 / number, "games_per_second": 6.5,
        "positions_per_second": 65.0, "evaluations_per_second": 2000.0, "elo": None, "elo_low": None, "elo_high": None,
        **{f"{kind}_seconds": seconds for kind, seconds in spent.items()}, **changed,
    }  # fmt: skip


def make_run(folder: Path, epochs: int = 3, size: str = "3x3") -> Run:
    """A run of Hex with an untrained network, some epochs, and two rated checkpoints."""
    options = (f"Board Size/{size}",)
    run = Run(folder, preset("tiny", game="Hex", options=options))
    run.create()
    run.keep_metrics([epoch(number) for number in range(1, epochs + 1)])
    save_untrained(run.network_file, size)
    for number, wins in ((1, 2), (2, 5)):
        line = {"epoch": number, "seconds": 10.0 * number, "against": "uct:100", "wins": wins, "draws": 0}
        run.add_line("ratings.jsonl", json.dumps({**line, "losses": 6 - wins}))
    return run


def save_untrained(file: Path, size: str) -> None:
    """A network of Hex with random weights."""
    game = lp.load("Hex", options=[f"Board Size/{size}"], jit=False)
    layout = tensor_layout(game, "compact")
    file.parent.mkdir(parents=True, exist_ok=True)
    net = build_network(preset_for("tiny", layout), seed=3)
    save_network(file, net, origin_of(game, layout, (f"Board Size/{size}",)), {})


def make_study(folder: Path) -> Path:
    """The demonstration from Hex 3x3 to 4x4, as if it had been run; random players played its games."""
    plan = plan_demo(QUICK)
    game = lp.load("Hex", options=["Board Size/4x4"])
    with at_work(plan, folder):
        pass
    worker = "elsewhere:1:x"
    with Store(folder) as store:
        store.enter(plan.jobs)
        while (entry := store.claim(worker)) is not None:
            job, result = entry.job, dict[str, Any](source_epochs=3)
            if job.kind == "train":
                make_run(folder / job.id, size=job.params["options"][0].rpartition("/")[2])
                result |= {"network": f"{job.id}/network.safetensors", "epochs": 3, "seconds": 30.0, "games": 120}
            elif job.kind == "transfer":
                result["network"] = str(lp.transfer(folder / job.needs[0], game, folder / job.id).relative_to(folder))
            else:
                file = folder / job.id / "matches.sqlite"
                file.parent.mkdir(parents=True)
                played = match("random", "random", game, 4, store=file, workers=1, seed=job.seed % 1000).record
                result |= {"wins": played.wins, "draws": played.draws, "losses": played.losses, "target_epochs": 3,
                           "matches": f"{job.id}/matches.sqlite", "moves": 50, "unfinished": 0}  # fmt: skip
            store.finish(job.id, worker, result, 1.5)
    return folder


def make_tree(file: Path) -> Path:
    """A search tree of Tic-Tac-Toe."""
    from ludoport.search.build import build_tree

    game = lp.load("Tic-Tac-Toe")
    build_tree(game, BuildPlan(about_game(game, source="Tic-Tac-Toe"), 400, 10_000, "drop", 1, UctSettings()), 1, file)
    return file
