"""Ladders: reference agents of one configuration and their ratings, which are the scale for all other agents.

The references are fitted once, from many games among themselves (`make_ladder`), and written to a table: the one that
comes with the library (`SHIPPED`), or one of your own. A rating is on the Elo scale, and GREEDY has 1500 in every
configuration. References must not change how they play: so the newest planner is none, but one of the agents that the
table holds beside them (`Ladder.agents`), rated as anybody else's.
"""

import json
import math
import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from t2r_agents.tournament import Tournament
from t2r_agents.tournament.playing import Entry
from t2r_agents.tournament.ratings import MEAN_STRENGTH, Interval, games_of, points_by_deal, strengths
from t2r_agents.tournament.standings import Results, results_of
from t2r_env import Configuration, __version__, configure
from t2r_env.checks import check_integer
from t2r_env.reading import parse_json, read_text, shown
from t2r_env.writing import replacing

SHIPPED = Path(__file__).parent / "ladders.json"
MAX_BYTES = 1 << 22
"""Of a table."""
GREEDY = "greedy"
"""The reference whose rating is 1500."""
REFERENCES = ("random", "one_step", "ticket_hungry", GREEDY, "racer", "long_routes", "planner:v1")
"""Agents of all strengths and of different styles, which play as they did in the version before."""
FIRST_GAMES = 4
"""The table keeps the scores of so many games, so that a test sees whether the references still play as they did."""


class LadderError(ValueError):
    """There is no ladder for what is to be rated, or a table that can't be used. The message says which."""


@dataclass(frozen=True)
class Row:
    """An agent's rating on the scale of a ladder, and its results in the games that it follows from."""

    rating: Interval
    """A reference's interval is from resampled deals; another agent's is that of `estimate`, and may be open."""
    results: Results

    @property
    def agent(self) -> str:
        """Its name."""
        return self.results.agent

    def fields(self) -> dict[str, Any]:
        """As JSON has it: an open bound is null; no speed, which is the machine's."""
        return {"rating": bounds(self.rating), **asdict(replace(self.results, decisions_per_second=None))}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Row":
        """The row of these fields. Raises ValueError, TypeError or KeyError if they are not those of a row."""
        if not isinstance(given["agent"], str) or not isinstance(given["games"], int):
            raise TypeError(
                f"agent must be a string and games an integer, not {shown((given['agent'], given['games']))}"
            )
        means = ("score", "completed", "failed", "turns", "decisions_per_second")
        for value in (*(given[name] for name in means), *given["parts"].values()):
            if not isinstance(value, int | float | None):
                raise TypeError(f"a mean must be a number or null, not {shown(value)}")
        rest = {name: value for name, value in given.items() if name != "rating"}
        return cls(_interval(given["rating"]), Results(**{**rest, "wins": _interval(given["wins"])}))


def bounds(interval: Interval) -> dict[str, float | None]:
    """An interval as JSON has it: an open bound is null."""
    return {name: value if math.isfinite(value) else None for name, value in asdict(interval).items()}


def _interval(given: Mapping[str, Any]) -> Interval:
    low, high = (given["low"], given["high"])
    interval = Interval(
        float(given["value"]), -math.inf if low is None else float(low), math.inf if high is None else float(high)
    )
    if not interval.low <= interval.value <= interval.high:
        raise ValueError(f"an interval must be low, value and high, in this order, not {shown(given)}")
    return interval


@dataclass(frozen=True)
class Ladder:
    """The references of one configuration with their ratings, and other agents that were rated with them."""

    variant: str
    """The name of a variant, or the path of its folder."""
    num_players: int
    options: dict[str, Any]
    rules: str
    """The rules that it was made with (`Configuration.rules_identity`)."""
    library: str
    """The version of the library that made it, as the command and the seed say how."""
    command: str
    games: int
    """Of the references among themselves."""
    seed: int
    first_scores: list[list[int]]
    """The scores of the first games, by seat."""
    references: list[Row]
    """The strongest first."""
    agents: list[Row] = field(default_factory=list)
    """Other agents, likewise."""

    def configuration(self) -> Configuration:
        """The configuration. Raises LadderError if its tables or actions have changed since."""
        configuration = configure(self.variant, self.num_players, **self.options)
        if configuration.rules_identity != self.rules:
            raise LadderError(
                f"the ladder of {self.title()} was made with other tables or actions than this version has: make it"
                " anew (python -m benchmarks.ladder)"
            )
        return configuration

    def title(self) -> str:
        """The configuration as text."""
        options = [f"{name.replace('_', ' ')} {value}" for name, value in self.options.items() if name == "tickets"]
        return ", ".join([Path(self.variant).name, f"{self.num_players} players", *options])

    def fits(self, variant: str | None, num_players: int | None, options: Mapping[str, Any]) -> bool:
        """Whether it is of this configuration; None, and an option that is not named, stand for any."""
        return (
            variant in (None, self.variant)
            and num_players in (None, self.num_players)
            and all(self.options.get(name) == value for name, value in options.items())
        )

    def replays(self, entries: Sequence[Entry]) -> bool:
        """Whether the first games of a tournament of the references have the scores that the table keeps."""
        return self.first_scores == _first_scores(entries)

    def tournament(self, games: int) -> Tournament:
        """The references' tournament of so many games; with more games it begins with the same ones."""
        return Tournament(self.configuration(), sorted(row.agent for row in self.references), games, self.seed)

    def fields(self) -> dict[str, Any]:
        """As JSON has it."""
        rows = {name: [row.fields() for row in getattr(self, name)] for name in ("references", "agents")}
        return {**{each.name: getattr(self, each.name) for each in fields(self)}, "seed": str(self.seed), **rows}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Ladder":
        """The ladder of these fields. Raises ValueError, TypeError or KeyError if they are not those of a ladder."""
        rows = {name: [Row.of(row) for row in given[name]] for name in ("references", "agents")}
        if not isinstance(given["variant"], str) or not isinstance(given["options"], dict):
            raise TypeError(f"variant must be a string and options an object, not {shown(given['variant'])}")
        check_integer("num_players", given["num_players"], 1)
        names = [row.agent for row in rows["references"]]
        if len(set(names)) < max(2, len(names)):
            raise ValueError(f"references must be two or more agents, each once, not {', '.join(names)}")
        return cls(**{**given, "seed": int(given["seed"]), **rows})


