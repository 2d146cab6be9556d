from __future__ import annotations

import threading
import time

from ludoport.ggp.turns import ThreadQueue


def test_only_so_many_at_once_and_everybody_in_turn() -> None:
    turns = ThreadQueue(2)
    inside, most, counts = 0, 0, [0] * 6
    lock = threading.Lock()
    end = time.monotonic() + 0.4

    def work(number: int) -> None:
        nonlocal inside, most
        while time.monotonic() < end:
            with turns.turn(end) as granted:
                if not granted:
                    return
                with lock:
                    inside += 1
                    most = max(most, inside)
                time.sleep(0.002)
                counts[number] += 1
                with lock:
                    inside -= 1

    threads = [threading.Thread(target=work, args=(number,)) for number in range(len(counts))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert most == 2
    assert min(counts) > 0
    assert max(counts) <= 2 * min(counts) + 4


def test_who_waits_too_long_is_told_so_and_leaves_no_gap() -> None:
    turns = ThreadQueue(1)
    with turns.turn(time.monotonic() + 1) as first:
        assert first
        with turns.turn(time.monotonic() + 0.02) as second:
            assert not second
    with turns.turn(time.monotonic() + 1) as third:
        assert third
