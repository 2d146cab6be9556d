"""The page of settings: training runs and networks, with the values of every preset."""

from __future__ import annotations

from dataclasses import MISSING, fields
from typing import Any

from tools.reference.markdown import attributes, code, table


def page() -> str:
    """Settings of ``ludoport train``, then those of networks."""
    return "\n".join([_training(), _networks()])


def shown(value: Any) -> str:
    """A value as ``--set`` reads it."""
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, (list, tuple)):
        return ", ".join(map(shown, value)) if value else "none"
    if isinstance(value, float):
        return f"{value:.6g}"
    return str(value)


def _training() -> str:
    from ludoport.selfplay.config import PRESETS, TrainConfig, preset

    made = {name: preset(name) for name in PRESETS}
    said = attributes(TrainConfig)
    rows = []
    for field in fields(TrainConfig):
        values = [shown(getattr(config, field.name)) for config in made.values()]
        same = len(set(values)) == 1
        rows.append(
            [code(field.name), said[field.name], *([values[0]] + ["same"] * (len(values) - 1) if same else values)]
        )
    missing = said.keys() - {field.name for field in fields(TrainConfig)}
    assert not missing, f"TrainConfig describes settings that it does not have: {sorted(missing)}"
    return (
        "# Settings\n\n## Training\n\n"
        "`ludoport train --preset NAME --set SETTING=VALUE`, in Python "
        "`lp.train(..., preset=NAME, SETTING=VALUE)`. "
        "[Training](../training.md) says which of them switch a technique.\n\n"
        + table(("setting", "meaning", *made), rows)
    )


def _networks() -> str:
    from ludoport.nets.config import NetConfig
    from ludoport.nets.registry import presets as named

    said = attributes(NetConfig)
    names = [field.name for field in fields(NetConfig)]
    rows = []
    for field in fields(NetConfig):
        base = field.default if field.default is not MISSING else "of the game"
        rows.append([code(field.name), said.get(field.name, ""), shown(base)])
    presets = [
        [
            code(name),
            ", ".join(f"{key}={shown(value)}" for key, value in settings.items() if key in names),
        ]
        for name, settings in named().items()
    ]
    return (
        "## Networks\n\nThe setting `network` of a run, and `ludoport show GAME --network --preset NAME`.\n\n"
        + table(("setting", "meaning", "default"), rows)
        + "\n"
        + table(("preset", "what it sets"), presets)
    )
