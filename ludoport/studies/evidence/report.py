"""The report of a block: two measures for every pair, the controls, and curves of learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.studies.engine.jobs import Entry
from ludoport.studies.engine.store import Store
from ludoport.studies.evidence.blocks import REAL, REAL_SCORE
from ludoport.studies.evidence.model import Estimate, Player, Scale, played_of
from ludoport.studies.evidence.plan import SHARES, Entrant
from ludoport.studies.report.blocks import Block, Code, Heading, Picture, Text, rows_of
from ludoport.studies.report.draw import COLOURS, save
from ludoport.studies.report.page import require_matplotlib, write_page


@dataclass(frozen=True)
class Found:
    """What a store holds: its facts, its matches target by target, and the jobs that made networks."""

    facts: dict[str, Any]
    scales: dict[str, Scale]
    made: list[Entry]

    @property
    def config(self) -> dict[str, Any]:
        """What decided how large the study is."""
        config: dict[str, Any] = self.facts["config"]
        return config

    def sources(self, target: str) -> list[str]:
        """The games that networks were transferred from."""
        return list(dict.fromkeys(m.one.source for m in self.scales[target].played if m.one.source))

    def tuned(self, target: str) -> list[str]:
        """Those whose networks were tuned."""
        return list(dict.fromkeys(m.one.source for m in self.scales[target].played if m.one.kind == "tuned"))


def read_found(folder: Path) -> Found:
    """What a store holds so far."""
    with Store(folder, create=False) as store:
        entries, facts = store.entries(), store.facts()
    matches = played_of(entries)
    seeds = int(facts["config"]["seeds"])
    targets = dict.fromkeys(match.target for match in matches)
    scales = {target: Scale(target, [m for m in matches if m.target == target], seeds) for target in targets}
    return Found(facts, scales, [e for e in entries if e.job.kind in ("train", "tune") and e.result is not None])


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of a block; returns the HTML page."""
    if plots:
        require_matplotlib()
    found = read_found(folder)
    cells = [cell for target in found.scales for cell in cells_of(found, target)]
    pictures = {target: _curves(found, target, out) for target in found.scales if plots and found.tuned(target)}
    return write_page(_blocks(found, cells, pictures), out, {**found.facts, "cells": cells})


def cells_of(found: Found, target: str) -> Iterator[dict[str, Any]]:
    """All measures of the pairs of one target."""
    scale = found.scales[target]
    real = scale.score(_scratch(8), lambda player: player == REAL)
    for source in found.sources(target):

        def of(kind: str, eighths: int = 0, source: str = source) -> Any:
            return lambda e: (e.kind, e.eighths, e.source) == (kind, eighths, source)

        measures: dict[str, Estimate] = {
            "zero-shot score": scale.score(of("zero-shot"), _scratch(8)),
            "zero-shot carried": scale.carried("zero-shot", 0, source),
            "random mapping carried": scale.carried("shuffled", 0, source),
        }
        if source in found.tuned(target):
            measures |= {
                "tuned score": scale.score(of("tuned", 8), _scratch(8)),
                "tuned score, equal compute": scale.score(of("tuned", 8), _scratch(16)),
                "tuned against control": scale.score(of("tuned", 8), _is("control")),
                "control score": scale.score(of("control", 8), _scratch(8)),
                "jump-start": scale.elo("zero-shot", 0, source),
                "share of T needed": scale.share_needed(source),
                "gain over the curve": scale.gain(source),
            }
        yield {
            "source": source, "target": target, "undertrained": not real.value >= REAL_SCORE,
            **{name: value.as_json() for name, value in measures.items()},
        }  # fmt: skip


def _scratch(eighths: int) -> Any:
    return lambda player: isinstance(player, Entrant) and (player.kind, player.eighths) == ("scratch", eighths)


def _is(kind: str) -> Any:
    def test(player: Player) -> bool:
        return isinstance(player, Entrant) and player.kind == kind

    return test


