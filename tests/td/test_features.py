"""Tables of value features."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from ludoport.errors import LudoportError
from ludoport.td.learner import ValueLearner
from ludoport.td.lookahead import read_template
from ludoport.td.opponents import Opponent
from ludoport.td.settings import TdSettings
from ludoport.transfer.features import (
    ALL_OPPONENTS,
    FeatureSource,
    FeatureTable,
    Worth,
    as_rows,
    combined,
    learned_features,
)
from ludoport.transfer.features_file import load_features, save_features
from tests.td.games import NOUGHTS, TINY, small_game


def trained(text: str = NOUGHTS, opponent: str = "random", matches: int = 200, **settings: float) -> ValueLearner:
    learner = ValueLearner(small_game(text, jit=True), keep=True, settings=TdSettings(**settings))  # type: ignore[arg-type]
    learner.train(Opponent(opponent), matches)
    return learner


@pytest.mark.slow
def test_values_are_means_weighted_by_visits() -> None:
    learner = trained()
    table = learned_features(learner, "random")
    codes, memory = learner.codes(), learner.memory
    assert table.features
    for template in table.features:
        mask = codes == template.code
        worth = table.worth(template, "random")
        assert worth is not None
        assert worth.value == pytest.approx(np.average(memory.values[mask], weights=memory.visits[mask]))
        assert worth.visits == memory.visits[mask].sum()
        assert worth.afterstates == mask.sum()
    found = {str(template) for template in table.features}
    assert found <= {
        "{L,N{n}}", "{L,N{W}}", "{N{D},N{W}}", "{N{W,n},N{n}}", "{L,N{W,n}}", "{L}", "{L,N{W,n},N{n}}", "{N{D}}",
        "{L,N{D}}", "{N{W,n}}", "{N{W,n},N{W}}", "{N{W}}",
    }  # fmt: skip
    lost = table.worth(read_template("{L}"), "random")
    assert lost is not None
    assert lost.value < 40


A, B = read_template("{L}"), read_template("{N{W}}")


def table_of(values: dict[str, dict[str, Worth]], depth: int = 2, **scale: float) -> FeatureTable:
    features = {read_template(text): worths for text, worths in values.items()}
    return FeatureTable(features, (FeatureSource("G", "f", "x", 1, 0, 10),), depth, **scale)


def test_tables_are_combined_by_visits_or_equally() -> None:
    one = table_of({"{L}": {"x": Worth(10.0, 1, 1)}, "{N{W}}": {"x": Worth(90.0, 2, 1)}})
    two = table_of({"{L}": {"x": Worth(30.0, 3, 2), "y": Worth(0.0, 1, 1)}})
    both = combined([one, two])
    assert both.features[A] == {"x": Worth(25.0, 4, 3), "y": Worth(0.0, 1, 1)}
    assert both.features[B] == {"x": Worth(90.0, 2, 1)}
    assert both.opponents == ["x", "y"]
    assert both.worth(A, ALL_OPPONENTS) == Worth(20.0, 5, 4)
    assert combined([one, two], "equal").features[A]["x"].value == 20.0
    assert len(both.sources) == 2
    known = both.known("x")
    assert dict(zip(known.codes.tolist(), known.values.tolist(), strict=True)) == {A.code: 25.0, B.code: 90.0}
    with pytest.raises(LudoportError, match="known opponents: x, y"):
        both.known("z")
    with pytest.raises(LudoportError, match="2 and 3 moves"):
        combined([one, table_of({}, depth=3)])
    with pytest.raises(LudoportError, match="no tables"):
        combined([])


def test_other_scales_of_rewards_are_converted() -> None:
    half = table_of({"{L}": {"x": Worth(-0.5, 4, 1)}}, loss=-1.0, win=1.0)
    assert half.known("x").values.tolist() == [25.0]
    full = table_of({"{L}": {"x": Worth(75.0, 4, 1)}})
    assert combined([full, half]).features[A]["x"].value == 50.0


@pytest.mark.slow
def test_nested_features_are_made_of_shallow_ones(tmp_path: Path) -> None:
    learner = trained(matches=300)
    shallow, deep = learned_features(learner, "random"), learned_features(learner, "random", nested=True)
    assert not shallow.nested
    assert deep.nested
    added = [template for template in deep.features if template not in shallow.features]
    assert added
    assert all(template.depth > 2 and "[" in str(template) for template in added)
    assert all(deep.features[template] == worths for template, worths in shallow.features.items())
    save_features(deep, tmp_path / "deep.json")
    assert load_features(tmp_path / "deep.json") == deep
    target = ValueLearner(small_game(NOUGHTS, jit=True), start="features", features=deep.known("random"))
    assert target.features.nested
    assert target.train(Opponent("random"), 50).mean() > 50


@pytest.mark.slow
def test_values_of_one_game_begin_another() -> None:
    table = learned_features(trained(matches=2000), "random")
    game = small_game(TINY)
    learner = ValueLearner(game, start="features", features=table.known("random"), settings=TdSettings(alpha=1e-9))
    state = game.start().play("1")
    learner.learn(state, [state.row])
    fork = read_template("{N{W,n},N{W}}")
    assert learner.code(state) == fork.code
    worth = table.worth(fork, "random")
    assert worth is not None
    assert worth.value > 60
    assert learner.value(state) == pytest.approx(worth.value)


@pytest.mark.slow
def test_files_keep_everything_and_refuse_what_is_wrong(tmp_path: Path) -> None:
    table = learned_features(trained(), "random", seed=3)
    path = tmp_path / "features.json"
    save_features(table, path)
    assert load_features(path) == table
    assert table.sources[0].game == "Noughts"
    assert table.sources[0].matches == 200
    content = json.loads(path.read_text())
    assert content["sources"][0]["fingerprint"] == small_game(NOUGHTS).rules.fingerprint
    assert len(as_rows(table)) == len(table)
    for change, message in (
        ({"format": "x"}, "no table"), ({"version": 99}, "version 99"), ({"sources": 5}, "damaged"),
        ({"features": [{"tree": "{L}", "code": 7, "values": {}}]}, "has code"),
        ({"features": [{"tree": "{L", "code": 7, "values": {}}]}, "is not a tree"),
    ):  # fmt: skip
        path.write_text(json.dumps({**content, **change}))
        with pytest.raises(LudoportError, match=message):
            load_features(path)
    path.write_text("{")
    with pytest.raises(LudoportError, match="not JSON"):
        load_features(path)
    with pytest.raises(LudoportError, match="cannot be read"):
        load_features(tmp_path / "nothing.json")
