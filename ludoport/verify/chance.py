"""Replays recorded trials of games with chance: every draw has its recorded outcome.

The kernels run as plain Python, where the function that draws is exchanged for one that reads the record. That machine
code draws the same numbers from the same words is tested elsewhere.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.kernels.contract import rules_at
from ludoport.ludemic import LudemicRules, ludemic
from ludoport.verify import trace
from ludoport.verify.report import FileComparison

_DRAW = re.compile(r"(~?)(\w+):(\d+)=(\d+)(@\w+)?\Z")


class Script:
    """The recorded outcomes of one ply.

    Args:
        dice: the number of dice in a position.
    """

    def __init__(self, dice: Callable[[Any], int]) -> None:
        self.dice = dice
        self.seen: list[tuple[str, int, int]] = []
        self.later: list[tuple[str, int, int]] = []
        self.chosen = 0

    def load(self, listed: tuple[str, ...], applied: tuple[str, ...], chosen: int = 0) -> None:
        """Take the draws of a list of moves and of the move played; discarded ones have no effect.

        Args:
            listed: draws while the moves were listed.
            applied: draws while the move was played.
            chosen: place of the move in the list; where every move has a draw of its own, it is in the same place.
        """
        self.seen, self.later, self.chosen = _parse(listed), _parse(applied), chosen

    def draw(self, state: Any, unseen: int, luck: int, n: int, k: int) -> int:
        """The outcome of a draw below n; while moves are listed, of draw number k."""
        if state[unseen]:
            place = int(state[luck + 6])
            state[luck + 6] = place + 1
            return _outcome(self.later, place, n)
        dice = self.dice(state)
        if k < dice:
            rolls = [draw for draw in self.seen if draw[0] == "Roll"][-dice:]
            return _outcome(rolls, k, n)
        others = [draw for draw in self.seen if draw[0] != "Roll"]
        return _outcome(others, self.chosen if self.chosen < len(others) else 0, n)


def _parse(draws: tuple[str, ...]) -> list[tuple[str, int, int]]:
    found = []
    for text in draws:
        match = _DRAW.match(text)
        if match is None:
            raise LudoportError(f"`{text}` is not a recorded draw")
        # Draws of a stalemate check have no effect; those of end rules decide about the end.
        if not match[1] and match[5] != "@stale":
            found.append((match[2], int(match[3]), int(match[4])))
    return found


def _outcome(draws: list[tuple[str, int, int]], place: int, n: int) -> int:
    """A recorded outcome; where nothing fits, 0, which the comparison of moves brings to light."""
    if place < len(draws) and draws[place][1] == n:
        return draws[place][2]
    return 0


def scripted(game: Game) -> tuple[Game, Script]:
    """The game in plain Python, with outcomes that come from a script."""
    plain = Game(game.rules, jit=False)
    games: list[LudemicRules] = getattr(game.rules, "games", None) or [ludemic(game.rules)]
    numbers = {id(rules): sum(len(dice.faces) for dice in rules.compiled.program.dice) for rules in games}
    script = Script(lambda state: numbers[id(rules_at(game.rules, state))])
    fields = game.rules.fields
    if "LUCK" not in fields:
        return plain, script
    luck, unseen = fields["LUCK"], fields["UNSEEN"]

    def chance(state: Any, n: int, k: int) -> int:
        return script.draw(state, unseen, luck, int(n), int(k))

    def next_luck(state: Any) -> int:
        state[unseen] = 0
        state[luck : luck + 12] = 0
        return 0

    for space in (plain.kernels.chance.__globals__, *(rules.compiled.plain for rules in games)):
        space.update(chance=chance, next_luck=next_luck, reseed=lambda state, rng: next_luck(state))
    return plain, script


def compare_file(game: Game, path: Path, result: FileComparison, trials: int | None = None) -> None:
    """Replay a file of trials in a game and write what is found into ``result``."""
    plain, script = scripted(game)
    trace.compare_file(plain, path, result, trials, script)
