"""The kernels of a network in which no gate depends on itself: a gate that changes updates those behind it at once."""

from __future__ import annotations

from ludoport.gdl.kernel_telling import tell_gates, tell_moves

STRAIGHT = f'''
@kernel
def propagate(work, node, up):
    """Tell all gates behind a node that it has changed, and those behind them that change with it."""
    top = STACK
    work[top] = 2 * node + up
    top += 1
    while top > STACK:
        top -= 1
        event = wide(work[top])
        node = event >> 1
        up = event & 1
        change = 2 * up - 1
{tell_gates("START[node + 1]", 8)}
{tell_moves(8)}
    return 0


@kernel
def finish(work):
    """Nothing is left to be done where no gate depends on itself."""
    return 0
'''
