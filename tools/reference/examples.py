"""Short examples of every ludeme, made from the signatures, in small games around them."""

from __future__ import annotations

from collections.abc import Iterator

from ludoport.lud.signatures import Alternative, Parameter, Signature, language

_VALUES = {
    "Boolean": "True",
    "BooleanConstant": "True",
    "BooleanFunction": "(is Mover P1)",
    "Integer": "1",
    "IntFunction": "1",
    "DimFunction": "3",
    "Float": "1.0",
    "FloatFunction": "1.0",
    "String": '"Disc"',
    "RegionFunction": "(sites Occupied by:Mover)",
    "IntArrayFunction": "(array {0 1})",
    "GraphFunction": "(square 3)",
    "RangeFunction": "(exact 1)",
    "Range": "(range 1 2)",
    "Moves": "(move Add (to (sites Empty)))",
    "NonDecision": "(add (to (sites Empty)))",
    "Then": "(then (addScore Mover 1))",
    "To": "(to if:(is Empty (to)))",
    "From": "(from (last To))",
    "Between": "(between if:(is Enemy (who at:(between))))",
    "Piece": '(piece "Disc1")',
    "Direction": "Orthogonal",
    "DirectionFacing": "N",
    "AbsoluteDirection": "Orthogonal",
    "CompassDirection": "N",
    "RelativeDirection": "Forward",
    "RoleType": "Mover",
    "SiteType": "Cell",
    "moves.Player": "(player 1)",
    "players.Player": "(player N)",
    "Players": "(players 2)",
    "Apply": "(apply (remove (to)))",
    "Flips": "(flips 1 2)",
    "Poly": "(poly {{0 0} {3 0} {3 3} {0 3}})",
    "Pair": "(pair 1 2)",
    "Track": '(track "Track" "0,E,N,W" loop:True)',
    "TrackStep": "0",
    "Result": "(result Mover Win)",
    "Score": "(score P1 1)",
    "Payoff": "(payoff P1 1.0)",
    "If": "(if (is Line 3) (result Mover Win))",
    "EndRule": "(if (is Line 3) (result Mover Win))",
    "End": "(end (if (is Line 3) (result Mover Win)))",
    "Play": "(play (move Add (to (sites Empty))))",
    "Phase": '(phase "Opening" (play (move Add (to (sites Empty)))))',
    "NextPhase": '(nextPhase "Opening")',
    "StartRule": '(place "Disc1" 0)',
    "Start": '(start (place "Disc1" 0))',
    "MetaRule": "(swap)",
    "Meta": "(meta (swap))",
    "Rules": "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win))))",
    "Equipment": '(equipment {(board (square 3)) (piece "Disc" Each)})',
    "Item": '(piece "Disc" Each)',
    "Mode": "(mode Alternating)",
    "Hint": "(hint 0 1)",
    "Values": "(values Cell (range 1 3))",
    "Rotations": "(rotations {N E})",
    "Difference": "(difference (sites Board) 0)",
    "Count": '(count "Disc1" 1)',
    "Card": "(card Ace rank:1 value:1)",
    "Path": "(path from:0 to:1 colour:1)",
    "Step": "(step 1 0)",
    "StepType": "F",
    "Games": '(games (subgame "Tic-Tac-Toe"))',
    "Subgame": '(subgame "Tic-Tac-Toe")',
}
"""Text of an argument by the type of its parameter; words of an enum otherwise."""

_PLACES = {
    "at": "(last To)",
    "site": "(last To)",
    "of": None,
    "index": "0",
    "level": "0",
    "container": '"Hand"',
    "containerName": '"Hand"',
    "trackName": '"Track"',
    "phaseName": '"Opening"',
    "coord": '"A1"',
    "coords": '"A1"',
}
"""Text of an argument by the name of its parameter."""

_FLAGS = frozenset(
    {
        *("byLevel", "combined", "contiguous", "copy", "exact", "forward", "fromTop", "isVisible", "joinCorners"),
        *("joinMidpoints", "midpoints", "rotations", "stagger", "stopIncluded", "top", "unique", "withValue"),
    }
)
"""Conditions that are known before the game: a word, not a rule."""

