"""The text of the kernels that play matches: the learner, its simple opponents, and learning afterwards."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ludoport.search.chance import refuse_chance
from ludoport.search.hidden import refuse_hidden
from ludoport.search.pool import EXCHANGED, NEVER_EXCHANGED
from ludoport.td.lookahead_kernels import LOOKAHEAD
from ludoport.td.memory_kernels import BOOK, MEMORY, NUMBERS

if TYPE_CHECKING:
    from ludoport.game import Game

ORDERS = ("SEAT", "START", "ASK", "OPPONENT", "HABIT", "SIGHT", "DEPTH", "NESTED", "LIMIT", "SALT")
"""Whole numbers that a match is given: the learner's seat, where values begin, whether every afterstate that is looked
at is written down, the opponent's kind, habit and sight, the lookahead, most moves of a match, the salt of habits."""

STARTS = ("default", "features", "minimax", "maxmax", "avgmax")
"""Initial values of a new afterstate."""

KINDS = ("random", "eps-greedy", "weak")
"""The opponents of the paper."""

CHOOSE = '''
@kernel
def td_chance(rng, probability):
    """Whether something happens that has a probability."""
    return draw_number(rng, 1 << 24) < probability * (1 << 24)


@kernel
def td_feature(code, features, default):
    """The value of a feature; the codes are sorted."""
    low = 0
    high = features.codes.shape[0]
    while low < high:
        middle = (low + high) // 2
        if features.codes[middle] < code:
            low = middle + 1
        else:
            high = middle
    if low < features.codes.shape[0] and features.codes[low] == code:
        return features.values[low]
    return default


@kernel
def td_first(desk, terms, memory, features):
    """The value that the afterstate in desk.rows[0] begins with; the code of its tree is left in memory.counts[1]."""
    start = wide(terms.orders[ORDER_START])
    value = terms.numbers[TD_DEFAULT]
    code = wide(0)
    if start > 0:
        seat = wide(terms.orders[ORDER_SEAT])
        depth = wide(terms.orders[ORDER_DEPTH])
        if desk.rows[0, OVER] != 0:
            value = td_reward(desk.rows[0], seat, terms.numbers)
        else:
            code = td_look(desk, depth, seat, wide(0), terms, memory)
            if start > 1:
                value = desk.sums[0, start - 2]
            else:
                value = td_feature(code, features, value)
                if terms.orders[ORDER_NESTED] != 0:
                    deeper = td_look(desk, depth, seat, wide(1), terms, memory)
                    value = td_feature(deeper, features, value)
    memory.counts[1] = code
    return value


@kernel
def td_choose(state, hand, desk, terms, memory, features):
    """The number of the learner's move: one with the highest value, now and then any. The moves stay in the list."""
    n = legal(state, hand.moves, desk.work)
    if td_chance(hand.rng, terms.numbers[TD_EPSILON]):
        return wide(draw_number(hand.rng, n))
    best = 0.0
    ties = 0
    chosen = wide(0)
    for k in range(n):
        for i in range(STATE_SIZE):
            desk.rows[0, i] = state[i]
        play(desk.rows[0], hand.moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], desk.work)
        entry = td_entry(memory, desk.rows[0])
        value = terms.numbers[TD_DEFAULT]
        if entry >= 0:
            value = memory.q[entry]
        elif terms.orders[ORDER_ASK] != 0:
            value = td_first(desk, terms, memory, features)
            # The last entries are for what the match visits; there will be more before the next one.
            if memory.counts[0] + terms.orders[ORDER_LIMIT] + 1 < memory.q.shape[0]:
                td_add(memory, desk.rows[0], value, wide(memory.counts[1]))
        if ties == 0 or value > best:
            best = value
            ties = 1
            chosen = wide(k)
        elif value == best:
            ties += 1
            if draw_number(hand.rng, ties) == 0:
                chosen = wide(k)
    return chosen


@kernel
def td_exposed(seat, hand, desk):
    """Whether some reply in desk.rows[0] makes a seat lose at once. What was found is kept in ``seen``, by key."""
    name = td_mix(wide(key(desk.rows[0])), wide(seat))
    place = name & wide(hand.seen.shape[0] - 1)
    if hand.seen[place] >> 1 == name >> 1:
        return wide(hand.seen[place]) & 1
    found = wide(0)
    answers = legal(desk.rows[0], desk.lists[0], desk.work)
    for j in range(answers):
        for i in range(STATE_SIZE):
            desk.rows[1, i] = desk.rows[0, i]
        play(desk.rows[1], desk.lists[0][j * MOVE_SIZE : (j + 1) * MOVE_SIZE], desk.work)
        if desk.rows[1, OVER] != 0 and utility(desk.rows[1], exchanged(desk.rows[1], wide(seat))) < 0:
            found = wide(1)
            break
    hand.seen[place] = ((name >> 1) << 1) | found
    return found


@kernel
def td_decisive(state, seat, sight, hand, desk):
    """Marks in ``wanted`` what each move is: 2 wins, 0 loses or, if seen so far, lets another win; 1 all others."""
    n = legal(state, hand.moves, desk.work)
    for k in range(n):
        for i in range(STATE_SIZE):
            desk.rows[0, i] = state[i]
        play(desk.rows[0], hand.moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], desk.work)
        mark = 1
        if desk.rows[0, OVER] != 0:
            gained = utility(desk.rows[0], exchanged(desk.rows[0], wide(seat)))
            if gained > 0:
                mark = 2
            elif gained < 0:
                mark = 0
        elif sight > 1 and exchanged(desk.rows[0], wide(desk.rows[0, MOVER])) != seat:
            mark -= td_exposed(seat, hand, desk)
        hand.wanted[k] = mark
    return n


@kernel
def td_oppose(state, hand, desk, terms):
    """The number of the move of a simple opponent. The moves are left in the list."""
    kind = wide(terms.orders[ORDER_OPPONENT])
    if kind == 0 or td_chance(hand.rng, terms.numbers[TD_OTHER_EPSILON]):
        return wide(draw_number(hand.rng, legal(state, hand.moves, desk.work)))
    seat = exchanged(state, wide(state[MOVER]))
    n = td_decisive(state, seat, wide(terms.orders[ORDER_SIGHT]), hand, desk)
    best = wide(hand.wanted[0])
    for k in range(1, n):
        if (kind == 1) == (hand.wanted[k] > best):
            best = wide(hand.wanted[k])
    equal = 0
    for k in range(n):
        if hand.wanted[k] == best:
            equal += 1
    if terms.orders[ORDER_HABIT] != 0:
        skip = td_mix(wide(key(state)), wide(terms.orders[ORDER_SALT])) % equal
    else:
        skip = wide(draw_number(hand.rng, equal))
    for k in range(n):
        if hand.wanted[k] == best:
            if skip == 0:
                return wide(k)
            skip -= 1
    return wide(0)
'''

