"""Games of one agent against others: in each it has one team, and all others are seats of one opponent."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from t2r_env import Configuration, Games
from t2r_env.agents import Agent, step_agents
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
    observes = any(getattr(it, "reads_observations", True) for it in (agent, opponent))
    games = Games(configuration, batch=len(team), autoreset=False, observe=observes)
    games.reset(seeds=np.repeat([derive_seed(secret, purpose, deal) for deal in deals], teams).astype(np.uint64))
    keys = key_words([derive_key(secret, purpose, deal * teams + of) for deal in deals for of in range(teams)])
    rows = np.arange(len(team))
    while rows.size:
        seeds = decision_seeds(games, rows, keys)
        step_agents(games, rows, [agent, opponent], seating, seeds, lambda it, decisions, _: it.act(decisions))
        rows = rows[~(games.terminated[rows] | games.truncated[rows])]
    results = games.results
    every = np.arange(len(team))
    winners = results.ranks[:, ::team_size] == 1
    wins = winners[every, team] / np.maximum(1, winners.sum(axis=1))
    scores = results.scores[:, ::team_size].copy()
    own = scores[every, team]
    scores[every, team] = np.iinfo(np.int64).min
    margins = own - scores.max(axis=1)
    shape = len(deals), teams
    return Match(wins.reshape(shape), margins.reshape(shape), int(results.decisions.sum()))
