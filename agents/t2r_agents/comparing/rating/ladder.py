"""Ladders: reference agents of one configuration and their ratings, which are the scale for all other agents.

A ladder belongs to a release. Its references are that release's own agents. Their ratings are fitted from many games
among themselves (`make_ladder`) and written to a table: the one that comes with the library (`SHIPPED`), or one of your
own. A rating is on the Elo scale, and GREEDY has 1500 in every configuration.
"""

import itertools
import json
import math
import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import asdict, dataclass
from hashlib import blake2b
from pathlib import Path
from typing import Any

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.ratings import MEAN_STRENGTH, Interval, games_of, points_by_deal, strengths
from t2r_env import Configuration, __version__, configure
from t2r_env.agents import is_harmless
from t2r_env.basics.checks import check_integer
from t2r_env.basics.plain import plain
from t2r_env.basics.reading import parse_json, read_text, shown
from t2r_env.basics.writing import replacing

SHIPPED = Path(__file__).parent / "ladders.json"
MAX_BYTES = 1 << 22
RATED_GAMES = 500
MAX_RATED_GAMES, MAX_REFERENCES = 5_000, 20
"""The most games of a rating that can be checked, and the most references: a table of a stranger says how many."""
MAX_RATING = 10_000
"""The largest absolute value of a reference's rating."""
GREEDY = "greedy"
POLICY = "policy"
"""The reference that plays only where a policy comes with the library."""
REFERENCES = ("random", "one_step", "ticket_hungry", GREEDY, "one_plan", "racer", "long_routes", "planner", POLICY)
"""The references: agents of all strengths and of different styles, without those that search, which are slow."""


class LadderError(ValueError):
    """The error of a missing ladder, or of a table that can't be used. The message says which."""


def bounds(interval: Interval) -> dict[str, float | None]:
    """Return an interval for JSON: an open bound is null."""
    return {name: value if math.isfinite(value) else None for name, value in asdict(interval).items()}


@dataclass(frozen=True)
class Ladder:
    """The references of one configuration with their ratings."""

    variant: str
    """The name of a variant, or the path of its folder."""
    num_players: int
    options: dict[str, Any]
    rules: str
    """The rules that it was made with (`Configuration.rules_identity`)."""
    library: str
    """The version of the library whose agents the references are."""
    command: str
    games: int
    """The number of games of the references among themselves."""
    seed: int
    references: dict[str, Interval]
    """The ratings by agent, the strongest first, with 95 % intervals from resampled deals."""
    rated_games: int = RATED_GAMES
    """The number of games of a rating that can be checked, rounded up to whole deals."""

    @property
    def rated_seed(self) -> int:
        """The seed of all ratings that can be checked: it follows from the release, the rules and the ladder's seed."""
        text = f"{self.library} {self.rules} {self.seed}"
        return int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "little")

    def configuration(self) -> Configuration:
        """Return the configuration. Raises LadderError for another release, other tables or layouts, or none."""
        if self.library != __version__:
            raise LadderError(
                f"the ladder of {self.title()} is one of version {shown(self.library)} of t2r_env, whose agents are its"
                f" references, and this is {__version__}: make another one in the checkout"
                " (python -m benchmarks.ladder)"
            )
        try:
            configuration = configure(self.variant, self.num_players, **self.options)
        except (ValueError, TypeError) as error:
            raise LadderError(f"the ladder of {self.title()} is of no game that there is: {error}") from None
        if configuration.rules_identity != self.rules:
            raise LadderError(
                f"the ladder of {self.title()} was made with other tables or actions than this version has: make"
                " another one in the checkout (python -m benchmarks.ladder)"
            )
        return configuration

    def title(self) -> str:
        """Return the configuration as text."""
        options = [f"{name.replace('_', ' ')} {value}" for name, value in self.options.items() if name == "tickets"]
        return plain(", ".join([Path(self.variant).name, f"{self.num_players} players", *options]))

    def opponents(self, agent: str, trusted: Collection[str] = ()) -> dict[str, Interval]:
        """Return the references that an agent plays: all but itself.

        Raises LadderError for references that are neither harmless (`t2r_env.agents.is_harmless`) nor `trusted`.
        """
        references = {name: rating for name, rating in self.references.items() if name != agent}
        if unknown := [name for name in references if name not in trusted and not is_harmless(name)]:
            raise LadderError(
                f"the ladder of {self.title()} names references that must be named by you, too, as their code would be"
                f" run, they ask somebody, or they search for long: {shown(unknown)}; if you want that, repeat them as"
                " --trust"
            )
        return references

    def fits(self, variant: str | None, num_players: int | None, options: Mapping[str, Any]) -> bool:
        """Whether the ladder is for this configuration; None, and an option that is not named, stand for any."""
        return (
            variant in (None, self.variant)
            and num_players in (None, self.num_players)
            and all(self.options.get(name) == value for name, value in options.items())
        )

    def fields(self) -> dict[str, Any]:
        """Return the ladder for JSON."""
        references = {name: asdict(rating) for name, rating in self.references.items()}
        return {**vars(self), "seed": str(self.seed), "references": references}

    @classmethod
    def of(cls, given: Mapping[str, Any]) -> "Ladder":
        """Return the ladder of these fields. Raises ValueError, TypeError or KeyError if they do not describe one."""
        if not all(isinstance(given[name], str) for name in ("variant", "rules", "library", "command")):
            raise TypeError("variant, rules, library and command must be strings")
        if not isinstance(given["options"], dict):
            raise TypeError(f"options must be an object, not {shown(given['options'])}")
        check_integer("num_players", given["num_players"], 1)
        check_integer("rated_games", given.get("rated_games", RATED_GAMES), 1, MAX_RATED_GAMES)
        check_integer("the number of references", len(given["references"]), 2, MAX_REFERENCES)
        references = {name: _interval(rating) for name, rating in given["references"].items()}
        return cls(**{**given, "seed": int(given["seed"]), "references": references})


