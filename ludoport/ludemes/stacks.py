"""Stacks: several pieces on one site, with level 0 at the bottom.

A site keeps its height and the pieces of its levels; ``WHAT`` always holds the piece on top, so that everything that
only looks at the top works as in other games. Levels above the top hold 0. A level may hold 0 below the top as well:
the language lets a piece that is not there any more be moved, and what arrives is a level without a piece.

Where pieces are promoted, the language also loses track of which pieces a player owns: the list of a player's pieces
is then kept beside the stacks, with its entries that stand for nothing (see ``owned_apart``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numpy.typing import NDArray

from ludoport.errors import UnsupportedError
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.context import Cx, Expr
from ludoport.ludemes.primitives import join_empty, leave_empty, on_board
from ludoport.ludemes.registry import number

if TYPE_CHECKING:
    from ludoport.ludemes.compile import Compiled
    from ludoport.ludemes.program import Program
    from ludoport.ludemes.sinks import Sink
    from ludoport.ludemes.starting import Placement

HIGHEST = 32
"""No stack is kept higher than this, unless the board says that it has large stacks."""

HIGHEST_LARGE = 128
"""The same for boards with large stacks."""

_ADDING = {"move Add", "add", "move Shoot", "shoot", "insert", "move Claim", "claim"}


# The size of things ----------------------------------------------------------------------------------


def max_height(program: Program) -> int:
    """How many levels a site can hold."""
    known = getattr(program, "_max_height", None)
    if known is None:
        known = _find_height(program)
        program._max_height = known  # type: ignore[attr-defined]
        program.module.constant("MAX_HEIGHT", known)
    return int(known)


def _find_height(program: Program) -> int:
    """A bound for the height: from the text's own limit, or from the number of pieces in play."""
    from ludoport.ludemes.starting import placements

    root = program.description.root
    ceiling = HIGHEST_LARGE if program.board.options.large_stack else HIGHEST
    heights = [0] * program.n_sites
    total = 0
    for placed in placements(program):
        heights[placed.site] += placed.count
        total += placed.count
    highest = max(heights, default=0)
    adders = [node for node in root.walk() if node.kind == "moves" and node.keyword in _ADDING]
    moving = {"move", "fromTo", "move Hop", "move Step", "move Slide"}
    movers = any(node.kind == "moves" and node.keyword in moving for node in root.walk())
    if adders and not movers and all(_limit(node) for node in adders):
        return max(highest, *(_limit(node) for node in adders))
    if adders or any(node.get("copy") not in (None, False) for node in root.walk()):
        return max(highest, min(ceiling, total + program.n_board))
    asking = {"size Stack", "topLevel", "count Stack"}
    wide = program.hands or any(
        node.get("stack") is True or node.keyword in asking or node.get("byLevel") not in (None, False)
        for node in root.walk()
    )
    if not wide:
        # Nothing is meant to grow here: stacks come from the setup and from levels without a piece.
        return highest + 2
    return max(highest, min(ceiling, total), 1)


def _limit(node: Ludeme) -> int:
    """The height that an addition never exceeds because its condition asks for less, or 0."""
    for part in node.walk():
        if part.kind == "boolean" and part.keyword in ("<", "<="):
            size, bound = [*part.args.values(), None, None][:2]
            if isinstance(size, Ludeme) and size.keyword == "size Stack" and isinstance(bound, int):
                return bound + (1 if part.keyword == "<=" else 0)
    return 0


def owned_apart(program: Program) -> bool:
    """Whether the lists of owned pieces are kept beside the stacks because they can differ."""
    return bool(program.keys & {"moves:promote", "moves:move Promote"})


def owned_capacity(program: Program) -> int:
    """How many entries one player's list of pieces can have."""
    from ludoport.ludemes.starting import placements

    placed = [0] * (program.n_players + 2)
    for each in placements(program):
        placed[program.components[each.component].owner] += each.count
    adds = any(node.kind == "moves" and node.keyword in _ADDING for node in program.description.root.walk())
    return min(2 * max(placed) + 4 + (2 * program.n_board if adds else 0), 600)


