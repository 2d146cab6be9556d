"""Which functions of a generated module become a part of their callers in device code.

The compiler for devices copies nearly every function into each caller. For a game of many rules that multiplies the
code, and compiling takes minutes. Functions that are long, with all that they call, and called from several places stay
apart.
"""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Collection, Container, Iterable, Mapping

LONG = 60
"""Functions of more statements than this, with those of the functions they call, are long."""

ROOTS = ("start", "sample", "play", "utility")
"""What a playout calls."""


def functions_of(source: str) -> dict[str, ast.FunctionDef]:
    """The functions of a generated module."""
    return {node.name: node for node in ast.parse(source).body if isinstance(node, ast.FunctionDef)}


def apart(source: str, long: int = LONG, everything: bool = False) -> set[str]:
    """The functions of a playout that stay apart, or those of all kernels of a source."""
    functions = functions_of(source)
    calls = reachable(functions, functions if everything else ROOTS)
    sites = sum(calls.values(), Counter[str]())
    found: set[str] = set()
    sizes: dict[str, int] = {}

    def size(name: str) -> int:
        if name not in sizes:
            own = sum(isinstance(node, ast.stmt) for node in ast.walk(functions[name]))
            whole = own + sum(times * size(called) for called, times in calls[name].items())
            if whole > long and sites[name] > 1:
                found.add(name)
            sizes[name] = 1 if name in found else whole
        return sizes[name]

    for name in calls:
        size(name)
    return found


def reachable(functions: Mapping[str, ast.FunctionDef], roots: Iterable[str]) -> dict[str, Counter[str]]:
    """The functions that are called from some, each with what it calls and how often."""
    calls: dict[str, Counter[str]] = {}
    waiting = [name for name in roots if name in functions]
    while waiting:
        name = waiting.pop()
        if name not in calls:
            calls[name] = _calls(functions[name], functions)
            waiting += calls[name]
    return calls


def marked(source: str, names: Collection[str], mark: str) -> str:
    """The source with a call of ``mark`` at the beginning of some functions."""
    if not names:
        return source
    head = re.compile(rf"^def (?:{'|'.join(sorted(names))})\(.*\):\n", re.MULTILINE)
    return head.sub(lambda match: f"{match.group(0)}    {mark}()\n", source)


def _calls(function: ast.FunctionDef, known: Container[str]) -> Counter[str]:
    called = (node.func for node in ast.walk(function) if isinstance(node, ast.Call))
    return Counter(name.id for name in called if isinstance(name, ast.Name) and name.id in known)
