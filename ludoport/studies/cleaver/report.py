"""The report of the experiment."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ludoport.chess.variant import NAMED
from ludoport.errors import LudoportError
from ludoport.studies.cleaver.charts import draw_charts
from ludoport.studies.cleaver.diagrams import game_svg
from ludoport.studies.cleaver.networks import network_blocks
from ludoport.studies.cleaver.size import preset_of
from ludoport.studies.report.blocks import Block, CommandLine, Heading, Items, Paragraph, Picture, Rows, rows_of
from ludoport.studies.report.draw import FIGURES
from ludoport.studies.report.page import REPORT, RESULTS, require_matplotlib, write_page
from ludoport.studies.report.statistics import holm

NAMES = {
    "source": "source: chess",
    "target": "target: Chessplus",
    "transferred": "transferred: chess, transferred",
    "transfer": "transfer: transferred and tuned",
    "control": "control: Chessplus, searched on",
}


@dataclass(frozen=True)
class CleaverContent:
    """Contents of the report: all numbers, and pictures by name (none without plots)."""

    results: dict[str, Any]
    pictures: dict[str, Picture]

    def picture(self, name: str) -> Iterator[Block]:
        """A picture, if there is one."""
        if name in self.pictures:
            yield self.pictures[name]


def write_report(folder: Path, results: dict[str, Any], *, plots: bool = True) -> Path:
    """Write the report of finished studies into a folder; returns the HTML page."""
    pictures: dict[str, Picture] = {}
    if plots:
        require_matplotlib()
        pictures = draw_charts(folder, results)
        pictures["game"] = _draw_game(folder, results)
    return write_page(_report(CleaverContent(results, pictures)), folder, results)


def report_folder(folder: Path, out: Path, *, plots: bool = True) -> Path:
    """Write the report of the study in a folder; returns the HTML page.

    Raises:
        LudoportError: the study is not finished.
    """
    return write_report(out, read_results(folder), plots=plots)


def read_results(folder: Path) -> dict[str, Any]:
    """All numbers of a finished study, from the report in its folder."""
    for path in (folder / REPORT / RESULTS, folder / RESULTS):  # earlier versions wrote into the folder itself
        if path.is_file():
            found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
            for one in (found["size"], *found["trees"].values()):
                if "iterations" in one:  # as earlier versions called them
                    one["simulations"] = one.pop("iterations")
            return found
    raise LudoportError(f"{folder}: the study is not finished; resume it with: ludoport study chessplus --out {folder}")


def _draw_game(folder: Path, results: dict[str, Any]) -> Picture:
    sample = results["sample"]
    path = Path(FIGURES) / "game.svg"
    (folder / path).write_text(
        game_svg(NAMED[results["games"][1]], sample["positions"], sample["moves"]), encoding="utf-8"
    )
    return Picture(path, "All positions of the game; the squares that a move changed are green.")


def _report(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    size = results["size"]
    source, target = results["games"]
    yield Heading(f"Search trees from `{source}` to `{target}`", 1)
    yield Paragraph(
        f"The experiment of chapter 6 of the thesis: {size['workers']} workers of {size['simulations']:,} simulations "
        f"for each tree, {size['tuning']:,} more of each worker for tuning, {size['games']:,} games a match, "
        f"{size['online']} simulations for a move where a tree does not know the position. The *control* has as many "
        "simulations as the transferred tree, all of them in the target."
    )
    yield _verdict(results["matches"], results["common_opponent"])
    for part in (_trees, _matches, _sure, _gap, _exclusive, _offline, _lengths, _discounts):
        yield from part(content)
    if "networks" in results:
        yield from network_blocks(results["networks"])
    for part in (_sample, _made):
        yield from part(content)


def _verdict(matches: dict[str, Any], common: dict[str, Any]) -> Items:
    """The conclusions, as sentences that follow from the numbers."""
    compared = [matches[name] for name in ("transfer-target", "control-target", "transfer-control")]
    corrected = _corrected(compared)
    first, second, third = (_said(match, p) for match, p in zip(compared, corrected, strict=True))
    low, high = common["interval"]
    if high < 0:
        sense = "transfer is worth more than the same search in the target"
    elif low > 0:
        sense = "the same search in the target is worth more than transfer"
    else:
        sense = "transfer and the same search in the target cannot be told apart"
    return Items((
        f"Transfer against the target's own tree: {first}.",
        f"The control, with the same number of simulations, against the same tree: {second}.",
        f"Transfer against the control: {third}.",
        f"By the losses of both against the target's own tree, {sense} (difference {_gap_text(common)}).",
    ))  # fmt: skip


def _corrected(matches: Iterable[dict[str, Any]]) -> list[float]:
    """Two-sided probabilities of matches that are read together, corrected for their number."""
    return holm([match["p_two_sided"] for match in matches])


def _said(match: dict[str, Any], p: float) -> str:
    record = match["record"]
    sense = "no significant difference" if p >= 0.05 else "it is stronger" if match["score"] > 0.5 else "it is weaker"
    return (
        f"{record['wins']} won, {record['draws']} drawn, {record['losses']} lost, {100 * match['score']:.1f} %; "
        f"{sense} (two-sided binomial test with Holm's correction, p = {_p(p)})"
    )


def _trees(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Trees")
    rows = []
    for name, tree in results["trees"].items():
        said = results["published"]["trees"].get(name, {})
        there = f"{said['states']:,} / {said['branching']} / {said.get('depth', '?')}" if said else ""
        numbers = (f"{tree[key]:,}" for key in ("simulations", "states", "edges", "visits", "depth"))
        rows.append([NAMES[name], *numbers, f"{tree['branching']:.2f}", there])
    heads = [
        "tree",
        "simulations",
        "states",
        "moves",
        "visits",
        "depth",
        "branching",
        "thesis: states / branching / depth",
    ]
    yield rows_of(heads, rows)
    moved = results["transfer"]
    yield Paragraph(
        f"Carried over ({moved['case']}): {moved['states']:,} of {moved['source_states']:,} states and "
        f"{moved['edges']:,} of {moved['source_edges']:,} moves. In {moved['positions']:,} positions with moves, "
        f"{moved['both']:,} legal moves are common, {moved['only_source']:,} only the source has, "
        f"{moved['only_target']:,} only the target. Depth is the distance of the farthest state from the root; "
        "branching counts moves of states that have any."
    )


def _matches(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Matches")
    thesis = ["thesis: transfer - target", "474", "169", "357", "55.9 %", "", "0.0000279", "", "", "", ""]
    yield _match_table(results["matches"], thesis)
    yield Paragraph(
        "The binomial test leaves out draws; the last probability is corrected for the number of matches in the table "
        "(Holm). Intervals cover the chance in games, not that in trees, of which there is one of each kind. In the "
        "thesis chance decided who begins; here players take turns."
    )
    yield from content.picture("scores")


def _sure(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    sure = results["sure"]
    yield Heading("Trees used only where they are sure")
    yield Paragraph(
        "A tree that saw a position once answers there with the one move that it tried, where a search is better. "
        f"Here trees count as knowing a position from {sure['visits']} visits on, as many as a search has simulations."
    )
    yield _match_table(sure["matches"])
    yield _verdict(sure["matches"], sure["common_opponent"])
    shares = []
    for match in sure["matches"].values():
        games = sum(match["record"].values())
        shares += [f"{match[player]} {match['offline'][player]['offline'] / games:.2f}" for player in "ab"]
    yield Paragraph(f"Moves from the trees a game, match by match: {', '.join(shares)}.")


def _match_table(matches: dict[str, Any], last: Sequence[str] = ()) -> Rows:
    rows: list[Sequence[str]] = []
    for match, corrected in zip(matches.values(), _corrected(matches.values()), strict=True):
        low, high = match["interval"]
        rows.append(
            [f"{match['a']} - {match['b']}", *_counts(match["record"]), f"{100 * match['score']:.1f} %",
             f"{100 * low:.1f} to {100 * high:.1f} %", _p(match["p_one_sided"]), _p(match["p_two_sided"]),
             _p(corrected), *(f"+{s['wins']} ={s['draws']} -{s['losses']}" for s in (match["first"], match["second"]))]
        )  # fmt: skip
    heads = ["match", "won", "drawn", "lost", "score", "95 %", "p one-sided", "p two-sided", "p, Holm"]
    heads += ["as first", "as second"]
    return rows_of(heads, [*rows, last] if last else rows)


def _gap(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Negative-transfer gap (equation 4)")
    yield Paragraph(
        "The loss J of a player is the share of points that it misses, a draw being half a point; below 0 the first "
        "player loses less, which is positive transfer where it is the transferred tree."
    )
    rows = [[f"J({match['a']}) - J({match['b']}), playing each other", _gap_text(match["gap"])]
            for match in results["matches"].values()]  # fmt: skip
    rows.append(["J(transfer) - J(control), both against the target's tree", _gap_text(results["common_opponent"])])
    yield rows_of(["gap", "value (95 % interval)"], [*rows, ["thesis: J(transfer) - J(target)", "-0.117"]])


def _gap_text(gap: dict[str, Any]) -> str:
    return f"{gap['value']:+.3f} ({gap['interval'][0]:+.3f} to {gap['interval'][1]:+.3f})"


def _exclusive(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Moves that only Chessplus has (Figure 14)")
    rows = []
    for match in results["matches"].values():
        for player in "ab":
            cells = [_share(match["exclusive"][player][word], "exclusive") for word in ("won", "lost")]
            rows.append([f"{match['a']} - {match['b']}", match[player], *cells])
    published = results["published"]["exclusive"]
    for player, name in (("a", "transfer"), ("b", "target")):
        rows.append(["thesis", name, *(_share(published[player][word], "exclusive") for word in ("won", "lost"))])
    yield rows_of(["match", "player", "in games won", "in games lost"], rows, words=2)
    yield from content.picture("exclusive")


def _share(counts: dict[str, int], part: str) -> str:
    total = counts["moves"]
    return f"{counts[part]:,} of {total:,} ({100 * counts[part] / total:.1f} %)" if total else "none"


def _offline(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Moves from the trees and from search (Figure 15)")
    rows = []
    for match in results["matches"].values():
        for player in "ab":
            counts = match["offline"][player]
            total = counts["offline"] + counts["online"]
            games = sum(match["record"].values())
            share = _share({"moves": total, "offline": counts["offline"]}, "offline")
            rows.append([f"{match['a']} - {match['b']}", match[player], share, f"{counts['offline'] / games:.2f}"])
    yield rows_of(["match", "player", "moves from its tree", "such moves a game"], rows, words=2)
    yield from content.picture("offline")


def _lengths(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    yield Heading("Length of games, in halfmoves")
    rows = []
    for match in results["matches"].values():
        ends = ", ".join(f"{number} {name}" for name, number in sorted(match["ends"].items()))
        rows.append([f"{match['a']} - {match['b']}", *_lengths_of(match["lengths"]), ends])
    rows.append(["thesis", *_lengths_of(results["published"]["lengths"]), ""])
    yield rows_of(["match", "mean", "median", "shortest", "longest", "ends"], rows)


def _lengths_of(lengths: dict[str, float]) -> list[str]:
    return [f"{lengths[name]:g}" for name in ("mean", "median", "shortest", "longest")]


def _discounts(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    rows = []
    for row in results["discounts"]:
        scores = []
        for other in ("target", "control"):
            low, high = row[other]["interval"]
            scores.append(f"{100 * row[other]['score']:.1f} % ({100 * low:.1f} to {100 * high:.1f} %)")
        rows.append(
            [f"{row['discount']:g}", f"{row['states']:,}", f"{row['visits']:,}", f"{row['tuned_states']:,}", *scores]
        )
    if not rows:
        return
    yield Heading("What a visit of the source is worth")
    yield Paragraph(
        "The same with a discount on the visits of the source, before tuning; "
        f"{results['size']['discount_games']} games a match. Moves whose visits are worth less than half of one are "
        "forgotten."
    )
    yield rows_of(["worth", "states left", "visits left", "states tuned", "against target", "against control"], rows)
    yield from content.picture("discounts")


def _sample(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    sample = results["sample"]
    first = "transfer" if sample["first"] == "a" else "target"
    yield Heading("A game")
    moves = sample["moves"]
    text = " ".join(f"{n // 2 + 1}. {move}" if n % 2 == 0 else move for n, move in enumerate(moves))
    yield Paragraph(
        f"Game {sample['number']} of the first match, White is {first} (player transfer: {sample['outcome']}): {text}"
    )
    yield from content.picture("game")


def _made(content: CleaverContent) -> Iterator[Block]:
    results = content.results
    machine = results["machine"]
    preset = preset_of(results["size"])
    yield Heading("How this was made")
    chosen = f"--board {results['board']} --preset {preset} --seed {results['seed']}"
    if "networks" in results:
        chosen += f" --network-epochs {results['networks']['size']['epochs']}"
    yield CommandLine(f"ludoport study chessplus {chosen} --out FOLDER")
    yield Paragraph(
        f"Ludoport {results['version']}, Python {machine['python']}, {machine['processors']} processors. A draw is "
        f"worth {results['draw']} to the search, its exploration is {results['exploration']:.4f}; room of a worker: "
        f"{results['size']['nodes']:,} moves and positions. All numbers are in `results.json`."
    )
    times = results["times"]
    rows = [[name, f"{one['seconds']:.0f}", f"{one['load']:.1f}"] for name, one in times.items()]
    own = ("source", "target", "transferred", "transfer", "games of transfer and target")
    rows.append(["the thesis's own part", f"{sum(times[name]['seconds'] for name in own if name in times):.0f}", ""])
    rows.append(["everything", f"{sum(one['seconds'] for one in times.values()):.0f}", ""])
    yield rows_of(["stage", "seconds", "load of the machine at its end"], rows)


def _counts(record: dict[str, int]) -> list[str]:
    return [str(record[name]) for name in ("wins", "draws", "losses")]


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else f"{value:.2g}"
