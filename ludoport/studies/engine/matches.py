"""Matches of a study: two networks, a network and a fixed opponent, or many pairs of networks at once.

A job with ``matches`` plays all of them in one go, several in parallel on a CUDA device. Its parameter is a list; each
match has the numbers of its two networks among the jobs that are needed (``who``), their epochs (``at``), a random seed
and whatever its study wants to remember.
"""

from __future__ import annotations

import random
import time
from typing import TYPE_CHECKING, Any

from ludoport.errors import LudoportError
from ludoport.nets import load_torch
from ludoport.studies.engine.task import Result, Task, game_of
from ludoport.studies.engine.trees import answered, tree_player_of

if TYPE_CHECKING:
    from ludoport.arena.player import Player
    from ludoport.arena.result import MatchResult
    from ludoport.selfplay.config import TrainConfig

STORE = "matches.sqlite"
"""The file of the games of a job."""

NOISY = 8
"""Plies at the start of a game whose moves are drawn, as in the paper's evaluation, so that games differ."""


def evaluate(task: Task) -> Result:
    """Let a network play another one or a player that is given by its text, or play a list of matches."""
    params = task.job.params
    task.place.mkdir(parents=True, exist_ok=True)
    if "matches" in params:
        return {"matches": [_counts(found) for found in _all(task)]}
    found = _against(task) if "against" in params else _duels(task, [(0, 1)], [task.job.seed])[0]
    first = task.need(0) if task.job.needs else {}
    facts: Result = {name: first[name] for name in ("source_epochs", "parameters") if name in first}
    if "tree" in first:
        facts |= answered(task, task.place / STORE)
    if len(task.job.needs) > 1 and "epochs" in task.need(1):
        facts["target_epochs"] = task.need(1)["epochs"]
    return {**_counts(found), "matches": str((task.place / STORE).relative_to(task.folder)), **facts}


def measure(task: Task) -> Result:
    """CPU time of a move of a player, over positions of random games."""
    from ludoport.arena.players import as_player

    params, game = task.job.params, game_of(task.job.params)
    one, rng, spent = as_player(_player(task)), random.Random(task.job.seed), 0.0
    for number in range(params["moves"] + 1):
        state = game.start()
        one.begin(game, state.seat, number)
        for _ in range(rng.randrange(20)):
            after = state.play(rng.choice(state.moves()))
            state = state if after.over else after
        begin = time.process_time()
        one.choose(state, number)
        spent += time.process_time() - begin if number else 0.0  # the first move compiles
    return {"milliseconds": round(1000 * spent / params["moves"], 3), "moves": params["moves"]}


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
    load_torch()
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
        device=task.device, limit=config.ply_limit, store=task.place / STORE, progress=_noting(task),
    )  # fmt: skip
    return [_complete(task, one) for one in found]


def _against(task: Task) -> MatchResult:
    """A player of the study against a fixed opponent, on the CPU."""
    from ludoport.arena.match import match

    params = task.job.params
    found = match(
        _player(task), params["against"], game_of(params), params["games"], workers=1, seed=task.job.seed,
        store=task.place / STORE, limit=_config(task).ply_limit, progress=_noting(task),
    )  # fmt: skip
    return _complete(task, found)


def _player(task: Task) -> Player | str:
    """The player of a job: the network or tree that it needs, or a player by its text."""
    from ludoport.selfplay.rating import network_player

    params = task.job.params
    if not task.job.needs:
        return str(params["player"])
    if "tree" in task.need(0):
        return tree_player_of(task)
    file = task.network(0, params["at"][0] if "at" in params else None)
    return network_player(_config(task), file, params["simulations"])


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
