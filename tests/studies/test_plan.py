"""Plans: which jobs a study has, and which studies there are."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from ludoport.errors import LudoportError
from ludoport.selfplay.config import preset as training
from ludoport.studies.catalogue import STUDIES, plan_study
from ludoport.studies.engine.plan import check_plan
from ludoport.studies.knowledge import plan as knowledge
from ludoport.studies.knowledge.sizes import SIZES
from ludoport.studies.soemers.ablation import SWITCHES, changes
from ludoport.studies.soemers.presets import PRESETS

SETTINGS = 'settings = ["zero-shot"]'
OWN = """
[games.three]
game = "Yavalath"
options = ["Players/3 Players"]
[games.two]
game = "Yavalath"
"""


@pytest.mark.parametrize(
    ("name", "preset"),
    [(name, preset) for name in STUDIES for preset in (SIZES if name == knowledge.NAME else PRESETS)],
)
def test_every_study_can_be_worked_on(name: str, preset: str) -> None:
    plan = plan_study(name, preset)
    assert plan.jobs == plan_study(name, preset).jobs
    known: set[str] = set()
    for job in plan.jobs:
        assert set(job.needs) <= known, "what a job needs comes before it"
        assert job.id not in known
        known.add(job.id)
    for job in plan.jobs:
        if job.kind in ("train", "tune", "distill"):
            training(job.params["training"], **job.params["settings"])  # refuses settings that do not exist


@pytest.mark.parametrize("name", STUDIES)
def test_all_games_of_the_paper_exist(name: str) -> None:
    plan = plan_study(name, "tiny")
    check_plan(plan)
    assert plan.variants


def test_jobs_of_hex() -> None:
    plan = plan_study("variants/hex", "paper")
    assert Counter(job.kind for job in plan.jobs) == {"train": 6, "transfer": 90, "tune": 60, "evaluate": 90}
    jobs = {job.id: job for job in plan.jobs}
    play = jobs["evaluate/fine-tuned-heads-re-initialised/hex-7x7/hex-11x11-misere"]
    tune, here = play.needs
    assert here == "train/hex-11x11-misere", "the opponent learned the target from nothing, once"
    assert jobs[tune].params["minutes"] == jobs[here].params["minutes"] == 1200
    (carry,) = jobs[tune].needs
    assert jobs[carry].needs == ("train/hex-7x7",)
    assert jobs[carry].params["reinit_heads"]
    assert play.params["cell"] == {
        "table": "Hex",
        "setting": "fine-tuned, heads re-initialised",
        "source": "7×7",
        "target": "11×11 Misere",
    }
    assert (play.params["games"], play.params["simulations"]) == (300, 800)
    assert len({job.seed for job in plan.jobs}) == len(plan.jobs)
    zero = jobs["evaluate/zero-shot/hex-7x7/hex-9x9"]
    assert zero.needs == ("transfer/zero-shot/hex-7x7/hex-9x9", "train/hex-9x9")
    assert jobs[zero.needs[0]].params["unmapped"] == "zero"


def test_equal_names_of_different_games() -> None:
    plan = plan_study("diagonal-hex", "paper")
    ids = {job.id for job in plan.jobs}
    assert {"train/diagonal-hex-7x7", "train/hex-7x7", "evaluate/zero-shot/diagonal-hex-7x7/hex-7x7"} <= ids
    (order,) = plan.tables
    assert order.columns == ("7×7", "9×9", "11×11", "11×11 Misere", "13×13", "19×19")
    assert order.settings == ("zero-shot", "fine-tuned", "fine-tuned, widths adjusted")


def test_part_of_a_study() -> None:
    whole = {job.id: job for job in plan_study("variants/hex", "paper").jobs}
    part = plan_study("variants/hex", "paper", only=["7x7", "9×9", "fine-tuned"])
    assert Counter(job.kind for job in part.jobs) == {"train": 2, "transfer": 2, "tune": 2, "evaluate": 2}
    assert all(whole[job.id] == job for job in part.jobs), "a part is done as in the whole"
    with pytest.raises(LudoportError, match="no variant and no setting `8x8`; choose from `7×7`"):
        plan_study("variants/hex", "paper", only=["8x8"])
    with pytest.raises(LudoportError, match="no pair of different games"):
        plan_study("variants/hex", "paper", only=["7x7"])


def test_unknown_study() -> None:
    with pytest.raises(LudoportError, match="unknown study `variants/hexx`; did you mean `variants/hex`"):
        plan_study("variants/hexx", "tiny")
    with pytest.raises(LudoportError, match="did you mean `variants/konane`"):
        plan_study("konane", "tiny")
    with pytest.raises(LudoportError, match="unknown preset `huge`; choose from tiny, small, paper"):
        plan_study("variants/hex", "huge")


def test_study_of_ones_own(tmp_path: Path) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(SETTINGS + OWN)
    plan = plan_study(str(file), "tiny")
    assert plan.name == "mine"
    assert Counter(job.kind for job in plan.jobs) == {"train": 2, "transfer": 2, "evaluate": 2}
    with pytest.raises(LudoportError, match="three has 3 players and two has 2"):
        check_plan(plan)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("games = 1", "`games` must be a dict, not 1"),
        ("size = 1", "unknown setting `size`"),
        ("settings = ['cold']" + OWN, "unknown setting `cold`"),
        ("sources = ['one']" + OWN, "unknown game `one`; choose from three, two"),
        ("[games.two]\noptions = []", "the game two needs game"),
        ("[games.two]\ngame = 'Hex'", "at least two games"),
        ("[games.two]\ngame = 'Hex'\nsize = 5", "game and options, a list of texts, and nothing else"),
        ("name = ", "Invalid value"),
    ],
)
def test_wrong_studies(tmp_path: Path, text: str, reason: str) -> None:
    file = tmp_path / "mine.toml"
    file.write_text(text)
    with pytest.raises(LudoportError, match=rf"mine\.toml: .*{reason}"):
        plan_study(str(file), "tiny")


def test_missing_file() -> None:
    with pytest.raises(LudoportError, match=r"nowhere\.toml: cannot be read"):
        plan_study("nowhere.toml", "tiny")


def test_every_switch_changes_something() -> None:
    size = PRESETS["tiny"]
    before = training(size.training, **size.settings)
    for name in SWITCHES:
        switched = changes(name, size)
        assert training(size.training, **{**size.settings, **switched}) != before, name
    plan = plan_study("ablation", "tiny", only=["no symmetries"])
    jobs = {job.id: job for job in plan.jobs}
    learners = [jobs[need] for need in jobs["evaluate/no-symmetries-1"].needs]
    assert [job.params["settings"].get("symmetries", True) for job in learners] == [False, True]
    assert learners[0].seed == learners[1].seed
    with pytest.raises(LudoportError, match="no switch `magic`"):
        plan_study("ablation", "tiny", only=["magic"])


def test_shapes_of_architectures() -> None:
    plan = plan_study("architectures", "paper", only=["Hex 11x11", "u-conv-fc"])
    shapes = [job.params["shape"] for job in plan.jobs if job.kind == "train"]
    assert len(shapes) == 8
    assert all(shape["blocks"] % 2 == 1 for shape in shapes)
    assert len({str(shape) for shape in shapes}) == 8, "sizes differ"
    other = plan_study("architectures", "paper", only=["Minishogi", "u-conv-fc"])
    assert [job.params["shape"] for job in other.jobs if job.kind == "train"] == shapes, "but not between games"
    with pytest.raises(LudoportError, match="no game and no kind of network `lstm`"):
        plan_study("architectures", "paper", only=["lstm"])


def test_every_seed_meets_every_other() -> None:
    plan = plan_study("seeds", "small")
    kinds = Counter(job.kind for job in plan.jobs)
    assert kinds == {"train": 8, "evaluate": 28}
    assert len({job.seed for job in plan.jobs if job.kind == "train"}) == 8
    assert len({job.needs for job in plan.jobs if job.kind == "evaluate"}) == 28
    with pytest.raises(LudoportError, match="the study has no part `one`"):
        plan_study("seeds", "small", only=["one"])
