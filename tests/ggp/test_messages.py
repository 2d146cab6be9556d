from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ludoport.errors import LudoportError
from ludoport.gdl.kif import Term
from ludoport.ggp.messages import (
    DEEPEST,
    Abort,
    Info,
    Message,
    MessageError,
    Play,
    Preview,
    Start,
    Stop,
    read_info,
    read_message,
    read_reply,
    spaced,
    write_info,
    write_message,
)

words = st.text("abcXYZ0189_-+*?.é", min_size=1, max_size=8).filter(lambda w: w.lower() != "nil")
terms = st.recursive(words, lambda inner: st.lists(inner, min_size=1, max_size=4).map(tuple), max_leaves=8)
joint = st.none() | st.lists(terms, min_size=1, max_size=3).map(tuple)
clocks = st.integers(0, 1000).map(float)
rules = st.lists(terms.map(spaced), max_size=4).map(" ".join)
messages: st.SearchStrategy[Message] = st.one_of(
    st.just(Info()),
    st.builds(Preview, rules, clocks),
    st.builds(Start, words, words, rules, clocks, clocks),
    st.builds(Play, words, joint),
    st.builds(Stop, words, joint),
    st.builds(Abort, words),
)


def plain(message: Message) -> Message:
    """Rules are compared without the blanks around them."""
    if isinstance(message, Preview):
        return Preview(" ".join(message.rules.split()), message.clock)
    if isinstance(message, Start):
        text = " ".join(message.rules.split())
        return Start(message.match, message.role, text, message.startclock, message.playclock)
    return message


@pytest.mark.slow
@given(messages)
@settings(max_examples=200, deadline=None)
def test_what_is_written_is_read_again(message: Message) -> None:
    assert plain(read_message(write_message(message))) == plain(message)


@pytest.mark.slow
@given(terms)
def test_terms_keep_their_spelling(term: Term) -> None:
    assert read_reply(spaced(term)) == term


@given(st.text("() ;\nstartplayINFO0159nil?", max_size=60))
@settings(max_examples=300, deadline=None)
def test_garbage_is_a_message_or_an_error_of_ours(text: str) -> None:
    try:
        message = read_message(text)
    except LudoportError:
        return
    assert plain(read_message(write_message(message))) == plain(message)


def test_messages_are_written_as_other_managers_write_them() -> None:
    assert write_message(Play("local.1.0", None)) == "( PLAY local.1.0 NIL )"
    assert write_message(Stop("m", (("mark", "3", "3"), "noop"))) == "( STOP m (( mark 3 3 ) noop ) )"
    text = "(role a) ; comment )\n(<= (p ?x)(q ?x))"
    assert write_message(Start("m", "a", text, 10, 5)) == ("( START m a (( role a ) ( <= ( p ?x ) ( q ?x ) ) ) 10 5)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(info)", Info()),
        ("( Info )", Info()),
        ("(play M NIL)", Play("M", None)),
        ("(PLAY m ())", Play("m", None)),
        ("(PLAY m nil)", Play("m", None)),
        ("( PLAY m (NOOP (MARK 1 1)))", Play("m", ("NOOP", ("MARK", "1", "1")))),
        ("(START m a ((role a)) 10 5 EXTRA (WORDS))", Start("m", "a", "(role a)", 10, 5)),
        ("(abort m)", Abort("m")),
        ("(STOP m)", Stop("m", None)),
        ("(PREVIEW ((role a)))", Preview("(role a)", 0)),
    ],
)
def test_forms_that_are_met_in_practice(text: str, message: Message) -> None:
    assert read_message(text) == message


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "empty"),
        ("INFO", "list"),
        ("((INFO))", "list"),
        ("(HELLO)", "unknown message `HELLO`"),
        ("(PLAY)", "needs 2"),
        ("(PLAY m soon)", "`soon`"),
        ("(START m a ((role a)) ten 5)", "`ten`"),
        ("(START m a ((role a)) -1 5)", "`-1`"),
        ("(START m a ((role a)) nan 5)", "`nan`"),
        ("(START m a rules 10 5)", "`rules`"),
        ("(INFO", "never closed"),
        ("(INFO))", "closes nothing"),
        ("(INFO) (INFO)", "one message"),
        ("(" * 100_000 + ")" * 100_000, f"deeper than {DEEPEST}"),
    ],
)
def test_what_is_wrong_is_said(text: str, sentence: str) -> None:
    with pytest.raises(MessageError, match=sentence):
        read_message(text)


def test_info_is_read_from_all_kinds_of_players() -> None:
    assert read_info(write_info("My Player", busy=True)) == {"name": "My_Player", "status": "busy"}
    assert read_info("available") == {"status": "available"}
    assert read_info("((NAME x)(STATUS available)(species (a b)))")["name"] == "x"
