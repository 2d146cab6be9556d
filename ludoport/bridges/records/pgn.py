"""Records of the chess family as PGN; the tag Variant names games other than chess."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Iterator

from ludoport.bridges.records.record import Record
from ludoport.chess.rules import ChessRules
from ludoport.errors import LudoportError

RESULTS = {"1-0", "0-1", "1/2-1/2", "*"}
CHESS = ("chess", "Chess 8x8", "Standard", "")

_TAG = re.compile(r'^\[(\w+)\s+"((?:[^"\\]|\\.)*)"\]\s*$')
# `(NP)d4` moves a merged piece of Chessplus; every other bracket is a variation.
# A comment that is not closed goes to the end, so nothing is read twice.
_TOKEN = re.compile(r"\{[^}]*+(?:\}|\Z)|;[^\n]*|\$\d+|\d+\.+|(?:\([KQRBNP]{2}\))?[^\s(){};]+|[()]")


def write(record: Record) -> str:
    """A record as PGN."""
    states, moves = record.line()
    if not isinstance(states[0].game.rules, ChessRules):
        raise LudoportError(f"{record.game}: PGN is for games of the chess family")
    tags = {"Event": "?", "Site": "?", "Date": "????.??.??", "Round": "?", "White": "?", "Black": "?"}
    tags |= {name: value for name, value in record.facts.items() if re.fullmatch(r"\w+", name)}
    tags["Result"] = record.result
    if record.game not in CHESS:
        tags["Variant"] = record.game
    if record.start:
        tags |= {"SetUp": "1", "FEN": record.start}
    words, fields = list[str](), record.start.split()
    number = int(fields[5]) if len(fields) > 5 and fields[5].isdecimal() else 1
    for state, move in zip(states, moves, strict=False):
        if state.mover == 1:
            words.append(f"{number}.")
        elif not words:
            words.append(f"{number}...")
        words.append(move.text)
        number += state.mover == 2
    lines = [f'[{name} "{_escaped(value)}"]' for name, value in tags.items()]
    body = textwrap.fill(" ".join([*words, record.result]), 80, break_on_hyphens=False, break_long_words=False)
    return "\n".join([*lines, "", body, ""])


def read(text: str) -> list[Record]:
    """All games of a PGN text; comments and variations are left out."""
    records, tags, body, comment = list[Record](), dict[str, str](), list[str](), False
    for line in [*text.replace("\ufeff", "").splitlines(), '[End "of file"]']:
        tag = _TAG.match(line.strip()) if not comment else None
        if tag is None:
            if not line.startswith("%"):
                body.append(line)
                comment = line.rfind("{") > line.rfind("}") if "{" in line or "}" in line else comment
            continue
        if any(part.strip() for part in body):
            records.append(_record(tags, "\n".join(body)))
            tags, body = {}, []
        tags[tag[1]] = tag[2].replace('\\"', '"').replace("\\\\", "\\")
    return records


def _record(tags: dict[str, str], body: str) -> Record:
    moves, result = list[str](), tags.pop("Result", "*")
    for word in _main_line(body):
        if word in RESULTS:
            result = word
        else:
            moves.append(word.rstrip("!?"))
    variant = tags.pop("Variant", "")
    start = tags.pop("FEN", "")
    tags.pop("SetUp", None)
    facts = {name: value for name, value in tags.items() if not set(value) <= set("?.")}
    record = Record("Chess 8x8" if variant in CHESS else variant, (), tuple(moves), result, start, facts)
    # Labels are the same however a move is written.
    return Record(record.game, (), tuple(move.label for move in record.line()[1]), result, start, facts)


def _main_line(body: str) -> Iterator[str]:
    depth = 0
    for word in _TOKEN.findall(body):
        if word in "()":
            depth += 1 if word == "(" else -1
        elif depth == 0 and word[0] not in "{;$" and not re.fullmatch(r"\d+\.+", word):
            yield re.sub(r"^\d+\.+", "", word)


def _escaped(value: str) -> str:
    return value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", " ")
