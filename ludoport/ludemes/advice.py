"""What looks like a mistake in a game that compiles: parts that no player can reach, own or play with."""

from __future__ import annotations

from collections.abc import Iterator

from ludoport.errors import LudoportError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Text, Value, Word
from ludoport.ludemes.core.equipment import role_number
from ludoport.ludemes.core.phases import read_course
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.registry import condition
from ludoport.ludemes.core.traits import pieces
from ludoport.ludemes.fields.starting import placements

_ITERATORS = {"from", "to", "between", "site", "sites", "level", "player", "value", "track", "hint", "edge"}


def advice(program: Program) -> list[str]:
    """Warnings about a compiled game, each with its place in the text."""
    found = (*_pieces(program), *_regions(program), *_results(program), *_phases(program), *_conditions(program))
    return list(dict.fromkeys(f"{source}: {text}" for source, text in found))


Warning_ = tuple[object, str]


def _pieces(program: Program) -> Iterator[Warning_]:
    """Pieces that no start rule places and no move brings into play."""
    placed = {placement.component for placement in placements(program)}
    rules = program.description.root.args["rules"]
    assert isinstance(rules, Ludeme)
    parts = [part for component in program.components if component.moves is not None for part in component.moves.walk()]
    nodes = [*rules.walk(), *parts]
    named = {str(text) for node in nodes for text in _texts(node)}
    arriving = [node for node in nodes if pieces(node) in ("arrive", None) and node.kind == "moves"]
    unnamed = any(node.peek("what") is None for node in arriving)
    numbered = any(_numbered(node.peek("what")) for node in nodes)
    if numbered or "moves:satisfy" in program.keys:
        return
    for component in program.components[1:]:
        mentioned = any(name in (component.name, component.label) or name in component.name for name in named)
        # A placement without a piece uses the component with the mover's number.
        by_number = unnamed and component.index <= program.n_players
        ready = component.faces or component.pips  # dice and dominoes
        if component.index not in placed and not mentioned and not by_number and not ready:
            yield _item(program, component.label).source, f"the piece `{component.name}` is never placed"


def _item(program: Program, label: str) -> Ludeme:
    """The entry of a component in the equipment; the game itself for components without one."""
    root = program.description.root
    entries = (node for node in root.walk() if node.kind == "component" and str(node.peek("name")) == label)
    return next(entries, root)


def _texts(node: Ludeme) -> Iterator[Text]:
    values: list[Value] = list(node.parts())
    while values:
        value = values.pop()
        if isinstance(value, Text):
            yield value
        elif isinstance(value, list):
            values += value


def _numbered(value: Value | None) -> bool:
    """Whether a piece is given by a number, which may be that of any component, such as an entry of a map."""
    if not isinstance(value, Ludeme) or value.keyword != "piece":
        return False
    several = value.peek("components")
    given = [value.peek("component"), *(several if isinstance(several, list) else [several])]
    return any(isinstance(part, int) or (isinstance(part, Ludeme) and part.keyword != "id") for part in given)


def _regions(program: Program) -> Iterator[Warning_]:
    """Regions that neither a player owns nor a rule names."""
    rules = program.description.root.args["rules"]
    assert isinstance(rules, Ludeme)
    names = {
        str(text) for node in program.description.root.walk() if node.keyword != "regions" for text in _texts(node)
    }
    for node in program.description.root.walk():
        if node.keyword != "regions":
            continue
        role, name = node.peek("role"), node.peek("name")
        if role is None and (name is None or str(name) not in names):
            what = f"the region `{name}`" if name is not None else "this region"
            yield node.source, f"{what} has no owner and is not named by any rule"
        elif isinstance(role, Word) and _absent(role, program):
            yield node.source, f"the region of {role.name} belongs to a player who does not exist"


def _absent(role: Word, program: Program) -> bool:
    """Whether a role is that of a player beyond the number of players."""
    number = role_number(role.name, program.n_players)
    numbered = role.name[:1] == "P" and role.name[1:].isdigit()
    return numbered and (number is None or int(role.name[1:]) > program.n_players)


def _results(program: Program) -> Iterator[Warning_]:
    for node in program.description.root.walk():
        role = node.peek("who")
        if node.keyword == "result" and isinstance(role, Word) and _absent(role, program):
            yield node.source, f"the result is for {role.name}, and the game has {program.n_players} players"


def _phases(program: Program) -> Iterator[Warning_]:
    """Phases that no player is in at the start and no other phase leads to."""
    course = read_course(program)
    named = {str(entry.peek("phaseName")) for phase in course.phases for entry in phase.following}
    for index, phase in enumerate(course.phases):
        before = course.phases[index - 1].following if index else []
        follows = any(entry.peek("phaseName") is None for entry in before)
        first = all(phase.owner is None and earlier.owner is not None for earlier in course.phases[:index])
        own = phase.owner is not None and all(
            earlier.owner not in (None, phase.owner) for earlier in course.phases[:index]
        )
        if index and phase.name not in named and not (follows or first or own):
            place = phase.plays[0].source if phase.plays else program.description.root.source
            yield place, f"the phase `{phase.name}` is never reached"


def _conditions(program: Program) -> Iterator[Warning_]:
    """Rules under conditions that are known to be false before the game."""
    cx = program.root(Function("unused", []))
    for node in program.description.root.walk():
        test = node.peek("test") if node.kind == "end" else node.peek("cond") if node.keyword == "if" else None
        if not isinstance(test, Ludeme) or any(part.keyword in _ITERATORS for part in test.walk()):
            continue
        try:
            known = condition(test, cx)
        except LudoportError:
            continue
        if known is False:
            yield node.source, f"the condition `({test.keyword} ...)` never holds, so this rule never applies"
