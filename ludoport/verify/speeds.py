"""Turns records of ``ludoport.verify.library`` in machine code into tables of speeds and times to load.

    python -m ludoport.verify.speeds machine.jsonl LIBRARY/index.jsonl

The index has the reference's playouts per second. Families are listed worst first, by the median of their games.
"""

from __future__ import annotations

import json
import statistics
import sys
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from ludoport.verify.coverage import family, path_of
from ludoport.verify.library import read_records

SHOWN = 15
"""Games that take longest to load, and games that are slowest beside the reference, that a table names."""


def speeds(games: Sequence[dict[str, Any]], reference: Mapping[str, float]) -> str:
    """The tables about games, whose reference has playouts per second by id."""
    ratios = {game["id"]: game["pps"] / reference[game["id"]] for game in games if _measured(game, reference)}
    loaded = sorted((game for game in games if "load_seconds" in game), key=lambda game: -game["load_seconds"])
    lines = [*_ratios(games, ratios), "", *_slowest(games, ratios), "", *_loading(loaded)]
    return "\n".join(lines)


def _measured(game: Mapping[str, Any], reference: Mapping[str, float]) -> bool:
    return bool(game.get("pps")) and reference.get(game["id"], 0) > 0


def _ratios(games: Sequence[dict[str, Any]], ratios: Mapping[str, float]) -> list[str]:
    families = defaultdict(list)
    for game in games:
        if game["id"] in ratios:
            families[family(game)].append(ratios[game["id"]])
    rows = sorted((statistics.median(found), name, found) for name, found in families.items())
    every = list(ratios.values())
    if not every:
        return ["No game was measured."]
    slower = sum(ratio < 1 for ratio in every)
    return [
        f"{len(every)} games measured: median {statistics.median(every):.0f} times as many playouts per second; "
        f"{slower} slower than the reference.",
        "",
        "| family | games | median | slowest |",
        "|---|--:|--:|--:|",
        *(f"| {name} | {len(found)} | {_times(median)} | {_times(min(found))} |" for median, name, found in rows),
    ]


def _slowest(games: Sequence[dict[str, Any]], ratios: Mapping[str, float]) -> list[str]:
    named = sorted((game for game in games if game["id"] in ratios), key=lambda game: ratios[game["id"]])[:SHOWN]
    rows = [f"| {path_of(game)} | {game['pps']:,.1f} | {_times(ratios[game['id']])} |" for game in named]
    return ["| game | playouts/s | times the reference |", "|---|--:|--:|", *rows]


def _loading(loaded: Sequence[dict[str, Any]]) -> list[str]:
    """Loading times of games, longest first."""
    if not loaded:
        return []
    times = [game["load_seconds"] for game in loaded]
    under = [f"{sum(time <= limit for time in times)} of {len(times)} in {limit} s" for limit in (5, 15, 30)]
    median = f"{statistics.median(times):.1f} s"
    return [
        f"First load, machine code included, in CPU seconds: median {median}; {', '.join(under)}.",
        "",
        "| game | CPU seconds to load |",
        "|---|--:|",
        *(f"| {path_of(game)} | {game['load_seconds']:.1f} |" for game in loaded[:SHOWN]),
    ]


def _times(ratio: float) -> str:
    return f"{ratio:,.0f}" if ratio >= 10 else f"{ratio:.1f}"


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    if len(arguments) != 2:
        print("usage: python -m ludoport.verify.speeds RECORDS.jsonl INDEX.jsonl", file=sys.stderr)
        return 2
    try:
        index = [json.loads(line) for line in Path(arguments[1]).read_text(encoding="utf-8").splitlines()]
        print(speeds(read_records(Path(arguments[0])), {game["id"]: game.get("pps") or 0 for game in index}))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"speeds: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
