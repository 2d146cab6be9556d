"""Game texts with numbers that are not sites, players, pieces or levels."""

from __future__ import annotations

from collections.abc import Iterator

GAME = """(game "Hostile"
    (players 2)
    (equipment {{
        (board (square 3) (track "T" "0,E,N,W" loop:True)) (piece "Disc" Each) (hand Each) (map "M" {{(pair 0 1)}})
    }})
    (rules
        (start {{ (place "Disc" "Hand" count:4) }})
        (play {play})
        (end {end})
    )
)"""

LINE = "(if (is Line 3) (result Mover Win))"

NUMBERS = (
    "9",
    "-7",
    "30000",
    "(+ 900000000 (last To))",
    "(- (last To) 900000000)",
    "(+ 8 (last To))",
    "(- -1 (last To))",
    "(* (count Moves) 50000)",
    '(var "V")',
)
"""Numbers that are no site of the board, always or now and then."""

EFFECTS = (
    "(set State at:{x} 7)",
    "(set Value at:{x} 7)",
    "(set Count at:{x} 7)",
    "(swap Pieces {x} (last To))",
    "(swap Pieces (last To) {x})",
    '(trigger "T" {x})',
    "(addScore (player {x}) 5)",
    "(set Score (player {x}) 5)",
    "(set Value (player {x}) 3)",
    "(set NextPlayer (player {x}))",
    "(set Pending {x})",
    "(set Pending (sites {{0 {x}}}))",
    '(set Var "V" {x})',
    "(set Counter {x})",
    "(remove {x})",
    "(remove (last To) count:{x})",
    "(flip {x})",
    "(remember Value {x})",
    '(add (piece "Disc1") (to {x}))',
    '(add (piece "Disc1") (to (sites {{ {x} }})) count:{x})',
    "(add (piece {x}) (to (sites Empty)))",
    '(promote {x} (piece "Disc2"))',
    "(promote (last To) (piece {x}))",
    "(fromTo (from {x}) (to (last To)))",
    "(fromTo (from (last To)) (to {x}))",
    "(push (from {x}) E)",
    "(sow {x} count:3)",
    "(custodial (from {x}))",
    "(surround (from {x}))",
    "(enclose (from {x}))",
    "(intervene (from {x}) (to if:True))",
    "(directional (from {x}) (to if:(is Occupied (to))))",
    "(forEach Site (sites Around {x}) (remove (site)))",
    "(forEach Value min:{x} max:(+ {x} 3) (remove (value)))",
    "(attract (from {x}))",
    "(leap (from {x}) {{ {{F F}} }} (to if:True))",
    "(step (from {x}) (to if:True))",
    "(slide (from {x}))",
    '(shoot (piece "Disc1") (from {x}))',
    "(claim (to {x}))",
)

REGIONS = (
    "(sites Around {x})",
    "(sites {{0 1 {x}}})",
    "(sites {{ {x} }})",
    "(sites Direction from:{x} E)",
    "(handSite Mover {x})",
    "(sites LineOfSight at:{x})",
    "(sites Distance from:{x} (range 1 2))",
    "(sites Group at:{x})",
    "(sites Row {x})",
    "(sites Column {x})",
    "(sites Layer {x})",
    "(sites Phase {x})",
    "(sites State {x})",
    "(sites Between from:{x} to:8)",
    "(sites Between from:0 to:{x})",
    "(expand (sites Around {x}))",
    "(expand origin:{x})",
    "(sites Incident Cell of:Cell at:{x})",
    "(sites Start (piece {x}))",
    "(sites (player {x}))",
    "(difference (sites Board) {x})",
    "(union (sites Top) (sites {{ {x} }}))",
    "(forEach (sites Board) if:(= (site) {x}))",
)

CONDITIONS = (
    "(is Empty {x})",
    "(is Occupied {x})",
    "(is In {x} (sites Top))",
    "(is In (last To) (sites {{ {x} 1 }}))",
    "(is Line 3 through:{x})",
    "(is Enemy (who at:{x}))",
    "(is Visited {x})",
    "(is Threatened at:{x})",
    "(is Related Adjacent {x} (sites Top))",
    "(is Pattern {{F R F R F R F}} from:{x})",
    "(all Sites (sites {{ {x} 0 }}) if:(is Empty (site)))",
    "(is Friend (who at:{x} level:{x}))",
    "(= (what at:{x}) 1)",
    "(= (state at:{x}) 1)",
    "(= (value Piece at:{x}) 1)",
    "(= (count at:{x}) 1)",
    "(= (size Stack at:{x}) 1)",
    "(= (size Group at:{x}) 1)",
    "(= (count Liberties at:{x}) 1)",
    "(= (count Steps {x} 0) 1)",
    "(= (count Steps 0 {x}) 1)",
    "(= (count Sites in:(sites Around {x})) 1)",
    "(= (score (player {x})) 1)",
    "(= (ahead {x} E) 1)",
    "(= (row of:{x}) 1)",
    "(= (column of:{x}) 1)",
    "(= (layer of:{x}) 1)",
    "(= (phase of:{x}) 1)",
    "(= (coord row:{x} column:1) 1)",
    '(= (mapEntry "M" {x}) 1)',
    '(= (where "Disc" {x}) 1)',
    "(= (regionSite (sites Top) index:{x}) 1)",
    '(= (id "Disc" Mover) {x})',
    "(= (topLevel at:{x}) 1)",
    "(= (handSite P1 {x}) 1)",
    '(= (trackSite Move from:{x} "T" steps:1) 1)',
    "(= (count StepsOnTrack (player {x}) {x} 4) 1)",
    "(= (count StepsOnTrack 4 {x}) 1)",
)


def text(play: str, end: str = LINE) -> str:
    """A game with these rules."""
    return GAME.format(play=play, end=end)


def hostile_texts() -> Iterator[tuple[str, str]]:
    """All texts, each with a name."""
    for x in NUMBERS:
        for effect in EFFECTS:
            yield f"{effect} {x}", text(f"(move Add (to (sites Empty)) (then {effect.format(x=x)}))")
        for region in REGIONS:
            sites = region.format(x=x)
            free = "(move Add (to (sites Empty)))"
            yield f"to {region} {x}", text(f"(or (move Add (to {sites})) {free})")
            yield f"from {region} {x}", text(f"(or (move (from {sites}) (to (sites Empty))) {free})")
        for condition in CONDITIONS:
            test = condition.format(x=x)
            marked = '(move Add (to (sites Empty)) (then (set Var "V" 77)))'
            play = f"(if {test} (move Add (to (sites Empty))) {marked})"
            yield f"{condition} {x}", text(play, f"(if {test} (result Mover Win))")
