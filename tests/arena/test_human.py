"""A person at the terminal: moves by coordinates, hints, moves taken back."""

from __future__ import annotations

import pytest

import ludoport as lp
from ludoport.arena.kinds.human import Human, complete
from ludoport.arena.players import player
from ludoport.arena.playing import pairing, play_game, taken_back


class Terminal:
    """Types what it is given, and remembers what is shown."""

    def __init__(self, *lines: str) -> None:
        self.lines, self.shown = list(lines), list[str]()

    def ask(self, prompt: str) -> str:
        self.shown.append(prompt)
        return self.lines.pop(0)

    def human(self) -> Human:
        return Human(self.ask, self.shown.append, colours=False)

    @property
    def text(self) -> str:
        return "\n".join(self.shown)


@pytest.fixture
def game() -> lp.Game:
    return lp.load("Tic-Tac-Toe")


@pytest.mark.slow
def test_a_whole_game_with_moves_taken_back(game: lp.Game) -> None:
    one, two = Terminal("undo", "A1", "undo", "B2", "A1", "C3"), Terminal("C1", "C2", "C2", "A2")
    played = play_game(game, one.human(), two.human(), pairing(1, 0))
    assert [game.start().moves()[int(move)].label for move in played.moves] == ["B2", "C2", "A1", "A2", "C3"]
    assert played.outcome == "win"
    assert one.text.count("nothing to undo") == 1
    assert one.text.count("back to the first move") == 1
    assert "You win." in one.text
    assert "You lose." in two.text


def test_what_is_typed_does_not_control_the_terminal(game: lp.Game) -> None:
    terminal = Terminal("\x1b[2J\x9b2J\x07", "A1")
    terminal.human().choose(game.start(), seed=1)
    assert "`\\x1b[2J\\x9b2J\\x07` is not a legal move" in terminal.text


def test_programs_are_told_about_moves_taken_back(game: lp.Game) -> None:
    seen = list[tuple[str, ...]]()

    class Listens(type(player("random"))):  # type: ignore[misc]
        def begin(self, game: lp.Game, seat: int, seed: int) -> None:
            super().begin(game, seat, seed)
            seen.append(("begin",))

        def played(self, state: lp.State, move: lp.Move) -> None:
            seen.append(("played", move.label))

    human = Terminal("A1", "undo", "B2", "undo", "quit")
    with pytest.raises(KeyboardInterrupt):
        play_game(game, human.human(), Listens(), pairing(1, 0))
    begins = [number for number, event in enumerate(seen) if event == ("begin",)]
    assert len(begins) == 3
    assert seen[begins[1] + 1] == ("played", "B2")


def test_nothing_to_take_back(game: lp.Game) -> None:
    state = game.start()
    assert taken_back([], state) == ([], state)
    move = state.find("A1")
    following = state.play(move)
    assert taken_back([(state, move)], following) == ([(state, move)], following)


@pytest.mark.slow
def test_a_hint_and_what_is_wrong(game: lp.Game) -> None:
    terminal = Terminal("hint", "D9", "?", "help", "a", "b2")
    move = terminal.human().choose(game.start().play("A1"), 1)
    assert move.label == "B2"
    assert terminal.text.count("`undo` takes back") == 1
    assert "uct:10000 suggests " in terminal.text
    assert "`D9` is not a legal move here" in terminal.text
    assert "`a` may be A2, A3" in terminal.text
    assert "Black> " in terminal.text
    assert "1[W] .  ." in terminal.text


@pytest.mark.slow
def test_a_move_may_be_typed_in_several_ways() -> None:
    moves = lp.load("Chess", jit=False).start().moves()
    for typed in ("E2-E4", "e2e4", "e2-e4", "12-28"):
        assert complete(typed, moves).label == "E2-E4"
    with pytest.raises(lp.LudoportError, match="`e2` may be E2-E3, E2-E4"):
        complete("e2", moves)


def test_exchanged_colours_are_announced() -> None:
    hex_ = lp.load("Hex", options=["Board Size/3x3"], jit=False)
    one, two = Terminal(), Terminal()
    players = one.human(), two.human()
    for seat, human in enumerate(players, 1):
        human.begin(hex_, seat, 0)
    first = hex_.start()
    second = first.play("B2")
    for state, move in ((first, first.find("B2")), (second, second.find("swap"))):
        for human in players:
            human.played(state, move)
    assert one.shown[-2:] == ["Black plays swap", "the players have exchanged colours: you are now Black"]
    assert two.shown[-1] == "the players have exchanged colours: you are now White"
