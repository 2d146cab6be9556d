"""Moves that chess and Chessplus have in common: those of pawns and kings, and how moves are written down."""

PAWNS = '''
@kernel
def emit(moves, n, head, targets):
    """Write a move to each target; head is the rest of the move."""
    while targets != 0:
        moves[n] = head | lowest(targets) << 10
        n += 1
        targets = rest(targets)
    return n


@kernel
def emit_pawns(moves, n, targets, step, head, joined):
    """Write the moves of pawns that all came the same way; joined are the targets where a friend stands."""
    while targets != 0:
        square = lowest(targets)
        move = head | square << 10 | (square - step)
        if bit(square) & LAST_RANKS == 0:
            moves[n] = move
            n += 1
        elif bit(square) & joined == 0 or MERGED_PROMOTES_TO_ALL:
            moves[n] = move | 4 << 24
            moves[n + 1] = move | 3 << 24
            moves[n + 2] = move | 2 << 24
            moves[n + 3] = move | 1 << 24
            n += 4
        else:
            moves[n] = move | 4 << 24
            n += 1
        targets = rest(targets)
    return n


@kernel
def pawn_moves(moves, n, pawns, us, occupied, quiet, capture, target, head, joined):
    """The moves of a set of pawns, except en passant.

    Args:
        quiet: where a step forward may end: empty squares, and friends to join.
        capture: where a diagonal step may end.
        target: all moves must end here.
        head: what the moves have besides from, to and promotion.
        joined: friends to join.
    """
    on = forward(pawns, us)
    low = forward_low(pawns, us) & capture & target
    high = forward_high(pawns, us) & capture & target
    if us == 1:
        n = emit_pawns(moves, n, on & quiet & target, wide(8), head, joined)
        if DOUBLE_STEP:
            two = forward(on & ~occupied & THIRD_RANK_1, us) & quiet & target
            n = emit_pawns(moves, n, two, wide(16), head, joined)
        n = emit_pawns(moves, n, low, wide(7), head, joined)
        return emit_pawns(moves, n, high, wide(9), head, joined)
    n = emit_pawns(moves, n, on & quiet & target, wide(-8), head, joined)
    if DOUBLE_STEP:
        two = forward(on & ~occupied & THIRD_RANK_2, us) & quiet & target
        n = emit_pawns(moves, n, two, wide(-16), head, joined)
    n = emit_pawns(moves, n, low, wide(-9), head, joined)
    return emit_pawns(moves, n, high, wide(-7), head, joined)


@kernel
def king_moves(state, moves, n, king, occupied, own, them, us):
    """Steps of the king to squares that no enemy attacks once the king has left its own."""
    targets = wide(KING_ATTACKS[king]) & ~own & ~wide(state[KINGS])
    without = occupied ^ bit(king)
    while targets != 0:
        square = lowest(targets)
        if attackers(state, square, without, them, us) == 0:
            moves[n] = king | square << 10 | 5 << 20
            n += 1
        targets = rest(targets)
    return n


@kernel
def passing_is_safe(state, king, source, target, victim, occupied, them, us, leaves):
    """Whether the king is safe after a capture en passant; leaves: whether no piece stays where the pawn came from."""
    after = (occupied ^ bit(victim)) | bit(target)
    if leaves:
        after ^= bit(source)
    return attackers(state, king, after, them & ~bit(victim), us) == 0


@kernel
def castling_moves(state, moves, n, king, occupied, own, them, us):
    """Castling, for a king that is not in check; the rights are a set of rooks, so any files will do."""
    rooks = wide(state[CASTLES]) & own
    first = king & 56
    while rooks != 0:
        rook = lowest(rooks)
        rooks = rooks & ~bit(rook)
        king_to = first + 2
        rook_to = first + 3
        if rook > king:
            king_to = first + WIDTH - 2
            rook_to = first + WIDTH - 3
        if not CASTLE_MERGED and wide(state[MERGED]) & bit(rook) != 0:
            continue
        way = bit(king_to) | bit(rook_to) | between(king, king_to) | between(rook, rook_to)
        others = occupied & ~bit(king) & ~bit(rook)
        if way & others != 0:
            continue
        path = between(king, king_to)
        safe = attackers(state, king_to, others | bit(rook_to), them, us) == 0
        while safe and path != 0:
            safe = attackers(state, lowest(path), occupied ^ bit(king), them, us) == 0
            path = rest(path)
        if safe:
            moves[n] = king | rook << 10 | 5 << 20 | 2 << 27
            n += 1
    return n
'''
