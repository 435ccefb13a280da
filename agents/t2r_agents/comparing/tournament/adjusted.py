"""Results of a tournament less the luck in its games: means stay as they are, and intervals become narrower.

They become as much narrower as the values know of what cards and tickets are worth
(`t2r_agents.comparing.review.luck`). Values take luck for more than it is, so a share of it is taken off: the one that
makes the interval narrowest on the other half of the deals, so that the mean is not changed by choosing it.
"""

import csv
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.review.luck import MARGIN, WIN, luck_in_games
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import DEVIATES, Interval
from t2r_agents.comparing.tournament.replays import is_same
from t2r_agents.comparing.tournament.tournament import Tournament
from t2r_agents.playing.values import Judge
from t2r_env.basics.writing import replacing

AT_ONCE = 64
"""The games that are looked at together."""


@dataclass(frozen=True)
class Adjusted:
    """An agent's mean results as they are, and less luck; intervals are computed over deals."""

    agent: str
    games: int
    wins: Interval
    wins_adjusted: Interval
    margin: Interval
    """Points more than the best other team's."""
    margin_adjusted: Interval


@dataclass(frozen=True)
class SeatLuck:
    """The luck of a seat in a game, and its results."""

    entry: Entry
    margin: float
    luck: NDArray[np.float64]
    """(2,): in the chance to win, and in the margin."""

    @property
    def results(self) -> NDArray[np.float64]:
        """(2,): win and margin."""
        return np.array([self.entry.win, self.margin])


def luck_of_seats(
    tournament: Tournament, entries: Sequence[Entry], progress: Callable[[int, int], None]
) -> list[SeatLuck]:
    """Return the luck of each seat in those games of these entries that were played to their end, game by game.

    Games without recorded actions are played again, and left out if they then end otherwise. Raises PolicyError if
    there are no values for the configuration.
    """
    judge = Judge(tournament.configuration)
    games: dict[int, list[Entry]] = {}
    for entry in entries:
        if entry.outcome == "finished":
            games.setdefault(entry.game, []).append(entry)
    numbers, found = sorted(games), list[SeatLuck]()
    for begin in range(0, len(numbers), AT_ONCE):
        progress(begin, len(numbers))
        replays = {number: tournament.record(number) for number in numbers[begin : begin + AT_ONCE]}
        same = [number for number, replay in replays.items() if is_same(games[number], replay)]
        if not same:
            continue
        seeds = [games[number][0].seed for number in same]
        luck = luck_in_games(judge, seeds, [replays[number].actions for number in same])
        for number, of_game in zip(same, luck, strict=True):
            entries = games[number]
            team = tournament.configuration.rules[0].team
            for entry in entries:
                others = (it.score for it in entries if team[it.seat] != team[entry.seat])
                found.append(SeatLuck(entry, float(entry.score - max(others)), of_game[entry.seat]))
    progress(len(numbers), len(numbers))
    return found


def adjust(seats: Sequence[SeatLuck]) -> list[Adjusted]:
    """Return the results of each agent, in the order of their adjusted wins."""
    adjusted = []
    for agent in {it.entry.agent for it in seats}:
        own = [it for it in seats if it.entry.agent == agent]
        deals = np.array([it.entry.deal for it in own])
        results, luck = (np.stack(it) for it in zip(*((it.results, it.luck) for it in own), strict=True))
        of_deals = [deals == deal for deal in np.unique(deals)]
        raw, by_chance = (np.stack([it[rows].mean(axis=0) for rows in of_deals]) for it in (results, luck))
        wins, margin = (_interval(column) for column in raw.T)
        less = (_interval(less_luck(*columns)) for columns in zip(raw.T, by_chance.T, strict=True))
        adjusted.append(Adjusted(agent, len({it.entry.game for it in own}), wins, next(less), margin, next(less)))
    return sorted(adjusted, key=lambda it: (-it.wins_adjusted.value, it.agent))


def less_luck(results: NDArray[np.float64], luck: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return results of deals (k,) less a share of the luck in them, which is chosen on the other half of the deals."""
    less = results.copy()
    is_even = np.arange(len(results)) % 2 == 0
    for half, other in ((is_even, ~is_even), (~is_even, is_even)):
        if other.sum() > 1 and luck[other].any():
            both = np.cov(results[other], luck[other])
            less[half] -= both[0, 1] / both[1, 1] * luck[half]
    return less


def _interval(of_deals: NDArray[np.float64]) -> Interval:
    """Return a mean over deals (k,); of a single one, or of equal ones, the interval is not known, and endless."""
    mean = float(of_deals.mean())
    deviation = float(of_deals.std(ddof=1)) if len(of_deals) > 1 else 0.0
    half = DEVIATES * deviation / len(of_deals) ** 0.5 if deviation else np.inf
    return Interval(mean, mean - half, mean + half)


def fewer_games(raw: Interval, adjusted: Interval) -> float:
    """Return how many times as many games would give the raw result an interval like the adjusted one, if known."""
    width = adjusted.high - adjusted.low
    return ((raw.high - raw.low) / width) ** 2 if np.isfinite(width) else np.nan


def save_luck(path: Path, seats: Sequence[SeatLuck]) -> None:
    """Write a row for each seat of each game."""
    with replacing(path) as new, new.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(("game", "seat", "agent", "win", "win_luck", "margin", "margin_luck"))
        for it in seats:
            entry = it.entry
            luck = (round(float(it.luck[WIN]), 5), round(float(it.luck[MARGIN]), 4))
            writer.writerow((entry.game, entry.seat, entry.agent, entry.win, luck[0], it.margin, luck[1]))
