"""``tools.gpu_plans``: layouts side by side."""

from __future__ import annotations

import pytest

from ludoport.errors import LudoportError
from ludoport.kernels.cuda_inline import functions_of, marked
from ludoport.kernels.cuda_plan import LaunchPlan
from tests.simulated import run_simulated
from tools.gpu_plans import read_plan


def test_plans_are_read_as_changes() -> None:
    assert read_plan("", LaunchPlan(block=64)) == LaunchPlan(block=64)
    assert read_plan("small=true,long=12", LaunchPlan(stream=True)) == LaunchPlan(stream=True, small=True, long=12)
    for wrong in ("large=true", "small=1", "long=true", "long"):
        with pytest.raises(LudoportError, match="not a setting of a layout"):
            read_plan(wrong, LaunchPlan())


def test_functions_are_marked() -> None:
    source = "def one(a):\n    return a\n\n\ndef two(a):\n    return one(a)\n"
    both = marked(source, functions_of(source), "stay_small")
    assert both == source.replace("):\n", "):\n    stay_small()\n")
    assert marked(source, [], "stay_small") == source


@pytest.mark.slow
def test_a_table() -> None:
    script = """
import io, json
from contextlib import redirect_stdout
from tools.gpu_plans import main
with redirect_stdout(io.StringIO()) as written:
    main(["Tic-Tac-Toe", "--plan", "", "--plan", "small=true", "--count", "8", "--repeats", "1"])
print(json.dumps(written.getvalue().splitlines()))
"""
    rows = [line.split(" | ") for line in run_simulated(script)[2:]]
    assert [row[1] for row in rows] == ["chosen", "small=true"]
    assert all(row[4] == "yes |" and float(row[3].replace(",", "")) > 0 for row in rows), rows
