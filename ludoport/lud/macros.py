"""Macros: ``(define "Name" body)`` in the text, the shared ones of ``defs/*.def``, and their expansion."""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

from ludoport.errors import LudError
from ludoport.lud.brackets import STRING, closing, cut_blocks, group_end, skip_blanks, strip_comments
from ludoport.lud.text import Sources, Traced

_STRING = re.compile(STRING, re.DOTALL)
_NAMED = re.compile(r"(?:game|match|instance)\s*\Z")
_LABEL = re.compile(r"[A-Za-z0-9_\-]+:\s*")
_PLAIN = re.compile(r"[^\s(){}\"]+")
_MAX_DEPTH = 100
_MAX_EXPANSIONS = 20_000
_MAX_LENGTH = 1_000_000
_MAX_WORK = 20_000_000


@dataclass(frozen=True, slots=True)
class Macro:
    """A macro of the text at hand."""

    name: str
    body: Traced


@dataclass(frozen=True, slots=True)
class _Shared:
    """A shared macro: the file that holds it and its body as offsets into that file."""

    file: str
    spans: tuple[tuple[int, int], ...]


def _read_define(block: Traced, sources: Sources) -> Macro:
    text = block.text
    start = skip_blanks(text, text.index("define") + len("define"))
    found = _STRING.match(text, start)
    if found is None:
        raise sources.error('a macro needs a quoted name: `(define "Name" ...)`', block.at[0])
    return Macro(found[0][1:-1], block.cut(found.end(), len(text) - 1).strip())


def cut_macros(text: Traced, sources: Sources) -> tuple[Traced, dict[str, Macro]]:
    """Take the defines out of a text, also those inside others; the first of two with one name counts."""
    rest, blocks = cut_blocks(text, "define", sources)
    macros: dict[str, Macro] = {}
    while blocks:
        macro = _read_define(blocks.pop(0), sources)
        body, inner = cut_blocks(macro.body, "define", sources)
        macros.setdefault(macro.name, Macro(macro.name, body.strip()))
        blocks += inner
    return rest, macros


@cache
def _shared() -> tuple[dict[str, str], dict[str, _Shared]]:
    """All shared macros: texts by file name, and macros by name."""
    texts: dict[str, str] = {}
    macros: dict[str, _Shared] = {}
    for path in sorted(files("ludoport.lud").joinpath("defs").iterdir(), key=lambda path: path.name):
        if not path.name.endswith(".def"):
            continue
        texts[path.name] = path.read_text(encoding="utf-8")
        sources = Sources()
        rest, found = cut_macros(strip_comments(sources.trace(path.name, texts[path.name])), sources)
        if rest.text.strip():
            raise sources.error("only comments and defines belong into a .def file", rest.strip().at[0])
        for macro in found.values():
            macros[macro.name] = _Shared(path.name, _spans(macro.body.at))
    return texts, macros


def _spans(at: array[int]) -> tuple[tuple[int, int], ...]:
    """Runs of consecutive offsets; comments inside a body make several."""
    spans: list[tuple[int, int]] = []
    for offset in at:
        if spans and spans[-1][1] == offset:
            spans[-1] = (spans[-1][0], offset + 1)
        else:
            spans.append((offset, offset + 1))
    return tuple(spans)


def shared_names() -> frozenset[str]:
    """The names of all shared macros."""
    return frozenset(_shared()[1])