def _blocks(found: Found, cells: Sequence[dict[str, Any]], pictures: dict[str, Picture]) -> Iterator[Block]:
    facts, config = found.facts, found.config
    yield Heading(f"{facts['name']}, {facts['preset']}", 1)
    yield Text(
        f"Networks of each kind: {config['seeds']}, with different random seeds. Intervals are 95 % over seeds and "
        f"games. T is {config['epochs']} epochs. *Score* is that of the transferred network against the one that "
        "learned the target from nothing for T. *Carried* says where it stands between a network with first weights "
        "(0) and that one (1) on the Elo scale of the target."
    )
    yield Code(f"ludoport study {facts['name']} --preset {facts['preset']} --seed {facts['seed']}")
    for target, scale in found.scales.items():
        mine = [cell for cell in cells if cell["target"] == target]
        yield Heading(target)
        real = scale.score(_scratch(8), lambda player: player == REAL)
        if not real.value >= REAL_SCORE:
            yield Text(
                f"**Undertrained**: the networks that learned {target} for T score {real.percent()} against `{REAL}`, "
                f"below {100 * REAL_SCORE:.0f} %. The cells below support no claim."
            )
        if mine:
            yield rows_of(
                ("from", "score", "carried", "carried, mapped at random"),
                [(c["source"], *(_shown(c, name) for name in
                  ("zero-shot score", "zero-shot carried", "random mapping carried"))) for c in mine],
            )  # fmt: skip
        tuned = [cell for cell in mine if "tuned score" in cell]
        if tuned:
            names = {
                "tuned score": "tuned, score", "tuned score, equal compute": "against 2T",
                "tuned against control": "against control", "control score": "control, score",
                "share of T needed": "share of T needed", "gain over the curve": "gain in Elo",
            }  # fmt: skip
            yield rows_of(("from", *names.values()), [(c["source"], *(_shown(c, n) for n in names)) for c in tuned])
        if target in pictures:
            yield pictures[target]
        yield rows_of(("Elo above untrained", "estimate"), _ladder(scale))
    yield Heading("What was learned")
    yield rows_of(
        ("network", "seed", "commit", "device", "epochs", "positions", "games", "seconds"),
        [_made(entry) for entry in found.made],
        words=4,
    )


def _made(entry: Entry) -> tuple[object, ...]:
    result = entry.result or {}
    numbers = (result.get(name, "") for name in ("device", "epochs", "positions", "games", "seconds"))
    return (entry.job.id, entry.job.seed, (entry.commit or "")[:10], *numbers)


def _shown(cell: dict[str, Any], name: str) -> str:
    value = Estimate(**cell[name])
    if "score" in name or "against" in name or "share" in name:
        return value.percent()
    return value.whole() if "gain" in name else str(value)


def _ladder(scale: Scale) -> Iterator[tuple[str, str]]:
    """Networks that learned from nothing, checkpoint by checkpoint."""
    for eighths in SHARES:
        yield f"learned from nothing, {eighths}/8 T", scale.elo("scratch", eighths).whole()


def _curves(found: Found, target: str, out: Path) -> Picture:
    """Strength over time: from nothing, and tuned from each source."""
    from matplotlib.figure import Figure

    scale = found.scales[target]
    lines: dict[str, list[tuple[int, Estimate]]] = {
        "from nothing": [(0, scale.elo("untrained")), *((e, scale.elo("scratch", e)) for e in SHARES)]
    }
    for source in found.tuned(target):
        curve = [(e, scale.elo("tuned", e, source)) for e in SHARES[:4]]
        lines[f"from {source}"] = [(0, scale.elo("zero-shot", 0, source)), *curve]
    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    axes = figure.subplots()
    for colour, (name, points) in zip(COLOURS, lines.items(), strict=False):
        times, values = [e / 8 for e, _ in points], [one.value for _, one in points]
        axes.plot(times, values, marker="o", markersize=4, color=colour, label=name)
        axes.fill_between(
            times, [one.low for _, one in points], [one.high for _, one in points], color=colour, alpha=0.15
        )
    axes.set_xlabel("learned in the target, in units of T")
    axes.set_ylabel("Elo above the untrained network")
    axes.grid(alpha=0.25)
    axes.legend(fontsize=8)
    name = "curves-" + "".join(c if c.isalnum() else "-" for c in target.lower().replace("×", "x"))
    return save(figure, out, name, f"{target}: strength over time, with 95 % intervals over seeds and games.")
