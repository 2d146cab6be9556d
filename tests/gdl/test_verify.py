"""Comparing with records: agreement is found, and so is every kind of disagreement."""

from __future__ import annotations

import copy
import gzip
import json
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from ludoport.bench.gdl import chosen
from ludoport.commands.gdl import bench_gdl, verify_gdl
from ludoport.errors import LudoportError
from ludoport.game import Game
from ludoport.games import bundled_rulesheets
from ludoport.gdl import load_rules
from ludoport.verify.gdl import compare_all, digest, goal_values, moves_of, play_joint, replay, suite_tasks
from ludoport.verify.report import FileComparison

SHEET = bundled_rulesheets()["nim.kif"]
REFERENCE = Path(__file__).parents[3] / "shared" / "gdl"


def record():
    """One game of Nim as it would be recorded."""
    rules = load_rules(SHEET, network=False)
    state, steps = Game(rules, jit=False).start(), []
    for heap in "abc":
        for joint in ([f"(leave {heap} 0)", "noop"], ["noop", f"(leave {heap} 0)"]):
            if state.mover == 1 + (joint[0] == "noop"):
                facts = rules.facts(state.row)
                legal = [moves_of(state, 0), [len(moves_of(state, 1)), digest(moves_of(state, 1))]]
                steps.append(
                    {"n": len(facts), "state": digest(facts), "terminal": False, "legal": legal, "does": joint}
                )
                state = play_joint(state, joint)
                break
    facts = rules.facts(state.row)
    steps.append({"n": len(facts), "state": digest(facts), "terminal": True, "goals": goal_values(state)})
    return steps


def compared(steps):
    result = FileComparison("nim", unit="states")
    replay(load_rules(SHEET), [steps], result)
    return result


def test_a_record_agrees():
    result = compared(record())
    assert result.agrees
    assert (result.trials, result.agreeing_trials, result.checks, result.agreeing) == (1, 1, 4, 4)


@pytest.mark.parametrize(
    ("step", "key", "value", "what"),
    [
        (1, "state", "0" * 12, "facts"),
        (0, "terminal", True, "end"),
        (3, "goals", [100, 100], "goals"),
        (0, "legal", [["noop"], [1, "0" * 12]], "legal moves of first"),
        (1, "legal", [["noop"], [1, "0" * 12]], "legal moves of second"),
    ],
)
def test_disagreements_are_found(step, key, value, what):
    steps = copy.deepcopy(record())
    steps[step][key] = value
    first = compared(steps).first
    assert first is not None
    assert first.what == what


app = typer.Typer()
app.command("verify")(verify_gdl)
app.command("bench")(bench_gdl)


def test_the_command_reads_records(tmp_path):
    trace = tmp_path / "nim.json.gz"
    trace.write_bytes(gzip.compress(json.dumps({"playouts": [record()]}).encode()))
    answer = CliRunner().invoke(app, ["verify", str(SHEET), "--trace", str(trace), "--json"])
    assert answer.exit_code == 0
    told = json.loads(answer.stdout)
    assert told["summary"]["agreeing_variants"] == 1
    assert told["engines"] == {"network": 1}


def test_the_command_reads_an_index_and_fails_where_sheets_differ(tmp_path):
    wrong = record()
    wrong[-1]["goals"] = [0, 0]
    (tmp_path / "t.json").write_text(json.dumps({"playouts": [wrong]}))
    (tmp_path / "rulesheets").mkdir()
    (tmp_path / "rulesheets" / "nim.kif").write_text(SHEET.read_text())
    (tmp_path / "rulesheets" / "bad.kif").write_text("(role a) (legal a ?x)")
    entries = [
        {"file": "nim.kif", "trace": "t.json", "validator_valid": True},
        {"file": "bad.kif", "trace": None, "validator_valid": False},
    ]
    (tmp_path / "index.json").write_text(json.dumps(entries))
    answer = CliRunner().invoke(app, ["verify", "--index", str(tmp_path / "index.json"), "--interpreter"])
    assert answer.exit_code == 1
    assert "goals" in answer.stdout
    assert "1 of 2 rulesheets agree" in answer.stdout
    answer = CliRunner().invoke(app, ["verify", "--index", str(tmp_path / "index.json"), "--only", "bad"])
    assert answer.exit_code == 0
    assert "refused" in answer.stdout


def test_cases_without_a_rulesheet_do_not_count(tmp_path):
    sheet = tmp_path / "rulesheets" / "elsewhere" / "games" / "tiny.kif"
    sheet.parent.mkdir(parents=True)
    sheet.write_text(SHEET.read_text())
    cases = [
        {"rulesheet": "games/tiny.kif", "path_in_ggp_base": "games/games/tiny.kif"},
        {"rulesheet": "test/gone.kif", "path_in_ggp_base": "games/test/gone.kif"},
    ]
    for case in cases:
        case |= {
            "assertions": [],
            "usable_for_pass_fail": True,
            "validator_observed": {"valid": True, "warnings": []},
        }
    (tmp_path / "index.json").write_text(json.dumps([{"file": "elsewhere/games/tiny.kif", "trace": None}]))
    (tmp_path / "suite.json").write_text(json.dumps({"rulesheets": cases}))
    where = ["--suite", str(tmp_path / "suite.json"), "--index", str(tmp_path / "index.json")]
    answer = CliRunner().invoke(app, ["verify", *where, "--interpreter"])
    assert answer.exit_code == 0
    assert "1 of 1 rulesheets agree (1 interpreter, 1 absent)" in answer.stdout


def test_mistakes_on_the_command_line():
    for arguments in (["verify"], ["verify", str(SHEET), "--trace", "a", "--trace", "b"], ["verify", "--suite", "x"]):
        assert isinstance(CliRunner().invoke(app, arguments).exception, LudoportError)
    with pytest.raises(LudoportError, match="not in the record"):
        chosen(["nothing"])


@pytest.mark.slow
@pytest.mark.skipif(not (REFERENCE / "conformance.json").is_file(), reason="the reference suite is not at hand")
@pytest.mark.parametrize("network", [True, False])
def test_the_reference_suite_holds(network):
    tasks = suite_tasks(REFERENCE / "conformance.json", REFERENCE / "index.json", network)
    if not network:
        tasks = [task for task in tasks if "connectFour" not in task.id]
    results = list(compare_all(tasks))
    assert [result.line() for result, _ in results if not result.agrees] == []
    assert sum(engine == ("network" if network else "interpreter") for _, engine in results) >= (23 if network else 21)
