"""Games as OpenSpiel games, so that its algorithms run on every game of ours.

Importing this module registers the game ``ludoport``, whose parameters say which of our games it is:
``pyspiel.load_game("ludoport(game=Hex,options=Board Size/7x7)")``. Options are separated by semicolons; ``limit`` and
``ranks`` and ``zero_sum`` are those of `load`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError

try:
    import pyspiel
    from open_spiel.python.observation import IIGObserverForPublicInfoGame
except ModuleNotFoundError:
    raise LudoportError("this bridge needs OpenSpiel: pip install 'ludoport[openspiel]'") from None

from ludoport.arena.player import Player
from ludoport.arena.players import as_player
from ludoport.arena.playing import derived
from ludoport.bridges.positions import NumberedGame
from ludoport.game import Move, State, seeded

NAME = "ludoport"

LIMIT = 2000
"""Most moves of a game unless the parameter ``limit`` says otherwise; OpenSpiel's games must end."""

GAMES_TRIED = 4
"""Random games in which a step with several choices is looked for."""


def _type(numbered: NumberedGame | None, zero_sum: bool = True) -> pyspiel.GameType:
    """The type of a game; for the registration, which is before any game is known, that of Tic-Tac-Toe."""
    kinds, hidden = pyspiel.GameType, numbered is not None and simultaneous(numbered)
    players = 2 if numbered is None else numbered.game.n_players
    return pyspiel.GameType(
        short_name=NAME,
        long_name="Ludoport",
        dynamics=kinds.Dynamics.SEQUENTIAL,
        chance_mode=kinds.ChanceMode.DETERMINISTIC,
        information=kinds.Information.IMPERFECT_INFORMATION if hidden else kinds.Information.PERFECT_INFORMATION,
        utility=kinds.Utility.ZERO_SUM if zero_sum else kinds.Utility.GENERAL_SUM,
        reward_model=kinds.RewardModel.TERMINAL,
        max_num_players=players,
        min_num_players=players,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"game": "Tic-Tac-Toe", "options": "", "limit": LIMIT, "ranks": 0, "zero_sum": False},
    )


def simultaneous(numbered: NumberedGame) -> bool:
    """Whether several seats chose in one step of random games."""
    if "CHOICE" not in numbered.game.rules.fields:
        return False
    for seed in range(GAMES_TRIED):
        position, draw = numbered.start(), np.random.default_rng(seeded(seed))
        while position.actions:
            if position.undecided:
                return True
            position = position.play(int(draw.choice(list(position.actions))))
    return False


@lru_cache(maxsize=64)
def _numbered(game: str, options: str, ranks: int) -> NumberedGame:
    return NumberedGame(game, tuple(filter(None, options.split(";"))), ranks=ranks or None)


def load(
    game: str | Path,
    options: Sequence[str] = (),
    limit: int = LIMIT,
    ranks: int | None = None,
    zero_sum: bool | None = None,
) -> pyspiel.Game:
    """One of our games as an OpenSpiel game.

    Args:
        game: the name of a bundled game, or a game file.
        options: options of the game.
        limit: most moves of a game; then it ends without a winner.
        ranks: most moves that share a slot of the policy; default: found by random play.
        zero_sum: True declares that results of a rulesheet sum to zero, which algorithms for zero-sum games require;
            default: only where the rules of a game cannot have other results.
    """
    for text in (str(game), *options):
        if set(text) & set(",;()=\n"):
            raise LudoportError(f"`{text}`: OpenSpiel's parameters cannot hold commas, semicolons, brackets or `=`")
    chosen: dict[str, int | bool] = {} if ranks is None else {"ranks": ranks}
    if zero_sum:
        chosen["zero_sum"] = True
    return pyspiel.load_game(NAME, {"game": str(game), "options": ";".join(options), "limit": limit, **chosen})


class LudoportGame(pyspiel.Game):  # type: ignore[misc]  # OpenSpiel has no types
    """A game of ours in OpenSpiel. Players are seats, from 0."""

    def __init__(self, params: dict[str, Any] | None = None) -> None:
        given = params or {}
        name, options = str(given.get("game", "Tic-Tac-Toe")), str(given.get("options", ""))
        self.numbered = _numbered(name, options, int(given.get("ranks", 0)))
        self.limit = int(given.get("limit", LIMIT))
        information = {
            "num_distinct_actions": self.numbered.n_actions,
            "max_chance_outcomes": 0,
            "num_players": self.numbered.game.n_players,
            "min_utility": -1.0,
            "max_utility": 1.0,
            "max_game_length": self.limit,
        }
        declared = bool(given.get("zero_sum", False))
        zero_sum = self.numbered.zero_sum or declared
        self.to_be_checked = zero_sum and not self.numbered.zero_sum
        if zero_sum:
            information["utility_sum"] = 0.0
        kind = _type(self.numbered, zero_sum)
        self.hides = kind.information == pyspiel.GameType.Information.IMPERFECT_INFORMATION
        super().__init__(kind, pyspiel.GameInfo(**information), given)

    def new_initial_state(self, state: Any = None) -> LudoportState:
        """The initial position."""
        if state is not None:
            raise LudoportError("a position of Ludoport is reached by playing moves, not from a dictionary")
        return LudoportState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> Any:
        """The observer that reads observations from positions."""
        if iig_obs_type is None or (iig_obs_type.public_info and not iig_obs_type.perfect_recall):
            return Observer(self.numbered, params)
        if self.hides:
            return Recall(iig_obs_type, params)
        return IIGObserverForPublicInfoGame(iig_obs_type, params)


