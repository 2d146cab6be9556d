"""A study as a page shows it: tables of (source, target) cells, and what is behind a cell."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ludoport.arena.statistics import WinLoss
from ludoport.databases import as_written
from ludoport.errors import LudoportError
from ludoport.studies.demo.study import NAME as DEMO
from ludoport.studies.demo.study import QUICK, Demo
from ludoport.studies.engine.jobs import JobEntry as Job
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.trees import FILE as TREE
from ludoport.studies.soemers.report.entries import ShownCell, entries_of
from ludoport.studies.soemers.report.facts import table_orders
from ludoport.studies.soemers.report.stores import store_facts
from ludoport.web.views.games import kept_games
from ludoport.web.views.runs import WatchedRun


def about_study(folder: Path) -> dict[str, Any]:
    """All tables and scores of a study, as far as its games were played.

    Returns:
        ``name``, ``preset``, ``command`` (empty where unknown), ``minutes`` of work; ``jobs``: number by state;
        ``tables``: ``table``, ``setting``, ``rows``, ``columns`` and ``cells`` each (row by row; None where a pair
        does not exist or was not played); ``scores``: matches that are not cells. Cells and scores have ``percent``,
        ``low``, ``high``, ``games``, ``record`` and ``job``; cells also ``mark`` (+ or -, doubled where it is
        significant after Holm) and ``published``.
    """
    with as_written(folder):
        return _about_study(folder)


def _about_study(folder: Path) -> dict[str, Any]:
    with Store(folder, create=False) as store:
        facts, cells, scores, counts = store_facts(store), store.cells(), store.scores(), store.counts()
        command = facts.command or (_demo_command(store.entries()) if facts.name == DEMO else "")
    orders = facts.tables or table_orders(cells)
    entries = {
        (entry.table, entry.setting, entry.source, entry.target): entry
        for entry in entries_of(cells, orders, facts.jobs)
    }
    tables = [
        {
            "table": order.table,
            "setting": setting,
            "rows": list(order.rows),
            "columns": list(order.columns),
            "cells": [
                [_cell(entries.get((order.table, setting, source, target))) for target in order.columns]
                for source in order.rows
            ],
        }
        for order in orders
        for setting in order.settings
    ]
    jobs: dict[str, int] = {}
    for states in counts.values():
        for state, count in states.items():
            jobs[state] = jobs.get(state, 0) + count
    return {
        "name": facts.name,
        "preset": facts.preset,
        "command": command,
        "minutes": facts.minutes,
        "training": facts.training,
        "playing": facts.playing,
        "jobs": jobs,
        "tables": tables,
        "scores": [
            {"group": s.group, "player": s.player, "against": s.against, "job": s.job, **_percent(s.record)}
            for s in scores
        ],
    }


def behind(folder: Path, job: str) -> dict[str, Any]:
    """Data behind a cell or a score.

    Returns:
        ``job``; ``steps``: the jobs that led to it, the first first, each with ``job``, ``kind``, ``words``,
        ``command`` (for the same step by hand), ``seconds``, and ``run``: about and news of its run where it learned;
        ``games``: see `kept_games`; ``game`` and ``options``: what was played.

    Raises:
        LudoportError: there is no such job.
    """
    with Store(folder, create=False) as store:
        entries = {entry.job.id: entry for entry in store.entries()}
    if job not in entries:
        raise LudoportError(f"this study has no job `{job[:200]}`")
    last = entries[job]
    params = last.job.params
    steps = [_step(entry, folder) for entry in _chain(job, entries)]
    matches = (last.result or {}).get("matches")
    return {
        "job": job,
        "state": last.state,
        "game": params.get("game"),
        "options": list(params.get("options", ())),
        "steps": steps,
        "games": kept_games(folder / str(matches)) if matches else [],
    }


def _cell(entry: ShownCell | None) -> dict[str, Any] | None:
    if entry is None or entry.record is None:
        return None
    return {**_percent(entry.record), "mark": entry.mark, "published": entry.published, "job": entry.job}


def _percent(record: WinLoss) -> dict[str, Any]:
    low, high = record.interval()
    numbers = {"percent": record.score, "low": low, "high": high}
    return {**{name: round(100 * value, 2) for name, value in numbers.items()}, "games": record.games,
            "record": str(record)}  # fmt: skip


def _chain(job: str, entries: dict[str, Job]) -> list[Job]:
    """A job and all that it needs, each after what it needs."""
    found: dict[str, Job] = {}

    def visit(name: str) -> None:
        if name in entries and name not in found:
            for need in entries[name].job.needs:
                visit(need)
            found[name] = entries[name]

    visit(job)
    return list(found.values())


def _step(entry: Job, folder: Path) -> dict[str, Any]:
    job = entry.job
    run = None
    if job.kind in ("train", "tune") and (folder / job.id / "config.toml").is_file():
        watched = WatchedRun(folder / job.id)
        run = {"about": watched.about(), "news": watched.news()}
    return {
        "job": job.id,
        "kind": job.kind,
        "state": entry.state,
        "note": entry.note,
        "command": _command(entry),
        "seconds": entry.seconds,
        "run": run,
    }


def _command(entry: Job) -> str:
    """The command for the same step by hand, in the folder of the study; single games will differ."""
    job, params = entry.job, entry.job.params
    game = [str(params.get("game", ""))]
    options = [word for option in params.get("options", ()) for word in ("--option", option)]
    networks = [f"{need}/network.safetensors" for need in job.needs]
    trees = [f"{need}/{TREE}" for need in job.needs]
    out, seed = ["--out", job.id], ["--seed", str(job.seed)]
    if job.kind in ("train", "tune"):
        start = ["--init", networks[0]] if job.kind == "tune" else []
        return _line("train", game, options, _settings(params), _length(params), start, seed, out)
    if job.kind == "grow":
        numbers = ["--simulations", str(params["simulations"]), "--nodes", str(params["nodes"])]
        return _line("tree", ["build"], game, options, numbers, seed, ["--out", f"{job.id}/{TREE}"])
    if job.kind == "distill":
        learning = ["--least", str(params["least"]), "--batches", str(params["batches"])]
        file = ["--out", f"{job.id}/network.safetensors"]
        return _line("tree", ["distill", trees[0]], _settings(params), learning, seed, file)
    if job.kind == "transfer" and params.get("knowledge") == "tree":
        return _line("tree", ["transfer", trees[0]], game, options, ["--out", f"{job.id}/{TREE}"])
    if job.kind == "transfer":
        fresh = [] if params.get("unmapped") == "zero" else ["--fresh"]
        heads = ["--reinit-heads"] if params.get("reinit_heads") else []
        width = ["--adjust-width"] if params.get("adjust_width") else []
        return _line("transfer", [networks[0]], game, options, fresh, heads, width, seed, out)
    search = f",simulations={params['simulations']},sampled=8"
    ours = str(params["player"]) if "player" in params else f"net:{networks[0]}{search}"
    if params.get("knowledge") == "tree":
        ours = f"tree:{trees[0]},simulations={params['simulations']},least={params['simulations']}"
    theirs = str(params["against"]) if "against" in params else f"net:{networks[1]}{search}"
    return _line("match", [ours, theirs], ["--game", *game], options, ["--games", str(params["games"])], seed)


def _settings(params: dict[str, Any]) -> list[str]:
    changed = [word for name, value in params.get("settings", {}).items() for word in ("--set", f"{name}={value}")]
    return ["--preset", str(params["training"]), *changed]


def _length(params: dict[str, Any]) -> list[str]:
    minutes, epochs = params.get("minutes"), params.get("epochs")
    words = ["--minutes", f"{minutes:g}"] if minutes is not None else []
    return [*words, *(["--epochs", str(epochs)] if epochs is not None else [])]


def _line(verb: str, *words: Sequence[str]) -> str:
    return shlex.join(["ludoport", verb, *(word for part in words for word in part)])


def _demo_command(entries: Sequence[Job]) -> str:
    """The command that makes a demonstration again; its jobs hold the settings."""
    trained = next(entry.job.params for entry in entries if entry.job.kind == "train")
    games = max(entry.job.params.get("games", 0) for entry in entries if entry.job.kind == "evaluate")
    quick = ["--quick"] if trained.get("epochs") == QUICK.epochs else []
    usual = QUICK if quick else Demo()
    minutes = ["--minutes", f"{trained['minutes']:g}"] if trained["minutes"] != usual.minutes else []
    return _line("demo", quick, minutes, ["--games", str(games)] if games != usual.games else [])
