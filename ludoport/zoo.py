"""The zoo: trained networks, with a manifest that says what each is for, how it was made and how strong it is.

A zoo is a folder, or an address that serves the same files: ``manifest.json`` and the networks it names. A clone of the
repository has one; ``LUDOPORT_ZOO`` names another. Networks from an address are kept in the cache. Every network is
compared with its checksum whenever it is asked for.
"""

from __future__ import annotations

import difflib
import hashlib
import os
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

from ludoport.errors import LudoportError
from ludoport.files import damaged, parse_json, read_text, write_atomically
from ludoport.kernels.cache import private_cache

MANIFEST = "manifest.json"
FORMAT = "ludoport-zoo"
VERSION = 1
"""Raised when older programs can no longer read a manifest."""

PREFIX = "zoo/"
"""What the names of networks begin with where a file or a player is named, as in ``net:zoo/hex-11x11``."""

NO_ZOO = (
    "no zoo here; a clone of the repository has one, and LUDOPORT_ZOO may name the folder or the address of another one"
)

MOST_BYTES = 64 << 20
"""No download is larger."""

SECONDS = 30.0
"""Time for a download to answer."""

_NAME = re.compile(r"[a-z0-9][a-z0-9-]{0,99}")
_ADDRESS = re.compile(r"https?://", re.IGNORECASE)


@dataclass(frozen=True)
class Strength:
    """The result of a match of a network against a fixed player.

    Attributes:
        settings: how the network searched.
        against: the other player.
        wins: games that the network won.
        draws: games without a winner.
        losses: games that the other player won.
        score: points per game.
        low: lower end of the 95 % interval of the score.
        high: upper end of that interval.
        seed: random seed of the match.
        precision: of the weights that played, ``half`` or ``single``.
    """

    settings: str
    against: str
    wins: int
    draws: int
    losses: int
    score: float
    low: float
    high: float
    seed: int
    precision: str

    def __str__(self) -> str:
        return (
            f"{100 * self.score:.0f} % ({100 * self.low:.0f} to {100 * self.high:.0f} %) "
            f"in {self.wins + self.draws + self.losses} games against {self.against}"
        )


@dataclass(frozen=True)
class ZooNetwork:
    """A network of the zoo.

    Attributes:
        name: what stands after ``zoo/`` where it is named.
        game: name of the game that it was trained for.
        options: options of that game.
        fingerprint: of the rules of that game.
        size: of its file, in bytes.
        sha256: checksum of its file.
        licence: under which it may be used.
        command: the command that trained it.
        device: what it was trained on.
        seconds: time of training.
        epochs: epochs of training.
        positions: positions of self-play.
        strength: its matches.
        place: the folder or address of its zoo.
    """

    name: str
    game: str
    options: tuple[str, ...]
    fingerprint: str
    size: int
    sha256: str
    licence: str
    command: str
    device: str
    seconds: float
    epochs: int
    positions: int
    strength: tuple[Strength, ...]
    place: str

    @property
    def title(self) -> str:
        """The game and its options in a few words."""
        return " ".join([self.game, *(option.rpartition("/")[2] for option in self.options)])

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.name}.safetensors"

    @property
    def path(self) -> Path:
        """Its file, compared with the checksum; downloaded first where the zoo is an address.

        Raises:
            LudoportError: there is no such file, or it is not the one that the manifest describes.
        """
        if not _ADDRESS.match(self.place):
            found = Path(self.place) / self.file
            if not found.is_file():
                raise LudoportError(f"{found}: no such file, though {MANIFEST} of the zoo names it")
            self._check(found.read_bytes(), str(found))
            return found
        kept = _kept(self.place) / self.file
        if not kept.is_file() or hashlib.sha256(kept.read_bytes()).hexdigest() != self.sha256:
            data = _download(f"{_base(self.place)}/{self.file}")
            self._check(data, f"{_base(self.place)}/{self.file}")
            write_atomically(kept, data)
        return kept

    def _check(self, data: bytes, where: str) -> None:
        if hashlib.sha256(data).hexdigest() != self.sha256:
            raise LudoportError(f"{where}: not the network that the zoo describes: its SHA-256 is not {self.sha256}")

    def as_json(self) -> dict[str, Any]:
        """The entry of the manifest."""
        return {name: value for name, value in asdict(self).items() if name != "place"}


def zoo_place() -> str:
    """The folder or address of the zoo; empty if there is none."""
    chosen = os.environ.get("LUDOPORT_ZOO")
    if chosen:
        return chosen
    clone = Path(__file__).resolve().parents[1] / "zoo"
    return str(clone) if (clone / MANIFEST).is_file() else ""


