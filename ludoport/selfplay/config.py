"""Every knob of a training run, in one place."""

from __future__ import annotations

import difflib
import json
import math
from dataclasses import asdict, dataclass, fields
from typing import Any, Literal

from ludoport.errors import LudoportError
from ludoport.files import parse_toml
from ludoport.search.puct import PuctSettings

Schedule = Literal["constant", "cosine", "trapezoid"]


_CHOICES = {
    "fpu_kind": ("parent", "siblings"),
    "drawing": ("visits", "polygames"),
    "schedule": ("constant", "cosine", "trapezoid"),
    "optimiser": ("adamw", "adam"),
    "sharing": ("equal", "progress"),
}

_MOST_SEED = 2**62
"""Generators take seeds of 63 bits; actors and learners add a little to that of the run."""

_POSITIVE = ("rate", "reuse_factor", "temperature", "terminal")
_NOT_NEGATIVE = (
    "seed", "sampled", "warmup", "batches", "warm_batches", "sigma_scale", "weight", "forced", "decay", "clip",
    "epsilon", "value_weight", "reply_weight", "ownership_weight", "checkpoint_minutes",
)  # fmt: skip


@dataclass(frozen=True)
class TrainConfig:
    """Settings of a run.

    Attributes:
        game: name of the game, or path of its game file.
        options: options of the game.
        layout: tensor layout.
        network: network preset.
        seed: random seed.
        games: number of games played in parallel.
        threads: number of search threads on a CPU; each searches its share of the games.
        staggered: start the first games with different numbers of random moves, so that results arrive from the first
            step on instead of all at once.
        simulations: number of simulations of a recorded search.
        fast_simulations: number of simulations of a search that is not recorded, if ``full_share`` is below 1.
        full_share: playout-cap randomisation: share of steps that are searched fully and recorded.
        gumbel: Gumbel search instead of PUCT.
        considered: number of root moves at the start of sequential halving.
        sigma_scale: scale of Q values relative to policy logits, in Gumbel search and in completed values.
        weight: exploration constant c of PUCT.
        fpu: first-play urgency reduction; see ``PuctSettings``.
        fpu_kind: ``parent`` or ``siblings``; see ``PuctSettings``.
        terminal: absolute value of a finished game in a search.
        forced: forced playouts at the root of PUCT; 0: none.
        pruned: remove forced playouts from the policy target (policy target pruning).
        noise: share of Dirichlet noise in the root's priors of PUCT.
        solve: prove wins and losses in searches (MCTS-Solver).
        reuse: keep the subtree of the played move for the next search.
        completed: policy target from completed Q values instead of visits.
        openings: share of games that start with random moves, which are not recorded.
        opening_plies: maximum number of random moves at the start of a game; 0: as in Polygames, up to the mean length
            of a game or a tenth of it.
        random_seats: share of players, drawn for every game, that play a random move at ply t with probability
            4 / (t + 10) squared; the policy target is that of the search.
        resign: threshold: a player resigns if both sides value its position below minus this; 0: never.
        resign_plies: number of consecutive plies below the threshold before a player resigns.
        resign_share: share of games in which players may resign; the others measure false resignations.
        tournament: one side of each game is, half of the time, a rated past checkpoint, whose positions are not
            recorded; see ``tournament.py``.
        sampled: number of first plies in which PUCT samples its move by visits.
        drawing: how moves are sampled: ``visits``, or ``polygames`` (weight exp(2 p p) - 1 for a share p of visits).
        temperature: temperature of sampling by visits.
        ply_limit: maximum length of a game in plies; longer games are draws.
        replay: capacity of the replay in positions.
        warmup: number of positions before learning starts.
        positions: number of recorded positions per epoch.
        batches: number of batches per epoch; 0: derived from ``reuse_factor``.
        reuse_factor: mean number of times a position is learned from.
        batch: batch size.
        rate: highest learning rate.
        schedule: learning rate schedule.
        warm_batches: number of batches of learning rate warm-up.
        decay: weight decay.
        clip: maximum gradient norm; 0: no limit.
        optimiser: ``adamw`` or ``adam``.
        epsilon: epsilon of the optimiser.
        value_weight: weight of the value loss.
        reply_weight: weight of the auxiliary loss that predicts the opponent's reply; 0: none.
        ownership_weight: weight of the auxiliary loss that predicts the final owner of each cell; 0: none.
        mix: share of the search's value in the value target; the rest is the result.
        symmetries: augment positions by the rotations and reflections that leave the rules unchanged.
        ema: decay of the exponential moving average of weights, per batch; 0: no averaging.
        checkpoint_epochs: number of epochs between checkpoints of the network.
        checkpoint_minutes: maximum number of minutes between checkpoints, also within an epoch; 0: one after
            every epoch.
        rating_share: share of the run's time in which a separate process rates checkpoints; 1: all the time, 0: no
            ratings.
        rating_games: number of games of a checkpoint against each opponent.
        rating_simulations: number of simulations of the network in rating games.
        opponents: players that rate checkpoints, weakest first; the first has 0 Elo (see ``rating_ladder.py``).
        frozen: train only the heads; the trunk and its normalisations stay as they are.
        half: train in half precision on a GPU.
        game_list: games that one network learns together, each as a line of a list (see ``lists.py``); empty for a run
            of one game. ``games`` and ``replay`` are then for each game, everything else for all of them.
        sharing: what each game of a list plays and learns: ``equal``, or more by ``progress`` of its losses.
        mixed: games of a list in one batch.
        lanes: games of a list that are played, and learned from, at the same time on a GPU.
        rule_vectors: networks for many games: rules scale and shift the layers.
        token_sums: networks for many games: weights of channels are sums over tokens.
    """

    game: str = "Hex"
    options: tuple[str, ...] = ()
    layout: str = "compact"
    network: str = "tiny"
    seed: int = 1
    games: int = 64
    threads: int = 1
    staggered: bool = False
    simulations: int = 32
    fast_simulations: int = 8
    full_share: float = 1.0
    gumbel: bool = True
    considered: int = 16
    sigma_scale: float = 0.25
    weight: float = 1.25
    fpu: float = 0.2
    fpu_kind: Literal["parent", "siblings"] = "parent"
    terminal: float = 1.0
    forced: float = 0.0
    pruned: bool = True
    noise: float = 0.0
    solve: bool = True
    reuse: bool = False
    completed: bool = True
    openings: float = 0.0
    opening_plies: int = 4
    random_seats: float = 0.0
    resign: float = 0.0
    resign_plies: int = 7
    resign_share: float = 0.9
    tournament: bool = False
    sampled: int = 8
    drawing: Literal["visits", "polygames"] = "visits"
    temperature: float = 1.0
    ply_limit: int = 512
    replay: int = 100_000
    warmup: int = 2_000
    positions: int = 2_048
    batches: int = 0
    reuse_factor: float = 3.0
    batch: int = 128
    rate: float = 3e-3
    schedule: Schedule = "cosine"
    warm_batches: int = 50
    decay: float = 1e-4
    clip: float = 1.0
    optimiser: Literal["adamw", "adam"] = "adamw"
    epsilon: float = 1e-8
    value_weight: float = 1.0
    reply_weight: float = 0.0
    ownership_weight: float = 0.0
    mix: float = 0.0
    symmetries: bool = True
    ema: float = 0.99
    checkpoint_epochs: int = 5
    checkpoint_minutes: float = 5.0
    rating_share: float = 0.05
    rating_games: int = 10
    rating_simulations: int = 40
    opponents: tuple[str, ...] = ("uct:100", "uct:800,rollouts=10")
    frozen: bool = False
    half: bool = True
    game_list: tuple[str, ...] = ()
    sharing: Literal["equal", "progress"] = "equal"
    mixed: int = 4
    lanes: int = 4
    rule_vectors: bool = True
    token_sums: bool = True

    def __post_init__(self) -> None:
        least = {
            "games": 1, "threads": 1, "simulations": 1, "fast_simulations": 1, "considered": 1, "replay": 1,
            "positions": 1, "batch": 1, "checkpoint_epochs": 1, "ply_limit": 1, "opening_plies": 0, "resign_plies": 1,
            "rating_simulations": 1, "rating_games": 2, "mixed": 1, "lanes": 1,
        }  # fmt: skip
        for name, bound in least.items():
            if getattr(self, name) < bound:
                raise LudoportError(f"{name} must be at least {bound}, not {getattr(self, name)}")
        self._check_numbers()
        for name in ("openings", "noise", "mix", "rating_share", "random_seats", "resign", "resign_share"):
            if not 0 <= getattr(self, name) <= 1:
                raise LudoportError(f"{name} must be between 0 and 1, not {getattr(self, name)}")
        for name, (*others, last) in _CHOICES.items():
            if getattr(self, name) not in (*others, last):
                raise LudoportError(f"{name} must be {', '.join(others)} or {last}, not {getattr(self, name)}")
        if not 0 < self.full_share <= 1:
            raise LudoportError(f"full_share must be above 0 and at most 1, not {self.full_share}")
        if self.frozen and self.game_list:
            raise LudoportError("frozen is for networks of one game; leave it out for a list of games")
        if self.threads > self.games:
            raise LudoportError(f"threads must be at most the {self.games} games, not {self.threads}")
        if self.full_share < 1 and self.fast_simulations > self.simulations:
            raise LudoportError(
                f"fast_simulations must be at most the {self.simulations} simulations of a full search, "
                f"not {self.fast_simulations}"
            )
        if not 0 <= self.ema < 1:
            raise LudoportError(f"ema must be at least 0 and below 1, not {self.ema}")
        if self.replay < 4 * self.games:
            raise LudoportError(
                f"replay must be at least {4 * self.games}, four positions for each of {self.games} games, "
                f"not {self.replay}"
            )

    def _check_numbers(self) -> None:
        """Refuse numbers that are none, and those on the wrong side of 0."""
        for field in fields(self):
            value = getattr(self, field.name)
            if isinstance(value, float) and not math.isfinite(value):
                raise LudoportError(f"{field.name} must be a finite number, not {value}")
        for name in _POSITIVE:
            if not getattr(self, name) > 0:
                raise LudoportError(f"{name} must be above 0, not {getattr(self, name)}")
        for name in _NOT_NEGATIVE:
            if getattr(self, name) < 0:
                raise LudoportError(f"{name} must be at least 0, not {getattr(self, name)}")
        if self.seed > _MOST_SEED:
            raise LudoportError(f"seed must be at most {_MOST_SEED}, not {self.seed}")

    def search(self, simulations: int | None = None) -> PuctSettings:
        """Settings of the searches of self-play; those that play for strength leave Gumbel noise out."""
        return PuctSettings(
            simulations=simulations or self.simulations, weight=self.weight, fpu=self.fpu, fpu_kind=self.fpu_kind,
            terminal=self.terminal, solve=self.solve, forced=self.forced, gumbel=self.gumbel,
            gumbel_noise=1.0,
            considered=self.considered, sigma_scale=self.sigma_scale, noise=self.noise,
        )  # fmt: skip

    @property
    def title(self) -> str:
        """Name of what is learned: the game with its options, or the number of games."""
        if self.game_list:
            return f"{len(self.game_list)} games"
        return " ".join([self.game, *(option.rpartition("/")[2] for option in self.options)])

    def batches_of_epoch(self) -> int:
        """Batches that an epoch learns from."""
        return self.batches or max(1, round(self.reuse_factor * self.positions / self.batch))

    def to_toml(self) -> str:
        """The configuration as text."""
        return "".join(f"{name} = {_toml(value)}\n" for name, value in asdict(self).items())

    @staticmethod
    def from_toml(text: str, file: str) -> TrainConfig:
        """The configuration of a text."""
        try:
            return from_record(parse_toml(text))
        except ValueError as error:  # also of numbers with thousands of digits
            raise LudoportError(f"{file}: {error}") from None