class LudoportState(pyspiel.State):  # type: ignore[misc]
    """A position in OpenSpiel."""

    def __init__(self, game: LudoportGame) -> None:
        super().__init__(game)
        self.position, self.limit, self.hides = game.numbered.start(), game.limit, game.hides
        self.checked = game.to_be_checked
        # Moves that all players know, and those of the step in which some seats have yet to choose.
        self.known: list[str] = []
        self.hidden: list[tuple[int, str]] = []

    def current_player(self) -> int:
        """The seat to act, from 0."""
        return int(pyspiel.PlayerId.TERMINAL) if self.is_terminal() else self.position.seat - 1

    def is_terminal(self) -> bool:
        """Whether the game has ended or has reached the limit of moves."""
        return self.position.state.over or self.position.plies >= self.limit

    def returns(self) -> list[float]:
        """The result of each seat; 0 where the limit ended the game."""
        state = self.position.state
        results = state.seat_utilities if state.over else [0.0] * state.game.n_players
        if self.checked and sum(results) != 0:
            raise LudoportError(f"{state.game.name}: results are {results}; load the game without zero_sum")
        return results

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> LudoportState:
        """A position that a player cannot tell from this one: what the others chose in this step is drawn again.

        Args:
            player: the seat, from 0.
            sampler: draws from 0 to 1, 1 excluded.
        """
        history = self.history()
        begin = len(history) - len(self.hidden)
        drawn: LudoportState = self.get_game().new_initial_state()
        for action in history[:begin]:
            drawn.apply_action(action)
        for action in history[begin:]:
            legal = drawn.legal_actions()
            own = drawn.current_player() == player
            drawn.apply_action(action if own else legal[int(sampler() * len(legal))])
        return drawn

    def _legal_actions(self, player: int) -> list[int]:
        return [] if self.is_terminal() or player != self.current_player() else list(self.position.actions)

    def _apply_action(self, action: int) -> None:
        if self.hides:
            self.hidden.append((self.current_player(), self.position.actions[action].label))
        self.position = self.position.play(action)
        if self.hides and not self.position.undecided:
            self.known += [label for _, label in self.hidden]
            self.hidden = []

    def _action_to_string(self, player: int, action: int) -> str:
        del player
        move = self.position.actions.get(action)
        return f"action {action}" if move is None else move.label

    def __str__(self) -> str:
        return self.position.state.picture()


class LudoportBot(pyspiel.Bot):  # type: ignore[misc]
    """A player of ours as a bot of OpenSpiel, in games that `load` makes.

    Args:
        seat: the seat, from 0.
        player: a player, its text such as ``uct:100`` or ``net:zoo/hex-7x7``, or a function ``state -> move``.
        seed: random seed.
    """

    def __init__(
        self, seat: int, player: Player | str | Callable[[State], Move | str] = "uct:100", seed: int = 0
    ) -> None:
        super().__init__()
        self.seat, self.player, self.seed = seat, as_player(player), seed
        self.asked: int | None = None

    def restart_at(self, state: LudoportState) -> None:
        """A game begins in this position."""
        self.player.begin(state.position.state.game, self.seat + 1, self.seed)
        self.asked = 0

    def inform_action(self, state: LudoportState, player_id: int, action: int) -> None:
        """Another seat plays an action in this position."""
        del player_id
        self.player.played(state.position.state, state.position.actions[action])

    def step(self, state: LudoportState) -> int:
        """The action that the player chooses."""
        if self.asked is None:
            self.restart_at(state)
        self.asked = (self.asked or 0) + 1
        position = state.position
        chosen = self.player.choose(position.state, derived(self.seed, "move", self.asked))
        action = position.number(position.state.find(chosen) if isinstance(chosen, str) else chosen)
        self.player.played(position.state, position.actions[action])
        return action


class Observer:
    """Observations: the planes of a position, the same for all players."""

    def __init__(self, numbered: NumberedGame, params: Any) -> None:
        if params:
            raise LudoportError(f"observations of Ludoport's games have no parameters, not {params}")
        self.tensor = np.zeros(int(np.prod(numbered.shape)), np.float32)
        self.dict = {"observation": self.tensor.reshape(numbered.shape)}

    def set_from(self, state: LudoportState, player: int) -> None:
        """Write the planes of a position."""
        del player
        self.dict["observation"][:] = state.position.observation

    def string_from(self, state: LudoportState, player: int) -> str:
        """The position as text."""
        del player
        return state.position.state.picture()


class Recall:
    """Knowledge of a player where several seats choose at once: the moves of finished steps and its own choice."""

    def __init__(self, iig_obs_type: Any, params: Any) -> None:
        if params:
            raise LudoportError(f"observations of Ludoport's games have no parameters, not {params}")
        self.public = iig_obs_type.public_info and iig_obs_type.perfect_recall
        self.private = iig_obs_type.private_info != pyspiel.PrivateInfoType.NONE
        self.tensor = None
        self.dict: dict[str, Any] = {}

    def set_from(self, state: LudoportState, player: int) -> None:
        """Does nothing, because there is no tensor."""

    def string_from(self, state: LudoportState, player: int) -> str:
        """The known moves, and what the player itself chose in a step that is not finished."""
        own = [label for seat, label in state.hidden if seat == player]
        return ", ".join([*(state.known if self.public else []), *(own if self.private else [])])


pyspiel.register_game(_type(None), LudoportGame)
