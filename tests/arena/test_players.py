"""Texts become players, and what is wrong with them is said."""

from __future__ import annotations

import pickle
import re
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest

import ludoport as lp
from ludoport.arena.kinds.human import Human, complete
from ludoport.arena.kinds.minimax import minimax
from ludoport.arena.kinds.uct import uct
from ludoport.arena.players import as_player, kinds, player
from ludoport.arena.specification import read, write


@pytest.fixture(scope="module")
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe", jit=False)


@pytest.mark.parametrize(
    "text",
    [
        "random",
        "human",
        "uct:800",
        "uct:800,exploration=1.4,rollouts=10,rave=300",
        "uct:50,average=false",
        "uct:50,nodes=9000",
        "minimax:4",
        "minimax:exact",
        "minimax:time=0.5",
        "minimax:6,nodes=1000,time=2",
        "minimax:nodes=1000,playouts=3,table=0",
    ],
)
def test_a_player_knows_its_text(text: str) -> None:
    made = player(text)
    assert made.spec == made.name == made.identity == text
    assert as_player(made) is made
    if not made.interactive:
        assert pickle.loads(pickle.dumps(made)).spec == text


def test_order_and_spaces_do_not_matter() -> None:
    assert player("UCT: 800 , rave = 300, exploration=1.40").spec == player("uct:800,exploration=1.4,rave=300").spec


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("utc:800", "unknown player `utc`; did you mean `uct`?"),
        ("zebra", "players are `human`, `minimax`"),
        ("", "kind is missing"),
        ("uct", "number of simulations is missing"),
        ("uct:", "a comma or colon without a setting after it"),
        ("uct:0", "at least 1, not `0`"),
        ("uct:many", "a whole number, not `many`"),
        ("uct:800,explore=1", "unknown setting `explore`; did you mean `exploration`?"),
        ("uct:800,exploration=-1", "must not be negative"),
        ("uct:800,exploration=nan", "finite"),
        ("uct:800,rave=", "the value of `rave` is missing"),
        ("uct:800,900", "`900` has no name"),
        ("uct:800,simulations=900", "given twice"),
        ("uct:800,rave=1,rave=2", "given twice"),
        ("uct:800,average=perhaps", "true or false"),
        ("minimax", "`minimax:4`"),
        ("minimax:0", "at least 1"),
        ("minimax:exat", "`exact`"),
        ("minimax:time=0", "greater than 0"),
        ("minimax:nodes=0", "at least 1"),
        ("minimax:exact,time=1", "searches to the end"),
        ("random:5", "takes nothing"),
    ],
)
def test_wrong_texts(text: str, sentence: str) -> None:
    with pytest.raises(lp.LudoportError, match=re.escape(sentence)) as caught:
        player(text)
    assert "\n" not in str(caught.value)


def test_python_makes_the_same_players() -> None:
    assert uct(800, rave=300).spec == "uct:800,rave=300"
    assert minimax(4).spec == "minimax:4"
    assert minimax(seconds=1).spec == "minimax:time=1"
    wrong: list[tuple[Callable[[], object], str]] = [
        (lambda: uct(0), "simulations"),
        (lambda: uct(800, raev=3), "did you mean `rave`"),
        (lambda: minimax(0), "depth"),
        (lambda: minimax(4, playouts=-1), "playouts"),
    ]
    for make, sentence in wrong:
        with pytest.raises(lp.LudoportError, match=sentence):
            make()


def test_an_own_player_needs_only_choose() -> None:
    class First(lp.Player):
        def choose(self, state: lp.State, seed: int) -> lp.Move:
            return state.moves()[0]

    assert (First().spec, str(First())) == ("First", "First")
    assert lp.match(First(), First(), "Tic-Tac-Toe", games=2).record.games == 2


def test_kinds_are_found_by_being_there() -> None:
    assert [kind.name for kind in kinds()][:3] == sorted(kind.name for kind in kinds())[:3]
    assert {"random", "uct", "minimax", "human"} <= {kind.name for kind in kinds()}


def test_paths_are_no_settings() -> None:
    assert read("net:runs/lr=0.1/best.safetensors,simulations=40").main == "runs/lr=0.1/best.safetensors"
    assert read(write("net", "a.b", {"x": 1, "y": None, "z": True})).settings == {"x": "1", "z": "true"}


