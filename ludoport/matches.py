"""Matches of several games as rules: every question about a position is one about the game that is being played."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ludoport import lud
from ludoport.kernels.contract import default_names
from ludoport.kernels.geometry import Die, Figure, Geometry, MoveSites
from ludoport.lud.tree import Description, Origin
from ludoport.ludemes.core.equipment import read_players
from ludoport.ludemes.matches import CompiledMatch, compile_match, with_players
from ludoport.ludemic import LudemicRules

NEXT_GAME = "move:NextInstance"
"""The recorded notation of the move that begins the next game of a match."""

NEXT_LABEL = "next game"


class MatchRules:
    """The rules of a match of several games; compiled when more than the texts is needed."""

    def __init__(self, description: Description) -> None:
        self.description = description

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, MatchRules):
            return NotImplemented
        return self is other or self.fingerprint == other.fingerprint

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Callable[[Origin], LudemicRules | MatchRules], tuple[Origin]]:
        return _read_again, (_without_folders(self.description.origin),)

    @cached_property
    def compiled(self) -> CompiledMatch:
        """The generated kernels and their layout."""
        return compile_match(self.description)

    @cached_property
    def games(self) -> list[LudemicRules]:
        """The rules of the games, on rows of the match."""
        return [
            LudemicRules(description, compiled)
            for description, compiled in zip(self.description.subgames, self.compiled.games, strict=True)
        ]

    def at(self, state: NDArray[Any]) -> LudemicRules:
        """The rules of the game that is being played in a position."""
        return self.games[int(state[self.fields["INSTANCE"]])]

    @property
    def source(self) -> str:
        """The generated source, with the initial position."""
        return self.compiled.source

    @property
    def name(self) -> str:
        """The name of the match."""
        return self.description.name

    @property
    def title(self) -> str:
        """The name with the options that were asked for."""
        return LudemicRules(self.description).title

    @property
    def n_players(self) -> int:
        """Number of players."""
        return read_players(with_players(self.description.root))[0]

    @property
    def player_names(self) -> tuple[str, ...]:
        """Colours of the players."""
        return default_names(self.n_players)

    @property
    def teams(self) -> bool:
        """Whether players form teams: never in a match, whose rules name the players that win."""
        return False

    @property
    def state_size(self) -> int:
        """Numbers in a state row."""
        return self.compiled.sizes["STATE_SIZE"]

    @property
    def move_size(self) -> int:
        """Numbers in a move row."""
        return self.compiled.sizes["MOVE_SIZE"]

    @property
    def max_moves(self) -> int:
        """No position has more legal moves."""
        return self.compiled.sizes["MAX_MOVES"]

    @property
    def work_size(self) -> int:
        """Numbers of scratch space."""
        return self.compiled.sizes["WORK_SIZE"]

    @property
    def fields(self) -> dict[str, int]:
        """Where the fields of the match begin in a row; those of its games differ from game to game."""
        return self.compiled.fields

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of rows in machine code; moves of all games together may be many."""
        return np.int32

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the texts of the match and of its games."""
        texts = [self.description.expanded, *(LudemicRules(game).fingerprint for game in self.description.subgames)]
        return hashlib.sha256("\n".join(" ".join(text.split()) for text in texts).encode()).hexdigest()[:32]

    def tidy(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Copies of moves in which all numbers are 0 that playing them does not read."""
        tidied = rows.copy()
        for number, game in enumerate(self.games):
            chosen = rows[:, -1] == number
            tidied[chosen, : game.move_size] = game.tidy(rows[chosen, : game.move_size])
            tidied[chosen, game.move_size : -1] = 0
        return tidied

    def move_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The recorded notation of the legal moves of one position, all different."""
        game = self.at(state)
        return [NEXT_GAME] * len(rows) if self._ended(state) else game.move_texts(state, rows[:, : game.move_size])

    def move_labels(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The legal moves of one position by the coordinates of the board, all different."""
        game = self.at(state)
        return [NEXT_LABEL] * len(rows) if self._ended(state) else game.move_labels(state, rows[:, : game.move_size])

    def _ended(self, state: NDArray[Any]) -> bool:
        """Whether the game that was being played is over."""
        return bool(state[self.fields["GAME_OVER"]] != 0)

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """Pieces by site: names, with counts and local states where they matter; stacks from the bottom."""
        return self.at(state).pieces(state)

    @property
    def geometry(self) -> Geometry:
        """The board of the first game; ``at`` gives the rules with the board of a position."""
        return self.games[0].geometry

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """Owners and names of all kinds of pieces of all games."""
        return tuple(dict.fromkeys(kind for game in self.games for kind in game.kinds))

    def figures(self, state: NDArray[Any]) -> dict[int, list[Figure]]:
        """The pieces by site, from the bottom; hands have sites after the board's."""
        return self.at(state).figures(state)

    def move_sites(self, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
        """Sites where a legal move begins and ends, and its effects there."""
        if move[-1] == len(self.games):
            return MoveSites("other")
        game = self.at(state)
        return game.move_sites(state, move[: game.move_size])

    def dice(self, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
        """The dice as the player to move sees them."""
        game = self.at(state)
        if "DICE" not in game.fields:
            return []
        return game.dice(state, state if self._ended(state) else after)

    def picture(self, state: NDArray[Any]) -> str:
        """The board as text, below the name of the game and the match scores."""
        return f"{self.standing(state)}\n{self.at(state).picture(state)}"

    def standing(self, state: NDArray[Any]) -> str:
        """Which game of the match is played, and the match scores."""
        begin = self.fields["SCORE"] + 1
        scores = ":".join(str(int(score)) for score in state[begin : begin + self.n_players])
        number = int(state[self.fields["TRIALS"]]) + (0 if state[self.fields["OVER"]] else 1)
        return f"game {number} ({self.at(state).name}), match score {scores}"


def rules_of(description: Description) -> LudemicRules | MatchRules:
    """The rules of a game text."""
    return MatchRules(description) if description.root.keyword == "match" else LudemicRules(description)


def file_rules(path: Path, options: Sequence[str] = (), ruleset: str | None = None) -> LudemicRules | MatchRules:
    """The rules of a game file: of a game or of a match."""
    return rules_of(lud.read_file(path, options, ruleset))


def _without_folders(origin: Origin) -> Origin:
    """The texts without the folders that they were in, which may not exist elsewhere."""
    games = tuple(map(_without_folders, origin.subgames))
    return replace(origin, file=Path(origin.file).name, subgames=games)


@lru_cache(maxsize=32)
def _read_again(origin: Origin) -> LudemicRules | MatchRules:
    return rules_of(lud.read_again(origin))
