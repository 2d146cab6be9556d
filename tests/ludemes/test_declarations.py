"""What ludemes declare, and what follows from it."""

from __future__ import annotations

from typing import get_args

import pytest

import ludoport.ludemes  # noqa: F401  (registers all ludemes)
from ludoport.lud import read_text
from ludoport.lud.signatures import language
from ludoport.lud.tree import Ludeme
from ludoport.ludemes.core.effects import conflicts
from ludoport.ludemes.core.registry import BOOLEANS, INTS, MOVES, REGIONS, int_ludeme
from ludoport.ludemes.core.traits import TRAITS, Order, Part, declare, order, reads, traits, undeclared, writes
from ludoport.ludemes.meanings.arrays import ARRAYS

REGISTERED = sorted({*INTS, *BOOLEANS, *REGIONS, *MOVES, *(f"intarray:{keyword}" for keyword in ARRAYS)})

CAUTIOUS = ["int:coord", "int:edge", "int:value Player"]
"""Ludemes that do not declare what they look at, and so are taken to look at the whole board."""


def test_the_ludemes_that_declare_nothing_are_known_by_name() -> None:
    assert [key for key in REGISTERED if undeclared(key)] == CAUTIOUS


@pytest.mark.parametrize("key", sorted(TRAITS))
def test_declarations_are_about_ludemes_of_the_language(key: str) -> None:
    kind, keyword = key.split(":", 1)
    assert any(entry.kind == kind for entry in language().by_keyword.get(keyword, ()))
    words = {*TRAITS[key].get("reads", ()), *TRAITS[key].get("writes", ())}
    assert words <= set(get_args(Part))


def test_a_ludeme_is_declared_once() -> None:
    with pytest.raises(ValueError, match="int:row"):
        declare("int:row", reads=[])
    with pytest.raises(ValueError, match="int:row"):
        int_ludeme("row")(lambda node, cx: 0)


def test_without_a_declaration_the_answers_are_cautious() -> None:
    node = Ludeme("moves", "playCard", {}, read_text('(game "G" (players 2))').root.source)
    assert node.key not in TRAITS
    assert (reads(node), writes(node), order(node)) == (("board",), ("board",), Order.ACT)
    assert not traits(node).get("known")
    assert not traits(node).get("draws")


def _consequent(text: str) -> Ludeme:
    game = read_text(
        '(game "G" (players 2) (equipment {(board (square 3)) (piece "Ball" Each)})'
        f"(rules (play (move Add (to (sites Empty)) (then {text}))) (end (if (no Moves Next) (result Mover Win)))))"
    )
    then = next(node for node in game.root.walk() if node.keyword == "then")
    found = then.args["moves"]
    assert isinstance(found, Ludeme)
    return found


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("(and (remove 0) (addScore Mover (count Pieces Mover)))", True),
        ("(and (addScore Mover 1) (addScore Mover (count Pieces Mover)))", False),
        ("(and (addScore Mover 1) (addScore Mover (score Mover)))", True),
        ("(and (set Counter) (addScore Mover (counter)))", True),
        ("(and (set Counter) (addScore Mover (row of:(last To))))", False),
        ("(if (is Empty 0) (remove 0) (addScore Mover (count Pieces Mover)))", False),
        ("(seq {(remove 0) (addScore Mover (count Pieces Mover))})", False),
        ("(forEach Site (sites Board) (seq {(if (is Occupied (site)) (remove (site)))}))", True),
        ("(and (addScore Mover 1) (seq {(addScore Mover (score Mover))}))", True),
        ("(forEach Site (sites Board) (if (is Occupied (site)) (remove (site))))", True),
    ],
)
def test_effects_that_would_see_earlier_ones(text: str, expected: bool) -> None:
    assert conflicts(_consequent(text)) is expected
