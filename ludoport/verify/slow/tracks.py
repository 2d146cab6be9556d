"""Tracks: the sites of a way round or across the board, in order."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.boards import Board
from ludoport.boards.directions import SPECIFIC
from ludoport.lud.tree import Ludeme, Text
from ludoport.verify.slow.registry import NotCovered


@dataclass(frozen=True)
class SiteTrack:
    """A track.

    Attributes:
        sites: in order; a site may occur more than once.
        loop: whether the first follows the last.
    """

    name: str
    owner: int
    sites: tuple[int, ...]
    loop: bool

    def after(self, index: int) -> int:
        """The index that follows another, -1 at the end."""
        if index + 1 < len(self.sites):
            return index + 1
        return 0 if self.loop else -1

    def before(self, index: int) -> int:
        """The index before another, -1 at the beginning."""
        if index > 0:
            return index - 1
        return len(self.sites) - 1 if self.loop else -1


def read_track(node: Ludeme, board: Board, owner: int) -> SiteTrack:
    """The track that a ``(track ...)`` describes."""
    name = str(node.args["name"])
    loop = node.get("loop") is True
    listed = node.get("track")
    if isinstance(listed, list):
        sites = [int(s) if not isinstance(s, Ludeme) else -9 for s in listed]  # type: ignore[arg-type]
    else:
        text = node.args["trackDirection"]
        assert isinstance(text, Text)
        sites = _walk(text.text, board)
    return SiteTrack(name, owner, tuple(sites), loop)


def _walk(text: str, board: Board) -> list[int]:
    found: list[int] = []
    for token in text.split(","):
        token = token.strip()
        name = token.rstrip("0123456789")
        if token.lstrip("-").isdigit():
            found.append(int(token))
        elif name in SPECIFIC and found:
            steps = int(token[len(name) :]) if token[len(name) :] else -1
            while steps != 0:
                ahead = board.default.steps(found[-1], name)
                if not ahead:
                    break
                found.append(ahead[0])
                steps -= 1
        elif token in ("End", "Off"):
            found.append(-2 if token == "End" else -1)
        elif board.site_of(token) is not None:
            site = board.site_of(token)
            assert site is not None
            found.append(site)
        else:
            raise NotCovered(f"the track step {token}")
    return found
