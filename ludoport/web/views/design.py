"""A game text while it is being written: what is wrong with it and where, and the board it describes."""

from __future__ import annotations

import queue
import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from ludoport.analysis.analyse import analyse
from ludoport.drawing.scenes import board_scene, position_scene
from ludoport.errors import LudError, LudoportError, UnsupportedError
from ludoport.game import Game
from ludoport.kernels.contract import Rules
from ludoport.source import Source
from ludoport.web.positions import GameSpec, rules_of

NAME = "game"
"""Name of the text in errors."""

NOTHING: dict[str, Any] = {"problems": [], "name": None, "board": None, "position": None}
"""Message about a text without a board."""


def problems_in(text: str) -> list[dict[str, Any]]:
    """Problems of reading a text, found within milliseconds; see `problem_of`. Nothing is compiled."""
    try:
        read_game(text)
    except LudoportError as error:
        return [problem_of(error, text)]
    return []


def look_at(text: str) -> dict[str, Any]:
    """Problems of compiling a text, and the start of its game.

    Returns:
        ``problems``: see `problem_of`; empty for a text that can be played; ``name``, ``board`` and ``position`` (see
        ``drawing/scenes.py``), None where there is a problem.
    """
    try:
        # Plain Python answers at once; machine code is for playing.
        game = Game(read_game(text), jit=False)
        scene = {"board": board_scene(game), "position": position_scene(game.start())}
    except LudoportError as error:
        return {**NOTHING, "problems": [problem_of(error, text)]}
    return {"problems": [], "name": game.name, **scene}


def read_game(text: str) -> Rules:
    """The rules of a game file or a rulesheet; a rulesheet is not compiled.

    Raises:
        LudoportError: the text is wrong.
    """
    spec = GameSpec(NAME, text=text or " ")
    if spec.language == "GDL" and "(role" in text:
        from ludoport.gdl import load_rules

        return load_rules(text, NAME, engine="interpreter")
    from ludoport import lud
    from ludoport.matches import rules_of

    return rules_of(lud.read_text(text, NAME))


def report(text: str, seconds: float) -> Iterator[dict[str, Any]]:
    """Plays a game for some seconds and reports, as ``lp.analyse`` does.

    Yields:
        ``stage`` and ``share`` while it plays; at the end ``report``, ``board`` and ``position``.
    """
    steps: queue.Queue[tuple[str, float]] = queue.Queue()
    game = Game(rules_of(GameSpec(NAME, text=text)))
    with ThreadPoolExecutor(1) as pool:
        made = pool.submit(analyse, game, seconds, progress=lambda stage, share: steps.put((stage, share)))
        while not made.done():
            with suppress(queue.Empty):
                stage, share = steps.get(timeout=0.2)
                while not steps.empty():
                    stage, share = steps.get()
                yield {"stage": stage, "share": round(share, 3)}
        found = made.result()
    shown = {"board": board_scene(game), "position": position_scene(game.start())}
    yield {"report": {**found.as_json(), "rows": found.rows(), "findings": list(found.findings)}, **shown}


def problem_of(error: LudoportError, text: str = "") -> dict[str, Any]:
    """An error for an editor.

    Returns:
        ``line`` and ``column`` from 1, ``length`` of the word there; ``message``; ``hint``: what would be right, or
        empty; ``missing``: whether the text is right and Ludoport cannot compile it yet.
    """
    source = error.source if isinstance(error, LudError) else None
    told = error.message if isinstance(error, LudError) else str(error)
    message, _, hint = told.partition("; did you mean ")
    own = isinstance(source, Source) and source.file == NAME
    line, column = (source.line, source.column) if own and isinstance(source, Source) else (1, 1)
    if source is not None and not own:
        message = f"{source}: {message}"
    return {
        "line": line,
        "column": column,
        "length": _word(text, line, column),
        "message": message,
        "hint": f"did you mean {hint}" if hint else "",
        "missing": isinstance(error, UnsupportedError),
    }


def _word(text: str, line: int, column: int) -> int:
    lines = text.split("\n")
    rest = lines[line - 1][column - 1 :] if line <= len(lines) else ""
    found = re.match(r'\(?[\w:]+|"[^"]*"?|.', rest)
    return len(found[0]) if found else 1
