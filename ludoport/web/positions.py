"""Games and their positions as a page draws them; called in worker processes."""

from __future__ import annotations

import gc
import os
import re
import time
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from ludoport.drawing.scenes import board_scene, move_scene, moves_scene, position_scene, spoken
from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.kernels.contract import Rules
from ludoport.languages import find_rules, named_game
from ludoport.lud.subgames import MOST_GAMES

if TYPE_CHECKING:
    from ludoport.arena.player import Player

MOST_TEXT = 1_000_000
MOST_MOVES = 5_000
"""Longest game that a table holds."""

KEPT = 4_000
"""Positions that a process remembers."""

MEANWHILE = 2.0
"""Seconds that a program thinks about a move while its game is being compiled."""

ANALYSIS_SEED = 0
"""Random seed of ``lp.search``, so that the page shows the same numbers."""


@dataclass(frozen=True)
class GameSpec:
    """A game as a page asks for it: by the name of a bundled game, or as a text.

    Attributes:
        name: a bundled game, or what a text is called.
        options: choices such as ``Board Size/7x7``.
        ruleset: a ruleset's name; empty for none.
        text: a game file, a rulesheet, or a start position of chess (FEN); empty for a bundled game.
        games: names and texts of the games of a match that are not bundled.
    """

    name: str
    options: tuple[str, ...] = ()
    ruleset: str = ""
    text: str = ""
    games: tuple[tuple[str, str], ...] = ()

    @property
    def language(self) -> str:
        """Language of the text: ``ludemic``, ``GDL`` or ``chess``."""
        return language_of(self.text)

    def as_json(self) -> dict[str, Any]:
        """Record for files and pages."""
        games = {"games": dict(self.games)} if self.games else {}
        return {"name": self.name, "options": list(self.options), "ruleset": self.ruleset, "text": self.text, **games}


def game_spec(given: Any) -> GameSpec:
    """The game that a request or a file describes.

    Raises:
        LudoportError: it describes none, or names a file.
    """
    if not isinstance(given, dict):
        raise LudoportError('a game is given as {"name": ..., "options": [...]} or {"text": ...}')
    name, options, ruleset, text = (given.get(key) for key in ("name", "options", "ruleset", "text"))
    if not isinstance(options or [], list) or not all(isinstance(option, str) for option in options or []):
        raise LudoportError("the options of a game are a list of texts")
    texts = [part or "" for part in (name, ruleset, text)]
    if not all(isinstance(part, str) for part in texts) or max(len(texts[0]), len(texts[1])) > 200:
        raise LudoportError("the name, the ruleset and the text of a game are texts")
    if len(texts[2]) > MOST_TEXT:
        raise LudoportError(f"a game text has at most {MOST_TEXT:,} characters")
    name = (texts[0] or "Game") if texts[2] else named_game(texts[0]).name
    return GameSpec(name, tuple(options or []), texts[1], texts[2], _games(given.get("games")))


def _games(given: Any) -> tuple[tuple[str, str], ...]:
    """Names and texts of the games of a match."""
    games = given or {}
    if not isinstance(games, dict) or not all(isinstance(text, str) for text in games.values()):
        raise LudoportError('the games of a match are given as {"NAME": TEXT, ...}')
    if len(games) > MOST_GAMES or sum(map(len, games.values())) > MOST_TEXT:
        raise LudoportError(f"a match has at most {MOST_GAMES} games with {MOST_TEXT:,} characters")
    return tuple(games.items())


def language_of(text: str) -> str:
    """The language of a text: FEN has ranks separated by slashes, and only game files have ``(game`` or ``(match``."""
    if re.fullmatch(r"[1-9A-Za-z()+~{}]+(/[1-9A-Za-z()+~{}]+){2,}( .*)?", text.strip()):
        return "chess"
    return "ludemic" if re.search(r'\(\s*(game|match)\s*"', text) else "GDL"


def rules_of(spec: GameSpec) -> Rules:
    """The rules of a game, read from its text."""
    if not spec.text:
        return find_rules(spec.name, spec.options, spec.ruleset or None)
    if spec.language == "chess":
        from ludoport.chess import named_rules

        rows = spec.text.split()[0].count("/") + 1
        rules = named_rules("gardner" if rows == 5 else "chess", spec.text.strip())
        assert rules is not None
        return rules
    if spec.language == "GDL":
        from ludoport.gdl import load_rules

        if "(" not in spec.text:
            raise LudoportError("this is not a game text: a game file begins with `(game`, a rulesheet with `(role`")
        return load_rules(spec.text, spec.name)
    from ludoport.lud import read_text
    from ludoport.matches import rules_of as game_or_match

    return game_or_match(read_text(spec.text, spec.name, spec.options, spec.ruleset or None, dict(spec.games)))


