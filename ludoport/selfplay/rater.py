"""The process that rates the checkpoints of a run; ``rating_process.py`` is its side in the run."""

from __future__ import annotations

import base64
import json
import os
import queue
import sys
import threading
import time
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any

from ludoport.arena.match import match
from ludoport.arena.players import player
from ludoport.gamespec import unpack_game
from ludoport.selfplay.config import TrainConfig
from ludoport.selfplay.rating import FILE, STORE, network_player
from ludoport.selfplay.rating_ladder import after, earlier, rung_of, rungs
from ludoport.selfplay.run import Run

if TYPE_CHECKING:
    from ludoport.game import Game

SLOW = 60.0
"""Opponents whose thinking takes longer than this in two games, in seconds, are left out."""


class Rater:
    """The process itself.

    Args:
        folder: the folder of the run.
        game: its game.
        tell: sends a message to the run.
    """

    def __init__(self, folder: Path, game: Game, tell: IO[str]) -> None:

        path = folder / "config.toml"
        self.run = Run(folder, TrainConfig.from_toml(path.read_text(), str(path)))
        self.game, self.config, self._tell = game, self.run.config, tell
        self.ladder = rungs(self.config.opponents, TrainConfig().opponents)
        self._pace: dict[str, float] = {}

    def tell(self, **message: Any) -> None:
        """Send a message to the run."""
        self._tell.write(json.dumps(message) + "\n")
        self._tell.flush()

    def serve(self, requests: queue.Queue[dict[str, Any] | None]) -> None:
        """Rate checkpoints, the newest that was asked for, until the run ends."""
        while (request := requests.get()) is not None:
            while not requests.empty():
                newer = requests.get()
                if newer is None:
                    return
                request = newer
            self.rate(request["epoch"], request["seconds"], request["allowed"], requests)
            self.tell(done=request["epoch"])

    def rate(self, epoch: int, seconds: float, allowed: float, requests: queue.Queue[Any]) -> None:
        """Let a checkpoint play, two games at a time, until its time is over or a newer one waits."""
        lines = self.run.lines(FILE)
        rung, other = rung_of(lines, self.ladder), earlier(lines, epoch)
        begin, played = time.perf_counter(), dict[str, int]()
        for turn in range(2 * self.config.rating_games):
            late = time.perf_counter() - begin > allowed or (turn > 1 and not requests.empty())
            names = [self.ladder[rung]] if self.ladder and self._quick(self.ladder[rung]) else []
            names += [f"epoch {other}"] if other is not None and (turn % 2 or not names) else []
            if late or not names:
                return
            name = names[-1]
            played[name] = played.get(name, 0) + 2
            if played[name] > self.config.rating_games:
                continue
            clock = time.perf_counter()
            line = self._play(epoch, seconds, name, played[name])
            self.tell(spent=time.perf_counter() - clock)
            if name in self.ladder and played[name] >= min(4, self.config.rating_games):
                rung = after(rung, line, len(self.ladder))

    def _play(self, epoch: int, seconds: float, name: str, games: int) -> dict[str, Any]:
        """Plays a checkpoint against an opponent up to a number of games; returns the record that is kept."""
        ours = network_player(self.config, self.run.checkpoint_file(epoch))
        old = name.removeprefix("epoch ")
        other = network_player(self.config, self.run.checkpoint_file(int(old))) if old != name else player(name)
        found = match(
            ours, other, self.game, games, workers=1, seed=epoch, store=self.run.folder / STORE,
            limit=self.config.ply_limit,
        )  # fmt: skip
        record = found.record
        line = {
            "epoch": epoch, "seconds": round(seconds, 1), "against": name, "wins": record.wins, "draws": record.draws,
            "losses": record.losses,
        }  # fmt: skip
        self.run.add_line(FILE, json.dumps(line))
        return line

    def _quick(self, name: str) -> bool:
        """Whether an opponent thinks fast enough; measured once."""
        if name not in self._pace:
            other, start = player(name), self.game.start()
            other.begin(self.game, 1, 0)
            other.choose(start, 0)
            begin = time.perf_counter()
            other.choose(start, 1)
            self._pace[name] = time.perf_counter() - begin
        moves = min(self.config.ply_limit, 2 * self.game.rules.max_moves)
        return self._pace[name] * moves <= SLOW


def main() -> None:
    """Rate what the standard input asks for."""
    game = unpack_game(base64.b64decode(json.loads(sys.stdin.readline())["game"]))
    requests: queue.Queue[dict[str, Any] | None] = queue.Queue()
    answers, sys.stdout = sys.stdout, sys.stderr

    def read() -> None:
        for line in sys.stdin:
            requests.put(json.loads(line))
        os._exit(0)  # the run has ended, however that came about

    threading.Thread(target=read, daemon=True).start()
    os.nice(5)
    Rater(Path(sys.argv[1]), game, answers).serve(requests)


if __name__ == "__main__":
    main()
