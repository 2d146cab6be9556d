"""Positions as planes of a tensor, and the places of moves; words in braces are filled in for a board."""

from __future__ import annotations

from ludoport.kernels.tensors import FILL_PLANE

WORD_PLANES = '''
@kernel
def draw_squares(squares, plane, out):
    """Write a set of squares into a plane that is clear."""
    while squares != 0:
        out[plane * TENSOR_CELLS + wide(TENSOR_CELL[lowest(squares)])] = 1
        squares = rest(squares)
    return 0


@kernel
def planes(state, history, out):
    """Write the state tensor into a row."""
    for c in range(0 + LANE, {drawn} * TENSOR_CELLS, LANES):
        out[c] = 0
    lanes_wait()
    for player in range(2):
        own = wide(state[WHITE + player])
        for kind in range(6):
            draw_squares(wide(state[kind]) & own, 2 * kind + player, out)
    if MERGING:
        draw_squares(wide(state[MERGED]), wide({merged}), out)
    if CASTLING:
        draw_squares(wide(state[CASTLES]), wide({castles}), out)
    if DOUBLE_STEP:
        draw_squares(wide(state[PASSANT]), wide({passant}), out)
    return draw_rest(state, history, out)
'''
"""For boards whose rows hold sets of squares."""

SQUARE_PLANES = '''
@kernel
def planes(state, history, out):
    """Write the state tensor into a row."""
    for c in range(0 + LANE, {drawn} * TENSOR_CELLS, LANES):
        out[c] = 0
    lanes_wait()
    for site in range(SITES):
        code = wide(state[site])
        if code != 0:
            cell = wide(TENSOR_CELL[site])
            for kind in range(6):
                if (code >> kind) & 1 != 0:
                    out[(2 * kind + (code >> 7) - 1) * TENSOR_CELLS + cell] = 1
            if MERGING:
                if code & 64 != 0:
                    out[{merged} * TENSOR_CELLS + cell] = 1
    if CASTLING:
        for i in range(4):
            rook = wide(state[CASTLES + i])
            if rook >= 0:
                out[{castles} * TENSOR_CELLS + wide(TENSOR_CELL[rook])] = 1
    if DOUBLE_STEP:
        passed = wide(state[PASSANT])
        if passed >= 0:
            out[{passant} * TENSOR_CELLS + wide(TENSOR_CELL[passed])] = 1
    return draw_rest(state, history, out)
'''
"""For boards whose rows hold a number for each square."""

TENSORS = (
    FILL_PLANE
    + '''

@kernel
def draw_rest(state, history, out):
    """Planes that do not show pieces: last moves, clock, player to move, and the board itself."""
    for i in range(TENSOR_HISTORY):
        site = wide(history[i])
        if site >= 0:
            out[({last} + i) * TENSOR_CELLS + wide(TENSOR_CELL[site])] = 1
    for i in range({clocks}):
        fill_plane({clock} + i, 1 if wide(state[CLOCK]) >= {step} * (i + 1) else 0, out)
    for player in range(2):
        fill_plane({mover} + player, 1 if wide(state[MOVER]) == player + 1 else 0, out)
    fill_plane(wide({board}), 1, out)
    return 0


@kernel
def landing(move):
    """Where a move ends; a castling king on its own new square."""
    source = move & 1023
    target = (move >> 10) & 1023
    if move >> 27 == 2:
        return source - source % {stride} + (WIDTH - 2 if target > source else 2)
    return target


@kernel
def slot(state, move):
    """The index of a move in the flat tensor of moves."""
    code = wide(move[0])
    source = code & 1023
    target = landing(code)
    kind = (code >> 20) & 7
    promotion = (code >> 24) & 7
    style = wide(0)
    if (code >> 23) & 1 != 0:
        style = 1 + kind
    elif kind == 0 and 1 <= promotion <= 3:
        style = 5 + promotion
    elif kind == 6 and code >> 27 == 1:
        style = wide(9)
    dx = min(max(target % {stride} - source % {stride}, -{clip}), {clip}) + {clip}
    dy = min(max(target // {stride} - source // {stride}, -{clip}), {clip}) + {clip}
    channel = wide(TENSOR_WAY[(style * {side} + dx) * {side} + dy])
    return channel * TENSOR_CELLS + wide(TENSOR_CELL[target])


@kernel
def remember_move(history, state, move):
    """The move to be played becomes the last one."""
    code = wide(move[0])
    history[2] = history[0]
    history[3] = history[1]
    history[0] = code & 1023
    history[1] = landing(code)
    return 0
'''
)
