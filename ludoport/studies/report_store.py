"""From the stores of studies to a report."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.studies.catalogue import OTHERS, STUDIES, unknown
from ludoport.studies.cells import Cell
from ludoport.studies.jobs import Entry
from ludoport.studies.report import write_report
from ludoport.studies.report_facts import Learned, StudyFacts, TableOrder, table_orders
from ludoport.studies.scores import Score
from ludoport.studies.store import Store
from ludoport.studies.store_file import FILE

RUNS = Path("runs")
"""Where studies lie if nobody says where."""


def find_store(study: str, store: Path | None = None, runs: Path = RUNS) -> Path:
    """The folder of a study.

    Args:
        study: its name, or its folder.
        store: its store, or the folder of that, if it lies elsewhere.
        runs: where studies are looked for by name.

    Raises:
        LudoportError: there is no such study, it was not run, or several folders hold it.
    """
    if store is not None:
        folder = store.parent if store.name == FILE else store
        held = _name(folder)
        if study not in (held, str(folder)):
            raise LudoportError(f"{store} holds the study {held}, not {study}")
        return folder
    given = Path(study)
    for folder in (given, given.parent if given.name == FILE else given):
        if (folder / FILE).is_file():
            return folder
    return _by_name(study, runs)


def _by_name(study: str, runs: Path) -> Path:
    if study in OTHERS:
        raise LudoportError(f"`ludoport study {study}` writes its report itself, into its folder")
    found = [path.parent for path in sorted(runs.glob(f"*/{FILE}")) if _name(path.parent) == study]
    if len(found) > 1:
        raise LudoportError(
            f"{len(found)} folders hold the study {study}; choose one with --store: {', '.join(map(str, found))}"
        )
    if not found:
        if study not in STUDIES and study != "demo" and not study.endswith(".toml"):
            raise unknown(study)
        raise LudoportError(
            f"{runs} holds no study {study}; run `ludoport study {study}` first, or say with --store where it lies"
        )
    return found[0]


def _name(folder: Path) -> str:
    with Store(folder, create=False) as store:
        return str(store.facts().get("name", ""))


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
        commit=_list(one.commit for one in facts),
        version=_list(one.version for one in facts),
        minutes=sum(minutes) if minutes else None,
        seeds=tuple(dict.fromkeys(seed for one in facts for seed in one.seeds)),
        command="; ".join(one.command for one in facts if one.command),
        training=_each(facts, [one.training for one in facts]),
        playing=_each(facts, [one.playing for one in facts]),
        notes=tuple(f"{one.name}: {note}" for one in facts for note in one.notes),
        learned=tuple(learned for one in facts for learned in one.learned),
    )


def _list(words: Iterable[str]) -> str:
    return ", ".join(dict.fromkeys(word for word in words if word))


def _each(facts: Sequence[StudyFacts], texts: Sequence[str]) -> str:
    """What all studies have in common once; otherwise what each has."""
    if len(set(texts)) == 1:
        return texts[0]
    return " ".join(f"{one.name}: {text}" for one, text in zip(facts, texts, strict=True) if text)


def store_facts(store: Store) -> StudyFacts:
    """What a store knows about its study, for the report."""
    known, done = store.facts(), store.entries("WHERE state = 'done'")
    name, preset, seed = str(known["name"]), str(known["preset"]), int(known["seed"])
    tables = tuple(
        TableOrder(one["table"], tuple(one["rows"]), tuple(one["columns"]), tuple(one["settings"]))
        for one in known.get("tables", [])
    )
    more = "" if seed == 1 else f" --seed {seed}"
    commits = dict.fromkeys(entry.commit for entry in done if entry.commit)
    return StudyFacts(
        name,
        preset,
        tables,
        machine=str(known.get("machine", "")),
        commit=", ".join(commits) or str(known.get("commit", "")),
        minutes=store.seconds() / 60,
        seeds=(seed,),
        command=f"ludoport study {name} --preset {preset}{more}" if name in STUDIES else "",
        training=_training(done),
        playing=_playing(done),
        notes=tuple(_notes(done)),
        learned=tuple(_learned(done)),
    )


def _training(done: Sequence[Entry]) -> str:
    """How networks learned, from the jobs that did it."""
    learned = [entry.job.params for entry in done if entry.job.kind == "train"]
    if not learned:
        return ""
    presets = " or ".join(f"`{name}`" for name in dict.fromkeys(one.get("training", "") for one in learned))
    text = f"Networks learned for {_span([60 * one['minutes'] for one in learned], 'second')} with the preset {presets}"
    tuned = [entry.job.params for entry in done if entry.job.kind == "tune"]
    if tuned:
        text += f"; fine-tuned ones learned the target for {_span([60 * one['minutes'] for one in tuned], 'second')}"
    return f"{text}."


def _playing(done: Sequence[Entry]) -> str:
    """How games were played, from the jobs that did it."""
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


def _notes(done: Sequence[Entry]) -> Iterator[str]:
    tuned = [entry.result["epochs"] for entry in done if entry.job.kind == "tune" and entry.result]
    if tuned:
        yield f"Fine-tuned networks: {len(tuned)}, each with {_span(tuned, 'epoch')} on the target."
    unfinished = sum(entry.result.get("unfinished", 0) for entry in done if entry.result)
    if unfinished:
        yield f"Games that were stopped for being too long, which count as draws: {unfinished}."


def _learned(done: Sequence[Entry]) -> Iterator[Learned]:
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
