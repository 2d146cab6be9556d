"""Chess without merging: listing and making moves."""

CHESS = '''
@kernel
def generate(state, moves):
    """Write the legal moves, whether the game is over or not; returns how many."""
    us = wide(state[MOVER])
    own = wide(state[COLOURS + us])
    them = wide(state[COLOURS + 3 - us])
    occupied = own | them
    king = lowest(wide(state[KINGS]) & own)
    checkers = attackers(state, king, occupied, them, us)
    n = king_moves(state, moves, wide(0), king, occupied, own, them, us)
    if rest(checkers) != 0:
        return n
    target = BOARD & ~own
    if checkers != 0:
        target = checkers | between(king, lowest(checkers))
    # No move takes a king, also where a position was given in which that is possible.
    target &= ~wide(state[KINGS])
    pinned = pins(state, king, occupied, own, them)
    sources = wide(state[KNIGHTS]) & own & ~pinned
    while sources != 0:
        square = lowest(sources)
        n = emit(moves, n, square | 1 << 20, wide(KNIGHT_ATTACKS[square]) & target)
        sources = rest(sources)
    sources = (wide(state[BISHOPS]) | wide(state[ROOKS]) | wide(state[QUEENS])) & own
    while sources != 0:
        square = lowest(sources)
        here = bit(square)
        kind = 2
        if here & wide(state[BISHOPS]) != 0:
            seen = bishop_attacks(square, occupied)
        elif here & wide(state[ROOKS]) != 0:
            seen = rook_attacks(square, occupied)
            kind = 3
        else:
            seen = bishop_attacks(square, occupied) | rook_attacks(square, occupied)
            kind = 4
        seen &= target
        if here & pinned != 0:
            seen &= line(king, square)
        n = emit(moves, n, square | kind << 20, seen)
        sources = rest(sources)
    pawns = wide(state[PAWNS]) & own
    free = ~occupied
    n = pawn_moves(moves, n, pawns & ~pinned, us, occupied, free, them, target, wide(0), wide(0))
    pawns &= pinned
    while pawns != 0:
        square = lowest(pawns)
        way = target & line(king, square)
        n = pawn_moves(moves, n, bit(square), us, occupied, free, them, way, wide(0), wide(0))
        pawns = rest(pawns)
    if DOUBLE_STEP:
        n = passing_moves(state, moves, n, king, occupied, own, them, us)
    if CASTLING and checkers == 0:
        n = castling_moves(state, moves, n, king, occupied, own, them, us)
    return n


@kernel
def passing_moves(state, moves, n, king, occupied, own, them, us):
    """Captures en passant."""
    if wide(state[PASSANT]) == 0:
        return n
    target = lowest(wide(state[PASSANT]))
    victim = target - 8 if us == 1 else target + 8
    pawns = wide(PAWN_ATTACKS[(3 - us) * 64 + target]) & wide(state[PAWNS]) & own
    while pawns != 0:
        square = lowest(pawns)
        if passing_is_safe(state, king, square, target, victim, occupied, them, us, True):
            moves[n] = square | target << 10 | 1 << 27
            n += 1
        pawns = rest(pawns)
    return n


@kernel
def remove(state, gone, them):
    """Take what stands on a square from the board."""
    state[them] = wide(state[them]) & ~gone
    for kind in range(5):
        state[kind] = wide(state[kind]) & ~gone
    if CASTLING:
        state[CASTLES] = wide(state[CASTLES]) & ~gone
    return 0


@kernel
def make(state, move):
    """Play a move on the board; whether the game is over is not asked here."""
    us = wide(state[MOVER])
    own = COLOURS + us
    them = COLOURS + 3 - us
    source = move & 1023
    target = (move >> 10) & 1023
    kind = (move >> 20) & 7
    special = move >> 27
    here = bit(source)
    there = bit(target)
    clock = wide(state[CLOCK]) + 1
    state[MOVER] = 3 - us
    state[PLY] = wide(state[PLY]) + 1
    state[PASSANT] = 0
    if CASTLING and special == 2:
        castle(state, source, target, own)
        state[CLOCK] = clock
        return 0
    if wide(state[them]) & there != 0:
        remove(state, there, them)
        clock = wide(0)
    state[own] = wide(state[own]) ^ (here | there)
    state[kind] = wide(state[kind]) ^ here
    promotion = (move >> 24) & 7
    if promotion != 0:
        kind = promotion
        clock = wide(0)
    state[kind] = wide(state[kind]) | there
    if kind == 0:
        clock = wide(0)
        if DOUBLE_STEP:
            if abs(target - source) == 16:
                state[PASSANT] = bit((source + target) >> 1)
            elif special == 1:
                remove(state, bit(target - 8 if us == 1 else target + 8), them)
    if CASTLING:
        if kind == 5:
            state[CASTLES] = wide(state[CASTLES]) & ~wide(state[own])
        else:
            state[CASTLES] = wide(state[CASTLES]) & ~here
    state[CLOCK] = clock
    return 0


@kernel
def castle(state, king, rook, own):
    """King and rook jump to their places."""
    first = king & 56
    king_to = first + 2
    rook_to = first + 3
    if rook > king:
        king_to = first + WIDTH - 2
        rook_to = first + WIDTH - 3
    state[CASTLES] = wide(state[CASTLES]) & ~wide(state[own])
    state[own] = (wide(state[own]) & ~bit(king) & ~bit(rook)) | bit(king_to) | bit(rook_to)
    state[KINGS] = wide(state[KINGS]) ^ bit(king) ^ bit(king_to)
    state[ROOKS] = wide(state[ROOKS]) ^ bit(rook) ^ bit(rook_to)
    return 0
'''
