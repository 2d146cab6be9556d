"""Functions of a match: what a game of it is worth, and those that call the kernels of the current game."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from ludoport.errors import LudError, UnsupportedError
from ludoport.kernels import library
from ludoport.kernels.source import Function
from ludoport.lud.tree import Ludeme, Value
from ludoport.ludemes.contract_values import write_utility
from ludoport.ludemes.core.part import LARGEST, MOST_INSTANCES, Part
from ludoport.ludemes.core.phases import Course
from ludoport.ludemes.core.program import Program
from ludoport.ludemes.core.registry import number
from ludoport.ludemes.meanings.ending import end_rules

PLAIN = ("OVER", "RANK", "SCORE", "INSTANCE", "TRIALS", "FIRST", "MOVER", "NEXT", "PREV", "PLY", "TURN")
"""Fields that the rules around the games may ask for."""

_CELL = re.compile(r"\bstate\[([A-Z][A-Z0-9_]*)")
_CALLED = re.compile(r"\b([a-z]\w*)\(")
_OF_FRAMES = {"wide", "range", "min", "max", "abs", *library.PARTS} - {"chance", "next_luck"}
"""Functions that the rules around the games may call."""


def refuse_in_match(course: Course) -> None:
    """Refuse a game that is not implemented as a part of a match."""
    program, root = course.program, course.program.description.root
    hidden = any(node.keyword.startswith("set Hidden") for node in root.walk())
    others = (
        ("simultaneous moves", program.together),
        ("no players", program.simulation),
        ("the rule `swap`", "swap" in course.meta),
        ("hidden pieces", hidden),
    )
    for what, there in others:
        if there:
            raise UnsupportedError(f"a game with {what} in a match is not implemented yet", root.source)


def write_worth(course: Course) -> None:
    """Write what the game adds to the match score of a player.

    The ``result:`` of the match counts for winners. Otherwise, of two players a winner gets 1, and both get 1 for a
    draw; of more players, each that has won gets 1.
    """
    program = course.program
    refuse_in_match(course)
    f = Function("game_worth", [], "what a player gets for this game in the match")
    cx = program.root(f)
    won = "state[RANK + player] == 2"
    if program.n_players > 2 and "win" in program.library:
        # Players who win later than the first one have won, too.
        program.state.want("WON", program.n_players + 2)
        won += " or state[WON + player] != 0"
    worth = program.description.root.get("result")
    with f.block(f"if {won}:"):
        f.line(f"return {1 if worth is None else number(worth, cx)}")
    f.line("return 2 - state[RANK + player] // 2" if program.n_players == 2 else "return 0")
    program.close(f, "player")


def with_winners(texts: Sequence[str]) -> list[str]:
    """The kernels of the library, of which ``win`` notes who has won."""
    rank = "    state[RANK + player] = 2 * best\n"
    return [text.replace(rank, f"{rank}    state[WON + player] = 1\n") for text in texts]


def write_frame(program: Program, end: Ludeme, following: Sequence[Value | None]) -> None:
    """Write the rules around the games.

    Args:
        program: the frame.
        end: the end rules of the match.
        following: the ``next:`` of each game.
    """
    f = Function("match_end", [], "end rules of the match")
    end_rules(end, program.root(f))
    f.line("return 0")
    program.close(f)
    f = Function("match_next", [], "the number of the next game")
    cx = program.root(f)
    for index, value in enumerate(following):
        with f.block(f"if state[INSTANCE] == {index}:"):
            chosen = (index + 1) % len(following) if value is None else number(value, replace(cx))
            if isinstance(chosen, int):
                if not 0 <= chosen < len(following):
                    where = getattr(value, "source", end.source)
                    raise LudError(f"`next:{chosen}` must be the number of a game: 0 to {len(following) - 1}", where)
                f.line(f"return {chosen}")
            else:
                f.line(f"chosen = wide({chosen})")
                f.line(f"return chosen if 0 <= chosen < {len(following)} else 0")
    f.line("return 0")
    program.close(f)
    program.library.add("draw")
    write_utility(program)
    _refuse_board(program, end)


def _refuse_board(program: Program, end: Ludeme) -> None:
    """Refuse rules around the games that ask for what only a game has."""
    functions = [f for f in program.module.functions if isinstance(f, Function)]
    lines = [line for f in functions for line in f.lines]
    asked = {name for line in lines for name in _CELL.findall(line)} - set(PLAIN)
    called = {name for line in lines for name in _CALLED.findall(line)}
    if asked or called - _OF_FRAMES - {f.name for f in functions}:
        raise UnsupportedError(
            "the rules of a match know match scores, players and the number of games played; "
            "asking for more is not implemented",
            end.source,
        )


def kernels(part: Part, shapes: Sequence[tuple[int, bool, bool]]) -> str:
    """The kernels of the match, as text.

    Args:
        part: the frame.
        shapes: for each game, the size of its moves, whether its scratch space has a cell for lists without room, and
            whether its start rules draw at random.
    """
    games = range(len(shapes))
    full = any(marks for _, marks, _ in shapes)
    work = [f"work[G{g}_WORK : G{g}_WORK + G{g}_WORK_SIZE]" for g in games]

    def each(call: str) -> str:
        """A call for the current game; G stands for its number, WORK for its scratch space."""
        lines = []
        for g in games:
            head = "if" if g == 0 else "elif"
            lines.append(f"    {head} game == {g}:")
            lines += [f"        {line}" for line in call.replace("WORK", work[g]).replace("G_", f"g{g}_").split("\n")]
            if shapes[g][1] and "work" in lines[-1]:
                lines += [
                    f"        if work[G{g}_WORK + G{g}_FULL] != 0:",
                    f"            work[G{g}_WORK + G{g}_FULL] = 0",
                    "            work[FULL] = MARK",
                ]
        return "\n".join(lines)

    spread = [f"    if game == {g}:\n        spread(moves, n, {shapes[g][0]}, game)" for g in games]
    setup = "\n".join(
        f"    {'if' if g == 0 else 'elif'} game == {g}:\n        for i in range(INSIDE, G{g}_STATE_SIZE):\n"
        f"            state[i] = G{g}_INITIAL[i]"
        for g in games
    )
    begins = [g for g in games if shapes[g][2]]
    begin = "\n".join(f"    if state[INSTANCE] == {g}:\n        g{g}_begin(state)" for g in begins)
    again = "    state[UNSEEN] = 1\n    begin(state)\n    next_luck(state)\n" if part.chance else ""
    given_up = "    if work[FULL] != 0:\n        state[OVER] = GIVEN_UP\n" if full else ""
    text = f'''
@kernel
def spread(moves, n, size, game):
    """Give the moves of a game the size that moves of the match have."""
    for k in range(n):
        i = n - 1 - k
        for j in range(size):
            c = size - 1 - j
            moves[i * MOVE_SIZE + c] = moves[i * size + c]
        for c in range(size, MOVE_SIZE):
            moves[i * MOVE_SIZE + c] = 0
        moves[i * MOVE_SIZE + GAME] = game
    return 0


@kernel
def to_next_game(move):
    """Write the move that begins the next game."""
    for c in range(MOVE_SIZE):
        move[c] = 0
    move[FROM] = -1
    move[TO] = -1
    move[GAME] = N_GAMES
    return 0


@kernel
def legal(state, moves, work):
    """The legal moves of the current game; after its end, the move that begins the next one."""
    n = 0
    if state[OVER] != 0:
        return 0
    if state[GAME_OVER] != 0:
        to_next_game(moves[0:MOVE_SIZE])
        return 1
    game = wide(state[INSTANCE])
{each("n = wide(G_legal(state, moves, WORK))")}
{chr(10).join(spread)}
    return n


@kernel
def sample(state, rng, move, moves, work):
    """One legal move, uniformly at random."""
    if state[GAME_OVER] != 0:
        to_next_game(move)
        return 0
    game = wide(state[INSTANCE])
    for c in range(MOVE_SIZE):
        move[c] = 0
{each("G_sample(state, rng, move, moves, WORK)")}
    move[GAME] = game
    return 0


@kernel
def play(state, move, work):
    """One move of the current game, or the beginning of the next one."""
    if state[GAME_OVER] != 0:
        next_game(state, work)
        return 0
    game = wide(state[INSTANCE])
{each("G_play(state, move, WORK)")}
{given_up}    return 0


@kernel
def next_game(state, work):
    """Match scores, the end rules of the match, then the start of the next game."""
    game = wide(state[INSTANCE])
    for player in range(1, N_PLAYERS + 1):
        worth = wide(0)
{_indented(each("worth = wide(G_game_worth(state, WORK, player))"))}
        state[SCORE + player] = max(-{LARGEST}, min({LARGEST}, state[SCORE + player] + worth))
    state[TRIALS] += 1
    state[FIRST] += 1
    match_end(state, work)
    if state[OVER] == 0 and state[TRIALS] >= {MOST_INSTANCES}:
        draw(state)
    if state[OVER] != 0:
        return 0
    game = wide(match_next(state, work))
    state[FIRST] += state[PLY]
    state[INSTANCE] = game
    for i in range(INSIDE, STATE_SIZE):
        state[i] = 0
{setup}
{again}    return 0


@kernel
def key(state):
    """A hash; equal positions have equal keys."""
    game = wide(state[INSTANCE])
    found = wide(0)
{each("found = wide(G_key(state))")}
    a = found & 0x7FFFFFFF
    b = (found >> 31) & 0x7FFFFFFF
    for i in range(FIRST + 1):
        v = (state[GAME_OVER] if i == FIRST else state[i]) & 0x7FFFFFFF
        a = ((a ^ v) * 0x01000193) & 0x7FFFFFFF
        b = ((b + (v & 0xFFFF) + 1) * 0x2C1B3C6D + (a >> 7)) & 0x7FFFFFFF
    return (b << 31) | a
'''
    if part.chance:
        text += f'''

@kernel
def begin(state):
    """Start rules of the current game that draw at random."""
{begin + chr(10) if begin else ""}    return 0
'''
    return text.strip()


def _indented(text: str) -> str:
    return "\n".join(f"    {line}" for line in text.split("\n"))
