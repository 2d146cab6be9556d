"""The messages of the protocol, read from text and written as other programs of the field write them.

Words of the protocol may come in any case; names in moves and rules keep the spelling they have.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from ludoport.errors import LudoportError
from ludoport.gdl.kif import Term, term_text
from ludoport.source import has_controls

DEEPEST = 200
"""Maximum depth of a term in a message; honest ones never come near."""

LONGEST_TERM = 100_000
"""Maximum length of a name or a list of moves, in characters; rules may be longer."""

LONGEST_CLOCK = 3_600
"""Maximum of a clock, in seconds; a match with longer ones would keep its memory for days."""

_TOKEN = re.compile(r"[()]|;[^\n]*|[^\s();]+")


class MessageError(LudoportError):
    """A text is not a message of the protocol."""


@dataclass(frozen=True, slots=True)
class Info:
    """``( INFO )``: who are you, and have you time?"""


@dataclass(frozen=True, slots=True)
class Preview:
    """A game that may be played soon."""

    rules: str
    clock: float


@dataclass(frozen=True, slots=True)
class Start:
    """A match begins.

    Attributes:
        match: its name.
        role: the role of the player who gets this.
        rules: the text of the rulesheet.
        startclock: seconds until the first move is asked for.
        playclock: seconds for each move.
    """

    match: str
    role: str
    rules: str
    startclock: float
    playclock: float


@dataclass(frozen=True, slots=True)
class Play:
    """A move is wanted; ``moves`` are those of the last step in the order of roles, None in the first step."""

    match: str
    moves: tuple[Term, ...] | None


@dataclass(frozen=True, slots=True)
class Stop:
    """The match has ended with these moves."""

    match: str
    moves: tuple[Term, ...] | None


@dataclass(frozen=True, slots=True)
class Abort:
    """The match will not be finished."""

    match: str


Message = Info | Preview | Start | Play | Stop | Abort


@dataclass(slots=True)
class _Item:
    """A word or a list of a message, and its place in the text.

    What lies deeper than the arguments of a message is not kept: rules may be long, and only their text is needed.
    """

    word: str | None
    items: list[_Item]
    begin: int
    end: int
    text: str

    @property
    def term(self) -> Term:
        return self.word if self.word is not None else tuple(item.term for item in self.parts)

    @property
    def parts(self) -> list[_Item]:
        """The items of a list."""
        if self.end - self.begin > LONGEST_TERM:
            raise MessageError(f"a term of a message is longer than {LONGEST_TERM:,} characters")
        return self.items or list(_read(self.text[self.begin + 1 : self.end - 1]))


def read_message(text: str) -> Message:
    """The message that a text holds.

    Example:
        >>> read_message("( PLAY m1 (( mark 3 3 ) noop ) )")
        Play(match='m1', moves=(('mark', '3', '3'), 'noop'))
        >>> read_message("(info)")
        Info()
    """
    if has_controls(text):
        raise MessageError("a message has control characters")
    item = _only(text)
    if item.word is not None or not item.items or item.items[0].word is None:
        raise MessageError("a message is a list that begins with a word, such as `( INFO )`")
    name, given = item.items[0].word.upper(), item.items[1:]
    if name == "INFO":
        return Info()
    if name not in _READERS:
        known = ", ".join(["INFO", *_READERS])
        raise MessageError(f"unknown message `{_short(item.items[0].word)}`; messages are {known}")
    least, read = _READERS[name]
    if len(given) < least:
        raise MessageError(f"{name} needs {least} argument(s), not {len(given)}")
    return read(text, given)


def _preview(text: str, given: Sequence[_Item]) -> Preview:
    return Preview(_rules(text, given[0]), _clock(given[1]) if len(given) > 1 else 0.0)


def _start(text: str, given: Sequence[_Item]) -> Start:
    # Some managers add arguments of their own behind the clocks.
    match, role, rules, startclock, playclock = given[:5]
    return Start(
        term_text(match.term), term_text(role.term), _rules(text, rules), _clock(startclock), _clock(playclock)
    )


def _play(text: str, given: Sequence[_Item]) -> Play:
    del text
    return Play(term_text(given[0].term), _moves(given[1]))


def _stop(text: str, given: Sequence[_Item]) -> Stop:
    del text
    return Stop(term_text(given[0].term), _moves(given[1]) if len(given) > 1 else None)


def _abort(text: str, given: Sequence[_Item]) -> Abort:
    del text
    return Abort(term_text(given[0].term))


_READERS: dict[str, tuple[int, Callable[[str, Sequence[_Item]], Message]]] = {
    "START": (5, _start),
    "PLAY": (2, _play),
    "STOP": (1, _stop),
    "ABORT": (1, _abort),
    "PREVIEW": (1, _preview),
}


def _rules(text: str, item: _Item) -> str:
    if item.word is not None:
        raise MessageError(f"the rules should be a list, not `{_short(item.word)}`")
    return text[item.begin + 1 : item.end - 1]


def _clock(item: _Item) -> float:
    try:
        seconds = float(item.word or "")
    except ValueError:
        seconds = -1.0
    if not 0 <= seconds <= LONGEST_CLOCK:
        shown = _short(item.text[item.begin : item.end][:50])
        raise MessageError(f"a clock is a number of seconds from 0 to {LONGEST_CLOCK:,}, not `{shown}`")
    return seconds


def _moves(item: _Item) -> tuple[Term, ...] | None:
    if item.word is None:
        return tuple(part.term for part in item.parts) or None
    if item.word.lower() == "nil":
        return None
    raise MessageError(f"moves are a list or NIL, not `{_short(item.word)}`")


def _short(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 3] + "..."


def _read(text: str) -> Iterator[_Item]:
    stack: list[_Item] = []
    for match in _TOKEN.finditer(text):
        token, place = match.group(), match.start()
        if token == "(":
            if len(stack) == DEEPEST:
                raise MessageError(f"a message is nested deeper than {DEEPEST} parentheses")
            stack.append(_Item(None, [], place, place, text))
            continue
        if token == ")":
            if not stack:
                raise MessageError(f"the `)` at character {place + 1} closes nothing")
            item = stack.pop()
            item.end = place + 1
        elif token.startswith(";"):
            continue
        else:
            item = _Item(token, [], place, match.end(), text)
        if len(stack) == 1:
            stack[0].items.append(item)
        elif not stack:
            yield item
    if stack:
        raise MessageError(f"the `(` at character {stack[-1].begin + 1} is never closed")


def _only(text: str) -> _Item:
    items = []
    for item in _read(text):
        items.append(item)
        if len(items) > 1:
            raise MessageError("more than one message; send one at a time")
    if not items:
        raise MessageError("the message is empty")
    return items[0]


def write_message(message: Message) -> str:
    """A message as text.

    Example:
        >>> write_message(Play("m1", (("mark", "3", "3"), "noop")))
        '( PLAY m1 (( mark 3 3 ) noop ) )'
    """
    match message:
        case Info():
            return "( INFO )"
        case Preview(rules, clock):
            return f"( PREVIEW ({one_line(rules)} ) {clock:g} )"
        case Start(name, role, rules, startclock, playclock):
            return f"( START {name} {role} ({one_line(rules)} ) {startclock:g} {playclock:g})"
        case Play(name, moves):
            return f"( PLAY {name} {_joint(moves)} )"
        case Stop(name, moves):
            return f"( STOP {name} {_joint(moves)} )"
        case Abort(name):
            return f"( ABORT {name} )"


def _joint(moves: tuple[Term, ...] | None) -> str:
    return f"({' '.join(map(spaced, moves))} )" if moves else "NIL"


def one_line(rules: str) -> str:
    """Rules as managers send them: no comments, one blank between any two tokens."""
    return " ".join(_tokens(rules))


def digest(rules: str) -> str:
    """The same for rules that differ in comments and blanks only."""
    known = hashlib.sha256()
    for token in _tokens(rules):
        known.update(token.encode("utf-8", "replace") + b" ")
    return known.hexdigest()


def _tokens(rules: str) -> Iterator[str]:
    """The words and parentheses of rules, one after another: all at once would take much more memory than the text."""
    return (found[0] for found in _TOKEN.finditer(rules) if not found[0].startswith(";"))


def spaced(term: Term) -> str:
    """A term with blanks inside its parentheses, as usual in messages.

    Example:
        >>> spaced(("mark", "2", "2"))
        '( mark 2 2 )'
    """
    return term if isinstance(term, str) else f"( {' '.join(map(spaced, term))} )"


def read_reply(text: str) -> Term:
    """The one term of a reply, such as a move."""
    return _only(text).term


def write_info(name: str, busy: bool) -> str:
    """A player's answer to INFO."""
    word = "_".join(name.split()) or "player"
    return f"( ( name {word} ) ( status {'busy' if busy else 'available'} ) )"


def read_info(text: str) -> dict[str, str]:
    """A player's answer to INFO; an answer of one word gives only its status.

    Example:
        >>> read_info("( ( name Random ) ( status available ) )")
        {'name': 'Random', 'status': 'available'}
    """
    term = read_reply(text)
    if isinstance(term, str):
        return {"status": term.lower()}
    found: dict[str, str] = {}
    for part in term:
        if isinstance(part, tuple) and len(part) >= 2 and isinstance(part[0], str):
            found[part[0].lower()] = " ".join(map(term_text, part[1:]))
    return found
