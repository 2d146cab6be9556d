"""The report of the study: strength over compute, what trees answered, and which differences are significant."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from statistics import median
from typing import Any

from ludoport.studies.engine.calls import calls_of, command_lines
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.engine.store import Store
from ludoport.studies.knowledge.model import CONTROL, Kind, StrengthGap, Strengths, differences, played_of
from ludoport.studies.knowledge.plan import CARRIED, DISTILLED, NETWORK, OWN, PLAIN, TREE, UNTRAINED, KnowledgeEntrant
from ludoport.studies.report.blocks import Block, CommandLine, Heading, Items, Paragraph, Picture, rows_of
from ludoport.studies.report.draw import COLOURS, INK, save
from ludoport.studies.report.page import require_matplotlib, write_page
from ludoport.studies.report.statistics import LEVEL

SHOWN = {
    PLAIN: "plain UCT", UNTRAINED: "untrained network", TREE: "tree, carried", NETWORK: "network, carried",
    DISTILLED: "distilled tree, carried", OWN[TREE]: "tree of the target", OWN[NETWORK]: "network of the target",
}  # fmt: skip
"""Kinds as tables and figures call them."""


@dataclass(frozen=True)
class KnowledgeFound:
    """Contents of a store."""

    facts: dict[str, Any]
    entries: list[JobEntry]
    strengths: Strengths

    @property
    def config(self) -> dict[str, Any]:
        """Settings of the plan."""
        config: dict[str, Any] = self.facts["config"]
        return config

    @property
    def command(self) -> str:
        """The commands that made the study."""
        facts = self.facts
        start = f"ludoport study {facts['name']} --preset {facts['preset']} --seed {facts['seed']}"
        return command_lines(start, calls_of(facts), [])

    def milliseconds(self, kind: str) -> float | None:
        """CPU time of a move of a player."""
        for entry in self.entries:
            if entry.job.kind == "time" and entry.result and (kind == PLAIN) == ("player" in entry.job.params):
                return float(entry.result["milliseconds"])
        return None


def read_found(folder: Path) -> KnowledgeFound:
    """Contents of a store so far."""
    with Store(folder, create=False) as store:
        entries, facts = store.entries(), store.facts()
    return KnowledgeFound(facts, entries, Strengths(played_of(entries)))


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report; returns the HTML page."""
    if plots:
        require_matplotlib()
    found = read_found(folder)
    strengths = found.strengths
    rated = any(kind == (PLAIN, 0.0) for kind in strengths.kinds)
    compared = list(differences(strengths)) if rated else []
    picture = _figure(strengths, out) if plots and rated else None
    results = {
        **found.facts,
        "command": found.command,
        "kinds": [_cell(found, kind) for kind in strengths.kinds] if rated else [],
        "differences": [_difference(one, corrected) for one, corrected in compared],
        "milliseconds a move": {SHOWN[kind]: found.milliseconds(kind) for kind in (PLAIN, UNTRAINED)},
    }
    return write_page(_blocks(found, compared, picture), out, results)


def _cell(found: KnowledgeFound, kind: Kind) -> dict[str, Any]:
    strengths = found.strengths
    scores = {anchor: strengths.score(kind, anchor) for anchor in found.config["anchors"]}
    answered, moves = strengths.from_tree(kind)
    return {
        "kind": SHOWN[kind[0]], "level": kind[1], "elo": strengths.elo(kind).as_json(),
        "scores": {anchor: {"points": points, "games": games} for anchor, (points, games) in scores.items()},
        "moves a game from the tree": answered, "moves a game": moves, "cpu seconds": strengths.cpu_seconds(kind),
    }  # fmt: skip


def _difference(one: StrengthGap, corrected: float) -> dict[str, Any]:
    return {"one": _title(one.one), "two": _title(one.two), "elo": one.elo.as_json(), "p": one.p, "holm": corrected}


def _title(kind: Kind) -> str:
    return f"{SHOWN[kind[0]]}, {kind[1]:g}x" if kind[1] else SHOWN[kind[0]]


