"""The text of UCT: Monte-Carlo tree search that treats every position as a bandit problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.chance import has_chance
from ludoport.search.changes import changed
from ludoport.search.hidden import determinise_source, is_hidden
from ludoport.search.pool import pool_source

if TYPE_CHECKING:
    from ludoport.game import Game

NUMBERS = ("EXPLORATION", "DRAW", "RAVE", "RESULT")
"""Real numbers that a search is given; from RESULT on, the results of the current simulation for every person."""

RAVE_CODES = 4096

FEW = 16
"""Moves of a position whose upper bounds are found with tables, one by one."""

SELECT = '''
@inlined
def logarithm(logs, visits):
    """The logarithm of a number of visits, which is computed once for small ones."""
    if visits < 2:
        return 0.0
    if visits >= logs.shape[0]:
        return math.log(float(visits))
    if logs[visits] == 0.0:
        logs[visits] = math.log(float(visits))
    return logs[visits]


@inlined
def uct_best_of_few(pool, hands, head, n, root):
    """The edge with the highest upper bound, where nothing is proved."""
    shares = hands.shares
    best = wide(0)
    most = -1.0
    for k in range(n):
        visits = wide(pool.nodes[NODE_VISITS, head + 1 + k])
        if 0 < visits < shares.shape[1]:
            bound = pool.sums[0, head + 1 + k] * shares[0, visits] + root * shares[1, visits]
        else:
            part = 1.0 / max(1.0, float(visits))
            bound = pool.sums[0, head + 1 + k] * part + root * math.sqrt(part)
        # Both at once: a branch would often be foreseen wrongly.
        best = wide(k) if bound > most else best
        most = bound if bound > most else most
    return head + 1 + best


@inlined
def uct_select(pool, hands, head, solve):
    """The edge to follow: one that was never tried, otherwise the one with the highest upper bound (eq. 1)."""
    nodes = pool.nodes
    sums = pool.sums
    numbers = hands.numbers
    bounds = hands.bounds
    n = wide(nodes[NODE_LINK, head])
    if nodes[NODE_TRIED, head] < n:
        tried = node_bump(nodes, NODE_TRIED, head, 1)
        if tried < n:
            return head + 1 + tried
    width = numbers[UCT_EXPLORATION] * numbers[UCT_EXPLORATION] * logarithm(hands.logs, wide(nodes[NODE_VISITS, head]))
    root = math.sqrt(width)
    if n <= UCT_FEW and solve == 0:
        return uct_best_of_few(pool, hands, head, n, root)
    # Two loops, because the first one then works on several edges at once.
    for k in range(n):
        part = 1.0 / max(1.0, float(nodes[NODE_VISITS, head + 1 + k]))
        bounds[k] = sums[0, head + 1 + k] * part + root * math.sqrt(part)
    if solve != 0:
        for k in range(n):
            exact = nodes[NODE_EXACT, head + 1 + k]
            if exact == WON:
                return head + 1 + k
            # What is proved needs no further look, unless nothing else is left.
            if exact != 0:
                bounds[k] -= 2.0e9 if exact == LOST else 1.0e9
    best = wide(0)
    most = bounds[0]
    for k in range(1, n):
        # Both at once: a branch would often be foreseen wrongly.
        best = wide(k) if bounds[k] > most else best
        most = bounds[k] if bounds[k] > most else most
    return head + 1 + best
'''

RAVE_SELECT = '''
@kernel
def rave_code(row, base):
    """A small number for a move; moves that read the same have the same."""
    code = wide(0)
    for c in range(RAVE_COLUMNS.shape[0]):
        code = code * 31 + wide(row[base + RAVE_COLUMNS[c]]) + 1
    return code & (RAVE_CODES - 1)


@inlined
def uct_select(pool, hands, head, solve):
    """The edge with the highest upper bound, where the mean of a move counts the more the less it was tried itself."""
    nodes = pool.nodes
    sums = pool.sums
    numbers = hands.numbers
    n = wide(nodes[NODE_LINK, head])
    weight = numbers[UCT_RAVE]
    width = numbers[UCT_EXPLORATION] * numbers[UCT_EXPLORATION] * math.log(max(1.0, float(nodes[NODE_VISITS, head])))
    best = head + 1
    bound = -1.0
    for edge in range(head + 1, head + 1 + n):
        visits = float(nodes[NODE_VISITS, edge])
        others = float(nodes[NODE_OTHERS, edge])
        share = math.sqrt(weight / (3.0 * visits + weight))
        value = math.sqrt(width / (visits + 1.0))
        if visits > 0:
            value += (1.0 - share) * sums[0, edge] / visits
        elif others > 0:
            share = 1.0
        else:
            value += 1.0
        if others > 0:
            value += share * sums[1, edge] / others
        elif visits > 0:
            value += share * sums[0, edge] / visits
        if solve != 0 and nodes[NODE_EXACT, edge] != 0:
            if nodes[NODE_EXACT, edge] == WON:
                return edge
            value -= 2.0e9 if nodes[NODE_EXACT, edge] == LOST else 1.0e9
        if value > bound or edge == head + 1:
            bound = value
            best = edge
    return best


@kernel
def rave_learn(pool, head, ply, seen, share):
    """All moves of a position that its mover also played later count as if they had been played here."""
    nodes = pool.nodes
    sums = pool.sums
    clock = wide(pool.facts[POOL_CLOCK])
    person = wide(sums[0, head])
    for edge in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
        when = wide(seen[person * RAVE_CODES + rave_code(pool.moves[edge], 0)])
        if when >> 20 == clock and (when & 0xFFFFF) >= ply:
            nodes[NODE_OTHERS, edge] += 1
            sums[1, edge] += share
    return 0


@kernel
def uct_rollout(state, rng, hands, clock, ply):
    """Play to the end at random and remember who played what."""
    moves = hands.moves
    move = moves[MAX_MOVES * MOVE_SIZE : (MAX_MOVES + 1) * MOVE_SIZE]
    while state[OVER] == 0 and ply < PLAYOUT_LIMIT:
        sample(state, rng, move, moves, hands.work)
        person = exchanged(state, wide(state[MOVER]))
        hands.seen[person * RAVE_CODES + rave_code(move, 0)] = (clock << 20) | ply
        play(state, move, hands.work)
        ply += 1
    return 0
'''

PROOF = '''
@kernel
def exact_result(utility):
    """What a utility at the end of a game proves."""
    if utility > 0.999:
        return wide(WON)
    if utility < -0.999:
        return wide(LOST)
    return wide(DRAWN)


@kernel
def prove(nodes, sums, path, depth, exact):
    """Carry what is proved of the last edge of a line upwards as far as it decides anything (two persons)."""
    while depth > 0:
        depth -= 1
        head = wide(path[2 * depth])
        edge = wide(path[2 * depth + 1])
        if nodes[NODE_EXACT, edge] != 0:
            return 0
        nodes[NODE_EXACT, edge] = exact
        if depth == 0:
            return 0
        best = wide(LOST)
        if exact == WON:
            best = wide(WON)
        else:
            for other in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
                if nodes[NODE_EXACT, other] == 0:
                    return 0
                best = min(best, wide(nodes[NODE_EXACT, other]))
        # The same result for the person who moved into the position.
        exact = best if sums[0, head] == sums[0, wide(path[2 * depth - 2])] else wide(WON + LOST) - best
    return 0
'''
"""Kernels that carry the proved result of a game's end up the moves that led to it."""