_GIVEN = {
    "boolean:is Path type": "Edge",
    "boolean:is Pattern walk": "{F R F}",
    "component RoleType": "P1",
    "container:dice role": "P1",
    "container:mancalaBoard rows": "2",
    "container:mancalaBoard columns": "4",
    "graph:tiling T488 sides": "{3}",
    "int:coord coordinate": '"A1"',
    "int:face locn": "9",
    "match:subgame name": '"Hex"',
    "match:subgame option": '"Board Size/5x5"',
    "moves:move Set site": "(to (last To))",
    "moves:set Rotation to": "(to (last To))",
    "region:sites Hand RoleType": "Mover",
    "region:sites Side RoleType": "P1",
    "int:count Pips role": "P1",
    "moves:push directions": "E",
    "moves:forEach Direction to": "(to (apply (move Add (to (to)))))",
    "phase:phase nextPhase": '(nextPhase "Last")',
    "phase:phase nextPhases": '{(nextPhase "Last")}',
    "start BooleanFunction": "True",
    "start RegionFunction": "(sites Bottom)",
    "start:set pairs": "{{0 1}}",
    "start:set Team roles": "{P1}",
    "util:from region": "(sites Occupied by:Mover)",
    "start RoleType": "P1",
    "start:set Count at": "0",
    "start:set Team index": "1",
    "util:poly pts": "{{0 0} {3 0} {3 3} {0 3}}",
}
"""What is written for a parameter, or for a type of parameter, of some ludemes or kinds."""

_NEEDED = {
    "start:place": ("loc", "locs"),
    "start:place Stack": ("loc", "locs"),
    "int:count Sites": ("in",),
    "int:count StepsOnTrack": ("site1", "site2"),
    "region:sites Hand": ("role",),
    "region:sites Side": ("role",),
    "region:sites Crossing": ("role",),
    "region:sites Winning": ("role", "moves"),
    "boolean:is Pattern": ("walk",),
    "moves:push": ("directions",),
    "start:set": ("loc", "locs"),
    "moves:directional": ("to",),
}
"""Parameters without which a ludeme means nothing, though its signature lets them be left out."""

_RULES = "(play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))"
_EQUIPMENT = '(equipment {(board (square 3) TRACK) (piece "Disc" Each (move Step (to if:(is Empty (to))))) ITEMS})'


_CHOSEN = {
    "boolean:is Blocked": "(is Blocked Mover)",
    "boolean:is Pattern": "(is Pattern {F R F})",
    "boolean:is Within": '(is Within (id "Disc" Mover) in:(sites Centre))',
    "int:coord": '(coord "A1")',
    "int:count Sites": "(count Sites in:(sites Empty))",
    "int:count StepsOnTrack": "(count StepsOnTrack (last From) (last To))",
    "int:size Stack": "(size Stack at:(last To))",
    "moves:forEach Direction": "(forEach Direction Orthogonal (move Add (to (to))))",
    "moves:move Promote": '(move Promote (last To) (piece "Disc2"))',
    "moves:move Set": "(move Set NextPlayer (player (mover)))",
    "moves:directional": "(directional (from (last To)) (to if:(is Enemy (who at:(to)))))",
    "graph:add": "(add (square 3) edges:{{0 4}})",
    "dim:-": "(- 5 2)",
    "dim:sub": "(- 5 2)",
    "container:mancalaBoard": "(mancalaBoard 2 6)",
    "equipment:equipment": '(equipment {(board (square 3)) (piece "Disc" Each)})',
    "start:place": '(place "Disc1" 0)',
    "start:place Stack": '(place Stack "Disc1" 0 count:2)',
    "start:forEach": '(forEach (array {1 2}) (place "Disc1" (player)))',
    "start:forEach Player": '(forEach Player (place "Disc1" (player)))',
    "start:forEach Site": '(forEach Site (sites Bottom) (place "Disc1" (site)))',
    "start:forEach Value": '(forEach Value min:0 max:2 (place "Disc1" (value)))',
    "start:set": "(set P1 (sites Bottom))",
    "start:set Count": "(set Count 2 at:0)",
    "end:result": "(result Mover Win)",
    "region:sites": "(sites {0 1 2})",
    "region:sites Crossing": "(sites Crossing at:0 Mover)",
    "region:sites Hand": "(sites Hand Mover)",
    "region:sites Side": "(sites Side N)",
}
"""Examples of ludemes whose shortest form says too little."""


