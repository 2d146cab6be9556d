"""The page of the Python interface: what programs use, with signatures and docstrings."""

from __future__ import annotations

import inspect
import typing
from dataclasses import is_dataclass
from functools import cached_property
from importlib import import_module
from typing import Any

from tools.reference.markdown import docstring

ROOMS: dict[str, tuple[str, ...]] = {
    "ludoport.tensors.layout": ("tensor_layout", "TensorLayout"),
    "ludoport.transfer.mapping": ("map_channels", "Mapping"),
    "ludoport.transfer.sides": ("find_side",),
    "ludoport.search.uct": ("search",),
    "ludoport.search.shares": ("BuildPlan",),
    "ludoport.search.build": ("build_tree", "Built", "Cluster"),
    "ludoport.search.graph": ("about_game", "SearchGraph"),
    "ludoport.search.graph_files": ("read_graph", "write_graph"),
    "ludoport.search.graph_merge": ("merge_files",),
    "ludoport.transfer.search_trees": ("transfer_tree", "TreeTransfer"),
    "ludoport.td.settings": ("TdSettings",),
    "ludoport.td.opponents": ("Opponent",),
    "ludoport.td.learner": ("ValueLearner",),
    "ludoport.td.curve": ("Curve",),
    "ludoport.transfer.features": ("FeatureTable", "learned_features", "combined"),
    "ludoport.transfer.features_file": ("save_features", "load_features"),
}
"""Beside what ``import ludoport`` gives: modules, and what programs use of them."""

_WIDTH = 110


def page() -> str:
    """The names of ``ludoport`` itself, then those of its rooms."""
    import ludoport

    parts = ["# Python\n\n## ludoport\n\n    import ludoport as lp\n"]
    parts += [_thing(f"lp.{name}", getattr(ludoport, name)) for name in sorted(ludoport.__all__, key=_order)]
    for module, names in ROOMS.items():
        room = import_module(module)
        parts.append(f"## {module}\n")
        parts += [_thing(name, getattr(room, name)) for name in names]
    return "\n".join(parts)


def _order(name: str) -> tuple[bool, str]:
    """Functions first, then classes."""
    return name[0].isupper(), name


def _thing(shown: str, thing: Any) -> str:
    if inspect.isclass(thing):
        return _class(shown, thing)
    return f"### {shown}\n\n{_code(shown, thing)}\n{docstring(thing)}"


def _class(shown: str, kind: type) -> str:
    made = _code(shown, kind) + "\n" if is_dataclass(kind) or "__init__" in vars(kind) else ""
    parts = [f"### {shown}\n\n{made}{docstring(kind)}"]
    for name, member in vars(kind).items():
        if not name.startswith("_"):
            parts += _member(name, member)
    return "\n".join(parts)


def _member(name: str, member: Any) -> list[str]:
    if isinstance(member, (property, cached_property)):
        function = member.fget if isinstance(member, property) else member.func
        kind = _annotation(inspect.signature(function).return_annotation) if function is not None else ""
        return [f"#### .{name} -> {kind}\n\n{docstring(member)}".replace("_", "\\_", name.count("_"))]
    function = member.__func__ if isinstance(member, (classmethod, staticmethod)) else member
    if not inspect.isfunction(function):
        return []
    bound = not isinstance(member, staticmethod)
    return [
        f"#### .{name}\n\n{_code(f'.{name}', function, bound)}\n{docstring(function)}".replace(
            "_", "\\_", name.count("_")
        )
    ]


def _code(shown: str, thing: Any, bound: bool = False) -> str:
    return f"```python\n{signature(shown, thing, bound)}\n```\n"


def signature(shown: str, thing: Any, bound: bool = False) -> str:
    """A signature in one line, or with one parameter a line where that would be long."""
    found = inspect.signature(thing)
    parts: list[str] = []
    star = False
    for parameter in list(found.parameters.values())[bound:]:
        if parameter.kind is parameter.KEYWORD_ONLY and not star:
            parts.append("*")
        star = star or parameter.kind in (parameter.KEYWORD_ONLY, parameter.VAR_POSITIONAL)
        parts.append(_parameter(parameter))
    returned = found.return_annotation
    end = "" if returned is inspect.Signature.empty or inspect.isclass(thing) else f" -> {_annotation(returned)}"
    line = f"{shown}({', '.join(parts)}){end}"
    if len(line) <= _WIDTH:
        return line
    return f"{shown}(\n" + "".join(f"    {part},\n" for part in parts) + f"){end}"


def _parameter(parameter: inspect.Parameter) -> str:
    stars = "*" * (parameter.kind is parameter.VAR_POSITIONAL) + "**" * (parameter.kind is parameter.VAR_KEYWORD)
    kind = "" if parameter.annotation is parameter.empty else f": {_annotation(parameter.annotation)}"
    if parameter.default is parameter.empty:
        return f"{stars}{parameter.name}{kind}"
    return f"{stars}{parameter.name}{kind}{' = ' if kind else '='}{_default(parameter.default)}"


def _annotation(annotation: Any) -> str:
    if isinstance(annotation, str):
        return annotation
    if isinstance(annotation, type) and not typing.get_args(annotation):
        return annotation.__name__
    return str(annotation).replace("typing.", "")


def _default(value: Any) -> str:
    """A default as code; what has no short form is shown as ``...``."""
    if isinstance(value, (bool, int, str, type(None))):
        return repr(value)
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (tuple, list, dict)) and len(repr(value)) < 60:
        return repr(value)
    return "..."
