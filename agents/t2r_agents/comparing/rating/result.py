"""Results of ratings that others can check: the folder that `t2r rate --out` writes and `t2r verify` reads.

- `result.json`: the agent, the ladder, the seed, each game with its scores and ranks, and the estimate
- `replays/game_NUMBER.json`: each game as a replay without sentences (`t2r_env.Replay`)
- `tournament.json`, `games.csv` and `lock`: as in the folder of a tournament, written while it is played

The ladder of a release says which games a rating has: their number, their deals and who sits where.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby
from pathlib import Path
from typing import Any

import numpy as np

from t2r_agents.comparing.rating.estimate import estimate
from t2r_agents.comparing.rating.ladder import Ladder, LadderError, bounds
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval, Place, points_by_deal
from t2r_agents.comparing.tournament.schedule import Fixture, make_schedule
from t2r_env import __version__
from t2r_env.basics.checks import as_integer
from t2r_env.basics.plain import plain
from t2r_env.basics.reading import parse_json, read_text, shown
from t2r_env.basics.writing import replacing
from t2r_env.rules.names import OUTCOMES

RESULT, REPLAYS = "result.json", "replays"
FORMAT = "t2r_env result 1"
MAX_BYTES = 1 << 22
MAX_NAME = 5_000
"""The most characters of an agent's name."""
TOLERANCE = 0.02
"""The most points by which the estimate may differ: it is written with two decimals."""


class ResultError(ValueError):
    """The error of a result that does not stand. The message names the game or the entry that is wrong."""


@dataclass(frozen=True)
class Game:
    """A game of a result."""

    game: int
    deal: int
    seed: str
    """The seed of the deal, as a decimal number."""
    agents: list[str]
    """The agents on seats 0, 1, ..."""
    outcome: str
    """`finished`, `truncated` or `forfeited`, as in `Entry`."""
    scores: list[int]
    """The score of each seat; 0 unless the game was played to its end."""
    ranks: list[int]
    """The rank of each seat: 1 for the winners, 0 in a truncated game."""


@dataclass(frozen=True)
class Result:
    """The content of `result.json`."""

    format: str
    library: str
    """The version of the library."""
    variant: str
    num_players: int
    options: dict[str, Any]
    rules: str
    """The rules that were played (`Configuration.rules_identity`)."""
    agent: str
    seed: str
    """The seed of all deals and agents (`Ladder.rated_seed`), as a decimal number."""
    estimate: dict[str, float | None]
    """The rating and its interval; an open bound is null."""
    replays: str
    """The digest of all actions (`digest`)."""
    games: list[Game]

    def interval(self) -> str:
        """Return the 95 % interval of the rating as text."""
        low, high = (self.estimate[name] for name in ("low", "high"))
        return f"{'−∞' if low is None else f'{low:.0f}'}–{'∞' if high is None else f'{high:.0f}'}"

    def title(self) -> str:
        """Return the rating, the game and the agent as a line. The agent comes last: its name may say anything."""
        value, variant = f"{self.estimate['value']:.0f}", plain(self.variant)
        return f"{value} ({self.interval()}) in {variant}, {len(self.games)} games, agent {plain(self.agent)}"


# Writing


def write_result(folder: Path, ladder: Ladder, agent: str, entries: Sequence[Entry]) -> None:
    """Write a result from the entries, in order and with actions, of all games of a rating.

    Raises OSError if the file can't be written, and ValueError if no game had ranks.
    """
    seats = [list(of_game) for _, of_game in groupby(entries, lambda entry: entry.game)]
    games = [
        Game(
            game=of_game[0].game,
            deal=of_game[0].deal,
            seed=str(of_game[0].seed),
            agents=[entry.agent for entry in of_game],
            outcome=of_game[0].outcome,
            scores=[entry.score for entry in of_game],
            ranks=[entry.rank for entry in of_game],
        )
        for of_game in seats
    ]
    result = Result(
        format=FORMAT,
        library=__version__,
        **{name: getattr(ladder, name) for name in ("variant", "num_players", "options", "rules")},
        agent=agent,
        seed=str(ladder.rated_seed),
        estimate=estimate_of(ladder, agent, games),
        replays=digest([of_game[0].actions for of_game in seats]),
        games=games,
    )
    with replacing(folder / RESULT) as new:
        new.write_text(as_json(result), encoding="utf-8")


