"""A report about a game."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from ludoport.analysis.games import SampleGame
from ludoport.analysis.numbers import Measured, mean_of, share_of
from ludoport.arena.statistics import WinLoss

FIRST = 8
"""First moves that texts list."""


@dataclass(frozen=True)
class PlayedGames:
    """Games of one kind of player against itself.

    Attributes:
        player: the player: ``random``, ``uct:200``.
        seats: share of points of each seat.
        draws: share of games without a single winner.
        length: plies of a game.
        choices: legal moves at a ply.
        unfinished: games that were stopped at the limit of moves; they count as draws.
        leads: changes of the lead in a game; None where they are unknown.
    """

    player: str
    seats: tuple[Measured, ...]
    draws: Measured
    length: Measured
    choices: Measured
    unfinished: int
    leads: Measured | None

    @property
    def games(self) -> int:
        """Number of games."""
        return self.length.count

    def as_json(self) -> dict[str, Any]:
        """The numbers for programs."""
        return {
            "player": self.player,
            "games": self.games,
            "seats": [seat.as_json() for seat in self.seats],
            "draws": self.draws.as_json(),
            "length": self.length.as_json(),
            "choices": self.choices.as_json(),
            "unfinished": self.unfinished,
            "leads": None if self.leads is None else self.leads.as_json(),
        }


def summed(player: str, samples: Sequence[SampleGame]) -> PlayedGames:
    """Summary of games of one player."""
    count = len(samples)
    leads = [sample.leads for sample in samples if sample.leads is not None]
    seats = [share_of(sum(seat), count) for seat in zip(*(sample.points for sample in samples), strict=True)]
    alone = len(samples[0].points) == 1
    return PlayedGames(
        player,
        tuple(seats),
        share_of(0 if alone else sum(max(sample.points) < 1 for sample in samples), count),
        mean_of([sample.plies for sample in samples]),
        mean_of([sample.choices for sample in samples]),
        sum(not sample.finished for sample in samples),
        mean_of(leads) if leads else None,
    )


@dataclass(frozen=True)
class Skill:
    """Whether better search wins: a player against one that searches less.

    Attributes:
        weaker: simulations of the one.
        stronger: simulations of the other.
        record: of the stronger.
    """

    weaker: int
    stronger: int
    record: WinLoss

    @property
    def score(self) -> Measured:
        """Share of points of the stronger player."""
        return share_of(self.record.wins + self.record.draws / 2, self.record.games)

    def as_json(self) -> dict[str, Any]:
        """The numbers for programs."""
        counts = {"wins": self.record.wins, "draws": self.record.draws, "losses": self.record.losses}
        return {"weaker": self.weaker, "stronger": self.stronger, **counts, "score": self.score.as_json()}


@dataclass(frozen=True)
class FirstMove:
    """A first move as a search sees it.

    Attributes:
        text: recorded notation.
        label: for people.
        site: site where the move ends; None for moves without a site.
        share: of the simulations.
        value: expected result for the first player, from -1 to 1; None where unknown.
    """

    text: str
    label: str
    site: int | None
    share: float
    value: float | None

    def as_json(self) -> dict[str, Any]:
        """The numbers for programs."""
        value = None if self.value is None else round(self.value, 4)
        return {
            "move": self.text,
            "label": self.label,
            "site": self.site,
            "share": round(self.share, 6),
            "value": value,
        }


@dataclass(frozen=True, repr=False)
class Analysis:
    """A report about a game; ``print`` shows it as a table, notebooks show the first moves on the board, too.

    Attributes:
        game: title of the game.
        players: names of the players.
        seed: random seed.
        seconds: time that playing took.
        limit: maximum number of moves of a game.
        random: games of random moves.
        uct: games of UCT against itself; None where the game is for one player, or no game ended in time.
        skill: UCT against UCT with four times as many simulations; None likewise, and for more than two players.
        first: first moves, the most searched first.
        picture: the start position with the first moves as a heat map, as SVG.
    """

    game: str
    players: tuple[str, ...]
    seed: int
    seconds: float
    limit: int
    random: PlayedGames
    uct: PlayedGames | None
    skill: Skill | None
    first: tuple[FirstMove, ...]
    picture: str

    @property
    def heat(self) -> dict[int, float]:
        """Share of the simulations that began on each site, by site, relative to the largest."""
        return heat_of(self.first)

    @property
    def findings(self) -> list[str]:
        """Findings as sentences; only those that the intervals support."""
        return list(_findings(self))

    def as_json(self) -> dict[str, Any]:
        """The report as data for JSON."""
        return {
            "game": self.game,
            "players": list(self.players),
            "seed": self.seed,
            "seconds": round(self.seconds, 3),
            "limit": self.limit,
            "random": self.random.as_json(),
            "uct": None if self.uct is None else self.uct.as_json(),
            "skill": None if self.skill is None else self.skill.as_json(),
            "first": [move.as_json() for move in self.first],
            "findings": self.findings,
        }

    def rows(self) -> list[tuple[str, ...]]:
        """Rows of the table: measure, random games, games of UCT; with 95 % intervals."""
        plays = (self.random, self.uct)
        rows: list[tuple[str, ...]] = [("", *(f"{play.player}, {play.games} games" if play else "" for play in plays))]
        for number, name in enumerate(self.players):
            what = f"points of {name}" if len(self.players) > 1 else "games solved"
            rows.append((what, *(play.seats[number].text(100, " %") if play else "" for play in plays)))
        if len(self.players) > 1:
            rows.append(("draws", *(play.draws.text(100, " %") if play else "" for play in plays)))
        rows.append(("plies of a game", *(play.length.text() if play else "" for play in plays)))
        rows.append(("legal moves", *(play.choices.text() if play else "" for play in plays)))
        rows.append(("changes of the lead", *(play.leads.text() if play and play.leads else "" for play in plays)))
        if any(play and play.unfinished for play in plays):
            rows.append((f"stopped at {self.limit} plies", *(str(play.unfinished) if play else "" for play in plays)))
        return [row for row in rows if any(row[1:])]

    def __repr__(self) -> str:
        rows = self.rows()
        widths = [max(len(row[column]) for row in rows) for column in range(3)]
        lines = [f"{self.game}: {self.seconds:.1f} s, random seed {self.seed}; 95 % intervals in brackets"]
        lines += ["  " + "  ".join(cell.ljust(w) for cell, w in zip(row, widths, strict=True)).rstrip() for row in rows]
        if self.skill is not None:
            score = self.skill.score.text(100, " %")
            games = f"{self.skill.record.games} games, {self.skill.record}"
            lines.append(f"  uct:{self.skill.stronger} against uct:{self.skill.weaker}: {score}; {games}")
        if self.first:
            shown = [f"{move.label} {100 * move.share:.0f} %" for move in self.first[:FIRST]]
            lines.append(f"  first moves: {', '.join(shown)}")
        return "\n".join([*lines, *(f"  {sentence}" for sentence in self.findings)])

    def _repr_html_(self) -> str:
        body = "".join(
            "<tr>" + "".join(f'<td style="text-align:left">{escape(cell)}</td>' for cell in row) + "</tr>"
            for row in self.rows()
        )
        said = "".join(f"<li>{escape(sentence)}</li>" for sentence in self.findings)
        head = f"<h4>{escape(self.game)}</h4><p>{self.seconds:.1f} s, random seed {self.seed}; 95 % intervals</p>"
        return f"<div>{head}<table>{body}</table><ul>{said}</ul>{self.picture}</div>"

    def page(self) -> str:
        """The report as a self-contained HTML document."""
        style = "body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem}"
        style += "td{border:1px solid #ccc;padding:.25rem .6rem}table{border-collapse:collapse}"
        return (
            f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(self.game)}</title>'
            f"<style>{style}</style></head><body>{self._repr_html_()}</body></html>\n"
        )


def heat_of(first: Sequence[FirstMove]) -> dict[int, float]:
    """Share of first moves that end on each site, relative to the largest."""
    found: dict[int, float] = {}
    for move in first:
        if move.site is not None:
            found[move.site] = found.get(move.site, 0.0) + move.share
    largest = max(found.values(), default=0.0)
    return {site: share / largest for site, share in found.items()} if largest else {}


def _findings(report: Analysis) -> Iterator[str]:
    best = report.uct or report.random
    if len(report.players) > 1:
        fair = 1 / len(report.players)
        ahead = [(seat, name) for seat, name in zip(best.seats, report.players, strict=True) if seat.low > fair]
        if ahead:
            seat, name = max(ahead, key=lambda pair: pair[0].value)
            points = f"{100 * seat.value:.0f} % of the points"
            yield f"{name} has the advantage: {points} between equal players ({best.player})."
        else:
            yield f"No seat has a significant advantage in {best.games} games ({best.player})."
    if best.draws.low > 0.5:
        yield f"Most games end in a draw ({best.player})."
    if report.skill is not None:
        score = report.skill.score
        if score.low > 0.5:
            yield f"Skill matters: four times as much search wins {100 * score.value:.0f} % of the points."
        else:
            yield "It is not shown that better search wins; play longer (--seconds) to find out."
    if best.leads is not None and best.leads.high < 0.5:
        yield "The lead rarely changes: who is ahead early mostly wins."
    if report.random.unfinished or (report.uct and report.uct.unfinished):
        yield f"Some games did not end within {report.limit} plies."
