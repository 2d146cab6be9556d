"""Makes a report from the stores of studies."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.nets import load_torch
from ludoport.selfplay.config import preset as train_preset
from ludoport.studies.engine.calls import calls_of, command_lines
from ludoport.studies.engine.cells import Cell, TableOrder
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.engine.scores import Score
from ludoport.studies.engine.store import Store
from ludoport.studies.soemers.report.facts import Learned, StudyFacts, table_orders
from ludoport.studies.soemers.report.jobs import job_facts, own_order
from ludoport.studies.soemers.report.write import write_report
from ludoport.studies.soemers.studies import STUDIES


def report_stores(folders: Sequence[Path], out: Path, *, plots: bool = True) -> Path:
    """Write one report of what one or several folders hold; returns the HTML page."""
    cells: list[Cell] = []
    scores: list[Score] = []
    facts: list[StudyFacts] = []
    for folder in folders:
        with Store(folder, create=False) as store:
            some = store.cells()
            known = store_facts(store)
            scores += store.scores()
        cells += some
        facts.append(known if known.tables else replace(known, tables=table_orders(some)))
    return write_report(cells, joined(facts), out, scores, plots=plots)


def joined(facts: Sequence[StudyFacts]) -> StudyFacts:
    """The facts of several studies as those of one.

    Raises:
        LudoportError: two studies have the same table, whose cells would be mixed up.
    """
    if len(facts) == 1:
        return facts[0]
    tables = [order for one in facts for order in one.tables]
    for name in dict.fromkeys(order.table for order in tables):
        if sum(order.table == name for order in tables) > 1:
            raise LudoportError(f"several of these studies have the table {name}; report them one by one")
    minutes = [one.minutes for one in facts if one.minutes is not None]
    return StudyFacts(
        _list(one.name for one in facts),
        _list(one.preset for one in facts),
        tuple(tables),
        machine=_list(one.machine for one in facts),
        workers=_each(facts, [one.workers for one in facts]),
        commit=_list(one.commit for one in facts),
        version=_list(one.version for one in facts),
        minutes=sum(minutes) if minutes else None,
        seeds=tuple(dict.fromkeys(seed for one in facts for seed in one.seeds)),
        command="; ".join(one.command for one in facts if one.command),
        training=_each(facts, [one.training for one in facts]),
        playing=_each(facts, [one.playing for one in facts]),
        caveats=tuple(f"{one.name}: {caveat}" for one in facts for caveat in one.caveats),
        notes=tuple(f"{one.name}: {note}" for one in facts for note in one.notes),
        learned=tuple(learned for one in facts for learned in one.learned),
        jobs=tuple(job for one in facts for job in one.jobs),
    )


def _list(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(word for word in words if word))


def _each(facts: Sequence[StudyFacts], texts: Sequence[str]) -> str:
    """The text that all studies have in common; if they differ, the text of each after its name."""
    if len(set(texts)) == 1:
        return texts[0]
    return " ".join(f"{one.name}: {text}" for one, text in zip(facts, texts, strict=True) if text)


def store_facts(store: Store) -> StudyFacts:
    """Facts about a study in its store, for the report."""
    known, entries = store.facts(), store.entries()
    done = [entry for entry in entries if entry.state == "done"]
    name, preset, seed = str(known["name"]), str(known["preset"]), int(known["seed"])
    calls, learned = calls_of(known), list(_learned(done))
    more = "" if seed == 1 else f" --seed {seed}"
    devices = list(dict.fromkeys(one.device for one in learned))
    start = f"ludoport study {name} --preset {preset}{more}"
    return StudyFacts(
        name,
        preset,
        tuple(_tables(known, entries)),
        machine=_list(call.machine for call in calls) or str(known.get("machine", "")),
        workers=_list(str(call.workers) for call in calls),
        commit=_list(entry.commit or "" for entry in done) or str(known.get("commit", "")),
        minutes=store.seconds() / 60,
        seeds=(seed,),
        command=command_lines(start, calls, devices) if name in STUDIES else "",
        training=_training(done),
        playing=_playing(done),
        caveats=tuple(_caveats(done)),
        notes=tuple(_notes(done)),
        learned=tuple(learned),
        jobs=tuple(job_facts(name, entry) for entry in done),
    )


def _tables(known: dict[str, Any], entries: Sequence[JobEntry]) -> Iterator[TableOrder]:
    jobs = [job_facts(known["name"], entry) for entry in entries]
    for one in known.get("tables", []):
        order = TableOrder(one["table"], tuple(one["rows"]), tuple(one["columns"]), tuple(one["settings"]))
        yield order if known["name"] in STUDIES else own_order(order, jobs)


def _training(done: Sequence[JobEntry]) -> str:
    """Sentence on the training of networks, from the jobs that did it."""
    learned = [entry.job.params for entry in done if entry.job.kind == "train"]
    if not learned:
        return ""
    presets = " or ".join(f"`{name}`" for name in dict.fromkeys(one.get("training", "") for one in learned))
    text = f"Networks learned for {_length(learned)} with the preset {presets}"
    tuned = [entry.job.params for entry in done if entry.job.kind == "tune"]
    if tuned:
        text += f"; fine-tuned ones learned the target for {_length(tuned)}"
    return f"{text}."


def _length(jobs: Sequence[dict[str, Any]]) -> str:
    """Duration of learning: in seconds, in epochs where those limit it, or both."""
    seconds = [60 * one["minutes"] for one in jobs if one.get("minutes") is not None]
    epochs = [one["epochs"] for one in jobs if one.get("epochs") is not None]
    spans = [_span(values, unit) for values, unit in ((seconds, "second"), (epochs, "epoch")) if values]
    return " or at most ".join(spans)


def _playing(done: Sequence[JobEntry]) -> str:
    """Sentence on the games of a pair and their searches, from the jobs that played."""
    played = [entry.job.params for entry in done if entry.job.kind == "evaluate"]
    if not played:
        return ""
    games = _span([one["games"] for one in played], "game")
    return f"{games} a pair, {_span([one['simulations'] for one in played], 'simulation')} a move."


def _span(values: Sequence[float], unit: str) -> str:
    """Numbers with their unit: one if all are the same, otherwise from which to which."""
    low, high = min(values), max(values)
    number = f"{low:g}" if low == high else f"{low:g} to {high:g}"
    return f"{number} {unit}{'' if number == '1' else 's'}"


def _caveats(done: Sequence[JobEntry]) -> Iterator[str]:
    carried = [entry for entry in done if entry.job.kind == "transfer" and entry.job.params.get("adjust_width")]
    learned = [entry.job.params for entry in done if entry.job.kind == "train"]
    if carried and learned and not any(_has_widths(params) for params in learned):
        yield (
            'These networks have the same width for every game, so there are no widths to adjust: "fine-tuned, widths '
            'adjusted" repeats "fine-tuned" with other seeds, and the difference between the two only measures '
            "chance in learning and in games."
        )


def _has_widths(params: dict[str, Any]) -> bool:
    """Whether the network of a job that learns is as wide as its game's states need."""
    if params.get("shape") is not None:
        return True
    load_torch()
    from ludoport.nets.registry import presets

    network = train_preset(params["training"], **params.get("settings", {})).network
    return presets()[network].get("width", 0) is None


def _notes(done: Sequence[JobEntry]) -> Iterator[str]:
    tuned = [entry.result["epochs"] for entry in done if entry.job.kind == "tune" and entry.result]
    if tuned:
        yield f"Fine-tuned networks: {len(tuned)}, each with {_span(tuned, 'epoch')} on the target."
    unfinished = sum(entry.result.get("unfinished", 0) for entry in done if entry.result)
    if unfinished:
        yield f"Games that were stopped for being too long, which count as draws: {unfinished}."


def _learned(done: Sequence[JobEntry]) -> Iterator[Learned]:
    for entry in done:
        if entry.job.kind == "train" and entry.result:
            result = entry.result
            yield Learned(
                entry.job.id.removeprefix("train/"),
                int(result["epochs"]),
                float(result["seconds"]),
                int(result.get("games", 0)),
                int(result.get("parameters", 0)),
                str(result.get("device", "")),
            )