def owned_base(program: Program, owner: Expr) -> str:
    """Code for the start of an owner's list, with only as many lists as there are owners."""
    first = min((c.owner for c in program.components[1:]), default=0)
    capacity = owned_capacity(program)
    if isinstance(owner, int):
        return str((owner - first) * capacity)
    return f"({owner} - {first}) * {capacity}" if first else f"{owner} * {capacity}"


def want_stacks(program: Program) -> None:
    """Positions keep stacks."""
    program.state.want("HEIGHT", program.n_sites)
    program.state.want("LEVELS", program.n_sites * max_height(program))


def want_owned(program: Program) -> int:
    """Positions keep lists of the owned pieces: where each is (an index into the levels) and what it is."""
    capacity = owned_capacity(program)
    owners = [c.owner for c in program.components[1:]]
    lists = max(owners) - min(owners) + 1
    program.state.want("N_OWNED", program.n_players + 2)
    program.state.want("OWNED", capacity * lists)
    program.state.want("OWNED_PIECE", capacity * lists)
    program.state.want("OWNED_HERE", program.n_sites)
    return capacity


def want_columns(program: Program, spare: int) -> bool:
    """Positions keep one number per component and site with a bit for each level; only where stacks just grow.

    Args:
        program: the game.
        spare: how many bits a number must have left, so that it can be shifted within 15 bits.
    """
    changes = {node.keyword for node in program.description.root.walk() if node.kind == "moves"}
    still = {*_ADDING, "or", "and", "if", "then", "moveAgain", "move Pass", "pass", "priority", "do", "move Select"}
    if not changes <= still or max_height(program) + spare > 15 or len(program.components) * program.n_board > 2000:
        return False
    program.state.want("COLUMNS", (len(program.components) - 1) * (program.n_board + 1))
    return True


# Looking ---------------------------------------------------------------------------------------------


def _index(program: Program, site: Expr, level: Expr) -> str:
    height = max_height(program)
    if isinstance(site, int) and isinstance(level, int):
        return str(site * height + level)
    start = str(site * height) if isinstance(site, int) else f"{site} * {height}"
    return start if level == 0 else f"{start} + {level}"


def _at_level(cx: Cx, site: Expr, level: Expr, field: str) -> Expr:
    """What a block of values holds for a level; 0 where the stack has no such level."""
    program = cx.program
    want_stacks(program)
    if isinstance(level, int) and level < 0:
        return 0
    if isinstance(site, int) and site < 0:
        return 0
    level = level if isinstance(level, int) else cx.name(level, "level")
    text = f"state[{field} + {_index(program, site, level)}]"
    tests = [] if isinstance(site, int) or site in cx.safe else [f"{site} >= 0"]
    if not isinstance(level, int):
        tests.append(f"0 <= {level} < state[HEIGHT + {site}]")
    elif level >= max_height(program) or field != "LEVELS":
        tests.append(f"{level} < state[HEIGHT + {site}]")
    return f"({text} if {' and '.join(tests)} else 0)" if tests else text


def what_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the component at a level of a site."""
    return _at_level(cx, site, level, "LEVELS")


def state_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the local state at a level of a site."""
    want_level_states(cx.program)
    return _at_level(cx, site, level, "STATES")


def value_at_level(cx: Cx, site: Expr, level: Expr) -> Expr:
    """Code for the value of the piece at a level of a site."""
    return _at_level(cx, site, level, "VALUES")


def want_level_states(program: Program) -> None:
    """Positions keep a local state for every level."""
    program.want_state()
    program.state.want("STATES", program.n_sites * max_height(program))


# Changing --------------------------------------------------------------------------------------------


