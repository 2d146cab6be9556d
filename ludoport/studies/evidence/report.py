"""The report of a block: two measures for every pair, the controls, and curves of learning."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isnan
from pathlib import Path
from typing import Any

from ludoport.studies.engine.calls import calls_of, command_lines
from ludoport.studies.engine.jobs import JobEntry
from ludoport.studies.engine.store import Store
from ludoport.studies.evidence.blocks import BLOCKS, REAL, REAL_SCORE, SIZES
from ludoport.studies.evidence.figures import curves, heat, zeros
from ludoport.studies.evidence.model import Estimate, Player, Scale, played_of
from ludoport.studies.evidence.plan import SHARES, Entrant
from ludoport.studies.evidence.remedies import REMEDIES
from ludoport.studies.report.blocks import Block, CommandLine, Heading, Paragraph, Picture, rows_of
from ludoport.studies.report.page import require_matplotlib, write_page

LEARNED = ("network", "seed", "commit", "device", "epochs", "positions", "games", "seconds")
"""Facts that the report lists for each network that learned."""

ZEROS = "zeros"
"""The name of the figure with both measures."""

HEAT = "heat"
"""The name of the figure with both measures as heat maps."""


@dataclass(frozen=True)
class Found:
    """Contents of a store: its facts, its matches by target, and the jobs that made networks."""

    facts: dict[str, Any]
    scales: dict[str, Scale]
    made: list[JobEntry]

    @property
    def config(self) -> dict[str, Any]:
        """Settings of the plan, such as epochs and seeds."""
        config: dict[str, Any] = self.facts["config"]
        return config

    @property
    def command(self) -> str:
        """The commands that made the study."""
        facts = self.facts
        block = BLOCKS[facts["name"]].sized(SIZES[facts["preset"]].tiny)
        names = [variant.name for variant in block.variants]
        start = f"ludoport study {facts['name']} --preset {facts['preset']} --seed {facts['seed']}"
        if set(self.scales) < set(names):
            start += "".join(f' --only "{target}"' for target in self.scales)
        devices = dict.fromkeys(str((entry.result or {}).get("device", "")) for entry in self.made)
        return command_lines(start, calls_of(facts), list(devices))

    def sources(self, target: str) -> list[str]:
        """The games that networks were transferred from."""
        return list(dict.fromkeys(m.one.source for m in self.scales[target].played if m.one.source))

    def tuned(self, target: str) -> list[str]:
        """The games whose networks were tuned."""
        return list(dict.fromkeys(m.one.source for m in self.scales[target].played if m.one.kind == "tuned"))


def read_found(folder: Path) -> Found:
    """Contents of a store so far."""
    with Store(folder, create=False) as store:
        entries, facts = store.entries(), store.facts()
    matches = played_of(entries)
    targets = dict.fromkeys(match.target for match in matches)
    scales = {target: Scale(target, [m for m in matches if m.target == target]) for target in targets}
    return Found(facts, scales, [e for e in entries if e.job.kind in ("train", "tune") and e.result is not None])


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of a block; returns the HTML page."""
    if plots:
        require_matplotlib()
    found = read_found(folder)
    cells = [cell for target in found.scales for cell in cells_of(found, target)]
    rated = [target for target, scale in found.scales.items() if not isnan(scale.elo("scratch", 8).value)]
    pictures = {target: curves(found, target, out) for target in rated if plots}
    if plots and cells:
        pictures |= {ZEROS: zeros(cells, out), HEAT: heat(cells, out)}
    results = {
        **found.facts,
        "command": found.command,
        "cells": cells,
        "targets": {target: _target(scale) for target, scale in found.scales.items()},
        "learned": [dict(zip(LEARNED, _made(entry), strict=True)) for entry in found.made],
    }
    return write_page(_blocks(found, cells, pictures), out, results)


def _target(scale: Scale) -> dict[str, Any]:
    """Scores of the networks of a target against a fixed opponent."""
    scores = {"scratch": scale.score(_scratch(8), _uct), "untrained": scale.score(_is("untrained"), _uct)}
    return {name: value.as_json() for name, value in scores.items()}