FREE = ("threads", "lanes", "checkpoint_minutes", "rating_share", "rating_games", "rating_simulations", "opponents")
"""Settings that may be others when a run resumes, because what it learns does not depend on them."""


def _toml(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (tuple, list)):
        return "[" + ", ".join(map(_toml, value)) + "]"
    if isinstance(value, str):
        # The escapes of JSON are escapes of TOML; only DEL has to be escaped here and not there.
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    return repr(value)


def from_record(record: dict[str, Any]) -> TrainConfig:
    """A configuration by its fields; unknown ones are refused."""
    known = {field.name: field for field in fields(TrainConfig)}
    for name in record:
        if name not in known:
            near = difflib.get_close_matches(name, list(known), 1)
            raise LudoportError(f"unknown setting `{name}`" + (f"; did you mean `{near[0]}`?" if near else ""))
    return TrainConfig(**{name: _typed(name, known[name].default, value) for name, value in record.items()})


def _typed(name: str, like: Any, value: Any) -> Any:
    """A value of the kind that a setting has; whole numbers will do for real ones."""
    if isinstance(like, tuple):
        if isinstance(value, (list, tuple)) and all(isinstance(part, str) for part in value):
            return tuple(value)
        raise LudoportError(f"{name} must be a list of texts, not {value!r}")
    if isinstance(like, float) and isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    if type(value) is not type(like):
        kinds = {bool: "true or false", int: "a whole number", float: "a number", str: "a text"}
        raise LudoportError(f"{name} must be {kinds[type(like)]}, not {value!r}")
    return value