def move_stacked(cx: Cx, frm: Expr, to: Expr, stack: bool, level: Value | None, end: Value | None = None) -> None:
    """Write the displacement of a whole stack, of the piece at a level, or of the piece on top.

    Args:
        cx: where the code goes.
        frm: the site that is left.
        to: the site that is reached.
        stack: whether everything moves.
        level: the level from which one piece moves; the top if not given.
        end: the level at which it is put into the other stack; on top if not given.
    """
    if end is not None:
        _refuse_inserting(cx, end)
        start = cx.name(number(level, cx), "level") if level is not None else f"state[HEIGHT + {frm}] - 1"
        cx.act("shift_into", frm, start, to, cx.name(number(end, cx), "level"))
    elif stack:
        cx.act("shift_stack", frm, to)
    elif level is not None:
        cx.act("shift_level", frm, cx.name(number(level, cx)), to)
    else:
        cx.act("shift", frm, to)


def insert_stacked(
    node: Ludeme, cx: Cx, site: Expr, piece: Expr, level: Value, state: Expr | None, count: Expr | None
) -> None:
    """Write the arrival of a piece at a level; those from there on move up."""
    _refuse_inserting(cx, level)
    if state is not None or count is not None:
        raise UnsupportedError("adding at a level with a state or a count is not implemented yet", node.source)
    cx.act("insert_piece", site, cx.name(number(level, cx), "level"), piece)


def _refuse_inserting(cx: Cx, level: Value) -> None:
    if owned_apart(cx.program):
        where = level.source if isinstance(level, Ludeme) else None
        raise UnsupportedError("putting pieces into a stack where pieces are promoted is not implemented yet", where)


def add_stacked(cx: Cx, site: Expr, piece: Expr, state: Expr | None, count: Expr | None, stack: bool) -> None:
    """Write the arrival of a piece, or of several, on top of a stack."""
    del stack
    if state is not None:
        want_level_states(cx.program)
    name, arguments = ("add_piece", (site, piece)) if state is None else ("add_with_state", (site, piece, state))
    if count is None or count == 1:
        cx.act(name, *arguments)
        return
    with cx.block(f"for {cx.fresh('k')} in range({count}):"):
        cx.act(name, *arguments)


def remove_stacked(cx: Cx, site: Expr, level: Value | None, count: Value | None = None) -> None:
    """Write the removal of the top piece or of one at a level; which of the two is decided when this is evaluated."""
    times = number(count, cx, 1)
    if level is None:
        if times == 1:
            cx.act("lift", site)
        else:
            with cx.block(f"for {cx.fresh('k')} in range({times}):"):
                cx.act("lift", site)
        return
    want_stacks(cx.program)
    at = cx.name(number(level, cx), "level")
    with cx.block(f"if state[HEIGHT + {site}] == {at} + 1:"):
        cx.act("lift", site)
    with cx.block("else:"):
        cx.act("lift_level", site, f"({at} if {at} > 0 else 0)" if not at.isdigit() else at)


def promote_stacked(cx: Cx, site: Expr, piece: Expr) -> None:
    """Write the change of the top piece into another."""
    cx.act("promote", site, piece)


def set_state_at_level(node: Ludeme, cx: Cx, sink: Sink, site: str, value: str) -> None:
    """Write the change of the local state of the top piece, or of the one at a level."""
    from ludoport.ludemes.moves_effects import effect

    want_level_states(cx.program)
    if node.get("level") is None:
        effect(node, cx, sink, "set_state", site, value)
    else:
        effect(node, cx, sink, "set_state_level", site, value, cx.name(number(node.args["level"], cx)))


# The kernels -----------------------------------------------------------------------------------------


def write_stack_primitives(program: Program) -> None:
    """Write the functions that change stacks."""
    want_stacks(program)
    if program.state.has("STATE"):
        want_level_states(program)
    if program.state.has("VALUE"):
        program.state.want("VALUES", program.n_sites * max_height(program))
    apart = program.state.has("N_OWNED")
    _write_levels(program)
    if apart:
        _write_owned(program)
    _write_changes(program, apart)


def _kept(program: Program) -> list[tuple[str, str]]:
    """The further values of a level: the field of the top and the block for all levels."""
    return [pair for pair in (("STATE", "STATES"), ("VALUE", "VALUES")) if program.state.has(pair[0])]


def _function(program: Program, name: str, params: str, comment: str) -> Function:
    function = Function(name, ["state", *params.split()], comment)
    program.module.functions.append(function)
    return function