RESULTS = '''
@kernel
def worth(utility, draw):
    """A utility from -1 to 1 on the scale from 0 (lost) over the worth of a draw to 1 (won)."""
    if utility < 0:
        return draw * (1.0 + utility)
    return draw + (1.0 - draw) * utility


@inlined
def add_results(state, numbers, times):
    """Add the result of every player at the end of a game to the results of the simulation."""
    for person in range(1, N_PLAYERS + 1):
        gained = worth(utility(state, exchanged(state, wide(person))), numbers[UCT_DRAW])
        numbers[UCT_RESULT + person] += gained * times
    return 0
'''

SEARCH = '''
@inlined
def uct_descend(root, hands, rng, pool, table, weight, solve):
    """From the root to a position that is new or the end of a game; visits are counted on the way.

    Returns the number of edges passed.
    """
    state = hands.state
    path = hands.path
    nodes = pool.nodes
    facts = pool.facts
    for i in range(STATE_SIZE):
        state[i] = root[i]
    clock = node_clock(facts)
    head = wide(facts[POOL_ROOT])
    depth = 0
    while state[OVER] == 0 and depth < PATH_LIMIT:
        edge = uct_select(pool, hands, head, solve)
        path[2 * depth] = head
        path[2 * depth + 1] = edge
        depth += 1
        nodes[NODE_STAMP, head] = clock
        node_bump(nodes, NODE_VISITS, head, weight)
        before = node_bump(nodes, NODE_VISITS, edge, weight)
        {remember}
        play(state, pool.moves[edge], hands.work)
        if before == 0 or state[OVER] != 0:
            break
        link = wide(nodes[NODE_LINK, edge])
        if link == 0:
            if facts[POOL_FULL] != 0:
                break
            link = {find}
            if link == 0:
                break
            nodes[NODE_LINK, edge] = link
        head = link
    return depth


@inlined
def node_clock(facts):
    """The number of this simulation."""
    facts[POOL_CLOCK] += 1
    return wide(facts[POOL_CLOCK])


@inlined
def rollouts_from(hands, rng, pool, rollouts, depth):
    """Add the results of random games from a position; one that is the end of a game has its result at once."""
    state = hands.state
    scratch = hands.scratch
    if state[OVER] != 0:
        add_results(state, hands.numbers, float(rollouts))
        return 0
    for _ in range(rollouts):
        for i in range(STATE_SIZE):
            scratch[i] = state[i]
        {rollout}
        add_results(scratch, hands.numbers, 1.0)
    return 0


@inlined
def count_results(hands, pool, depth, weight, rollouts):
    """Every seat that chose an edge of the line gets its result there."""
    path = hands.path
    sums = pool.sums
    for d in range(depth):
        head = wide(path[2 * d])
        share = hands.numbers[UCT_RESULT + wide(sums[0, head])]
        if rollouts != 1:
            share = share * weight / rollouts
        edge_gain(sums, wide(path[2 * d + 1]), share)
        {learn}
    return 0


@kernel
def uct(root, hands, rng, pool, table, orders):
    """Grow a tree by simulations, fewer if the pool is full and not stunted; returns how many."""
    state = hands.state
    numbers = hands.numbers
    path = hands.path
    nodes = pool.nodes
    sums = pool.sums
    facts = pool.facts
    simulations = wide(orders[0])
    rollouts = wide(orders[1])
    weight = wide(orders[2])
    solve = wide(orders[3])
    done = 0
    while done < simulations and (facts[POOL_FULL] == 0 or facts[POOL_STUNTED] != 0):
        depth = uct_descend(root, hands, rng, pool, table, weight, solve)
        for person in range(1, N_PLAYERS + 1):
            numbers[UCT_RESULT + person] = 0.0
        if state[OVER] != 0 and solve != 0 and depth > 0:
            last = wide(path[2 * depth - 2])
            proved = exact_result(utility(state, exchanged(state, wide(sums[0, last]))))
            prove(nodes, sums, path, depth, proved)
        if rollouts == 1 and state[OVER] == 0:
            # The position itself is no longer needed, so there is nothing to copy.
            {single}
            add_results(state, numbers, 1.0)
        else:
            rollouts_from(hands, rng, pool, rollouts, wide(depth))
        count_results(hands, pool, depth, weight, rollouts)
        done += 1
        if solve != 0 and root_decided(nodes, facts):
            break
    return done


@inlined
def root_decided(nodes, facts):
    """Whether a winning move is known, or the result of every move."""
    head = wide(facts[POOL_ROOT])
    open = 0
    for edge in range(head + 1, head + 1 + wide(nodes[NODE_LINK, head])):
        if nodes[NODE_EXACT, edge] == WON:
            return True
        if nodes[NODE_EXACT, edge] == 0:
            open += 1
    return open == 0


@entry
def enter_uct(root, hands, rng, pool, table, orders):
    return uct(root, hands, rng, pool, table, orders)
'''

