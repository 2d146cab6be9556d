"""What becomes of functions that nothing calls; `tests/games` looks at the texts of all bundled games."""

from __future__ import annotations

import pytest

from ludoport.kernels.source import Function, Module
from ludoport.kernels.tidy import tidied
from tests.kernels.generated import assert_nothing_is_without_effect


@pytest.mark.parametrize(
    "text",
    [
        "def helper():\n    return 0",
        "def over():\n    if True:\n        return 0",
        "SIZE = 1\ndef over(a):\n    return a // SIZE",
        "def over(a):\n    return a % 1",
        "def over(a):\n    return a * 1",
        "def over(a):\n    return 0 + a",
        "def over(a):\n    return a and True",
        "def over(a):\n    return a * 1.0",
        "def over(a):\n    return a << 0",
        "def over(a):\n    return not (not a)",
        "def over(a):\n    b = a\n    return a",
        "def over(a):\n    return a\n    return 0",
        "def over(a):\n    if a:\n        pass\n    else:\n        return 0",
    ],
)
def test_what_is_without_effect_is_found(text: str) -> None:
    assert_nothing_is_without_effect("SIZE = 2\ndef over(a):\n    if a:\n        return a // SIZE % 3")
    with pytest.raises(AssertionError):
        assert_nothing_is_without_effect(text)


def test_functions_that_none_needs_are_dropped() -> None:
    module = Module()
    for name, calls in (("a", "b"), ("b", "library"), ("c", "b"), ("d", "d")):
        function = Function(name, [])
        function.line(f"return {calls}()")
        module.functions.append(function)
    module.functions += ["@kernel\ndef library():\n    return 0", "@kernel\ndef other():\n    return 0"]
    module.drop_unused(["a"])
    assert [f if isinstance(f, str) else f.name for f in module.functions] == ["a", "b", module.functions[2]]
    assert "def library" in str(module.functions[2])


def test_tables_of_other_types_are_other_tables() -> None:
    module = Module()
    wide, small = module.table("MAP", [65536]), module.table("MAP", [0, 1])  # the same bytes
    assert wide != small
    assert module.table("MAP", [0, 1]) == small


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("if (a and (b or c)):", "if a and (b or c):"),
        ("elif ((f(a) > 1)):", "elif f(a) > 1:"),
        ("if (a) and (b):", "if (a) and (b):"),
        ("b = s[(i * 1)] + 0  # a * 1", "b = s[i]  # a * 1"),
        ("b = a << 0 | a << 0 + c", "b = a | a << 0 + c"),
        ("b = s[A + 1 * N + 1] // 1 * N", "b = s[A + N + 1] // 1 * N"),
    ],
)
def test_lines_say_nothing_twice(written: str, read: str) -> None:
    function = Function("f", ["a", "b"])
    function.line(written)
    assert function.text().splitlines()[2] == f"    {read}"


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        (["return True", "return False"], ["return True"]),
        (
            ["if a:", "    return 1", "    f(a)", "else:", "    f(b)"],
            ["if a:", "    return 1", "else:", "    f(b)"],
        ),
        (["b = a[0]", "c = b", "return 0"], ["return 0"]),
        (["d = b", "if b == c:", "    d = 2", "elif b == a:", "    d = 3", "return 0"], ["return 0"]),
        (["b = change(a)", "return 0"], ["change(a)", "return 0"]),
        (["if f(a):", "    pass", "return 0"], ["if f(a):", "    pass", "return 0"]),
        (["if a == b:", "    pass", "else:", "    f(a)"], ["if a != b:", "    f(a)"]),
        (["if a:", "    pass", "elif b:", "    f(a)"], ["if a:", "    pass", "elif b:", "    f(a)"]),
        (["if a:", "    # b", "    b = 1", "f(a)"], ["f(a)"]),
        (["for i in range(a):", "    b = i", "f(a)"], ["for _ in range(a):", "    pass", "f(a)"]),
        (["for i in range(a):", "    f(i)"], ["for i in range(a):", "    f(i)"]),
        (["b = change(a, 1)", "c = f(g(a))", "return 0"], ["change(a, 1)", "c = f(g(a))", "return 0"]),
        (["if f(a):", "    pass", "else:", "    g(a)"], ["if not f(a):", "    g(a)"]),
        (["if not f(a):", "    pass", "else:", "    g(a)"], ["if f(a):", "    g(a)"]),
        (["if a > b:", "    pass", "else:", "    g(a)"], ["if not (a > b):", "    g(a)"]),
        (["if on_board(a):", "    b = 1", "f(a)"], ["f(a)"]),
        (["if a:  # no room", "    work[1] = 1  # no room"], ["if a:  # no room", "    work[1] = 1  # no room"]),
    ],
)
def test_lines_without_effect_are_dropped(written: list[str], kept: list[str]) -> None:
    assert tidied(written) == kept
