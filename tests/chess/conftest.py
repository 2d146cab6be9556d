"""Shared by the tests of chess: rules that are made once."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

import pytest

from ludoport.chess import ChessRules, named_rules


@cache
def _rules(name: str) -> ChessRules:
    found = named_rules(name)
    assert found is not None
    return found


@pytest.fixture(scope="session")
def rules() -> Callable[[str], ChessRules]:
    """Rules by name."""
    return _rules