def example(signature: Signature) -> str:
    """A way to write a ludeme that compiles in its game."""
    key = f"{signature.kind}:{signature.keyword}"
    if key in _OWN_GAMES:
        return _OWN_GAMES[key][0]
    chosen = _CHOSEN.get(key)
    return chosen if chosen is not None else next(fragments(signature))[1]


def fragments(signature: Signature) -> Iterator[tuple[str, str]]:
    """Ways to write a ludeme: what is special about each (empty for the shortest), and its text."""
    for way in signature.alternatives:
        chosen = _shortest(signature, way)
        yield "", _written(signature, way, chosen)
        for parameter in way.parameters:
            if parameter not in chosen:
                rest = {p for p in chosen if not p.group or p.group != parameter.group}
                yield parameter.name, _written(signature, way, {*rest, parameter})


def _shortest(signature: Signature, way: Alternative) -> set[Parameter]:
    """The parameters that cannot be left out, of each group the first."""
    chosen = {p for p in way.parameters if not p.optional and not p.group}
    needed = [p for p in way.parameters if p.name in _NEEDED.get(f"{signature.kind}:{signature.keyword}", ())]
    for parameter in needed:
        if not parameter.group or all(q.group != parameter.group for q in chosen):
            chosen.add(parameter)
    for group in way.required_groups:
        if all(p.group != group for p in chosen):
            chosen.add(next(p for p in way.parameters if p.group == group and not p.optional))
    return chosen


def _written(signature: Signature, way: Alternative, chosen: set[Parameter]) -> str:
    parts = [signature.keyword]
    for parameter in way.parameters:
        if parameter in chosen:
            parts.append((f"{parameter.name}:" if parameter.named else "") + _value(signature, parameter))
    return f"({' '.join(parts)})"


def _value(signature: Signature, parameter: Parameter) -> str:
    key = f"{signature.kind}:{signature.keyword}"
    given = _GIVEN.get(f"{key} {parameter.name}") or _GIVEN.get(f"{key} {parameter.type}")
    given = given or _GIVEN.get(f"{signature.kind} {parameter.type}")
    if given is not None:
        return given
    if parameter.type in ("BooleanFunction", "Boolean") and parameter.name in _FLAGS:
        return "True"
    value = _PLACES.get(parameter.name) if parameter.type in ("IntFunction", "Integer", "String") else None
    value = value or _VALUES.get(parameter.type)
    if value is None:
        words = language().words_of(parameter.type)
        value = words[0] if words else "1"
    if parameter.name == "name" and signature.keyword.endswith("Track"):
        value = '"Track"'
    for _ in range(parameter.lists):
        value = f"{{{value} {value}}}" if parameter.type == "Float" else f"{{{value}}}"
    return value


_FUNCTIONS = ("boolean", "int", "float", "region", "intarray", "moves")


def hosted(signature: Signature, text: str) -> str | None:
    """A whole game in which a ludeme stands where it belongs; None for those that are no part of a game."""
    own, game = _OWN_GAMES.get(f"{signature.kind}:{signature.keyword}", ("", ""))
    if "path:True" in text:
        game = _TILES
    if own == text or game:
        return game.replace("HERE", text)
    around = _AROUND.get(signature.kind)
    if signature.kind not in (*_FUNCTIONS, "component") and signature.keyword in _PARTS:
        around = _PARTS[signature.keyword]
    if around is None:
        return None
    # Every game has a track, a hand and a map, which some ludemes name.
    return around.replace("TRACK", _VALUES["Track"]).replace("ITEMS", "(hand Each)").replace("HERE", text)


def _game(rules: str = _RULES, equipment: str = _EQUIPMENT) -> str:
    return f'(game "Example" (players 2) {equipment} (rules {rules}))'


def _ending(condition: str) -> str:
    end = f"(end {{(if {condition} (result Mover Win)) (if (is Line 3) (result Mover Win))}})"
    return _game(f"(play (or (move Add (to (sites Empty))) (forEach Piece))) {end}")


def _playing(moves: str) -> str:
    return _game(f"(play (or (move Add (to (sites Empty))) {moves})) (end (if (is Line 3) (result Mover Win)))")


