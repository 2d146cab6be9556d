"""The interpreter behind the functions of the kernel contract, for games that can neither be grounded nor compiled.

These functions are plain Python on every target. A row holds the numbers of the facts that hold, in ascending order;
facts and moves get their numbers when they first turn up.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from typing import Any
from weakref import WeakValueDictionary

from ludoport.errors import LudoportError
from ludoport.gdl.interpreter import Interpreter, View
from ludoport.gdl.kif import Sheet, Term, term_text
from ludoport.gdl.program import read_program
from ludoport.kernels.source import quoted

REMEMBERED = 256
"""Number of evaluated states that are kept."""


def fallback_source(text: str, name: str, sizes: dict[str, int]) -> str:
    """A module that has the functions of the contract."""
    constants = "\n".join(f"{key} = {value}" for key, value in sizes.items())
    roles = len(read_program(Sheet(text)).roles)
    return (
        f"{quoted(f'{name}: played by the interpreter.')}\n"
        "from ludoport.gdl.fallback import functions\n\n"
        f"{constants}\nMOVE_SIZE = 2\nN_PLAYERS = {roles}\nMOVER = 0\nOVER = 1\nGOAL = 2\n"
        f"TEXT = {quoted(text)}\n"
        "globals().update(functions(TEXT, COUNT, CHOICE, MAX_MOVES))\n"
    )


class SheetHost:
    """The numbers of the facts and moves of one rulesheet, and its evaluated states."""

    def __init__(self, text: str) -> None:
        self.interpreter = Interpreter(read_program(Sheet(text)))
        self._numbers: dict[Term, int] = {}
        self._facts: list[Term] = []
        self._move_numbers: dict[Term, int] = {}
        self._move_terms: list[Term] = []
        self.moves: list[str] = []
        self._views: OrderedDict[tuple[int, ...], View] = OrderedDict()

    def fact_texts(self, row: Any, count: int) -> list[str]:
        """The facts of a row, sorted."""
        return sorted(term_text(self._facts[number]) for number in self._held(row, count))

    def _held(self, row: Any, count: int) -> tuple[int, ...]:
        return tuple(int(x) for x in row[count + 1 : count + 1 + int(row[count])])

    def view(self, row: Any, count: int) -> View:
        """The facts, legal moves and goals of a state."""
        held = self._held(row, count)
        known = self._views.get(held)
        if known is None:
            known = self._views[held] = self.interpreter.view(frozenset(self._facts[number] for number in held))
            if len(self._views) > REMEMBERED:
                self._views.popitem(last=False)
        return known

    def write(self, row: Any, facts: frozenset[Term], count: int) -> None:
        """Write the facts of a state into a row."""
        numbers = []
        for fact in facts:
            if fact not in self._numbers:
                self._numbers[fact] = len(self._facts)
                self._facts.append(fact)
            numbers.append(self._numbers[fact])
        if count + 1 + len(numbers) > len(row):
            raise LudoportError(f"a state has {len(numbers):,} facts; a row holds {len(row) - count - 1:,}")
        row[count:] = 0
        row[count] = len(numbers)
        row[count + 1 : count + 1 + len(numbers)] = sorted(numbers)

    def legal(self, row: Any, count: int, role: int) -> list[int]:
        """The numbers of the legal moves of a role."""
        found = []
        for move in sorted(self.view(row, count).legal[role], key=term_text):
            if move not in self._move_numbers:
                self._move_numbers[move] = len(self.moves)
                self._move_terms.append(move)
                self.moves.append(term_text(move))
            found.append(self._move_numbers[move])
        return found

    def step(self, row: Any, count: int, choices: list[int]) -> None:
        """Make a joint move."""
        state = frozenset(self._facts[number] for number in self._held(row, count))
        self.write(row, self.interpreter.following(state, [self._move_terms[x] for x in choices]), count)


_HOSTS: WeakValueDictionary[str, SheetHost] = WeakValueDictionary()
"""Hosts by rulesheet, as long as a game has them: a second one would give its facts other numbers."""


def host(text: str) -> SheetHost:
    """The one host of a rulesheet."""
    found = _HOSTS.get(text)
    if found is None:
        found = _HOSTS[text] = SheetHost(text)
    return found


def functions(text: str, count: int, choice: int, most: int) -> dict[str, Callable[..., Any]]:
    """The functions of the contract, by name and as entry points."""
    here = host(text)
    roles = len(here.interpreter.roles)

    def settle(state: Any) -> None:
        state[choice : choice + roles] = 0
        view = here.view(state, count)
        moves = [here.legal(state, count, role) for role in range(roles)]
        state[1] = 1 if view.terminal else 2 if not all(moves) else 0
        for role, goal in enumerate(view.goals):
            state[2 + role] = -1 if goal is None else goal
        if not state[1]:
            choosers = [role for role in range(roles) if len(moves[role]) > 1]
            busy = [role for role in range(roles) if here.moves[moves[role][0]].lower() != "noop"]
            state[0] = 1 + (choosers or busy or [0])[0]

    def start(state: Any, rng: Any) -> int:
        del rng
        here.write(state, here.interpreter.initial(), count)
        settle(state)
        return 0

    def legal(state: Any, moves: Any, work: Any) -> int:
        return 0 if state[1] else role_moves(state, int(state[0]) - 1, moves, work)

    def role_moves(state: Any, role: int, moves: Any, work: Any) -> int:
        del work
        found = here.legal(state, count, role)
        if len(found) > most:
            raise LudoportError(f"a state has {len(found):,} legal moves; the limit is {most:,}")
        moves[: 2 * len(found) : 2] = found
        moves[1 : 2 * len(found) : 2] = role + 1
        return len(found)

    def sample(state: Any, rng: Any, move: Any, moves: Any, work: Any) -> int:
        chosen = 2 * draw_number(rng, legal(state, moves, work))
        move[:] = moves[chosen : chosen + 2]
        return 0

    def play(state: Any, move: Any, work: Any) -> int:
        del work
        role = int(state[0]) - 1
        state[choice + role] = move[0] + 1
        for other in range(role + 1, roles):
            if len(here.legal(state, count, other)) > 1:
                state[0] = other + 1
                return 0
        chosen = [int(x) - 1 for x in state[choice : choice + roles]]
        here.step(state, count, [x if x >= 0 else here.legal(state, count, r)[0] for r, x in enumerate(chosen)])
        settle(state)
        return 0

    def utility(state: Any, player: int) -> float:
        goal = int(state[1 + player])
        return 0.0 if state[1] == 0 or goal < 0 else min(goal, 100) / 50 - 1

    def key(state: Any) -> int:
        chosen = tuple(int(x) for x in state[choice : choice + roles])
        return hash((chosen, tuple(int(x) for x in state[count:]))) & 0x7FFFFFFFFFFFFFFF

    def goals(state: Any, work: Any) -> int:
        del work
        for role, goal in enumerate(here.view(state, count).goals):
            state[2 + role] = -1 if goal is None else goal
        return 0

    def playout(state: Any, rng: Any, moves: Any, work: Any, limit: int) -> int:
        played = 0
        while not state[1] and played < limit:
            sample(state, rng, moves[2 * most : 2 * most + 2], moves, work)
            play(state, moves[2 * most : 2 * most + 2], work)
            played += 1
        return played

    def playouts(state: Any, rng: Any, moves: Any, work: Any, number: int, limit: int) -> int:
        total = 0
        for _ in range(number):
            start(state, rng)
            total += playout(state, rng, moves, work, limit)
        return total

    def perft(states: Any, lists: Any, work: Any, depth: int) -> int:
        number = legal(states[0], lists[0], work)
        if depth == 1:
            return number
        total = 0
        for k in range(number):
            states[1] = states[0]
            play(states[1], lists[0, 2 * k : 2 * k + 2], work)
            total += perft(states[1:], lists[1:], work, depth - 1)
        return total

    made = (draw_number, start, legal, role_moves, sample, play, utility, key, goals, playout, playouts, perft)
    named: dict[str, Callable[..., Any]] = {function.__name__: function for function in made}
    return {**named, **{f"enter_{name}": function for name, function in named.items()}}


def draw_number(rng: Any, n: int) -> int:
    """A number below n, as kernels draw it."""
    a, b = int(rng[0]), int(rng[1])
    value = (a * 0x9E3779BB) & 0xFFFFFFFF
    b ^= a
    rng[0] = (((a << 26) | (a >> 6)) & 0xFFFFFFFF) ^ b ^ ((b << 9) & 0xFFFFFFFF)
    rng[1] = ((b << 13) | (b >> 19)) & 0xFFFFFFFF
    return (value * n) >> 32