@pytest.mark.parametrize("text", ["random", "uct:50", "uct:20,rollouts=3", "minimax:3", "minimax:nodes=50"])
def test_one_seed_one_move(game: lp.Game, text: str) -> None:
    state = game.start().play("4")
    chosen = []
    for seed in [*range(6), *range(6)]:
        someone = player(text)
        someone.begin(game, 2, 0)
        chosen.append(someone.choose(state, seed).text)
    assert chosen[:6] == chosen[6:]
    assert set(chosen) <= {move.text for move in state.moves()}


def test_players_think_better_and_better(game: lp.Game) -> None:
    state = game.start()
    for move in ("0", "3", "1", "4"):
        state = state.play(move)
    for text in ("uct:60", "minimax:2", "random"):
        someone = player(text)
        someone.begin(game, 1, 0)
        thoughts = list(someone.think(state, 1))
        assert thoughts
        assert text == "random" or str(getattr(thoughts[-1], "text", thoughts[-1])) == "2"


@pytest.mark.parametrize(
    "settings", ["simulations=20,gumbel=false", "simulations=20,sampled=4,gumbel=false", "gumbel=true"]
)
def test_networks_think_of_what_they_would_choose(game: lp.Game, settings: str) -> None:
    chosen = []
    for asks in (lambda p: p.choose(game.start(), 3), lambda p: list(p.think(game.start(), 3))[-1]):
        someone = player(f"net:zoo/tic-tac-toe,{settings}")
        someone.begin(game, 1, 0)
        chosen.append(asks(someone))
    assert chosen[0] == chosen[1]
    assert someone.simulations_so_far == sum(someone.so_far().visits) > 0
    someone.choose(game.start(), 3)
    assert someone.so_far() is None


def test_uct_by_the_clock_keeps_its_tree(game: lp.Game) -> None:
    someone = player("uct:time=0.05,exploration=0.9")
    assert someone.spec == "uct:time=0.05,exploration=0.9"
    someone.begin(game, 1, 0)
    state = game.start()
    move = someone.choose(state, 1)
    assert isinstance(move, lp.Move)
    someone.played(state, move)
    tree = someone._tree  # type: ignore[attr-defined]
    assert tree is not None
    assert (tree.state.row == state.play(move).row).all()
    assert pickle.loads(pickle.dumps(someone)).spec == someone.spec
    with pytest.raises(lp.LudoportError, match="time must be greater than 0"):
        player("uct:time=0")


def test_random_plays_everything(game: lp.Game) -> None:
    someone = player("random")
    assert {someone.choose(game.start(), seed).text for seed in range(200)} == set("012345678")


class Terminal:
    """Somebody who types given lines."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = list(lines), list[str]()

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        if not self.lines:
            raise EOFError
        return self.lines.pop(0)

    def tell(self, text: str) -> None:
        self.shown.append(text)


def test_a_person_types_moves(game: lp.Game) -> None:
    terminal = Terminal("", "9", "?", "4")
    person = Human(terminal.ask, terminal.tell)
    person.begin(game, 1, 0)
    assert person.choose(game.start(), 0).text == "4"
    shown = "\n".join(terminal.shown)
    assert "you are player 1" in shown
    assert "`9` is not a legal move" in shown
    assert "A1  B1  C1" in shown


def test_beginnings_are_completed() -> None:
    moves = [lp.Move(np.zeros(1), text) for text in ("1", "14", "21-17", "21-18", "swap")]
    for typed, text in (("1", "1"), ("14", "14"), ("21-18", "21-18"), ("SW", "swap")):
        assert complete(typed, moves).text == text
    for typed, sentence in (("21", "`21` may be 21-17, 21-18"), ("9", "not a legal move"), ("", "Type a move")):
        with pytest.raises(lp.LudoportError, match=sentence):
            complete(typed, moves)


@pytest.mark.parametrize("lines", [("quit",), ()])
def test_a_person_may_leave(game: lp.Game, lines: tuple[str, ...]) -> None:
    terminal = Terminal(*lines)
    with pytest.raises(KeyboardInterrupt):
        Human(terminal.ask, terminal.tell).choose(game.start(), 0)


def test_thinking_for_the_other_seat() -> None:
    """Engines let one player think for both seats."""
    state = lp.load("Tic-Tac-Toe", jit=False).start().play("B2")
    best = []
    for seat in (1, 2):
        thinker = player("uct:40")
        thinker.begin(state.game, seat, 1)
        best.append(list(thinker.think(state, 7))[-1])
    assert best[0] == best[1]


def test_a_run_without_net_before_it(tmp_path: Path) -> None:
    run = tmp_path / "run1"
    run.mkdir()
    with pytest.raises(lp.LudoportError, match=r"unknown player `.*`; the network of this .* plays as `net:.*run1`"):
        player(str(run))
