"""The page of players: kinds, how their texts are written, and what can be set."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from tools.reference.markdown import attributes, code, summary, table
from tools.reference.settings import shown


def page() -> str:
    """Players of matches and of the GGP protocol, and the settings of the searches behind them."""
    from ludoport.arena.players import REGISTRY
    from ludoport.ggp.role_player import REGISTRY as PROTOCOL
    from ludoport.search.puct import PuctSettings
    from ludoport.search.tree import UctSettings

    return "\n".join(
        [
            "# Players\n\n"
            "A player is a text: its kind, after a colon its main setting, then further settings by name, as in\n"
            "`uct:800,exploration=1.4`. `ludoport match` takes two of them, and so does `lp.match`.\n",
            _kinds(REGISTRY.kinds()),
            _settings("Settings of UCT", "For `uct` and `tree`; `uct` also takes `nodes`.", UctSettings),
            _settings("Settings of PUCT and Gumbel search", "For `net`.", PuctSettings),
            "## General game playing\n\n"
            "`ludoport ggp player --player TEXT` and `ludoport ggp match --player TEXT` take all players above "
            "but `human`. `uct` and `minimax` need no limit there: they search until the clock ends. "
            "These play only there; [General game playing](../ggp.md) says more.\n",
            _kinds(PROTOCOL.kinds()),
        ]
    )


def _kinds(kinds: list[Any]) -> str:
    return table(
        ("kind", "how it is written", "what it does"),
        [[code(kind.name), code(kind.usage), _does(kind)] for kind in kinds],
    )


def _does(kind: Any) -> str:
    """The first line of the class that the kind's module defines, or of the module."""
    import sys

    module = sys.modules[kind.make.__module__]
    classes = [
        thing for thing in vars(module).values() if isinstance(thing, type) and thing.__module__ == module.__name__
    ]
    for found in classes:
        if kind.name in found.__name__.lower() or len(classes) == 1:
            return summary(found)
    return summary(kind.make) if len(classes) > 1 else summary(module)


def _settings(title: str, about: str, kind: type) -> str:
    said = attributes(kind)
    rows = [[code(field.name), said.get(field.name, ""), shown(field.default)] for field in fields(kind)]
    return f"## {title}\n\n{about}\n\n{table(('setting', 'meaning', 'default'), rows)}"
