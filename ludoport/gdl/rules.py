"""A rulesheet as rules that everything after them understands."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from functools import cached_property, lru_cache
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from ludoport.errors import LudoportError
from ludoport.gdl.cached import folder, keep, own_version, read_network, read_rules
from ludoport.gdl.checks import require_playable
from ludoport.gdl.compiled.estimate import most_tuples
from ludoport.gdl.compiled.rules import CompiledRules, Named, compile_rules
from ludoport.gdl.fallback import fallback_source, host
from ludoport.gdl.geometry import sheet_figures, sheet_geometry, sheet_move_sites
from ludoport.gdl.interpreter import Interpreter
from ludoport.gdl.kif import Sheet
from ludoport.gdl.layout import WORD_BITS
from ludoport.gdl.network import SECONDS, Network, make_network
from ludoport.gdl.program import SheetProgram, read_program
from ludoport.gdl.tensors import SheetBoard, find_board, parts, plan_tensors
from ludoport.kernels.geometry import Die, Figure, Geometry, MoveSites
from ludoport.kernels.tensors import TensorPlan
from ludoport.source import plain_name

RULES_SECONDS = 15.0
"""CPU time that compiling rules may take before a game is left to the interpreter."""

MOST_TUPLES = 10_000_000
"""Estimated tuples of a relation from which on no network is tried."""

ESTIMATE_SECONDS = 3.0
"""CPU time for finding that out."""

Engine = Literal["network", "compiled", "interpreter"]
"""Engines: a propositional network, the rules compiled as they are, or the interpreter."""


class GdlRules:
    """The rules of a rulesheet.

    Roles choose one after another: within one step, every role with more than one legal move chooses in the order of
    roles (those after it may not know its choice; the row holds it), a role with one legal move is not asked. Where
    no role has a choice, one role plays its only move all the same, so that every step of the rulesheet is at least one
    ply. The utility of goal value ``g`` is ``g / 50 - 1``, at most 1; a role without exactly one value gets 0.

    Args:
        program: the rulesheet.
        name: the game's name.
        network: whether to compile anything; otherwise the interpreter plays.
        engine: what is to play; otherwise a network, compiled rules where that would be too large, and the interpreter
            where these cannot be made either.
    """

    zero_sum = False
    """Goals of two roles need not add up to 100."""

    def __init__(self, program: SheetProgram, name: str, network: bool = True, engine: Engine | None = None) -> None:
        self.program, self.name = program, plain_name(name)
        self.notes = require_playable(program)
        self.roles = program.roles
        self._wanted: Engine | None = engine or (None if network else "interpreter")
        self._share = 1.0

    def hurry(self, share: float = 0.15) -> None:
        """Give the compilers a share of their time only; what they do not finish in it is not remembered."""
        self._share = share

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, GdlRules):
            return NotImplemented
        return (self.fingerprint, self._wanted) == (other.fingerprint, other._wanted)

    def __hash__(self) -> int:
        return hash(self.fingerprint)

    def __reduce__(self) -> tuple[Callable[..., GdlRules], tuple[str, str, str, Engine | None]]:
        # Rules travel as their text; the file they came from may not exist where they arrive.
        sheet = self.program.sheet
        return _read_again, (sheet.text, sheet.file, self.name, self._wanted)

    @property
    def title(self) -> str:
        """The game's name; a rulesheet has no options."""
        return self.name

    @property
    def teams(self) -> bool:
        """Whether players form teams; roles of a rulesheet never do."""
        return False

    @property
    def player_names(self) -> tuple[str, ...]:
        """The roles."""
        return tuple(self.roles)

    @cached_property
    def network(self) -> Network:
        """The compiled network, from the disk cache where possible."""
        if self._wanted not in (None, "network"):
            return Network(why="another engine was asked for")
        path = folder() / f"{self._digest()}{'-wanted' if self._wanted else ''}.json.gz"
        found = read_network(path)
        if found is None:
            found = self._network()
            if found.source or self._share == 1:
                keep(path, found)
        return found

    def _network(self) -> Network:
        tuples = 0.0 if self._wanted else most_tuples(self.program, ESTIMATE_SECONDS)
        if tuples > MOST_TUPLES:
            return Network(why=f"a relation has about {tuples:,.0f} tuples")
        return make_network(self.program, self.name, SECONDS * self._share)

    @cached_property
    def compiled(self) -> CompiledRules:
        """The compiled rules, from the disk cache where possible; without source where something else plays."""
        if self._wanted not in (None, "compiled"):
            return CompiledRules(why="another engine was asked for")
        if self._wanted is None and self.network.source:
            return CompiledRules(why="there is a network")
        path = folder() / f"{self._digest()}-rules.json.gz"
        found = read_rules(path)
        if found is None:
            found = compile_rules(self.program, self.name, RULES_SECONDS * self._share)
            if found.source or self._share == 1:
                keep(path, found)
        return found

    def _digest(self) -> str:
        return hashlib.sha256(f"{own_version()}\n{self.name}\n{self.fingerprint}".encode()).hexdigest()[:24]

    @cached_property
    def interpreter(self) -> Interpreter:
        """The reference for the same rules."""
        return Interpreter(self.program)

    @property
    def engine(self) -> Engine:
        """The engine that plays the game."""
        return "network" if self.network.source else "compiled" if self.compiled.source else "interpreter"

    @property
    def why(self) -> str:
        """Why the game has no network, and why its rules are not compiled, if so; otherwise empty."""
        if self._wanted is not None or self.network.source:
            return ""
        reason = f"no network: {self.network.why}"
        return reason if self.compiled.source else f"{reason}; no compiled rules: {self.compiled.why}"

    @cached_property
    def source(self) -> str:
        """The text of the kernels."""
        made = self.network.source or self.compiled.source
        return made or fallback_source(self.program.sheet.text, self.name, self._fallback_sizes())

    def _fallback_sizes(self) -> dict[str, int]:
        roles = len(self.roles)
        room = max(1024, 4 * len(self.interpreter.initial()))
        return {
            "STATE_SIZE": 3 + 2 * roles + room,
            "MAX_MOVES": 8192,
            "WORK_SIZE": 1,
            "CHOICE": 2 + roles,
            "COUNT": 2 + 2 * roles,
        }

    @cached_property
    def _sizes(self) -> dict[str, int]:
        return self.network.sizes or self.compiled.sizes or self._fallback_sizes()

    @property
    def n_players(self) -> int:
        """Number of players."""
        return len(self.roles)

    @property
    def state_size(self) -> int:
        """Numbers in a state row."""
        return self._sizes["STATE_SIZE"]

    @property
    def move_size(self) -> int:
        """Numbers in a move row: the move and the role that makes it."""
        return 2

    @property
    def max_moves(self) -> int:
        """Upper bound on the legal moves of a position."""
        return self._sizes["MAX_MOVES"]

    @property
    def work_size(self) -> int:
        """Numbers of scratch space."""
        return self._sizes["WORK_SIZE"]

    @property
    def fields(self) -> dict[str, int]:
        """Start of each field in a row.

        GOAL has one number per role, -1 where there is no single value. OVER is 1 where the rules say so, 2 where some
        role has no move, and 3 where compiled rules had too little room to find out what holds.
        """
        return {"MOVER": 0, "OVER": 1, "GOAL": 2, "CHOICE": self._sizes["CHOICE"]}

    @property
    def dtype(self) -> type[np.signedinteger[Any]]:
        """The integers of rows in machine code."""
        return np.int32

    @cached_property
    def fingerprint(self) -> str:
        """The same for rulesheets that are the same but for comments and blanks."""
        text = "\n".join(str(node.term) for node in self.program.sheet.nodes)
        return hashlib.sha256(f"gdl\n{text}".encode()).hexdigest()

    def tidy(self, rows: NDArray[Any]) -> NDArray[Any]:
        """Moves as they are; every number of them means something."""
        return rows.copy()

    def move_texts(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The moves as terms."""
        del state
        return [self.move_text(int(row[0])) for row in rows]

    def move_labels(self, state: NDArray[Any], rows: NDArray[Any]) -> list[str]:
        """The moves as terms without the outer brackets: ``claim 2 3``."""
        return [text[1:-1] if text.startswith("(") else text for text in self.move_texts(state, rows)]

    def move_text(self, number: int) -> str:
        """The term of a move."""
        if self.network.source:
            return self._texts[number]
        if self.compiled.source:
            return _named(self.compiled.moves, number)
        text: str = self._host.moves[number]
        return text

    @cached_property
    def _texts(self) -> dict[int, str]:
        return {number: text for role in self.network.moves for number, text in role}

    @cached_property
    def _host(self) -> Any:
        return host(self.program.sheet.text)

    def role_moves(self, role: int) -> list[str]:
        """All moves that a role may ever have, where there is a network."""
        return [text for _, text in self.network.moves[role]]

    def facts(self, state: NDArray[Any]) -> list[str]:
        """The facts that hold in a state, sorted."""
        if self.engine == "interpreter":
            held: list[str] = self._host.fact_texts(state, self._sizes["COUNT"])
            return held
        bits = self._sizes["BITS"]
        if self.engine == "compiled":
            numbers = [
                WORD_BITS * word + bit
                for word in range(self._sizes["WORDS"])
                for bit in range(WORD_BITS)
                if int(state[bits + word]) >> bit & 1
            ]
            return sorted(_named(self.compiled.facts, number) for number in numbers)
        return sorted(
            fact
            for number, fact in enumerate(self.network.facts)
            if int(state[bits + number // WORD_BITS]) >> number % WORD_BITS & 1
        )

    def pieces(self, state: NDArray[Any]) -> dict[int, str | list[str]]:
        """Empty: a rulesheet has no board."""
        del state
        return {}

    def picture(self, state: NDArray[Any]) -> str:
        """The facts that hold, one a line, and the choices that wait for others."""
        lines = self.facts(state)
        for role, name in enumerate(self.roles):
            chosen = int(state[self._sizes["CHOICE"] + role])
            if chosen:
                lines.append(f"{name} has chosen {self.move_text(chosen - 1)}")
        return "\n".join(lines)

    @cached_property
    def _board(self) -> SheetBoard:
        """The board that facts speak of; none where facts are not known beforehand."""
        return find_board([parts(fact) for fact in self.network.facts]) if self.engine == "network" else SheetBoard()

    @cached_property
    def geometry(self) -> Geometry:
        """The board that facts speak of, as squares; without sites where there is none."""
        return sheet_geometry(self._board)

    @property
    def kinds(self) -> tuple[tuple[int, str], ...]:
        """Empty: a rulesheet does not list pieces."""
        return ()

    def figures(self, state: NDArray[Any]) -> dict[int, list[Figure]]:
        """Figures on the board, from the facts, by site."""
        return sheet_figures(self.facts(state), self._board, self.roles) if self._board.real else {}

    def move_sites(self, state: NDArray[Any], move: NDArray[Any]) -> MoveSites:
        """The cells that a move names."""
        return sheet_move_sites(self.move_text(int(move[0])), self._board, int(state[self.fields["MOVER"]]))

    def dice(self, state: NDArray[Any], after: NDArray[Any]) -> list[Die]:
        """Empty: this language has no dice."""
        return []

    def tensors(self) -> TensorPlan:
        """The plan of tensors of positions and moves; only networks know all facts and moves beforehand."""
        if self.engine != "network":
            raise LudoportError(f"{self.name} has no tensors, because it has no network: {self.network.why}")
        return plan_tensors(self.network.facts, self.network.moves, self.roles, self.name)


def load_rules(
    source: str | Path, name: str | None = None, network: bool = True, engine: Engine | None = None
) -> GdlRules:
    """Read a rulesheet.

    Args:
        source: a path, or the text itself (which contains a parenthesis).
        name: the game's name; otherwise that of the file.
        network: whether to compile anything.
        engine: what is to play, if that is not to be found out.

    Example:
        >>> load_rules("(role a) (legal a wait) (init p) (<= terminal (true q)) (next q) (goal a 100)").roles
        ['a']
    """
    if isinstance(source, str) and "(" in source:
        return GdlRules(read_program(Sheet(source, plain_name(name or "rules"))), name or "rules", network, engine)
    path = Path(source)
    try:
        text = path.read_text()
    except OSError as error:
        raise LudoportError(f"cannot read {path}: {error.strerror}") from None
    except UnicodeDecodeError:
        raise LudoportError(f"{path} is not a text file") from None
    return GdlRules(read_program(Sheet(text, plain_name(path.name))), name or path.stem, network, engine)


@lru_cache(maxsize=32)
def _read_again(text: str, file: str, name: str, engine: Engine | None) -> GdlRules:
    return GdlRules(read_program(Sheet(text, file)), name, engine=engine)


def _named(names: list[Named], number: int) -> str:
    """The term with a number; shapes are in the order of their first numbers."""
    return next(named for named in reversed(names) if named.first <= number).term(number)
