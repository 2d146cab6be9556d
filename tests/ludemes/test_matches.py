"""Matches of several games."""

from __future__ import annotations

import pickle
import random
import shutil
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest

import ludoport as lp
from ludoport.check import check_game
from ludoport.drawing.scenes import board_scene, position_scene
from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.gamespec import pack_game, unpack_game
from ludoport.kernels.library import LUCK_SIZE
from ludoport.lud import read_text
from ludoport.lud.subgames import library_folder
from ludoport.ludemic import LudemicRules
from ludoport.matches import NEXT_GAME
from ludoport.tensors.layout import tensor_layout
from ludoport.web.positions import game_spec, open_game, position

HERE = Path(__file__).parent / "matches"
MIXED = HERE / "Rows and Races.lud"

GAME = """(game "{name}" (players {players})
    (equipment {{(board (square 2)) (piece "Disc" Each) {items}}})
    (rules {rules} (play (move Add (to (sites Empty)))) (end {{{end}}})))"""
WON_AT_ONCE = "(if True (result Mover Win))"
OVER_AT_ONCE = "(if True (result P1 Win))"
MATCH = '(match "Match" (players {players}) (games {{{games}}}) (end {end}))'


def written(
    folder: Path,
    games: str = '(subgame "One")',
    end: str = OVER_AT_ONCE,
    players: int = 2,
    game_end: str = WON_AT_ONCE,
    rules: str = "",
    items: str = "",
) -> Path:
    """A match of small games, of which there is one file, ``One.lud``, beside it."""
    text = GAME.format(name="One", players=players, end=game_end, rules=rules, items=items)
    (folder / "One.lud").write_text(text, encoding="utf-8")
    path = folder / "Match.lud"
    path.write_text(MATCH.format(players=players, games=games, end=end), encoding="utf-8")
    return path


def loaded(path: Path) -> Game:
    """A match in plain Python."""
    return lp.load(path, jit=False)


def ended(game: Game, seed: int = 1) -> list[State]:
    """The positions of a random game."""
    rng, states = random.Random(seed), [game.start(seed=seed)]
    while not states[-1].over:
        states.append(states[-1].play(rng.choice(states[-1].moves())))
    return states


def test_a_match_of_different_games() -> None:
    states = ended(loaded(MIXED))
    scores = [0, 0]
    for before, after in pairwise(states):
        assert after.ply == (before.ply or 0) + 1
        assert before.match_scores == scores
        if after.last is not None and after.last.text == NEXT_GAME:
            assert [str(move) for move in before.moves()] == ["next game"]
            race = before.scores is not None
            winner = next((p for p in (1, 2) if before.row[_ranks(before) + p] == 2), 0)
            for player in (1, 2):
                worth = 0 if winner not in (0, player) else before.scores[player - 1] if race and before.scores else 1
                scores[player - 1] += worth
            assert after.over or after.mover == 1
    assert states[-1].match_scores == scores
    assert max(scores) >= 8
    assert states[-1].winner == scores.index(max(scores)) + 1


def _ranks(state: State) -> int:
    """Where the ranks of the current game begin in the row."""
    return int(state.game.rules.at(state.row).fields["RANK"])  # type: ignore[attr-defined]


