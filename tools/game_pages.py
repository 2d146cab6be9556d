"""The pages of the games on the documentation site: board, rules in words, options, speeds, networks and tensors."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import ludoport as lp
from ludoport.catalogue import GameRecord
from ludoport.chess import named_variant
from ludoport.chess.variant import ChessVariant
from ludoport.errors import LudoportError
from ludoport.languages import find_game
from ludoport.lud import read_file
from ludoport.tensors.layout import tensor_layout

BENCHMARKS = Path(__file__).resolve().parents[1] / "docs" / "benchmarks.md"

_SPEED = re.compile(r"^\| (\w+) \| ([\d,]+) \| ([\d,]+) \| [\d.]+ \|", re.MULTILINE)
_SHEET = re.compile(r"^\| [\w-]+ \| ([\w-]+\.kif) \| ([\d,]+) \|", re.MULTILINE)
_CHESS = re.compile(r"(?<=[ ,\n])(chess|Chessplus|Gardner chess|Gardner Chessplus) ([\d,]*\d)(?=[,.])")


def slug(name: str) -> str:
    """The name of a game's page.

    >>> slug("Kyoto Shogi"), slug("tic-tac-toe.kif")
    ('kyoto-shogi', 'tic-tac-toe-kif')
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def index_page(records: list[GameRecord]) -> str:
    """All games in a table."""
    rows = [
        f"| [{r.name}]({slug(r.name)}.md) | {r.language} | {r.players} | {r.board} | {len(r.networks) or ''} |"
        for r in records
    ]
    head = ["# Games", "", "| game | language | players | board | networks |", "|---|---|--:|---|--:|"]
    return "\n".join([*head, *rows, ""])


def game_page(record: GameRecord) -> str:
    """The page of a game."""
    game = lp.load(record.name, jit=False)
    sections = {
        "Rules": rules_in_words(record),
        "Options": _options(record),
        "Speed": _speeds(record),
        "Networks": _networks(record),
        "Tensors": _tensors(game),
        "Try it": _example(record),
    }
    lines = [f"# {record.name}", "", _picture(game.start()), "", *_facts(record, game)]
    for title, text in sections.items():
        lines += ["", f"## {title}", "", text] if text else []
    return "\n".join([*lines, ""])


def _picture(state: lp.State) -> str:
    picture = state.svg()
    return f'<div style="max-width: 24em">{picture}</div>' if "\n\n" not in picture else f"    {state}"


def _facts(record: GameRecord, game: lp.Game) -> list[str]:
    facts = {"language": record.language, "players": record.players, "board": record.board}
    facts["legal moves at the start"] = len(game.start().moves())
    return ["| property | value |", "|---|---|", *(f"| {name} | {value} |" for name, value in facts.items() if value)]


def rules_in_words(record: GameRecord) -> str:
    """The rules of a game in words: the comments and the description in its text; for chess, written here."""
    if record.language == "chess":
        variant = named_variant(record.name)
        assert variant is not None
        return _chess_rules(variant)
    path = find_game(record.name).path
    assert path is not None
    mark = "//" if record.language == "ludemic" else ";"
    words = []
    for line in path.read_text(encoding="utf-8").splitlines():
        if not line.startswith(mark):
            break
        words.append(line.removeprefix(mark).strip())
    if record.language == "ludemic":
        words += re.findall(r'\(description\s+"([^"]+)"', read_file(path).metadata)[:1]
    return " ".join(words)


def _chess_rules(variant: ChessVariant) -> str:
    rules = [f"The pieces of chess on {variant.width} files and {variant.height} ranks; mate wins."]
    if variant.chessplus:
        rules.append("Two pieces of a side may merge on a square and move as either, together or apart.")
    rules.append("Pawns may step two squares first." if variant.double_step else "Pawns have no double step.")
    rules.append("Kings may castle." if variant.castling else "There is no castling.")
    return " ".join([*rules, "More: [chess.md](../chess.md)."])


def _options(record: GameRecord) -> str:
    if not record.options:
        return ""
    path = find_game(record.name).path
    assert path is not None
    rows = ["| category | item | meaning |", "|---|---|---|"]
    for option in read_file(path).options:
        for number, item in enumerate(option.items):
            default = " (default)" if number == option.chosen else ""
            rows.append(f"| {option.heading} | {item.label}{default} | {item.description} |")
    return "\n".join(rows)


@cache
def _measured() -> tuple[dict[str, tuple[str, str]], dict[str, str]]:
    """Playouts and moves per second of variants, and playouts of other games, from the page of benchmarks."""
    text = BENCHMARKS.read_text(encoding="utf-8")
    variants = {name: (playouts, moves) for name, playouts, moves in _SPEED.findall(text)}
    return variants, {**dict(_SHEET.findall(text)), **dict(_CHESS.findall(text))}


def _speeds(record: GameRecord) -> str:
    variants, others = _measured()
    name = slug(record.name).replace("-", "_")
    found = {key: value for key, value in variants.items() if re.fullmatch(rf"{name}(_\d.*|_[a-z]*hex.*)?", key)}
    if record.language == "ludemic" and found:
        rows = [f"| {key} | {playouts} | {moves} |" for key, (playouts, moves) in found.items()]
        head = ["| variant | random playouts/s | moves/s |", "|---|--:|--:|"]
        table = "\n".join([*head, *rows])
    else:
        key = "chess" if record.name == "Chess 8x8" else record.name
        if record.language == "ludemic" or key not in others:
            return f'Not measured; `ludoport playouts "{record.name}"` measures it.'
        table = f"{others[key]} random playouts per second."
    return f"{table}\n\nOne thread; [benchmarks](../benchmarks.md) say on which machine and how."


def _networks(record: GameRecord) -> str:
    if not record.networks:
        return "The [zoo](../howto/zoo.md) has no network for this game yet."
    rows = ["| network | trained on | positions | score |", "|---|---|--:|---|"]
    for network in record.networks:
        score = "; ".join(f"{match} ({match.settings})" for match in network.strength) or "not measured"
        made = f"{network.device}, {network.seconds / 60:.1f} minutes" if network.epochs else "transferred, not trained"
        rows.append(
            f"| `net:zoo/{network.name}` {' '.join(network.options)} | {made} | {network.positions:,} | {score} |"
        )
    return "\n".join([*rows, "", "Scores with their 95 % intervals; [the zoo](../howto/zoo.md) says what they mean."])


def _tensors(game: lp.Game) -> str:
    try:
        layout = tensor_layout(game)
    except LudoportError as error:
        return str(error)
    shapes = {"state": layout.shape, "moves": layout.move_shape}
    rows = [f"| {name} | {c} channels, {h} x {w} |" for name, (c, h, w) in shapes.items()]
    return "\n".join(["| tensor | size |", "|---|---|", *rows])


def _example(record: GameRecord) -> str:
    code = f'import ludoport as lp\n\nprint(lp.search(lp.load("{record.name}").start(), "uct:1000"))'
    commands = f'ludoport show "{record.name}"\nludoport match uct:800 random -g "{record.name}"'
    return f"```python\n{code}\n```\n\n```sh\n{commands}\n```"
