"""Parts of a report; every sentence follows from the numbers."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ludoport.studies.engine.cells import SETTINGS
from ludoport.studies.report.blocks import Block, CommandLine, Heading, Items, Paragraph, Picture, rows_of
from ludoport.studies.report.statistics import LEVEL
from ludoport.studies.soemers.report.agreement import CellDisagreement, agreements, largest_disagreements
from ludoport.studies.soemers.report.entries import ShownCell
from ludoport.studies.soemers.report.facts import StudyFacts
from ludoport.studies.soemers.report.summary import (
    TUNED,
    Change,
    by_kind,
    changes,
    most_negative,
    significance,
    strongest,
)
from ludoport.studies.soemers.report.tables import LEGEND, TransferTable


@dataclass(frozen=True)
class Findings:
    """All that a report says.

    Attributes:
        facts: facts about the study.
        entries: the cells.
        tables: the same as tables.
        figures: the scatter plots.
        heat: the heat maps by family.
        scores: scores of matches that are not cells.
        games: number of games played.
    """

    facts: StudyFacts
    entries: tuple[ShownCell, ...]
    tables: tuple[TransferTable, ...]
    figures: tuple[Picture, ...]
    heat: dict[str, Picture]
    scores: tuple[Block, ...] = ()
    games: int = 0


def report_blocks(found: Findings) -> Iterator[Block]:
    """The report, from its title to how it was made."""
    yield Heading(found.facts.title or f"Study {found.facts.name}", 1)
    yield from _intro(found)
    if found.entries:
        for part in (_summary, _figures, _extremes, _agreement, _tables):
            yield from part(found)
    yield from found.scores
    yield from _made(found)


def _intro(found: Findings) -> Iterator[Block]:
    facts, entries = found.facts, found.entries
    if entries:
        yield Paragraph(
            "A network that learned the source game is transferred to the target game and plays there against a "
            "network that learned the target from nothing. More than 50 % means that it was better to learn elsewhere "
            "first."
        )
    learned = [text for text in (facts.training, facts.playing) if text]
    if learned:
        yield Paragraph(" ".join(learned))
    wanted = sum(len(order.pairs) * len(order.settings) for order in facts.tables)
    if len(entries) < wanted:
        yield Paragraph(f"{len(entries)} of {wanted} cells have been played; the others are missing below.")


def _summary(found: Findings) -> Iterator[Block]:
    yield Heading("What was found")
    yield Items(tuple(_sentences(found.entries)))
    yield from (Paragraph(caveat) for caveat in found.facts.caveats)
    beside = any(entry.published is not None for entry in found.entries)
    head = ["setting", "target", "pairs", "mean", "above 50 %", "significantly above", "significantly below"]
    rows = []
    for row in by_kind(found.entries):
        numbers = [row.pairs, f"{row.mean:.1f} %", row.above, row.sure_above, row.sure_below]
        last = [] if not beside else ["" if math.isnan(row.published) else f"{row.published:.1f} %"]
        rows.append([row.setting, row.kind, *numbers, *last])
    yield rows_of([*head, "mean, published"] if beside else head, rows, words=2)
    if beside:
        yield Paragraph("The published mean is over those of the pairs that the paper has too.")


def _sentences(entries: Sequence[ShownCell]) -> Iterator[str]:
    for setting in SETTINGS:
        some = [entry for entry in entries if entry.setting == setting]
        if some:
            above = sum(entry.percentage > 50 for entry in some)
            sure = sum(entry.mark == "++" for entry in some)
            worse = sum(entry.mark == "--" for entry in some)
            yield (
                f"{setting[:1].upper()}{setting[1:]}: the transferred network scores above 50 % in {above} of "
                f"{_pairs(len(some))}; significantly above in {sure}, significantly below in {worse}."
            )
    for one in changes(entries):
        yield _changed(one)
    counted = significance(entries)
    yield (
        f"Different from 50 % at the level of {100 * LEVEL:g} %: {counted.significant} of {counted.cells} cells; if "
        f"all networks were equally strong, about {_few(counted.by_chance)} would be. After Holm's correction for the "
        f'number of cells: {counted.after_holm}, the meaning of "significantly" here. Intervals and tests cover the '
        "chance in games, not the chance in learning: each network learned once, and the cells of a column share their "
        "opponent."
    )


def _few(number: float) -> str:
    return f"{number:.1f}" if number >= 1 else f"{number:.2f}"


def _pairs(number: int) -> str:
    return f"{number} pair{'' if number == 1 else 's'}"


def _changed(one: Change) -> str:
    plain = one.second == TUNED
    what = "Fine-tuning" if plain else f"Fine-tuning with {one.second.removeprefix('fine-tuned, ')}"
    text = (
        f"{what} changes win percentages by {one.mean:+.1f} points on average over {_pairs(one.pairs)}, compared with "
        f"{'none' if plain else 'plain fine-tuning'}; beyond chance in games (5 % each) {one.better} gained and "
        f"{one.worse} lost."
    )
    if one.worst is not None:
        entry, loss = one.worst
        text += f" The largest loss is {-loss:.1f} points ({entry.name})."
    return text


def _extremes(found: Findings) -> Iterator[Block]:
    yield Heading("Strongest and most negative transfers")
    for setting in SETTINGS:
        best, worst = strongest(found.entries, setting), most_negative(found.entries, setting)
        for title, some in (("strongest", best), ("most negative", worst)):
            if some:
                yield Heading(f"{setting[:1].upper()}{setting[1:]}: {title}", 3)
                yield _pair_rows(some)


def _pair_rows(entries: Sequence[ShownCell]) -> Block:
    beside = any(entry.published is not None for entry in entries)
    rows = []
    for entry in entries:
        low, high = entry.interval
        row = [entry.name, f"{entry.percentage:.1f} %", f"{low:.1f} to {high:.1f} %", entry.mark.replace("-", "−")]
        if beside:
            row.append("" if entry.published is None else f"{entry.published:.1f} %")
        rows.append(row)
    head = ["pair", "win percentage", "95 %", "mark"]
    return rows_of([*head, "published"] if beside else head, rows)


def _agreement(found: Findings) -> Iterator[Block]:
    listed = agreements(found.entries)
    if not listed:
        return
    yield Heading("Agreement with the paper")
    everything = listed[0]
    rank = "too few for a rank correlation" if math.isnan(everything.correlation) else (
        f"their rank correlation (Spearman) is {everything.correlation:.2f}"
    )  # fmt: skip
    yield Paragraph(
        f"{everything.cells} cells are in the paper too; {rank}. Ours are {everything.difference:+.1f} points from "
        f"theirs on average ({everything.distance:.1f} without sign); both lie on the same side of 50 % in "
        f"{everything.same_side}, and in {everything.apart} they differ more than chance in games explains (score test "
        "of two proportions, 5 %)."
    )
    head = ["cells of", "number", "rank correlation", "mean difference", "mean distance", "same side of 50 %", "apart"]
    yield rows_of(
        head,
        (
            [one.name, one.cells, "" if math.isnan(one.correlation) else f"{one.correlation:.2f}",
             f"{one.difference:+.1f}", f"{one.distance:.1f}", one.same_side, one.apart]
            for one in listed
        ),
    )  # fmt: skip
    largest = largest_disagreements(found.entries)
    if largest:
        yield Heading("Largest disagreements", 3)
        yield _disagreements(largest)


def _disagreements(largest: Sequence[CellDisagreement]) -> Block:
    rows = [
        [one.entry.name, one.entry.setting, f"{one.entry.percentage:.1f} %", f"{one.published:.1f} %",
         f"{one.difference:+.1f}", _p(one.p)]
        for one in largest
    ]  # fmt: skip
    return rows_of(["pair", "setting", "ours", "published", "difference", "p"], rows, words=2)


def _p(value: float) -> str:
    return f"{value:.3f}" if value >= 0.001 else "< 0.001"


def _figures(found: Findings) -> Iterator[Block]:
    if found.figures:
        yield Heading("Figures")
        yield from found.figures


def _tables(found: Findings) -> Iterator[Block]:
    yield Heading("Tables")
    yield Paragraph(LEGEND)
    seen = ""
    for table in found.tables:
        if table.order.table != seen:
            seen = table.order.table
            yield Heading(seen[:1].upper() + seen[1:], 3)
            if seen in found.heat:
                yield found.heat[seen]
        yield Heading(table.title, 4)
        yield table


def _made(found: Findings) -> Iterator[Block]:
    facts = found.facts
    yield Heading("How this was made")
    if facts.command:
        yield CommandLine(facts.command)
    rows = [
        ("study", facts.name),
        ("preset", facts.preset),
        ("machine", facts.machine),
        ("workers", facts.workers),
        ("minutes of all jobs", "" if facts.minutes is None else f"{facts.minutes:.1f}"),
        ("seeds", ", ".join(str(seed) for seed in facts.seeds)),
        ("version", facts.version),
        ("commit", facts.commit),
        ("games", f"{found.games:,}"),
    ]
    yield rows_of(["", ""], [row for row in rows if row[1]], words=2)
    if facts.notes:
        yield Items(facts.notes)
    if facts.learned:
        yield Heading("Networks that learned from nothing", 3)
        yield rows_of(
            ["network", "epochs", "seconds", "games of self-play", "parameters", "device"],
            (
                [one.name, one.epochs, f"{one.seconds:.0f}", f"{one.games:,}", f"{one.parameters:,}", one.device]
                for one in facts.learned
            ),
        )
    yield Paragraph(
        "All numbers are in `results.json` and as CSV beside it; single tables as Markdown, LaTeX and CSV in `tables`, "
        "pictures as PNG and SVG in `figures`."
    )
