"""The learner: TD(lambda) over afterstates, fast to move, learning after each match."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.game import Game, Move, State, as_game, seeded
from ludoport.td.match_kernels import KINDS, ORDERS, STARTS, td_source
from ludoport.td.memory import CODE, AfterstateMemory, new_desk
from ludoport.td.opponents import Chooser, Opponent
from ludoport.td.records import ChoiceSpace, Entries, Journey, LookaheadDesk, MatchTerms, Values
from ludoport.td.settings import TdSettings

if TYPE_CHECKING:
    from ludoport.kernels.contract import Rules

Start = Literal["default", "features", "minimax", "maxmax", "avgmax"]

ROOM = 4096
"""Minimum initial capacity of a memory, in entries."""

SEEN = 1 << 14
"""Capacity of the table of positions in which opponents are about to lose; a power of two."""


@dataclass(frozen=True)
class KnownValues:
    """Features with their values, as a learner uses them.

    Attributes:
        codes: ascending; shape (features,).
        values: shape (features,).
        nested: whether some of the features are nested.
    """

    codes: NDArray[np.int64]
    values: NDArray[np.float64]
    nested: bool = False

    @classmethod
    def of(cls, values: dict[int, float], nested: bool = False) -> KnownValues:
        """Known values from a mapping of codes to values."""
        codes = sorted(values)
        return cls(
            np.array(codes, dtype=np.int64), np.array([values[code] for code in codes], dtype=np.float64), nested
        )


NOTHING = KnownValues.of({})


def _nothing(*_: object) -> None:
    """Default of opponents that ignore an event."""


class ValueLearner:
    """Learns to play one seat of a game from matches.

    Args:
        game: any game of alternating moves, its name, or the path of its file.
        start: the value of a new afterstate: the default, that of its feature, or that of a search.
        features: features with their values, for ``start="features"``.
        seat: seat of the learner.
        seed: random seed.
        settings: settings of the learning.
        keep: keep the afterstates themselves, from which features can be made.

    Example:
        >>> import ludoport as lp
        >>> learner = ValueLearner(lp.load("Tic-Tac-Toe", jit=False), seed=1)
        >>> rewards = learner.train(Opponent("random"), matches=20)
        >>> len(rewards), set(rewards.tolist()) <= {0.0, 50.0, 100.0}
        (20, True)
    """

    def __init__(
        self,
        game: Game | str | Path,
        *,
        start: Start = "default",
        features: KnownValues = NOTHING,
        seat: int = 1,
        seed: int = 0,
        settings: TdSettings | None = None,
        keep: bool = False,
    ) -> None:
        game = as_game(game)
        if start not in STARTS:
            raise LudoportError(f"values cannot begin with `{start}`; they can with {', '.join(STARTS)}")
        if not 1 <= seat <= game.n_players:
            raise LudoportError(f"{game.name} has no seat {seat}; its seats are 1 to {game.n_players}")
        if start == "features" and not len(features.codes):
            raise LudoportError("no features to start with; give some, or choose another start")
        self.game, self.seat, self.start, self.features = game, seat, start, features
        self.settings = settings or TdSettings()
        self.matches = 0
        self._kernels = game.kernels_with(td_source(game))
        self._rng = seeded(seed)
        limit = self.settings.limit
        self.memory = AfterstateMemory(game, self._kernels, max(ROOM, 4 * (limit + 1)), keep)
        self._desk = new_desk(game, self.settings.depth)
        wanted: NDArray[np.int64] = np.zeros(game.rules.max_moves + 1, dtype=np.int64)
        self._hand = ChoiceSpace(self._rng, np.zeros_like(game.move_list), wanted, np.zeros(SEEN, dtype=np.int64))
        path: NDArray[Any] = np.zeros((limit + 1, game.rules.state_size), dtype=game.dtype)
        self._journey = Journey(path, np.zeros((2, limit + 1), dtype=np.float64))
        self._outcomes = self.settings.outcomes.table()

    @property
    def rules(self) -> Rules:
        """The rules of the game."""
        return self.game.rules

    def _orders(self, opponent: Opponent | None = None) -> NDArray[np.int64]:
        settings, other = self.settings, opponent or Opponent("random")
        values = {
            "SEAT": self.seat,
            "START": STARTS.index(self.start),
            "ASK": int(settings.at_sight),
            "OPPONENT": KINDS.index(other.kind),
            "HABIT": int(other.habit == "fixed"),
            "SIGHT": other.sight,
            "DEPTH": settings.depth,
            "NESTED": int(self.features.nested),
            "LIMIT": settings.limit,
            "SALT": other.salt & 0x7FFFFFFF,
        }
        return np.array([values[name] for name in ORDERS], dtype=np.int64)

    def _numbers(self, opponent: Opponent | None = None, epsilon: float | None = None) -> NDArray[np.float64]:
        s = self.settings
        own = s.epsilon if epsilon is None else epsilon
        other = opponent.epsilon if opponent is not None else 0.0
        return np.array([s.alpha, s.gamma, s.lam, own, other, s.default, s.loss, s.win], dtype=np.float64)

    def _terms(self, opponent: Opponent | None = None, epsilon: float | None = None) -> MatchTerms:
        return MatchTerms(self._orders(opponent), self._numbers(opponent, epsilon), self._outcomes)

    def _looking(self, terms: MatchTerms) -> tuple[LookaheadDesk, MatchTerms, Entries, Values]:
        """Arguments of kernels that record afterstates, beginning with the desk."""
        return self._desk, terms, self.memory.entries, Values(self.features.codes, self.features.values)

    def train(self, opponent: Opponent | Chooser, matches: int) -> NDArray[np.float64]:
        """Play matches and learn after each; returns the rewards, shape (matches,)."""
        if matches < 1:
            raise LudoportError(f"the number of matches must be at least 1, not {matches}")
        if isinstance(opponent, Opponent):
            rewards = self._train_fast(opponent, matches)
        elif self.game.n_players > 2:
            raise LudoportError(
                f"{self.game.name} has {self.game.n_players} players; {opponent.name} plays only one seat"
            )
        else:
            rewards = np.array([self._match(opponent) for _ in range(matches)], dtype=np.float64)
        self.matches += matches
        return rewards

    def _train_fast(self, opponent: Opponent, matches: int) -> NDArray[np.float64]:
        rewards: NDArray[np.float64] = np.zeros(matches, dtype=np.float64)
        state, done, terms = self.game.new_row(), 0, self._terms(opponent)
        while done < matches:
            looking = self._looking(terms)
            done += int(
                self._kernels.call("enter_td_matches", rewards[done:], state, self._hand, self._journey, *looking)
            )
            if done < matches:
                self.memory.grow()
        return rewards

    def make_room(self) -> None:
        """Make room for the afterstates of one more match."""
        if len(self.memory) + self.settings.limit + 1 >= self.memory.q.shape[0]:
            self.memory.grow()

    def note(self, row: NDArray[Any]) -> int:
        """The entry of an afterstate; a new one has the default value and no tree below it."""
        m = self.memory
        entry = int(self._kernels.call("enter_td_entry", m.entries, row))
        if entry >= 0:
            return entry
        return int(self._kernels.call("enter_td_add", m.entries, row, self.settings.default, 0))

    def _match(self, opponent: Chooser) -> float:
        """One match against an opponent that is not a kernel."""
        self.make_room()
        # Players of the arena also want to hear what happens.
        begin, heard, end = (getattr(opponent, name, _nothing) for name in ("begin", "played", "end"))
        begin(self.game, 3 - self.seat, self._draw())
        state = self.game.start(self._draw())
        path: list[NDArray[Any]] = []
        for _ in range(self.settings.limit):
            if state.over:
                break
            mine = state.seat == self.seat
            answer = self.choose(state, explore=True) if mine else opponent.choose(state, self._draw())
            move = state.find(answer) if isinstance(answer, str) else answer
            following = state.play(move)
            heard(state, move)
            state = following
            if mine or state.over:
                path.append(state.row)
        end(state)
        return self.learn(state, path)

    def learn(self, last: State, path: Sequence[NDArray[Any]]) -> float:
        """Learn from a match that was played elsewhere; returns the reward.

        Args:
            last: its last position.
            path: the rows of the learner's afterstates, the end among them; there must be room for them.
        """
        gained = last.seat_utilities[self.seat - 1] if last.over else 0.0
        reward = self.settings.loss + (self.settings.win - self.settings.loss) * (gained + 1) / 2
        for number, row in enumerate(path):
            self._journey.path[number] = row
        self._kernels.call("enter_td_learn", self._journey, len(path), reward, *self._looking(self._terms()))
        return reward

    def choose(self, state: State, explore: bool = False, rng: NDArray[np.int64] | None = None) -> Move:
        """The move with the highest value; one of them at random if several have it.

        Args:
            state: the position.
            explore: sometimes choose a random move.
            rng: state of a random generator; default: the learner's own.
        """
        if state.over:
            raise LudoportError("the game is over; there is no move to choose")
        moves = state.moves()
        hand = self._hand if rng is None else self._hand._replace(rng=rng)
        # Kernels list the moves in the same order.
        number = self._kernels.call(
            "enter_td_choose", state.row, hand, *self._looking(self._terms(epsilon=None if explore else 0.0))
        )
        return moves[int(number)]

    def value(self, state: State) -> float:
        """The value of an afterstate; the default if it is not known."""
        entry = int(self._kernels.call("enter_td_entry", self.memory.entries, state.row))
        return float(self.memory.q[entry]) if entry >= 0 else self.settings.default

    def visited(self, state: State) -> int:
        """Number of visits of an afterstate."""
        entry = int(self._kernels.call("enter_td_entry", self.memory.entries, state.row))
        return int(self.memory.book[1, entry]) if entry >= 0 else 0

    def met_code(self, state: State) -> int:
        """The code of an afterstate's tree as it is written down; 0 if it was never met or its tree is not known."""
        entry = int(self._kernels.call("enter_td_entry", self.memory.entries, state.row))
        return int(self.memory.book[CODE, entry]) if entry >= 0 else 0

    def code(self, state: State, nested: bool = False) -> int:
        """The code of the tree below an afterstate; 0 if it is the end."""
        return 0 if state.over else self._look(state, nested)

    def search_values(self, state: State) -> dict[str, float]:
        """Values of an afterstate by minimax, maxmax and avgmax search to the depth of the lookahead."""
        if state.over:
            reward = (
                self.settings.loss
                + (self.settings.win - self.settings.loss) * (state.seat_utilities[self.seat - 1] + 1) / 2
            )
            return dict.fromkeys(STARTS[2:], reward)
        self._look(state, False)
        return dict(zip(STARTS[2:], self._desk.sums[0, :3].tolist(), strict=True))

    def _look(self, state: State, nested: bool) -> int:
        self._desk.rows[0] = state.row
        depth, memory = self.settings.depth, self.memory.entries
        return int(
            self._kernels.call("enter_td_look", self._desk, depth, self.seat, int(nested), self._terms(), memory)
        )

    def codes(self, nested: bool = False) -> NDArray[np.int64]:
        """The codes of the trees below all afterstates that were met, 0 for ends; shape (entries,).

        Nested trees have the afterstates' own trees at their leaves where those are known.
        """
        memory = self.memory
        if len(memory) and not memory.keeps:
            raise LudoportError("this learner did not keep its afterstates; make it with keep=True")
        if nested:
            memory.book[CODE, : len(memory)] = self.codes()
        return self.codes_of(memory.kept[: len(memory)], nested)

    def codes_of(self, rows: NDArray[Any], nested: bool = False) -> NDArray[np.int64]:
        """The codes of the trees below some afterstates, 0 for ends; ``rows`` has shape (afterstates, state size)."""
        memory = self.memory
        codes: NDArray[np.int64] = np.zeros(len(rows), dtype=np.int64)
        self._kernels.call(
            "enter_td_codes", rows, len(rows), codes, self._desk, self.settings.depth, self.seat, int(nested),
            self._terms(), memory.entries,
        )  # fmt: skip
        return codes

    def _draw(self) -> int:
        """A fresh random seed."""
        low, high = (int(word) for word in self._rng)
        self._rng[:] = seeded((high << 32 | low) & (2**63 - 1))
        return (high << 32 | low) >> 1
