"""The reader of KIF."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from ludoport.errors import LudError
from ludoport.gdl.kif import Sheet, parse_term, term_text

ATOMS = st.text("abcxyz0123456789-_+", min_size=1, max_size=6)
TERMS = st.recursive(
    ATOMS,
    lambda inner: st.tuples(ATOMS, st.lists(inner, max_size=3)).map(lambda parts: (parts[0], *parts[1])),
    max_leaves=12,
)


@given(TERMS)
@pytest.mark.slow
def test_terms_survive_writing_and_reading(term):
    assert parse_term(term_text(term)) == term


def test_comments_blanks_and_keywords_in_any_case():
    sheet = Sheet("(ROLE White) ; the (only role\n(<=\t(Legal White\n go) (TRUE (Cell 1)))\r\n terminal")
    assert [node.term for node in sheet.nodes] == [
        ("role", "White"),
        ("<=", ("legal", "White", "go"), ("true", ("Cell", "1"))),
        "terminal",
    ]


@pytest.mark.parametrize(
    ("text", "message", "line", "column"),
    [
        ("(role a)\n  (init (p", "never closed", 2, 9),
        ("(role a)\n )", "closes nothing", 2, 2),
        ("(role a)\n(init ())", "nothing between", 2, 7),
    ],
)
def test_errors_point_at_the_place(text, message, line, column):
    with pytest.raises(LudError) as error:
        _ = Sheet(text, "game.kif").nodes
    assert message in str(error.value)
    assert str(error.value).startswith(f"game.kif:{line}:{column}: ")
    caret = str(error.value).splitlines()[-1]
    assert caret == " " * (4 + column - 1) + "^"


def test_one_term_only():
    with pytest.raises(LudError, match="one term"):
        parse_term("a b")