def _show_top(program: Program, f: Function) -> None:
    """Write code that copies the level below ``h`` to the fields that hold the top."""
    with f.block("if h > 0:"):
        f.line("state[WHAT + s] = state[LEVELS + base + h - 1]")
        for top, levels in _kept(program):
            f.line(f"state[{top} + s] = state[{levels} + base + h - 1]")
    with f.block("else:"):
        f.line("state[WHAT + s] = 0")
        for top, _ in _kept(program):
            f.line(f"state[{top} + s] = 0")
        if program.state.has("EMPTY"):
            with f.block(on_board(program, "s") or "if True:"):
                join_empty(f, "s")


def _write_levels(program: Program) -> None:
    height = max_height(program)
    f = _function(program, "push", "s piece", "a level on top of a stack; whether there was room for it")
    f.line("h = state[HEIGHT + s]")
    with f.block(f"if h >= {height}:"):
        f.line("return 0")
    f.line(f"state[LEVELS + s * {height} + h] = piece")
    f.line("state[HEIGHT + s] = h + 1")
    f.line("state[WHAT + s] = piece")
    _count_levels(program, f, "+= 1")
    if program.state.has("COLUMNS"):
        with f.block("if True:" if on_board(program, "s") is None else f"if s < {program.n_board}:"):
            f.line(f"state[COLUMNS + (piece - 1) * {program.n_board + 1} + s] |= 1 << h")
    for top, levels in _kept(program):
        # A new level takes over what an earlier one left behind there.
        f.line(f"state[{top} + s] = state[{levels} + s * {height} + h]")
    if program.state.has("EMPTY"):
        with f.block("if h == 0:" if on_board(program, "s") is None else f"if h == 0 and s < {program.n_board}:"):
            leave_empty(f, "s")
    f.line("return 1")

    f = _function(program, "pop", "s", "take the level on top away")
    f.line("h = state[HEIGHT + s] - 1")
    with f.block("if h < 0:"):
        f.line("return 0")
    f.line(f"base = s * {height}")
    f.line("piece = state[LEVELS + base + h]")
    _count_levels(program, f, "-= 1")
    f.line("state[LEVELS + base + h] = 0")
    for _, levels in _kept(program):
        f.line(f"state[{levels} + base + h] = 0")
    f.line("state[HEIGHT + s] = h")
    _show_top(program, f)
    f.line("return piece")

    f = _function(program, "take", "s level", "take one level away; those above it come down")
    f.line("h = state[HEIGHT + s] - 1")
    with f.block("if h < 0:"):
        f.line("return 0")
    f.line(f"base = s * {height}")
    # Above the top there is no piece, but the level on top goes all the same.
    f.line("piece = state[LEVELS + base + level] if level <= h else 0")
    if program.state.has("N_LEVELS"):
        f.line("lost = piece if level <= h else state[LEVELS + base + h]")
        _count_levels(program, f, "-= 1", "lost")
    with f.block("for i in range(level, h):"):
        f.line("state[LEVELS + base + i] = state[LEVELS + base + i + 1]")
        for _, levels in _kept(program):
            f.line(f"state[{levels} + base + i] = state[{levels} + base + i + 1]")
    f.line("state[LEVELS + base + h] = 0")
    f.line("state[HEIGHT + s] = h")
    _show_top(program, f)
    f.line("return piece")


def _count_levels(program: Program, f: Function, change: str, piece: str = "piece") -> None:
    if program.state.has("N_LEVELS"):
        f.line(f"state[N_LEVELS + {program.owner_of(piece)}] {change}")


