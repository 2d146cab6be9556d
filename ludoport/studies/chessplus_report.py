"""The experiment as a report for people, in Markdown."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from ludoport.chess.variant import NAMED
from ludoport.studies.chessplus_charts import draw_charts
from ludoport.studies.chessplus_diagrams import game_svg
from ludoport.studies.chessplus_networks import network_lines
from ludoport.studies.chessplus_size import preset_of

NAMES = {
    "source": "source: chess",
    "target": "target: Chessplus",
    "transferred": "transferred: chess, carried over",
    "transfer": "transfer: carried over and tuned",
    "control": "control: Chessplus, searched on",
}


def write_report(folder: Path, results: dict[str, Any]) -> None:
    """Write ``results.json``, ``report.md`` and the pictures."""
    (folder / "results.json").write_text(json.dumps(results, indent=1, ensure_ascii=False), encoding="utf-8")
    draw_charts(folder, results)
    sample = results["sample"]
    picture = game_svg(NAMED[results["games"][1]], sample["positions"], sample["moves"])
    (folder / "game.svg").write_text(picture, encoding="utf-8")
    (folder / "report.md").write_text("\n".join(_report(results)) + "\n", encoding="utf-8")


def _report(results: dict[str, Any]) -> Iterator[str]:
    size = results["size"]
    source, target = results["games"]
    yield f"# Search trees from `{source}` to `{target}`"
    yield ""
    yield (
        f"The experiment of chapter 6 of the thesis: {size['workers']} workers of {size['iterations']:,} iterations "
        f"for each tree, {size['tuning']:,} more of each worker for tuning, {size['games']:,} games a match, "
        f"{size['online']} iterations for a move where a tree does not know the position. The *control* has as many "
        "iterations as the transferred tree, all of them in the target."
    )
    yield ""
    yield from _verdict(results["matches"], results["common_opponent"])
    for part in (_trees, _matches, _sure, _gap, _exclusive, _offline, _lengths, _discounts):
        yield ""
        yield from part(results)
    if "networks" in results:
        yield ""
        yield from network_lines(results["networks"])
    for part in (_sample, _made):
        yield ""
        yield from part(results)


def _verdict(matches: dict[str, Any], common: dict[str, Any]) -> Iterator[str]:
    """What came out, in sentences that follow from the numbers."""
    first, second, third = (matches[name] for name in ("transfer-target", "control-target", "transfer-control"))
    yield f"- Transfer against the target's own tree: {_said(first)}."
    yield f"- The control, with the same number of iterations, against the same tree: {_said(second)}."
    yield f"- Transfer against the control: {_said(third)}."
    low, high = common["interval"]
    if high < 0:
        sense = "transfer is worth more than the same search in the target"
    elif low > 0:
        sense = "the same search in the target is worth more than transfer"
    else:
        sense = "transfer and the same search in the target cannot be told apart"
    yield f"- By the losses of both against the target's own tree, {sense} (difference {_gap_text(common)})."


def _said(match: dict[str, Any]) -> str:
    record, p = match["record"], match["p_two_sided"]
    sense = "no difference can be seen" if p >= 0.05 else "it is stronger" if match["score"] > 0.5 else "it is weaker"
    return (
        f"{record['wins']} won, {record['draws']} drawn, {record['losses']} lost, {100 * match['score']:.1f} %; "
        f"{sense} (binomial test, p = {_p(p)} two-sided)"
    )


def _trees(results: dict[str, Any]) -> Iterator[str]:
    yield "## Trees"
    yield ""
    rows = []
    for name, tree in results["trees"].items():
        said = results["published"]["trees"].get(name, {})
        there = f"{said['states']:,} / {said['branching']} / {said.get('depth', '?')}" if said else ""
        numbers = (f"{tree[key]:,}" for key in ("iterations", "states", "edges", "visits", "depth"))
        rows.append([NAMES[name], *numbers, f"{tree['branching']:.2f}", there])
    heads = [
        "tree",
        "iterations",
        "states",
        "moves",
        "visits",
        "depth",
        "branching",
        "thesis: states / branching / depth",
    ]
    yield from _table(heads, rows)
    moved = results["transfer"]
    yield ""
    yield (
        f"Carried over ({moved['case']}): {moved['states']:,} of {moved['source_states']:,} states and "
        f"{moved['edges']:,} of {moved['source_edges']:,} moves. In {moved['positions']:,} positions with moves, "
        f"{moved['both']:,} legal moves are common, {moved['only_source']:,} only the source has, "
        f"{moved['only_target']:,} only the target. Depth is the distance of the farthest state from the root; "
        "branching counts moves of states that have any."
    )


def _matches(results: dict[str, Any]) -> Iterator[str]:
    yield "## Matches"
    yield ""
    thesis = ["thesis: transfer - target", "474", "169", "357", "55.9 %", "", "0.0000279"]
    yield from _match_table(results["matches"], thesis)
    yield ""
    yield (
        "The binomial test leaves out draws; it is not corrected for the number of matches. Intervals cover the chance "
        "in games, not that in trees, of which there is one of each kind. In the thesis chance decided who begins; "
        "here players take turns."
    )
    yield ""
    yield "![scores](scores.svg)"


def _sure(results: dict[str, Any]) -> Iterator[str]:
    sure = results["sure"]
    yield "## Trees used only where they are sure"
    yield ""
    yield (
        "A tree that saw a position once answers there with the one move that it tried, where a search is better. "
        f"Here trees count as knowing a position from {sure['visits']} visits on, as many as a search has iterations."
    )
    yield ""
    yield from _match_table(sure["matches"])
    yield ""
    yield from _verdict(sure["matches"], sure["common_opponent"])
    yield ""
    shares = []
    for match in sure["matches"].values():
        games = sum(match["record"].values())
        shares += [f"{match[player]} {match['offline'][player]['offline'] / games:.2f}" for player in "ab"]
    yield f"Moves from the trees a game, match by match: {', '.join(shares)}."


def _match_table(matches: dict[str, Any], last: Sequence[str] = ()) -> Iterator[str]:
    rows: list[Sequence[str]] = []
    for match in matches.values():
        low, high = match["interval"]
        rows.append(
            [f"{match['a']} - {match['b']}", *_counts(match["record"]), f"{100 * match['score']:.1f} %",
             f"{100 * low:.1f} to {100 * high:.1f} %", _p(match["p_one_sided"]), _p(match["p_two_sided"]),
             *(f"+{s['wins']} ={s['draws']} -{s['losses']}" for s in (match["first"], match["second"]))]
        )  # fmt: skip
    heads = ["match", "won", "drawn", "lost", "score", "95 %", "p one-sided", "p two-sided", "as first", "as second"]
    yield from _table(heads, [*rows, last] if last else rows)


def _gap(results: dict[str, Any]) -> Iterator[str]:
    yield "## Negative-transfer gap (equation 4)"
    yield ""
    yield (
        "The loss J of a player is the share of points that it misses, a draw being half a point; below 0 the first "
        "player loses less, which is positive transfer where it is the transferred tree."
    )
    yield ""
    rows = [[f"J({match['a']}) - J({match['b']}), playing each other", _gap_text(match["gap"])]
            for match in results["matches"].values()]  # fmt: skip
    rows.append(["J(transfer) - J(control), both against the target's tree", _gap_text(results["common_opponent"])])
    yield from _table(["gap", "value (95 % interval)"], [*rows, ["thesis: J(transfer) - J(target)", "-0.117"]])


def _gap_text(gap: dict[str, Any]) -> str:
    return f"{gap['value']:+.3f} ({gap['interval'][0]:+.3f} to {gap['interval'][1]:+.3f})"


def _exclusive(results: dict[str, Any]) -> Iterator[str]:
    yield "## Moves that only Chessplus has (Figure 14)"
    yield ""
    rows = []
    for match in results["matches"].values():
        for player in "ab":
            cells = [_share(match["exclusive"][player][word], "exclusive") for word in ("won", "lost")]
            rows.append([f"{match['a']} - {match['b']}", match[player], *cells])
    published = results["published"]["exclusive"]
    for player, name in (("a", "transfer"), ("b", "target")):
        rows.append(["thesis", name, *(_share(published[player][word], "exclusive") for word in ("won", "lost"))])
    yield from _table(["match", "player", "in games won", "in games lost"], rows)
    yield ""
    yield "![moves that only Chessplus has](exclusive.svg)"


def _share(counts: dict[str, int], part: str) -> str:
    total = counts["moves"]
    return f"{counts[part]:,} of {total:,} ({100 * counts[part] / total:.1f} %)" if total else "none"


def _offline(results: dict[str, Any]) -> Iterator[str]:
    yield "## Moves from the trees and from search (Figure 15)"
    yield ""
    rows = []
    for match in results["matches"].values():
        for player in "ab":
            counts = match["offline"][player]
            total = counts["offline"] + counts["online"]
            games = sum(match["record"].values())
            share = _share({"moves": total, "offline": counts["offline"]}, "offline")
            rows.append([f"{match['a']} - {match['b']}", match[player], share, f"{counts['offline'] / games:.2f}"])
    yield from _table(["match", "player", "moves from its tree", "such moves a game"], rows)
    yield ""
    yield "![moves from the trees](offline.svg)"


def _lengths(results: dict[str, Any]) -> Iterator[str]:
    yield "## Length of games, in halfmoves"
    yield ""
    rows = []
    for match in results["matches"].values():
        ends = ", ".join(f"{number} {name}" for name, number in sorted(match["ends"].items()))
        rows.append([f"{match['a']} - {match['b']}", *_lengths_of(match["lengths"]), ends])
    rows.append(["thesis", *_lengths_of(results["published"]["lengths"]), ""])
    yield from _table(["match", "mean", "median", "shortest", "longest", "ends"], rows)


def _lengths_of(lengths: dict[str, float]) -> list[str]:
    return [f"{lengths[name]:g}" for name in ("mean", "median", "shortest", "longest")]


def _discounts(results: dict[str, Any]) -> Iterator[str]:
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
    yield "## What a visit of the source is worth"
    yield ""
    yield (
        "The same with a discount on the visits of the source, before tuning; "
        f"{results['size']['discount_games']} games a match. Moves whose visits are worth less than half of one are "
        "forgotten."
    )
    yield ""
    yield from _table(
        ["worth", "states left", "visits left", "states tuned", "against target", "against control"], rows
    )
    yield ""
    yield "![discounts](discounts.svg)"


def _sample(results: dict[str, Any]) -> Iterator[str]:
    sample = results["sample"]
    first = "transfer" if sample["first"] == "a" else "target"
    yield "## A game"
    yield ""
    moves = sample["moves"]
    text = " ".join(f"{n // 2 + 1}. {move}" if n % 2 == 0 else move for n, move in enumerate(moves))
    yield f"Game {sample['number']} of the first match, White is {first} (player transfer: {sample['outcome']}): {text}"
    yield ""
    yield "![a game](game.svg)"


def _made(results: dict[str, Any]) -> Iterator[str]:
    machine = results["machine"]
    preset = preset_of(results["size"])
    yield "## How this was made"
    yield ""
    chosen = f"--board {results['board']} --preset {preset} --seed {results['seed']}"
    if "networks" in results:
        chosen += f" --networks {results['networks']['size']['epochs']}"
    yield f"    ludoport study chessplus {chosen} --out FOLDER"
    yield ""
    yield (
        f"Ludoport {results['version']}, Python {machine['python']}, {machine['processors']} processors. A draw is "
        f"worth {results['draw']} to the search, its exploration is {results['exploration']:.4f}; room of a worker: "
        f"{results['size']['nodes']:,} moves and positions. All numbers are in `results.json`."
    )
    yield ""
    times = results["times"]
    rows = [[name, f"{one['seconds']:.0f}", f"{one['load']:.1f}"] for name, one in times.items()]
    own = ("source", "target", "transferred", "transfer", "games of transfer and target")
    rows.append(["the thesis's own part", f"{sum(times[name]['seconds'] for name in own if name in times):.0f}", ""])
    rows.append(["everything", f"{sum(one['seconds'] for one in times.values()):.0f}", ""])
    yield from _table(["stage", "seconds", "load of the machine at its end"], rows)


def _counts(record: dict[str, int]) -> list[str]:
    return [str(record[name]) for name in ("wins", "draws", "losses")]


def _p(value: float) -> str:
    return f"{value:.4f}" if value >= 0.001 else f"{value:.2g}"


def _table(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    yield f"| {' | '.join(heads)} |"
    yield f"|{'---|' * len(heads)}"
    for row in rows:
        yield f"| {' | '.join([*row, *[''] * (len(heads) - len(row))])} |"
