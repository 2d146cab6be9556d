"""The kernels of a network in which gates depend on themselves, such as connections between stones.

Gates are told in stages: loops are stages of their own, with odd numbers, and what comes after a loop has to wait.
Counters cannot tell a gate that is true for a reason from gates that hold up each other. So when something that a loop
relied on has ended, the whole loop starts again from what comes from outside; as long as nothing ends, it only grows.
"""

from __future__ import annotations

from ludoport.gdl.kernel_telling import tell_gates, tell_moves

LOOPS = f'''
@kernel
def tell_later(work, node, up):
    """Tell the gates of later stages, and the moves, that a node has changed."""
    change = 2 * up - 1
    for k in range(wide(LATER[node]), wide(START[node + 1])):
        target = wide(TARGET[k])
        by = change if k < wide(LATER_MIDDLE[node]) else -change
        if work[TOUCHED + target] == 0:
            work[TOUCHED + target] = 1 if work[target] > 0 else 2
            stage = wide(STAGE[target])
            work[WAITING + wide(STAGE_START[stage]) + wide(work[WAITS + stage])] = target
            work[WAITS + stage] = wide(work[WAITS + stage]) + 1
        work[target] = wide(work[target]) + by
        if STAGE[target] & 1 == 1:
            work[OUTSIDE + target] = wide(work[OUTSIDE + target]) + by
            if by < 0:
                work[BROKEN + wide(LOOP_OF[target])] = 1
{tell_moves(4)}
    return 0


@kernel
def tell_stage(work, node, up, top):
    """Tell the gates of the same stage; those that change go on the stack, whose top is returned."""
    change = 2 * up - 1
{tell_gates("LATER[node]", 4)}
    return top


@kernel
def drain(work, top):
    """Tell about everything on the stack."""
    while top > STACK:
        top -= 1
        event = wide(work[top])
        tell_later(work, event >> 1, event & 1)
        top = tell_stage(work, event >> 1, event & 1, top)
    return 0


@kernel
def propagate(work, node, up):
    """Tell all gates behind a node that it has changed; later stages wait."""
    work[STACK] = 2 * node + up
    drain(work, wide(STACK + 1))
    return 0


@kernel
def renew(work, loop):
    """Restart a loop from what comes from outside."""
    top = wide(STACK)
    for k in range(wide(LOOP_START[loop]), wide(LOOP_START[loop + 1])):
        node = wide(LOOP_NODE[k])
        if work[TOUCHED + node] == 0:
            work[TOUCHED + node] = 1 if work[node] > 0 else 2
        work[node] = work[OUTSIDE + node]
    for k in range(wide(LOOP_START[loop]), wide(LOOP_START[loop + 1])):
        node = wide(LOOP_NODE[k])
        if work[OUTSIDE + node] > 0:
            work[top] = 2 * node + 1
            top += 1
    while top > STACK:
        top -= 1
        top = tell_stage(work, wide(work[top]) >> 1, wide(1), top)
    for k in range(wide(LOOP_START[loop]), wide(LOOP_START[loop + 1])):
        node = wide(LOOP_NODE[k])
        now = 1 if work[node] > 0 else 0
        if now != wide(work[TOUCHED + node]) % 2:
            tell_later(work, node, wide(now))
        work[TOUCHED + node] = 0
    work[BROKEN + loop] = 0
    return 0


@kernel
def finish(work):
    """Work off the stages that wait."""
    for stage in range(1, STAGES):
        n = wide(work[WAITS + stage])
        if n == 0:
            continue
        work[WAITS + stage] = 0
        first = WAITING + wide(STAGE_START[stage])
        if stage & 1 == 1:
            for k in range(n):
                loop = wide(LOOP_OF[wide(work[first + k])])
                if work[BROKEN + loop] == 1:
                    renew(work, loop)
        top = wide(STACK)
        for k in range(n):
            node = wide(work[first + k])
            before = wide(work[TOUCHED + node])
            if before != 0:
                work[TOUCHED + node] = 0
                now = 1 if work[node] > 0 else 0
                if now != before % 2:
                    work[top] = 2 * node + now
                    top += 1
        drain(work, top)
    return 0
'''
