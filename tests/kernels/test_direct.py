"""Kernels written as code of LLVM directly do what the same text does in plain Python."""

from __future__ import annotations

import random
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

import ludoport as lp
from ludoport.kernels import direct, direct_text
from ludoport.kernels.build import cpu_module, plain_functions
from ludoport.kernels.seeds import seeded

ARITHMETIC = ("+", "-", "*", "&", "|", "^")
COMPARED = ("==", "!=", "<", "<=", ">", ">=")


class Texts:
    """Random kernels over an array of 16-bit numbers, a table and two numbers."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def number(self, depth: int) -> str:
        """An expression whose values stay small."""
        pick = self.random.randrange(12) if depth > 0 else self.random.randrange(4)
        below = depth - 1
        if pick < 2:
            return self.random.choice(("a", "b", "i", "x", "LIMIT"))
        if pick == 2:
            return str(self.random.randrange(-5, 9))
        if pick == 3:
            return self.random.choice(("state", "TABLE", "part")) + f"[({self.number(0)}) & 3]"
        if pick == 4:
            sign, op = self.random.choice(("", "-")), self.random.choice(("//", "%"))
            return f"(({self.number(below)}) {op} {sign}((({self.number(below)}) & 7) + 1))"
        if pick < 7:
            op = self.random.choice(ARITHMETIC)
            return f"wrap(({self.number(below)}) {op} ({self.number(below)}))"
        if pick == 7:
            return f"({self.number(below)} if {self.test(below)} else {self.number(below)})"
        if pick == 8:
            return f"{self.random.choice(('min', 'max'))}({self.number(below)}, {self.number(below)})"
        if pick == 9:
            form = self.random.choice(("-{0}", "~{0}", "abs({0})", "({0} >> 1)", "({0} << 2)"))
            return form.format(f"wrap({self.number(below)})")
        if pick == 10:
            return f"(({self.number(below)}) {self.random.choice(('and', 'or'))} ({self.number(below)}))"
        return f"wide({self.test(below)})"

    def test(self, depth: int) -> str:
        """A condition."""
        pick = self.random.randrange(6) if depth > 0 else 0
        below = depth - 1
        if pick < 3:
            return f"({self.number(below)} {self.random.choice(COMPARED)} {self.number(below)})"
        if pick == 3:
            return f"(not {self.test(below)})"
        if pick == 4:
            return f"({self.test(below)} {self.random.choice(('and', 'or'))} {self.test(below)})"
        low, high = self.random.choices(COMPARED, k=2)
        return f"({self.number(below)} {low} {self.number(below)} {high} {self.number(below)})"

    def lines(self, depth: int, loop: bool) -> list[str]:
        """A block of statements."""
        found = [line for _ in range(self.random.randrange(1, 4)) for line in self.statement(depth, loop)]
        if loop and self.random.randrange(4) == 0:
            found.append(self.random.choice(("break", "continue")))
        return found

    def statement(self, depth: int, loop: bool) -> list[str]:
        """One statement and what it holds."""
        pick = self.random.randrange(8) if depth > 0 else self.random.randrange(4)
        if pick < 2:
            return [f"x = wrap({self.number(2)})"]
        if pick == 2:
            return [f"state[({self.number(1)}) & 7] = wrap({self.number(2)})"]
        if pick == 3:
            place = self.random.choice(("x", "part[(x) & 3]"))
            return [f"{place} {self.random.choice(('+', '-', '^'))}= wrap({self.number(1)})"]
        if pick == 4:
            return [f"return x - {self.number(1)}"] if self.random.randrange(3) == 0 else ["pass"]
        body = ["    " + line for line in self.lines(depth - 1, loop or pick >= 7)]
        if pick < 7:
            other = ["    " + line for line in self.lines(depth - 1, loop)]
            return [f"if {self.test(2)}:", *body, *(["else:", *other] if self.random.randrange(2) else [])]
        count = self.random.choice(("a & 7", "2, 9", "0, b & 15, 3", "6, -2, -2"))
        return [f"for i in range({count}):", *body]

    def kernel(self, name: str) -> str:
        """A whole kernel."""
        body = ["x = a", "i = 0", "part = state[4:8]", *self.lines(3, False), *self.lines(3, False), "return x"]
        decorator = self.random.choice(("@kernel", "@inlined"))
        return "\n".join([decorator, f"def {name}(state, a, b):", *("    " + line for line in body)])


WRAP = """
@kernel
def wrap(x):
    return ((x + 8192) & 16383) - 8192