LEAVES = """
@entry
def enter_descend(root, hands, rng, pool, table, weight, solve):
    return uct_descend(root, hands, rng, pool, table, weight, solve)


@entry
def enter_rollouts(hands, rng, pool, rollouts):
    return rollouts_from(hands, rng, pool, rollouts, wide(0))


@entry
def enter_count(hands, pool, depth, weight, rollouts):
    return count_results(hands, pool, depth, weight, rollouts)
"""
"""The parts of a simulation, for rollouts that several threads play."""

TRANSPOSE = '''
@kernel
def find_head(state, rng, pool, table, hands):
    """The head of a position that the tree has already, by its key; otherwise a new one."""
    name = key(state)
    mask = wide(table.shape[1] - 1)
    place = (name ^ (name >> 29)) & mask
    for _ in range(table.shape[1]):
        link = wide(table[1, place])
        if link == 0:
            link = make_head(state, rng, pool.nodes, pool.sums, pool.moves, pool.facts, hands.moves, hands.work)
            if link != 0:
                table[0, place] = name
                table[1, place] = link
            return link
        if table[0, place] == name:
            return link
        place = (place + 1) & mask
    return wide(0)
'''

_FIND = "make_head(state, rng, nodes, pool.sums, pool.moves, facts, hands.moves, hands.work)"
_FIND_SHARED = "find_head(state, rng, pool, table, hands)"
_REMEMBER = (
    "hands.seen[wide(pool.sums[0, head]) * RAVE_CODES + rave_code(pool.moves[edge], 0)] = (clock << 20) | (depth - 1)"
)
_ROLLOUT = "playout(scratch, rng, hands.moves, hands.work, PLAYOUT_LIMIT)"
_RAVE_ROLLOUT = "uct_rollout(scratch, rng, hands, wide(pool.facts[POOL_CLOCK]), wide(depth))"
_LEARN = "rave_learn(pool, head, d, hands.seen, share / weight)"


