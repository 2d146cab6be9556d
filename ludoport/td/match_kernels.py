"""The text of the kernels that play matches: the learner, its simple opponents, and learning afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.pool import EXCHANGED, NEVER_EXCHANGED
from ludoport.td.lookahead_kernels import LOOKAHEAD
from ludoport.td.memory_kernels import BOOK, MEMORY, NUMBERS

if TYPE_CHECKING:
    from ludoport.game import Game

ORDERS = ("SEAT", "START", "ASK", "OPPONENT", "HABIT", "SIGHT", "DEPTH", "NESTED", "LIMIT", "SALT")
"""Whole numbers that a match is given: the learner's seat, where values begin, whether every afterstate that is looked
at is written down, the opponent's kind, habit and sight, the lookahead, most moves of a match, the salt of habits."""

STARTS = ("default", "features", "minimax", "maxmax", "avgmax")
"""What the value of a new afterstate may be."""

KINDS = ("random", "eps-greedy", "weak")
"""The opponents of the paper."""

CHOOSE = '''
@kernel
def td_chance(rng, probability):
    """Whether something happens that has a probability."""
    return draw_number(rng, 1 << 24) < probability * (1 << 24)


@kernel
def td_feature(code, codes, values, default):
    """The value of a feature; the codes are sorted."""
    low = 0
    high = codes.shape[0]
    while low < high:
        middle = (low + high) // 2
        if codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < codes.shape[0] and codes[low] == code:
        return values[low]
    return default


@kernel
def td_first(rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, counts, codes, values):
    """The value that the afterstate in rows[0] begins with; the code of its tree is left in counts[1]."""
    start = wide(orders[ORDER_START])
    value = numbers[TD_DEFAULT]
    code = wide(0)
    if start > 0:
        seat = wide(orders[ORDER_SEAT])
        depth = wide(orders[ORDER_DEPTH])
        if rows[0, OVER] != 0:
            value = td_reward(rows[0], seat, numbers)
        else:
            code = td_look(
                rows, lists, kids, levels, sums, work, depth, seat, wide(0), numbers, outcomes, slots, book
            )
            if start > 1:
                value = sums[0, start - 2]
            else:
                value = td_feature(code, codes, values, value)
                if orders[ORDER_NESTED] != 0:
                    deeper = td_look(
                        rows, lists, kids, levels, sums, work, depth, seat, wide(1), numbers, outcomes, slots, book
                    )
                    value = td_feature(deeper, codes, values, value)
    counts[1] = code
    return value


@kernel
def td_choose(
    state, rng, moves, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q, kept, counts,
    codes, values
):
    """The number of the learner's move: one with the highest value, now and then any. The moves stay in the list."""
    n = legal(state, moves, work)
    if td_chance(rng, numbers[TD_EPSILON]):
        return wide(draw_number(rng, n))
    best = 0.0
    ties = 0
    chosen = wide(0)
    for k in range(n):
        for i in range(STATE_SIZE):
            rows[0, i] = state[i]
        play(rows[0], moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)
        entry = td_entry(slots, book, rows[0])
        value = numbers[TD_DEFAULT]
        if entry >= 0:
            value = q[entry]
        elif orders[ORDER_ASK] != 0:
            value = td_first(
                rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, counts, codes, values
            )
            # The last entries are for what the match visits; there will be more before the next one.
            if counts[0] + orders[ORDER_LIMIT] + 1 < q.shape[0]:
                td_add(slots, book, q, kept, counts, rows[0], value, wide(counts[1]))
        if ties == 0 or value > best:
            best = value
            ties = 1
            chosen = wide(k)
        elif value == best:
            ties += 1
            if draw_number(rng, ties) == 0:
                chosen = wide(k)
    return chosen


@kernel
def td_exposed(rows, person, replies, work, seen):
    """Whether some reply in rows[0] makes a person lose at once. What was found is kept in ``seen``, by key."""
    name = td_mix(wide(key(rows[0])), wide(person))
    place = name & wide(seen.shape[0] - 1)
    if seen[place] >> 1 == name >> 1:
        return wide(seen[place]) & 1
    found = wide(0)
    answers = legal(rows[0], replies, work)
    for j in range(answers):
        for i in range(STATE_SIZE):
            rows[1, i] = rows[0, i]
        play(rows[1], replies[j * MOVE_SIZE : (j + 1) * MOVE_SIZE], work)
        if rows[1, OVER] != 0 and utility(rows[1], exchanged(rows[1], wide(person))) < 0:
            found = wide(1)
            break
    seen[place] = ((name >> 1) << 1) | found
    return found


@kernel
def td_decisive(state, person, sight, moves, rows, replies, work, wanted, seen):
    """Marks in ``wanted`` what each move is: 2 wins, 0 loses or, if seen so far, lets another win; 1 all others."""
    n = legal(state, moves, work)
    for k in range(n):
        for i in range(STATE_SIZE):
            rows[0, i] = state[i]
        play(rows[0], moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)
        mark = 1
        if rows[0, OVER] != 0:
            gained = utility(rows[0], exchanged(rows[0], wide(person)))
            if gained > 0:
                mark = 2
            elif gained < 0:
                mark = 0
        elif sight > 1 and exchanged(rows[0], wide(rows[0, MOVER])) != person:
            mark -= td_exposed(rows, person, replies, work, seen)
        wanted[k] = mark
    return n


@kernel
def td_oppose(state, rng, moves, rows, replies, work, wanted, seen, orders, numbers):
    """The number of the move of a simple opponent. The moves are left in the list."""
    kind = wide(orders[ORDER_OPPONENT])
    if kind == 0 or td_chance(rng, numbers[TD_OTHER_EPSILON]):
        return wide(draw_number(rng, legal(state, moves, work)))
    person = exchanged(state, wide(state[MOVER]))
    n = td_decisive(state, person, wide(orders[ORDER_SIGHT]), moves, rows, replies, work, wanted, seen)
    best = wide(wanted[0])
    for k in range(1, n):
        if (kind == 1) == (wanted[k] > best):
            best = wide(wanted[k])
    equal = 0
    for k in range(n):
        if wanted[k] == best:
            equal += 1
    if orders[ORDER_HABIT] != 0:
        skip = td_mix(wide(key(state)), wide(orders[ORDER_SALT])) % equal
    else:
        skip = wide(draw_number(rng, equal))
    for k in range(n):
        if wanted[k] == best:
            if skip == 0:
                return wide(k)
            skip -= 1
    return wide(0)
'''

