"""The whole idea in a few minutes, as a small study: learn Hex on a small board, carry it to a larger one, and play."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ludoport.arena.statistics import WinLoss
from ludoport.errors import LudoportError
from ludoport.studies.engine.crew import run_crew
from ludoport.studies.engine.jobs import Job, JobEntry, seed_of
from ludoport.studies.engine.learning import training
from ludoport.studies.engine.plan import GameVariant, StudyPlan
from ludoport.studies.engine.run import at_work, outcome
from ludoport.studies.engine.store import Store
from ludoport.studies.engine.store_file import FILE
from ludoport.studies.engine.task import Task
from ludoport.studies.engine.work import Place
from ludoport.studies.soemers.grid import TransferGrid, plan_jobs
from ludoport.studies.soemers.presets import StudyPreset

if TYPE_CHECKING:
    from ludoport.selfplay.run import Run
    from ludoport.transfer.mapping import Mapping

NAME = "demo"
"""The study in stores and on the command line."""

TOOK = "took"
"""The fact in a store that says how many seconds a demonstration took."""

LOOK = 0.5
"""Seconds between two looks at what is new."""


@dataclass(frozen=True)
class Demo:
    """Settings of the demonstration.

    Attributes:
        small: the board of the network that is transferred.
        large: the board on which all play, and on which the other network learns.
        minutes: training time of each of them.
        epochs: or how many epochs, whichever comes first.
        games: games of the two networks against each other.
        uct_games: games of each of them against UCT.
        simulations: of the networks' searches when they play.
        uct: the UCT player.
        seed: random seed.
        settings: changes to the preset ``tiny``.
    """

    small: str = "5x5"
    large: str = "7x7"
    minutes: float = 2.0
    epochs: int | None = None
    games: int = 60
    uct_games: int = 30
    simulations: int = 32
    uct: str = "uct:200"
    seed: int = 1
    settings: dict[str, Any] = field(default_factory=dict)

    @property
    def carried(self) -> str:
        """The name of the network from the small board."""
        return f"learned on {self.small}, transferred"

    @property
    def here(self) -> str:
        """The name of the network from the large board."""
        return f"learned on {self.large}"


QUICK = Demo(
    small="3x3", large="4x4", epochs=3, games=4, uct_games=2, simulations=4, uct="uct:10",
    settings={"games": 16, "simulations": 4, "positions": 96, "warmup": 48, "batch": 32, "rating_share": 0.0},
)  # fmt: skip
"""The same in seconds; only to see that everything works."""


def plan_demo(demo: Demo) -> StudyPlan:
    """The jobs of the demonstration: one pair without tuning, and both networks against UCT."""
    if demo.small == demo.large:
        raise LudoportError(f"the demonstration needs two boards of different size, not {demo.small} twice")
    source, target = (GameVariant(f"{size}", "Hex", (f"Board Size/{size}",)) for size in (demo.small, demo.large))
    grid = TransferGrid("Hex", (source,), (target,), ("zero-shot",))
    size = StudyPreset("tiny", demo.minutes, demo.games, demo.simulations, demo.settings, epochs=demo.epochs)
    jobs = plan_jobs(grid, size, demo.seed)
    learners = {"carried": (demo.carried, jobs[2].id), "here": (demo.here, jobs[1].id)}
    for name, (player, network) in learners.items():
        play = f"evaluate/uct/{name}"
        score = {"group": f"Hex {demo.large}", "player": player, "against": demo.uct}
        params: dict[str, Any] = {"game": "Hex", "options": list(target.options), "training": "tiny"}
        params |= {"against": demo.uct, "score": score}
        params |= {"games": demo.uct_games, "simulations": demo.simulations}
        jobs.append(Job(play, "evaluate", params, seed_of(demo.seed, play), (network,)))
    config = {"demo": asdict(demo)}
    return StudyPlan(NAME, NAME, demo.seed, tuple(jobs), (grid.order(),), (source, target), config)


@dataclass(frozen=True)
class DemoMatch:
    """A match of the demonstration: its players, the planned number of games, and the results so far."""

    player: str
    against: str
    games: int
    record: WinLoss
    note: str = ""


class Story:
    """Events so far, for views and reports.

    Args:
        demo: what is to be done.
        folder: the folder of the study.
        took: seconds that a finished demonstration took; None while it runs.
    """

    def __init__(self, demo: Demo, folder: Path, took: float | None = None) -> None:
        self.demo, self.folder, self.plan = demo, folder, plan_demo(demo)
        self._began, self._took = time.perf_counter(), took

    @property
    def seconds(self) -> float:
        """Elapsed time."""
        return time.perf_counter() - self._began if self._took is None else self._took

    @property
    def ended(self) -> bool:
        """Whether everything is done."""
        return self._took is not None

    def end(self) -> None:
        """Everything is done."""
        self._took = round(self.seconds, 1)
        with Store(self.folder, create=False) as store:
            store.claim_study({TOOK: self._took}, (), latest=(TOOK,))

    def runs(self) -> dict[str, Run]:
        """The two runs, by their boards."""
        from ludoport.selfplay.run import Run

        boards = (self.demo.small, self.demo.large)
        tasks = [Task(job, self.folder) for job in self.plan.jobs[:2]]
        return {board: Run(task.place, training(task)) for board, task in zip(boards, tasks, strict=True)}

    def mapping(self) -> Mapping:
        """Mapping between the channels of the two boards."""
        from ludoport.transfer.mapping import map_channels
        from ludoport.transfer.sides import find_side

        here, there = (find_side(variant.game, variant.options) for variant in self.plan.variants)
        return map_channels(here, there)

    def entries(self) -> list[JobEntry]:
        """All jobs and how far they are."""
        with Store(self.folder, create=False) as store:
            return store.entries()

    def step(self) -> str:
        """The current step, in words."""
        demo, entries = self.demo, self.entries()
        running = {entry.job.kind for entry in entries if entry.state == "running"}
        if "train" in running:
            return f"learning Hex {demo.small} and, for comparison, Hex {demo.large} from nothing"
        if "transfer" in running:
            return f"carrying the network from {demo.small} to {demo.large}"
        if any(entry.state == "done" for entry in entries):
            return "done" if self.ended else f"playing Hex {demo.large}"
        return "beginning"

    def played(self) -> list[DemoMatch]:
        """The games of networks that have begun, the two networks against each other first."""
        found = []
        for entry in self.entries():
            params = entry.job.params
            if entry.job.kind == "evaluate" and entry.state in ("running", "done"):
                score = params.get("score", {"player": self.demo.carried, "against": self.demo.here})
                counts = [(entry.result or {}).get(name, 0) for name in ("wins", "draws", "losses")]
                found.append(
                    DemoMatch(score["player"], score["against"], params["games"], WinLoss(*counts), entry.note)
                )
        return found


def run_demo(demo: Demo, folder: Path, watch: Callable[[Story], None]) -> Story:
    """Do everything, on two cores; calls ``watch`` now and then.

    Everything is computed again: an earlier demonstration in the folder is replaced, anything else is left alone.
    """
    story = Story(demo, folder)
    _clear(folder)
    last = 0.0

    def look() -> None:
        nonlocal last
        if time.perf_counter() - last > LOOK:
            last = time.perf_counter()
            watch(story)

    with at_work(story.plan, folder):
        if not run_crew(Place(folder), workers=2, look=look):
            raise KeyboardInterrupt
    found = outcome(folder)
    if found.done < found.total:
        why = next(iter(found.failed.values()), "the workers were stopped")
        raise LudoportError(f"the demonstration failed: {why}")
    story.end()
    watch(story)
    return story


def read_story(folder: Path) -> Story | None:
    """The finished demonstration in a folder; None where an earlier version made it, which kept no settings."""
    with Store(folder, create=False) as store:
        facts = store.facts()
    if TOOK not in facts:
        return None
    return Story(Demo(**facts["config"]["demo"]), folder, float(facts[TOOK]))


def _clear(folder: Path) -> None:
    """Make room: an earlier demonstration is replaced, anything else is left alone."""
    if folder.exists() and (not folder.is_dir() or (any(folder.iterdir()) and not _is_demo(folder))):
        raise LudoportError(f"{folder} already exists and holds something else; choose another folder with --out")
    if (folder / FILE).is_file():
        with Store(folder, create=False) as store:
            if store.busy(sure=True):
                raise LudoportError(f"another demonstration is running in {folder}; choose another folder with --out")
    if folder.exists():
        shutil.rmtree(folder)


def _is_demo(folder: Path) -> bool:
    if not (folder / FILE).is_file():
        return (folder / ".demo").exists()  # as earlier versions marked it
    with Store(folder, create=False) as store:
        return store.facts().get("name") == NAME


def with_changes(demo: Demo, *, seed: int, minutes: float | None, games: int | None) -> Demo:
    """A demonstration with other numbers."""
    demo = replace(demo, seed=seed, minutes=demo.minutes if minutes is None else minutes)
    return demo if games is None else replace(demo, games=games, uct_games=max(2, games // 2))