def cells_of(found: Found, target: str) -> Iterator[dict[str, Any]]:
    """All measures of the pairs of one target."""
    scale = found.scales[target]
    real = scale.score(_scratch(8), _uct)
    for source in found.sources(target):

        def of(kind: str, eighths: int = 0, source: str = source) -> Any:
            return lambda e: (e.kind, e.eighths, e.source) == (kind, eighths, source)

        measures: dict[str, Estimate] = {
            "zero-shot score": scale.score(of("zero-shot"), _scratch(8)),
            "zero-shot score, games alone": scale.games_alone(of("zero-shot"), _scratch(8)),
            "zero-shot carried": scale.carried("zero-shot", 0, source),
            "random mapping carried": scale.carried("shuffled", 0, source),
            "zero-shot against UCT": scale.score(of("zero-shot"), _uct),
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
        remedies = [
            name for name in REMEDIES if any(m.one.kind == name and m.one.source == source for m in scale.played)
        ]
        for name in remedies:
            measures[f"{name}: carried"] = scale.carried(name, 0, source)
            measures[f"{name}: score against plain"] = scale.score(of(name), of("zero-shot"))
        yield {
            "source": source, "target": target, "undertrained": not real.value >= REAL_SCORE,
            **{name: value.as_json() for name, value in measures.items()},
        }  # fmt: skip


def _scratch(eighths: int) -> Any:
    return lambda player: isinstance(player, Entrant) and (player.kind, player.eighths) == ("scratch", eighths)


def _uct(player: Player) -> bool:
    return player == REAL


def _is(kind: str) -> Any:
    def test(player: Player) -> bool:
        return isinstance(player, Entrant) and player.kind == kind

    return test


def _blocks(found: Found, cells: Sequence[dict[str, Any]], pictures: dict[str, Picture]) -> Iterator[Block]:
    facts, config = found.facts, found.config
    yield Heading(f"{facts['name']}, {facts['preset']}", 1)
    yield Paragraph(
        f"Networks of each kind: {config['seeds']}, with different random seeds. Intervals are 95 % over seeds and "
        f"games; *games alone* has the interval without the chance in learning. "
        f"T is {config['epochs']} epochs. *Score* is that of the transferred network against the one that "
        "learned the target from nothing for T. *Carried* says where it stands between a network with first weights "
        "(0) and that one (1) on the Elo scale of the target."
    )
    yield CommandLine(found.command.replace("; ", "\n"))
    yield from (pictures[name] for name in (ZEROS, HEAT) if name in pictures)
    for target, scale in found.scales.items():
        mine = [cell for cell in cells if cell["target"] == target]
        yield Heading(target)
        real = scale.score(_scratch(8), _uct)
        if not real.value >= REAL_SCORE:
            yield Paragraph(
                f"**Undertrained**: the networks that learned {target} for T score {real.percent()} against `{REAL}`, "
                f"below {100 * REAL_SCORE:.0f} %. The cells below support no claim."
            )
        if mine:
            yield rows_of(
                ("from", "score", "games alone", "carried", "carried, mapped at random", f"score against `{REAL}`"),
                [(c["source"], *(_shown(c, name) for name in
                  ("zero-shot score", "zero-shot score, games alone", "zero-shot carried", "random mapping carried",
                   "zero-shot against UCT"))) for c in mine],
            )  # fmt: skip
            yield Paragraph(
                f"Against `{REAL}`, networks that learned {target} for T score {real.percent()}, untrained ones "
                f"{scale.score(_is('untrained'), _uct).percent()}."
            )
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
    yield from _remedies(found, cells)
    yield Heading("What was learned")
    yield rows_of(
        LEARNED,
        [_made(entry) for entry in found.made],
        words=4,
    )


def _remedies(found: Found, cells: Sequence[dict[str, Any]]) -> Iterator[Block]:
    """Pairs and remedies; those pairs first on which remedies are chosen."""
    names = [name for name in REMEDIES if any(f"{name}: carried" in cell for cell in cells)]
    if not names:
        return
    chosen = [tuple(pair) for pair in found.config["choosing"]]
    yield Heading("Remedies")
    yield Paragraph(
        "Score of the transferred network with a remedy against the same network without, over all seeds. Pairs were "
        "split in two before anything was measured: a remedy is chosen on the first half and tested on the second."
    )
    rows = []
    for half in ("choosing", "test"):
        for cell in cells:
            if (((cell["source"], cell["target"]) in chosen) == (half == "choosing")) and _shown_remedies(cell, names):
                carried = Estimate(**cell["zero-shot carried"])
                rows.append((half, f"{cell['source']} to {cell['target']}", carried, *_shown_remedies(cell, names)))
    yield rows_of(("half", "pair", "carried without", *names), rows, words=2)


def _shown_remedies(cell: dict[str, Any], names: Sequence[str]) -> list[str]:
    keys = [f"{name}: score against plain" for name in names]
    return [_shown(cell, key) if key in cell else "" for key in keys] if any(key in cell for key in keys) else []


def _made(entry: JobEntry) -> tuple[object, ...]:
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
