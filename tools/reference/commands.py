"""The page of commands: read from the functions that typer calls, so that no terminal has a say in it."""

from __future__ import annotations

import inspect
import typing
from collections.abc import Callable, Iterator
from pathlib import Path
from types import NoneType, UnionType
from typing import Annotated, Any

import typer
from typer.models import ArgumentInfo, CommandInfo, DefaultPlaceholder, OptionInfo, TyperInfo

from tools.reference.markdown import code, plain, table

_TYPES = {int: "N", float: "NUMBER", str: "TEXT", Path: "PATH"}


def page() -> str:
    """All commands, in the order of ``ludoport --help``."""
    from ludoport.cli import app

    found = list(commands(app, "ludoport"))
    contents = "".join(f"- [{code(name)}](#{_anchor(name)}): {_first(function)}\n" for name, function in found)
    intro = (
        "# Commands\n\nA game on the command line is the name of a bundled game (`ludoport games`) or a game file. "
        "Bad input ends a command with one sentence and exit code 2; an interrupted command ends with 130. "
        "Every command has `-h`.\n"
    )
    shown: dict[str, str] = {}
    return "\n".join([intro, contents, *(_command(name, function, shown) for name, function in found)])


def commands(app: typer.Typer, above: str) -> Iterator[tuple[str, Callable[..., Any]]]:
    """All commands of an application and of those within it, by full name."""
    for command in app.registered_commands:
        assert command.callback is not None
        yield f"{above} {_command_name(command)}", command.callback
    for group in app.registered_groups:
        inner = group.typer_instance
        assert inner is not None
        callback = inner.registered_callback
        if callback is not None and callback.callback is not None and callback.invoke_without_command is True:
            yield f"{above} {_group_name(group)}", callback.callback
        yield from commands(inner, f"{above} {_group_name(group)}")


def _command_name(command: CommandInfo) -> str:
    assert command.callback is not None
    return command.name or command.callback.__name__.lower().replace("_", "-")


def _group_name(group: TyperInfo) -> str:
    name = group.name
    if isinstance(name, DefaultPlaceholder) or not name:
        name = group.typer_instance.info.name if group.typer_instance is not None else None
    assert isinstance(name, str)
    return name


def _anchor(name: str) -> str:
    """As code hosts make it from a heading."""
    return name.lower().replace(" ", "-").replace("/", "")


def _first(function: Callable[..., Any]) -> str:
    return " ".join(plain(inspect.getdoc(function) or "").split("\n\n")[0].split())


def _command(name: str, function: Callable[..., Any], shown: dict[str, str]) -> str:
    """One command; a table of options that was shown before is not shown again."""
    arguments, options = [], []
    for parameter, kind, info in parameters(function):
        if getattr(info, "hidden", False):
            continue
        if isinstance(info, ArgumentInfo):
            arguments.append(_argument(parameter, kind, info))
        else:
            options.append(_option(parameter, kind, info))
    usage = " ".join([name, *(word for word, _, _ in arguments), *(["[OPTIONS]"] if options else [])])
    what = table(("", "meaning", "default"), [(code(word), *rest) for word, *rest in (*arguments, *options)])
    first = shown.setdefault(what, name)
    if first != name and len(options) > 2:
        what = f"Options are those of [{code(first)}](#{_anchor(first)}).\n"
    text = plain(inspect.getdoc(function) or "")
    return f"## {name}\n\n    {usage}\n\n{text}\n\n{what}"


def parameters(function: Callable[..., Any]) -> Iterator[tuple[inspect.Parameter, Any, ArgumentInfo | OptionInfo]]:
    """Parameters of a command: each with its type without ``None``, and its declaration for typer."""
    hints = typing.get_type_hints(function, include_extras=True)
    for parameter in inspect.signature(function).parameters.values():
        hint = hints[parameter.name]
        if hint is typer.Context:
            continue
        kind, extras = (hint.__origin__, hint.__metadata__) if typing.get_origin(hint) is Annotated else (hint, ())
        info = next((extra for extra in extras if isinstance(extra, (ArgumentInfo, OptionInfo))), None)
        if info is None:  # as typer does: without a default it is an argument
            info = typer.Argument() if parameter.default is inspect.Parameter.empty else typer.Option()
        yield parameter, _without_none(kind), info


def _without_none(kind: Any) -> Any:
    if typing.get_origin(kind) in (UnionType, typing.Union):
        rest = [part for part in typing.get_args(kind) if part is not NoneType]
        return rest[0] if len(rest) == 1 else kind
    return kind


def _argument(parameter: inspect.Parameter, kind: Any, info: ArgumentInfo) -> tuple[str, str, str]:
    metavar = info.metavar or parameter.name.upper()
    if typing.get_origin(kind) is list and not metavar.endswith("..."):
        metavar += "..."
    needed = parameter.default is inspect.Parameter.empty
    return metavar if needed else f"[{metavar}]", info.help or "", "" if needed else _default(parameter.default)


def _option(parameter: inspect.Parameter, kind: Any, info: OptionInfo) -> tuple[str, str, str]:
    names = spellings(parameter, kind, info)
    many = typing.get_origin(kind) is list
    inner = typing.get_args(kind)[0] if many else kind
    takes = "" if inner is bool else f" {info.metavar or _TYPES.get(inner, 'VALUE')}"
    needed = parameter.default is inspect.Parameter.empty
    shown = ", ".join(sorted(names, key=lambda name: (not name.startswith("--"), name))) + takes
    what = info.help or ""
    if many:
        what += " Repeatable."
    if needed:
        return shown, what, "required"
    if isinstance(info.show_default, str):
        return shown, what, info.show_default
    if inner is bool:
        return shown, what, _switch(names, parameter.default)
    return shown, what, _default(parameter.default)


def spellings(parameter: inspect.Parameter, kind: Any, info: OptionInfo) -> list[str]:
    """All spellings of an option; inside ``Annotated`` typer keeps the first one where the default would be."""
    first = [info.default] if isinstance(info.default, str) and info.default.startswith("-") else []
    return [*first, *(info.param_decls or ())] or [_flag(parameter, kind)]


def _flag(parameter: inspect.Parameter, kind: Any) -> str:
    name = parameter.name.strip("_").replace("_", "-")
    return f"--{name}/--no-{name}" if kind is bool else f"--{name}"


def _switch(names: list[str], value: Any) -> str:
    """The default of a switch."""
    for name in names:
        if "/" in name and value is not None:
            return code(name.split("/")[0 if value else 1])
    return "on" if value else ""


def _default(value: Any) -> str:
    if value is None or value == "" or value == []:
        return ""
    if isinstance(value, bool):
        return "on" if value else ""
    if isinstance(value, float):
        return code(f"{value:.6g}")
    if isinstance(value, (list, tuple)):
        return ", ".join(code(str(part)) for part in value)
    return code(str(value))


def options(function: Callable[..., Any]) -> set[str]:
    """All spellings of all options of a command."""
    found = {"--help", "-h"}
    for parameter, kind, info in parameters(function):
        if isinstance(info, OptionInfo):
            found |= {part for name in spellings(parameter, kind, info) for part in name.split("/")}
    return found