MATCH = '''
@kernel
def td_learn(journey, length, reward, desk, terms, memory, features):
    """After a match: write down what is new, count visits, and learn (what the paper does in the start clock)."""
    for t in range(length):
        entry = td_entry(memory, journey.path[t])
        if entry < 0:
            for i in range(STATE_SIZE):
                desk.rows[0, i] = journey.path[t, i]
            value = td_first(desk, terms, memory, features)
            entry = td_add(memory, desk.rows[0], value, wide(memory.counts[1]))
        memory.book[BOOK_VISITS, entry] += 1
        journey.trail[0, t] = entry
    return td_update(memory.q, journey.trail, length, reward, terms.numbers)


@entry
def enter_td_choose(state, hand, desk, terms, memory, features):
    return td_choose(state, hand, desk, terms, memory, features)


@entry
def enter_td_learn(journey, length, reward, desk, terms, memory, features):
    return td_learn(journey, length, reward, desk, terms, memory, features)


@entry
def enter_td_oppose(state, hand, desk, terms):
    return td_oppose(state, hand, desk, terms)


@entry
def enter_td_matches(rewards, state, hand, journey, desk, terms, memory, features):
    """Play matches until all are played or there is no room for another; returns how many were played."""
    seat = wide(terms.orders[ORDER_SEAT])
    limit = wide(terms.orders[ORDER_LIMIT])
    for number in range(rewards.shape[0]):
        if memory.counts[0] + limit + 1 >= memory.q.shape[0]:
            return number
        start(state, hand.rng)
        length = 0
        ply = 0
        while state[OVER] == 0 and ply < limit:
            if exchanged(state, wide(state[MOVER])) == seat:
                k = td_choose(state, hand, desk, terms, memory, features)
                play(state, hand.moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], desk.work)
                for i in range(STATE_SIZE):
                    journey.path[length, i] = state[i]
                length += 1
            else:
                k = td_oppose(state, hand, desk, terms)
                play(state, hand.moves[k * MOVE_SIZE : (k + 1) * MOVE_SIZE], desk.work)
                if state[OVER] != 0:
                    # The last afterstate is the end, whichever seat made the last move.
                    for i in range(STATE_SIZE):
                        journey.path[length, i] = state[i]
                    length += 1
            ply += 1
        reward = td_reward(state, seat, terms.numbers)
        rewards[number] = reward
        td_learn(journey, wide(length), reward, desk, terms, memory, features)
    return rewards.shape[0]
'''


def td_source(game: Game) -> str:
    """The kernels of the learner for a game, as text."""
    refuse_chance(game, "value learning")
    refuse_hidden(game, "value learning")
    names = [
        f"{prefix}_{name} = {number}"
        for prefix, listed in (("BOOK", BOOK), ("TD", NUMBERS), ("ORDER", ORDERS))
        for number, name in enumerate(listed)
    ]
    swaps = "SWAPPED" in game.rules.fields
    return "\n".join([*names, EXCHANGED if swaps else NEVER_EXCHANGED, MEMORY, LOOKAHEAD, CHOOSE, MATCH])
