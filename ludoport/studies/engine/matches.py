"""How matches of a study are played: two networks, a network and a fixed opponent, or many pairs of networks at once.

A job with ``matches`` plays all of them in one go, several in parallel on a CUDA device. Its parameter is a list; each
match has the numbers of its two networks among the jobs that are needed (``who``), their epochs (``at``), a random seed
and whatever its study wants to remember.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.studies.engine.task import Result, Task, game_of

if TYPE_CHECKING:
    from ludoport.arena.result import MatchResult
    from ludoport.selfplay.config import TrainConfig

NOISY = 8
"""Plies at the start of a game whose moves are drawn, as in the paper's evaluation, so that games differ."""


def evaluate(task: Task) -> Result:
    """Let a network play another one or a player that is given by its text, or play a list of matches."""
    params = task.job.params
    task.place.mkdir(parents=True, exist_ok=True)
    if "matches" in params:
        return {"matches": [_counts(found) for found in _all(task)]}
    found = _against(task) if "against" in params else _duels(task, [(0, 1)], [task.job.seed])[0]
    facts: Result = {name: task.need(0).get(name) for name in ("source_epochs", "parameters") if name in task.need(0)}
    if len(task.job.needs) > 1 and "epochs" in task.need(1):
        facts["target_epochs"] = task.need(1)["epochs"]
    return {**_counts(found), "matches": str((task.place / "matches.sqlite").relative_to(task.folder)), **facts}


def _counts(found: MatchResult) -> Result:
    record = found.record
    return {
        "wins": record.wins, "draws": record.draws, "losses": record.losses, "moves": found.moves,
        "unfinished": found.unfinished,
    }  # fmt: skip


def _all(task: Task) -> list[MatchResult]:
    matches = task.job.params["matches"]
    who = [tuple(one["who"]) for one in matches]
    return _duels(task, who, [one["seed"] for one in matches], [tuple(one["at"]) for one in matches])


def _duels(
    task: Task, who: list[tuple[int, int]], seeds: list[int], at: list[tuple[int, int]] | None = None
) -> list[MatchResult]:
    """Matches of networks, given by the numbers of the jobs that made them, and perhaps by epochs."""
    from ludoport.selfplay.duel import Duel, duels
    from ludoport.selfplay.rating import rated_search

    config, params = _config(task), task.job.params
    epochs = at or [task.job.params.get("at", (None, None))] * len(who)
    pairs = [
        Duel(task.network(one, first), task.network(two, second), seed)
        for (one, two), (first, second), seed in zip(who, epochs, seeds, strict=True)
    ]
    found = duels(
        game_of(params), pairs, games=params["games"], simulations=params["simulations"],
        settings=rated_search(config, params["simulations"]), drawing=config.drawing, sampled=NOISY,
        device=task.device, limit=config.ply_limit, store=task.place / "matches.sqlite", progress=_noting(task),
    )  # fmt: skip
    return [_complete(task, one) for one in found]


def _against(task: Task) -> MatchResult:
    """A network against a fixed opponent, on the CPU."""
    from ludoport.arena.match import match
    from ludoport.selfplay.rating import network_player

    config, params = _config(task), task.job.params
    file = task.network(0, params["at"][0] if "at" in params else None)
    found = match(
        network_player(config, file, params["simulations"]), params["against"], game_of(params), params["games"],
        workers=1, seed=task.job.seed, store=task.place / "matches.sqlite", limit=config.ply_limit,
        progress=_noting(task),
    )  # fmt: skip
    return _complete(task, found)


def _config(task: Task) -> TrainConfig:
    from ludoport.selfplay.config import preset

    return preset(task.job.params["training"], **task.job.params.get("settings", {}))


def _noting(task: Task) -> Any:
    games = task.job.params["games"]

    def progress(result: MatchResult) -> None:
        record = result.record
        task.note(f"{record.games} of {games} games" + (f", {100 * record.score:.0f} %" if record.games else ""))

    return progress


def _complete(task: Task, found: MatchResult) -> MatchResult:
    games = task.job.params["games"]
    if found.record.games < games:
        raise LudoportError(f"only {found.record.games} of {games} games were played")
    return found
