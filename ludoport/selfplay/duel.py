"""Duels: two networks play all games of a match side by side, and each judges the leaves of all of them in one batch.

A match of ``ludoport.arena`` plays one game after another, each leaf alone. Here it is first one network's turn in all
games in which it is to move, then the other's; after the first turn, that is nearly always all games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import NDArray

from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.luck import Luck
from ludoport.arena.playing import LIMIT, Outcome, Pairing, PlayedGame, pairing
from ludoport.arena.result import MatchResult, Tally
from ludoport.arena.storage import MatchEntry, MatchStore
from ludoport.errors import LudoportError
from ludoport.game import State, as_game
from ludoport.nets.files import SavedNetwork
from ludoport.nets.guide import fitting_layout
from ludoport.nets.opening import open_network
from ludoport.search.chance import has_chance
from ludoport.search.puct import PuctSettings, usual_moves
from ludoport.selfplay.duel_board import Contestant, CpuBoard, DuelBoard, DuelRules, Sides
from ludoport.selfplay.fitting import with_fewer

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.duel_device import DeviceBoard

MEMORY = 2 * 1024**3
"""Trees of one batch of games take at most about this many bytes; further games wait for the next batch."""

TOGETHER = 8
"""Duels that are played in parallel on a CUDA device."""

_BOARDS: dict[tuple[Any, ...], tuple[DeviceBoard, int]] = {}
"""The last board on a device and its number of duels, for the next ones of the same kind: its graphs and memory are
there already."""

Given = Path | str | SavedNetwork | NetworkPlayer


def duel(
    game: Game | str | Path,
    a: Given | Contestant,
    b: Given | Contestant,
    *,
    games: int = 300,
    simulations: int = 40,
    settings: PuctSettings | None = None,
    sampled: int = 8,
    drawing: Literal["visits", "polygames"] = "visits",
    temperature: float = 1.0,
    device: str = "cpu",
    seed: int = 1,
    limit: int = LIMIT,
    at_once: int | None = None,
    store: str | Path | None = None,
    label: str | None = None,
    progress: Callable[[MatchResult], None] | None = None,
) -> MatchResult:
    """Let two networks play each other, many games at once; a begins in games 0, 2, 4 ..., b in the others.

    The strength is that of ``match`` between two players ``net``; single games differ, because rounding depends on what
    else is in a batch. An interrupted duel keeps the batches that ended; the same call with the same store plays what
    is missing.

    Args:
        game: a game of two players, its name, or the path of its file.
        a: the file of a network, a loaded one, or what ``train`` and ``transfer`` gave.
        b: the other one; layouts and shapes of both may differ.
        games: number of games; an even one gives both the same chances.
        simulations: of every search.
        settings: other settings of the search.
        sampled: number of first plies in which moves are drawn, so that games differ; Gumbel search draws by its noise,
            which is that of the settings afterwards.
        drawing: drawing of moves by PUCT: by ``visits``, or by the curve of ``polygames``.
        temperature: of a draw by visits.
        device: ``cpu`` or ``cuda``.
        seed: random seed.
        limit: maximum number of moves; longer games count as draws.
        at_once: games of one batch; default: as many as fit into memory.
        store: the SQLite file that keeps the games.
        label: name of the game in results; default: its name.
        progress: called with the result so far after every batch of games.
    """
    found = duels(
        game, [Duel(a, b, seed)], games=games, simulations=simulations, settings=settings, sampled=sampled,
        drawing=drawing, temperature=temperature, device=device, limit=limit, at_once=at_once, store=store,
        label=label, progress=progress,
    )  # fmt: skip
    return found[0]


@dataclass(frozen=True)
class Duel:
    """One of several duels: two networks and a random seed."""

    a: Given | Contestant
    b: Given | Contestant
    seed: int = 1


def duels(
    game: Game | str | Path,
    of: Sequence[Duel],
    *,
    games: int = 300,
    simulations: int = 40,
    settings: PuctSettings | None = None,
    sampled: int = 8,
    drawing: Literal["visits", "polygames"] = "visits",
    temperature: float = 1.0,
    device: str = "cpu",
    limit: int = LIMIT,
    at_once: int | None = None,
    store: str | Path | None = None,
    label: str | None = None,
    progress: Callable[[MatchResult], None] | None = None,
) -> list[MatchResult]:
    """Play several duels of one game; on a CUDA device up to ``TOGETHER`` of them in parallel.

    Args:
        game: see ``duel``, also for everything that is not mentioned here.
        of: the players.
        games: number of games of each duel.
        simulations: of every search.
        settings: other settings of the search.
        sampled: number of first plies in which moves are drawn.
        drawing: drawing of moves by PUCT.
        temperature: of a draw by visits.
        device: ``cpu`` or ``cuda``.
        limit: maximum number of moves.
        at_once: games of one batch of each duel.
        store: the SQLite file that keeps the games of all duels.
        label: name of the game in results.
        progress: called with the result of a duel so far whenever some of its games end.

    Returns:
        The results in the order of the duels.
    """
    game = as_game(game)
    _check(game, games, simulations, limit, at_once)
    rules = DuelRules(
        replace(settings or PuctSettings(), simulations=simulations, leaves=1), sampled, drawing, temperature, limit
    )
    known: dict[Any, Contestant] = {}
    with MatchStore(store) as file:
        under_way = [_Under(game, _sides(game, one, known), rules, one.seed, games, label, file) for one in of]
        open_ = [one for one in under_way if one.missing]
        for group in _groups(open_, TOGETHER if device == "cuda" else 1):
            for now in _rounds(game, group, rules, device, at_once):
                for one, batch in zip(group, now, strict=True):
                    one.add(batch)
                    if progress is not None:
                        progress(one.tally.result())
        return [one.tally.result() for one in under_way]


class _Under:
    """A duel under way: who plays, and which games are missing."""

    def __init__(
        self, game: Game, sides: Sides, rules: DuelRules, seed: int, games: int, label: str | None, file: MatchStore
    ) -> None:
        entry = _entry(game, sides, rules, seed, label)
        self.sides, self._file, self._number = sides, file, file.enter(entry)
        self.tally = Tally(entry, games, None, file.path, mirrored=has_chance(game))
        for played in file.games(self._number):
            self.tally.add(played)
        self.missing = [pairing(seed, k) for k in self.tally.missing()]

    @property
    def shape(self) -> tuple[Any, ...]:
        """State shared by the duels on one board of a device."""
        return tuple((side.layout.layout, side.layout.shape, side.net.config) for side in self.sides)

    def add(self, batch: list[PlayedGame]) -> None:
        """Keep games."""
        for played in batch:
            self._file.add(self._number, played)
            self.tally.add(played)


def _sides(game: Game, one: Duel, known: dict[Any, Contestant]) -> Sides:
    """Both sides of a duel; a file that plays in several is read once."""

    def find(given: Given | Contestant) -> Contestant:
        key = str(given) if isinstance(given, (str, Path)) else id(given)
        if key not in known:
            known[key] = contestant(game, given)
        return known[key]

    return find(one.a), find(one.b)


def _groups(open_: list[_Under], size: int) -> Iterator[list[_Under]]:
    """Duels that are played in parallel: networks of the same shapes, about equally many games."""
    by_shape: dict[tuple[Any, ...], list[_Under]] = {}
    for one in open_:
        by_shape.setdefault((*one.shape, len(one.missing)), []).append(one)
    for alike in by_shape.values():
        for start in range(0, len(alike), size):
            yield alike[start : start + size]


def contestant(game: Game, given: Given | Contestant) -> Contestant:
    """A network that is ready to play a game.

    Raises:
        LudoportError: its channels have other meanings than those of the game.
    """
    if isinstance(given, Contestant):
        return given
    if isinstance(given, NetworkPlayer):
        given = given.file
    if isinstance(given, SavedNetwork):
        name = f"network of {given.header.origin.game}"
        return Contestant(name, given.net, fitting_layout(game, given.header.origin, name))
    return Contestant(str(given), *open_network(given, game))


def _check(game: Game, games: int, simulations: int, limit: int, at_once: int | None) -> None:
    if game.n_players != 2:
        raise LudoportError(f"a duel is between two players; {game.name} has {game.n_players}")
    numbers = {"games": games, "simulations": simulations, "moves at most": limit, "games at once": at_once}
    for name, value in numbers.items():
        if value is not None and value < 1:
            raise LudoportError(f"the number of {name} must be at least 1, not {value}")


def _entry(game: Game, sides: Sides, rules: DuelRules, seed: int, label: str | None) -> MatchEntry:
    """Identity of a duel; the same players in a match of one game after another are another match."""
    one, two = (NetworkPlayer(side.name, rules.settings, rules.sampled, rules.temperature).spec for side in sides)
    how = f"duel by {rules.drawing}"
    known = f"{how}, {one}, {sides[0].digest}", f"{how}, {two}, {sides[1].digest}"
    return MatchEntry(label or game.name, game.rules.fingerprint, one, two, known[0], known[1], seed, rules.limit)


def _rounds(
    game: Game, group: list[_Under], rules: DuelRules, device: str, at_once: int | None
) -> Iterator[list[list[PlayedGame]]]:
    """Play the missing games of some duels in batches of equal size, the last one perhaps smaller.

    Where memory is short, batches have fewer games.
    """
    missing = [one.missing for one in group]
    size = min(len(missing[0]), at_once or max(1, _fitting(game, rules.settings) // len(group)))
    board: DuelBoard | None = None
    while missing[0]:
        wanted = min(size, len(missing[0]))
        if board is None or board.games > wanted:
            board = with_fewer(lambda games: _board(game, group, rules, device, games), wanted, "a duel")
            size = board.games
        yield _play(game, board, [pairs[: board.games] for pairs in missing])
        missing = [pairs[board.games :] for pairs in missing]


def _fitting(game: Game, settings: PuctSettings) -> int:
    """Number of trees that fit into memory."""
    room = game.rules.max_moves + settings.simulations * (usual_moves(game) + 1)
    return int(max(1, MEMORY // (room * (24 + 4 * game.rules.move_size))))


def _board(game: Game, group: list[_Under], rules: DuelRules, device: str, games: int) -> DuelBoard:
    if device == "cpu":
        return CpuBoard(game, group[0].sides, rules, games)
    if device != "cuda":
        raise LudoportError(f"a duel is played on cpu or cuda, not on {device}")
    from ludoport.selfplay.duel_device import DeviceBoard

    key, sides = (game.rules.fingerprint, rules, games, group[0].shape), [one.sides for one in group]
    kept, places = _BOARDS.get(key, (None, 0))
    if kept is not None and places >= len(group):
        kept.use(sides)
        return kept
    _BOARDS.clear()
    board = DeviceBoard(game, sides, rules, games)
    _BOARDS[key] = board, len(group)
    return board


def _play(game: Game, board: DuelBoard, given: list[list[Pairing]]) -> list[list[PlayedGame]]:
    """Play one batch of games of each duel to their ends."""
    begin = time.perf_counter()
    board.begin(given)
    # A lone zero is not an end: both sides may wait for the other only when all games are over.
    while board.move(0) + board.move(1):
        pass
    rows, moves = board.ended()
    seconds = (time.perf_counter() - begin) / len(rows)
    ended = iter(zip(rows, moves, strict=True))
    return [[_played(game, pair, *next(ended), seconds) for pair in pairs] for pairs in given]


def _played(game: Game, pair: Pairing, row: NDArray[Any], moves: list[NDArray[Any]], seconds: float) -> PlayedGame:
    """The record of a game: its moves are written down by playing them again."""
    luck = Luck(game, pair.start_seed)
    state = luck.dealt(game.start(seed=pair.start_seed))
    texts = []
    for move in moves:
        texts.append(game.rules.move_texts(state.row, move[None])[0])
        following = state.row.copy()
        game.kernels.call("play", following, move, game.work)
        state = luck.dealt(State(game, following))
    assert (state.row == row).all(), "a game that is played again ends elsewhere"
    one, two = state.seat_utilities if state.over else (0.0, 0.0)
    ours, theirs = (one, two) if pair.first == "a" else (two, one)
    outcome: Outcome = "win" if ours > theirs else "loss" if ours < theirs else "draw"
    return PlayedGame(pair, outcome, (ours, theirs), state.over, tuple(texts), seconds)
