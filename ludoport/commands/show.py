"""``ludoport show``: a game, as Ludoport understands it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import GameName, Json, Options, RulesetName, load_game, named, print_json

if TYPE_CHECKING:
    from ludoport.game import Game
    from ludoport.lud.tree import Ludeme, Option


def show(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    svg: Annotated[Path | None, typer.Option("--svg", metavar="FILE", help="Draw the board into this file.")] = None,
    kernel: Annotated[bool, typer.Option("--kernel", help="Print the generated kernels and nothing else.")] = False,
    network: Annotated[
        bool, typer.Option("--network", help="Show its tensors, what their channels mean, and a network for them.")
    ] = False,
    preset: Annotated[str, typer.Option("--preset", metavar="NAME", help="That network.")] = "default",
    layout: Annotated[
        str | None, typer.Option("--layout", metavar="NAME", help="Its tensors: compact, paper or ludii-1.3.14.")
    ] = None,
    json: Json = False,
) -> None:
    """Show a game: its text with everything expanded, options, board, pieces and a summary of the rules."""
    loaded = load_game(game, option, ruleset)
    if network:
        from ludoport.commands.show_network import network_lines, network_record

        tensors = {**named(loaded, option, ruleset), **network_record(loaded, preset, layout)}
        if json:
            print_json(tensors)
        else:
            typer.echo("\n".join(network_lines(tensors)))
        return
    if svg is not None:
        from ludoport.commands.drawing import position_svg
        from ludoport.files import write_atomically

        write_atomically(svg, position_svg(loaded, loaded.start()))
    if kernel:
        typer.echo(loaded.rules.source)
    elif json:
        print_json(_record(loaded, option, ruleset))
    else:
        for line in _lines(loaded):
            typer.echo(line)


def _is_ludemic(game: Game) -> bool:
    from ludoport.ludemic import LudemicRules

    return isinstance(game.rules, LudemicRules)


def _record(game: Game, option: list[str] | None, ruleset: str | None) -> dict[str, Any]:
    from ludoport.ludemic import ludemic

    if not _is_ludemic(game):
        from ludoport.commands.show_plain import plain_record

        return {**named(game, option, ruleset), **plain_record(game)}
    rules = ludemic(game.rules)
    description = rules.description
    state = game.start()
    return {
        **named(game, option, ruleset or description.ruleset),
        "players": game.n_players,
        "choices": [
            {"category": choice.heading, "items": [item.label for item in choice.items], "chosen": _label(choice)}
            for choice in description.options
        ],
        "rulesets": [entry.heading for entry in description.rulesets],
        "pieces": [{"name": piece.name, "owner": piece.owner} for piece in rules.components],
        "initial": {str(site): piece for site, piece in state.pieces().items()},
        "moves": [str(move) for move in state.moves()],
        "rules": {part: sorted(set(names)) for part, names in rules_summary(description.root)},
        "text": description.expanded,
        "picture": state.picture(),
    }


def _lines(game: Game) -> Iterator[str]:
    from ludoport.lud.printing import format_tree
    from ludoport.ludemic import ludemic

    if not _is_ludemic(game):
        from ludoport.commands.show_plain import plain_lines

        yield from plain_lines(game)
        return
    rules = ludemic(game.rules)
    description = rules.description
    yield f"{game.name}, {game.n_players} players ({description.file})"
    for choice in description.options:
        marked = [f"[{item.label}]" if i == choice.chosen else item.label for i, item in enumerate(choice.items)]
        yield f"  {choice.heading}: {'  '.join(marked)}"
    if description.rulesets:
        marks = [f"[{r.heading}]" if r.heading == description.ruleset else r.heading for r in description.rulesets]
        yield f"  Rulesets: {'  '.join(marks)}"
    yield ""
    yield game.start().picture()
    yield ""
    yield "Pieces: " + ", ".join(f"{piece.name} (player {piece.owner})" for piece in rules.components)
    yield "Rules, by the ludemes they are made of:"
    for part, names in rules_summary(description.root):
        yield f"  {part:<6} {', '.join(dict.fromkeys(names))}"
    yield ""
    yield format_tree(description.root)


def rules_summary(root: Ludeme) -> Iterator[tuple[str, list[str]]]:
    """The parts of the rules (meta, start, play, phase, end) and the names of the ludemes in each, in text order."""
    parts = {"rules": None, "meta": "meta", "start": "start", "play": "play", "end": "end"}
    for ludeme in root.walk():
        part = parts.get(ludeme.keyword.split()[0]) if ludeme.kind != "moves" else None
        if part is not None:
            names = [below.keyword for below in ludeme.walk()][1:]
            if names:
                yield part, names


def _label(choice: Option) -> str:
    return choice.items[choice.chosen].label
