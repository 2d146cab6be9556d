"""Sets of squares: bits of signed 64-bit words, the same in machine code and in plain Python."""

WORD = '''
@inlined
def word(x):
    """A number cut to 64 bits with sign: nothing to do in machine code, where all numbers are."""
    return (x & 0x7FFFFFFFFFFFFFFF) | (-((x >> 63) & 1) << 63)
'''

BITS = (
    WORD
    + '''

@inlined
def bit(square):
    """The set of one square."""
    return word(wide(1) << square)


@inlined
def count(x):
    """How many squares a set has; compilers know this form and take the instruction for it."""
    x = x - ((x >> 1) & 0x5555555555555555)
    x = (x & 0x3333333333333333) + ((x >> 2) & 0x3333333333333333)
    x = (x + (x >> 4)) & 0x0F0F0F0F0F0F0F0F
    return ((x * 0x0101010101010101) >> 56) & 0xFF


@inlined
def lowest(x):
    """The lowest square of a set that is not empty."""
    return count((x & -x) - 1)


@inlined
def rest(x):
    """A set without its lowest square."""
    return word(x & (x - 1))


@inlined
def flip(x):
    """The ranks in reverse order."""
    x = ((x >> 8) & 0x00FF00FF00FF00FF) | ((x & 0x00FF00FF00FF00FF) << 8)
    x = ((x >> 16) & 0x0000FFFF0000FFFF) | ((x & 0x0000FFFF0000FFFF) << 16)
    return word(((x >> 32) & 0x00000000FFFFFFFF) | ((x & 0x00000000FFFFFFFF) << 32))


@inlined
def forward(x, us):
    """One rank on, as a player sees it."""
    if us == 1:
        return word(x << 8)
    return (x >> 8) & 0x00FFFFFFFFFFFFFF


@inlined
def forward_low(x, us):
    """Diagonally on, to the lower file."""
    x &= NOT_LOW
    if us == 1:
        return word(x << 7)
    return (x >> 9) & 0x007FFFFFFFFFFFFF


@inlined
def forward_high(x, us):
    """Diagonally on, to the higher file."""
    x &= NOT_HIGH
    if us == 1:
        return word(x << 9)
    return (x >> 7) & 0x01FFFFFFFFFFFFFF
'''
)
