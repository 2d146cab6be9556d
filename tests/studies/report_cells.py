"""A small made-up study for tests of reports."""

from __future__ import annotations

from ludoport.studies.engine.cells import Cell, Setting, TableOrder
from ludoport.studies.soemers.report.facts import StudyFacts

HEX = TableOrder("Hex", ("7×7", "9×9", "11×11 Misere"), ("7×7", "9×9", "11×11 Misere"), ("zero-shot", "fine-tuned"))
FACTS = StudyFacts(
    "variants/hex",
    "tiny",
    (HEX,),
    machine="two cores",
    commit="0123456789ab",
    minutes=2.5,
    seeds=(1,),
    command="ludoport study variants/hex --preset tiny",
)
EPOCHS = {"7×7": 40, "9×9": 20, "11×11 Misere": 10}


def cell(setting: Setting, source: str, target: str, wins: int, draws: int = 0, games: int = 100) -> Cell:
    epochs = EPOCHS[source], EPOCHS[target]
    job = f"evaluate/{source}-{target}"
    return Cell("Hex", setting, source, target, wins, draws, games - wins - draws, *epochs, job)


def hex_cells() -> list[Cell]:
    """All cells of the study but one, not in the order of its tables."""
    return [
        cell("fine-tuned", "7×7", "9×9", 80),
        cell("fine-tuned", "9×9", "7×7", 50, draws=1),
        cell("fine-tuned", "7×7", "11×11 Misere", 20),
        cell("fine-tuned", "11×11 Misere", "7×7", 59),
        cell("fine-tuned", "9×9", "11×11 Misere", 61),
        cell("zero-shot", "7×7", "9×9", 85),
        cell("zero-shot", "9×9", "7×7", 30),
        cell("zero-shot", "7×7", "11×11 Misere", 0),
        cell("zero-shot", "11×11 Misere", "7×7", 1),
        cell("zero-shot", "9×9", "11×11 Misere", 2),
        cell("zero-shot", "11×11 Misere", "9×9", 3),
    ]
