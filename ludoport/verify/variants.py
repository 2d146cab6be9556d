"""Variants: a short name for a game text together with the options chosen in it."""

from __future__ import annotations

import csv
import difflib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from ludoport.errors import LudoportError

BUNDLED = Path(__file__).parent / "data" / "variants.tsv"
"""The variants that Ludoport is measured on."""

_SUFFIXES = (".gz", ".jsonl", ".json")


@dataclass(frozen=True, slots=True)
class Variant:
    """A game text and its options, under one name.

    Attributes:
        id: the name, such as ``hex_7x7``.
        family: variants of one family may exchange knowledge, such as ``hex``.
        lud: path of the game text inside the collection, such as ``/lud/board/space/connection/Hex.lud``.
        options: the chosen ``Category/Item`` pairs; the rest keeps its default.
    """

    id: str
    family: str
    lud: str
    options: tuple[str, ...] = ()

    @property
    def game(self) -> str:
        """Name of the bundled game, which is the name of the file without its ending."""
        return PurePosixPath(self.lud).stem

    def text(self, lud_root: Path | None) -> str:
        """Name to load: the bundled name, or the path of the text under ``lud_root``."""
        if lud_root is None:
            return self.game
        inside = self.lud.lstrip("/")
        candidates = [lud_root / inside.removeprefix("lud/"), lud_root / inside]
        for path in candidates:
            if path.is_file():
                return str(path)
        raise LudoportError(f"{candidates[0]}: no such file (the text of variant {self.id})")


def variant_id(path: Path) -> str:
    """The variant a data file belongs to: its name without the endings.

    >>> variant_id(Path("traces/hex_7x7.jsonl.gz"))
    'hex_7x7'
    """
    name = path.name
    for suffix in _SUFFIXES:
        name = name.removesuffix(suffix)
    return name


def read_variants(path: Path) -> dict[str, Variant]:
    """Reads a ``variants.tsv`` (id, family, lud, options) or an ``index.jsonl`` (id, lud; default options)."""
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LudoportError(f"{path}: cannot read the list of variants ({_reason(error)})") from None
    rows = _from_jsonl(path, text) if path.suffix == ".jsonl" else _from_tsv(path, text)
    return {variant.id: variant for variant in rows}


def find_variants(data: Path, given: Path | None = None) -> dict[str, Variant]:
    """The list of variants that a data file belongs to.

    Args:
        data: a file of traces or perft counts.
        given: the list, if the caller knows it; otherwise it is looked for beside the file and in the folders above,
            and in the end the bundled list is taken.
    """
    if given is not None:
        return read_variants(given)
    name = variant_id(data)
    for folder in list(data.resolve().parents)[:3]:
        for file in ("variants.tsv", "index.jsonl"):
            if (folder / file).is_file():
                variants = read_variants(folder / file)
                if name in variants:
                    return variants
    return read_variants(BUNDLED)


def choose(variants: Mapping[str, Variant], name: str) -> Variant:
    """The variant of that name, or an error with the nearest names."""
    if name in variants:
        return variants[name]
    near = difflib.get_close_matches(name, variants, n=3)
    hint = f"; did you mean {' or '.join(near)}?" if near else f" among {len(variants)} variants"
    raise LudoportError(f"unknown variant {name!r}{hint}")


def _from_tsv(path: Path, text: str) -> Iterable[Variant]:
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith("#")]
    for number, row in enumerate(csv.reader(lines, delimiter="\t", quoting=csv.QUOTE_NONE), start=1):
        if len(row) < 3:
            raise LudoportError(
                f"{path}: row {number} has {len(row)} columns; id, family, lud and options are expected"
            )
        options = row[3] if len(row) > 3 else ""
        yield Variant(row[0], row[1], row[2], tuple(option for option in options.split("|") if option))


def _from_jsonl(path: Path, text: str) -> Iterable[Variant]:
    for number, line in enumerate(text.splitlines(), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line)
            yield Variant(record["id"], "", record["lud"], tuple(record.get("options", ())))
        except (ValueError, KeyError, TypeError) as error:
            raise LudoportError(f"{path}:{number}: not a record with id and lud ({_reason(error)})") from None


def _reason(error: Exception) -> str:
    return getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
