"""Claims of the paper about its curves, checked with ours."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from ludoport.studies.banerjee_stone.jobs import TARGETS, load_curve
from ludoport.studies.banerjee_stone.plan import FeaturePlan
from ludoport.td.curve import CurveDifference, between


@dataclass
class Claim:
    """One sentence of the paper, and whether it holds in each reading."""

    text: str
    verdicts: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class _Pair:
    target: str
    opponent: str
    better: str
    worse: str

    @property
    def text(self) -> str:
        return f"{self.target}, {self.opponent}: {self.better} above {self.worse}"


def claims(plan: FeaturePlan, out: Path) -> list[Claim]:
    """The claims about which learner is better, in the paper's order."""
    pairs = [
        _Pair(target, "eps-greedy", better, worse)
        for target in TARGETS
        for better, worse in (("transfer", "baseline"), ("minimax", "transfer"))
    ]
    pairs += [_Pair("Othello", opponent, "transfer", "minimax") for opponent in ("weak", "random")]
    # What the paper expects of other heuristics, without having tried them.
    pairs += [_Pair("Othello", "weak", "maxmax", "minimax"), _Pair("Othello", "random", "avgmax", "minimax")]
    found = []
    for pair in pairs:
        claim = Claim(pair.text)
        for reading in plan.preset.readings:
            jobs = [plan.curve(reading, pair.target, pair.opponent, name) for name in (pair.better, pair.worse)]
            if jobs[0] is not None and jobs[1] is not None:
                claim.verdicts[reading] = verdict(
                    between(load_curve(out, jobs[0]), load_curve(out, jobs[1]), paired=True)
                )
        if claim.verdicts:
            found.append(claim)
    return found


def verdict(difference: CurveDifference) -> str:
    """Whether a difference is clearly above 0, clearly below, or neither."""
    word = "open" if not difference.clear else "yes" if difference.mean > 0 else "no"
    return f"{word} ({difference.mean:+.2f} ± {difference.half_width:.2f})"
