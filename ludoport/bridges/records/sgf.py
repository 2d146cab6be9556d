"""Records of Go, Gomoku and Hex as SGF (FF[4]); Black is the first player.

Points of Go and Gomoku are two letters from the upper left corner, those of Hex the label of the cell.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from ludoport.bridges.records.record import Record
from ludoport.bridges.sizes import board_size, komi_of, sized, with_komi
from ludoport.errors import LudoportError
from ludoport.game import Move, State, as_game

NUMBERS = {"Go": 1, "Gomoku": 4, "Hex": 11}
NAMES = {number: name for name, number in NUMBERS.items()}

FACTS = {"PB": "Black", "PW": "White", "DT": "Date", "EV": "Event", "PC": "Site", "RO": "Round", "GN": "Name"}

# Nothing is read twice: words begin where no letter is before, and what is not closed goes to the end.
_NODE = re.compile(r"(?<![A-Za-z])[A-Za-z]++(?:\s*+\[(?:[^\]\\]|\\.)*+(?:\]|\Z))++|;|\(|\)", re.DOTALL)
_VALUE = re.compile(r"\[((?:[^\]\\]|\\.)*+)(?:\]|\Z)", re.DOTALL)


def write(record: Record) -> str:
    """A record as SGF."""
    states, moves = record.line()
    game = states[0].game.name
    if game not in NUMBERS:
        raise LudoportError(f"{record.game}: SGF is for {', '.join(NUMBERS)}")
    width, height = board_size(states[0].game)
    size = str(width) if width == height else f"{width}:{height}"
    head = f"(;FF[4]GM[{NUMBERS[game]}]CA[UTF-8]AP[Ludoport]SZ[{size}]"
    head += "".join(f"{key}[{_escaped(record.facts[name])}]" for key, name in FACTS.items() if name in record.facts)
    results = {"1-0": "RE[B+]", "0-1": "RE[W+]", "1/2-1/2": "RE[0]"}
    head += results.get(record.result, "")
    komi = komi_of(record.options) or record.facts.get("Komi", "")
    head += f"KM[{_escaped(komi)}]" if komi else ""
    points = Points(game, height)
    nodes = [f";{'BW'[state.mover - 1]}[{points.write(move)}]" for state, move in zip(states, moves, strict=False)]
    lines = ["".join(nodes[i : i + 10]) for i in range(0, len(nodes), 10)]
    return "\n".join([head, *lines]) + ")\n"


@dataclass(frozen=True)
class Points:
    """Notation of a game's moves in SGF."""

    game: str
    height: int

    def write(self, move: Move) -> str:
        """A move as SGF."""
        found = re.fullmatch(r"([A-Z])(\d+)", move.label)
        if found is None:
            return {"pass": "", "swap": "swap-sides"}.get(move.label.lower(), move.label)
        if self.game == "Hex":
            return move.label.lower()
        return found[1].lower() + chr(ord("a") + self.height - int(found[2]))

    def read(self, text: str) -> str:
        """The label of a move; an empty one passes, and so does ``tt`` on boards up to 19x19."""
        if text.lower().startswith("swap"):
            return "swap"
        if self.game == "Hex":
            return text
        if text == "" or (text == "tt" and self.height <= 19):
            return "pass"
        if not re.fullmatch(r"[a-z]{2}", text):
            raise LudoportError(f"`{text}` is not a point of SGF")
        return f"{text[0].upper()}{self.height - (ord(text[1]) - ord('a'))}"


def read(text: str) -> list[Record]:
    """The main lines of all games of an SGF text."""
    return [_record(list(nodes)) for nodes in _games(text)]


def _games(text: str) -> Iterator[list[dict[str, list[str]]]]:
    """The nodes of the first line of play of each game."""
    depth, closed, nodes = 0, False, list[dict[str, list[str]]]()
    for part in _NODE.findall(text):
        if part == "(":
            depth += 1
        elif part == ")":
            depth, closed = depth - 1, True
            if depth == 0:
                yield nodes
                closed, nodes = False, []
        elif closed:
            continue  # a variation
        elif part == ";":
            nodes.append({})
        elif nodes:
            name = "".join(c for c in part[: part.index("[")] if c.isupper())
            nodes[-1][name] = [_plain(value) for value in _VALUE.findall(part)]


def _record(nodes: list[dict[str, list[str]]]) -> Record:
    root = nodes[0] if nodes else {}
    number = (root.get("GM") or ["1"])[0]
    game = NAMES.get(_number(number))
    if game is None:
        raise LudoportError(
            f"SGF of GM[{number[:20]}]: there are {', '.join(f'{n} ({m})' for n, m in NUMBERS.items())}"
        )
    size = (root.get("SZ") or ["19" if game != "Hex" else "11"])[0]
    width, height = _number(size.partition(":")[0]), _number(size.rpartition(":")[2])
    options = sized(game, (), width, height)
    facts = {name: root[key][0] for key, name in FACTS.items() if root.get(key)}
    komi = (root.get("KM") or [""])[0].strip()
    chosen = with_komi(game, options, float(komi)) if re.fullmatch(r"[0-9]{1,3}(\.[0-9]{1,3})?", komi) else None
    if chosen is not None:
        options = chosen
    elif komi:
        facts["Komi"] = komi
    state = as_game(game, options).start()
    points, moves = Points(game, height), list[str]()
    for node in nodes:
        if node.keys() & {"AB", "AW", "AE"}:
            raise LudoportError(f"{game}: stones that were set and not played (AB, AW) cannot be read")
        for name, player in (("B", 1), ("W", 2)):
            for point in node.get(name, ()):
                state = _turn(state, player, moves)
                move = state.find(points.read(point))
                moves.append(move.label)
                state = state.play(move)
    told = (root.get("RE") or ["?"])[0].upper()
    result = "1-0" if told.startswith("B+") else "0-1" if told.startswith("W+") else "*"
    result = "1/2-1/2" if told in ("0", "DRAW", "JIGO") else result
    return Record(game, options, tuple(moves), result, facts=facts)


def _number(text: str) -> int:
    """A size or a kind of game; -1 for what is no such number."""
    return int(text) if re.fullmatch(r"[0-9]{1,4}", text.strip()) else -1


def _turn(state: State, player: int, moves: list[str]) -> State:
    """The position in which a player moves; the other one passes where that is legal."""
    if state.mover == player or not any(move.label.lower() == "pass" for move in state.moves()):
        return state
    moves.append("pass")
    return state.play("pass")


def _plain(value: str) -> str:
    return re.sub(r"\\(.)", r"\1", value, flags=re.DOTALL)


def _escaped(value: str) -> str:
    return re.sub(r"([\]\\])", r"\\\1", value)
