"""Dice in a row: the face that each die shows, what is left to use of it, and whether all showed the same face."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.ludemes.fields.actions import primitives, state_function

if TYPE_CHECKING:
    from ludoport.ludemes.core.program import Program


def all_faces(program: Program) -> list[tuple[int, ...]]:
    """The faces of all dice of a game, container by container."""
    return [faces for dice in program.dice for faces in dice.faces]


def want_dice(program: Program) -> None:
    """Positions keep the dice."""
    count = len(all_faces(program))
    if count and not program.state.has("DICE"):
        program.wants.add("dice")
        program.state.want("DICE", count)
        program.state.want("FACES", count)
        program.state.want("DICE_EQUAL")


def face_tables(program: Program) -> tuple[str, int]:
    """A table of the numbers on all faces, and how many entries it has for each die."""
    faces = all_faces(program)
    width = max(map(len, faces))
    return program.module.table("FACE_VALUE", [[*each, *[0] * (width - len(each))] for each in faces]), width


def kept_double(program: Program) -> bool:
    """Whether the variable without a name may hold the value of a double, which moves with any die look at."""
    return program.memo(_kept_double)


def _kept_double(program: Program) -> bool:
    every = list(program.description.root.walk())
    doubles = any(node.key == "moves:forEach Die" and node.peek("replayDouble") not in (None, False) for node in every)
    return doubles or any(node.key == "moves:set Var" and node.peek("name") is None for node in every)


def dice_setup(program: Program) -> list[str]:
    """Lines by which each die shows its first face."""
    if "dice" not in program.wants:
        return []
    return [f"state[DICE + {k}] = {faces[0]}" for k, faces in enumerate(all_faces(program)) if faces[0] != 0]


@primitives
def write_dice(program: Program) -> None:
    """Write the primitives about dice."""
    if "dice" not in program.wants:
        return
    values, width = face_tables(program)
    count = len(all_faces(program))
    if "roll_dice" in program.primitives:
        sizes = program.module.table("SIDES", [len(faces) for faces in all_faces(program)])
        f = state_function(program, "roll_dice", "", "roll all dice")
        f.line("equal = 1")
        with f.block(f"for i in range({count}):"):
            f.facts["face"] = (0, width - 1)
            f.line(f"face = chance(state, {sizes}[i], i)")
            f.line("state[FACES + i] = face")
            f.line(f"state[DICE + i] = {values}[i * {width} + face]")
            with f.block("if face != state[FACES]:"):
                f.line("equal = 0")
        f.line("state[DICE_EQUAL] = equal")
        f.line("return 0")
    if {"use_dice", "use_double"} & program.primitives:
        f = state_function(program, "use_dice", "used", "take the value of the dice that are bits of a number")
        with f.block(f"for i in range({count}):"), f.block("if (used >> i) & 1 != 0:"):
            f.line("state[DICE + i] = 0")
        f.line("return 0")
    if "use_double" in program.primitives:
        _write_double(program, values, width)


def _write_double(program: Program, values: str, width: int) -> None:
    """A double is played twice: the variable without a name keeps its value until all dice come back.

    Dice also come back when another generator uses them while the value is kept.
    """
    f = state_function(program, "use_double", "used first count twice", "use dice; those of a double come back once")
    f.facts.update(first=(0, 0), count=(0, program.state.fields["DICE"]), twice=(0, 1))
    f.line("value = state[DICE + first]")
    f.line("equal = 1")
    with f.block("for i in range(first + 1, first + count):"), f.block("if state[DICE + i] != value:"):
        f.line("equal = 0")
    f.line("use_dice(state, used)")
    with f.block("if equal != 0 and twice != 0:"):
        f.line("state[VAR] = value if state[VAR] == -1 else -1")
    with f.block(f"elif 1 <= state[VAR] <= {width}:"):
        f.line("face = state[VAR] - 1")
        with f.block("for i in range(first, first + count):"):
            f.line("state[FACES + i] = face")
            f.line(f"state[DICE + i] = {values}[i * {width} + face]")
    f.line("return 0")
