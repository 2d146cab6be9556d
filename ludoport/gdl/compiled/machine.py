"""The abstract machine that evaluates rules, as kernel text; only its program and data differ from game to game.

Registers are in the scratch space, those of a function that is called behind those of the caller. The first ones of a
function hold where to go back to, the caller's registers, the register for the result, where the result is remembered,
the list that is made (first and last entry, mark) and the number of the question.
"""

from __future__ import annotations

MACHINE = '''
@kernel
def run(work, pc):
    """Run the program from an instruction on until it halts, or for as many steps as a state may take."""
    fp = wide(STACK)
    steps = wide(0)
    while True:
        steps += 1
        if steps > MOST_STEPS:
            work[FAULT] = 1
            return 0
        op = code(pc)
        leave = 0
        result = wide(0)
        if op == 1 or op == 2:  # BITS, HELD
            place = place_of(work, fp, pc + 4)
            held = 0
            if place >= 0:
                base = code(pc + 1)
                if op == 1:
                    held = (data(base + (place >> 4)) >> (place & 15)) & 1
                elif work[base + place] != 0:
                    held = 1
            if held == code(pc + 2):
                pc = code(pc + 3)
            else:
                pc += 6 + 5 * code(pc + 4)
        elif op == 6:  # NEXT_FIXED
            at = fp + code(pc + 1)
            n = code(pc + 3)
            row = wide(work[at])
            end = wide(work[at + 1])
            while row < end and take_columns(work, fp, pc + 4, n, row) == 0:
                row += 1
            work[at] = row + 1
            pc = pc + 4 + 3 * n if row < end else code(pc + 2)
        elif op == 5:  # OPEN_FIXED
            at = fp + code(pc + 1)
            place = place_of(work, fp, pc + 4)
            if place < 0:
                pc = code(pc + 3)
            else:
                base = code(pc + 2)
                work[at] = data(base + place)
                work[at + 1] = data(base + place + 1)
                pc += 6 + 5 * code(pc + 4)
        elif op == 8:  # NEXT_STORED
            at = fp + code(pc + 1)
            n = code(pc + 4)
            links = code(pc + 2)
            entry_number = wide(work[at])
            while entry_number != 0 and take_parts(work, fp, pc + 5, n, entry_number - 1) == 0:
                entry_number = wide(work[links + entry_number])
            if entry_number != 0:
                work[at] = work[links + entry_number]
                pc += 5 + 6 * n
            else:
                pc = code(pc + 3)
        elif op == 7:  # OPEN_STORED
            place = place_of(work, fp, pc + 4)
            if place < 0:
                pc = code(pc + 3)
            else:
                work[fp + code(pc + 1)] = work[code(pc + 2) + place]
                pc += 6 + 5 * code(pc + 4)
        elif op == 0:  # JUMP
            pc = code(pc + 1)
        elif op == 3 or op == 4:  # DIFFER, EQUAL
            n = code(pc + 1)
            differ = 0
            for k in range(n):
                left = operand(work, fp, code(pc + 3 + 2 * k))
                if left != operand(work, fp, code(pc + 4 + 2 * k)):
                    differ = 1
                    break
            if differ == op - 3:
                pc = code(pc + 2)
            else:
                pc += 3 + 2 * n
        elif op == 11:  # CALL
            frame = fp + code(pc + 2)
            n = code(pc + 4)
            if frame + MOST_FRAME > STACK_END:
                work[FAULT] = 1
                work[fp + code(pc + 3)] = EMPTY
                pc += 5 + n
            else:
                for k in range(n):
                    work[frame + 8 + k] = operand(work, fp, code(pc + 5 + k))
                work[frame] = pc + 5 + n
                work[frame + 1] = fp
                work[frame + 2] = code(pc + 3)
                pc = code(pc + 1)
                fp = frame
        elif op == 12:  # BRANCH
            held = 1 if work[fp + code(pc + 1)] != 0 else 0
            if held == code(pc + 2):
                pc = code(pc + 3)
            else:
                pc += 4
        elif op == 13:  # NEXT_LIST
            at = fp + code(pc + 1)
            n = code(pc + 3)
            cell = wide(work[wide(work[at])])
            while cell != 0 and take_cells(work, fp, pc + 4, n, cell) == 0:
                cell = wide(work[cell])
            if cell != 0:
                work[at] = cell
                pc += 4 + 3 * n
            else:
                pc = code(pc + 2)
        elif op == 15:  # APPEND
            work[SEEN] = 0
            pc = append(work, fp, pc)
            steps += wide(work[SEEN])
        elif op == 16:  # MEMO
            result = remembered(work, fp, pc)
            if result >= 0:
                leave = 1
            pc += 5 + 5 * code(pc + 3)
        elif op == 17:  # RETURN
            result = remember(work, fp, code(pc + 1), code(pc + 2))
            leave = 1
        elif op == 14:  # NEW_LIST
            cell = new_cell(work, wide(0), wide(1))
            if cell == 0:
                cell = wide(EMPTY)
            work[fp + code(pc + 1)] = cell
            work[fp + code(pc + 2)] = cell
            work[fp + code(pc + 3)] = next_tick(work)
            pc += 4
        elif op == 9:  # SET
            work[fp + code(pc + 1)] = operand(work, fp, code(pc + 2))
            pc += 3
        elif op == 10:  # NEXT_DONE
            at = fp + code(pc + 1)
            n = code(pc + 4)
            role = wide(work[at])
            shape = code(pc + 2)
            while role < N_PLAYERS:
                row = DONE + role * DONE_ROW
                if work[row + DONE_ROW - 1] == shape and take_cells(work, fp, pc + 5, n, row) == 1:
                    break
                role += 1
            work[at] = role + 1
            pc = pc + 5 + 3 * n if role < N_PLAYERS else code(pc + 3)
        elif op == 18:  # PUT
            fact = place_of(work, fp, pc + 1)
            if fact >= 0:
                word = NEW + fact // WORD_BITS
                work[word] = wide(work[word]) | (1 << (fact % WORD_BITS))
            else:
                work[FAULT] = 1
            pc += 3 + 5 * code(pc + 1)
        elif op == 19:  # MOVE
            if found_move(work, operand(work, fp, code(pc + 1)), place_of(work, fp, pc + 2)) != 0:
                return 0
            pc += 4 + 5 * code(pc + 2)
        elif op == 20:  # GOAL
            worth = code(pc + 3)
            if code(pc + 2) >= 0:
                worth = data(code(pc + 2) + operand(work, fp, worth))
            found_goal(work, operand(work, fp, code(pc + 1)), worth)
            pc += 4
        elif op == 21:  # ADD
            add_tuple(work, code(pc + 1), place_of(work, fp, pc + 2))
            pc += 4 + 5 * code(pc + 2)
        elif op == 22:  # CLEAR
            clear_tuples(work, code(pc + 1))
            pc += 2
        elif op == 23:  # NEXT_TUPLE
            at = fp + code(pc + 1)
            n = code(pc + 5)
            k = wide(work[at])
            if k < wide(work[code(pc + 3)]):
                take_parts(work, fp, pc + 6, n, wide(work[code(pc + 2) + k]))
                work[at] = k + 1
                pc += 6 + 6 * n
            else:
                pc = code(pc + 4)
        elif op == 24:  # NEXT_NUMBER
            at = fp + code(pc + 1)
            n = code(pc + 4)
            k = wide(work[at])
            if k < code(pc + 2):
                take_parts(work, fp, pc + 5, n, k)
                work[at] = k + 1
                pc += 5 + 6 * n
            else:
                pc = code(pc + 3)
        elif op == 26:  # FILLED
            base = code(pc + 2)
            frame = fp + code(pc + 3)
            if work[base] == work[GENERATION]:
                pc += 5
            elif frame + MOST_FRAME > STACK_END:
                work[FAULT] = 1
                pc += 5
            else:
                work[base] = work[GENERATION]
                work[frame] = pc + 5
                work[frame + 1] = fp
                work[frame + 2] = code(pc + 4)
                pc = code(pc + 1)
                fp = frame
        else:  # HALT
            return code(pc + 1)
        if leave == 1:
            back = wide(work[fp + 1])
            pc = wide(work[fp])
            work[back + wide(work[fp + 2])] = result
            fp = back
'''
