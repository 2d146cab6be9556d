"""Random playouts and UCT of ours beside OpenSpiel's and Pgx's, on games that several have, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import ludoport as lp
from ludoport.bench.search import open_spiel_uct, uct_speed
from ludoport.errors import LudoportError

BATCH = 1024
"""Games that Pgx plays at once; it has no single games."""


@dataclass(frozen=True)
class Peer:
    """One game in several projects; None where one has it not."""

    game: str
    options: tuple[str, ...]
    open_spiel: str | None
    pgx: str | None


PEERS = (
    Peer("Tic-Tac-Toe", (), "tic_tac_toe", "tic_tac_toe"),
    Peer("Connect Four", (), "connect_four", "connect_four"),
    Peer("Breakthrough", (), "breakthrough(rows=8,columns=8)", None),
    Peer("Reversi", (), "othello", "othello"),
    Peer("Hex", ("Board Size/11x11", "Swap Rules/Off"), "hex(board_size=11)", None),
)
"""Games with the same rules; Pgx's Hex has a swap, its Go and chess end differently, so they are left out."""


@dataclass(frozen=True)
class PeerLine:
    """Speeds of one game.

    Attributes:
        game: the game.
        what: ``playouts`` or ``UCT`` (simulations with one rollout each).
        ours: per CPU-second.
        open_spiel: per CPU-second; None where it is not installed.
        pgx: per CPU-second; None where it is not installed, has not the game, or has no search.
    """

    game: str
    what: str
    ours: float
    open_spiel: float | None = None
    pgx: float | None = None

    def record(self) -> dict[str, Any]:
        """The line for programs, with ratios."""
        ratios = {f"times_{name}": speed and self.ours / speed for name, speed in self.others.items()}
        return {**vars(self), **ratios}

    @property
    def others(self) -> dict[str, float | None]:
        """Speeds of the other projects."""
        return {"open_spiel": self.open_spiel, "pgx": self.pgx}


HEAD = "| game | what | ours | OpenSpiel | ratio | Pgx | ratio |\n|---|---|--:|--:|--:|--:|--:|"


def table_line(line: PeerLine) -> str:
    """A line of the Markdown table.

    >>> table_line(PeerLine("Hex", "playouts", 3000.0, 1000.0))
    '| Hex | playouts | 3,000 | 1,000 | 3.0 | - | - |'
    """
    cells = [line.game, line.what, f"{line.ours:,.0f}"]
    for speed in line.others.values():
        cells += ["-", "-"] if speed is None else [f"{speed:,.0f}", f"{line.ours / speed:.1f}"]
    return f"| {' | '.join(cells)} |"


def lines(only: list[str], seconds: float) -> Iterator[PeerLine]:
    """Measure games, one after another."""
    chosen = [peer for peer in PEERS if not only or peer.game in only]
    if not chosen:
        raise LudoportError(f"there is no such game here; there are {', '.join(peer.game for peer in PEERS)}")
    for peer in chosen:
        game = lp.load(peer.game, options=peer.options)
        spiel = peer.open_spiel if find_spec("pyspiel") else None
        pgx = peer.pgx if find_spec("pgx") and find_spec("jax") else None
        yield PeerLine(
            game.title,
            "playouts",
            game.playouts(seconds=seconds).playouts_per_second,
            _timed(_open_spiel_playouts(spiel), seconds) if spiel else None,
            _timed(_pgx_playouts(pgx), seconds) if pgx else None,
        )
        yield PeerLine(game.title, "UCT", uct_speed(game, seconds), open_spiel_uct(spiel, seconds) if spiel else None)


def _timed(play: Callable[[int], int], seconds: float) -> float:
    """Playouts per CPU-second of a function that plays some and returns how many; the first call is not counted."""
    play(0)
    begin, done, seed = time.process_time(), 0, 1
    while (spent := time.process_time() - begin) < seconds:
        done += play(seed)
        seed += 1
    return done / spent


def _open_spiel_playouts(name: str) -> Callable[[int], int]:
    """Games between OpenSpiel's random bots, in its C++ code; one call from Python a game."""
    spiel = import_module("pyspiel")
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(player, 7 + player) for player in range(game.num_players())]

    def play(seed: int) -> int:
        spiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 1

    return play


def _pgx_playouts(name: str) -> Callable[[int], int]:
    """Playouts of a batch that is compiled as a whole."""
    jax, pgx = import_module("jax"), import_module("pgx")
    env = pgx.make(name)

    def step(carried: Any) -> Any:
        state, key = carried
        key, drawn = jax.random.split(key)
        mask = state.legal_action_mask
        action = jax.numpy.where(mask, jax.random.uniform(drawn, mask.shape), -1).argmax(axis=-1)
        return jax.vmap(env.step)(state, action), key

    def play(key: Any) -> Any:
        key, first = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(first, BATCH))
        return jax.lax.while_loop(lambda carried: ~carried[0].terminated.all(), step, (state, key))[0].rewards

    compiled = jax.jit(play)

    def play_one(seed: int) -> int:
        compiled(jax.random.PRNGKey(seed)).block_until_ready()
        return BATCH

    return play_one
