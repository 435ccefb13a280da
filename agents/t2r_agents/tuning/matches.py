"""Games of one agent against others: in each it has one team, and all others are seats of one opponent.

In mirrors it has all seats.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.agents import Agent, step_agents
from t2r_env.results import Results
from t2r_env.seeding import decision_seeds, derive_key, derive_seed, key_words


@dataclass(frozen=True)
class Match:
    """The result of an agent against one opponent, from each team on each deal: arrays of shape (deals, teams)."""

    wins: NDArray[np.float64]
    """1, shared among the teams that win."""
    margins: NDArray[np.int64]
    """Points more than the best other team's. Zero, as wins are, where the turn limit ended the game (C19)."""
    decisions: int
    """Of all seats in all games."""

    def fitness(self, margin_weight: float) -> float:
        """The share of games won, and so much more for each 100 points of the mean margin."""
        return float(self.wins.mean() + margin_weight * self.margins.mean() / 100)

    @staticmethod
    def joined(parts: "Sequence[Match]") -> "Match":
        """One match of the deals of several."""
        wins, margins = ([getattr(it, name) for it in parts] for name in ("wins", "margins"))
        return Match(np.concatenate(wins), np.concatenate(margins), sum(it.decisions for it in parts))


@dataclass(frozen=True)
class Mirror:
    """The results of an agent in all seats."""

    columns: Mapping[str, NDArray[np.float64]]
    """Of the winner by name, shape (deals,): `score`, `completed` and `failed` tickets, and each part of the score,
    `part` and its name, in points; `turns` of the game for each player. Where several win, of the first of them."""

    def means(self) -> dict[str, float]:
        """Over deals."""
        return {name: float(column.mean()) for name, column in self.columns.items()}

    @staticmethod
    def joined(parts: "Sequence[Mirror]") -> "Mirror":
        """One mirror of the deals of several."""
        return Mirror({name: np.concatenate([it.columns[name] for it in parts]) for name in parts[0].columns})


def play_match(
    configuration: Configuration, agent: Agent, opponent: Agent, deals: Sequence[int], secret: int, purpose: str
) -> Match:
    """Play deals of these numbers, each once from every team, all games together.

    The deals and the agents' seeds follow from the secret and the purpose (at most 16 bytes) alone. An agent whose
    `reads_observations` is False gets none, which is faster.
    """
    teams, team_size = configuration.num_teams, configuration.variant.team_size
    team = np.tile(np.arange(teams), len(deals))
    seating = (np.arange(configuration.num_players) // team_size != team[:, None]).astype(np.int64)
    results = _play(configuration, [agent, opponent], seating, np.repeat(deals, teams), secret, purpose)
    every = np.arange(len(team))
    winners = results.ranks[:, ::team_size] == 1
    wins = winners[every, team] / np.maximum(1, winners.sum(axis=1))
    scores = results.scores[:, ::team_size].copy()
    own = scores[every, team]
    scores[every, team] = np.iinfo(np.int64).min
    margins = own - scores.max(axis=1)
    shape = len(deals), teams
    return Match(wins.reshape(shape), margins.reshape(shape), int(results.decisions.sum()))


def play_mirror(configuration: Configuration, agent: Agent, deals: Sequence[int], secret: int, purpose: str) -> Mirror:
    """Play deals of these numbers with the agent in all seats, each once, likewise."""
    seating = np.zeros((len(deals), configuration.num_players), np.int64)
    results = _play(configuration, [agent], seating, np.array(deals), secret, purpose)
    every, winner = np.arange(len(deals)), results.ranks.argmin(axis=1)
    of_seats = {"score": results.scores, "completed": results.completed, "failed": results.failed}
    of_seats |= {f"part {name}": points for name, points in results.breakdown.items()}
    columns = {name: values[every, winner].astype(np.float64) for name, values in of_seats.items()}
    return Mirror(columns | {"turns": results.turns / configuration.num_players})


def _play(
    configuration: Configuration,
    agents: Sequence[Agent],
    seating: NDArray[np.int64],
    deals: NDArray[np.int64],
    secret: int,
    purpose: str,
) -> Results:
    """Play a game for each row of the seating, shape (games, seats), with the deal of this number.

    Games of the same deal differ in the agents' seeds.
    """
    observes = any(getattr(it, "reads_observations", True) for it in agents)
    games = Games(configuration, batch=len(deals), autoreset=False, observe=observes)
    numbers, teams = deals.tolist(), configuration.num_teams
    games.reset(seeds=np.array([derive_seed(secret, purpose, deal) for deal in numbers], np.uint64))
    first = {deal: row for row, deal in reversed([*enumerate(numbers)])}
    keys = key_words(
        [derive_key(secret, purpose, deal * teams + row - first[deal]) for row, deal in enumerate(numbers)]
    )
    rows = np.arange(len(deals))
    while rows.size:
        seeds = decision_seeds(games, rows, keys)
        step_agents(games, rows, agents, seating, seeds, lambda it, decisions, _: it.act(decisions))
        rows = rows[~(games.terminated[rows] | games.truncated[rows])]
    return games.results