class Shelf:
    """The games of a process: rules, the game in plain Python or machine code, and positions."""

    def __init__(self) -> None:
        self.rules: dict[GameSpec, Rules] = {}
        self.games: dict[GameSpec, Game] = {}
        self.loaded: set[GameSpec] = set()
        self.states: OrderedDict[tuple[GameSpec, int, tuple[str, ...]], State] = OrderedDict()

    def game(self, spec: GameSpec) -> Game:
        """A game; in plain Python until `load` was called."""
        if spec not in self.games:
            self.rules[spec] = rules_of(spec)
            self.games[spec] = Game(self.rules[spec], jit=False)
        return self.games[spec]

    def load(self, spec: GameSpec) -> Game:
        """The game in machine code, unless ``LUDOPORT_JIT=0`` asks for plain Python."""
        self.game(spec)
        if spec not in self.loaded:
            game = Game(self.rules[spec])
            # Every kernel that a click needs is compiled or read from the cache now, not at the first click.
            start = game.start()
            if not start.over:
                start.play(start.moves()[0]).moves()
            _ = start.utilities
            self.games[spec] = game
            self.loaded.add(spec)
            for key in [key for key in self.states if key[0] == spec]:
                del self.states[key]
        return self.games[spec]

    def state(self, spec: GameSpec, seed: int, moves: Sequence[str]) -> State:
        """The position after some moves, played on from the nearest one that is remembered."""
        if len(moves) > MOST_MOVES:
            raise LudoportError(f"a game has at most {MOST_MOVES:,} moves")
        line = tuple(moves)
        known = len(line)
        while known and (spec, seed, line[:known]) not in self.states:
            known -= 1
        state = self.states.get((spec, seed, line[:known]))
        if state is None:
            state = self._keep((spec, seed, ()), self.game(spec).start(seed))
        for length in range(known, len(line)):
            state = self._keep((spec, seed, line[: length + 1]), state.play(line[length]))
        return state

    def _keep(self, key: tuple[GameSpec, int, tuple[str, ...]], state: State) -> State:
        self.states[key] = state
        if len(self.states) > KEPT:
            self.states.popitem(last=False)
        return state


SHELF = Shelf()
"""The shelf of this process."""


def open_game(spec: GameSpec) -> dict[str, Any]:
    """The board of a game, with what a page must know about the game."""
    game = SHELF.game(spec)
    scene = board_scene(game)
    _settle()
    return {
        **scene,
        "options": _options(game),
        "rulesets": _rulesets(game),
        "zero_sum": getattr(game.rules, "zero_sum", True),
    }


def _options(game: Game) -> list[dict[str, Any]]:
    """The choices that a game file has, with those that were made."""
    description = getattr(game.rules, "description", None)
    return [
        {"heading": option.heading, "items": [item.label for item in option.items], "chosen": option.chosen}
        for option in getattr(description, "options", ())
    ]


def _rulesets(game: Game) -> list[str]:
    return [ruleset.heading for ruleset in getattr(getattr(game.rules, "description", None), "rulesets", ())]


def about_game(spec: GameSpec) -> dict[str, Any]:
    """Facts about a text before it is played: names of the players, options and rulesets."""
    game = Game(rules_of(spec), jit=False)
    players = [spoken(name) for name in game.rules.player_names]
    return {"title": game.title, "players": players, "options": _options(game), "rulesets": _rulesets(game)}


def load_game(spec: GameSpec) -> None:
    """From now on positions of a game are computed in machine code, which is in the cache."""
    SHELF.load(spec)
    _settle()


def _settle() -> None:
    """Leave the rules out of later garbage collections, which take longer than a click may."""
    gc.collect()
    gc.freeze()


def has_machine_code() -> bool:
    """Whether games are compiled; ``LUDOPORT_JIT=0`` asks for plain Python."""
    return os.environ.get("LUDOPORT_JIT", "1") != "0"


def compile_game(spec: GameSpec) -> None:
    """Fill the cache with the machine code of a game and of its search."""
    from ludoport.arena.players import player

    game = SHELF.load(spec)
    if game.jit:
        player("uct:10").warm(game)


def position(spec: GameSpec, seed: int, moves: Sequence[str]) -> dict[str, Any]:
    """A position with its legal moves and what the last move took; the moves by all their names."""
    state = SHELF.state(spec, seed, moves)
    before = SHELF.state(spec, seed, moves[:-1]) if moves else None
    scene = position_scene(state)
    if before is not None and state.last is not None:
        # The piece that moved, and where it began, are known before the move only.
        scene["last"] = move_scene(before, state.last, before.game.rules.figures(before.row))
        scene["taken"] = _taken(before, state, scene["last"])
    scene["engine"] = "machine code" if state.game.jit else "plain Python"
    scene["seat_utilities"] = state.seat_utilities if state.over else None
    return {"position": scene, "moves": [] if state.over else moves_scene(state)}


