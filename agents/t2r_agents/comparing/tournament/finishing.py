"""A position that agents play to its end many times, and the distribution of the results.

Each time what is hidden is dealt otherwise, in one of two ways. From the true position, all hands and tickets stay, and
what lies face down is shuffled: how does this game go on? From what the seat to act knows, all that it can't know is
dealt again (C20): what is the position worth to it?
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from statistics import fmean

import numpy as np

from t2r_agents.comparing.tournament.players import Players
from t2r_agents.comparing.tournament.playing import Entry, play
from t2r_agents.comparing.tournament.ratings import Interval, ratios, wilson_interval
from t2r_agents.comparing.tournament.schedule import Fixture
from t2r_agents.playing.values import with_new_chance
from t2r_env import Games
from t2r_env.agents import Array
from t2r_env.rules.names import outcomes
from t2r_env.seeding import derive_key, derive_seed

QUANTILES = (0.05, 0.25, 0.5, 0.75, 0.95)
"""The shares of games whose highest score is told."""
AT_ONCE = 32
"""The most games that are played together. An interruption loses no more than these."""


@dataclass(frozen=True)
class Distribution:
    """The results of a seat in games that were played on from one position."""

    seat: int
    agent: str
    wins: Interval
    """The share of the games that it won; a shared victory counts in part."""
    score: Interval | None
    """The mean score of games played to their end; None if there are none."""
    quantiles: Sequence[int]
    """The scores that the QUANTILES of these games do not exceed; none without such games."""
    lead: Interval | None
    """The mean lead over the best of the others, in points; negative for who is behind."""


def finish(
    games: Games, agents: Sequence[str], number: int, seed: int, *, from_knowledge: bool = False
) -> Iterator[list[Entry]]:
    """Play on from the position of `games`, one row, this many times; yield the results of each game, by seat.

    `agents` play its seats. With `from_knowledge` all is dealt again that the seat to act can't know; otherwise only
    what lies face down. Raises ValueError for a game that has ended, and for agents that can't play it.
    """
    configuration = games.configuration
    if games.states["outcome"][0] != outcomes.RUNNING:
        raise ValueError("the game is over at this position: choose one before")
    players = Players(configuration, tuple(dict.fromkeys(agents))).make()
    states = futures(games, number, seed, from_knowledge=from_knowledge)
    fixtures = [Fixture(it, it, 0, derive_key(seed, "agents", it), tuple(agents)) for it in range(number)]
    for first in range(0, number, AT_ONCE):
        some = slice(first, first + AT_ONCE)
        entries = play(configuration, players, fixtures[some], states=states[some])
        yield from (list(seats) for _, seats in groupby(entries, lambda entry: entry.game))


def futures(games: Games, number: int, seed: int, *, from_knowledge: bool) -> Array:
    """Return states, (number,), that go on from the position of one row as `finish` says, as a new array."""
    seeds = [derive_seed(seed, "futures", it) for it in range(number)]
    if from_knowledge:
        return np.concatenate([games.determinize([0], [it]) for it in seeds])
    return with_new_chance(np.repeat(games.states, number), np.array(seeds, np.uint64))


def distributions(finished: Sequence[Sequence[Entry]], team_size: int) -> list[Distribution]:
    """Return the distribution of each seat's results."""
    return [_of_seat([game[seat] for game in finished], finished, seat, team_size) for seat in range(len(finished[0]))]


def _of_seat(own: Sequence[Entry], finished: Sequence[Sequence[Entry]], seat: int, team_size: int) -> Distribution:
    ended = [game for game in finished if game[seat].outcome == "finished"]
    scores = np.array([game[seat].score for game in ended])
    others = [[it.score for it in game if it.seat // team_size != seat // team_size] for game in ended]
    leads = np.array([score - max(of_others) for score, of_others in zip(scores, others, strict=True) if of_others])
    quantiles = np.quantile(scores, QUANTILES, method="inverted_cdf") if ended else []
    return Distribution(
        seat,
        own[0].agent,
        wilson_interval(fmean(entry.win for entry in own), len(own)),
        _mean(scores),
        [int(score) for score in quantiles],
        _mean(leads),
    )


def _mean(values: Array) -> Interval | None:
    if not len(values):
        return None
    columns = values.astype(float)[:, None]
    value, low, high = (float(bound[0]) for bound in ratios(columns, np.ones_like(columns), are_shares=False))
    return Interval(value, low, high)