_LINKED = """        link = wide(nodes[NODE_LINK, edge])
...
        head = link
"""
_BY_OUTCOME = f"""        # What a move leads to is not known before, so every outcome is a position of its own.
        link = {_FIND_SHARED}
        if link == 0:
            break
        head = link
"""


_COPY, _COPY_AGAIN = "        state[i] = root[i]\n", "            scratch[i] = state[i]\n"


def _by_outcome(text: str, *, chance: bool, hidden: bool) -> str:
    """The search for games with several outcomes of a move: each simulation draws what its player does not know."""
    copy = _COPY + "    determinise(root, state, rng, hands.moves, hands.work)\n" * hidden
    changes = [(_LINKED, _BY_OUTCOME), (_COPY, copy + "    reseed(state, rng)\n" * chance)]
    if chance:
        changes.append((_COPY_AGAIN, _COPY_AGAIN + "        reseed(scratch, rng)\n"))
    return changed(text, changes)


def uct_source(game: Game, *, together: bool = False, rave: bool = False, transpose: bool = False) -> str:
    """The kernels of UCT as text.

    Args:
        game: the game.
        together: several threads grow one tree.
        rave: moves also count in the positions before them.
        transpose: lines that lead to equal positions share what follows.
    """
    names = [f"UCT_{name} = {number}" for number, name in enumerate(NUMBERS)]
    parts = [pool_source(game, together=together, rave=rave), *names]
    if rave:
        columns = getattr(game.rules, "identifying", range(game.rules.move_size))
        parts += [
            f"RAVE_CODES = {RAVE_CODES}",
            f"RAVE_COLUMNS = np.array({list(columns)}, dtype=np.int16)",
            RAVE_SELECT,
        ]
    else:
        parts += [f"UCT_FEW = {FEW}", SELECT]
    chance, hidden = has_chance(game), is_hidden(game)
    if hidden:
        parts.append(determinise_source(game))
        hidden = bool({"HIDDEN", "CHOSEN"} & game.rules.fields.keys())
    transpose = transpose or chance or hidden
    if transpose:
        parts.append(TRANSPOSE)
    text = SEARCH
    for name, line in {
        "find": _FIND_SHARED if transpose else _FIND,
        "remember": _REMEMBER if rave else "pass",
        "learn": _LEARN if rave else "pass",
        "rollout": _RAVE_ROLLOUT if rave else _ROLLOUT,
        "single": (_RAVE_ROLLOUT if rave else _ROLLOUT).replace("scratch", "state"),
    }.items():
        text = text.replace(f"{{{name}}}", line)
    if chance or hidden:
        text = _by_outcome(text, chance=chance, hidden=hidden)
    return "\n".join([*parts, PROOF, RESULTS, text, LEAVES])
