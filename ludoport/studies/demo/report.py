"""The demonstration on one page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from pathlib import Path

from ludoport.arena.statistics import WinLoss
from ludoport.selfplay.plots import draw_runs
from ludoport.selfplay.rating import ratings
from ludoport.selfplay.run import Run
from ludoport.studies.demo.study import NAME, Story, read_story
from ludoport.studies.report.blocks import Block, Heading, Paragraph, Picture, Rows, rows_of
from ludoport.studies.report.draw import save
from ludoport.studies.report.page import require_matplotlib, write_page
from ludoport.studies.soemers.report.stores import report_stores
from ludoport.transfer.mapping import MappedChannel


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of the demonstration in a folder; returns the HTML page."""
    story = read_story(folder)
    if story is None:
        return report_stores([folder], out, plots=plots)
    return write_report(story, out, plots=plots)


def write_report(story: Story, out: Path, *, plots: bool = True) -> Path:
    """Write the report of a demonstration; returns the HTML page.

    Args:
        story: what happened.
        out: the folder of the report.
        plots: whether there is to be a figure.
    """
    if plots:
        require_matplotlib()
    pictures = [_draw(story, out)] if plots else []
    played = [{"player": one.player, "against": one.against, **asdict(one.record)} for one in story.played()]
    results = {"study": NAME, "demo": asdict(story.demo), "seconds": story.seconds, "played": played}
    return write_page(_blocks(story, pictures), out, results)


def _draw(story: Story, out: Path) -> Picture:
    demo = story.demo
    labels = {demo.small: f"Hex {demo.small}, transferred", demo.large: f"Hex {demo.large}, from scratch"}
    figure = draw_runs({labels[board]: run for board, run in story.runs().items()})
    return save(figure, out, "learning", "Losses and ratings over time.")


def percent(record: WinLoss) -> str:
    """A score with its interval."""
    if not record.games:
        return "no result yet"
    low, high = record.interval()
    return f"{100 * record.score:.0f} % ({100 * low:.0f} to {100 * high:.0f} %)"


def verdict(story: Story) -> str:
    """The result, in one sentence."""
    record, demo = story.played()[0].record, story.demo
    more = "more often than not" if record.score > 0.5 else "not more often than not"
    sure = "" if record.interval()[0] > 0.5 or record.score <= 0.5 else "; too few games to be sure"
    return (
        f"On Hex {demo.large}, which it had never seen, the network from {demo.small} wins {more} against the network "
        f"that learned there equally long: {record} in {record.games} games, {percent(record)}{sure}."
    )


def _blocks(story: Story, pictures: Sequence[Picture]) -> Iterator[Block]:
    demo, mapping = story.demo, story.mapping()
    yield Heading(f"From Hex {demo.small} to Hex {demo.large}", 1)
    yield Paragraph(verdict(story))
    yield Paragraph(_method(story))
    yield Heading(f"Games on Hex {demo.large}")
    yield _games(story)
    yield Heading("How they learned")
    yield from pictures
    yield _learned(story.runs())
    yield Heading("What corresponds to what")
    yield _corresponding("Planes of a position", mapping.state)
    yield _corresponding("Planes of moves", mapping.moves)
    yield Paragraph(
        f"All of this was computed in this run, in {story.seconds / 60:.1f} minutes, with seed {demo.seed}; "
        "`study.sqlite` holds every job."
    )


def _method(story: Story) -> str:
    demo, config = story.demo, next(iter(story.runs().values())).config
    length = f"{demo.minutes:g} minutes" if demo.epochs is None else f"{demo.epochs} epochs"
    return (
        f"Two networks of the same shape (`{config.network}`) learned by self-play for {length} each, at the same time "
        f"and with one core each: one on {demo.small}, one on {demo.large}. The first was transferred: convolutions "
        "fit any board, and its channels were matched by what they mean. It was not trained any further. In the "
        f"matches both searched {demo.simulations} simulations a move; both began equally often."
    )


def _games(story: Story) -> Rows:
    lines = []
    for played in story.played():
        record = played.record
        lines.append((played.player, played.against, record.games, record.wins, record.losses, percent(record)))
    return rows_of(("player", "against", "games", "won", "lost", "score (95 % interval)"), lines, words=2)


def _learned(runs: dict[str, Run]) -> Rows:
    head = (
        "network", "epochs", "minutes", "games", "positions", "policy loss", "value loss",
        "Elo vs uct:100 (95 % interval)",
    )  # fmt: skip
    lines = []
    for board, run in runs.items():
        records, rated = run.metrics(), ratings(run)
        if not records:
            continue
        last = records[-1]
        elo = rated[-1].elo.short if rated else ""
        losses = ["" if last[k] is None else f"{last[k]:.3f}" for k in ("policy_loss", "value_loss")]
        games, positions = (sum(record[k] for record in records) for k in ("games", "positions"))
        lines.append((f"Hex {board}", last["epoch"], f"{last['seconds'] / 60:.1f}", f"{games:,}", f"{positions:,}",
                      *losses, elo))  # fmt: skip
    return rows_of(head, lines)


def _corresponding(title: str, rows: tuple[MappedChannel, ...]) -> Rows:
    return rows_of(
        (title, "copied from", "because of"), ((row.target, row.source or "nothing", row.reason) for row in rows), 3
    )
