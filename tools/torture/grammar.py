"""Games made from the signatures of the language: any ludeme, with any arguments, in small games of many kinds.

Where ``mutants.py`` changes games that people wrote, this writes games that no person would write: every number is
tried with numbers that are no site, player, piece, level or count, in games with stacks, dice, hands, tracks, cards and
teams around it.
"""

from __future__ import annotations

import random
from collections import defaultdict
from functools import cache

from ludoport.lud.signatures import Alternative, Parameter, Signature, language

NUMBERS = (
    "0", "1", "2", "3", "5", "8", "9", "16", "17", "-1", "-2", "-7", "99", "1000", "30000", "40000", "900000000",
    "-900000000", "2147483647", "-2147483648", "Off", "End", "Infinity", "(last To)", "(last From)",
    "(+ 900000000 (last To))", "(- (last To) 900000000)", "(+ 8 (last To))", "(- -1 (last To))", "(mover)", "(next)",
    "(* (count Moves) 50000)", '(var "V")', "(counter)", "(to)", "(from)", "(site)", "(level)", "(between)", "(pips)",
    "(value)", "(player)", "(track)", "(score Mover)", "(hint)", "(pot)", "(edge)", "(state at:(last To))",
    "(count Pips)", "(topLevel at:(last To))", "(what at:(last To))", "(who at:(last To))", "(amount Mover)",
    "(rotation at:(last To))", "(value Random (range 0 99))", "(value Player Mover)", "(value Pending)",
    "(% (last To) 0)", "(/ 7 (count Moves))", "(^ 40 9)", "(mapEntry (last To))", "(handSite Mover 7)",
)  # fmt: skip
"""Numbers, from harmless to far beyond everything."""

LEAVES = {
    "Integer": ("0", "1", "2", "3", "-1", "17", "30000", "900000000"),
    "DimFunction": ("1", "2", "3", "4", "0", "-1", "7"),
    "Boolean": ("True", "False"),
    "BooleanConstant": ("True", "False"),
    "BooleanFunction": ("True", "False", "(is Even (count Moves))", "(is Occupied (to))", "(is Empty (to))",
                        "(is Enemy (who at:(between)))", "(is In (to) (sites Top))"),
    "Float": ("0.5", "1.0", "-3.5", "1e30"),
    "FloatFunction": ("0.5", "1.0", "-3.5", "1e30"),
    "RegionFunction": ("(sites Board)", "(sites Empty)", "(sites Occupied by:Mover)", "(sites {0 1 30000})",
                       "(sites {-1 5})", "(sites Around (last To))", "(sites Hand Mover)", "(sites LastTo)",
                       "(sites Pending)", "(sites To)", "(sites {(last To) (+ 9 (last To))})"),
    "IntArrayFunction": ("(array {0 1})", "(array {-1 900000000})", "(values Remembered)", "(array (sites Board))"),
    "Moves": ("(move Add (to (sites Empty)))", "(move Pass)", "(forEach Piece)", "(remove (last To))",
              "(move (from (sites Occupied by:Mover)) (to (sites Empty)))", "(move Select (from (sites Board)))"),
    "NonDecision": ("(remove (last To))", "(add (to (sites Empty)))", "(moveAgain)", "(addScore Mover 1)", "(roll)"),
    "RangeFunction": ("(range 1 2)", "(exact 1)", "(range -5 900000000)", "(min 2)", "(max 30000)"),
    "Range": ("(range 1 2)", "(range -3 9)"),
    "String": ('"Disc"', '"Disc1"', '"Hand"', '"T"', '"V"', '"M"', '"Opening"', '"A1"', '"Ring"', '"nothing"'),
    "moves.Player": ("(player 1)", "(player 17)", "(player -1)", "(player (last To))", "(player (mover))"),
    "GraphFunction": ("(square 3)", "(hex 2)", "(tri 3)", "(rectangle 1 4)"),
    "TrackStep": ("0", "E", "-7", "900"),
    "To": ("(to (sites Empty))", "(to if:(is Empty (to)))", "(to (last To))", "(to (+ 9 (last To)) level:7)"),
    "From": ("(from)", "(from (last To))", "(from (sites Occupied by:Mover))", "(from (- (last To) 40) level:3)"),
    "Between": ("(between)", "(between if:True)", "(between (range 1 99))", "(between before:9 after:9 if:True)"),
    "Piece": ('(piece "Disc1")', '(piece "Ring")', "(piece 9)", "(piece (mover))", "(piece (last To))", "(piece -1)"),
    "Then": ("(then (addScore Mover 1))", "(then (moveAgain))"),
}  # fmt: skip
"""Texts of arguments that go no deeper, by the type of the parameter."""

