"""Makes the kernels of a program's propositional network."""

from __future__ import annotations

import sys
from dataclasses import dataclass, field

from ludoport.gdl.compile import Compiler
from ludoport.gdl.effects import find_effects, general_effects
from ludoport.gdl.ground import Grounder
from ludoport.gdl.layout import plan_layout
from ludoport.gdl.limits import Clock, TooLarge, TooSlow
from ludoport.gdl.program import SheetProgram
from ludoport.gdl.wiring import Wirer

SECONDS = 25.0
"""CPU time that a network may take before a game is left to the interpreter."""

SPECIAL_SECONDS = 8.0
"""CPU time for working out what every single move changes; after that a general list has to do."""


@dataclass(slots=True)
class Network:
    """Stored form of a compiled rulesheet; ``why`` gives the reason if there is no network."""

    source: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    facts: list[str] = field(default_factory=list)
    moves: list[list[tuple[int, str]]] = field(default_factory=list)
    gates: int = 0
    why: str = ""


def make_network(program: SheetProgram, name: str, seconds: float = SECONDS) -> Network:
    """Ground a program and compile its network; rules that are too large are split further and tried again."""
    # Long chains of conditions are followed by functions that call themselves.
    sys.setrecursionlimit(max(sys.getrecursionlimit(), 20_000))
    why, clock = "", Clock(seconds)
    for hard in (False, True):
        try:
            return _compiled(program, name, hard, clock)
        except TooSlow as error:
            return Network(why=str(error))
        except (TooLarge, RecursionError, MemoryError) as error:
            why = str(error) or type(error).__name__
    return Network(why=why)


def _compiled(program: SheetProgram, name: str, hard: bool, clock: Clock) -> Network:
    grounder = Grounder(program, clock, hard)
    wiring = Wirer(grounder, grounder.run(), program.roles).run()
    try:
        effects = find_effects(wiring, Clock(min(SPECIAL_SECONDS, clock.seconds)))
    except TooLarge:
        effects = general_effects(wiring)
    layout = plan_layout(wiring, effects)
    compiler = Compiler(layout, clock)
    source = compiler.source(f"{name}: kernels of its network")
    moves = [
        [(number, text) for number, text in zip(ids, texts, strict=True) if number >= 0]
        for ids, texts in zip(layout.move_ids, wiring.moves, strict=True)
    ]
    return Network(source, compiler.out.constants, wiring.facts, moves, len(layout.live) + len(layout.asked))