def _write_owned(program: Program) -> None:
    """The lists of owned pieces: entries may outlive the pieces they stand for."""
    height, capacity = max_height(program), owned_capacity(program)
    owners = sorted({c.owner for c in program.components[1:]})
    f = _function(program, "own", "piece s level", "note a piece of its owner at a level")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line("n = state[N_OWNED + owner]")
    with f.block(f"if n >= {capacity}:"):
        f.line("return 0")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line(f"state[OWNED + base + n] = s * {height} + level")
    f.line("state[OWNED_PIECE + base + n] = piece")
    f.line("state[N_OWNED + owner] = n + 1")
    f.line("state[OWNED_HERE + s] += 1")
    f.line("return 0")

    f = _function(program, "disown", "piece s level", "forget a piece at a level; entries above come down")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line(f"where = s * {height} + level")
    f.line("n = state[N_OWNED + owner]")
    f.line("here = state[OWNED_HERE + s]")
    f.line("i = 0")
    with f.block("while i < n and here > 0:"):
        with f.block("if state[OWNED + base + i] == where and state[OWNED_PIECE + base + i] == piece:"):
            f.line("n -= 1")
            f.line("here -= 1")
            f.line("state[OWNED + base + i] = state[OWNED + base + n]")
            f.line("state[OWNED_PIECE + base + i] = state[OWNED_PIECE + base + n]")
        with f.block("else:"):
            f.line("i += 1")
    f.line("state[N_OWNED + owner] = n")
    f.line("state[OWNED_HERE + s] = here")
    with f.block("if here > 0:"):
        f.line(f"end = (s + 1) * {height}")
        for owner in owners:
            with f.block(f"for i in range(state[N_OWNED + {owner}]):"):
                f.line(f"above = state[OWNED + {owned_base(program, owner)} + i]")
                with f.block("if above > where and above < end:"):
                    f.line(f"state[OWNED + {owned_base(program, owner)} + i] = above - 1")
    f.line("return 0")

    f = _function(program, "disown_all", "piece s", "forget all pieces of a kind on a site")
    f.line(f"owner = {program.owner_of('piece')}")
    f.line(f"base = {owned_base(program, 'owner')}")
    f.line("n = state[N_OWNED + owner]")
    f.line("i = 0")
    with f.block("while i < n:"):
        with f.block(f"if state[OWNED + base + i] // {height} == s and state[OWNED_PIECE + base + i] == piece:"):
            f.line("n -= 1")
            f.line("state[OWNED_HERE + s] -= 1")
            f.line("state[OWNED + base + i] = state[OWNED + base + n]")
            f.line("state[OWNED_PIECE + base + i] = state[OWNED_PIECE + base + n]")
        with f.block("else:"):
            f.line("i += 1")
    f.line("state[N_OWNED + owner] = n")
    f.line("return 0")