HOSTS = {
    "plain": (
        '(players 2) (equipment {(board (square 3) (track "T" "0,E,N,W" loop:True)) (piece "Disc" Each (move Step '
        '(to if:(is Empty (to))))) (piece "Ring" Neutral) (hand Each size:2) (map "M" {(pair 0 1) (pair 5 30)})})',
        '(place "Disc" "Hand" count:4)',
    ),
    "stacks": (
        '(players 2) (equipment {(board (hex 2) (track "T" {0 1 2 3} directed:True)) (piece "Disc" Each) '
        '(piece "Ring" Each) (hand Each)})',
        '(place Stack "Disc1" 0 count:3) (place Stack items:{"Ring2" "Disc1"} (sites {2 3}))',
    ),
    "dice": (
        '(players 3) (equipment {(board (rectangle 2 4) {(track "T" "0,E,N1,W" P1 directed:True) '
        '(track "T" "7,W,S,E" P2 directed:True)}) (piece "Disc" Each) (piece "Ring" Shared) (dice d:4 num:2) '
        "(hand Each size:3)})",
        '(place "Disc1" 0 count:5) (place "Disc1" 1) (place "Disc2" 7)',
    ),
    "graph": (
        '(players 2) (equipment {(board (square 3) use:Edge) (piece "Disc" Each) (piece "Ring" Neutral) (hand Each)})',
        '(place "Disc1" 0)',
    ),
    "vertices": (
        '(players {(player N) (player S)}) (equipment {(board (square 3) use:Vertex) (piece "Disc" Each maxState:3 '
        'maxValue:5) (piece "Ring" Each N (move Slide Forward)) (regions "R" P1 (sites Top)) (hand Shared)})',
        '(place "Disc1" {"A1" "B2"} state:2 value:3) (place "Ring2" coord:"C3" rotation:1)',
    ),
    "mancala": (
        '(players 2) (equipment {(mancalaBoard 2 4 (track "T" "1,E,N,W" loop:True)) (piece "Disc" Shared) '
        '(piece "Ring" Shared)})',
        '(set Count 3 to:(sites Track "T"))',
    ),
    "cards": (
        '(players 4) (equipment {(board (square 3)) (piece "Disc" Each '
        "(move Step (to if:(not (is Friend (who at:(to))))))) "
        '(piece "Ring" Neutral) (hand Each size:4) '
        "(dice d:6 from:1 num:3)})",
        "(set Team 1 {P1 P3}) (set Team 2 {P2 P4})",
    ),
    "layers": (
        '(players 2) (equipment {(board (square 4 pyramidal:True) use:Vertex) (piece "Disc" Each) '
        '(piece "Ring" Neutral) (hand Each)})',
        '(place "Disc" "Hand" count:9)',
    ),
    "hidden": (
        '(players 2) (equipment {(board (square 3)) (piece "Disc" Each (move Step (to if:(is Empty (to))))) '
        '(piece "Ring" Neutral) (hand Each size:3)})',
        '(place "Disc1" {0 1}) (place "Disc2" {7 8}) (set Hidden (sites Occupied by:P1) to:P2) '
        "(set Hidden What at:8 to:P1)",
    ),
    "drawn": (
        '(players 2) (equipment {(board (square 3)) (piece "Disc" Each (move Slide)) (piece "Ring" Each) (hand Each)})',
        '(place "Disc1" (sites Random (sites Bottom) num:2)) '
        '(place "Ring2" (sites Random (intersection (sites Empty) (sites Top)) num:1) state:2)',
    ),
    "together": (
        '(players 2) (mode Simultaneous) (equipment {(board (square 3)) (piece "Disc" Each) (piece "Ring" Neutral) '
        "(hand Each size:2)})",
        '(place "Disc1" (handSite P1)) (place "Disc2" (handSite P2))',
    ),
    "followers": (
        '(players 2) (equipment {(board (square 3)) (piece "Disc" Each (move Step (to if:(is Empty (to)) '
        '(apply if:(< 1 (count at:(from))) (fromTo (from) (to (last To)) count:2))))) '
        '(piece "Ring" Neutral) (hand Each)})',
        '(place "Disc1" 0 count:4) (place "Disc2" 8 count:3)',
    ),
    "no players": (
        '(players 0) (equipment {(board (square 3)) (piece "Disc" Shared) (piece "Ring" Neutral)})',
        '(place "Disc" 0)',
    ),
}  # fmt: skip
"""Kinds of games: players and equipment, and how they begin; each compiles as it is."""

FREE = "(move Add (to (sites Empty)))"
END = "(if (>= (count Moves) 30) (result Mover Draw))"

KINDS = {"Moves": 5, "NonDecision": 5, "BooleanFunction": 3, "IntFunction": 3, "RegionFunction": 3, "StartRule": 1}
"""Kinds of ludemes that games are made around, with weights."""


_TAKES_NUMBERS = (
    "(set Var {})", "(set State at:(last To) {})", "(remove {})", "(addScore Mover {})", "(set Value at:{} 3)",
    "(set Counter {})", "(set Pending {})", "(fromTo (from (last To)) (to {}))", "(swap Pieces (last To) {})",
    '(add (piece "Disc1") (to {}) count:2)',
)  # fmt: skip
_TAKES_SITES = (
    "(move Add (to {}))", "(move Remove {})", "(move (from {}) (to (sites Empty)))", "(move Select (from {}))",
    "(move (from (sites Occupied by:Mover)) (to {}))", "(move Add (to (sites Empty)) (then (remove {})))",
    '(move Add (to (sites Empty)) (then (forEach Site {} (add (piece "Ring") (to (site))))))',
)  # fmt: skip


