"""Writes docs/results/transfer.md: ten claims about transfer, each with a verdict from the committed results.

    python -m tools.transfer_page

Reads ``docs/results/evidence-*/results.json``, the reports of ``ludoport study evidence/...``. A claim holds or
does not hold where the interval of its number says so in pairs whose targets are real opponents; all else is open.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.studies.evidence.model import Estimate
from ludoport.studies.evidence.remedies import REMEDIES
from ludoport.studies.report.blocks import Block as Part
from ludoport.studies.report.blocks import CommandLine, Heading, Paragraph, Picture, rows_of, to_markdown
from ludoport.studies.report.html import to_html

RESULTS = Path("docs/results")
PAGE = RESULTS / "transfer.md"
OPEN, HOLDS, FAILS = "open", "holds", "does not hold"
PAPER_HOURS = 160
"""GPU-hours of one network of the paper: 20 hours on 8 GPUs."""

FEW = 6
"""Claims about studies as a whole stay open with fewer pairs."""

CAPTIONS = {
    "zeros": "zero-shot transfer by both measures, with 95 % intervals over seeds and games.",
    "heat": "zero-shot transfer, sources as rows and targets as columns; small: 95 % intervals over seeds and games.",
    "curves": "strength over time, with 95 % intervals over seeds and games.",
}

Cell = dict[str, Any]


@dataclass(frozen=True)
class Claim:
    """A claim with what was measured."""

    title: str
    verdict: str
    text: str
    figure: str = ""
    command: str = ""


@dataclass(frozen=True)
class Block:
    """The committed report of one block."""

    folder: str
    results: dict[str, Any]

    @property
    def cells(self) -> list[Cell]:
        """Pairs whose target network is a real opponent."""
        return [cell for cell in self.results["cells"] if not cell["undertrained"]]

    def pictures(self, name: str) -> list[str]:
        """Figures of the report whose names begin so."""
        found = sorted((RESULTS / self.folder / "figures").glob(f"{name}*.png"))
        return [str(path.relative_to(RESULTS)) for path in found]


def read_blocks() -> list[Block]:
    """All blocks that were run."""
    files = sorted(RESULTS.glob("evidence-*/results.json"))
    return [Block(file.parent.name, json.loads(file.read_text(encoding="utf-8"))) for file in files]


def number(cell: Cell, name: str) -> Estimate:
    """A measure of a pair; no number where it was not played."""
    return Estimate.of_json(cell[name]) if name in cell else Estimate(math.nan, math.nan, math.nan)


def mean(estimates: Sequence[Estimate]) -> Estimate:
    """The mean over pairs, with an interval from those of the pairs as if they were independent."""
    known = [one for one in estimates if not math.isnan(one.value)]
    if not known:
        return Estimate(math.nan, math.nan, math.nan)
    value = sum(one.value for one in known) / len(known)
    below = math.sqrt(sum((one.value - one.low) ** 2 for one in known)) / len(known)
    above = math.sqrt(sum((one.high - one.value) ** 2 for one in known)) / len(known)
    return Estimate(value, value - below, value + above)


def decided(one: Estimate, border: float) -> str:
    """Whether a number is above a border: the whole interval must agree."""
    if math.isnan(one.value):
        return OPEN
    return HOLDS if one.low > border else FAILS if one.high < border else OPEN


def listed(cells: Sequence[Cell], name: str, show: Callable[[Estimate], str]) -> str:
    """The pairs with a measure of each."""
    return "; ".join(f"{cell['source']} to {cell['target']} {show(number(cell, name))}" for cell in cells)


def size(name: str) -> int:
    """The size of a board, from the name of its variant; 0 where it has none."""
    digits = "".join(letter if letter.isdigit() else " " for letter in name).split()
    return int(digits[0]) if digits else 0


def family(name: str) -> str:
    """The name of a variant without its size."""
    return "".join(letter for letter in name if not letter.isdigit() and letter != "×").strip()


def zeros(blocks: Sequence[Block]) -> Claim:
    """The first claim."""
    title = "Networks that score almost nothing against the target's own network still know much about the target"
    cells = [cell for block in blocks for cell in block.cells]
    low = [cell for cell in cells if number(cell, "zero-shot score").value <= 0.10]
    if not low:
        return Claim(title, OPEN, f"{len(cells)} pairs were played; none scores 10 % or less." if cells else NOTHING)
    carried = [number(cell, "zero-shot carried") for cell in low]
    control = mean([number(cell, "random mapping carried") for cell in low])
    above = sum(one.low > 0 for one in carried)
    text = (
        f"{len(low)} of {len(cells)} pairs score 10 % or less. In {above} of them the knowledge carried is above 0 "
        f"with its "
        f"whole interval; its mean is {mean(carried)}, that of the same networks with channels mapped at random "
        f"{control}. "
        f"Each: {listed(low, 'zero-shot carried', str)}. Against UCT with 800 simulations and ten rollouts they score: "
        f"{listed(low, 'zero-shot against UCT', Estimate.percent)}."
    )
    verdict = HOLDS if above > len(low) / 2 and mean(carried).low > control.high else OPEN
    return Claim(title, FAILS if above == 0 else verdict, text, "zeros")


def sized(blocks: Sequence[Block], larger: bool) -> Claim:
    """Transfer between boards of different sizes."""
    title = (
        "From smaller to larger boards, a network beats the one that learned the target for as long"
        if larger
        else "From larger to smaller boards, a network carries knowledge"
    )
    cells = [
        cell for block in blocks for cell in block.cells
        if family(cell["source"]) == family(cell["target"]) and size(cell["source"]) and size(cell["target"])
        and (size(cell["source"]) < size(cell["target"])) == larger
    ]  # fmt: skip
    if not cells:
        return Claim(title, OPEN, NOTHING)
    score = mean([number(cell, "zero-shot score") for cell in cells])
    carried = mean([number(cell, "zero-shot carried") for cell in cells])
    text = (
        f"{len(cells)} pairs. Mean score {score.percent()}, mean knowledge carried {carried}. Scores: "
        f"{listed(cells, 'zero-shot score', Estimate.percent)}. Carried: {listed(cells, 'zero-shot carried', str)}."
    )
    return Claim(title, decided(score, 0.5) if larger else decided(carried, 0.0), text, "zeros")


def compute(blocks: Sequence[Block]) -> Claim:
    """Fine-tuning against equal compute."""
    title = "A fine-tuned network beats one that spent the same total time on the target alone"
    cells = [cell for block in blocks for cell in block.cells if "tuned score, equal compute" in cell]
    if not cells:
        return Claim(title, OPEN, NOTHING)
    score = mean([number(cell, "tuned score, equal compute") for cell in cells])
    against = mean([number(cell, "tuned against control") for cell in cells])
    text = (
        f"{len(cells)} pairs. Mean score against 2T {score.percent()}; against scratch T "
        f"{mean([number(cell, 'tuned score') for cell in cells]).percent()}; against a network tuned from an "
        f"untrained source "
        f"{against.percent()}. Against 2T: {listed(cells, 'tuned score, equal compute', Estimate.percent)}."
    )
    return Claim(title, decided(score, 0.5), text, "curves")


def negative(blocks: Sequence[Block]) -> Claim:
    """Negative transfer."""
    title = "Negative transfer: fine-tuning can leave a network weaker than one that learned the target alone"
    cells = [cell for block in blocks for cell in block.cells if "tuned score" in cell]
    if not cells:
        return Claim(title, OPEN, NOTHING)
    below = [cell for cell in cells if number(cell, "tuned score").high < 0.5]
    text = (
        f"Tuned networks (T in the source, T in the target) against scratch T: {len(below)} of {len(cells)} pairs are "
        f"below 50 % "
        f"with the whole interval. {listed(cells, 'tuned score', Estimate.percent)}."
    )
    return Claim(title, HOLDS if below else OPEN, text, "curves")


def goals(blocks: Sequence[Block]) -> Claim:
    """Another goal or shape."""
    title = "Knowledge is carried to another goal or another shape of board"
    cells = [
        cell for block in blocks for cell in block.cells if family(cell["source"]) != family(cell["target"])
    ]  # fmt: skip
    if not cells:
        return Claim(title, OPEN, NOTHING)
    carried = mean([number(cell, "zero-shot carried") for cell in cells])
    text = f"{len(cells)} pairs, mean {carried}: {listed(cells, 'zero-shot carried', str)}."
    return Claim(title, decided(carried, 0.0), text, "zeros")


def shogi(blocks: Sequence[Block]) -> Claim:
    """The paper's most striking cell."""
    title = "Minishogi to Shogi: a fine-tuned network wins nearly all games, as in the paper (97 %)"
    cells = [
        cell for block in blocks for cell in block.cells
        if (cell["source"], cell["target"]) == ("Minishogi", "Shogi") and "tuned score" in cell
    ]  # fmt: skip
    if not cells:
        return Claim(title, OPEN, NOTHING)
    score = number(cells[0], "tuned score")
    return Claim(title, decided(score, 0.9), f"Score {score.percent()}.", "curves")


