"""Chessplus: listing and making moves of pieces that have one or two halves."""

PLUS = '''
@kernel
def generate(state, moves):
    """Write the legal moves, whether the game is over or not; returns how many."""
    us = wide(state[MOVER])
    own = wide(state[COLOURS + us])
    them = wide(state[COLOURS + 3 - us])
    occupied = own | them
    king = lowest(wide(state[KINGS]) & own)
    merged = wide(state[MERGED]) & own
    # A half may join these.
    friends = own & ~merged & ~bit(king)
    checkers = attackers(state, king, occupied, them, us)
    n = king_moves(state, moves, wide(0), king, occupied, own, them, us)
    if rest(checkers) != 0:
        return n
    target = wide(BOARD)
    if checkers != 0:
        target = checkers | between(king, lowest(checkers))
    # No move takes a king, also where a position was given in which that is possible.
    target &= ~wide(state[KINGS])
    pinned = pins(state, king, occupied, own, them)
    n = single_moves(state, moves, n, king, occupied, own, them, us, friends, pinned, target)
    while merged != 0:
        square = lowest(merged)
        way = target
        if bit(square) & pinned != 0:
            way &= line(king, square)
        n = merged_moves(state, moves, n, square, occupied, own, them, us, friends, target, way)
        merged = rest(merged)
    if DOUBLE_STEP:
        n = passing_moves(state, moves, n, king, occupied, own, them, us)
    if CASTLING and checkers == 0:
        n = castling_moves(state, moves, n, king, occupied, own, them, us)
    return n


@kernel
def seen_by(kind, square, occupied):
    """What a half that is neither pawn nor king attacks."""
    if kind == 1:
        return wide(KNIGHT_ATTACKS[square])
    if kind == 2:
        return bishop_attacks(square, occupied)
    if kind == 3:
        return rook_attacks(square, occupied)
    return bishop_attacks(square, occupied) | rook_attacks(square, occupied)


@kernel
def single_moves(state, moves, n, king, occupied, own, them, us, friends, pinned, target):
    """Moves of pieces that are not merged, onto friends too."""
    landing = (~own | friends) & target
    for kind in range(1, 5):
        sources = wide(state[kind]) & friends
        while sources != 0:
            square = lowest(sources)
            seen = seen_by(kind, square, occupied) & landing
            if bit(square) & pinned != 0:
                seen &= line(king, square)
            n = emit(moves, n, square | kind << 20, seen)
            sources = rest(sources)
    pawns = wide(state[PAWNS]) & friends
    quiet, capture = pawn_landing(occupied, them, friends)
    n = pawn_moves(moves, n, pawns & ~pinned, us, occupied, quiet, capture, target, wide(0), friends)
    pawns &= pinned
    while pawns != 0:
        square = lowest(pawns)
        way = target & line(king, square)
        n = pawn_moves(moves, n, bit(square), us, occupied, quiet, capture, way, wide(0), friends)
        pawns = rest(pawns)
    return n


@inlined
def pawn_landing(occupied, them, friends):
    """Where steps forward and where diagonal steps of pawns may end that move alone."""
    quiet = ~occupied
    capture = them
    if PAWNS_JOIN_FORWARD:
        quiet |= friends
    if PAWNS_JOIN_DIAGONALLY:
        capture |= friends
    return quiet, capture


@kernel
def merged_moves(state, moves, n, square, occupied, own, them, us, friends, target, way):
    """Moves of a merged piece: each half alone, for which no pin counts since the other half stays, and the whole."""
    here = bit(square)
    landing = (~own | friends) & target
    whole = wide(0)
    for kind in range(1, 5):
        if wide(state[kind]) & here != 0:
            seen = seen_by(kind, square, occupied)
            n = emit(moves, n, square | kind << 20 | 1 << 23, seen & landing)
            whole |= seen
    whole &= ~own
    if wide(state[PAWNS]) & here == 0:
        return emit(moves, n, square | 6 << 20, whole & way)
    quiet, capture = pawn_landing(occupied, them, friends)
    n = pawn_moves(moves, n, here, us, occupied, quiet, capture, target, wide(1 << 23), friends)
    on = forward(here, us) & ~occupied
    whole |= on | (wide(PAWN_ATTACKS[us * 64 + square]) & them)
    if DOUBLE_STEP:
        whole |= forward(on & (THIRD_RANK_1 if us == 1 else THIRD_RANK_2), us) & ~occupied
    whole &= way
    last = whole & (LAST_RANK_1 if us == 1 else LAST_RANK_2)
    n = emit(moves, n, square | 6 << 20, whole & ~last)
    n = emit(moves, n, square | 6 << 20 | 4 << 24, last)
    if MERGED_PROMOTES_TO_ALL:
        for kind in range(1, 4):
            n = emit(moves, n, square | 6 << 20 | kind << 24, last)
    return n


@kernel
def passing_moves(state, moves, n, king, occupied, own, them, us):
    """Captures en passant, by whole pieces and by pawns that leave their other half."""
    if wide(state[PASSANT]) == 0:
        return n
    target = lowest(wide(state[PASSANT]))
    victim = target - 8 if us == 1 else target + 8
    pawns = wide(PAWN_ATTACKS[(3 - us) * 64 + target]) & wide(state[PAWNS]) & own
    while pawns != 0:
        square = lowest(pawns)
        merged = bit(square) & wide(state[MERGED]) != 0
        if passing_is_safe(state, king, square, target, victim, occupied, them, us, True):
            moves[n] = square | target << 10 | 1 << 27 | (6 << 20 if merged else 0)
            n += 1
        if merged and passing_is_safe(state, king, square, target, victim, occupied, them, us, False):
            moves[n] = square | target << 10 | 1 << 27 | 1 << 23
            n += 1
        pawns = rest(pawns)
    return n


@kernel
def clear(state, gone):
    """Remove all halves from a square; the colour stays."""
    for kind in range(5):
        state[kind] = wide(state[kind]) & ~gone
    state[MERGED] = wide(state[MERGED]) & ~gone
    return 0


@kernel
def remove(state, gone, them):
    """Take what stands on a square from the board."""
    clear(state, gone)
    state[them] = wide(state[them]) & ~gone
    if CASTLING:
        state[CASTLES] = wide(state[CASTLES]) & ~gone
    return 0


@kernel
def carry(state, here, there, own):
    """A merged piece moves as a whole to an empty square."""
    for kind in range(5):
        if wide(state[kind]) & here != 0:
            state[kind] = wide(state[kind]) ^ (here | there)
    state[MERGED] = wide(state[MERGED]) ^ (here | there)
    state[own] = wide(state[own]) ^ (here | there)
    return 0


@kernel
def kinds_on(state, here):
    """How many different kinds of halves stand on a square."""
    kinds = wide(0)
    for kind in range(5):
        if wide(state[kind]) & here != 0:
            kinds += 1
    return kinds


@kernel
def step(state, kind, split, here, there, own):
    """A half moves alone, to an empty square or onto a friend."""
    if split:
        if kinds_on(state, here) > 1:
            state[kind] = wide(state[kind]) ^ here
        state[MERGED] = wide(state[MERGED]) ^ here
    else:
        state[kind] = wide(state[kind]) ^ here
        state[own] = wide(state[own]) ^ here
    if wide(state[own]) & there != 0:
        state[MERGED] = wide(state[MERGED]) | there
    state[own] = wide(state[own]) | there
    state[kind] = wide(state[kind]) | there
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
    pawn = kind == 0 or (kind == 6 and wide(state[PAWNS]) & here != 0)
    state[MOVER] = 3 - us
    state[PLY] = wide(state[PLY]) + 1
    state[PASSANT] = 0
    if CASTLING and special == 2:
        if wide(state[PAWNS]) & there != 0:
            clock = wide(0)
        castle(state, source, target, own)
        state[CLOCK] = clock
        return 0
    if wide(state[them]) & there != 0:
        remove(state, there, them)
        clock = wide(0)
    elif special == 1:
        remove(state, bit(target - 8 if us == 1 else target + 8), them)
    if CASTLING:
        if kind == 5:
            state[CASTLES] = wide(state[CASTLES]) & ~wide(state[own])
        elif kind == 3 or (kind == 6 and wide(state[ROOKS]) & here != 0):
            state[CASTLES] = wide(state[CASTLES]) & ~here
    if kind == 6:
        carry(state, here, there, own)
    else:
        step(state, kind, (move >> 23) & 1 != 0, here, there, own)
    promotion = (move >> 24) & 7
    if promotion != 0:
        clear(state, there)
        state[promotion] = wide(state[promotion]) | there
    if DOUBLE_STEP:
        if pawn and promotion == 0 and abs(target - source) == 16:
            note_double_step(state, source, target, us)
    state[CLOCK] = wide(0) if pawn else clock
    return 0


@kernel
def note_double_step(state, source, target, us):
    """After two squares from the home rank, pawns (alone, or two of them) may be taken en passant."""
    middle = bit((source + target) >> 1)
    if middle & (THIRD_RANK_1 if us == 1 else THIRD_RANK_2) == 0:
        return 0
    others = wide(state[KNIGHTS]) | wide(state[BISHOPS]) | wide(state[ROOKS]) | wide(state[QUEENS])
    if ANY_VICTIM or others & bit(target) == 0:
        state[PASSANT] = middle
    return 0


@kernel
def castle(state, king, rook, own):
    """King and rook jump to their places; what is merged with the rook goes along."""
    first = king & 56
    king_to = first + 2
    rook_to = first + 3
    if rook > king:
        king_to = first + WIDTH - 2
        rook_to = first + WIDTH - 3
    state[CASTLES] = wide(state[CASTLES]) & ~wide(state[own])
    state[own] = (wide(state[own]) & ~bit(king) & ~bit(rook)) | bit(king_to) | bit(rook_to)
    state[KINGS] = wide(state[KINGS]) ^ bit(king) ^ bit(king_to)
    for kind in range(5):
        if wide(state[kind]) & bit(rook) != 0:
            state[kind] = (wide(state[kind]) & ~bit(rook)) | bit(rook_to)
    if wide(state[MERGED]) & bit(rook) != 0:
        state[MERGED] = (wide(state[MERGED]) & ~bit(rook)) | bit(rook_to)
    return 0
'''
