"""``ludoport ggp learn``: learn a game by playing it, and save what its lookahead features are worth."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import GameName, Json, Options, RulesetName, Seed, at_least, load_game, named, print_json
from ludoport.errors import LudoportError

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.td.curve import Curve
    from ludoport.td.learner import Known
    from ludoport.td.opponents import Chooser, Opponent
    from ludoport.td.settings import TdSettings
    from ludoport.transfer.features import FeatureTable

POINTS = 10
"""A curve is printed in so many lines."""


def ggp_learn(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    opponent: Annotated[
        str, typer.Option("--opponent", help="random, eps-greedy, weak, or a player such as uct:100 or human.")
    ] = "eps-greedy",
    matches: Annotated[int, typer.Option("--matches", help="Matches of each run.")] = 3000,
    runs: Annotated[int, typer.Option("--runs", help="How often to learn from the beginning.")] = 1,
    start: Annotated[
        str, typer.Option("--start", help="Values begin with: default, features, minimax, maxmax or avgmax.")
    ] = "",
    features: Annotated[
        list[Path] | None,
        typer.Option("--features", metavar="FILE", help="Features to begin with; several files are combined."),
    ] = None,
    against: Annotated[
        str, typer.Option("--against", help="Use the values against this opponent; `anybody` for all together.")
    ] = "",
    save: Annotated[Path | None, typer.Option("--save", metavar="FILE", help="Save the features learned.")] = None,
    nested: Annotated[bool, typer.Option("--nested", help="Also save deeper features made of these.")] = False,
    seat: Annotated[int, typer.Option("--seat", help="Which player learns.")] = 1,
    depth: Annotated[int, typer.Option("--depth", help="Moves of the lookahead below an afterstate.")] = 2,
    alpha: Annotated[float, typer.Option("--alpha", help="Learning rate.")] = 0.3,
    lam: Annotated[float, typer.Option("--lambda", help="How much of an error earlier afterstates get.")] = 0.7,
    epsilon: Annotated[float, typer.Option("--epsilon", help="How often to explore.")] = 0.01,
    at_sight: Annotated[
        bool, typer.Option("--at-sight", help="New afterstates begin with their value when first looked at.")
    ] = False,
    habit: Annotated[str, typer.Option("--habit", help="Equal moves of the opponent: fresh or fixed.")] = "fresh",
    sight: Annotated[int, typer.Option("--sight", help="Moves that the opponent looks ahead: 1 or 2.")] = 2,
    seed: Seed = 1,
    json: Json = False,
) -> None:
    """Learn a game with TD(lambda) over afterstates and show the learning curve."""
    from ludoport.td.settings import TdSettings

    at_least("matches", matches, 1)
    at_least("runs", runs, 1)
    settings = TdSettings(alpha=alpha, lam=lam, epsilon=epsilon, depth=depth, considered=at_sight)
    other = find_opponent(opponent, habit, sight, seed)
    known = _known(features, against or opponent, settings)
    chosen = start or ("features" if known is not None else "default")
    if known is not None and chosen != "features":
        raise LudoportError(f"features are given, but values begin with {chosen}; leave out one of the two")
    loaded = load_game(game, option, ruleset)
    curve, table = _learn(loaded, other, chosen, known, matches, range(seed, seed + runs), seat, settings, save, nested)
    if save is not None:
        from ludoport.transfer.features_file import save_features

        save_features(table, save)
    if json:
        print_json({**named(loaded, option, ruleset), **_answer(curve, table, save), "seed": seed})
    else:
        _show(loaded, other.name, curve, table, save)


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


def _known(paths: list[Path] | None, opponent: str, settings: TdSettings) -> Known | None:
    if not paths:
        return None
    from ludoport.ggp.learning import known_features

    return known_features(paths, opponent, settings)


def _learn(
    game: Game,
    opponent: Opponent | Chooser,
    start: str,
    known: Known | None,
    matches: int,
    seeds: range,
    seat: int,
    settings: TdSettings,
    save: Path | None,
    nested: bool,
) -> tuple[Curve, FeatureTable]:
    import numpy as np

    from ludoport.td.curve import Curve
    from ludoport.td.learner import NOTHING, Learner
    from ludoport.transfer.features import FeatureTable, combined, learned_features

    rewards, tables = [], []
    for seed in seeds:
        learner = Learner(
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

    typer.echo(f"{game.name} against {opponent}, {curve.runs} run(s): cumulative average reward")
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
