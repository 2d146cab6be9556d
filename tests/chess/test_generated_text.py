"""Kernels of every bundled game of the chess family hold nothing without effect."""

from __future__ import annotations

import pytest

import ludoport as lp
from ludoport.languages import known_games
from tests.kernels.generated import assert_nothing_is_without_effect


@pytest.mark.parametrize("name", [game.name for game in known_games() if game.language == "chess"])
def test_nothing_is_without_effect(name: str) -> None:
    assert_nothing_is_without_effect(lp.load(name, jit=False).rules.source)
