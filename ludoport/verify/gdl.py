"""Compares rulesheets with recorded games and with a suite of small cases.

A record has one entry per step: the number of facts and a digest of them, the legal moves of each role, the joint move,
whether the game has ended, and the goals at the end.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from ludoport.errors import LudoportError
from ludoport.game import Game, State
from ludoport.gdl import GdlRules, load_rules
from ludoport.gdl.checks import problems
from ludoport.gdl.kif import Sheet
from ludoport.gdl.program import read_program
from ludoport.verify.pool import run_apart
from ludoport.verify.report import Disagreement, FileComparison

ABSENT = "absent"
"""Stands for the engine where there is no rulesheet; such cases neither agree nor disagree."""

DIGITS = 12
"""Hexadecimal digits of the digests in records."""


@dataclass(frozen=True, slots=True)
class SheetTask:
    """One rulesheet to compare.

    Attributes:
        id: its name in reports.
        sheet: the rulesheet.
        trace: a file of recorded games, if there is one.
        valid: whether the sheet must load; None if both are right.
        case: an entry of the conformance suite, as JSON.
        network: use the network; otherwise the interpreter.
        seconds: stop comparing after this time; what was not compared then does not count.
    """

    id: str
    sheet: Path
    trace: Path | None = None
    valid: bool | None = None
    case: str | None = None
    network: bool = True
    seconds: float = 60.0


def digest(texts: Sequence[str]) -> str:
    """The digest of a set of facts or moves."""
    return hashlib.sha1("\n".join(sorted(texts)).encode()).hexdigest()[:DIGITS]


def index_tasks(index: Path, network: bool = True, seconds: float = 60.0) -> list[SheetTask]:
    """The rulesheets that an index lists, with their records."""
    tasks = []
    for entry in _read_json(index):
        trace = index.parent / entry["trace"] if entry.get("trace") else None
        sheet = index.parent / "rulesheets" / entry["file"]
        tasks.append(SheetTask(entry["file"], sheet, trace, entry.get("validator_valid"), None, network, seconds))
    return tasks


def suite_tasks(suite: Path, index: Path, network: bool = True) -> list[SheetTask]:
    """The cases of a conformance suite; their rulesheets are looked for in an index."""
    files = [entry["file"] for entry in _read_json(index)]
    tasks = []
    for case in _read_json(suite)["rulesheets"]:
        # Some cases are about files of another repository than the suite says; there the case's own name is the path.
        endings = ("/" + case["path_in_ggp_base"], "/" + case["rulesheet"])
        found = sorted(
            (file for file in files if file.endswith(endings)),
            key=lambda file: (not file.endswith(endings[0]), "ggp-org" not in file),
        )
        sheet = index.parent / "rulesheets" / (found[0] if found else case["path_in_ggp_base"])
        tasks.append(SheetTask(case["rulesheet"], sheet, case=json.dumps(case), network=network))
    return tasks


def compare_all(
    tasks: Sequence[SheetTask], jobs: int = 0, limit: float | None = None
) -> Iterator[tuple[FileComparison, str]]:
    """Compares all tasks; yields each result with the engine that played, in the order of the tasks."""
    if jobs == 0:
        yield from map(compare, tasks)
        return
    for task, outcome in zip(tasks, run_apart(compare, tasks, jobs, limit), strict=True):
        if isinstance(outcome, tuple):
            yield outcome
        else:
            yield FileComparison(task.id, unit="states", failure=str(outcome)), "none"


def compare(task: SheetTask) -> tuple[FileComparison, str]:
    """Compares one rulesheet; returns the result and what played it."""
    result = FileComparison(task.id, unit="states")
    begin = time.perf_counter()
    engine = "none"
    try:
        if task.case is not None:
            engine = _compare_case(task, json.loads(task.case), result)
        else:
            engine = _compare_trace(task, result)
    except LudoportError as error:
        result.failure = str(error).splitlines()[0]
        engine = "refused"
        if task.valid is not True and task.case is None:
            # A sheet that is not valid may be refused; saying why is all that is asked for.
            result.failure = None
    result.seconds = time.perf_counter() - begin
    return result, engine


def _compare_trace(task: SheetTask, result: FileComparison) -> str:
    rules = load_rules(task.sheet, network=task.network)
    if task.trace is None:
        return rules.engine
    record = _read_json(task.trace)
    if task.valid is False:
        # What an invalid sheet means is not defined, so there is nothing to compare.
        return rules.engine
    replay(rules, record.get("playouts", []), result, task.seconds)
    return rules.engine


def replay(
    rules: GdlRules, playouts: Sequence[Sequence[dict[str, Any]]], result: FileComparison, seconds: float = 60.0
) -> None:
    """Replays recorded games and writes what it finds into ``result``."""
    # Networks are compared in plain Python, which loads at once; sheets that need compiled rules are too large for it.
    game = Game(rules, jit=None if rules.engine == "compiled" else False)
    state = game.start()  # loading does not count
    end = time.perf_counter() + seconds
    for number, playout in enumerate(playouts):
        result.trials += 1
        found: Disagreement | None = None
        state = game.start()
        for step, record in enumerate(playout):
            if time.perf_counter() > end:
                break
            result.checks += 1
            found = compare_state(state, record, f"game {number}, step {step}")
            if found is not None:
                break
            result.agreeing += 1
            if "does" not in record or record["terminal"]:
                break
            state = play_joint(state, record["does"])
        result.agreeing_trials += found is None
        result.first = result.first or found


def compare_state(state: State, record: dict[str, Any], where: str) -> Disagreement | None:
    """Compares one state with the record of it."""
    rules = _rules(state)
    facts = rules.facts(state.row)
    if "state" in record and digest(facts) != record["state"]:
        missing = sorted(set(record.get("facts", [])) - set(facts))
        extra = sorted(set(facts) - set(record.get("facts", []))) if "facts" in record else []
        return Disagreement(where, "facts", f"{record['n']}", f"{len(facts)}", missing, extra, picture=state.picture())
    ended = bool(state.row[rules.fields["OVER"]] == 1)
    if ended != record["terminal"]:
        return Disagreement(where, "end", str(record["terminal"]), str(ended), picture=state.picture())
    expected = record.get("goals")
    if expected is not None:
        found = goal_values(state)
        if found != expected:
            return Disagreement(where, "goals", str(expected), str(found), picture=state.picture())
    for role, listed in enumerate(record.get("legal", []) if not ended else []):
        moves = moves_of(state, role)
        if listed and isinstance(listed[0], int):
            same = [len(moves), digest(moves)] == listed
        else:
            same = sorted(moves) == sorted(listed)
        if not same:
            shown = [] if listed and isinstance(listed[0], int) else sorted(listed)
            return Disagreement(
                where,
                f"legal moves of {rules.roles[role]}",
                str(listed[0] if not shown and listed else len(shown)),
                str(len(moves)),
                reference_moves=shown or None,
                game_moves=sorted(moves),
                picture=state.picture(),
            )
    return None


def _rules(state: State) -> GdlRules:
    rules = state.game.rules
    assert isinstance(rules, GdlRules)
    return rules


def goal_values(state: State) -> list[int | None]:
    """The goal value of each role in any state; None where there is not exactly one."""
    rules, row = _rules(state), state.row.copy()
    state.game.kernels.enter_goals(row, state.game.work)
    first = rules.fields["GOAL"]
    return [int(value) if value >= 0 else None for value in row[first : first + rules.n_players]]


def moves_of(state: State, role: int) -> list[str]:
    """The legal moves of any role."""
    game, rules = state.game, _rules(state)
    moves = np.zeros((rules.max_moves + 1) * rules.move_size, dtype=game.dtype)
    count = int(game.kernels.enter_role_moves(state.row, role, moves, game.work))
    return [rules.move_text(int(move)) for move in moves[: count * rules.move_size : rules.move_size]]


def play_joint(state: State, moves: Sequence[str]) -> State:
    """The state after a joint move, one for each role."""
    rules = _rules(state)
    first = rules.fields["CHOICE"]
    while True:
        state = state.play(moves[state.mover - 1])
        if not state.row[first : first + rules.n_players].any():
            return state


def _compare_case(task: SheetTask, case: dict[str, Any], result: FileComparison) -> str:
    """One case of the suite: what the checks say, what holds after some moves, and recorded games."""
    if not task.sheet.is_file():
        return ABSENT
    result.trials, result.checks = 1, 1
    try:
        found = problems(read_program(Sheet(task.sheet.read_text(), task.sheet.name)))
        verdict = "error" if any(x.error for x in found) else "warnings" if found else "ok"
    except LudoportError:
        verdict = "error"
    observed = case["validator_observed"]
    wanted = "warnings" if observed["valid"] and observed["warnings"] else "ok" if observed["valid"] else "error"
    if verdict != wanted:
        result.first = Disagreement("checks", "verdict", wanted, verdict)
        return "none"
    result.agreeing = result.agreeing_trials = 1
    if not case["usable_for_pass_fail"]:
        return "refused"
    rules = load_rules(task.sheet, network=task.network)
    for number, assertion in enumerate(case["assertions"]):
        result.checks += 1
        result.first = result.first or _compare_assertion(rules, assertion, f"assertion {number}")
        result.agreeing += result.first is None
    if case.get("reference_trace"):
        replay(rules, case["reference_trace"]["playouts"], result, task.seconds)
    return rules.engine


def _compare_assertion(rules: GdlRules, assertion: dict[str, Any], where: str) -> Disagreement | None:
    game = Game(rules, jit=False)
    state = game.start()
    for joint in assertion["after"]:
        state = play_joint(state, joint)
    goals = dict(zip(rules.roles, goal_values(state), strict=True))
    legal = {name: sorted(moves_of(state, role)) for role, name in enumerate(rules.roles)}
    checks: list[tuple[str, Any, Any]] = [
        ("terminal", assertion.get("terminal", state.over), state.over),
        ("roles", assertion.get("roles", rules.roles), rules.roles),
    ]
    checks += [(f"goal of {name}", value, goals[name]) for name, value in assertion.get("goals", {}).items()]
    checks += [(f"moves of {name}", sorted(moves), legal[name]) for name, moves in assertion.get("legal", {}).items()]
    checks += [(f"moves of {name}", n, len(legal[name])) for name, n in assertion.get("legal_count", {}).items()]
    for name, moves in assertion.get("legal_contains", {}).items():
        checks.append((f"moves of {name}", [], [move for move in moves if move not in legal[name]]))
    for what, expected, found in checks:
        if expected != found:
            return Disagreement(where, what, str(expected), str(found), picture=state.picture())
    return None


def _read_json(path: Path) -> Any:
    try:
        data = path.read_bytes()
        return json.loads(gzip.decompress(data) if path.suffix == ".gz" else data)
    except OSError as error:
        raise LudoportError(f"cannot read {path}: {error.strerror}") from None
    except ValueError:
        raise LudoportError(f"{path} is not JSON") from None