_AROUND = {
    "boolean": _ending("HERE"),
    "int": _ending("(= 2 HERE)"),
    "float": _game(equipment='(equipment {(board (rotate HERE (square 3)) use:Vertex) (piece "Disc" Each)})'),
    "region": _ending("(= 2 (count Sites in:HERE))"),
    "intarray": _ending("(= 2 (size Array HERE))"),
    "moves": _playing("(forEach Piece HERE)"),
    "direction": _playing("(forEach Piece (move Step HERE (to if:(is Empty (to)))))"),
    "range": _playing("(forEach Piece (move Slide (between HERE)))"),
    "dim": _game(equipment='(equipment {(board (square HERE)) (piece "Disc" Each)})'),
    "graph": _game(equipment='(equipment {(board HERE use:Vertex) (piece "Disc" Each)})'),
    "container": _game(equipment='(equipment {(board (square 3)) HERE (piece "Disc" Each)})'),
    "component": _game(equipment="(equipment {(board (square 3)) HERE})"),
    "item": _game(equipment='(equipment {(board (square 3)) HERE (piece "Disc" Each)})'),
    "start": _game(f"(start HERE) {_RULES}"),
    "meta": _game(f"(meta HERE) {_RULES}"),
    "end": _game("(play (move Add (to (sites Empty)))) (end HERE)"),
    "equipment": _game(equipment="HERE"),
    "play": _game("HERE (end (if (is Line 3) (result Mover Win)))"),
    "players": f'(game "Example" HERE {_EQUIPMENT} (rules {_RULES}))',
    "mode": f'(game "Example" (players 2) HERE {_EQUIPMENT} (rules {_RULES}))',
    "rules": f'(game "Example" (players 2) {_EQUIPMENT} HERE)',
    "phase": _game(
        'phases:{HERE (phase "Last" (play (move Add (to (sites Empty)))))} (end (if (is Line 3) (result Mover Win)))'
    ),
    "game": "HERE",
    "match": None,
}
_PARTS = {
    "then": _playing("(move Pass HERE)"),
    "to": _playing("(forEach Piece (move Step HERE))"),
    "from": _playing("(forEach Piece (move Step HERE (to if:(is Empty (to)))))"),
    "between": _playing("(forEach Piece (or (move Slide HERE) (move Hop HERE (to if:(is Empty (to))))))"),
    "nextPhase": _game(
        'phases:{(phase "Opening" (play (move Add (to (sites Empty)))) HERE)'
        ' (phase "Last" (play (move Add (to (sites Empty)))))} (end (if (is Line 3) (result Mover Win)))'
    ),
    "end": _game("(play (move Add (to (sites Empty)))) HERE"),
    "start": _game(f"HERE {_RULES}"),
    "meta": _game(f"HERE {_RULES}"),
    "result": _game("(play (move Add (to (sites Empty)))) (end (if (is Line 3) HERE))"),
    "byScore": _game("(play (move Add (to (sites Empty)))) (end (if (is Line 3) HERE))"),
    "score": _game("(play (move Add (to (sites Empty)))) (end (if (is Line 3) (byScore {HERE})))"),
    "board": _game(equipment='(equipment {HERE (piece "Disc" Each)})'),
    "boardless": _game(equipment='(equipment {HERE (piece "Disc" Each)})'),
    "mancalaBoard": _game(equipment='(equipment {HERE (piece "Disc" Each)})'),
    "surakartaBoard": _game(equipment='(equipment {HERE (piece "Disc" Each)})'),
    "piece": _playing("(move Add HERE (to (sites Empty)))"),
    "player": _ending("(= 1 HERE)"),
    "flips": _game(equipment='(equipment {(board (square 3)) (piece "Disc" Each HERE)})'),
    "track": _game(equipment='(equipment {(board (square 3) HERE) (piece "Disc" Each)})'),
    "pair": _game(equipment='(equipment {(board (square 3)) (piece "Disc" Each) (map {HERE})})'),
    "poly": _game(equipment='(equipment {(board (hole (square 5) HERE) use:Vertex) (piece "Disc" Each)})'),
}