def zoo_networks() -> list[ZooNetwork]:
    """All networks of the zoo, by name; none where there is no zoo.

    Raises:
        LudoportError: its manifest cannot be read.
    """
    place = zoo_place()
    if not place:
        return []
    if _ADDRESS.match(place):
        return list(_served(place))
    path = Path(place) / MANIFEST
    return _networks(read_text(path), str(path), place)


def known_networks() -> list[ZooNetwork]:
    """The same for lists of other kinds; an unreadable zoo gives no error there."""
    try:
        return zoo_networks()
    except LudoportError:
        return []


def zoo_network(name: str) -> ZooNetwork:
    """The network with a name.

    Raises:
        LudoportError: there is none.
    """
    networks = {network.name: network for network in zoo_networks()}
    if name in networks:
        return networks[name]
    if not networks:
        raise LudoportError(f"unknown network `{name}`: {NO_ZOO}")
    near = difflib.get_close_matches(name, networks, 2, 0.5)
    hint = f"did you mean {' or '.join(f'`{other}`' for other in near)}?" if near else "`ludoport zoo` lists all"
    raise LudoportError(f"the zoo has no network `{name}`; {hint}")


@cache
def _served(address: str) -> tuple[ZooNetwork, ...]:
    """The networks of an address; if it does not answer, as they were when it last did."""
    where, kept = f"{_base(address)}/{MANIFEST}", _kept(address) / MANIFEST
    _, _, wanted = address.partition("#sha256=")
    try:
        data = _download(where)
    except LudoportError:
        if not kept.is_file():
            raise
        data = kept.read_bytes()
    if wanted and hashlib.sha256(data).hexdigest() != wanted:
        raise LudoportError(f"{where}: its SHA-256 is not {wanted}, which LUDOPORT_ZOO asks for")
    try:
        text = data.decode()
    except UnicodeDecodeError:
        raise damaged(where, "not UTF-8", "ask who serves it") from None
    found = tuple(_networks(text, where, address))
    write_atomically(kept, data)
    return found


def _base(address: str) -> str:
    return address.partition("#")[0].rstrip("/")


def _kept(address: str) -> Path:
    """Where files from an address are kept."""
    folder = private_cache() / "zoo" / hashlib.sha256(address.encode()).hexdigest()[:16]
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def _download(address: str) -> bytes:
    # Imported here because every command imports this file, and most of them download nothing.
    from urllib.error import URLError
    from urllib.request import Request, urlopen

    request = Request(address, headers={"User-Agent": "ludoport"})
    try:
        with urlopen(request, timeout=SECONDS) as answer:
            data: bytes = answer.read(MOST_BYTES + 1)
    except (URLError, OSError, ValueError) as error:
        raise LudoportError(f"{address}: cannot be downloaded ({getattr(error, 'reason', None) or error})") from None
    if len(data) > MOST_BYTES:
        raise LudoportError(f"{address}: larger than {MOST_BYTES >> 20} MB, which no network of a zoo is")
    return data


def _networks(text: str, where: str, place: str) -> list[ZooNetwork]:
    try:
        record = parse_json(text)
        if record["format"] != FORMAT or not isinstance(record["version"], int):
            raise ValueError("its format is not that of a zoo")
        if record["version"] > VERSION:
            raise LudoportError(f"{where}: written for a newer Ludoport (format {record['version']})")
        found = [_network(entry, place) for entry in record["networks"]]
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, LudoportError):
            raise
        raise damaged(where, f"not the manifest of a zoo: {error!r}") from None
    return sorted(found, key=lambda network: network.name)


def _network(entry: Mapping[str, Any], place: str) -> ZooNetwork:
    if not _NAME.fullmatch(entry["name"]):  # it becomes the name of a file
        problem = "has characters other than small letters, digits and hyphens, or more than 100"
        raise ValueError(f"the name {entry['name']!r:.60} {problem}")
    strength = tuple(_checked(Strength(**match)) for match in entry["strength"])
    found = ZooNetwork(**{**entry, "options": tuple(entry["options"]), "strength": strength, "place": place})
    for option in found.options:
        _check_value("an option", option, "str")
    return _checked(found)


Entry = TypeVar("Entry", Strength, ZooNetwork)


def _checked(entry: Entry) -> Entry:
    """An entry whose texts and numbers are what they should be: they are printed and calculated with."""
    for one in fields(entry):
        _check_value(one.name, getattr(entry, one.name), str(one.type))
    return entry


def _check_value(name: str, value: Any, kind: str) -> None:
    right = {"str": (str,), "int": (int,), "float": (int, float)}.get(kind)
    if right is None:
        return
    if type(value) not in right or (kind != "str" and not abs(value) < 2**63):  # nor is NaN
        raise ValueError(f"{name} is {value!r:.60}")
    if kind == "str" and not value.isprintable():
        raise ValueError(f"{name} has characters that cannot be printed")
