"""``ludoport zoo``: the trained networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from ludoport.commands.common import print_json
from ludoport.commands.options import Json

if TYPE_CHECKING:
    from ludoport.zoo import Strength, ZooNetwork


def zoo(
    name: Annotated[str | None, typer.Argument(metavar="NAME", help="Network to describe.")] = None,
    json: Json = False,
) -> None:
    """List the trained networks of the zoo, or describe one."""
    from ludoport.zoo import NO_ZOO, PREFIX, zoo_network, zoo_networks

    if name is not None:
        network = zoo_network(name.removeprefix(PREFIX))
        path = network.path
        if json:
            print_json({**network.as_json(), "path": str(path)})
        else:
            typer.echo(_described(network, str(path)))
        return
    networks = zoo_networks()
    missing = _without(networks)
    if json:
        print_json({"networks": [network.as_json() for network in networks], "missing": missing})
        return
    if not networks:
        typer.echo(NO_ZOO)
        return
    rows = [("network", "game", "kB", "trained on", "minutes", "positions", "score"), *map(_row, networks)]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        typer.echo("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip())
    typer.echo(f"Play with one: net:{PREFIX}NAME. No network yet: {', '.join(missing) or 'none'}.")


def _row(network: ZooNetwork) -> tuple[str, ...]:
    return (
        network.name,
        network.title,
        f"{network.size / 1000:.0f}",
        network.device.partition(",")[0],
        f"{network.seconds / 60:.1f}",
        f"{network.positions:,}",
        "; ".join(_short(match) for match in network.strength if match.precision == "half") or "not measured",
    )


def _short(match: Strength) -> str:
    return f"{match}{', PUCT' if 'gumbel=false' in match.settings else ''}"


def _described(network: ZooNetwork, path: str) -> str:
    facts = {
        "game": " ".join([network.game, *(f'-o "{option}"' for option in network.options)]),
        "file": f"{path} ({network.size:,} bytes)",
        "SHA-256": f"{network.sha256} (verified)",
        "licence": network.licence,
        "command": network.command,
        "device": network.device,
        "training": f"{network.seconds:,.0f} seconds, {network.epochs} epochs, {network.positions:,} positions",
    }
    lines = [f"zoo/{network.name}", *(f"  {fact:<9} {value}" for fact, value in facts.items())]
    for match in network.strength:
        lines.append(f"  strength  {match} ({match.settings}; {match.precision} precision, seed {match.seed})")
    return "\n".join(lines)


def _without(networks: list[ZooNetwork]) -> list[str]:
    """Bundled games that have no network."""
    from ludoport.languages import known_games

    known = {network.game for network in networks}
    return [game.name for game in known_games() if game.name not in known]