PRESETS: dict[str, dict[str, Any]] = {
    "tiny": {"reuse_factor": 8.0},
    "small": {"network": "small", "games": 128, "positions": 4_096, "batch": 256, "rate": 2e-3},
    "modern": {
        "network": "default", "games": 8_192, "staggered": True, "simulations": 32, "replay": 1_000_000,
        "warmup": 20_000, "positions": 131_072, "batch": 2_048, "reuse_factor": 3.0, "rate": 2e-3, "ema": 0.995,
        "warm_batches": 100, "rating_simulations": 100, "rating_share": 1.0, "checkpoint_epochs": 10,
    },
    "paper": {
        "network": "paper", "layout": "paper", "games": 64, "simulations": 400, "gumbel": False, "weight": 1.1,
        "fpu_kind": "siblings", "terminal": 2.0, "forced": 2.0, "completed": False, "solve": False, "sampled": 30,
        "drawing": "polygames", "openings": 0.004, "opening_plies": 0, "random_seats": 0.25,
        "resign": 0.95, "resign_share": 2 / 3, "tournament": True,
        "replay": 100_000, "warmup": 9_000, "positions": 26_214, "batches": 256, "batch": 128, "rate": 1e-3,
        "schedule": "constant", "warm_batches": 0, "optimiser": "adam", "epsilon": 1.5e-4, "decay": 0.0, "clip": 0.25,
        "value_weight": 1.5, "symmetries": False, "ema": 0.0, "checkpoint_epochs": 6,
        "opponents": ["uct:800,rollouts=10"],
    },
}  # fmt: skip
"""Named settings: for a CPU, for a CPU with patience, for a GPU, and those of the first paper's appendix E."""


def preset(name: str, **changes: Any) -> TrainConfig:
    """The configuration of a preset with some fields changed."""
    if name not in PRESETS:
        raise LudoportError(f"unknown preset `{name}`; choose from {', '.join(PRESETS)}")
    return from_record({**PRESETS[name], **changes})