def remedies(blocks: Sequence[Block]) -> Claim:
    """The claim about remedies without learning."""
    title = "A remedy without learning makes zero-shot transfer stronger on pairs that were not used to choose it"
    found: list[str] = []
    verdicts: list[str] = []
    for name in REMEDIES:
        key = f"{name}: score against plain"
        halves: dict[bool, list[Estimate]] = {True: [], False: []}
        for block in blocks:
            chosen = [tuple(pair) for pair in block.results["config"].get("choosing", ())]
            for cell in block.cells:
                if key in cell:
                    halves[(cell["source"], cell["target"]) in chosen].append(number(cell, key))
        choice, test = mean(halves[True]), mean(halves[False])
        if halves[True] or halves[False]:
            found.append(
                f"{name}: {choice.percent()} on {len(halves[True])} pairs to choose, {test.percent()} on "
                f"{len(halves[False])} to test"
            )
        if halves[True] and halves[False] and name != REMEDIES[-1]:
            verdicts.append(
                decided(test, 0.5) if decided(choice, 0.5) == HOLDS else FAILS if choice.high < 0.5 else OPEN
            )
    if not found:
        return Claim(title, OPEN, NOTHING)
    verdict = HOLDS if HOLDS in verdicts else FAILS if verdicts and set(verdicts) == {FAILS} else OPEN
    learning = f"{REMEDIES[-1].capitalize()} learns for a sixteenth of T."
    text = f"Score against the same network without the remedy: {'; '.join(found)}. {learning}"
    return Claim(title, verdict, text)


