"""Turns the answer of ``ludoport verify trace ... --json`` over a library into a page of Markdown.

    python -m ludoport.verify.coverage library.json

It says how many games agree, how many differ, and which ludemes keep the rest from loading, most wanted first.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

_LUDEME = re.compile(r"the ludeme `([^`]+)` \((\w+)\)")


def coverage(answer: dict[str, Any], wanted: int = 25) -> str:
    """The page for an answer; ``wanted`` is how many missing ludemes it lists."""
    games = answer["variants"]
    agree = [game for game in games if game["agrees"]]
    failed = [game for game in games if game["failure"] is not None]
    differ = [game for game in games if game["failure"] is None and not game["agrees"]]
    plies = sum(game["plies"] for game in games if game["failure"] is None)
    agreeing = sum(game["agreeing_plies"] for game in games)
    lines = [
        "| games | |",
        "|---|--:|",
        f"| recorded | {len(games)} |",
        f"| load | {len(games) - len(failed)} |",
        f"| agree at every ply | {len(agree)} |",
        f"| load and differ somewhere | {len(differ)} |",
        "",
        f"Of {plies:,} plies replayed in the games that load, {agreeing:,} agree.",
    ]
    missing = Counter(_reason(game["failure"]) for game in failed)
    if missing:
        lines += ["", "What keeps games from loading, most wanted first:", "", "| games | reason |", "|--:|---|"]
        lines += [f"| {count} | {reason} |" for reason, count in missing.most_common(wanted)]
        rest = sum(missing.values()) - sum(count for _, count in missing.most_common(wanted))
        if rest:
            lines.append(f"| {rest} | others |")
    lines += _listed("Games that differ", differ) + _listed("Games that agree", agree)
    return "\n".join(lines)


def _listed(title: str, games: Iterable[dict[str, Any]]) -> list[str]:
    names = [game["id"] for game in games]
    return ["", f"{title}: {', '.join(names)}."] if names else []


def _reason(failure: str) -> str:
    """The ludeme that is missing, or the failure with what is particular to one game taken out."""
    found = _LUDEME.search(failure)
    if found:
        return f"`{found[1]}` ({found[2]})"
    first = failure.splitlines()[0].removeprefix("cannot load: ")
    return re.sub(r"^\S.*?\.(lud|def):\d+:\d+: ", "", first).replace("|", "\\|")[:160]


def main(arguments: list[str]) -> int:
    """Runs the command; returns its exit code."""
    if len(arguments) != 1:
        print("usage: python -m ludoport.verify.coverage ANSWER.json", file=sys.stderr)
        return 2
    try:
        print(coverage(json.loads(Path(arguments[0]).read_text(encoding="utf-8"))))
    except (OSError, ValueError, KeyError, TypeError) as error:
        print(f"coverage: {arguments[0]}: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
