import json

import pytest

from ludoport.bench.nets import CASES, CPU_WAYS, NetworkCase, RunWay, chosen, line, main, rows
from ludoport.errors import LudoportError

SMALL = [NetworkCase("tiny_3x3", "tiny", (4, 3), (3, 3), 1)]


@pytest.mark.slow
def test_a_network_is_measured_and_compared_with_itself():
    found = list(rows(SMALL, "cpu", batches=(2, 5), seconds=0.01))
    assert [(row.way, row.batch) for row in found] == [(way.id, batch) for way in CPU_WAYS for batch in (2, 5)]
    for row in found:
        assert row.failure is None
        assert row.evaluations_per_second > 0
        assert row.error < 1e-4
        assert row.goal is None
        assert json.loads(json.dumps(row.record()))["id"] == "tiny_3x3"


def test_a_way_that_fails_does_not_end_the_bench():
    ways = (RunWay("graph"), RunWay("eager", precision="float32", graph=False))
    failed, measured = rows(SMALL, "cpu", ways=ways, batches=(1,), seconds=0.01)
    assert failed.failure is not None
    assert "needs a CUDA device" in line(failed)
    assert measured.failure is None


def test_cases_are_chosen_by_name():
    assert [case.id for case in chosen([])] == [case.id for case in CASES]
    assert [case.id for case in chosen(["paper"])] == ["paper_9x9"]
    with pytest.raises(LudoportError, match="unknown case chess"):
        chosen(["chess"])


def test_the_command_writes_a_record(tmp_path, capsys, monkeypatch):
    monkeypatch.setattr("ludoport.bench.nets.CASES", tuple(SMALL))
    path = tmp_path / "nets.json"
    assert main(["--device", "cpu", "--batch", "1", "--seconds", "0.01", "--way", "eager", "--json", str(path)]) == 0
    record = json.loads(path.read_text())
    assert [row["way"] for row in record["rows"]] == ["eager"]
    assert record["machine"]["torch"]
    assert "| tiny_3x3 | eager | 1 |" in capsys.readouterr().out
    assert main(["--device", "cpu", "--only", "chess"]) == 2