_DICE = _EQUIPMENT.replace("ITEMS", "(dice d:6 num:2)").replace("TRACK", "")
_ADD = '(move Add (piece (id "Disc" Mover)) (to (sites Empty)))'
_LINE = "(end (if (is Line 3) (result Mover Win)))"
_AFTER_A_ROLL = _game(f"(play (do (roll) next:{_ADD})) (end (if HERE (result Mover Win)))", _DICE)
_NUMBER_AFTER_A_ROLL = _AFTER_A_ROLL.replace("HERE", "(= 2 HERE)")
_ROLLED = _game(f"(play HERE) {_LINE}", _DICE)
_PUZZLE = (
    '(game "Example" (players 1) (equipment {(board (square 3) (values Cell (range 1 3)))})'
    " (rules (play (satisfy {HERE})) (end (if (is Solved) (result P1 Win)))))"
)
_PUZZLE_OF_VALUES = _PUZZLE.replace("HERE", "(all Different)").replace("(values Cell (range 1 3))", "HERE")
_SOLVED = _PUZZLE.replace("HERE", "(all Different)").replace("(is Solved)", "HERE")
_EFFECT = _game(f"(play (move Add (to (sites Empty)) (then HERE))) {_LINE}").replace("TRACK", "").replace("ITEMS", "")
_TEAMS = _EFFECT.replace("(play ", "(start {(set Team 1 {P1}) (set Team 2 {P2})}) (play ")
_SOWN = (
    '(game "Example" (players 2)'
    ' (equipment {(mancalaBoard 2 4 (track "Track" "0,E,N,W" loop:True)) (piece "Seed" Shared)})'
    " (rules (start (set Count 2 to:(sites Track)))"
    " (play (move Select (from (sites Bottom) if:(> (count at:(from)) 0)) (then HERE)))"
    " (end (if (no Moves Next) (result Mover Win)))))"
)
_EDGES = (
    '(game "Example" (players 2) (equipment {(board (square 3) use:Edge) (piece "Disc" Each)})'
    " (rules (play (move Add (to (sites Empty)))) (end (if HERE (result Mover Win)))))"
)
_TILES = (
    '(game "Example" (players 2) (equipment {(board (square 3)) (hand Shared)'
    ' (tile "Bend" numSides:4 {(path from:0 to:1 colour:1) (path from:2 to:3 colour:2)})})'
    ' (rules (start (place "Bend" (handSite Shared)))'
    " (play (do (move (from (handSite Shared)) (to (sites Empty) (rotations Orthogonal)) copy:True)"
    " ifAfterwards:(is SidesMatch))) (end (if HERE (result Mover Win)))))"
)

_LARGE = _EFFECT.replace('(piece "Disc"', '(tile "Bar" Each {F}) (piece "Disc"')
_DOMINOES = (
    '(game "Example" (players 2) (equipment {(boardless Square 9) (hand Each size:3) (dominoes upTo:1)})'
    " (rules (start {(deal Dominoes 1)})"
    " (play (or (do (move (from (sites Hand Mover)) (to (sites LineOfPlay))) ifAfterwards:(is PipsMatch))"
    " (move Pass (then (take Domino))))) (end (if (no Moves Next) (result Mover Win)))))"
)

_NO_WINS = _game(f"(play (move Add (to (difference (sites Empty) HERE)))) {_LINE}")

_GAMES = '(games (subgame "Tic-Tac-Toe"))'
_MATCH = f'(match "Example" {_GAMES} (end (if (= 2 HERE) (result P1 Win))))'
_ONE_GAME = _MATCH.replace("HERE", "(count Trials)")

