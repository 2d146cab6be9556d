"""Text of games and names of files get into generated source only as literals and comments."""

from __future__ import annotations

import ast
import os
import re
from itertools import product
from pathlib import Path
from typing import Literal

import pytest

import ludoport as lp
from ludoport.chess import chess_rules
from ludoport.errors import LudoportError
from ludoport.gdl import load_rules
from ludoport.kernels.source import quoted, remark
from ludoport.languages import find_rules
from ludoport.lud import read_text
from ludoport.ludemic import LudemicRules
from tests.cli.conftest import Command

RUN = 'open("PWNED", "w")'
HOSTILE = {
    "triple": f'x"""+str({RUN})+"""',
    "apostrophes": f"x'''+str({RUN})+'''",
    "quote": f'x"+str({RUN})+"',
    "newline": f"x\n{RUN}\n",
    "return": f"x\r{RUN}\r",
    "form feed": f"x\f{RUN}\f",
    "vertical tab": f"x\v{RUN}\v",
    "next line": f"x\x85{RUN}\x85",
    "line separator": f"x\u2028{RUN}\u2028",
    "paragraph separator": f"x\u2029{RUN}\u2029",
    "backslash": "C:\\New\\users\\x\\u12\\N{x}",
    "last backslash": "x\\",
    "braces": "{x} {0} {{x}} {x!r} %s %(x)s $x",
    "comment": f"# x\n{RUN} #",
    "coding": "-*- coding: utf-7 -*-",
    "surrogate": "x\udcff\ud800",
    "astral": "x\U0001f3b2\u202e\u0130",
    "zero": "x\0y",
    "escape": "x\x1b]0;y\x07\x1b[2J\x7f\x9b2J",
    "long": "x" * 200,
}

FAST = ("triple", "newline", "backslash", "surrogate", "escape")
PARAMETERS = [
    pytest.param(text, id=name, marks=() if name in FAST else pytest.mark.slow) for name, text in HOSTILE.items()
]

GAME = """
(game "NAME"
    (players 2)
    (equipment {
        (board (square 3) use:Vertex)
        (piece "PIECE" Each)
        (hand Each)
        (regions "REGION" P1 (sites Top))
    })
    (rules
        (start (place "PIECE1" (sites P1 "REGION")))
        (play (or {
            (move Add (piece "PIECE") (to (sites Empty))
                (then (and (set Var "VARIABLE" 2) (remember Value "VALUE" 3))))
            (move Propose "VOTE")
        }))
        (end {
            (if (and (is Line 3) (= 2 (var "VARIABLE"))) (result Mover Win))
            (if (is Decided "VOTE") (result Mover Loss))
        })
    )
)
(option "OPTION" <Size> args:{<size>} {
    (item "ITEM" <3> "DESCRIPTION")**
})
"""
SLOTS = ("NAME", "PIECE", "REGION", "VALUE", "VARIABLE", "VOTE", "OPTION", "ITEM", "DESCRIPTION")

SHEET = """
(role ROLE) (role other) (init (cell 1 FACT)) (init (control ROLE))
(<= (legal ROLE (MOVE 1)) (true (cell 1 FACT)))
(<= (legal ROLE (MOVE ATOM)) (true (cell 1 FACT)))
(<= (legal other noop) (true (control ROLE)))
(<= (next (cell ATOM 2)) (does ROLE (MOVE ?x)) (REL ?x))
(REL 1) (REL ATOM)
(<= terminal (true (cell ATOM 2)))
(goal ROLE 100) (goal other 0)
"""
WORDS = ("ROLE", "FACT", "MOVE", "REL", "ATOM")


def plain_name(slot: str) -> str:
    return slot.capitalize()


def shape(source: str) -> str:
    """The code of a module without its title."""
    tree = ast.parse(source)
    assert isinstance(tree.body[0], ast.Expr)
    return ast.dump(ast.Module(tree.body[1:], []))


def game_text(**given: str) -> str:
    return re.sub("|".join(SLOTS), lambda found: given.get(found[0], plain_name(found[0])), GAME)


def sheet(**given: str) -> str:
    return re.sub("|".join(WORDS), lambda found: given.get(found[0], plain_name(found[0])), SHEET)


@pytest.fixture(autouse=True)
def quiet_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """An empty folder to work in; whatever was run from a name would leave a file in it."""
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def harmless() -> str:
    return shape(LudemicRules(read_text(game_text(), "plain.lud")).source)