def _taken(before: State, after: State, last: dict[str, Any]) -> list[int]:
    """Sites where a piece vanished or changed its owner, other than the one where the move began."""
    was, now = (state.game.rules.figures(state.row) for state in (before, after))
    return [
        site
        for site, pile in was.items()
        if pile and site != last["from"] and (not now.get(site) or _owners(now[site])[: len(pile)] != _owners(pile))
    ]


def _owners(pile: Sequence[Any]) -> list[int]:
    return [figure.owner for figure in pile]


def play(spec: GameSpec, seed: int, moves: Sequence[str], text: str) -> dict[str, Any]:
    """The position after one more move, with that move's names."""
    found = SHELF.state(spec, seed, moves).find(text)
    return {"move": found.text, "label": found.label, **position(spec, seed, [*moves, found.text])}


def _seat(state: State) -> int:
    return 0 if state.over else state.seat


def replay(spec: GameSpec, seed: int, moves: Sequence[str]) -> list[tuple[str, str, int]]:
    """Text and label of each move of a line, and the seat to move after it; the line is as people write it."""
    state, found = SHELF.state(spec, seed, ()), []
    line: list[str] = []
    for text in moves:
        if state.over:
            raise LudoportError(f"move {len(line) + 1} (`{text[:80]}`): the game is over")
        try:
            move = state.find(text)
        except LudoportError as error:
            raise LudoportError(f"move {len(line) + 1}: {error}") from None
        line.append(move.text)
        state = SHELF.state(spec, seed, line)
        found.append((move.text, move.label, _seat(state)))
    return found


def check_lines(spec: GameSpec, seed: int, nodes: Sequence[tuple[int, str]]) -> list[tuple[str, int]]:
    """The label of each move of a tree of variations, given as (number of the parent, move), and who moves after it.

    Raises:
        LudoportError: a move is not legal where it stands.
    """
    states, labels = [SHELF.state(spec, seed, ())], []
    for parent, text in nodes:
        after = states[parent].play(text)
        assert after.last is not None
        states.append(after)
        labels.append((after.last.label, _seat(after)))
    return labels


def choose(spec: GameSpec, seed: int, moves: Sequence[str], player: str, compiled: bool) -> str:
    """The move that a player chooses, in recorded notation.

    While a game is being compiled, players that can stop early do so, because plain Python is slow.
    """
    if compiled:
        SHELF.load(spec)
    chosen = _ready(spec, seed, moves, player)
    state = SHELF.state(spec, seed, moves)
    number = seed * 1_000_003 + len(moves)
    if compiled:
        move = chosen.choose(state, number)
    else:
        until = time.monotonic() + MEANWHILE
        for move in chosen.think(state, number):  # noqa: B007 (the last one counts)
            if time.monotonic() > until:
                break
    return state.find(move).text if isinstance(move, str) else str(move.text)


def _ready(spec: GameSpec, seed: int, moves: Sequence[str], text: str) -> Player:
    """A player that knows the game so far."""
    from ludoport.arena.players import player

    chosen = _PLAYERS[text] = _PLAYERS.get(text) or player(text)
    states = [SHELF.state(spec, seed, moves[:length]) for length in range(len(moves) + 1)]
    line = [(state, after.last) for state, after in pairwise(states) if after.last is not None]
    chosen.rewind(SHELF.game(spec), states[-1].seat, seed, line)
    return chosen


_PLAYERS: dict[str, Player] = {}


def analyse(spec: GameSpec, seed: int, moves: Sequence[str], player: str) -> Iterator[dict[str, Any]]:
    """Results of a search while it runs; the last one is complete."""
    SHELF.load(spec)
    state = SHELF.state(spec, seed, moves)
    if not state.over:
        for found in _ready(spec, seed, moves, player).searching(state, ANALYSIS_SEED):
            lines = [[move.label for move in line] for line in found.lines]
            yield {**found.as_json(), "lines": lines, "seat": state.seat}


def review(spec: GameSpec, seed: int, moves: Sequence[str], player: str) -> Iterator[dict[str, Any]]:
    """The value of every position of a line, as a search sees it, for the seat to move."""
    SHELF.load(spec)
    for ply in range(len(moves) + 1):
        state = SHELF.state(spec, seed, moves[:ply])
        if state.over:
            yield {"ply": ply, "values": state.seat_utilities}
            return
        found = _ready(spec, seed, moves[:ply], player).search(state, ANALYSIS_SEED)
        values = [None if value != value else float(value) for value in found.values]
        played = next((n for n, move in enumerate(found.moves) if move.text in moves[ply : ply + 1]), None)
        yield {
            "ply": ply,
            "seat": state.seat,
            "value": values[0],
            "best": found.best.label,
            "played": None if played is None else values[played],
        }
