"""Reading whole texts: what the tree looks like, and that printing it gives the same game again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.lud import format_tree, read_file, read_text
from ludoport.lud.tree import Ludeme, Text, Word

GAME = """
(define "Goal" (if (is Line #1 #2) (result Mover Win)))   // a macro with two parameters

(game "Five"
    (players 2)
    (equipment {
        (board (square <Board:size>) use:Vertex)
        (piece "Stone" Each)
    })
    (rules
        <Swap>
        (play (move Add (to (sites Empty))))
        (end {("Goal" 5 All) ("Goal" 6)})
    )
)

(option "Board" <Board> args:{ <size> } {
    (item "Small" <9> "nine") (item "Large" <(+ 10 5)> "fifteen")** (item "Huge" <19> "nineteen")*
})
(option "Swap" <Swap> args:{ <rule> } {
    (item "Off" <> "no swap")* (item "On" <(meta (swap))> "swap")
})
(rulesets {
    (ruleset "Ruleset/Tiny (Told)" { "Board/Small" "Swap/On" })*
    (ruleset "Ruleset/Lost" { })
})
(metadata (info {(description "About <nothing> (at all")}))
"""


def only(root: Ludeme, key: str) -> Ludeme:
    return next(ludeme for ludeme in root.walk() if ludeme.key == key)


def test_tree() -> None:
    description = read_text(GAME, "five.lud")
    root = description.root
    assert (description.name, root.key, description.ruleset) == ("Five", "game:game", None)
    assert "About" in description.metadata
    size = only(root, "graph:square").args["dim"]
    assert isinstance(size, Ludeme)
    assert size.key == "dim:+"
    assert size.args == {"a": 10, "b": 5}
    line = only(root, "boolean:is Line")
    assert line.args["length"] == 5
    direction = line.args["dirn"]
    assert isinstance(direction, Word)
    assert (direction.name, direction.enum) == ("All", "AbsoluteDirection")
    add = only(root, "moves:move Add")
    assert (add.source.file, add.source.line, add.source.column) == ("five.lud", 12, 15)
    assert str(line.source) == "five.lud:2:20"
    assert isinstance(only(root, "component:piece").args["name"], Text)


def test_options_and_rulesets() -> None:
    assert only(read_text(GAME, options=["Board/Huge"]).root, "graph:square").args["dim"] == 19
    told = read_text(GAME, ruleset="Tiny (Told)")
    assert told.ruleset == "Ruleset/Tiny (Told)"
    assert only(told.root, "graph:square").args["dim"] == 9
    assert only(told.root, "meta:swap").args == {}
    both = read_text(GAME, options=["Board/Large"], ruleset="Ruleset/Tiny (Told)")
    assert isinstance(only(both.root, "graph:square").args["dim"], Ludeme)
    assert [option.items[option.chosen].label for option in both.options] == ["Large", "On"]


def test_printing_reads_back() -> None:
    printed = format_tree(read_text(GAME).root)
    assert format_tree(read_text(printed).root) == printed


def test_defaults_of_a_bare_game() -> None:
    root = read_text('(game "Bare" (players 2))').root
    assert only(root, "graph:square").args["dim"] == 3
    assert only(root, "boolean:is Line").args["length"] == 3


def test_match() -> None:
    text = """(match "Two" (players 2) (games {(subgame "Hex" next:1) (subgame "Go")})
        (end (if (= 2 (count Trials)) (result Mover Win))))"""
    root = read_text(text).root
    assert root.key == "match:match"
    assert only(root, "match:subgame").args["next"] == 1


def body(moves: str) -> Ludeme:
    equipment = '(equipment {(board (square 3)) (piece "Disc" Each)})'
    text = f'(game "G" (players 2) {equipment} (rules (play {moves}) (end ("BlockWin"))))'
    value = only(read_text(text).root, "play:play").args["moves"]
    assert isinstance(value, Ludeme)
    return value


def test_same_word_with_several_meanings() -> None:
    move = body(
        "(or (move Step (from (from)) All (to if:(or (is Empty (to)) False))) (move (from) (to (sites Board))))"
    )
    assert move.key == "moves:or"
    step = only(move, "moves:move Step")
    origin = step.args["from"]
    assert isinstance(origin, Ludeme)
    assert origin.key == "util:from"
    inner = origin.args["loc"]
    assert isinstance(inner, Ludeme)
    assert inner.key == "int:from"
    either = only(move, "boolean:or")
    assert either.args["b"] is False
    assert only(move, "moves:move").args.keys() == {"from", "to"}


@pytest.mark.parametrize(
    ("written", "same"),
    [
        ("(move Remove (sites {1..3 7..5}))", "(move Remove (sites {1 2 3 7 6 5}))"),
        ('(move Remove (sites {"A1".."B2"}))', '(move Remove (sites {"A1" "A2" "B1" "B2"}))'),
        ("(((move Pass)))", "(move Pass)"),
        ("(if (and ((is Mover P1) (is Next P2))) (move Pass))", "(if (and (is Mover P1) (is Next P2)) (move Pass))"),
        ('(move Remove (where:"Disc" Mover))', '(move Remove (where "Disc" Mover))'),
        ("(move Remove (sites Empty) at: EndOfTurn [later (])", "(move Remove (sites Empty) at:EndOfTurn)"),
        ("(move Remove (coord row:Off column:(add 1 End)))", "(move Remove (coord row:-1 column:(+ 1 -2)))"),
        ('("StepToEmpty" ~ (then (moveAgain)))', "(move Step (to if:(is Empty (to))) (then (moveAgain)))"),
        ("(forEach piece)", "(forEach Piece)"),
        ("(if (le 1 2) (move Pass) ())", "(if (<= 1 2) (move Pass))"),
    ],
)
def test_ways_of_writing(written: str, same: str) -> None:
    assert format_tree(body(written)) == format_tree(body(same))


def test_file(tmp_path: Path) -> None:
    path = tmp_path / "five.lud"
    path.write_text(GAME, encoding="utf-8")
    assert read_file(path).file == str(path)
