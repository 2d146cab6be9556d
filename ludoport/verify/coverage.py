"""Turns answers of ``ludoport verify trace ... --json`` over a library into a page of Markdown.

    python -m ludoport.verify.coverage library.json

Records of ``ludoport.verify.library`` (``.jsonl``) are taken too. Several files are parts of one run. The page counts
the games of each family and names every game that does not agree.
"""

from __future__ import annotations

import json
import re
import sys
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

_LUDEME = re.compile(r"the ludeme `([^`]+)` \((\w+)\)")
FAMILY_LEVELS = 3
"""Number of folders of a library that make a family, such as ``board/war/leaping``."""


def coverage(games: Sequence[dict[str, Any]]) -> str:
    """The page about games, which are the ``variants`` of an answer."""
    failed = [game for game in games if game["failure"] is not None]
    differ = [game for game in games if game["failure"] is None and not game["agrees"]]
    plies = sum(game["plies"] for game in games if game["failure"] is None)
    agreeing = sum(game["agreeing_plies"] for game in games if game["failure"] is None)
    lines = [
        "| games | |",
        "|---|--:|",
        f"| recorded | {len(games)} |",
        f"| load | {len(games) - len(failed)} |",
        f"| agree at every ply | {len(games) - len(failed) - len(differ)} |",
        f"| load and differ somewhere | {len(differ)} |",
        "",
        f"Of {plies:,} plies replayed in the games that load, {agreeing:,} agree.",
        "",
        *_families(games),
    ]
    if differ or failed:
        lines += ["", "Games that do not agree:", "", "| game | agreeing plies | reason |", "|---|--:|---|"]
        lines += [
            f"| {path_of(game)} | {game['agreeing_plies']} of {game['plies']} | {_difference(game)} |"
            for game in differ
        ]
        lines += [f"| {path_of(game)} | | {_reason(game['failure'])} |" for game in failed]
    return "\n".join(lines)


def _families(games: Sequence[dict[str, Any]]) -> list[str]:
    """The table of families, in alphabetical order."""
    families = defaultdict(list)
    for game in games:
        families[family(game)].append(game)
    rows = [
        f"| {name} | {len(members)} | {sum(game['agrees'] for game in members)} |"
        for name, members in sorted(families.items())
    ]
    return ["| family | recorded | agree |", "|---|--:|--:|", *rows]


def family(game: dict[str, Any]) -> str:
    """The folder of a library to which a game belongs, such as ``board/war/leaping``."""
    return "/".join(path_of(game).split("/")[:-1][:FAMILY_LEVELS])


def path_of(game: dict[str, Any]) -> str:
    """The path of a game in its library."""
    return str(game["id"]).replace("__", "/")


def _difference(game: dict[str, Any]) -> str:
    """The first difference between a game and its reference, as a cell of a table."""
    first = game["first_disagreement"]
    return _cell(f"{first['where']}: {first['what']}: reference {first['expected']}, game {first['found']}")


def _reason(failure: str) -> str:
    """The ludeme that is missing, or the failure without the place in the game file."""
    found = _LUDEME.search(failure)
    if found:
        return f"`{found[1]}` ({found[2]}) is not implemented"
    first = failure.splitlines()[0].removeprefix("cannot load: ")
    return _cell(re.sub(r"^\S.*?\.(lud|def):\d+:\d+: ", "", first))


def _cell(text: str) -> str:
    """A text shortened for a cell of a table."""
    return text.replace("|", "\\|")[:160]


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    if not arguments:
        print("usage: python -m ludoport.verify.coverage ANSWER.json ...", file=sys.stderr)
        return 2
    games: list[dict[str, Any]] = []
    for name in arguments:
        try:
            text = Path(name).read_text(encoding="utf-8")
            games += map(json.loads, text.splitlines()) if name.endswith(".jsonl") else json.loads(text)["variants"]
        except (OSError, ValueError, KeyError, TypeError) as error:
            print(f"coverage: {name}: {error}", file=sys.stderr)
            return 2
    print(coverage(games))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
