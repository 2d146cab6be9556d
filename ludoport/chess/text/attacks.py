"""Attacked squares, and attackers of a square."""

ATTACKS = '''
@inlined
def along(square, occupied, line):
    """What a slider sees on a line that has at most one square on each rank.

    Subtracting a bit runs through the empty squares up to the next piece; upside down, the same finds the other way.
    """
    up = occupied & line
    down = word(flip(up) - bit(square ^ 56))
    return (word(up - bit(square)) ^ flip(down)) & line


@kernel
def bishop_attacks(square, occupied):
    """What a bishop attacks."""
    return along(square, occupied, wide(DIAGONAL[square])) | along(square, occupied, wide(ANTIDIAGONAL[square]))


@kernel
def rook_attacks(square, occupied):
    """What a rook attacks; a rank is looked up by the six squares on it that can block."""
    first = square & 56
    inner = (occupied >> (first + 1)) & 63
    rank = word(wide(RANK_ATTACKS[inner * 8 + (square & 7)]) << first)
    return along(square, occupied, wide(COLUMN[square])) | rank


@kernel
def attackers(state, square, occupied, them, us):
    """The pieces of a set that attack a square of player us."""
    found = wide(KNIGHT_ATTACKS[square]) & wide(state[KNIGHTS])
    found |= wide(KING_ATTACKS[square]) & wide(state[KINGS])
    found |= wide(PAWN_ATTACKS[us * 64 + square]) & wide(state[PAWNS])
    diagonal = wide(BISHOP_LINES[square]) & (wide(state[BISHOPS]) | wide(state[QUEENS])) & them
    if diagonal != 0:
        found |= diagonal & bishop_attacks(square, occupied)
    straight = wide(ROOK_LINES[square]) & (wide(state[ROOKS]) | wide(state[QUEENS])) & them
    if straight != 0:
        found |= straight & rook_attacks(square, occupied)
    return found & them


@kernel
def between(a, b):
    """The squares between two squares on one line; none if no line goes through both."""
    if wide(ROOK_LINES[a]) & bit(b) != 0:
        return rook_attacks(a, bit(b)) & rook_attacks(b, bit(a))
    if wide(BISHOP_LINES[a]) & bit(b) != 0:
        return bishop_attacks(a, bit(b)) & bishop_attacks(b, bit(a))
    return wide(0)


@kernel
def line(king, square):
    """The line through the king on which a pinned piece may move, without the square of the piece."""
    home = bit(king)
    if wide(DIAGONAL[square]) & home != 0:
        return wide(DIAGONAL[square])
    if wide(ANTIDIAGONAL[square]) & home != 0:
        return wide(ANTIDIAGONAL[square])
    if wide(COLUMN[square]) & home != 0:
        return wide(COLUMN[square])
    return wide(ROOK_LINES[square]) & ~wide(COLUMN[square])


@kernel
def pins(state, king, occupied, own, them):
    """The own pieces that may not leave their line with the king."""
    pinners = wide(BISHOP_LINES[king]) & (wide(state[BISHOPS]) | wide(state[QUEENS]))
    pinners = (pinners | wide(ROOK_LINES[king]) & (wide(state[ROOKS]) | wide(state[QUEENS]))) & them
    pinned = wide(0)
    while pinners != 0:
        blockers = between(king, lowest(pinners)) & occupied
        if rest(blockers) == 0:
            pinned |= blockers & own
        pinners = rest(pinners)
    return pinned


@kernel
def in_check(state):
    """Whether the king of the player to move is attacked."""
    us = wide(state[MOVER])
    own = wide(state[COLOURS + us])
    them = wide(state[COLOURS + 3 - us])
    king = lowest(wide(state[KINGS]) & own)
    return attackers(state, king, own | them, them, us) != 0
'''
