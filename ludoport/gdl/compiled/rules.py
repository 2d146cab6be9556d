"""Rulesheets that are too large for a network: the rules themselves become kernels."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field

import numpy as np

from ludoport.gdl.compile import TableWriter
from ludoport.gdl.compiled.domains import World, explore
from ludoport.gdl.compiled.flat import LEAF, Flat, FlatRule, Flattener, Shape
from ludoport.gdl.compiled.functions import HASHED_BITS, Maker
from ludoport.gdl.compiled.listing import Op, room_for
from ludoport.gdl.compiled.machine import MACHINE
from ludoport.gdl.compiled.memory import MEMORY
from ludoport.gdl.compiled.steps import Code, Emit, Env
from ludoport.gdl.compiled.text import RULES
from ludoport.gdl.kif import Term, is_number, term_text
from ludoport.gdl.layout import WORD_BITS
from ludoport.gdl.limits import Clock, TooLarge
from ludoport.gdl.long_tables import call_readers
from ludoport.gdl.program import SheetProgram
from ludoport.gdl.shared_text import GOALS, joined, row_constants
from ludoport.kernels.build import plain_functions
from ludoport.kernels.library import ALWAYS, entries
from ludoport.kernels.room import GIVEN_UP, MARK
from ludoport.kernels.source import quoted
from ludoport.kernels.table_text import UNPACKING

HEAP_SIZE = 1 << 18
"""Numbers for lists of answers in one state."""

STACK_SIZE = 1 << 14
"""Numbers for the registers of functions that call each other."""

MOST_MOVES = 1 << 30
"""Moves of all roles must have different numbers below this."""

MOST_STEPS = 200_000_000
"""Steps of the machine for one question about a state: a second or two. The games known need a thousandth of it."""

PLAIN_STEPS = 100_000
"""Steps that plain Python makes in a second, or fewer."""

LEAST_ROOM = 1024
"""Least number of legal moves that there is room for, unless there are fewer."""


@dataclass(slots=True)
class Named:
    """Terms of one shape: the term with number ``first + k`` has the k-th combination of constants."""

    first: int
    shape: Shape
    constants: list[list[str]]

    def term(self, number: int) -> str:
        """The text of the term with a number."""
        place, chosen = number - self.first, list[str]()
        for names in reversed(self.constants):
            chosen.append(names[place % len(names)])
            place //= len(names)
        return term_text(_filled(self.shape, chosen))


@dataclass(slots=True)
class CompiledRules:
    """Stored form of compiled rules; ``why`` gives the reason if there are none."""

    source: str = ""
    sizes: dict[str, int] = field(default_factory=dict)
    facts: list[Named] = field(default_factory=list)
    moves: list[Named] = field(default_factory=list)
    why: str = ""


def compile_rules(program: SheetProgram, name: str, seconds: float) -> CompiledRules:
    """Compile the rules of a program; the result says why that cannot be done, if so."""
    try:
        clock = Clock(seconds, "compiling the rules")
        return Assembler(program, explore(Flattener(program, clock).run(), clock), clock).run(name)
    except (TooLarge, RecursionError, MemoryError) as error:
        return CompiledRules(why=str(error) or type(error).__name__)


class Assembler:
    """Puts the kernels of one rulesheet together."""

    def __init__(self, program: SheetProgram, world: World, clock: Clock) -> None:
        self.roles, self.world = program.roles, world
        self.maker, self.clock = Maker(world, clock), clock
        self.listing = self.maker.listing
        self.out = TableWriter()
        self.fluents = [flat for flat in self.maker.store.relations if flat.key == "true/1"]
        self.legals = [flat for flat in world.domains if flat.key == "legal/2" and all(world.domains[flat])]

    def run(self, name: str) -> CompiledRules:
        """The compiled rules."""
        self._shape()
        self._program()
        self._tables()
        self._rooms()
        head = quoted(f"{name}: its rules as a program, and the machine that runs it") + "\n"
        head += f"{UNPACKING}\nimport numpy as np\n"
        common = call_readers(joined(MEMORY, MACHINE, RULES, GOALS), self.out.readers)
        body = "\n\n".join([ALWAYS.strip(), *self.out.readers.values(), common, entries()])
        row, count = self._initial(f"{head}\n\n{self.out.text()}\n\n{body}\n")
        self._move_room(min(self._moves, max(LEAST_ROOM, 4 * count)))
        initial = f"INITIAL = np.array([{','.join(map(str, row))}], dtype=np.int32)"
        source = f"{head}\n\n{self.out.text()}\n\n{body}\n\n{initial}\n"
        return CompiledRules(source, dict(self.out.constants), self._names(self.fluents), self._names(self.legals))

    def _shape(self) -> None:
        """Places of facts in a row, and the numbers of moves."""
        roles, words = len(self.roles), [0]
        for flat in self.fluents:
            words.append(words[-1] + -(-room_for(self.world.domains[flat]) // WORD_BITS))
        self.out.table("FACT_WORD", words)
        self._first_fact = {flat: WORD_BITS * word for flat, word in zip(self.fluents, words, strict=False)}
        self._first_move: dict[Flat, int] = {}
        self._moves = 0
        for flat in self.legals:
            if flat.shapes[0] != LEAF:
                raise TooLarge("a role is a compound term")
            self._first_move[flat] = self._moves
            self._moves += room_for(self.world.domains[flat][1:])
        if len(self.roles) * self._moves > MOST_MOVES:
            raise TooLarge(f"there are {self._moves:,} moves")
        if not self._moves:
            raise TooLarge("there are no moves")
        self.out.constants |= {
            **row_constants(roles, max(1, words[-1])),
            "ALL_MOVES": self._moves,
            "WORD_BITS": WORD_BITS,
            "FLUENTS": len(self.fluents),
            "DONE_ROW": 1 + max(flat.arity for flat in self.legals),
            "HASH_SHIFT": 32 - HASHED_BITS,
            "TURN_OVER": 1 << 29,
            "MOST_STEPS": MOST_STEPS,
            "GIVEN_UP": GIVEN_UP,
            "MARK": MARK,
        }

    def _program(self) -> None:
        """The parts of the program that kernels start, then the functions that these call."""
        for key, name, emit in (
            ("next/1", "EACH_NEXT", self._put),
            ("legal/2", "EACH_LEGAL", self._move),
            ("goal/2", "EACH_GOAL", self._goal),
            ("terminal", "IS_TERMINAL", self._terminal),
        ):
            self.out.constants[name] = len(self.listing.code)
            code = Code(self.maker)
            for flat in [flat for flat in self.world.rules if flat.key == key]:
                for rule in self.world.rules[flat]:
                    self.maker.rule(code, rule, "f" * flat.arity, {}, emit(rule))
            self.listing.emit(Op.HALT, 0)
            code.finish()
        self.maker.finish()

    def _put(self, rule: FlatRule) -> Emit:
        held = Flat("true/1", rule.head.flat.shapes)

        def emit(code: Code, env: Env) -> None:
            values = [code.value(term, env) for term in rule.head.args]
            place = self.listing.place(self.world.domains[held], values, self._first_fact[held])
            assert place is not None
            self.listing.emit(Op.PUT, place)

        return emit

    def _move(self, rule: FlatRule) -> Emit:
        flat = rule.head.flat

        def emit(code: Code, env: Env) -> None:
            role, *values = [code.value(term, env) for term in rule.head.args]
            place = self.listing.place(self.world.domains[flat][1:], values, self._first_move[flat])
            assert place is not None
            self.listing.emit(Op.MOVE, role, place)

        return emit

    def _goal(self, rule: FlatRule) -> Emit:
        shape = rule.head.flat.shapes[1]

        def emit(code: Code, env: Env) -> None:
            role = code.value(rule.head.args[0], env)
            if shape == LEAF:
                values = self.listing.store([_worth(name) for name in self.world.names])
                self.listing.emit(Op.GOAL, role, values, code.value(rule.head.args[1], env))
            else:
                self.listing.emit(Op.GOAL, role, -1, _worth(shape))

        return emit

    def _terminal(self, rule: FlatRule) -> Emit:
        del rule
        return lambda code, env: self.listing.emit(Op.HALT, 1)

    def _tables(self) -> None:
        out, world = self.out, self.world
        numbers = [world.numbers.get(role, -1) for role in self.roles]
        out.table("ROLE_CONSTANT", numbers)
        out.table("ROLE_OF", [numbers.index(n) if n in numbers else -1 for n in range(len(world.names))])
        out.constants["SHAPES"] = len(self.legals)
        out.table("MOVE_FIRST", [self._first_move[flat] for flat in self.legals])
        out.table("MOVE_SHAPE", [self.maker.does_shape(Flat("does/2", flat.shapes)) for flat in self.legals])
        out.table("MOVE_SIZE_OF", [flat.arity - 1 for flat in self.legals])
        parts = []
        for flat in self.legals:
            domains = world.domains[flat][1:]
            parts.append([x for position in range(len(domains)) for x in self.listing.part(domains, position)])
        out.rows("MOVE_PARTS", parts, "MOVE_PART")
        out.constants["IDLE_MOVE"] = self._idle()
        starts, rows = self.maker.store.tables()
        out.table("STORED_START", starts)
        out.table("STORED", rows)
        out.table("PROGRAM", self.listing.finished())
        out.table("DATA", self.listing.data)

    def _idle(self) -> int:
        """The number of the move that means to do nothing; -1 if there is none."""
        for flat in self.legals:
            for place, constant in enumerate(self.world.domains[flat][1] if flat.shapes[1] == LEAF else ()):
                if self.world.names[constant].lower() == "noop":
                    return self._first_move[flat] + place
        return -1

    def _rooms(self) -> None:
        out, roles, room = self.out.constants, len(self.roles), self.listing.room
        for name in ("TICK", "GENERATION", "TOP", "FAULT", "FULL", "SEEN", "LISTED", "MAGIC", "FOUND", "EMPTY"):
            out[name] = room(1)
        out["SHADOW"], out["NEW"] = room(out["WORDS"]), room(out["WORDS"])
        out["DONE"] = room(roles * out["DONE_ROW"])
        out["ROLE_FIRST"], out["WORTH"] = room(roles + 1), room(roles)
        out["STACK"] = room(STACK_SIZE)
        out["STACK_END"] = out["HEAP"] = room(HEAP_SIZE)
        out["HEAP_END"] = out["MOVES"] = self.listing.work_size
        out["MOST_FRAME"] = 1 + self.maker.most_registers
        # Large enough for the first state of any game; the true numbers come when that has been looked at.
        self._move_room(min(self._moves, 1 << 16))
        digest = hashlib.sha256(repr([self.out.tables, out]).encode()).digest()
        out["MAGIC_NUMBER"] = int.from_bytes(digest[:4], "little") >> 2 | 1

    def _move_room(self, most: int) -> None:
        """Room for the moves of all roles; those that are found several times wait for the next sorting."""
        out = self.out.constants
        out["MAX_MOVES"] = most
        out["MOVES_ROOM"] = 2 * most * len(self.roles) + 64
        out["WORK_SIZE"] = out["MOVES"] + out["MOVES_ROOM"]

    def _initial(self, text: str) -> tuple[list[int], int]:
        """The initial row and the most moves that a role has in it, found in plain Python."""
        constants = self.out.constants
        row = np.zeros(constants["STATE_SIZE"], dtype=np.int64)
        for flat in self.fluents:
            table = self.world.static.get(Flat("init/1", flat.shapes))
            if table is None:
                continue
            places = np.zeros(table.length, dtype=np.int64)
            for column, domain in zip(table.columns, self.world.domains[flat], strict=True):
                places = places * len(domain) + np.searchsorted(np.array(domain), column)
            for fact in (places + self._first_fact[flat]).tolist():
                row[constants["BITS"] + fact // WORD_BITS] |= 1 << fact % WORD_BITS
        work = np.zeros(constants["WORK_SIZE"], dtype=np.int64)
        functions = plain_functions(text + "\nINITIAL = None\n")
        functions["MOST_STEPS"] = max(1, int(PLAIN_STEPS * self.clock.left))
        functions["load"](row, work)
        functions["settle"](row, work)
        functions["find_moves"](work)
        if work[constants["FAULT"]]:
            raise TooLarge("there is not enough room or time to work out the initial state")
        return row.tolist(), max(functions["count"](work, role) for role in range(len(self.roles)))

    def _names(self, flats: list[Flat]) -> list[Named]:
        found = []
        for flat in flats:
            legal = flat.key == "legal/2"
            domains = self.world.domains[flat][1:] if legal else self.world.domains[flat]
            first = self._first_move[flat] if legal else self._first_fact[flat]
            constants = [[self.world.names[number] for number in domain] for domain in domains]
            found.append(Named(first, flat.shapes[1] if legal else flat.shapes[0], constants))
        return found


def _worth(value: Shape) -> int:
    """A goal value as a number; -1 if it is none."""
    return int(value) if isinstance(value, str) and is_number(value) else -1


def _filled(shape: Shape, values: list[str]) -> Term:
    """A shape with constants in it; they are taken from the end of ``values``."""
    if isinstance(shape, str):
        return values.pop() if shape == LEAF else shape
    return (shape[0], *(_filled(part, values) for part in shape[1:]))
