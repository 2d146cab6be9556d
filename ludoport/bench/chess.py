"""Speed of chess and Chessplus: counts of move sequences beside other programs, and random playouts."""

from __future__ import annotations

import importlib
import importlib.util
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from typing import Any

from ludoport.chess import named_rules
from ludoport.chess.perft import Perft
from ludoport.errors import LudoportError
from ludoport.game import Game

POSITIONS = {
    "start": "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "promotions": "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N w - - 0 1",
    "middle game": "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
}
PLAYOUTS = ("chess", "chessplus", "gardner", "gardner-chessplus")
LEAST_SECONDS = 0.3
"""Counting is repeated until it took this long, so that the clock is exact enough."""


@dataclass(frozen=True, slots=True)
class PerftRow:
    """One program counting from one position; all count the last move without playing it, and none uses a hash table.

    Attributes:
        program: the program that counts.
        position: from where.
        depth: the length of the sequences.
        nodes: number of nodes.
        seconds: for one count; CPU time, for Stockfish the time between question and answer.
        ratio: slowdown of this program against Ludoport.
    """

    program: str
    position: str
    depth: int
    nodes: int
    seconds: float
    ratio: float = 1.0

    @property
    def nodes_per_second(self) -> float:
        """The speed."""
        return self.nodes / self.seconds

    def record(self) -> dict[str, Any]:
        """Record for programs."""
        rounded = {"seconds": round(self.seconds, 6), "ratio": round(self.ratio, 2)}
        return asdict(self) | rounded | {"nodes_per_second": round(self.nodes_per_second)}


@dataclass(frozen=True, slots=True)
class PlayoutRow:
    """Uniformly random games of one variant on one thread."""

    game: str
    playouts_per_second: float
    moves_per_second: float
    mean_moves: float

    def record(self) -> dict[str, Any]:
        """Record for programs."""
        return {name: round(value, 1) if isinstance(value, float) else value for name, value in asdict(self).items()}


def perft_rows(depth: int = 5, others: bool = True) -> Iterator[PerftRow | str]:
    """Measures counting, Ludoport first at each position; a program that is missing gives a sentence instead.

    Args:
        depth: the length of the sequences.
        others: whether to measure other programs too.
    """
    rules = named_rules("chess")
    assert rules is not None
    ours = Perft(rules)
    ours.count(rules.state_row(rules.variant.start), 2)  # compiling is not part of the speed
    rivals: dict[str, Callable[[str, int], tuple[int, float]]] = {}
    if others:
        for name, prepare in (("python-chess", _python_chess), ("Stockfish", _stockfish)):
            found = prepare()
            if isinstance(found, str):
                yield found
            else:
                rivals[name] = found
    for position, fen in POSITIONS.items():
        state = rules.state_row(fen)
        nodes, seconds = _repeated(lambda state=state: ours.count(state, depth))  # type: ignore[misc]
        mine = PerftRow("Ludoport", position, depth, nodes, seconds)
        yield mine
        for program, count in rivals.items():
            # One ply less where a rival would take minutes; the speed per node is what is compared.
            less = depth - 1 if program == "python-chess" and nodes > 10**7 else depth
            other, taken = count(fen, less)
            if other != (nodes if less == depth else ours.count(state, less)):
                raise LudoportError(f"{program} counts {other} sequences from {fen}, Ludoport {nodes}")
            yield PerftRow(program, position, less, other, taken, mine.nodes_per_second * taken / other)


def playout_rows(seconds: float = 2.0) -> Iterator[PlayoutRow]:
    """Measures random games of all variants, per CPU-second on one thread."""
    for name in PLAYOUTS:
        rules = named_rules(name)
        assert rules is not None
        game = Game(rules)
        game.playouts(count=1)
        stats = game.playouts(seconds=seconds)
        yield PlayoutRow(name, stats.playouts_per_second, stats.moves_per_second, stats.mean_moves)


def _repeated(count: Callable[[], int]) -> tuple[int, float]:
    runs, begin = 0, time.process_time()
    while True:
        nodes = count()
        runs += 1
        spent = time.process_time() - begin
        if spent >= LEAST_SECONDS:
            return nodes, spent / runs


def _python_chess() -> Callable[[str, int], tuple[int, float]] | str:
    if importlib.util.find_spec("chess") is None:
        return "python-chess is not installed, so nothing is compared with it (`pip install chess`)"
    # Under another licence than ours: used for measuring only, and only where a person has installed it.
    library = importlib.import_module("chess")

    def walk(board: Any, depth: int) -> int:
        if depth == 1:
            return int(board.legal_moves.count())
        total = 0
        for move in board.legal_moves:
            board.push(move)
            total += walk(board, depth - 1)
            board.pop()
        return total

    def count(fen: str, depth: int) -> tuple[int, float]:
        board = library.Board(fen)
        begin = time.process_time()
        nodes = walk(board, depth)
        return nodes, time.process_time() - begin

    return count


def _stockfish() -> Callable[[str, int], tuple[int, float]] | str:
    program = shutil.which("stockfish") or shutil.which("/usr/games/stockfish")
    if program is None:
        return "Stockfish is not installed, so nothing is compared with it"

    def count(fen: str, depth: int) -> tuple[int, float]:
        with subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as engine:
            assert engine.stdin is not None and engine.stdout is not None
            engine.stdin.write(f"position fen {fen}\nisready\n")
            engine.stdin.flush()
            for line in engine.stdout:
                if line.startswith("readyok"):
                    break
            begin = time.perf_counter()
            engine.stdin.write(f"go perft {depth}\n")
            engine.stdin.flush()
            for line in engine.stdout:
                if line.startswith("Nodes searched"):
                    seconds = time.perf_counter() - begin
                    engine.stdin.write("quit\n")
                    engine.stdin.flush()
                    return int(line.split(":")[1]), seconds
        raise LudoportError("Stockfish did not answer `go perft`")

    return count
