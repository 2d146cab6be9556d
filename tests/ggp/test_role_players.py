from __future__ import annotations

import time
from collections.abc import Sequence

import pytest

from ludoport.arena.kinds.uct import Uct
from ludoport.errors import LudoportError
from ludoport.ggp.positions import SheetPosition, compiled_game, initial, read_rules
from ludoport.ggp.role_player import ArenaRole, RolePlayer, kinds, role_player
from tests.ggp.helping import COINS, RACE

MATCHER = """
(role left) (role right) (init start)
(side a) (side b) (side c)
(<= (legal left (show ?s)) (side ?s)) (<= (legal right (show ?s)) (side ?s))
(<= (next (shown ?s ?t)) (does left (show ?s)) (does right (show ?t)))
(<= terminal (true (shown ?s ?t)))
(<= (goal right 100) (true (shown ?s b))) (<= (goal right 0) (true (shown ?s ?t)) (distinct ?t b))
(<= (goal left 100) (true (shown ?s ?t)) (distinct ?t b)) (<= (goal left 0) (true (shown ?s b)))
"""
"""Both choose at once; the second role wins with b, whatever the first does."""


def position_of(text: str, jit: bool | None = False) -> SheetPosition:
    rules = read_rules(text)
    return initial(rules, compiled_game(rules, jit))


def settled(thinker: RolePlayer, position: SheetPosition, role: int, seconds: float = 0.5) -> str:
    """The move that a player has found when its time is up."""
    until = time.monotonic() + seconds
    found = ""
    for move in thinker.think(position, role, until):
        found = move
        if time.monotonic() > until:
            break
    return found


@pytest.mark.parametrize(
    "text", ["random", "legal", "uct", "minimax", "uct:exploration=0.7,nodes=5000", "uct:50", "minimax:2"]
)
def test_every_player_plays_legal_moves_with_and_without_a_compiled_game(text: str) -> None:
    for sheet in (RACE, COINS):
        rules = read_rules(sheet)
        for game in (None, compiled_game(rules, jit=False)):
            players = [role_player(text), role_player(text)]
            for role, player in enumerate(players):
                player.begin(role, 7)
            position = initial(rules, game)
            while not position.terminal:
                moves = [settled(player, position, role, 0.02) for role, player in enumerate(players)]
                assert [position.find(role, move) for role, move in enumerate(moves)] == moves
                for player in players:
                    player.moved(position, moves)
                position = position.after(moves)
            for player in players:
                player.end(position)


@pytest.mark.parametrize("text", ["uct", "minimax"])
def test_those_who_search_find_the_winning_move(text: str) -> None:
    # At 0 the winning move is 1: from 1 the other must go to 2 or 3, and from there 4 is in reach.
    assert settled(role_player(text), position_of(RACE), 0) == "(ADD 1)"


def test_who_chooses_second_in_a_step_searches_too() -> None:
    assert settled(role_player("uct"), position_of(MATCHER), 1) == "(show b)"


def test_uct_keeps_its_tree() -> None:
    thinker = role_player("uct")
    thinker.begin(0, 1)
    position = position_of(RACE)
    settled(thinker, position, 0, 0.2)
    moves: Sequence[str] = ["(ADD 1)", "NOOP"]
    thinker.moved(position, moves)
    assert isinstance(thinker, ArenaRole)
    assert isinstance(thinker.player, Uct)
    tree = thinker.player._tree
    assert tree is not None
    following = position.after(moves).state
    assert following is not None
    assert (tree.state.row == following.row).all()
    assert tree.nodes() > 1


def test_random_players_repeat_themselves_with_the_same_seed() -> None:
    position = position_of(COINS)

    def sequence(seed: int) -> list[str]:
        player = role_player("random")
        player.begin(0, seed)
        return [settled(player, position, 0, 0.01) for _ in range(20)]

    assert sequence(3) == sequence(3)
    assert sequence(3) != sequence(4)


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("uctt", "did you mean `uct`"),
        ("", "kind is missing"),
        ("random:5", "takes nothing"),
        ("uct:exploration=-1", "exploration must not be negative"),
        ("minimax:playouts=x", "whole number"),
        ("human", "unknown player `human`"),
    ],
)
def test_wrong_players_are_refused(text: str, sentence: str) -> None:
    with pytest.raises(LudoportError, match=sentence):
        role_player(text)


def test_all_kinds_say_how_they_are_written() -> None:
    known = {kind.name: kind.usage for kind in kinds()}
    assert set(known) >= {"legal", "minimax", "random", "uct"}
    assert all(usage.startswith(name) for name, usage in known.items())