def _write_changes(program: Program, apart: bool) -> None:
    """What effects and moves do with stacks."""
    height = max_height(program)
    kept = _kept(program)
    wanted = program.primitives

    f = _function(program, "lift", "s", "take the piece on top of a stack away")
    f.line("piece = pop(state, s)")
    if apart:
        with f.block("if piece != 0:"):
            f.line("disown(state, piece, s, state[HEIGHT + s])")
    f.line("return 0")

    f = _function(program, "add_piece", "s piece", "a piece arrives on top of a stack")
    f.line("pushed = push(state, s, piece)")
    if apart:
        with f.block("if pushed != 0 and piece != 0:"):
            f.line("own(state, piece, s, state[HEIGHT + s] - 1)")
    f.line("return pushed")

    if wanted & {"lift_level", "clear_stack"}:
        f = _function(program, "lift_level", "s level", "take the piece at a level away")
        f.line("piece = take(state, s, level)")
        if apart:
            with f.block("if piece != 0:"):
                f.line("disown(state, piece, s, level)")
        f.line("return 0")
    if "clear_stack" in wanted:
        f = _function(program, "clear_stack", "s", "take one level after another away from the top")
        f.line("h = state[HEIGHT + s]")
        with f.block("if h > 0:"):
            f.line("lift(state, s)")
        with f.block("for i in range(h - 2, -1, -1):"):
            f.line("lift_level(state, s, i)")
        f.line("return 0")
    if "add_with_state" in wanted:
        f = _function(program, "add_with_state", "s piece value", "a piece arrives with a local state")
        with f.block("if add_piece(state, s, piece) != 0:"):
            f.line(f"state[STATES + s * {height} + state[HEIGHT + s] - 1] = value")
            f.line("state[STATE + s] = value")
        f.line("return 0")

    f = _function(program, "shift", "start end", "move the top piece onto another stack")
    with f.block("if start == end:"):
        f.line("return 0")
    f.line("piece = pop(state, start)")
    f.line("pushed = push(state, end, piece)")
    _note_shift(program, f, apart, "state[HEIGHT + start]")
    f.line("return 0")
    if wanted & {"insert_piece", "shift_into"}:
        _write_insertions(program)
    if "copy_piece" in wanted:
        f = _function(program, "copy_piece", "start end", "a piece like the top one arrives on another stack")
        f.line("return add_piece(state, end, state[WHAT + start])")
    if "shift_level" in wanted:
        f = _function(program, "shift_level", "start level end", "move the piece at a level onto another stack")
        with f.block("if start == end or level < 0:"):
            f.line("return 0")
        for top, levels in kept:
            f.line(f"{top.lower()} = state[{levels} + start * {height} + level] if level < {height} else 0")
        f.line("piece = take(state, start, level)")
        f.line("pushed = push(state, end, piece)")
        if kept:
            with f.block("if pushed != 0:"):
                f.line(f"last = end * {height} + state[HEIGHT + end] - 1")
                for top, levels in kept:
                    f.line(f"state[{top} + end] = {top.lower()}")
                    f.line(f"state[{levels} + last] = {top.lower()}")
        _note_shift(program, f, apart, "level")
        f.line("return 0")
    if wanted & {"shift_stack", "shift_some"}:
        _write_stack_moves(program, apart)
    if "promote" in wanted:
        f = _function(program, "promote", "s piece", "turn the top piece into another")
        with f.block("if state[HEIGHT + s] == 0:"):
            f.line("return 0")
        f.line("old = pop(state, s)")
        if apart:
            # The list forgets the old piece only where something stays below it.
            with f.block("if state[HEIGHT + s] != 0 and old != 0:"):
                f.line("disown(state, old, s, state[HEIGHT + s])")
        f.line("add_piece(state, s, piece)")
        f.line("return 0")
    if "set_state" in wanted:
        f = _function(program, "set_state", "s value", "set the local state of the top piece")
        with f.block("if state[HEIGHT + s] > 0:"):
            f.line("state[STATE + s] = value")
            f.line(f"state[STATES + s * {height} + state[HEIGHT + s] - 1] = value")
        f.line("return 0")
    if "set_state_level" in wanted:
        f = _function(program, "set_state_level", "s value level", "set the local state of the piece at a level")
        with f.block("if level >= 0 and level < state[HEIGHT + s]:"):
            f.line(f"state[STATES + s * {height} + level] = value")
            with f.block("if level == state[HEIGHT + s] - 1:"):
                f.line("state[STATE + s] = value")
        f.line("return 0")
    if "set_value_level" in wanted:
        f = _function(program, "set_value_level", "s value level", "set the value of the piece at a level")
        with f.block("if level >= 0 and level < state[HEIGHT + s]:"):
            f.line(f"state[VALUES + s * {height} + level] = value")
            with f.block("if level == state[HEIGHT + s] - 1:"):
                f.line("state[VALUE + s] = value")
        f.line("return 0")
    if "remove_later" in wanted:
        f = _function(program, "remove_later", "s", "remember a piece to remove when the turn ends")
        with f.block("if state[LATE + s] == 0:"):
            f.line("state[LATE + s] = 1")
            f.line("state[N_LATE] += 1")
        f.line("return 0")


def _write_insertions(program: Program) -> None:
    height = max_height(program)
    blocks = ["LEVELS", *(levels for _, levels in _kept(program))]
    f = _function(program, "insert_piece", "s level piece", "put a piece into a stack; levels from there on move up")
    f.line("h = state[HEIGHT + s]")
    with f.block("if level < 0 or level > h or push(state, s, piece) == 0:"):
        f.line("return 0")
    f.line(f"base = s * {height}")
    with f.block("for i in range(h, level, -1):"):
        for block in blocks:
            f.line(f"state[{block} + base + i] = state[{block} + base + i - 1]")
    f.line("state[LEVELS + base + level] = piece")
    for block in blocks[1:]:
        f.line(f"state[{block} + base + level] = 0")
    f.line("state[WHAT + s] = state[LEVELS + base + h]")
    for top, levels in _kept(program):
        f.line(f"state[{top} + s] = state[{levels} + base + h]")
    f.line("return 1")
    f = _function(program, "shift_into", "start level end above", "move the piece at a level into another stack")
    with f.block("if start == end or level < 0:"):
        f.line("return 0")
    f.line("piece = take(state, start, level)")
    f.line("insert_piece(state, end, above, piece)")
    f.line("return 0")


