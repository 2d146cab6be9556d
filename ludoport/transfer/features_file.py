"""Tables of value features as files: JSON with a header that says where the values come from."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import Any

from ludoport.errors import LudoportError
from ludoport.files import read_json, write_atomically
from ludoport.td.lookahead import Template, read_template
from ludoport.transfer.features import FeatureSource, FeatureTable, Worth
from ludoport.version import __version__

FORMAT = "ludoport value features"
VERSION = 1
"""Raised whenever the meaning of codes or fields changes."""


def save_features(table: FeatureTable, path: str | Path) -> None:
    """Write a table of features to a file."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "ludoport": __version__,
        "depth": table.depth,
        "rewards": {"loss": table.loss, "win": table.win},
        "sources": [asdict(source) for source in table.sources],
        "features": [
            {
                "tree": str(template),
                "code": template.code,
                "values": {name: asdict(worth) for name, worth in sorted(worths.items())},
            }
            for template, worths in sorted(table.features.items(), key=lambda item: str(item[0]))
        ],
    }
    write_atomically(Path(path), json.dumps(content, indent=1, ensure_ascii=False) + "\n")


def load_features(path: str | Path) -> FeatureTable:
    """The table of features in a file."""
    content = read_json(Path(path), "learn the features again")
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise LudoportError(f'{path} holds no table of features: its format is not "{FORMAT}"')
    if content.get("version") != VERSION:
        raise LudoportError(
            f"{path} has version {content.get('version')} of the format, and this Ludoport knows {VERSION}; "
            "learn the features again"
        )
    try:
        return _table(content, path)
    except (KeyError, TypeError, AttributeError, OverflowError, RecursionError) as error:
        raise LudoportError(f"{path} is damaged: {type(error).__name__} at {error}") from None


def _table(content: dict[str, Any], path: str | Path) -> FeatureTable:
    features: dict[Template, dict[str, Worth]] = {}
    for entry in content["features"]:
        template = read_template(entry["tree"])
        if template.code != entry["code"]:
            raise LudoportError(f"{path} is damaged: {template} has code {template.code}, not {entry['code']}")
        features[template] = {name: Worth(**worth) for name, worth in entry["values"].items()}
    sources = tuple(FeatureSource(**source) for source in content["sources"])
    rewards = content["rewards"]
    return FeatureTable(features, sources, int(content["depth"]), float(rewards["loss"]), float(rewards["win"]))