@pytest.mark.slow
@pytest.mark.parametrize("hostile", PARAMETERS)
def test_names_in_a_game_file_change_no_code(hostile: str, harmless: str, quiet_folder: Path) -> None:
    compared = 0
    for slot, written in product(SLOTS, dict.fromkeys((hostile, hostile.replace('"', '\\"')))):
        try:
            source = LudemicRules(read_text(game_text(**{slot: written}), "plain.lud")).source
        except LudoportError:
            continue  # refused with a sentence
        assert source.isascii()
        assert shape(source) == harmless
        compared += 1
    refused = ("last backslash", "zero", "surrogate", "escape")
    assert compared >= 7 or hostile in [HOSTILE[name] for name in refused]
    assert not (quiet_folder / "PWNED").exists()


@pytest.mark.parametrize("hostile", PARAMETERS)
@pytest.mark.parametrize("engine", ["network", "compiled", "interpreter"])
def test_words_of_a_rulesheet_run_nothing(
    hostile: str, engine: Literal["network", "compiled", "interpreter"], quiet_folder: Path
) -> None:
    word = "".join("_" if c in "();" or c.isspace() else c for c in hostile)
    try:
        rules = load_rules(sheet(**{slot: f"{slot}{word}" for slot in WORDS}), name=hostile, engine=engine)
        source = rules.source
    except LudoportError:
        return
    assert source.isascii()
    assert set(allowed_calls(source)) <= {"functions", "np.array", "np.frombuffer", "globals", "update"} | PLAIN
    state = lp.Game(rules, jit=False).start()
    state.play(state.moves()[0])
    assert not (quiet_folder / "PWNED").exists()


PLAIN = {"np.empty", "np.zeros", "np.int32", "np.int64", "copy", "zlib.decompress", "base64.b64decode"}


def allowed_calls(source: str) -> list[str]:
    """Names of calls outside of functions, which run when a module is loaded."""
    found = []
    for statement in ast.parse(source).body:
        if not isinstance(statement, ast.FunctionDef):
            for node in ast.walk(statement):
                if isinstance(node, ast.Call):
                    name = ast.unparse(node.func)
                    found.append(name if name.count(".") < 2 and "(" not in name else name.rsplit(".", 1)[-1])
    return found


def test_the_calls_are_seen() -> None:
    assert allowed_calls(f"x = {RUN}\n") == ["open"]


@pytest.mark.slow
@pytest.mark.parametrize("hostile", PARAMETERS)
@pytest.mark.parametrize("suffix", [".lud", ".kif"])
def test_names_of_files_are_harmless(hostile: str, suffix: str, quiet_folder: Path, ludoport: Command) -> None:
    stem = hostile.replace("/", "_").replace("\0", "_").replace("\ud800", "")
    path = quiet_folder / f"{stem}{suffix}"
    path.write_text(game_text() if suffix == ".lud" else sheet())
    game = lp.Game(find_rules(path), jit=False)
    state = game.start()
    state.play(state.moves()[0])
    answer = ludoport("check", os.fspath(path))
    assert answer.code == 0, answer.err
    assert not {"\x1b", "\x9b"} & set(answer.out + game.title)
    assert list(quiet_folder.iterdir()) == [path]


@pytest.mark.slow
def test_a_name_with_backslashes_plays(quiet_folder: Path, ludoport: Command) -> None:
    """The name that once was a SyntaxError, in machine code too."""
    path = quiet_folder / "windows.lud"
    path.write_text(
        '(game "C:\\New\\users" (players 2) (equipment {(board (square 3)) (piece "Disc" Each)}) '
        "(rules (play (move Add (to (sites Empty)))) (end (if (is Line 3) (result Mover Win)))))"
    )
    answer = ludoport("playouts", str(path), "--json")
    assert answer.code == 0, answer.err
    assert answer.json["game"] == "C:\\New\\users"


def test_chess_writes_no_names() -> None:
    rules = chess_rules()
    named = chess_rules("gardner").variant
    assert rules.source.isascii()
    assert named.name not in rules.source


@pytest.mark.parametrize("text", [*HOSTILE.values(), "".join(map(chr, range(0x3000)))], ids=[*HOSTILE, "all"])
def test_quoted_and_remark_hold_any_text(text: str) -> None:
    assert ast.literal_eval(quoted(text)) == text
    assert len(quoted(text).splitlines()) == 1
    assert quoted(text).isascii()
    assert len(remark(text).splitlines()) == 1
    assert ast.parse(f"{remark(text)}\npass").body[0].lineno == 2
