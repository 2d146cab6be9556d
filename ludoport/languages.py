"""Which language a game is written in: its name or its file tells."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from ludoport.errors import LudoportError
from ludoport.kernels.contract import Rules

GDL_SUFFIXES = (".kif", ".gdl")


def find_rules(name: str | Path, options: Sequence[str] = (), ruleset: str | None = None) -> Rules:
    """The rules of a game.

    Args:
        name: the name of a bundled game; the path of a text, ``.lud`` or ``.kif``; the name of a bundled rulesheet with
            its ``.kif``; or a game of the chess family, in small letters: ``chess``, ``chessplus``, ``gardner``,
            ``gardner-chessplus``, ``chess960:518``.
        options: choices, for texts in the ludemic language.
        ruleset: a ruleset, for the same.
    """
    path = Path(name)
    if path.suffix in GDL_SUFFIXES:
        _no_options(name, options, ruleset)
        return _gdl(path)
    if not path.is_file() and path.suffix != ".lud":
        from ludoport.chess import named_rules

        chess = named_rules(str(name))
        if chess is not None:
            _no_options(name, options, ruleset)
            return chess
    from ludoport.ludemic import find_rules as find_ludemic

    return find_ludemic(name, options, ruleset)


def _gdl(path: Path) -> Rules:
    from ludoport.games import bundled_rulesheets
    from ludoport.gdl import load_rules

    if not path.is_file():
        known = bundled_rulesheets()
        found = known.get(path.name.lower())
        if found is None or path.parent != Path():
            raise LudoportError(f"{path}: no such file; bundled rulesheets are {', '.join(sorted(known))}")
        path = found
    return load_rules(path)


def _no_options(name: str | Path, options: Sequence[str], ruleset: str | None) -> None:
    if options or ruleset:
        raise LudoportError(f"{name} has no options and no rulesets")
