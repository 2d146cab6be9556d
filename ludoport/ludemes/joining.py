"""Modules of several programs joined to one: every name of a program gets the program's prefix."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator, Mapping

_NAME = re.compile(r"\b(?:[A-Z]\w*\b(?!\()|[a-z]\w*(?=\())")
"""A constant, a table, or a function that is called: variables may have the name of a function."""


class ModulePart:
    """The functions, tables and constants of a generated module that some of its functions need.

    Args:
        source: the module.
        roots: the functions that are needed.
        without: names that the joined module defines.
    """

    def __init__(self, source: str, roots: Iterable[str], without: Iterable[str] = ()) -> None:
        self.values: dict[str, str] = {}
        self.functions: dict[str, str] = {}
        lines = source.split("\n")
        for node in ast.parse(source).body:
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                value = node.value
                last = lines[value.lineno - 1 : value.end_lineno]
                last[0] = last[0][value.col_offset :]
                self.values[node.targets[0].id] = "\n".join(last)
            elif isinstance(node, ast.FunctionDef):
                first = min(each.lineno for each in node.decorator_list)
                self.functions[node.name] = "\n".join(lines[first - 1 : node.end_lineno])
        self._keep(roots, set(without))

    def _keep(self, roots: Iterable[str], without: set[str]) -> None:
        """Drop everything that the roots do not need."""
        needed: set[str] = set()
        queue = [name for name in roots if name in self.functions]
        while queue:
            name = queue.pop()
            if name not in needed and name not in without:
                needed.add(name)
                queue += [word for word in set(_NAME.findall(self.functions.get(name, ""))) if self._defines(word)]
        self.values = {name: text for name, text in self.values.items() if name in needed}
        self.functions = {name: text for name, text in self.functions.items() if name in needed}

    def _defines(self, name: str) -> bool:
        return name in self.values or name in self.functions

    def prefixed(self, prefix: str) -> ModulePart:
        """The same with other names: ``legal`` becomes ``PREFIXlegal``, and ``OVER`` the same in capitals."""
        new = {name: f"{prefix.upper() if name[0].isupper() else prefix}{name}" for name in self.values}
        new |= {name: f"{prefix}{name}" for name in self.functions}
        part = ModulePart("", ())
        # Texts of tables may hold words by chance.
        part.values = {new[name]: text for name, text in self.values.items()}
        part.functions = {new[name]: _renamed(text, new) for name, text in self.functions.items()}
        return part

    def tables(self) -> Iterator[str]:
        """Definitions of constants and tables."""
        for name, text in self.values.items():
            yield f"{name} = {text}"


def _renamed(text: str, new: Mapping[str, str]) -> str:
    return _NAME.sub(lambda found: new.get(found[0], found[0]), text)