def _interval(given: Mapping[str, Any]) -> Interval:
    interval = Interval(**{name: float(value) for name, value in given.items()})
    if not -MAX_RATING <= interval.low <= interval.value <= interval.high <= MAX_RATING:
        raise ValueError(
            f"an interval must be low, value and high, in this order, from {-MAX_RATING:,} to {MAX_RATING:,}, not"
            f" {shown(given)}"
        )
    return interval


def read_ladders(path: str | os.PathLike[str] = SHIPPED) -> list[Ladder]:
    """Return the ladders of a table. Raises LadderError for another file, and OSError if it can't be read."""
    try:
        return [Ladder.of(given) for given in parse_json(read_text(path, MAX_BYTES))["ladders"]]
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise LadderError(f"{path} is no table of ladders: {error!r}") from None


def write_ladders(path: str | os.PathLike[str], ladders: Sequence[Ladder]) -> None:
    """Write a table. If that is interrupted, an earlier file stays."""
    text = json.dumps({"ladders": [ladder.fields() for ladder in ladders]}, indent=1, ensure_ascii=False)
    with replacing(path) as new:
        new.write_text(text + "\n", encoding="utf-8")


def find_ladders(
    ladders: Sequence[Ladder], variant: str, num_players: int | None, options: Mapping[str, Any]
) -> list[Ladder]:
    """Return the first ladder that fits a variant, its players and options; for `all` each one that fits.

    Raises LadderError if there is none, and the error of `configure` for an unknown variant.
    """
    if variant != "all":
        configure(variant, num_players, **options)
    found = [it for it in ladders if it.fits(None if variant == "all" else variant, num_players, options)]
    if not found:
        wanted = [variant, *([f"{num_players} players"] if num_players else [])]
        wanted += [f"{name} {value}" for name, value in options.items()]
        raise LadderError(
            f"there is no ladder for {', '.join(wanted)}; there are: {'; '.join(it.title() for it in ladders)}"
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
) -> Ladder:
    """Let the references play this many games among themselves, and rate them.

    `variant` and `command` are the texts of the table for the variant and for how it was made. Raises LadderError
    without GREEDY, and the errors of Tournament.
    """
    if GREEDY not in references:
        raise LadderError(f"the references must include {GREEDY}, whose rating is 1500, not {', '.join(references)}")
    names = sorted(references)
    tournament = Tournament(configuration, names, games, seed)
    entries = sorted(itertools.chain(*tournament.play(processes)), key=lambda entry: (entry.game, entry.seat))
    fitted = strengths(points_by_deal(games_of(entries, configuration.variant.team_size), names))
    shift = MEAN_STRENGTH - fitted[names.index(GREEDY)].value
    ratings = {name: Interval(*(shift + value for value in vars(it).values())) for name, it in zip(names, fitted)}
    return Ladder(
        variant=variant,
        num_players=configuration.num_players,
        options=dict(configuration.options),
        rules=configuration.rules_identity,
        library=__version__,
        command=command,
        games=len(tournament.fixtures),
        seed=seed,
        references=dict(sorted(ratings.items(), key=lambda item: -item[1].value)),
    )
