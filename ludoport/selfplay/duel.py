"""Duels: two networks play all games of a match side by side, and each judges the leaves of all of them in one batch.

A match of ``ludoport.arena`` plays one game after another, each leaf alone. Here it is first one network's turn in all
games in which it is to move, then the other's; after the first turn, that is nearly always all games.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from numpy.typing import NDArray

from ludoport.arena.kinds.net import NetworkPlayer
from ludoport.arena.luck import Luck
from ludoport.arena.playing import LIMIT, Outcome, Pairing, Played, pairing
from ludoport.arena.result import MatchResult, Tally
from ludoport.arena.storage import Entry, Store
from ludoport.errors import LudoportError
from ludoport.game import State, as_game
from ludoport.nets.files import SavedNetwork
from ludoport.nets.guide import fitting_layout
from ludoport.nets.opening import open_network
from ludoport.search.chance import has_chance
from ludoport.search.puct import PuctSettings, usual_moves
from ludoport.selfplay.duel_board import Contestant, CpuBoard, DuelBoard, DuelRules
from ludoport.selfplay.fitting import with_fewer

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.selfplay.duel_device import DeviceBoard

MEMORY = 2 * 1024**3
"""Trees of one batch of games take at most about this many bytes; further games wait for the next batch."""

_BOARDS: dict[tuple[Any, ...], DeviceBoard] = {}
"""The last board on a device, for the next duel of the same kind: its graphs and memory are there already."""

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
        games: how many; an even number gives both the same chances.
        simulations: of every search.
        settings: how to search otherwise.
        sampled: number of first plies in which moves are drawn, so that games differ; Gumbel search draws by its noise,
            which is that of the settings afterwards.
        drawing: how PUCT draws: by ``visits``, or by the curve of ``polygames``.
        temperature: of a draw by visits.
        device: ``cpu`` or ``cuda``.
        seed: random seed.
        limit: maximum number of moves; longer games count as draws.
        at_once: games of one batch; default: as many as fit into memory.
        store: the SQLite file that keeps the games.
        label: name of the game in results; default: its name.
        progress: called with the result so far after every batch of games.
    """
    game = as_game(game)
    _check(game, games, simulations, limit, at_once)
    rules = DuelRules(
        replace(settings or PuctSettings(), simulations=simulations, leaves=1), sampled, drawing, temperature, limit
    )
    sides = contestant(game, a), contestant(game, b)
    entry = _entry(game, sides, rules, seed, label)
    with Store(store) as file:
        number = file.enter(entry)
        tally = Tally(entry, games, None, file.path, mirrored=has_chance(game))
        for played in file.games(number):
            tally.add(played)
        missing = [pairing(seed, k) for k in tally.missing()]
        for batch in _batches(game, sides, rules, device, missing, at_once):
            for played in batch:
                file.add(number, played)
                tally.add(played)
            if progress is not None:
                progress(tally.result())
        return tally.result()


def contestant(game: Game, given: Given | Contestant) -> Contestant:
    """A network that is ready to play a game.

    Raises:
        LudoportError: its channels mean something else than those of the game.
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


def _entry(game: Game, sides: tuple[Contestant, Contestant], rules: DuelRules, seed: int, label: str | None) -> Entry:
    """Which match this is; the same players in a match of one game after another are another match."""
    one, two = (NetworkPlayer(side.name, rules.settings, rules.sampled, rules.temperature).spec for side in sides)
    how = f"duel by {rules.drawing}"
    known = f"{how}, {one}, {sides[0].digest}", f"{how}, {two}, {sides[1].digest}"
    return Entry(label or game.name, game.rules.fingerprint, one, two, known[0], known[1], seed, rules.limit)


def _batches(
    game: Game,
    sides: tuple[Contestant, Contestant],
    rules: DuelRules,
    device: str,
    pairs: list[Pairing],
    at_once: int | None,
) -> Iterator[list[Played]]:
    """Play games in batches of equal size, the last one perhaps smaller; of fewer games where memory is short."""
    size = min(len(pairs), at_once or _fitting(game, rules.settings))
    board: DuelBoard | None = None
    while pairs:
        wanted = min(size, len(pairs))
        if board is None or board.games > wanted:
            board = with_fewer(lambda games: _board(game, sides, rules, device, games), wanted, "a duel")
            size = board.games
        now, pairs = pairs[: board.games], pairs[board.games :]
        yield _play(game, board, now)


def _fitting(game: Game, settings: PuctSettings) -> int:
    """How many trees fit into memory."""
    room = game.rules.max_moves + settings.simulations * (usual_moves(game) + 1)
    return int(max(1, MEMORY // (room * (24 + 4 * game.rules.move_size))))


def _board(game: Game, sides: tuple[Contestant, Contestant], rules: DuelRules, device: str, games: int) -> DuelBoard:
    if device == "cpu":
        return CpuBoard(game, sides, rules, games)
    if device != "cuda":
        raise LudoportError(f"a duel is played on cpu or cuda, not on {device}")
    from ludoport.selfplay.duel_device import DeviceBoard

    key = (
        game.rules.fingerprint, rules, games,
        *((side.layout.layout, side.layout.shape, side.net.config) for side in sides),
    )  # fmt: skip
    if key in _BOARDS:
        _BOARDS[key].use(sides)
    else:
        _BOARDS.clear()
        _BOARDS[key] = DeviceBoard(game, sides, rules, games)
    return _BOARDS[key]


def _play(game: Game, board: DuelBoard, pairs: list[Pairing]) -> list[Played]:
    """Play one batch of games to their ends."""
    begin = time.perf_counter()
    board.begin(pairs)
    # A lone zero is not an end: both sides may wait for the other only when all games are over.
    while board.move(0) + board.move(1):
        pass
    rows, moves = board.ended()
    seconds = (time.perf_counter() - begin) / len(pairs)
    return [_played(game, *of_one, seconds) for of_one in zip(pairs, rows, moves, strict=True)]


def _played(game: Game, pair: Pairing, row: NDArray[Any], moves: list[NDArray[Any]], seconds: float) -> Played:
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
    return Played(pair, outcome, (ours, theirs), state.over, tuple(texts), seconds)