def _note_shift(program: Program, f: Function, apart: bool, level: str) -> None:
    if apart:
        with f.block("if piece != 0:"):
            with f.block("if pushed != 0:"):
                f.line("own(state, piece, end, state[HEIGHT + end] - 1)")
            f.line(f"disown(state, piece, start, {level})")
    if "last after" in program.wants:
        f.line("state[TRAIL_FROM] = start")
        f.line("state[TRAIL_TO] = end")


def _write_stack_moves(program: Program, apart: bool) -> None:
    height = max_height(program)
    kept = _kept(program)
    f = _function(program, "shift_some", "start end count", "move the top levels of a stack in their order")
    f.line("h = state[HEIGHT + start]")
    with f.block("if start == end or count <= 0 or h < count:"):
        f.line("return 0")
    with f.block("for i in range(h - count, h):"):
        f.line(f"piece = state[LEVELS + start * {height} + i]")
        f.line("pushed = push(state, end, piece)")
        if kept:
            with f.block("if pushed != 0:"):
                f.line(f"last = end * {height} + state[HEIGHT + end] - 1")
                for top, levels in kept:
                    f.line(f"state[{levels} + last] = state[{levels} + start * {height} + i]")
                    f.line(f"state[{top} + end] = state[{levels} + last]")
        if apart:
            with f.block("if piece != 0 and pushed != 0:"):
                f.line("own(state, piece, end, state[HEIGHT + end] - 1)")
    with f.block("for i in range(count):"):
        f.line("lift(state, start)")
    if "last after" in program.wants:
        f.line("state[TRAIL_FROM] = start")
        f.line("state[TRAIL_TO] = end")
    f.line("return 0")
    f = _function(program, "shift_stack", "start end", "move a whole stack onto another")
    with f.block("if start == end:"):
        f.line("return 0")
    if apart:
        with f.block("for i in range(state[HEIGHT + start]):"):
            f.line(f"piece = state[LEVELS + start * {height} + i]")
            with f.block("if piece != 0:"):
                f.line("disown_all(state, piece, start)")
    f.line("return shift_some(state, start, end, state[HEIGHT + start])")


# Setup and texts -------------------------------------------------------------------------------------


def setup_line(program: Program, placed: Placement) -> list[str]:
    """The calls that put pieces on a site before the game."""
    lines = []
    for _ in range(placed.count):
        lines.append(f"add_piece(state, {placed.site}, {placed.component})")
        for value, top, levels in ((placed.state, "STATE", "STATES"), (max(placed.value, 0), "VALUE", "VALUES")):
            if value and program.state.has(top):
                last = f"{placed.site * max_height(program)} + state[HEIGHT + {placed.site}] - 1"
                lines.append(f"state[{levels} + {last}] = {value}")
                lines.append(f"state[{top} + {placed.site}] = {value}")
    return lines


def stack_texts(compiled: Compiled, row: NDArray[Any]) -> dict[int, str | list[str]]:
    """The pieces of every stack from the bottom to the top."""
    program, fields = compiled.program, compiled.fields
    height = max_height(program)
    found: dict[int, str | list[str]] = {}
    for site in range(program.n_sites):
        levels = []
        for level in range(int(row[fields["HEIGHT"] + site])):
            index = site * height + level
            piece = int(row[fields["LEVELS"] + index])
            # The notation leaves out local states within stacks.
            levels.append(program.components[piece].name if piece else "what0")
        if levels:
            found[site] = levels
    return found