def read_ladders(path: str | os.PathLike[str] = SHIPPED) -> list[Ladder]:
    """The ladders of a table. Raises LadderError for a file that is none, and OSError if it can't be read."""
    try:
        return [Ladder.of(given) for given in parse_json(read_text(path, MAX_BYTES))["ladders"]]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise LadderError(f"{path} is no table of ladders: {error!r}") from None


def write_ladders(path: str | os.PathLike[str], ladders: Sequence[Ladder]) -> None:
    """Write a table. If that is interrupted, the file that was there before stays."""
    text = json.dumps({"ladders": [ladder.fields() for ladder in ladders]}, indent=1, ensure_ascii=False)
    with replacing(path) as new:
        new.write_text(text + "\n", encoding="utf-8")


def find_ladders(
    ladders: Sequence[Ladder], variant: str, num_players: int | None, options: Mapping[str, Any]
) -> list[Ladder]:
    """The first ladder that fits a variant and what is said of players and options; of `all` each one that fits.

    Raises LadderError if there is none, and what `configure` raises for a variant that there is not.
    """
    if variant != "all":
        configure(variant, num_players, **options)
    found = [it for it in ladders if it.fits(None if variant == "all" else variant, num_players, options)]
    if not found:
        wanted = [variant, *([f"{num_players} players"] if num_players else [])]
        wanted += [f"{name} {value}" for name, value in options.items()]
        raise LadderError(
            f"there is no ladder for {', '.join(wanted)}; there are: {'; '.join(it.title() for it in ladders)}"
            " (python -m benchmarks.ladder, in the checkout, makes others)"
        )
    return found if variant == "all" else found[:1]


def make_ladder(
    configuration: Configuration,
    variant: str,
    games: int,
    seed: int,
    command: str,
    *,
    references: Sequence[str] = REFERENCES,
    processes: int = 1,
    advance: Callable[[int], object] = lambda games: None,
) -> Ladder:
    """Let the references play so many games among themselves, and rate them; without other agents.

    `variant` is how the table names the variant, and `command` how it says that it was made. `advance` is called with
    the number of games since its last call. Raises LadderError without GREEDY, and what Tournament raises.
    """
    if GREEDY not in references:
        raise LadderError(f"the references must include {GREEDY}, whose rating is 1500, not {', '.join(references)}")
    names = sorted(references)
    tournament = Tournament(configuration, names, games, seed)
    for played in tournament.play(processes):
        advance(len(played) // configuration.num_players)
    entries = sorted(tournament.entries, key=lambda entry: (entry.game, entry.seat))
    fitted = strengths(points_by_deal(games_of(entries, configuration.variant.team_size), names))
    shift = MEAN_STRENGTH - fitted[names.index(GREEDY)].value
    rows = [
        Row(Interval(*(shift + value for value in vars(it).values())), results_of(entries, name))
        for name, it in zip(names, fitted)
    ]
    return Ladder(
        variant=variant,
        num_players=configuration.num_players,
        options=dict(configuration.options),
        rules=configuration.rules_identity,
        library=__version__,
        command=command,
        games=len(tournament.fixtures),
        seed=seed,
        first_scores=_first_scores(entries),
        references=sorted(rows, key=lambda row: -row.rating.value),
    )


def _first_scores(entries: Sequence[Entry]) -> list[list[int]]:
    games = [[entry.score for entry in entries if entry.game == game] for game in range(FIRST_GAMES)]
    return [scores for scores in games if scores]