class Expander:
    """Replaces macro calls by bodies until none is left.

    Args:
        macros: the macros of the text itself; they win over shared ones of the same name.
        sources: the register of files, to which used ``.def`` files are added.
    """

    def __init__(self, macros: dict[str, Macro], sources: Sources) -> None:
        self._own = macros
        self._sources = sources
        self._loaded: dict[str, Macro | None] = {}
        self._bases: dict[str, int] = {}

    def names(self) -> set[str]:
        """Every macro that could be called here."""
        return set(self._own) | shared_names()

    def expand(self, text: Traced) -> Traced:
        """The text with every macro call replaced.

        Raises:
            LudError: a macro expands for ever, or to more text than any game needs.
        """
        done: list[Traced] = []
        pending: list[tuple[Traced, int, str]] = [(text, 0, "")]
        length = expansions = work = 0
        while pending:
            piece, position, name = pending.pop()
            call = self._next_call(piece, position)
            upto = call[0] if call else len(piece)
            if upto > position:
                done.append(piece.cut(position, upto))
                length += upto - position
            if call is None:
                continue
            start, end, macro, arguments = call
            expansions += 1
            if len(pending) > _MAX_DEPTH or expansions > _MAX_EXPANSIONS or length > _MAX_LENGTH:
                raise self._endless(macro, piece.at[start], [entry[2] for entry in pending] + [name])
            if end < len(piece):
                pending.append((piece, end, name))
            body = _fill(macro.body, arguments)
            work += len(body)
            if work > _MAX_WORK:
                raise self._endless(macro, piece.at[start], [])
            pending.append((body, 0, macro.name))
        return Traced.join(done)

    def _endless(self, macro: Macro, origin: int, chain: list[str]) -> LudError:
        loop = sorted({name for name in chain if name})
        through = f" (through {', '.join(loop)})" if loop and loop != [macro.name] and len(loop) < 6 else ""
        return self._sources.error(f'the macro "{macro.name}" expands for ever{through}', origin)

    def _next_call(self, piece: Traced, position: int) -> tuple[int, int, Macro, list[Traced]] | None:
        """The next macro call from ``position`` on: its start, its end, the macro and the arguments."""
        text = piece.text
        while True:
            found = _STRING.search(text, position)
            if found is None:
                return None
            position = found.end()
            macro = self._find(found[0][1:-1])
            if macro is None or _NAMED.search(text, max(0, found.start() - 12), found.start()):
                continue
            before = found.start() - 1
            while before >= 0 and text[before].isspace():
                before -= 1
            if before < 0 or text[before] != "(":
                return found.start(), found.end(), macro, []
            end = closing(piece, before, self._sources)
            return before, end + 1, macro, split_arguments(piece.cut(found.end(), end))

    def _find(self, name: str) -> Macro | None:
        own = self._own.get(name)
        if own is not None:
            return own
        if name not in self._loaded:
            texts, shared = _shared()
            entry = shared.get(name)
            self._loaded[name] = None
            if entry is not None:
                text = texts[entry.file]
                if entry.file not in self._bases:
                    self._bases[entry.file] = self._sources.add(entry.file, text)
                base = self._bases[entry.file]
                parts = [Traced(text[a:b], array("q", range(base + a, base + b))) for a, b in entry.spans]
                self._loaded[name] = Macro(name, Traced.join(parts))
        return self._loaded[name]


def split_arguments(text: Traced) -> list[Traced]:
    """Cut the text after a macro's name into arguments: words, strings and bracket groups, each with its label."""
    arguments: list[Traced] = []
    raw = text.text
    position = skip_blanks(raw, 0)
    while position < len(raw):
        start = position
        label = _LABEL.match(raw, position)
        if label is not None and label.end() < len(raw):
            position = label.end()
        position = _argument_end(raw, position)
        arguments.append(text.cut(start, position))
        position = skip_blanks(raw, position)
    return arguments


def _argument_end(raw: str, position: int) -> int:
    """End of the argument at ``position``; pieces that touch belong together, as in ``"A1".."C3"``."""
    start = position
    while position < len(raw) and not raw[position].isspace():
        char = raw[position]
        if char in "({" or (char == "<" and position == start):
            position = group_end(raw, position)
            # A closed group ends the argument, whatever follows it.
            break
        found = _STRING.match(raw, position) or _PLAIN.match(raw, position)
        position = found.end() if found else position + 1
    return position


def _fill(body: Traced, arguments: list[Traced]) -> Traced:
    """Put the arguments in place of ``#1`` to ``#9``."""
    count = 0
    while count < 9 and f"#{count + 1}" in body.text:
        count += 1
    if count == 0:
        return body
    parts: list[Traced] = []
    start = 0
    for found in re.finditer(rf"#([1-{count}])", body.text):
        parts.append(body.cut(start, found.start()))
        index = int(found[1]) - 1
        if index < len(arguments) and arguments[index].text != "~":
            parts.append(arguments[index])
        start = found.end()
    parts.append(body.cut(start, len(body)))
    return Traced.join(parts)
