"""The player ``net``: search guided by a saved network; its settings are those of ``PuctSettings``."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field, fields
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ludoport.arena.player import REPORTED, Player
from ludoport.arena.players import register
from ludoport.arena.specification import Specification, near, write
from ludoport.errors import LudoportError
from ludoport.nets.finding import find_network, in_zoo, search_settings
from ludoport.search.puct import PuctSettings, Searches
from ludoport.search.result import SearchResult, expected_line, result_of
from ludoport.search.tree import ROOT, SearchFindings

if TYPE_CHECKING:
    from ludoport.game import Game, Move, State
    from ludoport.nets.guide import Guide

DEFAULTS: dict[str, Any] = {"sampled": 0, "temperature": 1.0, **asdict(PuctSettings())}

RUN: dict[str, Any] = {"simulations": 64, "gumbel": True, "sampled": 8}
"""Settings of the network in a folder that does not say how it searches."""


def defaults(file: str) -> dict[str, Any]:
    """The settings of a network where none are given: those of its run if it is given by folder or name in the zoo."""
    if not Path(file).is_dir() and not in_zoo(Path(file)):
        return dict(DEFAULTS)
    return {**DEFAULTS, **{k: v for k, v in (search_settings(Path(file)) or RUN).items() if k in DEFAULTS}}


@dataclass(repr=False)
class NetworkPlayer(Player):
    """Plays the move that a network-guided search visits most, or that Gumbel search ends with.

    Args:
        file: the saved network, the folder of its run, or its name in the zoo.
        settings: settings of its searches.
        sampled: plies at the start of a game in which moves are drawn by their visits, or Gumbel search has its noise,
            so that games differ.
        temperature: of that draw.
    """

    file: str
    settings: PuctSettings = field(default_factory=PuctSettings)
    sampled: int = 0
    temperature: float = 1.0
    _thinking: State | None = field(default=None, init=False, compare=False)

    def __getstate__(self) -> dict[str, Any]:
        """Networks and trees do not travel; every process loads its own."""
        return {f.name: getattr(self, f.name) for f in fields(self)} | {"_thinking": None}

    @property
    def spec(self) -> str:
        """The text of this player, as ``player`` reads it."""
        return write("net", self.file, self._changed(defaults(self.file)))

    @cached_property
    def identity(self) -> str:
        """The content of the network and all settings; a run that learned more has another one."""
        digest = hashlib.sha256(find_network(Path(self.file)).read_bytes()).hexdigest()[:32]
        return write("net", digest, self._changed(DEFAULTS))

    def _changed(self, usual: dict[str, Any]) -> dict[str, object]:
        values = {"sampled": self.sampled, "temperature": self.temperature, **asdict(self.settings)}
        return {k: v for k, v in values.items() if v != usual[k]}

    def begin(self, game: Game, seat: int, seed: int) -> None:
        """Load the network, unless that was done for an earlier game."""
        del seat, seed
        if getattr(self, "_game", None) is not game:
            self._game, self._guide = game, self._load(game)
            self._searches = self._new_searches(game, self._guide)
        self._history = np.full(4, -1, dtype=game.dtype)
        self._plies = 0

    def _load(self, game: Game) -> Guide:
        """The network of this player as a guide of searches of a game."""
        from ludoport.nets import load_torch

        load_torch()
        from ludoport.nets.guide import Guide
        from ludoport.nets.opening import open_network

        return Guide(*open_network(find_network(Path(self.file)), game))

    def _new_searches(self, game: Game, guide: Guide) -> Searches:
        return Searches(game, 1, self.settings, evaluator="batch", layout=guide.layout)

    def choose(self, state: State, seed: int) -> Move:
        """The best move of the search."""
        self._set_root(state, seed, self._noise)
        self._searches.run(self._guide)
        return self._chosen(seed)

    def think(self, state: State, seed: int) -> Iterator[Move | str]:
        """The best move after each evaluation."""
        self._set_root(state, seed, self._noise)
        self._thinking = state
        for _ in self._searches.steps(self._guide):
            found, best = self._found()
            yield found.moves[best]
        yield self._chosen(seed)

    def so_far(self) -> SearchResult | None:
        """Visits, values and priors of all moves in the search that is running."""
        return None if self._thinking is None else self._result(self._thinking)

    @property
    def simulations_so_far(self) -> int:
        """Simulations of the search that is running."""
        return 0 if self._thinking is None else int(self._searches.visits(0).sum())

    @property
    def _early(self) -> bool:
        return self._plies < self.sampled

    @property
    def _noise(self) -> float:
        return 1.0 if self._early else self.settings.gumbel_noise

    def _chosen(self, seed: int) -> Move:
        """The move to play after a search; early in the game it may be drawn."""
        found, best = self._found()
        if self._early and not self.settings.gumbel and not (found.exact == 1).any():
            weights = np.maximum(found.visits, 1e-9) ** (1.0 / self.temperature)
            return found.moves[int(np.random.default_rng(seed).choice(len(weights), p=weights / weights.sum()))]
        return found.moves[best]

    def search(self, state: State, seed: int = 0) -> SearchResult:
        """Visits, values and priors of all moves, and the expected line of play; nothing is drawn by visits."""
        self._set_root(state, seed, self.settings.gumbel_noise)
        self._searches.run(self._guide)
        return self._result(state)

    def searching(self, state: State, seed: int = 0) -> Iterator[SearchResult]:
        """The result so far, about ten times a second."""
        self._set_root(state, seed, self.settings.gumbel_noise)
        last = time.monotonic()
        for _ in self._searches.steps(self._guide):
            if time.monotonic() - last >= REPORTED:
                yield self._result(state)
                last = time.monotonic()
        yield self._result(state)

    def _result(self, state: State) -> SearchResult:
        searches = self._searches
        found, best = self._found()
        follow = partial(expected_line, state, searches.nodes[0], searches.moves[0], int(searches.facts[0, ROOT]))
        priors = searches.sums[0, 1, searches.edges(0)]
        done = int(found.visits.sum())
        return result_of(state, self.spec, found, follow, done, best=best, priors=priors)

    def _set_root(self, state: State, seed: int, scale: float) -> None:
        self._thinking = None
        self._searches.scales[:] = scale
        self._searches.seed(seed)
        self._searches.set_roots(state.row[None], self._history[None])

    def _found(self) -> tuple[SearchFindings, int]:
        found = self._searches.found()
        return found, int(self._searches.policies()[1][0]) if self.settings.gumbel else found.best_index

    def played(self, state: State, move: Move) -> None:
        """Remember the last two moves, which the network sees."""
        self._searches.remember(self._history, state.row, move.row)
        self._plies += 1


def network(file: str | Path, **settings: Any) -> Player:
    """A player that searches with a saved network.

    Args:
        file: the network's file, the folder of its run, or its name in the zoo (``zoo/hex-11x11``); in the last two
            cases, settings that are not given are those of the run.
        settings: see ``PuctSettings``; ``sampled`` and ``temperature`` make the first moves of a game differ.
    """
    for name in settings:
        if name not in DEFAULTS:
            raise LudoportError(f"net has no setting `{name}`{near(name, list(DEFAULTS), 'settings are')}")
    chosen = {**defaults(str(file)), **settings}
    sampled, temperature = chosen.pop("sampled"), chosen.pop("temperature")
    return NetworkPlayer(str(file), PuctSettings(**chosen), sampled, temperature)


@register(
    "net", "net:RUN, net:FILE or net:zoo/NAME[,simulations=N][,gumbel=true][,sampled=PLIES] and other settings of PUCT"
)
def make(specification: Specification) -> Player:
    """The player of a text."""
    settings = specification.named("file", list(DEFAULTS))
    file = settings.text("file", "the run, the file or the name in the zoo of the network")
    try:
        return network(file, **{k: settings.like(k, v) for k, v in DEFAULTS.items() if k in settings})
    except LudoportError as error:
        raise error if str(error).startswith("player ") else specification.refuse(str(error)) from None