def seeds(blocks: Sequence[Block]) -> Claim:
    """Chance in learning."""
    title = "Intervals that count games alone are too narrow: seeds differ"
    cells = [cell for block in blocks for cell in block.cells if "zero-shot score, games alone" in cell]
    wide = [
        (one.high - one.low) / (alone.high - alone.low)
        for cell in cells
        for one, alone in [(number(cell, "zero-shot score"), number(cell, "zero-shot score, games alone"))]
        if not math.isnan(one.value)
    ]
    if not wide:
        return Claim(title, OPEN, NOTHING)
    ratio, more = sorted(wide)[len(wide) // 2], sum(one > 1.5 for one in wide)
    text = (
        f"Over {len(wide)} pairs, the interval over seeds and games is {ratio:.1f} times as wide as that of games "
        f"alone (median; largest "
        f"{max(wide):.1f}); it is more than 1.5 times as wide in {more}."
    )
    few = len(wide) < FEW
    return Claim(title, OPEN if few else HOLDS if ratio > 1.5 else FAILS if max(wide) < 1.5 else OPEN, text)


def cost(blocks: Sequence[Block]) -> Claim:
    """The claim about the cost."""
    title = "Such a study fits into minutes of one card instead of hundreds of GPU-hours"
    learned = [one for block in blocks for one in block.results["learned"] if one["device"] == "cuda"]
    if not learned:
        return Claim(title, OPEN, NOTHING)
    minutes = sum(float(one["seconds"]) for one in learned) / 60
    positions = sum(int(one["positions"]) for one in learned)
    text = (
        f"{len(learned)} networks learned from {positions:,} positions of self-play in {minutes:.0f} minutes of "
        f"processes that shared one card. "
        f"The paper trained each network for {PAPER_HOURS} GPU-hours. The networks here are weaker than the paper's: "
        f"T is chosen so that they beat "
        "UCT with 800 simulations and ten rollouts."
    )
    few = sum(len(block.cells) for block in blocks) < FEW
    return Claim(title, OPEN if few else HOLDS if minutes / 60 < PAPER_HOURS else FAILS, text)


NOTHING = "No pair of a real opponent has been played yet."


def parts(blocks: Sequence[Block]) -> Iterator[Part]:
    """The parts of the page."""
    claims = [
        zeros(blocks), sized(blocks, larger=True), sized(blocks, larger=False), compute(blocks), negative(blocks),
        goals(blocks), shogi(blocks), remedies(blocks), seeds(blocks), cost(blocks),
    ]  # fmt: skip
    yield Heading("What transfer is worth: ten claims", 1)
    yield Paragraph(
        "Written by `python -m tools.transfer_page` from the results below, also as one HTML page with all figures "
        "(`transfer.html`). *Score* is the paper's measure: against a network that learned the target "
        "from nothing for the same time T. *Carried* is where a network stands between an untrained one (0) and that "
        "one (1) on the Elo scale of the target. Intervals are 95 %, over seeds and games; means over pairs combine "
        "the intervals of the pairs as if they were independent. Only targets whose own networks score at least 80 % "
        "against UCT with 800 simulations and ten rollouts count; everything else is *open*."
    )
    if blocks:
        rows = [
            (f"{block.results['name']}, {block.results['preset']}", len(block.results["cells"]), len(block.cells),
             f"[{block.folder}]({block.folder}/report.md)")
            for block in blocks
        ]  # fmt: skip
        yield rows_of(("block", "pairs", "with a real opponent", "report"), rows)
    else:
        yield Paragraph("No block has been run on a card yet.")
    numbered = list(enumerate(claims, 1))
    yield rows_of(("claim", "verdict"), [(f"{n}. {claim.title}", f"**{claim.verdict}**") for n, claim in numbered], 2)
    for number, claim in numbered:
        yield Heading(f"{number}. {claim.title}")
        yield Paragraph(f"**{claim.verdict.capitalize()}.** {claim.text}")
        for block in blocks if claim.text != NOTHING and claim.figure else ():
            for path in block.pictures(claim.figure):
                yield Picture(Path(path), f"{block.results['name']}: {CAPTIONS[claim.figure]}")
    if any(block.pictures(name) for block in blocks for name in ("heat", "curves")):
        yield Heading("Heat maps and curves of learning")
        for name in ("heat", "curves"):
            for block in blocks:
                for path in block.pictures(name):
                    yield Picture(Path(path), f"{block.results['name']}: {CAPTIONS[name]}")
    yield Heading("Commands")
    lines = [line for block in blocks for line in block.results["command"].split("; ")]
    yield CommandLine("\n".join([*lines, "ludoport report RUN; python -m tools.transfer_page"]))
    yield Heading("Beside the paper's figures")
    yield Paragraph(
        "Figures 2, 3, 4 and 8 of the paper over all families. Filled: ours, with 95 % intervals over games; hollow: "
        "the published percentages of the same pairs. The paper does not print its numbers of epochs, so its points "
        "in figures 2 and 8 are drawn at our ratios. Heat maps with intervals for each family are in "
        "[pooled](pooled/report.md). These networks learned for 18 seconds on a shared card or a minute "
        "on a core, once each: they show that the machinery works, and support no claim above."
    )
    for figure in (2, 3, 4, 8):
        drawn = Path(f"pooled/figures/figure-{figure}.png")
        if (RESULTS / drawn).is_file():
            yield Picture(drawn, f"Figure {figure} of the paper over all families, ours beside published.")


def page(blocks: Sequence[Block]) -> str:
    """The page in Markdown."""
    return to_markdown(parts(blocks))


if __name__ == "__main__":
    found = read_blocks()
    PAGE.write_text(page(found), encoding="utf-8")
    PAGE.with_suffix(".html").write_text(to_html(parts(found), RESULTS), encoding="utf-8")
    print(PAGE, PAGE.with_suffix(".html"))
