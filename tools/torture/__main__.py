"""``python -m tools.torture``: hostile inputs, kills and other faults, by seed.

python -m tools.torture fuzz lud kif --seed 0 --count 10000
python -m tools.torture fuzz --seed 0 --minutes 600            all formats in turn, as many as fit
python -m tools.torture kill match tree train --seed 0 --count 20
python -m tools.torture fault disk clock memory two --command match --count 3
python -m tools.torture fuzz games mutants grammar --games FOLDER  played with every index checked
python -m tools.torture show lud 1234            the input behind a finding
python -m tools.torture machines tree match train study   Ray on three nodes that are killed, fall silent ...
python -m tools.torture soak --minutes 120
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable
from pathlib import Path

from tools.torture.bounds import CHECKED, FOLDERS
from tools.torture.commands import COMMANDS
from tools.torture.faults import FAULTS
from tools.torture.formats import FORMATS as FILES
from tools.torture.fuzz import fuzz, make_input
from tools.torture.kept import FORMATS as KEPT
from tools.torture.kills import kill
from tools.torture.machines import COMMANDS as MACHINES
from tools.torture.machines import WAYS, everything
from tools.torture.soak import soak
from tools.torture.talk import FORMATS as TALK

FORMATS = {**FILES, **KEPT, **TALK}
INPUTS = {**FORMATS, **CHECKED}
"""All formats that can be fuzzed."""


def main() -> int:
    """The command line; the exit code is 1 if something was found."""
    parser = argparse.ArgumentParser(
        prog="tools.torture", description="Hostile inputs, kills and other faults, by seed."
    )
    parts = parser.add_subparsers(dest="what", required=True)
    for name, known in (("fuzz", INPUTS), ("kill", COMMANDS), ("fault", FAULTS)):
        part = parts.add_parser(name)
        part.add_argument("names", nargs="*", metavar="|".join(known), help="default: all")
        part.add_argument("--seed", type=int, default=0, help="first seed")
        part.add_argument("--count", type=int, default=1000 if name == "fuzz" else 3, help="how many of each")
        if name == "fuzz":
            part.add_argument("--minutes", type=float, help="time limit instead of --count, for all formats in turn")
            part.add_argument("--games", type=Path, action="append", default=[], help="folder of games to play")
        if name == "fault":
            part.add_argument("--command", choices=list(COMMANDS), default="match")
    part = parts.add_parser("show")
    part.add_argument("format", choices=list(INPUTS))
    part.add_argument("number", type=int)
    part.add_argument("--games", type=Path, action="append", default=[], help="folder of games to play")
    part = parts.add_parser("machines")
    part.add_argument("names", nargs="*", metavar="|".join(MACHINES), help="default: all")
    part.add_argument("--how", action="append", default=[], choices=list(WAYS), help="default: all")
    part = parts.add_parser("soak")
    part.add_argument("--minutes", type=float, default=120)
    part.add_argument("--seed", type=int, default=1)
    given = parser.parse_args()
    FOLDERS.extend(getattr(given, "games", []))
    if given.what == "show":
        sys.stdout.buffer.write(make_input(INPUTS[given.format], given.number))
        return 0
    if given.what == "machines":
        return int(any(line.startswith("finding") for line in _told(everything(given.names, given.how))))
    if given.what == "soak":
        lines = list(_told(soak(given.minutes, given.seed)))
        return int("grows" in lines[-1])
    if given.what == "fuzz" and given.minutes:
        return int(_fuzz_in_turn(given.names or list(FORMATS), given.seed, given.minutes) > 0)
    found = 0
    names: dict[str, list[str]] = {"fuzz": list(FORMATS), "kill": list(COMMANDS), "fault": list(FAULTS)}
    for name in given.names or names[given.what]:
        begin = time.monotonic()
        seeds = range(given.seed, given.seed + given.count)
        if given.what == "fuzz":
            here = len(list(_told(map(str, fuzz(INPUTS[name], given.seed, given.count)))))
        elif given.what == "kill":
            here = sum(len(list(_told(kill(name, seed)))) for seed in seeds)
        else:
            here = sum(len(list(_told(FAULTS[name](given.command, seed)))) for seed in seeds)
        seconds = time.monotonic() - begin
        print(
            f"{given.what} {name}: seeds {seeds.start} to {seeds.stop - 1}, {here} findings, {seconds:.0f} s",
            flush=True,
        )
        found += here
    return int(found > 0)


BLOCK = 250
"""Inputs of a format before the next one has its turn."""


def _fuzz_in_turn(names: list[str], seed: int, minutes: float) -> int:
    """Try inputs of all formats in turn until the time is over; returns the number of findings."""
    begin, found, seconds = time.monotonic(), 0, dict.fromkeys(names, 0.0)
    while time.monotonic() - begin < 60 * minutes:
        for name in names:
            start = time.monotonic()
            found += len(list(_told(map(str, fuzz(INPUTS[name], seed, BLOCK)))))
            seconds[name] += time.monotonic() - start
        seed += BLOCK
        passed = (time.monotonic() - begin) / 60
        print(f"{passed:.0f} min: all formats up to seed {seed - 1}, {found} findings", flush=True)
    print("seconds: " + ", ".join(f"{name} {taken:.0f}" for name, taken in seconds.items()))
    return found


def _told(lines: Iterable[str]) -> Iterable[str]:
    for line in lines:
        print(line, flush=True)
        yield line


if __name__ == "__main__":
    sys.exit(main())
