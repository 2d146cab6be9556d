"""Writes docs/results/features.md: value features learned in one language's game, used in games of the others.

    python -m tools.features_page

Features are learned in Tic-Tac-Toe as a game file and used in a rulesheet (Connect-3) and in two game files (Hex 3x3,
Konane 4x4), beside learners without features, with minimax lookahead, and one that plays at random. Minutes of one
core; the page is written again after each row.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from tempfile import TemporaryDirectory

import ludoport as lp
from ludoport.game import Game
from ludoport.td.curve import Curve, between, learning_curve
from ludoport.td.learner import NOTHING, KnownValues, Start, ValueLearner
from ludoport.td.opponents import Opponent
from ludoport.td.settings import TdSettings
from ludoport.transfer.features import combined, learned_features

PAGE = Path("docs/results/features.md")
SOURCE = "Tic-Tac-Toe"
TARGETS = ("Connect-3 (rulesheet)", "Hex 3x3 (game file)", "Konane 4x4 (game file)")
OPPONENTS = ("eps-greedy", "random")
MATCHES, RUNS = 1_000, 10
SOURCE_MATCHES, SOURCE_RUNS = 30, 30
LEARNERS: dict[str, Start] = {"baseline": "default", "features": "features", "minimax": "minimax", "random": "default"}


def target(name: str) -> Game:
    """A target; the bundled Konane begins at 6x6, so its smallest size is replaced."""
    if name.startswith("Connect-3"):
        return lp.load("connect-three-5x5.kif")
    if name.startswith("Hex"):
        return lp.load("Hex", options=["Board Size/3x3"])
    text = (files("ludoport.games") / "Konane.lud").read_text(encoding="utf-8").replace("<6>", "<4>")
    with TemporaryDirectory() as folder:
        file = Path(folder) / "konane-4x4.lud"
        file.write_text(text, encoding="utf-8")
        return lp.load(file, options=["Board Size/6x6"])


def source_features(opponent: str) -> KnownValues:
    """Values of features, learned in the source against an opponent."""
    game, tables = lp.load(SOURCE), []
    for seed in range(1, SOURCE_RUNS + 1):
        learner = ValueLearner(game, seed=seed, keep=True)
        learner.train(Opponent(opponent, salt=seed), SOURCE_MATCHES)
        tables.append(learned_features(learner, opponent, seed=seed))
    return combined(tables).known(opponent)


def curve(game: Game, opponent: str, learner: str, features: KnownValues, runs: int, matches: int) -> Curve:
    """The curve of one learner; runs of equal number have equal opponents."""
    settings = TdSettings(at_sight=True)
    first = 1 + 1000 * (1 + list(LEARNERS).index(learner))
    return learning_curve(
        game,
        lambda seed: Opponent(opponent, salt=seed % 1000),
        start=LEARNERS[learner],
        features=features if learner == "features" else NOTHING,
        matches=matches,
        runs=range(first, first + runs),
        settings=replace(settings, epsilon=1.0) if learner == "random" else settings,
    )


def row(name: str, opponent: str, features: KnownValues, runs: int = RUNS, matches: int = MATCHES) -> str:
    """The line of the table for a target and an opponent."""
    begin = time.process_time()
    game = target(name)
    curves = {learner: curve(game, opponent, learner, features, runs, matches) for learner in LEARNERS}
    cells = [f"{found.at(matches):.1f}" for found in curves.values()]
    for better, worse in (("features", "baseline"), ("minimax", "features")):
        gap = between(curves[better], curves[worse], paired=True)
        cells.append(f"{gap.mean:+.2f} ± {gap.half_width:.2f}{' *' if gap.clear else ''}")
    return f"| {name} | {opponent} | {' | '.join(cells)} | {time.process_time() - begin:.0f} |"


def page(rows: Sequence[str]) -> Iterator[str]:
    """The lines of the page."""
    yield "# Value features between languages"
    yield ""
    yield (
        f"Features of two plies of lookahead, learned in {SOURCE} as a game file ({SOURCE_RUNS} runs of "
        f"{SOURCE_MATCHES} matches against the same opponent), used in other games. {RUNS} runs of {MATCHES:,} matches "
        "for each learner. The first four numbers are the mean reward over all matches (win 100, loss 0) of a learner "
        "without features, with features, with minimax values of the same lookahead, and of random play. New "
        "afterstates get their value at sight. Differences are mean distances between curves with 95 % intervals over "
        "runs; * marks those whose interval excludes 0. Written by `python -m tools.features_page` on one CPU core."
    )
    yield ""
    yield f"| target | opponent | {' | '.join(LEARNERS)} | features - baseline | minimax - features | CPU seconds |"
    yield "|---|---|" + "--:|" * (len(LEARNERS) + 3)
    yield from rows


def main() -> None:
    """Learn everything and write the page."""
    rows: list[str] = []
    for opponent in OPPONENTS:
        features = source_features(opponent)
        for name in TARGETS:
            rows.append(row(name, opponent, features))
            print(rows[-1], flush=True)
            PAGE.write_text("\n".join(page(rows)) + "\n", encoding="utf-8")
    print(PAGE)


if __name__ == "__main__":
    main()
