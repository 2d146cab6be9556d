"""Tracks: paths around the board along which pieces are sown or moved."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.equipment import role_number

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program

END = -2
"""The word `End` on a track: the place behind the last site."""


@dataclass(frozen=True)
class Track:
    """One track.

    Attributes:
        index: its place among the tracks of the board.
        name: its name.
        owner: the player who uses it, 0 for all players.
        sites: in order of travel, repetitions in a row dropped.
        looped: whether the first site follows the last.
        directed: whether it can only be followed forwards.
        turns: for each site, how often it was repeated, which marks a turn around a loop.
    """

    index: int
    name: str
    owner: int
    sites: tuple[int, ...]
    looped: bool
    directed: bool
    turns: tuple[int, ...] = ()


@dataclass(frozen=True)
class TrackTables:
    """Tables about all tracks; a position on a track is an index into the sites of all tracks, one after another.

    Attributes:
        site: the site at a position.
        after: the position that follows, or -1.
        before: the position before, or -1.
        at: for each track and site, the first position with that site, or -1.
        size: the number of positions of each track.
        base: the first position of each track.
    """

    site: str
    after: str
    before: str
    at: str
    size: str
    base: str


def tracks(program: Program) -> list[Track]:
    """The tracks of the board, in text order."""
    return program.memo(_read_tracks)


def _read_tracks(program: Program) -> list[Track]:
    found = [_read(program, node, index) for index, node in enumerate(program.board.options.tracks)]
    for loop in program.board.options.loops:
        found.append(Track(len(found), loop.name, 0, _plain(list(loop.sites)), True, False, _turns(list(loop.sites))))
    return found


def _plain(sites: list[int]) -> tuple[int, ...]:
    return tuple(s for k, s in enumerate(sites) if k + 1 == len(sites) or sites[k + 1] != s)


def _turns(sites: list[int]) -> tuple[int, ...]:
    turns: list[int] = []
    count = 0
    for k, site in enumerate(sites):
        if k + 1 < len(sites) and sites[k + 1] == site:
            count += 1
        else:
            turns.append(count)
            count = 0
    return tuple(turns)


def _read(program: Program, node: Value, index: int) -> Track:
    assert isinstance(node, Ludeme)
    role = node.get("role")
    given = node.get("owner")
    owner = given if isinstance(given, int) else 0
    if isinstance(role, Word):
        owner = role_number(role.name, program.n_players) or 0
    listed = node.get("track")
    if isinstance(listed, list):
        sites = [item for item in listed if isinstance(item, int)]
    elif node.get("trackDirection") is not None:
        sites = _walk(program, str(node.args["trackDirection"]), node)
    else:
        raise UnsupportedError("tracks written as steps are not implemented yet", node.source)
    name = node.get("name")
    return Track(
        index,
        str(name) if name is not None else "Track",
        owner,
        _plain(sites),
        node.get("loop") is True,
        node.get("directed") is True,
        _turns(sites),
    )


def _walk(program: Program, text: str, node: Ludeme) -> list[int]:
    """Follow a description such as ``1,E,N2,W``: a site, then directions as far as they go or some steps."""
    sites: list[int] = []
    for step in text.rstrip(",").split(","):
        if step.isdigit():
            sites.append(int(step))
            continue
        if step == "End":
            sites.append(END)
            continue
        match = re.fullmatch(r"([A-Z]+)(\d*)", step)
        if match is None or not sites:
            raise LudError(f"the step `{step}` of the track is wrong", node.source)
        direction, count = match[1], match[2]
        for radial in program.sites.radials(sites[-1], direction):
            steps = list(radial[1:])
            sites += steps[: int(count)] if count else steps
    return sites


def track_tables(program: Program) -> TrackTables:
    """Tables for walking along the tracks."""
    return program.memo(_make_tables)


def _make_tables(program: Program) -> TrackTables:
    site: list[int] = []
    after: list[int] = []
    before: list[int] = []
    base: list[int] = []
    at: list[int] = []
    for track in tracks(program):
        first, size = len(site), len(track.sites)
        base.append(first)
        here = [-1] * program.n_sites
        for k, s in enumerate(track.sites):
            site.append(s)
            last = k + 1 == size
            after.append(first if last and track.looped else -1 if last else first + k + 1)
            inner = 0 < k < size - 1
            before.append(
                -1 if inner and track.directed else first + k - 1 if k else first + size - 1 if track.looped else -1
            )
            if 0 <= s < program.n_sites and here[s] < 0:
                here[s] = first + k
        at += here
    table = program.module.table
    return TrackTables(
        table("TRACK_SITE", site),
        table("TRACK_AFTER", after),
        table("TRACK_BEFORE", before),
        table("TRACK_AT", at),
        table("TRACK_SIZE", [len(t.sites) for t in tracks(program)]),
        table("TRACK_BASE", base),
    )


def crosses(track: Track) -> bool:
    """Whether a track passes a site more than once before its end."""
    return not track.looped and len(set(track.sites)) < len(track.sites)