def as_json(result: Result) -> str:
    """Return the text of `result.json`, with one game a line."""
    fields = vars(result) | {"games": None}
    lines = [f"{json.dumps(name)}: {json.dumps(value, ensure_ascii=False)}" for name, value in fields.items()]
    games = ",\n".join(json.dumps(vars(game), ensure_ascii=False) for game in result.games)
    return "{\n" + ",\n".join(lines[:-1]) + f',\n"games": [\n{games}\n]\n}}\n'


def digest(actions: Sequence[Sequence[int]]) -> str:
    """Return the SHA-256 of the actions of all games, as 64 hexadecimal digits."""
    return sha256(json.dumps([[*taken] for taken in actions]).encode()).hexdigest()


def estimate_of(ladder: Ladder, agent: str, games: Sequence[Game]) -> dict[str, float | None]:
    """Return the rating of an agent that follows from the ranks of games, rounded. Raises ValueError without ranks."""
    names = [agent, *(name for name in ladder.references if name != agent)]
    size = ladder.configuration().variant.team_size
    ranked = [
        [Place(game.deal, name, rank) for name, rank in zip(game.agents, game.ranks)][::size]
        for game in games
        if all(game.ranks)
    ]
    points = points_by_deal(ranked, names)
    ratings = np.array([ladder.references[name].value for name in names[1:]])
    rating = bounds(estimate(points[:, 0, 1:], points[:, 1:, 0], ratings))
    return {name: value if value is None else round(value, 2) for name, value in rating.items()}


# Reading


def read_result(path: Path) -> Result:
    """Return the result in a file. Raises ResultError for another file, and OSError if it can't be read."""
    try:
        return _result(parse_json(read_text(path, MAX_BYTES)))
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise ResultError(f"{path.name} is no result of a rating: {error}") from None


def _result(given: Any) -> Result:
    _check_fields("it", given, Result)
    for number, game in enumerate(given["games"]):
        _check_fields(f"entry {number} of games", game, Game)
    if given["format"] != FORMAT:
        raise ValueError(f"format must be {FORMAT!r}, not {shown(given['format'])}")
    if not 0 < len(given["agent"]) <= MAX_NAME:
        raise ValueError(f"agent must have 1 to {MAX_NAME:,} characters, not {len(given['agent']):,}")
    if given["estimate"].keys() != vars(Interval(0, 0, 0)).keys() or not isinstance(given["estimate"]["value"], float):
        raise ValueError(f"estimate must be value, low and high, not {shown(given['estimate'])}")
    for name in ("low", "high"):
        if not isinstance(given["estimate"][name], float | None):
            raise TypeError(f"{name} must be a number or null, not {shown(given['estimate'][name])}")
    return Result(**given | {"games": [Game(**game) for game in given["games"]]})


_KINDS: dict[str, type] = {
    **dict.fromkeys(("format", "library", "variant", "rules", "agent", "seed", "replays", "outcome"), str),
    **dict.fromkeys(("num_players", "game", "deal"), int),
    **dict.fromkeys(("options", "estimate"), dict),
    **dict.fromkeys(("games", "agents", "scores", "ranks"), list),
}


