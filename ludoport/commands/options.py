"""Options that several commands share, each declared once: one name, one type, one help text.

An option that only one command has stands with that command. Where the default is not a constant, ``default`` says in
words what it is.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from ludoport.search.build import Cluster


def option(*names: str, help: str, metavar: str | None = None, default: str | None = None) -> Any:
    """A command-line option.

    Args:
        names: its spellings, the long one first.
        help: a phrase of at most ten words that begins with what the option sets.
        metavar: name of its value in help texts.
        default: the default in words, if the parameter's default does not say it.
    """
    return typer.Option(*names, help=help, metavar=metavar, show_default=default or True)


# Which game
GameName = Annotated[str, typer.Argument(metavar="GAME", help="Name of a bundled game, or a game file.")]
TargetName = Annotated[str, typer.Argument(metavar="TARGET", help="Target game: name or game file.")]
Options = Annotated[list[str] | None, option("--option", "-o", metavar="CATEGORY/ITEM", help="Option of the game.")]
RulesetName = Annotated[str | None, option("--ruleset", metavar="NAME", help="Ruleset of the game.")]
_GAME: dict[str, Any] = {"metavar": "GAME", "help": "Game: name or game file."}
MatchGame = Annotated[str, option("--game", "-g", **_GAME)]
GameOfTree = Annotated[str | None, option("--game", "-g", **_GAME, default="the game recorded in the tree")]
SourceGame = Annotated[
    str | None,
    option("--source", metavar="GAME", help="Source game: name or game file.", default="as recorded in the file"),
]

MoveTexts = Annotated[str, option("--moves", help="Moves from the start to the position: A1 B2 ...")]

# How much
_GAMES: dict[str, Any] = {"help": "Number of games."}
Games = Annotated[int, option("--games", "-n", **_GAMES)]
GamesIfAny = Annotated[int | None, option("--games", "-n", **_GAMES)]
GameList = Annotated[
    str | None, option("--games", metavar="LIST", help="List of games: a file, or names with commas.", default="none")
]
Matches = Annotated[int, option("--matches", "-n", help="Number of matches.")]
Parallel = Annotated[int, option("--parallel", "-p", help="Maximum number of matches at once.")]
_SIMULATIONS: dict[str, Any] = {"help": "Number of simulations of each search."}
Simulations = Annotated[int, option("--simulations", **_SIMULATIONS)]
SimulationsIfAny = Annotated[int | None, option("--simulations", **_SIMULATIONS, default="as the time allows")]
Nodes = Annotated[int, option("--nodes", help="Capacity of each tree, in moves and positions.")]
Policy = Annotated[str, option("--policy", help="Memory policy of a full tree.")]
Exploration = Annotated[float, option("--exploration", help="Exploration constant of UCT.")]
Rollouts = Annotated[int, option("--rollouts", help="Number of rollouts from each new position.")]
Limit = Annotated[int, option("--limit", help="Maximum number of moves in a game.")]
Depth = Annotated[int, option("--depth", "-d", help="Depth in plies.")]
_MINUTES: dict[str, Any] = {"help": "Time limit in minutes."}
Minutes = Annotated[float | None, option("--minutes", **_MINUTES, default="none")]
MinutesOf = Annotated[float, option("--minutes", **_MINUTES)]
_SECONDS: dict[str, Any] = {"help": "Time for each measurement or comparison, in seconds."}
Seconds = Annotated[float, option("--seconds", **_SECONDS)]
SecondsOrGames = Annotated[float | None, option("--seconds", **_SECONDS, default="2 without --games")]
StartClock = Annotated[float, option("--startclock", help="Seconds before the first move.")]
PlayClock = Annotated[float, option("--playclock", help="Seconds for each move.")]
Only = Annotated[list[str] | None, option("--only", metavar="NAME", help="Name to restrict the command to.")]

Discount = Annotated[float, option("--discount", help="Weight of the source tree's visits, above 0 to 1.")]
Least = Annotated[int, option("--least", help="Minimum number of visits of a known position.")]

# Chance and answers
_SEED: dict[str, Any] = {"help": "Random seed."}
Seed = Annotated[int, option("--seed", **_SEED)]
SeedIfAny = Annotated[int | None, option("--seed", **_SEED, default="a new one each time")]
Json = Annotated[bool, option("--json", help="Print the result as JSON.")]
Verbose = Annotated[bool, option("--verbose", "-v", help="Print every event.")]
Plots = Annotated[bool, option("--plots/--no-plots", help="Draw figures (needs matplotlib).")]

# Where things go
_FILE: dict[str, Any] = {"metavar": "FILE", "help": "Output file."}
_FOLDER: dict[str, Any] = {"metavar": "FOLDER", "help": "Output folder."}
OutFile = Annotated[Path, option("--out", **_FILE)]
OutFileIfAny = Annotated[Path | None, option("--out", **_FILE, default="nothing is kept")]
OutFolder = Annotated[Path, option("--out", **_FOLDER)]
OutPath = Annotated[Path | None, option("--out", metavar="PATH", help="Output folder or file.")]
OutFolderIfAny = Annotated[Path | None, option("--out", **_FOLDER, default="nothing is kept")]
Svg = Annotated[Path | None, option("--svg", metavar="FILE", help="SVG file to draw.", default="no drawing")]

# Where work is done
_WORKERS: dict[str, Any] = {"help": "Number of parallel workers."}
Workers = Annotated[int, option("--workers", **_WORKERS)]
WorkersOrCores = Annotated[int | None, option("--workers", **_WORKERS, default="number of cores")]
Threads = Annotated[int | None, option("--threads", help="Number of threads.", default="number of cores")]
_DEVICE: dict[str, Any] = {"help": "Device: cpu or cuda."}
Device = Annotated[str, option("--device", **_DEVICE)]
BestDevice = Annotated[str | None, option("--device", **_DEVICE, default="cuda if available")]
Ray = Annotated[bool, option("--ray", help="Run the workers on a local Ray instance.")]
RayAddress = Annotated[
    str | None, option("--ray-address", metavar="HOST:PORT", help="Ray cluster to run the workers on; or `local`.")
]
Jobs = Annotated[int, option("--jobs", "-j", help="Number of processes; 0: only this one.")]
Timeout = Annotated[
    float | None,
    option("--timeout", metavar="SECONDS", help="Time limit of each process (with --jobs).", default="none"),
]
Interpreter = Annotated[bool, option("--interpreter", help="Use the GDL interpreter instead of compiled rules.")]

# Where servers listen
Port = Annotated[int, option("--port", help="Port to listen on; 0: any free port.")]
Host = Annotated[str, option("--host", help="Address to listen on; 0.0.0.0: all.")]
AllowHost = Annotated[list[str], option("--allow-host", metavar="NAME", help="Another host name of this machine.")]

# Networks
TrainPreset = Annotated[
    str, option("--preset", metavar="SETTINGS", help="Preset of settings: tiny, small, modern or paper.")
]
TrainSettings = Annotated[
    list[str] | None, option("--set", metavar="NAME=VALUE", help="Setting to change in the preset.")
]
Layout = Annotated[
    str | None, option("--layout", metavar="NAME", help="Tensor layout: compact, paper or ludii-1.3.14.")
]
Features = Annotated[list[Path] | None, option("--features", metavar="FILE", help="Learned features to start from.")]
FeatureFile = Annotated[Path | None, option("--features", metavar="FILE", help="Learned features to start from.")]
Batch = Annotated[int, option("--batch", help="Batch size.")]
Batches = Annotated[list[int] | None, option("--batch", help="Batch size.")]

# Players and studies
Seat = Annotated[int, option("--seat", help="Seat of the user or the learner, from 1.")]
_PLAYER: dict[str, Any] = {"help": "Player; `ludoport ggp players` lists the kinds."}
GgpPlayer = Annotated[str, option("--player", **_PLAYER)]
GgpPlayers = Annotated[list[str] | None, option("--player", **_PLAYER, default="uct for each role")]
WebPlayers = Annotated[list[str] | None, option("--player", **_PLAYER, default="none besides those of the page")]
StudySize = Annotated[str, option("--preset", metavar="SIZE", help="Size of the study, such as tiny or paper.")]
StudyFolder = Annotated[Path | None, option("--out", **_FOLDER, default="runs/STUDY-SIZE")]
StudyWorkers = Annotated[
    int | None, option("--workers", **_WORKERS, default="number of cores; 1 on a GPU; all of a Ray cluster")
]
StudyHelpers = Annotated[int, option("--helpers", help="CPU processes for matches against fixed opponents.")]
Pack = Annotated[
    Path | None,
    option("--pack", metavar="FOLDER", help="Afterwards write the store and networks here.", default="not packed"),
]
Unpack = Annotated[
    Path | None,
    option("--unpack", metavar="FOLDER", help="First restore what --pack wrote here.", default="nothing"),
]
PrepareOnly = Annotated[bool, option("--prepare", help="Only make the folder and list its games.")]
_AGAINST: dict[str, Any] = {"help": "Opponent of the features to use; `all` averages them."}
Against = Annotated[str, option("--against", **_AGAINST, default="--opponent")]
AgainstIfAny = Annotated[str | None, option("--against", **_AGAINST, default="all")]
ReportFolder = Annotated[Path | None, option("--out", **_FOLDER, default="`report` in the study's folder")]


def address_of(ray: bool, address: str | None) -> str | None:
    """The address that --ray and --ray-address mean: ``local`` for a local instance, None without Ray."""
    return address or ("local" if ray else None)


def cluster(ray: bool, address: str | None, threads: int | None) -> Cluster:
    """Settings of the workers that build trees."""
    from ludoport.search.build import Cluster

    where = address_of(ray, address)
    return Cluster(where is not None, None if where == "local" else where, threads)
