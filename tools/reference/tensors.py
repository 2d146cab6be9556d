"""The page of tensors: layouts, the meaning of channels, and some games as examples."""

from __future__ import annotations

import inspect
import typing
from dataclasses import fields

from tools.reference.markdown import attributes, code, plain, table

EXAMPLES: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("Tic-Tac-Toe", ()),
    ("Hex", ("Board Size/11x11",)),
    ("Yavalath", ()),
    ("Breakthrough", ()),
    ("Connect Four", ()),
    ("Reversi", ()),
    ("Amazons", ()),
    ("Minishogi", ()),
    ("Chess 8x8", ()),
    ("gardner-chessplus", ()),
    ("connect-four.kif", ()),
)
"""Games whose shapes are shown: with and without hands, hexagonal boards and movement; all languages."""


def page() -> str:
    """Layouts, kinds of channels, examples."""
    from ludoport.tensors import channels, layout

    parts = ["# Tensors\n", plain(inspect.getdoc(layout) or "") + "\n"]
    parts.append("`ludoport show GAME --network [--layout NAME]` lists the channels of one game.\n")
    kinds = (
        ("Planes of a state", channels.StateChannel, channels.StateKind),
        ("Planes of moves", channels.MoveChannel, channels.MoveKind),
    )
    for title, kind, names in kinds:
        said = attributes(kind)
        rows = [[code(field.name), said[field.name]] for field in fields(kind)]
        listed = ", ".join(map(code, typing.get_args(names)))
        parts.append(f"## {title}\n\nKinds: {listed}.\n\n{table(('attribute', 'meaning'), rows)}")
    numbers = [
        [code(name), str(getattr(layout, name)), _said(layout, name)]
        for name in ("CLIP", "LEVELS", "STATES", "LEVELS_MOVED")
    ]
    parts.append(f"## Constants\n\n{table(('', '', 'meaning'), numbers)}")
    parts.append(_examples())
    return "\n".join(parts)


def _said(module: typing.Any, name: str) -> str:
    """The line of text below a constant."""
    lines = inspect.getsource(module).splitlines()
    number = next(i for i, line in enumerate(lines) if line.startswith(f"{name} = "))
    return lines[number + 1].strip('"')


def _examples() -> str:
    import ludoport as lp
    from ludoport.tensors.layout import LAYOUTS, tensor_layout

    rows, listed = [], ""
    for name, options in EXAMPLES:
        game = lp.load(name, options=options)
        shapes = [tensor_layout(game, layout) for layout in LAYOUTS]
        rows.append([" ".join([name, *options]), *(f"{_shape(one.shape)}; {_shape(one.move_shape)}" for one in shapes)])
        if name == "Hex":
            listed = table(
                ("plane", "of a state of Hex"), [[str(i), text] for i, text in enumerate(shapes[0].state_names)]
            )
    return (
        "## Examples\n\nShape of a state, then of moves: channels x height x width.\n\n"
        + table(("game", *LAYOUTS), rows)
        + "\n"
        + listed
    )


def _shape(shape: tuple[int, int, int]) -> str:
    return " x ".join(map(str, shape))
