"""``ludoport show``: a game, as Ludoport understands it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, Any

import typer

from ludoport.commands.common import load_game, named, print_json
from ludoport.commands.options import GameName, Json, Layout, MoveTexts, Options, RulesetName, Svg, option

if TYPE_CHECKING:
    from ludoport.game import Game, State
    from ludoport.lud.tree import Ludeme, Option
    from ludoport.ludemic import LudemicRules
    from ludoport.matches import MatchRules


def show(
    game: GameName,
    option: Options = None,
    ruleset: RulesetName = None,
    moves: MoveTexts = "",
    svg: Svg = None,
    kernel: Annotated[bool, option("--kernel", help="Print only the generated kernels.")] = False,
    network: Annotated[bool, option("--network", help="Print tensors, meanings of channels, and a network.")] = False,
    preset: Annotated[str, option("--preset", metavar="NETWORK", help="Network preset to show.")] = "default",
    layout: Layout = None,
    json: Json = False,
) -> None:
    """Show a game: options, board, pieces and rules."""
    loaded = load_game(game, option, ruleset)
    if network:
        from ludoport.commands.show_network import network_lines, network_record

        tensors = {**named(loaded, option, ruleset), **network_record(loaded, preset, layout)}
        if json:
            print_json(tensors)
        else:
            typer.echo("\n".join(network_lines(tensors)))
        return
    state = _after(loaded, moves)
    if svg is not None:
        from ludoport.files import write_atomically

        write_atomically(svg, state.svg())
    if kernel:
        typer.echo(loaded.rules.source)
    elif moves:
        _show_position(state, named(loaded, option, ruleset), json)
    elif json:
        print_json(_record(loaded, option, ruleset))
    else:
        for line in _lines(loaded):
            typer.echo(line)


def _after(game: Game, moves: str) -> State:
    """The position after some moves."""
    from ludoport.moves import split_moves

    state = game.start()
    for move in split_moves(moves):
        state = state.play(move)
    return state


def _show_position(state: State, record: dict[str, Any], json: bool) -> None:
    moves = [move.label for move in state.moves()]
    if json:
        recorded = [move.text for move in state.moves()]
        result = state.utilities if state.over else None
        print_json(record | {"moves": moves, "recorded": recorded, "picture": state.picture(), "utilities": result})
        return
    typer.echo(f"{state!r}\n\n{state.picture()}\n")
    typer.echo(f"{len(moves)} moves: {', '.join(moves)}")


def _game_file(game: Game) -> LudemicRules | MatchRules | None:
    """The rules of a game that has a game file."""
    from ludoport.ludemic import LudemicRules
    from ludoport.matches import MatchRules

    return game.rules if isinstance(game.rules, LudemicRules | MatchRules) else None


def _record(game: Game, option: list[str] | None, ruleset: str | None) -> dict[str, Any]:
    rules = _game_file(game)
    if rules is None:
        from ludoport.commands.show_plain import plain_record

        return {**named(game, option, ruleset), **plain_record(game)}
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
        "pieces": [{"name": piece.name, "owner": piece.owner} for each in _parts(rules) for piece in each.components],
        **({"games": [each.title for each in _parts(rules)]} if description.subgames else {}),
        "initial": {str(site): piece for site, piece in state.pieces().items()},
        "moves": [str(move) for move in state.moves()],
        "rules": {part: sorted(set(names)) for part, names in rules_summary(description.root)},
        "text": description.expanded,
        "picture": state.picture(),
    }


def _lines(game: Game) -> Iterator[str]:
    from ludoport.lud.printing import format_tree

    rules = _game_file(game)
    if rules is None:
        from ludoport.commands.show_plain import plain_lines

        yield from plain_lines(game)
        return
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
    for each in _parts(rules):
        pieces = ", ".join(f"{piece.name} (player {piece.owner})" for piece in each.components)
        yield f"{f'{each.title}, {each.description.file}: ' if description.subgames else ''}Pieces: {pieces}"
    yield "Rules, by the ludemes they are made of:"
    for part, names in rules_summary(description.root):
        yield f"  {part:<6} {', '.join(dict.fromkeys(names))}"
    yield ""
    yield format_tree(description.root)


def _parts(rules: LudemicRules | MatchRules) -> list[LudemicRules]:
    """The games of a match, or the game itself."""
    from ludoport.ludemic import LudemicRules

    return [rules] if isinstance(rules, LudemicRules) else rules.games


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