"""


def written(machine: ModuleType, names: Iterable[str]) -> bool:
    """Whether kernels of a module were written directly."""
    known = {kernel for (kernel, _), found in direct._KNOWN.items() if found is not None}
    return all(vars(machine)[name] in known for name in names)


@pytest.mark.parametrize(
    ("seed", "huge", "large"), [(0, 20_000, 10**6), (1, 20_000, 10**6), (2, 20_000, 10**6), (3, 100, 10**6), (4, 0, 0)]
)
def test_as_in_plain_python(seed: int, huge: int, large: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    monkeypatch.setattr(direct_text, "HUGE", huge)
    monkeypatch.setattr(direct, "_LARGE", large)
    texts = Texts(seed)
    names = [f"kernel_{k}" for k in range(15)]
    kernels = [texts.kernel(name) for name in names]
    calls = "\n".join(f"    out[{k}] = {name}(state, a, b)" for k, name in enumerate(names))
    every = f"@kernel\ndef every(state, out, a, b):\n{calls}\n    return 0"
    entry = "@entry\ndef enter_every(state, out, a, b):\n    return every(state, out, a, b)"
    table = "import numpy as np\n\nLIMIT = 6\nTABLE = np.array([3,-7,100,0], dtype=np.int16)\n"
    source = "\n\n\n".join([table, WRAP.strip(), *kernels, every, entry]) + "\n"
    plain, machine = plain_functions(source), cpu_module("direct", source)
    for a, b in ((0, 0), (5, -3), (-7, 12), (100, 77)):
        results = []
        for functions, dtype in ((plain, np.int64), (vars(machine), np.int16)):
            state, out = np.arange(-3, 5, dtype=dtype), np.zeros(len(names), dtype=np.int64)
            functions["enter_every"](state, out, a, b)
            results.append((state.tolist(), out.tolist()))
        assert results[0] == results[1]
    assert written(machine, [*names, "wrap", "every"])


ODD = """
@kernel
def quotient(a, b):
    return a // b

@kernel
def rest(a, b):
    return a % b

@kernel
def real(a):
    return int(a * 0.5)

@entry
def enter_quotient(a, b):
    return quotient(a, b)

@entry
def enter_rest(a, b):
    return rest(a, b)

@entry
def enter_real(a):
    return real(a) + quotient(a, 2)
"""


def test_division_at_its_limits_and_what_is_left_to_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    machine = cpu_module("odd", ODD)
    least = -(2**63)
    assert [machine.enter_quotient(a, b) for a, b in ((7, 0), (7, -1), (-7, 2), (7, -2), (least, -1))] == [
        0,
        -7,
        -4,
        -4,
        least,
    ]
    assert [machine.enter_rest(a, b) for a, b in ((7, 0), (7, -1), (-7, 2), (7, -2), (least, -1))] == [0, 0, 1, -1, 0]
    assert machine.enter_real(9) == 8
    assert written(machine, ["quotient", "rest"])
    assert not written(machine, ["real"])


def test_no_kernel_of_a_playout_is_left_to_numba(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    game = lp.load("Breakthrough", jit=True)
    machine = cpu_module(game.kernels.name, game.kernels.source)
    machine.enter_playouts(game.new_row(), seeded(1), game.move_list, game.work, 1, 10)
    assert written(machine, ["playouts", "playout", "sample", "play", "start"])


NESTED = """
import numpy as np

@kernel
def flush_0(state, x):
    if x > 0:
        state[0] += x
        then_1(state, x - 1)
    return x

@kernel
def then_1(state, x):
    state[1] += 2 * x
    flush_0(state, x - 1)
    return 0

@kernel
def top(state, x):
    return flush_0(state, x) + 1

@entry
def enter_top(state, x):
    return top(state, x)

@entry
def enter_then(state, x):
    return then_1(state, x)
"""


@pytest.mark.parametrize("order", [("enter_top", "enter_then"), ("enter_then", "enter_top")])
def test_effects_that_nest(order: tuple[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUDOPORT_CACHE", str(tmp_path))
    plain, machine = plain_functions(NESTED), cpu_module(f"nested {order[0]}", NESTED)
    for name in order:
        slow, fast = np.zeros(2, dtype=np.int64), np.zeros(2, dtype=np.int16)
        assert plain[name](slow, 9) == vars(machine)[name](fast, 9)
        assert slow.tolist() == fast.tolist()
    assert written(machine, ["flush_0", "then_1", "top"])
