"""``ludoport ggp learn``: learn a game by playing it, and save the values of its lookahead features."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import at_least, counted, load_game, named, print_json
from ludoport.commands.options import (
    Against,
    Depth,
    Features,
    GameName,
    Json,
    Matches,
    Options,
    OutFileIfAny,
    RulesetName,
    Seat,
    Seed,
    option,
)
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.td.curve import Curve
    from ludoport.td.learner import KnownValues
    from ludoport.td.opponents import Chooser, Opponent
    from ludoport.td.settings import TdSettings
    from ludoport.transfer.features import FeatureTable

POINTS = 10
"""Number of lines in which a curve is printed."""


def ggp_learn(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    opponent: Annotated[
        str, option("--opponent", help="Opponent: random, eps-greedy, weak, or a player (uct:100).")
    ] = "eps-greedy",
    matches: Matches = 3000,
    runs: Annotated[int, option("--runs", help="Number of independent runs.")] = 1,
    start: Annotated[str, option("--start", help="Initial values: default, features, minimax, maxmax or avgmax.")] = "",
    features: Features = None,
    against: Against = "",
    out: OutFileIfAny = None,
    nested: Annotated[bool, option("--nested", help="Save deeper features composed of these too.")] = False,
    seat: Seat = 1,
    depth: Depth = 2,
    alpha: Annotated[float, option("--alpha", help="Learning rate.")] = 0.3,
    lam: Annotated[float, option("--lambda", help="Trace decay: lambda of TD(lambda).")] = 0.7,
    epsilon: Annotated[float, option("--epsilon", help="Probability of a random move.")] = 0.01,
    at_sight: Annotated[bool, option("--at-sight", help="Initialise new afterstates when first looked at.")] = False,
    habit: Annotated[str, option("--habit", help="Opponent's choice among equal moves: fresh or fixed.")] = "fresh",
    sight: Annotated[int, option("--sight", help="Opponent's lookahead in plies: 1 or 2.")] = 2,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Learn a game with TD(lambda) over afterstates.

    Prints the learning curve and saves the learned features to --out.

    --depth is the lookahead below an afterstate that features describe.
    """
    from ludoport.td.settings import TdSettings

    at_least("matches", matches, 1)
    at_least("runs", runs, 1)
    settings = TdSettings(alpha=alpha, lam=lam, epsilon=epsilon, depth=depth, at_sight=at_sight)
    other = find_opponent(opponent, habit, sight, seed)
    known = _known(features, against or opponent, settings)
    chosen = start or ("features" if known is not None else "default")
    if known is not None and chosen != "features":
        raise LudoportError(f"--features and --start {chosen} exclude each other; leave out one")
    loaded = load_game(game, option, ruleset)
    curve, table = _learn(loaded, other, chosen, known, matches, range(seed, seed + runs), seat, settings, out, nested)
    if out is not None:
        from ludoport.transfer.features_file import save_features

        save_features(table, out)
    if json:
        print_json({**named(loaded, option, ruleset), **_answer(curve, table, out), "seed": seed})
    else:
        _show(loaded, other.name, curve, table, out)


def find_opponent(text: str, habit: str, sight: int, seed: int) -> Opponent | Chooser:
    """One of the simple opponents, or any player of the arena."""
    from ludoport.td.match_kernels import KINDS
    from ludoport.td.opponents import Opponent

    if text in KINDS:
        return Opponent(text, habit=habit, sight=sight, salt=seed)  # type: ignore[arg-type]
    from ludoport.arena.players import player

    try:
        return player(text)
    except LudoportError as error:
        raise LudoportError(f"{error}; or one of the opponents {', '.join(KINDS)}") from None


def _known(paths: list[Path] | None, opponent: str, settings: TdSettings) -> KnownValues | None:
    if not paths:
        return None
    from ludoport.ggp.learning import known_features

    return known_features(paths, opponent, settings)


def _learn(
    game: Game,
    opponent: Opponent | Chooser,
    start: str,
    known: KnownValues | None,
    matches: int,
    seeds: range,
    seat: int,
    settings: TdSettings,
    save: Path | None,
    nested: bool,
) -> tuple[Curve, FeatureTable]:
    import numpy as np

    from ludoport.td.curve import Curve
    from ludoport.td.learner import NOTHING, ValueLearner
    from ludoport.transfer.features import FeatureTable, combined, learned_features

    rewards, tables = [], []
    for seed in seeds:
        learner = ValueLearner(
            game,
            start=start,  # type: ignore[arg-type]
            features=known or NOTHING,
            seat=seat,
            seed=seed,
            settings=settings,
            keep=save is not None,
        )
        rewards.append(learner.train(opponent, matches))
        if save is not None:
            tables.append(learned_features(learner, opponent.name, seed=seed, nested=nested))
    return Curve(np.array(rewards)), combined(tables) if tables else FeatureTable({}, depth=settings.depth)


def _points(curve: Curve) -> list[int]:
    count = min(POINTS, curve.matches)
    return [curve.matches * k // count for k in range(1, count + 1)]


def _answer(curve: Curve, table: FeatureTable, save: Path | None) -> dict[str, Any]:
    from ludoport.transfer.features import as_rows

    return {
        "runs": curve.runs,
        "matches": curve.matches,
        "curve": [[match, round(curve.at(match), 4)] for match in _points(curve)],
        "features": as_rows(table),
        "saved": str(save) if save is not None else None,
    }


def _show(game: Game, opponent: str, curve: Curve, table: FeatureTable, save: Path | None) -> None:
    from ludoport.transfer.features import as_rows

    typer.echo(f"{game.name} against {opponent}, {counted(curve.runs, 'run')}: cumulative average reward")
    for match in _points(curve):
        value, half = curve.at(match), float(curve.half_width[match - 1])
        spread = f" ± {half:5.2f}" if half == half else ""
        typer.echo(f"  {match:>8} {value:6.2f}{spread} {'#' * max(0, round(value / 2.5))}")
    if save is not None:
        typer.echo(f"{len(table)} features saved in {save}")
        for row in as_rows(table)[:20]:
            typer.echo(f"  {row['value']:6.2f} {row['visits']:>8} visits  {row['feature']}")
        if len(as_rows(table)) > 20:
            typer.echo(f"  and {len(as_rows(table)) - 20} more")
