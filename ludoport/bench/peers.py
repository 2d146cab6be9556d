"""Random playouts, steps and UCT of ours beside OpenSpiel's and Pgx's, on games that several have, in one run."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import ludoport as lp
from ludoport.bench.search import open_spiel_uct, uct_speed
from ludoport.bridges.batched import BatchedEnv
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.kernels.cuda import playouts as device_playouts

BATCH = {"cpu": 1024, "cuda": 1 << 17}
"""Games of a batch; Pgx has no single games."""

STEPS = 16
"""Steps of a batch that are timed together."""


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
        what: ``playouts``, ``steps`` (moves of a batch with observations, masks and results) or ``UCT`` (simulations
            with one rollout each).
        ours: per CPU-second, on a device per second.
        open_spiel: likewise; None where it is not installed or has no such thing.
        pgx: likewise.
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
        cells += ["-", "-"] if speed is None else [f"{speed:,.0f}", _ratio(line.ours / speed)]
    return f"| {' | '.join(cells)} |"


def _ratio(times: float) -> str:
    """Ratio of speeds, with two digits below 1."""
    return f"{times:.1f}" if times >= 1 else f"{times:.2g}"


def lines(only: list[str], seconds: float, device: str = "cpu") -> Iterator[PeerLine]:
    """Measure games, one after another; on a device those that Pgx has."""
    chosen = [peer for peer in PEERS if not only or peer.game in only]
    if not chosen:
        raise LudoportError(f"unknown game; choose from {', '.join(peer.game for peer in PEERS)}")
    for peer in chosen:
        yield from _device_lines(peer, seconds) if device == "cuda" else _cpu_lines(peer, seconds)


def _cpu_lines(peer: Peer, seconds: float) -> Iterator[PeerLine]:
    game = lp.load(peer.game, options=peer.options)
    spiel = peer.open_spiel if find_spec("pyspiel") else None
    yield PeerLine(
        game.title,
        "playouts",
        game.playouts(seconds=seconds).playouts_per_second,
        _timed(_open_spiel_playouts(spiel), seconds) if spiel else None,
        _pgx(peer, "cpu", _pgx_playouts, seconds),
    )
    ours = _timed(_our_steps(game, "cpu"), seconds)
    yield PeerLine(game.title, "steps", ours, None, _pgx(peer, "cpu", _pgx_steps, seconds))
    yield PeerLine(game.title, "UCT", uct_speed(game, seconds), open_spiel_uct(spiel, seconds) if spiel else None)


def _device_lines(peer: Peer, seconds: float) -> Iterator[PeerLine]:
    if peer.pgx is None:
        return
    game = lp.load(peer.game, options=peer.options)
    ways = [("playouts", _our_device_playouts(game), _pgx_playouts), ("steps", _our_steps(game, "cuda"), _pgx_steps)]
    for what, ours, theirs in ways:
        speed = _timed(ours, seconds, time.perf_counter)
        yield PeerLine(game.title, what, speed, None, _pgx(peer, "cuda", theirs, seconds))


def _pgx(peer: Peer, device: str, way: Callable[[str, int], Callable[[int], int]], seconds: float) -> float | None:
    """The speed of Pgx; None where it or the game is missing, or jax has no GPU."""
    if peer.pgx is None or not (find_spec("pgx") and find_spec("jax")):
        return None
    if device == "cuda" and import_module("jax").default_backend() != "gpu":
        return None
    clock = time.perf_counter if device == "cuda" else time.process_time
    return _timed(way(peer.pgx, BATCH[device]), seconds, clock)


def _timed(play: Callable[[int], int], seconds: float, clock: Callable[[], float] = time.process_time) -> float:
    """Work per second of a function, which returns how much it did; the first call is not counted."""
    play(0)
    begin, done, seed = clock(), 0, 1
    while (spent := clock() - begin) < seconds:
        done += play(seed)
        seed += 1
    return done / spent


def _our_steps(game: Game, device: str) -> Callable[[int], int]:
    """Steps of a batch with random actions, and all that an environment shows of the positions."""
    env = BatchedEnv(game, arrays="torch" if device == "cuda" else "numpy", device=device, auto_reset=True)
    state = env.init(BATCH[device], seed=1)

    def play(seed: int) -> int:
        del seed
        for _ in range(STEPS):
            env.step(state, state.games.random_actions())
            shown = state.observation, state.legal_action_mask, state.rewards
        if device == "cuda":
            import_module("torch").cuda.synchronize()
        del shown
        return STEPS * BATCH[device]

    return play


def _our_device_playouts(game: Game) -> Callable[[int], int]:
    """Playouts on a device, each a thread."""
    size = BATCH["cuda"]
    return lambda seed: len(device_playouts(game, size, 1 + seed * size).lengths)


def _open_spiel_playouts(name: str) -> Callable[[int], int]:
    """Games between OpenSpiel's random bots, in its C++ code; one call from Python a game."""
    spiel = import_module("pyspiel")
    game = spiel.load_game(name)
    bots = [spiel.make_uniform_random_bot(player, 7 + player) for player in range(game.num_players())]

    def play(seed: int) -> int:
        spiel.evaluate_bots(game.new_initial_state(), bots, seed)
        return 1

    return play


def _random_step(step: Any) -> Callable[[Any], Any]:
    """A step of Pgx with a random legal action in each game, as a function of states and a key."""
    jax = import_module("jax")

    def play(carried: Any) -> Any:
        state, key = carried
        key, drawn = jax.random.split(key)
        mask = state.legal_action_mask
        action = jax.numpy.where(mask, jax.random.uniform(drawn, mask.shape), -1).argmax(axis=-1)
        return step(state, action, drawn), key

    return play


def _pgx_playouts(name: str, size: int) -> Callable[[int], int]:
    """Playouts of a batch that is compiled as a whole."""
    jax, env = import_module("jax"), import_module("pgx").make(name)
    step = _random_step(lambda state, action, key: jax.vmap(env.step)(state, action))

    def play(key: Any) -> Any:
        key, first = jax.random.split(key)
        state = jax.vmap(env.init)(jax.random.split(first, size))
        return jax.lax.while_loop(lambda carried: ~carried[0].terminated.all(), step, (state, key))[0].rewards

    compiled = jax.jit(play)

    def play_one(seed: int) -> int:
        compiled(jax.random.PRNGKey(seed)).block_until_ready()
        return size

    return play_one


def _pgx_steps(name: str, size: int) -> Callable[[int], int]:
    """Steps of a batch in which games that end restart; some steps are compiled as a whole."""
    jax, env = import_module("jax"), import_module("pgx").make(name)
    again = import_module("pgx.experimental").auto_reset(env.step, env.init)
    step = _random_step(lambda state, action, key: jax.vmap(again)(state, action, jax.random.split(key, size)))
    some = jax.jit(lambda carried: jax.lax.fori_loop(0, STEPS, lambda _, now: step(now), carried))
    key = jax.random.PRNGKey(1)
    carried = [(jax.jit(jax.vmap(env.init))(jax.random.split(key, size)), key)]

    def play(seed: int) -> int:
        del seed
        carried[0] = some(carried[0])
        carried[0][0].observation.block_until_ready()
        return STEPS * size

    return play