def _figure(strengths: Strengths, out: Path) -> Picture:
    """Strength over compute: what was carried as lines, the same made in the target dashed, controls as bands."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.subplots()
    names = [*CARRIED, *OWN.values()]
    for place, kind in enumerate(names):
        levels = strengths.levels(kind)
        colour = COLOURS[CARRIED.index(next((k for k, own in OWN.items() if own == kind), kind))]
        values = [strengths.elo((kind, level)) for level in levels]
        shifted = [level * 1.03 ** (place - 2) for level in levels]
        spans = [[v.value - v.low for v in values], [v.high - v.value for v in values]]
        axes.errorbar(
            shifted, [v.value for v in values], spans, color=colour, marker="o", markersize=4, capsize=2,
            linewidth=1.4, elinewidth=0.9, linestyle="-" if kind in CARRIED else "--",
            markerfacecolor=colour if kind in CARRIED else "white", label=SHOWN[kind],
        )  # fmt: skip
    for kind, colour in ((PLAIN, INK), (UNTRAINED, COLOURS[5])):
        if (kind, 0.0) in strengths.kinds:
            value = strengths.elo((kind, 0.0))
            axes.axhline(value.value, color=colour, linewidth=1, linestyle=":", label=SHOWN[kind])
            axes.axhspan(value.low, value.high, color=colour, alpha=0.1, linewidth=0)
    axes.set_xscale("log")
    levels = sorted({level for _, level in strengths.kinds if level})
    axes.set_xticks(levels, [f"{level:g}x" for level in levels])
    axes.minorticks_off()
    axes.set_xlabel("compute, in units of 300,000 simulations of a tree")
    axes.set_ylabel("Elo above plain UCT")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8, ncols=2)
    caption = (
        "Strength in Gardner Chessplus over compute, with 95 % intervals over seeds and games; points of one level are "
        "shifted sideways. Dashed: knowledge made in the target itself."
    )
    return save(figure, out, "knowledge", caption)


def _blocks(
    found: KnowledgeFound, compared: Sequence[tuple[StrengthGap, float]], picture: Picture | None
) -> Iterator[Block]:
    facts, config = found.facts, found.config
    unit = config["unit"]
    yield Heading(f"{facts['name']}, {facts['preset']}", 1)
    yield Paragraph(
        "What makes a carried tree useful? Three kinds of knowledge of Gardner chess are made with equal compute and "
        "carried to Gardner Chessplus: a search tree, a network that learned by self-play, and a tree distilled into a "
        "network (half of the compute for the tree, half for supervised learning on its visits and mean results)."
    )
    yield Paragraph(
        f"A unit of compute (1x) is {unit['simulations']:,} simulations of a tree. What takes the same CPU time was "
        f"measured once: {unit['epochs']} epochs of self-play, or {unit['batches']} batches of distillation. The "
        "table below has the CPU seconds of this run."
    )
    yield Paragraph(
        f"All players search with {config['simulations']} simulations a move; a tree answers by itself in positions "
        f"with at least as many visits. Each kind has {config['seeds']} seeds. Each network plays {config['games']} "
        f"games against each of {_code(config['anchors'])}, each tree {config['cheap']} times as many, because they "
        "cost less. The Elo scale is that of a mixed logistic model of all these games; its intervals are 95 % over "
        "seeds and games."
    )
    yield CommandLine(found.command.replace("; ", "\n"))
    minutes = sum(entry.seconds or 0.0 for entry in found.entries) / 60
    yield Paragraph(f"{facts.get('machine', '')}: {minutes:.0f} minutes of work.")
    yield from _missing(found)
    if picture is not None:
        yield picture
    if compared:
        yield Heading("What the numbers say")
        yield Items(tuple(_verdicts(found.strengths, compared)))
    yield from _tables(found, compared)


def _code(names: Sequence[str]) -> str:
    return " and ".join(f"`{name}`" for name in names)


def _missing(found: KnowledgeFound) -> Iterator[Block]:
    open_jobs = [entry for entry in found.entries if entry.result is None]
    if open_jobs:
        done = len(found.entries) - len(open_jobs)
        yield Paragraph(
            f"**Incomplete**: {done} of {len(found.entries)} jobs are done. The first one that is missing is "
            f"`{open_jobs[0].job.id}`."
        )


def _tables(found: KnowledgeFound, compared: Sequence[tuple[StrengthGap, float]]) -> Iterator[Block]:
    strengths, anchors = found.strengths, found.config["anchors"]
    if not compared:
        return
    yield Heading("Strength")
    head = ["player", "compute", "Elo", *(f"score against `{anchor}`" for anchor in anchors)]
    rows = []
    for kind in sorted(strengths.kinds, key=lambda kind: (list(SHOWN).index(kind[0]), kind[1])):
        level, answered = f"{kind[1]:g}x" if kind[1] else "", strengths.from_tree(kind)
        shown = "" if isnan(answered[0]) else f"{answered[0]:.1f} of {answered[1]:.1f}"
        scores = (_score(*strengths.score(kind, anchor)) for anchor in anchors)
        elo = strengths.elo(kind).whole() if kind[0] != PLAIN else "0"
        rows.append((SHOWN[kind[0]], level, elo, *scores, shown, _seconds(strengths.cpu_seconds(kind))))
    yield rows_of((*head, "moves a game from the tree", "CPU seconds"), rows)
    yield Paragraph("CPU seconds are those that made the knowledge, the median over seeds.")
    costs = {kind: cost for kind in (PLAIN, UNTRAINED) if (cost := found.milliseconds(kind)) is not None}
    if len(costs) == 2:
        ratio = costs[UNTRAINED] / costs[PLAIN]
        simulations = found.config["simulations"]
        yield Heading("What a move costs")
        yield rows_of(
            ("player", "CPU milliseconds a move", "CPU microseconds a simulation"),
            [(SHOWN[kind], f"{cost:.2f}", f"{1000 * cost / simulations:.0f}") for kind, cost in costs.items()],
        )
        yield Paragraph(
            "Equal simulations are not equal time: a network judges one position at a time here. In the time of its "
            f"move UCT makes {simulations * ratio:.0f} simulations. A move from a tree costs a look-up."
        )
    yield from _trees(found)
    yield Heading("Differences")
    yield rows_of(
        ("player", "against", "Elo", "p", "p, Holm"),
        [(_title(d.one), _title(d.two), d.elo.whole(), f"{d.p:.4f}", f"{holm:.4f}") for d, holm in compared],
        words=2,
    )
    yield Paragraph(f"Holm's correction is for the {len(compared)} comparisons of this table.")


def _trees(found: KnowledgeFound) -> Iterator[Block]:
    """Sizes of the trees, and the data of the distilled ones."""
    known = {entry.job.id: entry.result for entry in found.entries if entry.result}
    rows = []
    for kind in (TREE, OWN[TREE], DISTILLED):
        for level in found.config["levels"]:
            places = [KnowledgeEntrant(kind, level, seed).place for seed in range(1, found.config["seeds"] + 1)]
            grown = [known[f"grow/{place}"] for place in places if f"grow/{place}" in known]
            learned = [known[f"distill/{place}"] for place in places if f"distill/{place}" in known]
            if grown:
                sizes = (
                    f"{median(one[name] for one in grown):,.0f}" for name in ("simulations", "states", "positions")
                )
                batches = f"{learned[0]['batches']:,}" if learned else ""
                rows.append((SHOWN[kind], f"{level:g}x", *sizes, batches))
    if rows:
        least = found.config["simulations"]
        yield Heading("Trees")
        head = (
            "tree",
            "compute",
            "simulations",
            "positions",
            f"with {least} visits or more",
            "batches of distillation",
        )
        yield rows_of(head, rows)
        yield Paragraph(
            f"Medians over seeds. Only positions with {least} visits or more are carried and learned; in others the "
            "player searches."
        )


def _score(points: float, games: int) -> str:
    return f"{100 * points / games:.0f} % of {games}" if games else "-"


def _seconds(value: float) -> str:
    return "" if isnan(value) or not value else f"{value:.1f}"


def _verdicts(strengths: Strengths, compared: Sequence[tuple[StrengthGap, float]]) -> Iterator[str]:
    """A sentence or two about each kind."""
    for kind in CARRIED:
        levels = strengths.levels(kind)
        if levels:
            yield " ".join(_about(kind, levels, strengths, compared))
    pairs = (((TREE, OWN[TREE]), "made in the target"), ((NETWORK, OWN[NETWORK]), "made in the target"))
    for (one, two), words in pairs:
        mine = [(d, p) for d, p in compared if (d.one[0], d.two[0]) == (one, two)]
        if mine:
            yield f"The carried {one} against the {one} {words}: {_against(mine)}."
    for one, two in ((NETWORK, TREE), (DISTILLED, TREE), (DISTILLED, NETWORK)):
        mine = [(d, p) for d, p in compared if (d.one[0], d.two[0]) == (one, two)]
        if mine:
            yield f"The carried {one} against the carried {two}: {_against(mine)}."


def _about(
    kind: str, levels: Sequence[float], strengths: Strengths, compared: Sequence[tuple[StrengthGap, float]]
) -> Iterator[str]:
    mine = [(d, p) for d, p in compared if d.one[0] == kind and d.two == (CONTROL[kind], 0.0)]
    control = "plain UCT" if kind == TREE else f"the {SHOWN[CONTROL[kind]]}"
    yield f"The carried {kind} against {control}: {_against(mine)}."
    for growth, p in compared:
        if (growth.one, growth.two) == ((kind, levels[-1]), (kind, levels[0])):
            sure = "a significant change" if p < LEVEL else "no significant change"
            yield f"From {levels[0]:g}x to {levels[-1]:g}x it changes by {growth.elo.whole()} Elo, {sure}."
    if kind == TREE:
        first, last = (strengths.from_tree((kind, level)) for level in (levels[0], levels[-1]))
        yield (
            f"It answers {first[0]:.1f} of {first[1]:.1f} moves a game at {levels[0]:g}x and {last[0]:.1f} of "
            f"{last[1]:.1f} at {levels[-1]:g}x; all other moves are searched as without a tree."
        )


def _against(compared: Sequence[tuple[StrengthGap, float]]) -> str:
    """Differences at all levels in words, with which of them are significant after correction."""
    parts = [f"{d.elo.whole()} Elo at {d.one[1]:g}x{'' if p >= LEVEL else ' (significant)'}" for d, p in compared]
    sure = "" if any(p < LEVEL for _, p in compared) else "; no significant difference"
    return ", ".join(parts) + sure
