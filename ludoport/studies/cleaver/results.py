"""All numbers of the experiment, with what they say."""

from __future__ import annotations

import math
import os
import platform
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from ludoport.arena.statistics import WinLoss
from ludoport.search.graph_files import read_graph
from ludoport.studies.cleaver.games import analyse, rows_of, sample_game
from ludoport.studies.cleaver.study import BOARDS, DRAW, MATCHES, Study

if TYPE_CHECKING:
    from ludoport.arena.playing import PlayedGame
    from ludoport.arena.result import MatchResult
    from ludoport.search.graph import SearchGraph

TREES = ("source", "target", "transferred", "transfer", "control")

PUBLISHED = {
    "trees": {
        "source": {"states": 195_884, "branching": 3.77, "depth": 89},
        "target": {"states": 241_097, "branching": 4.53},
    },
    "record": {"wins": 474, "draws": 169, "losses": 357},
    "exclusive": {
        "a": {"won": {"moves": 4614, "exclusive": 1021}, "lost": {"moves": 4208, "exclusive": 933}},
        "b": {"won": {"moves": 4353, "exclusive": 965}, "lost": {"moves": 4460, "exclusive": 910}},
    },
    "lengths": {"mean": 40, "median": 30, "shortest": 4, "longest": 152},
}
"""Results that the thesis reports (sections 5.1, 6.1 and 6.2)."""


def collect(study: Study) -> dict[str, Any]:
    """Play what is not played yet, and count everything."""
    from ludoport import __version__

    graphs = {name: study.tree(name) for name in ("target", "transfer", "control")}
    sample = _sample(study, sample_game(study.play(*MATCHES[0])[1]))
    matches, sure = (_matches(study, graphs, least) for least in (1, study.size.online))
    return {
        "version": __version__,
        "board": study.board,
        "games": BOARDS[study.board],
        "seed": study.seed,
        "draw": DRAW,
        "exploration": math.sqrt(2),
        "size": asdict(study.size),
        "tree_seeds": {name: study.tree_seed(name) for name in ("source", "target", "transfer", "control")},
        "trees": {name: measured(read_graph(study.path(name))) for name in TREES},
        "transfer": study.carry("transferred"),
        "matches": matches,
        "common_opponent": common_gap(*_against_target(matches)),
        "sure": {"visits": study.size.online, "matches": sure, "common_opponent": common_gap(*_against_target(sure))},
        "discounts": _discounts(study),
        "sample": sample,
        "published": PUBLISHED,
        "times": study.times(),
        "machine": {
            "system": f"{platform.system()} {platform.machine()}",
            "processors": os.cpu_count(),
            "python": platform.python_version(),
        },
    }


def _matches(study: Study, graphs: dict[str, SearchGraph], least: int) -> dict[str, Any]:
    """All matches between trees that know positions with at least ``least`` visits."""
    answer = {}
    for a, b in MATCHES:
        result, games = study.play(a, b, least=least)
        counted = analyse(study.target, games, {"a": graphs[a], "b": graphs[b]}, least)
        answer[f"{a}-{b}"] = {"a": a, "b": b, **numbers(result), **counted}
    return answer


def _against_target(matches: dict[str, Any]) -> tuple[WinLoss, WinLoss]:
    """The records of transfer and of control against the tree of the target."""
    return WinLoss(**matches["transfer-target"]["record"]), WinLoss(**matches["control-target"]["record"])


def measured(graph: SearchGraph) -> dict[str, Any]:
    """The size of a tree."""
    return {
        "states": graph.states,
        "edges": graph.edges,
        "visits": int(graph.visits.sum()),
        "simulations": graph.about.simulations,
        "depth": graph.depth,
        "branching": round(graph.branching, 3),
    }


def numbers(result: MatchResult) -> dict[str, Any]:
    """Record, binomial test and gap of a match."""
    record = result.record
    whole = result.as_json()
    kept = ("score", "interval", "elo", "elo_interval", "p_one_sided", "p_two_sided", "first", "second", "unfinished")
    return {"record": asdict(record), **{name: whole[name] for name in kept}, "gap": gap(record)}


def gap(record: WinLoss) -> dict[str, Any]:
    """The negative-transfer gap (eq. 4) of player a against player b, with its 95 % interval.

    The loss of a player is the share of points that it misses in the match, a draw being half a point.
    """
    low, high = record.interval()
    return {"value": round(1 - 2 * record.score, 4), "interval": [round(1 - 2 * high, 4), round(1 - 2 * low, 4)]}


def common_gap(transfer: WinLoss, control: WinLoss) -> dict[str, Any]:
    """Equation 4 for two models by their losses against one opponent: the loss of transfer less that of control."""
    value = control.score - transfer.score
    error = math.sqrt(_variance(transfer) / transfer.games + _variance(control) / control.games)
    return {"value": round(value, 4), "interval": [round(value - 1.96 * error, 4), round(value + 1.96 * error, 4)]}


def _variance(record: WinLoss) -> float:
    mean = record.score
    squares = record.wins + record.draws / 4
    return max(squares / record.games - mean * mean, 0.25 / record.games)


def _sample(study: Study, played: PlayedGame) -> dict[str, Any]:
    rules = study.target.rules
    fens = [rules.fen_of(row) for row in rows_of(study.target, played.moves)]  # type: ignore[attr-defined]
    return {"number": played.pairing.number, "outcome": played.outcome, "first": played.pairing.first,
            "moves": list(played.moves), "positions": fens}  # fmt: skip


def _discounts(study: Study) -> list[dict[str, Any]]:
    """The study of discounts: everything again with visits of the source that are worth less."""
    rows = []
    for discount in study.size.discounts:
        name = "transfer" if discount == 1 else f"transfer-{discount:g}"
        before = "transferred" if discount == 1 else f"transferred-{discount:g}"
        moved = study.carry(before, discount)
        study.tune(name, before)
        tuned = measured(study.tree(name))
        row: dict[str, Any] = {"discount": discount, "states": moved["result_states"], "visits": moved["result_visits"]}
        row |= {"tuned_states": tuned["states"], "tuned_edges": tuned["edges"]}
        for other in ("target", "control"):
            result, _ = study.play(name, other, study.size.discount_games)
            row[other] = numbers(result)
        rows.append(row)
    return rows