_OWN_GAMES = {
    "int:matchScore": ("(matchScore P1)", _MATCH),
    "int:count Trials": ("(count Trials)", _MATCH),
    "match:match": (_ONE_GAME, "HERE"),
    "match:games": (_GAMES, _ONE_GAME.replace(_GAMES, "HERE")),
    "match:subgame": ('(subgame "Tic-Tac-Toe" next:0)', _ONE_GAME.replace('(subgame "Tic-Tac-Toe")', "HERE")),
    "boolean:all DiceEqual": ("(all DiceEqual)", _AFTER_A_ROLL),
    "boolean:all DiceUsed": ("(all DiceUsed)", _AFTER_A_ROLL),
    "boolean:is AnyDie": ("(is AnyDie 6)", _AFTER_A_ROLL),
    "int:count Pips": ("(count Pips)", _NUMBER_AFTER_A_ROLL),
    "int:face": ("(face 9)", _NUMBER_AFTER_A_ROLL),
    "moves:roll": ("(roll)", _game(f"(play (do HERE next:{_ADD})) {_LINE}", _DICE)),
    "moves:forEach Die": (
        "(forEach Die (if (= (pips) 6) (move Pass)))",
        _game(f"(play (or {_ADD} (do (roll) next:HERE))) {_LINE}", _DICE),
    ),
    "int:value Random": ("(value Random (range 1 6))", _NUMBER_AFTER_A_ROLL),
    "boolean:all Different": ("(all Different)", _PUZZLE),
    "boolean:forAll": ("(forAll Cell (is Count (sites Row 0) of:1 1))", _PUZZLE),
    "boolean:is Count": ("(is Count (sites Row 0) of:1 1)", _PUZZLE),
    "boolean:is Sum": ("(is Sum (sites Row 0) 6)", _PUZZLE),
    "boolean:is Unique": ("(is Unique)", _PUZZLE),
    "boolean:is Solved": ("(is Solved)", _SOLVED),
    "moves:satisfy": ("(satisfy {(all Different)})", _PUZZLE.replace("(satisfy {HERE})", "HERE")),
    "boolean:is PipsMatch": ("(is PipsMatch)", _DOMINOES),
    "region:sites LineOfPlay": ("(sites LineOfPlay)", _DOMINOES),
    "region:sites Winning": (
        "(sites Winning Mover (add (to (sites Empty))))",
        _NO_WINS.replace("TRACK", "").replace("ITEMS", ""),
    ),
    "moves:take Domino": ("(take Domino)", _DOMINOES),
    "item:dominoes": ("(dominoes upTo:1)", _DOMINOES),
    "start:deal": ("(deal Dominoes 1)", _DOMINOES),
    "boolean:is Path": ("(is Path Edge Mover length:(exact 3))", _EDGES),
    "boolean:is SidesMatch": ("(is SidesMatch)", _TILES),
    "int:pathExtent": ("(pathExtent)", _TILES.replace("HERE", "(= 3 HERE)")),
    "int:size LargePiece": ("(size LargePiece at:(last To))", _LARGE.replace("HERE", "(addScore Mover HERE)")),
    "region:sites LargePiece": ("(sites LargePiece at:(last To))", _LARGE.replace("HERE", "(remove HERE)")),
    "moves:set Hidden": ("(set Hidden at:(last To) to:(player 2))", _EFFECT),
    "moves:allCombinations": ("(allCombinations (add (to 0)) (add (to 1)))", _EFFECT),
    "moves:attract": ("(attract (from (last To)) Orthogonal)", _EFFECT),
    "moves:push": ("(push (from (last To)) E)", _EFFECT),
    "moves:seq": ("(seq {(addScore Mover 1) (moveAgain)})", _EFFECT),
    "moves:while": ("(while (< (score Mover) 3) (addScore Mover 1))", _EFFECT),
    "moves:sow": ("(sow)", _SOWN),
    "moves:forEach Team": ("(forEach Team (forEach (team) (addScore (player (player)) 1)))", _TEAMS),
    "intarray:team": ("(team)", _TEAMS.replace("HERE", "(forEach Team (forEach HERE (addScore (player (player)) 1)))")),
    "region:forEach Team": (
        "(forEach Team (sites Occupied by:P1))",
        _TEAMS.replace("HERE", "(remove (intersection HERE (sites Centre)))"),
    ),
    "util:values": ("(values Cell (range 1 3))", _PUZZLE_OF_VALUES),
    "util:player": ("(player 1)", _EFFECT.replace("HERE", "(addScore HERE 1)")),
    "float:toFloat": ("(toFloat 45)", str(_AROUND["float"])),
    "players:player": (
        "(player N)",
        '(game "Example" (players {HERE (player S)}) (equipment {(board (square 3)) (piece "Disc" Each)}) (rules '
        + _RULES
        + "))",
    ),
}
"""Ludemes of dice, of puzzles and of effects, which need a game of their own kind around them."""

_UNCOMPILED = frozenset(
    {
        *("component:card", "component:die", "component:domino", "container:deck", "item:hints"),
        *("end:payoffs", "meta:no Suicide", "start:forEach Team", "start:split"),
        *("start:set Amount", "start:set Cost", "start:set Phase", "start:set Team"),
    }
)
"""Parts of the language without an example: they cannot be compiled, or need a game with hints or teams."""


def shown(signature: Signature) -> tuple[str, str] | None:
    """The example of a ludeme on the page and the game in which it is compiled; None for those without one."""
    if f"{signature.kind}:{signature.keyword}" in _UNCOMPILED:
        return None
    text = example(signature)
    game = hosted(signature, text)
    return None if game is None else (text, game)
