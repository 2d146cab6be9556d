"""The settings of jobs that learn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.studies.engine.lists import lines_of
from ludoport.studies.engine.task import Task

if TYPE_CHECKING:
    from ludoport.selfplay.config import TrainConfig


def training(task: Task) -> TrainConfig:
    """The settings of a job that learns."""
    from ludoport.selfplay.config import preset

    params = task.job.params
    where = {"game": params["game"], "options": tuple(params["options"]), "seed": task.job.seed}
    if "games" in params:
        where["game_list"] = tuple(lines_of(params, task.folder, task.note))
    return preset(params["training"], **{**params["settings"], **where})
