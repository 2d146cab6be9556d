"""Names of games: one function decides which game a name means, for every command and every call.

Every bundled game has one name. Two games never differ by letter case, blanks and hyphens alone: rulesheets end with
``.kif``, and chess with kernels of its own is ``Chess 8x8``, because ``Chess`` is a game file. The chess family has
short names too, such as ``gardner``. A name may be written in any case, with blanks or hyphens, and without its
ending; where several games could be meant, as by ``chess``, it is refused with the choices.
"""

from __future__ import annotations

import difflib
import os
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Literal

from ludoport.errors import LudoportError
from ludoport.games import bundled, bundled_rulesheets
from ludoport.kernels.contract import Rules

Language = Literal["ludemic", "chess", "GDL"]
"""What a game is written in: a game file, the variants of ``ludoport/chess``, or a rulesheet."""

NOUNS: dict[Language, str] = {"ludemic": "game file", "chess": "game of the chess family", "GDL": "rulesheet"}

SUFFIXES: dict[str, Language] = {".lud": "ludemic", ".kif": "GDL", ".gdl": "GDL"}


@dataclass(frozen=True)
class KnownGame:
    """A game that is found by name, or a file.

    Attributes:
        name: its one name.
        language: what it is written in.
        path: its file; None for the chess family.
        also: other names by which it is found.
    """

    name: str
    language: Language
    path: Path | None = None
    also: tuple[str, ...] = ()

    @property
    def spellings(self) -> set[str]:
        """Everything that means this game, in small letters and without blanks and hyphens."""
        names = (self.name, self.name.removesuffix(".kif"), *self.also)
        return {plain(name) for name in names}


def plain(name: str) -> str:
    """A name as names are compared.

    >>> plain("Tic-Tac-Toe") == plain("tic tac toe")
    True
    """
    return "".join(c for c in name.casefold() if c not in " -_")


@cache
def known_games() -> tuple[KnownGame, ...]:
    """All games that have names, by language."""
    from ludoport.chess import NAMED

    return (
        *(KnownGame(name, "ludemic", path, (f"{name}.lud",)) for name, path in bundled().items()),
        *(KnownGame(variant.name, "chess", also=(short,)) for short, variant in NAMED.items()),
        *(KnownGame(name, "GDL", path) for name, path in bundled_rulesheets().items()),
    )


def find_game(name: str | Path, language: Language | None = None) -> KnownGame:
    """The game that a name or a path means.

    Args:
        name: a name such as ``Hex``, ``Chess 8x8``, ``chess960:518`` or ``tic-tac-toe.kif``, or the path of a game file
            (``.lud``) or rulesheet (``.kif``).
        language: consider only games in this language; a rulesheet then needs no ``.kif``.

    Raises:
        LudoportError: there is no such game, or several could be meant.
    """
    text, path = os.fspath(name), Path(name)
    suffix = SUFFIXES.get(path.suffix.lower())
    there = _is_file(path)
    if suffix is not None and there:
        return KnownGame(path.stem, _allowed(text, suffix, language), path)
    if not isinstance(name, Path) and (found := _named(text, language)):
        return found
    if there:
        return KnownGame(path.stem, language or "ludemic", path)
    if suffix is not None or path.name != text:
        reason = "is a folder, not a game file" if path.is_dir() else f"no such file{_near(path.name, language)}"
        raise LudoportError(f"{text}: {reason}")
    raise _unknown(text, language)


def named_game(name: str) -> KnownGame:
    """The game that a name means; a path means none, so names of strangers open no files.

    Raises:
        LudoportError: there is no such game, or several could be meant.
    """
    found = _named(name, None)
    if not found:
        raise _unknown(name[:80], None)
    return found


def chosen(options: Sequence[str]) -> tuple[str, ...]:
    """Options as a tuple. A single text would be taken for a list of letters, so it is refused."""
    if isinstance(options, str):
        raise LudoportError(f'options are a list: options=["{options}"]')
    return tuple(options)


def find_rules(
    name: str | Path, options: Sequence[str] = (), ruleset: str | None = None, language: Language | None = None
) -> Rules:
    """The rules of the game that a name or a path means.

    Args:
        name: see `find_game`.
        options: choices such as ``Board Size/7x7``, for game files.
        ruleset: a ruleset, for game files.
        language: consider only games in this language.
    """
    game = find_game(name, language)
    if game.language == "ludemic":
        from ludoport.matches import file_rules

        assert game.path is not None
        return file_rules(game.path, options, ruleset)
    if options or ruleset:
        raise LudoportError(f"{game.name} has no options and no rulesets")
    if game.language == "GDL":
        from ludoport.gdl import load_rules

        assert game.path is not None
        return load_rules(game.path, game.path.name)
    from ludoport.chess import named_rules

    rules = named_rules(game.name)
    assert rules is not None
    return rules


def _numbered(text: str) -> list[KnownGame]:
    """Start positions of Chess960, which are too many to be listed."""
    from ludoport.chess import named_variant

    head, colon, number = text.partition(":")
    variant = named_variant(f"{plain(head)}:{number}") if colon else None
    return [] if variant is None else [KnownGame(variant.name, "chess")]


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except (OSError, ValueError):  # no file can have such a name
        return False


def _allowed(name: str, language: Language, wanted: Language | None) -> Language:
    if wanted not in (None, language):
        raise LudoportError(f"{name} is a game in another language: {language}, not {wanted}")
    return language


def _named(text: str, language: Language | None) -> KnownGame | None:
    games = _games_in(language)
    found = [game for game in games if text == game.name]
    found = found or [game for game in games if plain(text) in game.spellings]
    if not found and language in (None, "chess"):
        found = _numbered(text)
    if len(found) > 1:
        choices = " or ".join(f"{game.name} ({game.language})" for game in found)
        raise LudoportError(f"`{text}` may be {choices}; write one of these names")
    return found[0] if found else None


def _games_in(language: Language | None) -> list[KnownGame]:
    return [game for game in known_games() if language in (None, game.language)]


def _unknown(text: str, language: Language | None) -> LudoportError:
    what = "game" if language is None else NOUNS[language]
    return LudoportError(f"unknown {what} `{text}`{_near(text, language) or '; `ludoport games` lists all'}")


def _near(text: str, language: Language | None) -> str:
    names = {spelling: game.name for game in _games_in(language) for spelling in game.spellings}
    near = difflib.get_close_matches(plain(text), list(names), 3, 0.6)
    return f"; did you mean {' or '.join(dict.fromkeys(names[n] for n in near))}?" if near else ""
