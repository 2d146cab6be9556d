"""The rules of play as a text divides them: phases, the common end, and meta rules."""

from __future__ import annotations

from dataclasses import dataclass

from ludoport.errors import LudError, UnsupportedError
from ludoport.lud.tree import Ludeme, Value, Word
from ludoport.ludemes.core.arguments import Arguments, settle
from ludoport.ludemes.core.equipment import role_number
from ludoport.ludemes.core.program import Program


@dataclass
class Phase:
    """A phase of play."""

    name: str
    owner: int | None
    plays: list[Ludeme]
    end: Ludeme | None
    following: list[Ludeme]


@dataclass
class Course:
    """The course of a game, from which the functions of the kernel contract are written."""

    program: Program
    phases: list[Phase]
    end: Ludeme | None
    """End rules that hold in all phases."""
    meta: dict[str, Ludeme]
    """Meta rules by keyword."""
    swap_rule: int = 0
    """The number of the rule by which the second player takes over the first one's stones; 0 without it."""


def read_course(program: Program) -> Course:
    """The phases, end rules and meta rules of a game."""
    root = program.description.root
    rules = root.args["rules"]
    assert isinstance(rules, Ludeme)
    phases = _read_phases(rules, program)
    end = rules.get("end")
    course = Course(program, phases, end if isinstance(end, Ludeme) else None, _read_meta(rules))
    _refuse_modes(root)
    if program.simulation:
        # It ends when nothing happens any more.
        program.want_can_play()
        for phase in phases:
            phase.plays = [_step(node) for node in phase.plays]
    if course.end is None and all(phase.end is None for phase in phases):
        raise LudError("the game has no end rule: add `(end ...)`", root.source)
    return course


def _read_phases(rules: Ludeme, program: Program) -> list[Phase]:
    listed = rules.get("phases")
    common = _play(rules.get("play"))
    if not isinstance(listed, list):
        return [Phase("", None, common, None, [])]
    phases = []
    for node in listed:
        assert isinstance(node, Ludeme)
        role = node.get("role")
        owner = role_number(role.name, program.n_players) if isinstance(role, Word) else None
        if owner == program.n_players + 1:
            owner = None
        after = node.get("nextPhases") if node.get("nextPhases") is not None else node.get("nextPhase")
        following = [n for n in (after if isinstance(after, list) else [after]) if isinstance(n, Ludeme)]
        if len(listed) == 1:
            settle(*following)  # the only phase follows itself
        mode = node.get("mode")
        if isinstance(mode, Ludeme) and str(mode.get("mode")) != "Alternating":
            raise UnsupportedError(f"a phase with the mode `{mode.get('mode')}` is not implemented yet", node.source)
        own_end = node.get("end")
        phases.append(
            Phase(
                str(node.args["name"]),
                owner,
                _play(node.args["play"]) + common,
                own_end if isinstance(own_end, Ludeme) else None,
                following,
            )
        )
    return phases


def _play(value: Value | None) -> list[Ludeme]:
    if not isinstance(value, Ludeme):
        return []
    moves = value.args["moves"]
    assert isinstance(moves, Ludeme)
    return [moves]


def _step(node: Ludeme) -> Ludeme:
    """Everything that a generator does, as one move."""
    return Ludeme("moves", "append", Arguments({"list": node}), node.source)


def _read_meta(rules: Ludeme) -> dict[str, Ludeme]:
    meta = rules.get("meta")
    if not isinstance(meta, Ludeme):
        return {}
    listed = meta.get("rules")
    nodes = listed if isinstance(listed, list) else [meta.args["rule"]]
    found = {}
    for node in nodes:
        assert isinstance(node, Ludeme)
        if node.keyword not in ("swap", "no Repeat", "passEnd", "gravity", "pin", "noStackOn", "automove"):
            raise UnsupportedError(f"the meta rule `{node.keyword}` is not implemented yet", node.source)
        if node.keyword in found:
            raise UnsupportedError(f"the meta rule `{node.keyword}` twice is not implemented yet", node.source)
        found[node.keyword] = node
    return found


def _refuse_modes(root: Ludeme) -> None:
    mode = root.get("mode")
    if isinstance(mode, Ludeme):
        kind = str(next(iter(mode.args.values()), "Alternating"))
        if kind not in ("Alternating", "Simultaneous"):
            raise UnsupportedError(f"the mode `{kind}` is not implemented yet", mode.source)
