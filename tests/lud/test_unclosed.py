"""A missing bracket is reported where the form began, not at the first line."""

import pytest

from ludoport.errors import LudError
from ludoport.games import bundled
from ludoport.lud import read_text

TEXT = """(game "Three"
    (players 2)
    (equipment {
        (board (square 3))
        (piece "Disc" Each)
    })
    (rules
        (play (move Add (to (sites Empty))))
        (end (if (is Line 3) (result Mover Win)))
    )
)
"""


def line_of(text: str) -> int:
    with pytest.raises(LudError, match="is never closed") as caught:
        read_text(text, "three.lud")
    line: int = caught.value.source.line  # type: ignore[union-attr]
    return line


def test_the_whole_text_is_right() -> None:
    assert read_text(TEXT).name == "Three"


@pytest.mark.parametrize(
    ("right", "wrong", "line"),
    [
        ("(players 2)", "(players 2", 2),
        ("Empty))))", "Empty)))", 8),
        ("Mover Win)))\n    )\n)", "Mover Win)))\n)", 7),
        ("Mover Win)))\n    )\n)", "Mover Win)))\n    )\n", 1),
    ],
)
def test_one_bracket_is_missing(right: str, wrong: str, line: int) -> None:
    assert TEXT.count(right) == 1
    assert line_of(TEXT.replace(right, wrong)) == line


def test_brackets_of_two_kinds_are_left_to_the_reader() -> None:
    for right, wrong, line in (("    })", "    )", 3), ("(square 3))", "(square 3)", 4), ("Each)", "Each", 5)):
        with pytest.raises(LudError, match=rf"does not fit the `[({{]` opened at line {line}"):
            read_text(TEXT.replace(right, wrong))


def test_text_on_one_line_points_at_the_innermost_open_form() -> None:
    assert line_of('(game "Three" (players 2)') == 1


def test_an_unknown_option_shows_what_there_is() -> None:
    hexagons = bundled()["Hex"].read_text()
    with pytest.raises(LudError, match=r'unknown option "7x7"; did you mean `Board Size/7x7`\?'):
        read_text(hexagons, options=["7x7"])
    with pytest.raises(
        LudError, match=r"options are Board Size/3x3, 4x4, .*; Swap Rules/On, Off; End Rules/Standard, Misere"
    ):
        read_text(hexagons, options=["Colour"])
    with pytest.raises(LudError, match="this game has no options"):
        read_text(TEXT, options=["7x7"])
