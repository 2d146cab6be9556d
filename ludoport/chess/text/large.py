"""Chess and Chessplus on boards of more than 64 squares: one number a square, and moves that are tried."""

LARGE = '''
@kernel
def attacked(state, square, by):
    """Whether a player attacks a square."""
    for way in range(8):
        sliders = wide(16 | (8 if way < 4 else 4))
        target = wide(NEIGHBOURS[way * SITES + square])
        near = True
        while target >= 0:
            code = wide(state[target])
            if code != 0:
                if code >> 7 == by:
                    if code & sliders != 0 or (near and code & 32 != 0):
                        return True
                    # A pawn attacks diagonally before it; ways 5 and 6 go down, 4 and 7 up.
                    if near and code & 1 != 0 and way >= 4 and (way == 5 or way == 6) == (by == 1):
                        return True
                break
            near = False
            target = wide(NEIGHBOURS[way * SITES + target])
        leap = wide(LEAPS[way * SITES + square])
        if leap >= 0:
            code = wide(state[leap])
            if code >> 7 == by and code & 2 != 0:
                return True
    return False


@kernel
def in_check(state):
    """Whether the king of the player to move is attacked."""
    us = wide(state[MOVER])
    return attacked(state, wide(state[KING_OF + us]), 3 - us)


@kernel
def joins(there, us, kind, part):
    """Whether a half may join what stands on its target; part: 0 is a piece alone, 1 a half that leaves, 2 a whole."""
    if not MERGING or part == 2 or kind == 5:
        return False
    return there >> 7 == us and there & 96 == 0


@kernel
def takes(there, us):
    """Whether a piece may be taken; kings never are, also where a position was given in which that is possible."""
    return there >> 7 == 3 - us and there & 32 == 0


@kernel
def is_safe(state, source, target, victim, us, kind, part):
    """Whether the own king is safe after a move; the board is as before afterwards."""
    was_source = wide(state[source])
    was_victim = wide(state[victim])
    was_target = wide(state[target])
    king = wide(state[KING_OF + us])
    state[victim] = 0
    if part != 1:
        state[source] = 0
    state[target] = us << 7
    if kind == 5:
        king = target
    safe = not attacked(state, king, 3 - us)
    state[victim] = was_victim
    state[target] = was_target
    state[source] = was_source
    return safe


@kernel
def add(state, moves, n, first, source, target, code, kind, us, part, special):
    """Write a move if it is legal, in all ways to promote; a whole piece has each target once."""
    head = source | target << 10
    if part == 2 and special == 0:
        for i in range(first, n):
            if wide(moves[i]) & 0xFFFFF == head and wide(moves[i]) >> 27 == 0:
                return n
    victim = target
    if special == 1:
        victim = target - WIDTH if us == 1 else target + WIDTH
    if not is_safe(state, source, target, victim, us, kind, part):
        return n
    head |= special << 27
    if part == 2:
        head |= 6 << 20
    else:
        head |= kind << 20 | part << 23
    pawn = kind == 0 or (part == 2 and code & 1 != 0)
    last = HEIGHT - 1 if us == 1 else 0
    if not pawn or target // WIDTH != last:
        moves[n] = head
        return n + 1
    moves[n] = head | 4 << 24
    n += 1
    if MERGED_PROMOTES_TO_ALL or (part != 2 and wide(state[target]) >> 7 != us):
        for promotion in range(1, 4):
            moves[n] = head | promotion << 24
            n += 1
    return n


@kernel
def piece_moves(state, moves, n, first, source, code, kind, us, part):
    """Moves of a half that is not a pawn, or of a whole in the way of that half."""
    for way in range(4 if kind == 2 else 0, 4 if kind == 3 else 8):
        target = wide(LEAPS[way * SITES + source]) if kind == 1 else wide(NEIGHBOURS[way * SITES + source])
        while target >= 0:
            there = wide(state[target])
            if there == 0 or takes(there, us) or joins(there, us, kind, part):
                n = add(state, moves, n, first, source, target, code, kind, us, part, wide(0))
            if there != 0 or kind == 1 or kind == 5:
                break
            target = wide(NEIGHBOURS[way * SITES + target])
    return n


@kernel
def pawn_moves(state, moves, n, first, source, code, us, part):
    """Moves of a pawn half, or of a whole in its way."""
    ahead = 0 if us == 1 else 2
    home = 1 if us == 1 else HEIGHT - 2
    kind = wide(0)
    target = wide(NEIGHBOURS[ahead * SITES + source])
    steps = 2 if DOUBLE_STEP and source // WIDTH == home else 1
    while steps > 0 and target >= 0:
        there = wide(state[target])
        if there == 0 or (PAWNS_JOIN_FORWARD and joins(there, us, kind, part)):
            n = add(state, moves, n, first, source, target, code, kind, us, part, wide(0))
        if there != 0:
            break
        steps -= 1
        target = wide(NEIGHBOURS[ahead * SITES + target])
    for side in range(2):
        way = (4 if side == 0 else 7) if us == 1 else (5 if side == 0 else 6)
        target = wide(NEIGHBOURS[way * SITES + source])
        if target >= 0:
            there = wide(state[target])
            if takes(there, us) or (PAWNS_JOIN_DIAGONALLY and joins(there, us, kind, part)):
                n = add(state, moves, n, first, source, target, code, kind, us, part, wide(0))
            elif target == wide(state[PASSANT]):
                n = add(state, moves, n, first, source, target, code, kind, us, part, wide(1))
    return n


@kernel
def generate(state, moves):
    """Write the legal moves, whether the game is over or not; returns how many."""
    us = wide(state[MOVER])
    n = wide(0)
    for source in range(SITES):
        code = wide(state[source])
        if code >> 7 == us:
            part = wide(1 if code & 64 != 0 else 0)
            first = n
            if code & 1 != 0:
                n = pawn_moves(state, moves, n, first, source, code, us, part)
            for kind in range(1, 6):
                if (code >> kind) & 1 != 0:
                    n = piece_moves(state, moves, n, first, source, code, kind, us, part)
            if part == 1:
                first = n
                if code & 1 != 0:
                    n = pawn_moves(state, moves, n, first, source, code, us, wide(2))
                for kind in range(1, 5):
                    if (code >> kind) & 1 != 0:
                        n = piece_moves(state, moves, n, first, source, code, kind, us, wide(2))
    if CASTLING and not in_check(state):
        n = castling_moves(state, moves, n, us)
    return n


@kernel
def castling_moves(state, moves, n, us):
    """Castling, for a king that is not in check."""
    king = wide(state[KING_OF + us])
    row = king - king % WIDTH
    for side in range(2):
        rook = wide(state[CASTLES + 2 * (us - 1) + side])
        if rook >= 0 and (CASTLE_MERGED or wide(state[rook]) & 64 == 0):
            king_to = row + (WIDTH - 2 if side == 1 else 2)
            rook_to = row + (WIDTH - 3 if side == 1 else 3)
            free = True
            for square in range(min(king, rook, king_to, rook_to), max(king, rook, king_to, rook_to) + 1):
                if square != king and square != rook and state[square] != 0:
                    free = False
            if free and way_is_safe(state, king, rook, king_to, rook_to, us):
                moves[n] = king | rook << 10 | 5 << 20 | 2 << 27
                n += 1
    return n


@kernel
def way_is_safe(state, king, rook, king_to, rook_to, us):
    """Whether no enemy attacks the squares that a castling king crosses; the board is as before afterwards."""
    was_king = wide(state[king])
    was_rook = wide(state[rook])
    safe = True
    state[king] = 0
    for square in range(min(king, king_to), max(king, king_to) + 1):
        if square != king and square != king_to and attacked(state, square, 3 - us):
            safe = False
    state[rook] = 0
    was_there = wide(state[rook_to])
    state[rook_to] = us << 7
    if attacked(state, king_to, 3 - us):
        safe = False
    state[rook_to] = was_there
    state[rook] = was_rook
    state[king] = was_king
    return safe


@kernel
def make(state, move):
    """Play a move on the board; whether the game is over is not asked here."""
    us = wide(state[MOVER])
    source = move & 1023
    target = (move >> 10) & 1023
    kind = (move >> 20) & 7
    special = move >> 27
    code = wide(state[source])
    there = wide(state[target])
    clock = wide(state[CLOCK]) + 1
    state[MOVER] = 3 - us
    state[PLY] = wide(state[PLY]) + 1
    state[PASSANT] = -1
    if special == 2:
        state[CLOCK] = wide(0) if there & 1 != 0 else clock
        castle(state, source, target, us)
        return 0
    moved = code
    left = wide(0)
    if (move >> 23) & 1 != 0:
        moved = us << 7 | 1 << kind
        left = code & ~64
        # Without this kind nothing would be left of two equal halves.
        if left != moved:
            left &= ~(1 << kind)
    pawn = moved & 1 != 0
    if there >> 7 == 3 - us or special == 1 or pawn:
        clock = wide(0)
    if special == 1:
        state[target - WIDTH if us == 1 else target + WIDTH] = 0
    lose_rights(state, source, target, us, moved, there)
    state[source] = left
    if there >> 7 == us:
        moved |= there | 64
    promotion = (move >> 24) & 7
    if promotion != 0:
        moved = us << 7 | 1 << promotion
    elif pawn and DOUBLE_STEP and abs(target - source) == 2 * WIDTH:
        home = 1 if us == 1 else HEIGHT - 2
        if source // WIDTH == home and (ANY_VICTIM or moved & 63 == 1):
            state[PASSANT] = (source + target) // 2
    state[target] = moved
    state[CLOCK] = clock
    if moved & 32 != 0:
        state[KING_OF + us] = target
    return 0


@kernel
def lose_rights(state, source, target, us, moved, there):
    """A right ends when its rook half leaves or is taken, or when the king moves."""
    for i in range(4):
        rook = wide(state[CASTLES + i])
        taken = rook == target and there >> 7 == 3 - us
        if taken or (rook == source and moved & 8 != 0) or (moved & 32 != 0 and i // 2 == us - 1):
            state[CASTLES + i] = -1
    return 0


@kernel
def castle(state, king, rook, us):
    """King and rook jump to their places; what is merged with the rook goes along."""
    row = king - king % WIDTH
    was_king = wide(state[king])
    was_rook = wide(state[rook])
    king_to = row + (WIDTH - 2 if rook > king else 2)
    rook_to = row + (WIDTH - 3 if rook > king else 3)
    state[king] = 0
    state[rook] = 0
    state[king_to] = was_king
    state[rook_to] = was_rook
    state[KING_OF + us] = king_to
    state[CASTLES + 2 * (us - 1)] = -1
    state[CASTLES + 2 * (us - 1) + 1] = -1
    return 0
'''
