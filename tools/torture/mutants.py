"""Game files with numbers, regions and effects that point off every board; most of them still compile."""

from __future__ import annotations

import random
import re

SITES = (
    "900000000", "-1", "-7", "30000", "0", "1", "64", "(+ 900000000 (last To))", "(- (last To) 40)",
    "(+ 1 (last To))", "(* 1000 (last From))", "(- 0 (last To))", "(count Sites in:(sites Board))", "(handSite P1)",
    "(handSite Mover 9)", "(score Mover)", "(counter)", "(last To)", "(ahead (last To) All)",
    "(ahead (+ 5 (last To)) E)", "(who at:(- (last To) 1))", "(what at:(+ 1 (last From)))",
    "(state at:(+ 30 (last To)))", "(value at:(- (last To) 30))", "(count at:(* 7 (last To)))",
    "(regionSite (sites Board) index:99)", "(mapEntry 5)", "(var)", "(pips)", "(id P9)", "(next)",
    "(abs (last From))", "(% (last To) 0)", "(/ 5 0)", "(^ 40 9)", "(size Stack at:999)",
    "(size Group at:(+ 50 (last To)))", "(count Pieces Mover)", "(coord row:70 column:70)", "(from)", "(to)",
    "(site)", "(between)", "(centrePoint)",
)  # fmt: skip
"""Numbers and sites."""

REGIONS = (
    "(sites {0 1 30000})", "(sites {-1 5})", "(sites Around (+ 900000000 (last To)))",
    "(sites Around (- (last To) 90))", "(sites Direction from:(+ 70 (last To)) All)", "(sites Between)",
    "(sites Between from:(last To) to:(- 0 9))", "(sites Hand P1)", "(sites Row 900)", "(sites Column -3)",
    "(sites Distance from:(- (last To) 80) (range 1 99))", "(sites LineOfSight at:-5)",
    "(sites Group at:(+ 40 (last To)))", "(sites Occupied by:All)", "(sites Empty)", "(sites Board)",
    "(sites Incident Cell of:Cell at:900)", "(expand (sites {9000}))", "(difference (sites Board) 7)",
    "(union (sites {-9}) (sites Board))", "(sites Loop)", "(sites Pattern {F F})", "(sites Start (piece 9))",
    "(sites State 3)", "(sites Side N)", "(sites LastTo)", "(sites To)",
    "(intersection (sites Board) (sites {77}))",
)  # fmt: skip
"""Sets of sites."""

EFFECTS = (
    "(set State at:(+ 900000000 (last To)) 7)", "(set Value at:(- (last To) 50) 9)",
    "(set Count at:(+ 1 (last To)) to:30000)", "(swap Pieces (last To) (+ 90 (last To)))", "(swap Pieces -1 -5)",
    '(trigger "A" 9)', '(trigger "A" Mover)', "(addScore Mover 2000000000)", "(remove (+ 7 (last To)))",
    "(remove (sites {-1 30000}))", "(set Var -5)", "(moveAgain)", "(add (to (+ 90 (last To))))",
    "(add (piece 7) (to (last To)))", "(fromTo (from (last To)) (to -3))", "(addScore P1 (- 0 40000))",
    "(set NextPlayer (player 9))", "(set Pending 70000)", "(promote (last To) (piece 9))", "(set Counter 40000)",
    '(note "x")', "(set Trump 3)", "(set Hidden at:(+ 99 (last To)) True to:P1)", "(remember Value 70000)",
    "(forget Value All)", "(set Score P1 -40000)", "(flip (+ 9 (last To)))",
    "(enclose (from 900) (directions Adjacent))", "(custodial (from (+ 60 (last To))))", "(surround (from -4))",
    "(push (from (+ 70 (last To))) E)", "(attract (from 999))", "(leap)", "(sow (last To))",
    "(sow (+ 30 (last To)) count:500)", "(set Rotation at:77 5)",
    "(set Hidden What (sites Around (- (last To) 40)) to:(player 9))",
    "(forEach Player (addScore (player (+ 7 (player))) 2))",
    "(forEach (players All if:(< (player) 9000)) (set Value (player (player)) 70000))",
    "(if (is Hidden at:(+ 50 (last To)) to:(player (last To))) (moveAgain))",
    "(remove (sites Hidden Who to:(player (last From))))",
)  # fmt: skip
"""Consequences that are put behind a move."""

_NUMBER = re.compile(r"(?<![\w\"#<:.-])-?\d+(?![\w\".:])")
_SITE = re.compile(
    r"\((?:last|from|to|site|between|ahead|count|score|state|value|where|what|who|handSite|var|counter)\b"
)
_REGION = re.compile(r"\(sites\b")
_EFFECT = re.compile(
    r"\((?:set|addScore|remove|moveAgain|swap|trigger|promote|remember|forget|add|custodial|sow|apply)\b"
)
_ANY = re.compile(r"\([a-z]\w*\b")
_MOVE = re.compile(r"\(move (?:Add|Step|Hop|Slide|Leap|Select|Remove|Set)\b")
CHOICES = ((_NUMBER, SITES), (_SITE, SITES), (_REGION, REGIONS), (_EFFECT, EFFECTS))


def mutated(text: str, rng: random.Random) -> str:
    """A text with a few of its parts replaced by others of the same kind."""
    for _ in range(rng.choice((1, 1, 2, 3, 5))):
        way = rng.random()
        if way < 0.15:
            text = _with_effect(text, rng)
        elif way < 0.25:
            text = _exchanged(text, rng)
        else:
            pattern, words = rng.choice(CHOICES)
            text = _replaced(text, pattern, rng.choice(words), rng)
    return text


def _replaced(text: str, pattern: re.Pattern[str], word: str, rng: random.Random) -> str:
    places = list(pattern.finditer(text))
    if not places:
        return text
    place = rng.choice(places)
    end = _end(text, place.start()) if text[place.start()] == "(" else place.end()
    return text[: place.start()] + word + text[end:]


def _with_effect(text: str, rng: random.Random) -> str:
    """The same with an effect after one kind of move."""
    places = list(_MOVE.finditer(text))
    if not places:
        return text
    end = _end(text, rng.choice(places).start()) - 1
    return f"{text[:end]} (then {rng.choice(EFFECTS)}){text[end:]}"


def _exchanged(text: str, rng: random.Random) -> str:
    """One part of the text in the place of another."""
    places = [place.start() for place in _ANY.finditer(text)]
    if not places:
        return text
    taken, given = rng.choice(places), rng.choice(places)
    return text[:taken] + text[given : _end(text, given)] + text[_end(text, taken) :]


def _end(text: str, begin: int) -> int:
    """The place behind the bracket that closes the one at ``begin``."""
    depth = 0
    for k in range(begin, len(text)):
        depth += {"(": 1, ")": -1}.get(text[k], 0)
        if not depth:
            return k + 1
    return len(text)
