"""The demonstration on one page."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from ludoport.arena.statistics import Record
from ludoport.selfplay.plots import plot_runs
from ludoport.selfplay.rating import ratings

if TYPE_CHECKING:
    from ludoport.selfplay.demo import Story
    from ludoport.transfer.mapping import Row

PICTURE = "learning.png"


def write_report(story: Story) -> Path:
    """Write the report and its picture into the folder of the demonstration; returns the report."""
    labels = {"small": f"Hex {story.plan.small}, carried over", "large": f"Hex {story.plan.large}, from nothing"}
    drawn = plot_runs({labels[name]: run for name, run in story.runs.items()}, story.folder / PICTURE)
    path = story.folder / "report.md"
    path.write_text("\n".join(_lines(story, drawn is not None)) + "\n", encoding="utf-8")
    return path


def players(story: Story) -> list[tuple[str, str]]:
    """Who played in each match."""
    plan = story.plan
    carried, here = f"learned on {plan.small}, carried over", f"learned on {plan.large}"
    return [(carried, here), (carried, plan.uct), (here, plan.uct)]


def percent(record: Record) -> str:
    """A score with its interval."""
    if not record.games:
        return "no games yet"
    low, high = record.interval()
    return f"{100 * record.score:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def verdict(story: Story) -> str:
    """What came out, in one sentence."""
    record, plan = story.results[0].record, story.plan
    more = "more often than not" if record.score > 0.5 else "not more often than not"
    sure = "" if record.interval()[0] > 0.5 or record.score <= 0.5 else "; too few games to be sure"
    return (
        f"On Hex {plan.large}, which it had never seen, the network from {plan.small} wins {more} against the network "
        f"that learned there equally long: {record} in {record.games} games, {percent(record)}{sure}."
    )


def _lines(story: Story, picture: bool) -> Iterator[str]:
    plan = story.plan
    yield f"# From Hex {plan.small} to Hex {plan.large}"
    yield ""
    yield verdict(story)
    yield ""
    yield from _method(story)
    yield from _played(story)
    yield "## How they learned"
    yield ""
    if picture:
        yield f"![losses and ratings over time]({PICTURE})"
        yield ""
    yield "| network | epochs | minutes | games | positions | loss of policy | loss of value | Elo above uct:100 |"
    yield "|---|--:|--:|--:|--:|--:|--:|--:|"
    for name, run in story.runs.items():
        records, rated = run.metrics(), ratings(run)
        last = records[-1]
        elo = f"{rated[-1].elo:+.0f} ± {1.96 * rated[-1].error:.0f}" if rated else ""
        losses = " | ".join("" if last[k] is None else f"{last[k]:.3f}" for k in ("policy_loss", "value_loss"))
        games, positions = (sum(record[k] for record in records) for k in ("games", "positions"))
        yield (
            f"| Hex {plan.board(name)} | {last['epoch']} | {last['seconds'] / 60:.1f} | {games:,} | {positions:,} "
            f"| {losses} | {elo} |"
        )
    yield ""
    if story.mapping is not None:
        yield "## What corresponds to what"
        yield ""
        yield from _table("Planes of a position", story.mapping.state)
        yield from _table("Planes of moves", story.mapping.moves)
    yield f"All of this was computed in this run, in {story.seconds / 60:.1f} minutes, with seed {plan.seed}."


def _method(story: Story) -> Iterator[str]:
    plan, config = story.plan, story.plan.config("large")
    length = f"{plan.minutes:g} minutes" if plan.epochs is None else f"{plan.epochs} epochs"
    yield (
        f"Two networks of the same shape (`{config.network}`) learned by self-play for {length} each, at the same time "
        f"and with one thread each: one on {plan.small}, one on {plan.large}. The first was carried over: convolutions "
        "fit any board, and its channels were matched by what they mean. It was not trained any further. In the "
        f"matches both searched {plan.simulations} simulations a move; both began equally often."
    )
    yield ""


def _played(story: Story) -> Iterator[str]:
    yield f"## Games on Hex {story.plan.large}"
    yield ""
    yield "| player | against | games | won | lost | score (95 % interval) |"
    yield "|---|---|--:|--:|--:|--:|"
    for (a, b), result in zip(players(story), story.results, strict=False):
        record = result.record
        yield f"| {a} | {b} | {record.games} | {record.wins} | {record.losses} | {percent(record)} |"
    yield ""


def _table(title: str, rows: tuple[Row, ...]) -> Iterator[str]:
    yield f"| {title} | copied from | because of |"
    yield "|---|---|---|"
    for row in rows:
        yield f"| {row.target} | {row.source or 'nothing'} | {row.reason} |"
    yield ""
