"""Game files that once broke something, each with a part of the sentence that it must end in."""

from __future__ import annotations


def game(board: str = "(square 3)", end: str = "(is Line 3)", more: str = "", play: str = "", start: str = "") -> str:
    """A small game with one part replaced."""
    play = play or "(move Add (to (sites Empty)))"
    start = f"(start {start}) " if start else ""
    return (
        f'(game "G" (players 2) (equipment {{(board {board}) (piece "Disc" Each) {more}}}) '
        f"(rules {start}(play {play}) (end (if {end} (result Mover Win)))))"
    )


def _nested(depth: int) -> str:
    """Sites for which sites must be counted for which sites must be counted, and so on."""
    sites = "(difference (sites Empty) (sites Around (site)))" if depth < 3 else "(sites Empty)"
    test = f"(< 100000 (count Sites in:{_nested(depth - 1)}))" if depth else "(is Mover (who at:(site)))"
    return f"(forEach {sites} if:{test})"


ENDLESS = game(board="(square 12)", play=f"(move Add (to {_nested(3)}))")
"""A game that is read at once, and whose moves take hours to list."""

DIGITS = "1" + "0" * 320

GAMES = {
    "a number beyond 32 bits": (game(end="(= 3000000000 (count Pieces))"), "the number `3000000000` is beyond"),
    "a number of 400 digits": (game(end=f"(= {'9' * 400} (count Pieces))"), "is beyond 2,147,483,647"),
    "an infinite coordinate": (game(board=f"(scale {DIGITS} (square 3))"), "is beyond 2,147,483,647"),
    "far coordinates": (game(board="(scale 2000000 (square 3))"), "farther than 1,000,000 from the middle"),
    "far products": (game(board="(scale 1000 (scale 1000 (scale 1000 (square 3))))"), "farther than 1,000,000"),
    "far shift": (game(board="(shift 2147483647 2 (square 3))"), "farther than 1,000,000"),
    "far vertices": (
        game(board="(graph vertices:{{0 0} {999999999 999999999} {1 0}} edges:{{0 1} {1 2}})"),
        "farther than 1,000,000",
    ),
    "a map of a large key": (
        game("(square 8)", "(= 1 (mapEntry (last To)))", '(map {(pair 2147483647 "E8")})'),
        "a table of 2,147,483,648 numbers is too large",
    ),
    "a hand of billions": (game(more="(hand Each size:2147483647)"), "a hand has 1 to 1,000 sites"),
    "a hand below nothing": (game(more="(hand Each size:-4)"), "a hand has 1 to 1,000 sites, not -4"),
    "a die of billions": (game(more="(dice d:2147483647 num:2)"), "a die has 1 to 10,000 faces"),
    "billions of dice": (game(more="(dice d:6 num:2147483647)"), "`dice` needs 1 to 100 dice"),
    "a stack of billions": (
        game(start='(place Stack "Disc1" 0 count:2147483647)'),
        "at most 128 pieces are placed in one stack, not 2,147,483,647",
    ),
    "a product beyond 32 bits": (
        game(end="(= (count Pieces) (* 2147483647 (* 2147483647 (* 2147483647 2147483647))))"),
        "the number of `\\*` is beyond 2,147,483,647",
    ),
    "a region that grows for ever": (
        game(play="(move Add (to (expand (sites Occupied by:All) steps:2147483647)))"),
        "`expand` by more than 32 steps",
    ),
    "a sum of thousands": (
        game(end=f"(= 3 (+ {{{' '.join(['(count Pieces Mover)'] * 5000)}}}))"),
        "too deep or too many for Python's compiler",
    ),
}

PUZZLES = ["{21 }", "{}", "{1}", "{1 2 3}", "{99 1}", "{1 99}", "{-1 2}", "{1 2} {21 }"]

_START = "(role a) (init (p 0)) (legal a go) (<= terminal (true (q 1))) (goal a 100) "
_DIGITS = " ".join(f"(d {k})" for k in range(60))

SHEETS = {
    "nested 900 deep": (f"{_START}(<= (next (p {'(f ' * 900}1{')' * 900})) (true (p 0)))", "nest more than 100 deep"),
    "3,000 nested not": (f"{_START}(<= z {'(not ' * 3000}(true (p 0)){')' * 3000})", "nest more than 100 deep"),
    "3,000 nested or": (f"{_START}(<= z {'(or (true (p 1)) ' * 3000}(true (p 0)){')' * 3000})", "more than 100 deep"),
    "a term that begins with a term": (f"{_START}(<= (next (p 1)) (true ((f a) b)))", "begins with a word"),
    "a fact that begins with a term": (f"{_START}(init ((f a) b))", "begins with a word"),
    "60^5 legal moves": (
        f"(role a) (init (p 1)) {_DIGITS} (<= (legal a (m ?a ?b ?c ?d ?e)) (d ?a) (d ?b) (d ?c) (d ?d) (d ?e)) "
        "(<= (next (p ?a)) (does a (m ?a ?b ?c ?d ?e))) (<= terminal (true (p 77))) (goal a 100)",
        "more than 500,000 tuples",
    ),
    "terms that grow from ply to ply": (
        "(role a) (init (p zero)) (legal a go) (<= (next (p (s ?x))) (true (p ?x))) (<= terminal (true (p none))) "
        "(goal a 100)",
        "nest deeper than 300",
    ),
}

_AMAZONS = """
(game "Amazons" (players 2)
    (equipment {(board (square 100)) (piece "Queen" Each (move Slide (then (moveAgain)))) (piece "Dot" Neutral)})
    (rules
        (start {(place "Queen1" {"A4" "D1" "G1" "J4"}) (place "Queen2" {"A7" "D10" "G10" "J7"})})
        (play (if (is Even (count Moves)) (forEach Piece) (move Shoot (piece "Dot0"))))
        (end (if (no Moves Mover) (result Mover Loss)))))
"""
_ALTERNATIVES = " ".join(
    f"(move Add (to (sites {{0 1 2 {k % 9}}})) (then (if (= {k} (count Pieces)) (set Var {k}))))" for k in range(4000)
)
_CONDITIONS = " ".join(f"(= {k} (count Pieces Mover))" for k in range(20000))
_FACTS = " ".join(f"(d {k})" for k in range(99_000))

HUGE = {
    "Amazons on 100x100": (".lud", _AMAZONS, 0),
    "a rotated board of 100x100": (".lud", game(board="(rotate 30 (square 100))"), 0),
    "three times subdivide": (".lud", game(board="(subdivide (subdivide (subdivide (square 10))))"), 0),
    "thousands of alternatives": (".lud", game(play=f"(or {{{_ALTERNATIVES}}})"), 1),
    "20,000 conditions": (".lud", game(end=f"(and {{{_CONDITIONS}}})"), 0),
    "a map of a large key": (".lud", GAMES["a map of a large key"][0], 1),
    "60^5 legal moves": (".kif", SHEETS["60^5 legal moves"][0], 1),
    "a hundred thousand facts": (".kif", _START + _FACTS, 0),
}
"""Files up to 1 MB, with the exit code of ``check``."""