MATCH = '''
@kernel
def td_learn(
    path, length, reward, trail, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q, kept,
    counts, codes, values
):
    """After a match: write down what is new, count visits, and learn (what the paper does in the start clock)."""
    for t in range(length):
        entry = td_entry(slots, book, path[t])
        if entry < 0:
            for i in range(STATE_SIZE):
                rows[0, i] = path[t, i]
            value = td_first(
                rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, counts, codes, values
            )
            entry = td_add(slots, book, q, kept, counts, rows[0], value, wide(counts[1]))
        book[BOOK_VISITS, entry] += 1
        trail[0, t] = entry
    return td_update(q, trail, length, reward, numbers)


@entry
def enter_td_choose(
    state, rng, moves, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q, kept, counts,
    codes, values
):
    return td_choose(
        state, rng, moves, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q, kept,
        counts, codes, values
    )


@entry
def enter_td_learn(
    path, length, reward, trail, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q, kept,
    counts, codes, values
):
    return td_learn(
        path, length, reward, trail, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q,
        kept, counts, codes, values
    )


@entry
def enter_td_oppose(state, rng, moves, rows, replies, work, wanted, seen, orders, numbers):
    return td_oppose(state, rng, moves, rows, replies, work, wanted, seen, orders, numbers)


@entry
def enter_td_matches(
    rewards, state, rng, moves, wanted, seen, path, trail, rows, lists, kids, levels, sums, work, orders, numbers,
    outcomes, slots, book, q, kept, counts, codes, values
):
    """Play matches until all are played or there is no room for another; returns how many were played."""
    seat = wide(orders[ORDER_SEAT])
    limit = wide(orders[ORDER_LIMIT])
    for number in range(rewards.shape[0]):
        if counts[0] + limit + 1 >= q.shape[0]:
            return number
        start(state, rng)
        length = 0
        ply = 0
        while state[OVER] == 0 and ply < limit:
            if exchanged(state, wide(state[MOVER])) == seat:
                k = td_choose(
                    state, rng, moves, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots, book, q,
                    kept, counts, codes, values
                )
                play(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)
                for i in range(STATE_SIZE):
                    path[length, i] = state[i]
                length += 1
            else:
                k = td_oppose(state, rng, moves, rows, lists[0], work, wanted, seen, orders, numbers)
                play(state, moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], work)
                if state[OVER] != 0:
                    # The last afterstate is the end, whoever made the last move.
                    for i in range(STATE_SIZE):
                        path[length, i] = state[i]
                    length += 1
            ply += 1
        reward = td_reward(state, seat, numbers)
        rewards[number] = reward
        td_learn(
            path, wide(length), reward, trail, rows, lists, kids, levels, sums, work, orders, numbers, outcomes, slots,
            book, q, kept, counts, codes, values
        )
    return rewards.shape[0]
'''


def td_source(game: Game) -> str:
    """The kernels of the learner for a game, as text."""
    names = [
        f"{prefix}_{name} = {number}"
        for prefix, listed in (("BOOK", BOOK), ("TD", NUMBERS), ("ORDER", ORDERS))
        for number, name in enumerate(listed)
    ]
    swaps = "SWAPPED" in game.rules.fields
    return "\n".join([*names, EXCHANGED if swaps else NEVER_EXCHANGED, MEMORY, LOOKAHEAD, CHOOSE, MATCH])