def _check_fields(what: str, given: Any, kind: type[Result | Game]) -> None:
    """Raise TypeError or ValueError unless these are the fields of a class, of the right types."""
    if not isinstance(given, dict):
        raise TypeError(f"{what} must be an object, not {shown(given)}")
    names = list(kind.__annotations__)
    if given.keys() != set(names):
        raise ValueError(f"{what} must have {', '.join(names)}, not {shown(', '.join(given))}")
    for name, value in given.items():
        if (_KINDS[name] is int and as_integer(value) is None) or not isinstance(value, _KINDS[name]):
            raise TypeError(f"{name} of {what} must be of type {_KINDS[name].__name__}, not {shown(value)}")
        inner = {"agents": str, "scores": int, "ranks": int}.get(name)
        if inner and any(type(it) is not inner for it in given[name]):
            raise TypeError(f"{name} of {what} must be a list of {inner.__name__}, not {shown(value)}")


# Checking without replays


def find_ladder(ladders: Sequence[Ladder], result: Result) -> Ladder:
    """Return the ladder of a result. Raises ResultError for another release, other rules or a game without a ladder."""
    if result.library != __version__:
        raise ResultError(
            f"library: the result is of version {shown(result.library)} of t2r_env, and only {__version__} can check it"
        )
    for ladder in ladders:
        if (ladder.variant, ladder.num_players, ladder.options) == (
            result.variant,
            result.num_players,
            result.options,
        ):
            break
    else:
        raise ResultError(
            f"variant: there is no ladder for {shown(result.variant)}, {result.num_players} players,"
            f" {shown(result.options)}"
        )
    if result.rules != ladder.rules:
        raise ResultError("rules: the result is of other rules than the ladder")
    return ladder


def schedule_of(ladder: Ladder, agent: str) -> list[Fixture]:
    """Return the games of a rating that can be checked.

    Raises LadderError as `Ladder.configuration` does, and if the references are too many for the game.
    """
    configuration = ladder.configuration()
    names = [agent, *(name for name in ladder.references if name != agent)]
    teams, size = configuration.num_teams, configuration.variant.team_size
    try:
        return make_schedule(names, teams, size, ladder.rated_games, ladder.rated_seed, first_in_all=True)
    except ValueError as error:
        raise LadderError(f"the ladder of {ladder.title()} can't be used: {error}") from None


def check_schedule(result: Result, ladder: Ladder) -> list[Fixture]:
    """Return the games of a rating. Raises ResultError unless the result has exactly these, in their order."""
    if result.seed != str(ladder.rated_seed):
        raise ResultError(f"seed: the ladder says {ladder.rated_seed}, not {shown(result.seed)}")
    fixtures = schedule_of(ladder, result.agent)
    for number, fixture in enumerate(fixtures):
        if number >= len(result.games):
            raise ResultError(f"game {number} is missing: a rating has {len(fixtures)} games")
        game = result.games[number]
        if game.game != number:
            raise ResultError(f"game {number} is missing: game {game.game} has its place")
        for name, given, expected in (
            ("deal", game.deal, fixture.deal),
            ("seed", game.seed, str(fixture.seed)),
            ("agents", game.agents, [*fixture.seating]),
        ):
            if given != expected:
                raise ResultError(f"game {number}: {name} must be {shown(expected)}, not {shown(given)}")
        if game.outcome not in OUTCOMES[1:] or not len(game.scores) == len(game.ranks) == len(game.agents):
            raise ResultError(f"game {number}: there must be an outcome, and a score and a rank for each seat")
    if len(result.games) > len(fixtures):
        raise ResultError(f"game {len(fixtures)} is too many: a rating has {len(fixtures)} games")
    return fixtures


def check_estimate(result: Result, ladder: Ladder) -> None:
    """Raise ResultError unless the estimate follows from the ranks."""
    try:
        expected = estimate_of(ladder, result.agent, result.games)
    except ValueError as error:
        raise ResultError(f"estimate: {error}") from None
    for name, value in expected.items():
        given = result.estimate[name]
        if (value is None) != (given is None) or abs((value or 0) - (given or 0)) > TOLERANCE:
            raise ResultError(f"estimate: its {name} must be {value}, as follows from the games, not {given}")
