"""The stages of reading a game text, in order."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path

from ludoport.errors import LudError
from ludoport.lud.brackets import check_closed, check_depth, cut_blocks, strip_comments
from ludoport.lud.macros import Expander, cut_macros
from ludoport.lud.match import Matcher
from ludoport.lud.options import apply_options
from ludoport.lud.ranges import expand_ranges
from ludoport.lud.reader import Node, read_nodes
from ludoport.lud.subgames import Subgames, subgames
from ludoport.lud.text import Sources, Traced
from ludoport.lud.tree import Description, Ludeme, Origin, Text
from ludoport.source import plain_name

_MAX_BYTES = 1_000_000
_DEFAULTS = {
    "equipment": '(equipment {(board (square 3)) (piece "Ball" Each)})',
    "rules": "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))",
}


def read_file(path: str | os.PathLike[str], options: Sequence[str] = (), ruleset: str | None = None) -> Description:
    """Read a ``.lud`` file.

    Args:
        path: the file.
        options: ``Category/Item`` strings; other categories take their defaults.
        ruleset: the name of a ruleset whose options to take.

    Returns:
        The description, bound and checked; that of a match with the descriptions of its games.

    Raises:
        LudError: the file cannot be read, or its text is wrong.
    """
    return _read_file(path, options, ruleset, Subgames(Path(path)))


def _read_file(
    path: str | os.PathLike[str], options: Sequence[str], ruleset: str | None, subgames: Subgames | None
) -> Description:
    name = plain_name(os.fspath(path))
    try:
        with Path(path).open("rb") as file:
            data = file.read(_MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else "not a file name"
        raise LudError(f"cannot read {os.fspath(path)!r}: {reason}") from None
    if len(data) > _MAX_BYTES:
        raise LudError(f"{name} is larger than any game text ({_MAX_BYTES} bytes at most)")
    try:
        text = data.decode("utf-8")
    except UnicodeDecodeError:
        text = data.decode("latin-1")
    return _read_text(text, name, options, ruleset, subgames)


def read_text(
    text: str,
    name: str = "<text>",
    options: Sequence[str] = (),
    ruleset: str | None = None,
    games: Mapping[str, str] | None = None,
) -> Description:
    """Read a game text; see `read_file`. The games of a match are given with it, or bundled.

    Args:
        text: the text.
        name: what errors call it.
        options: ``Category/Item`` strings.
        ruleset: the name of a ruleset.
        games: texts of games of a match, by name.

    Raises:
        LudError: the text is wrong.
    """
    return _read_text(text, name, options, ruleset, Subgames(texts=games or {}))


def read_again(origin: Origin) -> Description:
    """Read a text that was read before; the games of a match came along with it."""
    return _read_text(origin.text, origin.file, origin.options, origin.ruleset, Subgames(known=origin.subgames))


def game_texts(path: Path, options: Sequence[str] = (), ruleset: str | None = None) -> dict[str, str]:
    """Names and texts of the games of a match; empty for a game, and where a text is wrong."""
    try:
        match = read_file(path, options, ruleset)
    except LudError:
        return {}
    names = [str(node.args["name"]) for node in subgames(match.root)] if match.subgames else []
    return {name: game.origin.text for name, game in zip(names, match.subgames, strict=True)}


def _read_text(
    text: str, name: str, options: Sequence[str], ruleset: str | None, subgames: Subgames | None
) -> Description:
    if len(text) > _MAX_BYTES:
        raise LudError(f"{name} is larger than any game text ({_MAX_BYTES} characters at most)")
    if plain_name(text) != text:
        raise LudError(f"{name} is not a text file")
    try:
        return _read(text.replace("\r\n", "\n").replace("\r", "\n"), name, options, ruleset, subgames)
    except RecursionError:
        raise LudError(f"{name}: nesting is too deep") from None


def _read(raw: str, name: str, chosen: Sequence[str], ruleset: str | None, subgames: Subgames | None) -> Description:
    """Read a text.

    Args:
        raw: the text, with newlines only.
        name: what errors call it.
        chosen: options.
        ruleset: the name of a ruleset.
        subgames: where the games of a match come from; None if the text must be a game.
    """
    sources = Sources()
    text = strip_comments(sources.trace(name, raw))
    check_closed(text, sources)
    text, options, rulesets, current = apply_options(text, chosen, ruleset, sources)
    check_depth(text, sources)
    text, metadata = cut_blocks(text, "metadata", sources)
    text, macros = cut_macros(text, sources)
    expander = Expander(macros, sources)
    text = expand_ranges(expander.expand(text), sources)
    root = Matcher(sources, expander.names()).match(*_root(text, name, sources))
    title = root.args.get("name")
    games = []
    if root.keyword == "match" and subgames is not None:
        games = subgames.read(
            root,
            name,
            lambda path, options: _read_file(path, options, None, None),
            lambda origin: _read_text(origin.text, origin.file, origin.options, origin.ruleset, None),
        )
    return Description(
        name=title.text if isinstance(title, Text) else name,
        file=name,
        root=root,
        expanded=text.text.strip(),
        origin=Origin(raw, name, tuple(chosen), ruleset, tuple(game.origin for game in games)),
        options=options,
        rulesets=rulesets,
        ruleset=current,
        metadata="\n".join(block.text for block in metadata),
        subgames=games,
    )


def _root(text: Traced, name: str, sources: Sources) -> tuple[Node, str]:
    """The ``(game ...)`` or ``(match ...)`` of a text, completed, and the type it must fit."""
    nodes = read_nodes(text, sources)
    for kind in ("game", "match"):
        for node in nodes:
            if node.shape == "(" and node.children[0].text == kind:
                if kind == "game":
                    _complete(node, sources)
                return node, kind.capitalize()
    if nodes and nodes[0].shape == "(":
        raise sources.error("a game text begins with `(game ...)` or `(match ...)`", nodes[0].origin)
    raise LudError(f"{name} holds no `(game ...)`")


def _complete(game: Node, sources: Sources) -> None:
    """Add the parts that a game may leave out."""
    heads = {child.children[0].text for child in game.children if child.shape == "("}
    for part, default in _DEFAULTS.items():
        if part not in heads:
            node = read_nodes(sources.trace(f"<default {part}>", default), sources)[0]
            place = next(
                (i for i, c in enumerate(game.children) if c.shape == "(" and c.children[0].text == "rules"), None
            )
            game.children.insert(len(game.children) if place is None else place, node)


__all__ = ["Description", "Ludeme", "read_again", "read_file", "read_text"]