@pytest.mark.parametrize("path", [MIXED, Path(__file__).parent / "games" / "matches.lud"], ids=["mixed", "bundled"])
def test_properties_of_games(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_BOUNDS", "1")
    check_game(lp.load(path, jit=False))


@pytest.mark.slow
def test_machine_code_agrees() -> None:
    check_game(lp.load(MIXED))
    plain, fast = (lp.load(MIXED, jit=jit) for jit in (False, True))
    assert [state.key for state in ended(plain, 3)] == [state.key for state in ended(fast, 3)]


@pytest.mark.parametrize("path", [MIXED, Path(__file__).parent / "games" / "matches.lud"], ids=["mixed", "bundled"])
def test_games_are_played_as_alone(path: Path) -> None:
    """The same moves in a game of the match and in the game itself, which has the luck of the match."""
    game, rng = loaded(path), random.Random(4)
    alone = [Game(LudemicRules(each), jit=False) for each in game.rules.description.subgames]  # type: ignore[attr-defined]
    state = game.start(seed=4)
    inside = _with_luck(alone[0].start(), state)
    while not state.over:
        assert (inside.over, inside.mover) == (state.moves()[0].text == NEXT_GAME, state.mover)
        assert (inside.pieces(), inside.scores) == (state.pieces(), state.scores)
        if inside.over:
            state = state.play(NEXT_GAME)
            number = int(state.row[game.rules.fields["INSTANCE"]])
            inside = _with_luck(alone[number].start(), state)
            continue
        moves = state.moves()
        assert [(m.text, m.label) for m in inside.moves()] == [(m.text, m.label) for m in moves]
        chosen = rng.choice(moves)
        state = state.play(chosen)
        inside = _with_luck(inside.play(chosen.text), state)


def _with_luck(inside: State, state: State) -> State:
    """A position of a game alone with the random words of the match."""
    row, fields, own = inside.row.copy(), state.game.rules.fields, inside.game.rules.fields
    if "LUCK" in own:
        row[own["LUCK"] : own["LUCK"] + LUCK_SIZE] = state.row[fields["LUCK"] : fields["LUCK"] + LUCK_SIZE]
    return State(inside.game, row)


def test_scores_of_two_players(tmp_path: Path) -> None:
    for game_end, scores in ((WON_AT_ONCE, [1, 0]), ("(if True (result Mover Draw))", [1, 1])):
        state = loaded(written(tmp_path, game_end=game_end)).start().play("0")
        assert not state.over
        state = state.play(NEXT_GAME)
        assert state.over
        assert state.match_scores == scores
        assert state.utilities == [1, -1]


def test_every_player_who_wins_scores(tmp_path: Path) -> None:
    one_by_one = " ".join(f"(if (is Mover P{p}) (result P{p} Win))" for p in (1, 2))
    path = written(tmp_path, players=3, game_end=one_by_one)
    state = loaded(path).start().play("0").play("1")
    assert state.play(NEXT_GAME).match_scores == [1, 1, 0]
    shared = written(tmp_path, players=3, game_end="(if (is Mover P1) (result Mover Draw))")
    assert loaded(shared).start().play("0").play(NEXT_GAME).match_scores == [0, 0, 0]


def test_games_follow_one_another_in_order(tmp_path: Path) -> None:
    games = '(subgame "One") (subgame "Tic-Tac-Toe" next:(count Trials)) (subgame "One")'
    states = ended(loaded(written(tmp_path, games, end="(if (= (count Trials) 4) (result P2 Win))")))
    numbers = [int(state.row[state.game.rules.fields["INSTANCE"]]) for state in states]
    assert list(dict.fromkeys(numbers)) == [0, 1, 2]
    assert [n for n, before in zip(numbers, [None, *numbers], strict=False) if n != before] == [0, 1, 2, 0]


def test_rules_of_a_game_may_ask_for_the_match(tmp_path: Path) -> None:
    asked = "(if (< 1 (matchScore P1)) (result P2 Win)) (if (is Mover P1) (result P1 Win))"
    path = written(tmp_path, end="(if (= (count Trials) 4) (result P1 Win))", game_end=asked)
    assert ended(loaded(path))[-1].match_scores == [2, 2]


def test_a_match_without_end_is_a_draw(tmp_path: Path) -> None:
    states = ended(loaded(written(tmp_path, end="(if (> (matchScore P1) 5000) (result P1 Win))")))
    assert states[-1].winner == 0
    assert states[-1].match_scores == [1000, 0]


def test_options_of_a_match_and_of_its_games(tmp_path: Path) -> None:
    text = MIXED.read_text(encoding="utf-8").replace('"Die/Three"', "<Die:option>")
    text += '(option "Die" <Die> args:{<option>} {(item "Two" <> "") (item "Three" <"Die/Three"> "")*})'
    for path in HERE.iterdir():
        shutil.copy(path, tmp_path)
    path = tmp_path / "Rows and Races.lud"
    path.write_text(text, encoding="utf-8")
    for option, faces in (("Die/Two", 2), ("Die/Three", 3)):
        rules = lp.load(path, options=[option], jit=False).rules
        assert rules.games[1].compiled.program.dice[0].faces[0] == tuple(range(1, faces + 1))  # type: ignore[attr-defined]


def test_matches_travel_with_the_texts_of_their_games(tmp_path: Path) -> None:
    folder = tmp_path / "here"
    shutil.copytree(HERE, folder)
    game = loaded(folder / MIXED.name)
    data, state = pack_game(game), pickle.dumps(game.start(seed=3))
    shutil.rmtree(folder)
    assert unpack_game(data) == game
    assert pickle.loads(state).moves()[0].label == "A1"
    assert str(tmp_path).encode() not in data
    assert game.rules.fingerprint != loaded(Path(__file__).parent / "games" / "matches.lud").rules.fingerprint


def test_pages_show_the_board_of_the_game() -> None:
    spec = game_spec({"text": (Path(__file__).parent / "games" / "matches.lud").read_text(encoding="utf-8")})
    assert len(open_game(spec)["sites"]) == 9
    row = ["0", "3", "1", "4", "2", NEXT_GAME]
    assert position(spec, 1, row[:-1])["moves"][0]["kind"] == "other"
    assert len(position(spec, 1, row)["position"]["board"]["sites"]) == 7


def test_pictures_follow_the_game() -> None:
    states = ended(loaded(MIXED))
    first, race = states[0], next(state for state in states if "Short Race" in state.picture())
    assert first.svg() != race.svg()
    assert len(position_scene(first)["board"]["sites"]) == 9
    assert len(position_scene(race)["board"]["sites"]) == 12
    assert len(position_scene(race)["dice"]) == 1
    assert board_scene(first.game)["name"] == "Rows and Races"
    assert "game 2 (Short Race)" in repr(race) or "game 3 (Short Race)" in repr(race)


def test_players_play_matches() -> None:
    result = lp.match("uct:20", "random", loaded(MIXED), games=2, seed=1)
    assert result.games == 2
    assert result.unfinished == 0


def test_what_matches_do_not_have() -> None:
    with pytest.raises(LudoportError, match="Rows and Races is a match of several games"):
        tensor_layout(loaded(MIXED))


@pytest.mark.parametrize(("name", "parts"), [("lud", "parts"), ("games", "subgame")])
def test_games_of_a_library(name: str, parts: str, tmp_path: Path) -> None:
    library = tmp_path / name
    (library / "board").mkdir(parents=True)
    (library / parts / "deep").mkdir(parents=True)
    path = written(library / "board")
    (library / "board" / "One.lud").rename(library / parts / "deep" / "One.lud")
    assert loaded(path).rules.description.subgames[0].name == "One"  # type: ignore[attr-defined]
    other = tmp_path / "Match.lud"
    shutil.copy(path, other)
    with library_folder(library):
        assert loaded(other).name == "Match"
    with pytest.raises(LudoportError, match="is missing"):
        loaded(other)


def test_a_text_without_file_knows_bundled_games() -> None:
    text = MATCH.format(players=2, games='(subgame "Tic-Tac-Toe")', end=OVER_AT_ONCE)
    assert read_text(text).subgames[0].name == "Tic-Tac-Toe"
    with pytest.raises(LudoportError, match="`One` of this match is not a bundled game"):
        read_text(text.replace("Tic-Tac-Toe", "One"))


def test_names_are_no_paths(tmp_path: Path) -> None:
    inside = tmp_path / "inside"
    inside.mkdir()
    (inside / "One.lud").symlink_to(tmp_path / "Secret.lud")
    (tmp_path / "Secret.lud").write_text(
        GAME.format(name="One", players=2, end="", rules="", items=""), encoding="utf-8"
    )
    for name in ("../Secret", str(tmp_path / "Secret"), "One", "", "*"):
        path = inside / "Match.lud"
        path.write_text(MATCH.format(players=2, games=f'(subgame "{name}")', end=OVER_AT_ONCE), encoding="utf-8")
        with pytest.raises(LudoportError, match="of this match is missing"):
            loaded(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (
            lambda folder: written(folder, '(subgame "Two")'),
            r"Match.lud:1:\d+: the game `Two` of this match is missing",
        ),
        (lambda folder: written(folder, '(subgame "Match")'), "`Match` is a match itself; a match is made of games"),
        (lambda folder: written(folder, '(subgame "Tic-Tac-Toe")', players=3), "3 players, but `Tic-Tac-Toe` has 2"),
        (lambda folder: written(folder, '(subgame "One" next:1)'), "`next:1` must be the number of a game: 0 to 0"),
        (lambda folder: written(folder, '(subgame "One" "Size/9")'), "Size/9"),
        (lambda folder: written(folder, 33 * '(subgame "One")'), "a match has at most 32 games, not 33"),
        (lambda folder: written(folder, rules="(meta (swap))"), "the rule `swap` in a match is not implemented yet"),
        (lambda folder: written(folder, end="(if (is Line 3) (result P1 Win))"), "the rules of a match know"),
        (lambda folder: written(folder, end="(if (no Moves Next) (result P1 Win))"), "the rules of a match know"),
    ],
    ids=["missing", "itself", "players", "next", "option", "many", "swap", "board", "moves"],
)
def test_refused(change: Callable[[Path], Path], message: str, tmp_path: Path) -> None:
    with pytest.raises(LudoportError, match=message):
        loaded(change(tmp_path)).start()


def test_match_scores_belong_to_matches(tmp_path: Path) -> None:
    written(tmp_path, game_end="(if (= 0 (matchScore P1)) (result P1 Win))")
    with pytest.raises(LudoportError, match="`matchScore` is only known in a match of several games"):
        loaded(tmp_path / "One.lud").start()
