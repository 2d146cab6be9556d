"""Programs that play matches without asking whether they are the main module."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

PLAIN = """
import ludoport as lp
print("begins")
record = lp.match("random", "random", lp.load("Tic-Tac-Toe", jit=False), games=4, workers=2).record
print(record.games, "games in", __file__, __spec__)
"""

OWN = """
import ludoport as lp
from ludoport.arena.players import Player

class First(Player):
    spec = "first"

    def choose(self, state, seed):
        return state.moves()[0]

if __name__ == "__main__":
    game = lp.load("Tic-Tac-Toe", jit=False)
    print(lp.match(First(), "random", game, games=2, workers=2).record.games, "games")
"""

UNGUARDED = OWN.replace('if __name__ == "__main__":', "if True:")

APART = """
from ludoport.verify.pool import run_apart
print(list(run_apart(abs, [-1, -2], jobs=2)))
"""

TREE = """
from pathlib import Path
import ludoport as lp
from ludoport.search.build import Cluster, build_tree
from ludoport.search.graph import about_game
from ludoport.search.shares import BuildPlan

game = lp.load("Tic-Tac-Toe", jit=False)
plan = BuildPlan(about_game(game), simulations=20, nodes=50, seed=5)
built = build_tree(game, plan, 2, Path(__file__).with_name("tree"), on=Cluster(threads=2, processes=True))
print(built.path.name)
"""


def printed(folder: Path, script: str) -> list[str]:
    """Output lines of a script."""
    file = folder / "script.py"
    file.write_text(script)
    ended = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.splitlines()


@pytest.mark.slow
def test_script_without_a_guard(tmp_path: Path) -> None:
    assert printed(tmp_path, PLAIN) == ["begins", f"4 games in {tmp_path / 'script.py'} None"]


@pytest.mark.slow
def test_script_with_a_player_of_its_own(tmp_path: Path) -> None:
    assert printed(tmp_path, OWN) == ["2 games"]


@pytest.mark.slow
def test_script_with_a_player_of_its_own_and_no_guard(tmp_path: Path) -> None:
    file = tmp_path / "script.py"
    file.write_text(UNGUARDED)
    ended = subprocess.run([sys.executable, str(file)], capture_output=True, text=True, timeout=120)
    assert ended.stderr.count("Traceback") == 1  # processes that run the script again say nothing
    assert ended.stderr.splitlines()[-1].endswith(
        'a script that defines its own players must call `match` under `if __name__ == "__main__":`, or with workers=1'
    )


@pytest.mark.slow
def test_tasks_apart(tmp_path: Path) -> None:
    assert printed(tmp_path, APART) == ["[1, 2]"]


@pytest.mark.slow
def test_trees_by_processes(tmp_path: Path) -> None:
    assert printed(tmp_path, TREE) == ["tree"]
