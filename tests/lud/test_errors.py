"""What people see when a text is wrong: one sentence that names the place and, if known, the right spelling."""

from __future__ import annotations

from pathlib import Path

import pytest

from ludoport.errors import LudError
from ludoport.lud import read_file, read_text

OPTIONS = '(option "Size" <S> args:{<n>} {(item "3x3" <3> "x")* (item "4x4" <4> "y")}) (game "T" (players 2))'


def game(play: str = "(move Add (to (sites Empty)))", test: str = "(is Line 3)", result: str = "Mover Win") -> str:
    return f"""(game "G" (players 2)
        (equipment {{(board (square 3)) (piece "Disc" Each)}})
        (rules
(play {play})
(end (if {test} (result {result})))))"""


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        (game("(mvoe Pass)"), "4:8", "unknown ludeme `mvoe`; did you mean `move`?"),
        (game("(move Add (to (sites Emty)))"), "4:28", "`sites` has no `Emty`; did you mean `Empty`?"),
        (game("(move Step Forwrd (to))"), "4:18", "did you mean `Forward`?"),
        (game('("StepToEmty")'), "4:8", 'there is no macro "StepToEmty"; did you mean `StepToEmpty`?'),
        (game("(move Step (to) (then (moveAgain)) stack:True)"), "4:42", "`stack:` stands at the wrong place"),
        (game(test="(is Lien 3)"), "5:14", "`is` has no `Lien`; did you mean `Line`?"),
        (game(test="(is Line 3 lenght:4)"), "5:21", "`is Line` takes no argument `lenght:`"),
        (game(test="(is Line 3 trough:4)"), "5:21", "did you mean `through:`?"),
        (game(test="(is Line)"), "5:10", "`is Line` lacks a number (length)"),
        (game(test="(is Line (sites Empty))"), "5:19", "found `(sites ...)`"),
        (game(result="Movr Win"), "5:30", "did you mean `Mover`?"),
        (game(result="Mover"), "5:22", "`result` lacks"),
        (game(test="(all Passed 3)"), "5:22", "`all Passed` takes no arguments"),
        (game(test="(is Line <Size:n>)"), "5:19", "no option fills the marker"),
        (game()[:-1], "3:9", "this `(` is never closed"),
        (game() + ")", "5:44", "this `)` closes nothing"),
        ('(game "x" {(players 2))', "1:23", "does not fit the `{` opened at line 1, column 11"),
        ('(game "x" (players 2)', "1:1", "never closed"),
        ('(game "x', "1:7", "this string never ends"),
        ('(game "x" (players 1..9999))', "1:20", "wider than 1000"),
        ('(define "A" ("A" 1)) (game "A" ("A"))', "1:13", 'the macro "A" expands for ever'),
        ('(define "A" ("B") ("B")) (define "B" ("A") ("A")) (game "X" ("A"))', "1:", "expands for ever (through A, B)"),
        ("(" * 5000, "1:101", "brackets nest more than 100 deep here"),
        ('(define 3 4) (game "x")', "1:1", "a macro needs a quoted name"),
        ('(option "A" <B> args:{<c>} {}) (game "x")', "1:1", 'the option "A" has no items'),
        ('(option "A" <B> {}) (game "x")', "1:17", "expected `args:` here"),
        ("(rules)", "1:1", "a game text begins with"),
    ],
)
def test_place_and_advice(text: str, place: str, message: str) -> None:
    with pytest.raises(LudError) as caught:
        read_text(text, "g.lud")
    assert str(caught.value).startswith(f"g.lud:{place}")
    assert message in caught.value.message


def test_caret() -> None:
    with pytest.raises(LudError) as caught:
        read_text(game("(mvoe Pass)"), "g.lud")
    _, line, caret = str(caught.value).split("\n")
    assert line[caret.index("^") :].startswith("mvoe")


def test_error_inside_a_macro_points_into_it() -> None:
    text = '(define "Bad"\n    (move Add (to (sitse Empty))))\n' + game('("Bad")')
    with pytest.raises(LudError, match=r"g\.lud:2:20: unknown ludeme `sitse`; did you mean `sites`\?"):
        read_text(text, "g.lud")


@pytest.mark.parametrize(
    ("options", "ruleset", "message"),
    [
        (["Size/5x5"], None, 'unknown option "Size/5x5"; did you mean `Size/3x3`'),
        (["Size/3x3", "Size/4x4"], None, "exclude each other"),
        ([], "Nothing", "this game has no rulesets"),
    ],
)
def test_choices(options: list[str], ruleset: str | None, message: str) -> None:
    with pytest.raises(LudError) as caught:
        read_text(OPTIONS, options=options, ruleset=ruleset)
    assert message in str(caught.value)


@pytest.mark.parametrize("text", ["", "   ", "// nothing", "words only", '"a"', "{1 2}", "\x00\x01", "\ufeff"])
def test_no_game(text: str) -> None:
    with pytest.raises(LudError):
        read_text(text)


def test_files(tmp_path: Path) -> None:
    with pytest.raises(LudError, match="cannot read"):
        read_file(tmp_path / "missing.lud")
    with pytest.raises(LudError, match="cannot read"):
        read_file(tmp_path)
    for name, data in {"garbage": bytes(range(256)) * 20, "huge": b"(" * 2_000_000}.items():
        path = tmp_path / name
        path.write_bytes(data)
        with pytest.raises(LudError):
            read_file(path)


@pytest.mark.parametrize(
    "text",
    [
        '"' * 100_001,
        '\\"' * 100_000,
        "[" * 100_000,
        '(game "x" ' + "0..1000 " * 20_000 + ")",
        "".join(f'(define "M{i}" "M{i + 1}" "M{i + 1}")' for i in range(200)) + '(game "x" "M0")',
        '(option "A" <A> args:{<b>} {(item "c" <(x <A:b>)> "d")}) (game "x" <A:b>)',
        '(game "x" (players 2) (rules (play ' + "(if True " * 80 + "(move Pss)" + ")" * 80 + ")))",
    ],
)
def test_large_and_tangled_texts_end_soon(text: str) -> None:
    with pytest.raises(LudError):
        read_text(text)
