"""Does everything for a long time in one process: memory must not grow in the second half."""

from __future__ import annotations

import os
import random
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

SETTLED = 0.5
"""The share of the time after which memory must stay as it is."""

GROWTH = 0.02
"""Most growth after that."""

WARM = 3
"""Rounds before the clock starts: machine code, modules and caches come with the first ones."""

Deed = Callable[[random.Random], object]


def soak(minutes: float, seed: int = 1, warm: int = WARM) -> Iterator[str]:
    """Load, play, search, match, learn and refuse, again and again in one process.

    Args:
        minutes: time after everything was warmed up.
        seed: what is done in which order.
        warm: how often everything is done before.

    Yields:
        A line a minute with the memory in use, and a verdict.
    """
    rng, begin = random.Random(seed), time.monotonic()
    deeds = list(_deeds())
    for _ in range(warm):
        for deed in deeds:
            deed(rng)
    yield f"warmed up in {(time.monotonic() - begin) / 60:.1f} min: {len(deeds)} deeds, {resident() / 1e6:.1f} MB"
    begin = tell = time.monotonic()
    rounds = 0
    sizes: list[tuple[float, int]] = []
    while (now := time.monotonic()) - begin < 60 * minutes:
        rng.choice(deeds)(rng)
        rounds += 1
        sizes.append(((now - begin) / 60 / minutes, resident()))
        if now >= tell:
            tell += 60
            yield f"{(now - begin) / 60:.0f} min: {rounds} rounds, {sizes[-1][1] / 1e6:.1f} MB"
    settled = [size for share, size in sizes if share >= SETTLED]
    # The median of a tenth at each end: single rounds come and go.
    part = max(1, len(settled) // 10)
    first, last = sorted(settled[:part])[part // 2], sorted(settled[-part:])[part // 2]
    growth = last / first - 1
    verdict = "memory grows" if growth > GROWTH else "memory stays"
    yield f"{verdict}: {first / 1e6:.1f} MB to {last / 1e6:.1f} MB ({growth:+.1%}) in the second half, {rounds} rounds"


def resident() -> int:
    """Bytes of memory that this process uses."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def _deeds() -> Iterator[Deed]:
    """Everything that is done, each with one game or format."""
    from tools.torture.formats import FORMATS

    for name in ("Tic-Tac-Toe", "Hex", "Breakthrough", "chess-8x8", "tic-tac-toe.kif"):
        yield lambda rng, name=name: _play(name, rng)  # type: ignore[misc]
        yield lambda rng, name=name: _walk(name, rng)  # type: ignore[misc]
    for name in ("Tic-Tac-Toe", "Breakthrough"):
        yield lambda rng, name=name: _batch(name, rng)  # type: ignore[misc]
    yield from (_search, _match, _draw, _learn)
    for name in FORMATS:
        yield lambda rng, name=name: _hostile(name, rng)  # type: ignore[misc]


def _play(name: str, rng: random.Random) -> None:
    import ludoport as lp

    lp.load(name).playouts(count=20, seed=rng.randrange(10**6))


def _walk(name: str, rng: random.Random) -> None:
    """One random game move by move, through everything that people see."""
    import ludoport as lp

    state = lp.load(name).start()
    while not state.over:
        state = state.play(rng.choice(state.moves()))
    str(state)


def _batch(name: str, rng: random.Random) -> None:
    import ludoport as lp

    many = lp.batch(lp.load(name), 16, seed=rng.randrange(10**6))
    for _ in range(10):
        many.step(many.random_actions())
    many.tensors()


def _search(rng: random.Random) -> None:
    """A search, its tree in a file, and the file read again."""
    import ludoport as lp
    from ludoport.search.graph import about_game
    from ludoport.search.graph_files import graph_bytes, read_graph
    from ludoport.search.graph_trees import graph_of
    from ludoport.search.tree import Tree

    game = lp.load("Tic-Tac-Toe")
    tree = Tree(game.start(), 50_000, seed=rng.randrange(10**6))
    tree.run(2_000)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "a.tree"
        path.write_bytes(graph_bytes(graph_of(tree, about=about_game(game, source="Tic-Tac-Toe"))))
        read_graph(path)


def _match(rng: random.Random) -> None:
    """A match that is kept in a file."""
    import ludoport as lp

    with tempfile.TemporaryDirectory() as folder:
        store = Path(folder) / "match.sqlite"
        one, other = rng.sample(("uct:20", "random", "minimax:2"), 2)
        lp.match(one, other, lp.load("Tic-Tac-Toe"), games=4, workers=1, seed=rng.randrange(10**6), store=store)


def _draw(rng: random.Random) -> None:
    import ludoport as lp

    state = lp.load(rng.choice(("Hex", "Breakthrough", "chess-8x8"))).start()
    state.svg()


def _learn(rng: random.Random) -> None:
    """An epoch of training and the network that it leaves."""
    import ludoport as lp

    with tempfile.TemporaryDirectory() as folder:
        settings: dict[str, Any] = {"games": 8, "positions": 64, "simulations": 4, "warmup": 32, "rating_share": 0}
        lp.train(
            "Tic-Tac-Toe", epochs=1, out=Path(folder) / "run", seed=rng.randrange(10**6), progress=False, **settings
        )


def _hostile(name: str, rng: random.Random) -> None:
    """Damaged inputs of a format."""
    from tools.torture.formats import FORMATS
    from tools.torture.fuzz import make_input, try_input

    try_input(FORMATS[name], make_input(FORMATS[name], rng.randrange(10**6)))