@cache
def _fitting() -> dict[str, list[Signature]]:
    """The ludemes that can stand for a type of parameter, those that are implemented only where that is known."""
    from ludoport.web.views.ludemes import meanings

    known, found = meanings(), defaultdict(list)
    for signatures in language().by_keyword.values():
        for signature in signatures:
            registered = signature.kind in ("moves", "boolean", "int", "region", "intarray")
            if registered and f"{signature.kind}:{signature.keyword}" not in known:
                continue
            for fits in signature.fits:
                found[fits].append(signature)
    return dict(found)


def written(rng: random.Random) -> str:
    """A whole game around one ludeme."""
    type_ = rng.choices(list(KINDS), list(KINDS.values()))[0]
    here = _ludeme(rng.choice(_fitting()[type_]), rng, 3)
    dice = any(word in here for word in ("Die", "Dice", "(roll", "ips)", "(face"))
    host = rng.choice(("dice", "cards") if dice else list(HOSTS))
    if host == "no players":
        return _without_players(type_, here)
    end, play, start = END, f"(or (forEach Piece) {FREE})", ""
    if type_ == "Moves":
        play = rng.choice((f"(or {here} {FREE})", f"(forEach Piece {here})", here))
    elif type_ == "NonDecision":
        play = f"(or {FREE[:-1]} (then {here})) (move Pass (then {here})))"
    elif type_ == "BooleanFunction":
        end = f"(if {here} (result Mover Win)) {end}"
        play = f"(if {here} {FREE} (move Pass (then (if {here} (moveAgain)))))" if rng.random() < 0.5 else play
    elif type_ == "IntFunction":
        play = f"(move Add (to (sites Empty)) (then {rng.choice(_TAKES_NUMBERS).format(here)}))"
    elif type_ == "RegionFunction":
        play = f"(or {rng.choice(_TAKES_SITES).format(here)} {FREE})"
    else:
        start = here
    return game_in(host, play, end, start)


def _without_players(type_: str, here: str) -> str:
    """A game without players around a ludeme; its play is effects."""
    grow = '(forEach Site (sites Board) (if (is Empty (to)) (add (piece "Disc") (to (to)))))'
    if type_ == "BooleanFunction":
        return game_in("no players", f"(if {here} {grow})", f"(if {here} (result Mover Win)) {END}")
    play = {"NonDecision": here, "IntFunction": f"(remove {here})", "RegionFunction": f"(remove {here})"}
    return game_in("no players", play.get(type_, grow), END, here if type_ == "StartRule" else "")


def game_in(host: str, play: str, end: str = END, start: str = "") -> str:
    """A game of a kind with other rules.

    Args:
        host: a key of ``HOSTS``.
        play: what players do.
        end: when it ends.
        start: how it begins; empty for what the kind has.
    """
    players, first = HOSTS[host]
    begin = start or first
    return f'(game "Made" {players} (rules {f"(start {{{begin}}})" if begin else ""} (play {play}) (end {{{end}}})))'


def _ludeme(signature: Signature, rng: random.Random, depth: int) -> str:
    """A ludeme with its necessary arguments and some of the others."""
    way = rng.choice(signature.alternatives)
    return f"({' '.join([signature.keyword, *_arguments(way, rng, depth)])})"


def _arguments(way: Alternative, rng: random.Random, depth: int) -> list[str]:
    chosen: set[int] = set()
    groups: dict[int, list[int]] = defaultdict(list)
    for place, parameter in enumerate(way.parameters):
        if parameter.group:
            groups[parameter.group].append(place)
        elif not parameter.optional or rng.random() < 0.35:
            chosen.add(place)
    for group, members in groups.items():
        if group in way.required_groups or rng.random() < 0.35:
            chosen.add(rng.choice(members))
    parts = []
    for place in sorted(chosen):
        parameter = way.parameters[place]
        label = f"{parameter.name}:" if parameter.named else ""
        parts.append(label + _listed(parameter, parameter.lists, rng, depth))
    return parts


def _listed(parameter: Parameter, lists: int, rng: random.Random, depth: int) -> str:
    if not lists:
        return _value(parameter.type, rng, depth - 1)
    inner = [_listed(parameter, lists - 1, rng, depth) for _ in range(rng.choice((0, 1, 2, 2, 3)))]
    return "{" + " ".join(inner) + "}"


def _value(type_: str, rng: random.Random, depth: int) -> str:
    leaves = NUMBERS if type_ == "IntFunction" else LEAVES.get(type_, ())
    words = language().words_of(type_)
    deeper = _fitting().get(type_, [])
    if deeper and ((depth > 0 and rng.random() < 0.4) or (depth > -3 and not leaves and not words)):
        return _ludeme(rng.choice(deeper), rng, depth)
    if leaves and (not words or rng.random() < 0.8):
        return rng.choice(leaves)
    return rng.choice(words) if words else "1"
