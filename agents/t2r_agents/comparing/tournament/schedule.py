"""The schedule: which agents play each other, on which seats and on which deals.

A line-up is the agents of a game: as many as there are teams or, with fewer agents, all of them repeated. Each deal is
played once for each rotation of its line-up over the seats, which takes the luck of the deal and of the seat out of the
comparison. Where there are no teams of several seats, each seat is a team.
"""

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from t2r_env.seeding import derive_key, derive_seed

MAX_LINE_UPS = 200_000
"""The most line-ups of a tournament: 100 agents have fewer for three teams, 30 agents for five."""
MAX_COMPARED = 200_000_000
"""The most line-ups that are compared for all deals together, which takes about a minute. A folder of a stranger may
name many agents and games."""


@dataclass(frozen=True)
class Fixture:
    """A game of the schedule."""

    game: int
    deal: int
    seed: int
    """The seed of the deal: `env.reset(seed=...)` deals it again."""
    agent_key: bytes
    """The key from which the seeds of the agents' decisions follow; no agent sees it."""
    seating: tuple[str, ...]
    """The agents on seats 0, 1, ..."""


def make_schedule(
    agents: Sequence[str], teams: int, team_size: int, games: int, seed: int, *, first_in_all: bool = False
) -> list[Fixture]:
    """Return whole deals, `games` games at least. A schedule of more games begins with the same games.

    With `first_in_all` the first agent plays in every game. Deals and agents' keys follow from the seed by one-way
    functions (t2r_env/seeding.py): an agent's data in one game tells it nothing about another. Raises ValueError if
    the agents have more than MAX_LINE_UPS line-ups, or for all games together more than MAX_COMPARED.
    """
    line_ups = math.comb(len(agents), teams % len(agents))
    if (compared := line_ups * -(-games // teams)) > MAX_COMPARED and line_ups <= MAX_LINE_UPS:
        raise ValueError(
            f"{games:,} games of {len(agents)} agents have {compared:,} line-ups to compare, and at most"
            f" {MAX_COMPARED:,} are allowed: name fewer agents or games"
        )
    fixtures: list[Fixture] = []
    dealt = deal_out(agents, teams, team_size, seed, first_in_all=first_in_all)
    for _, of_deal in itertools.groupby(dealt, lambda fixture: fixture.deal):
        if len(fixtures) >= games:
            break
        fixtures += of_deal
    return fixtures


def deal_out(
    agents: Sequence[str], teams: int, team_size: int, seed: int, *, first_in_all: bool = False
) -> Iterator[Fixture]:
    """Yield the games of `make_schedule` for ever, deal by deal. Raises ValueError as it does."""
    game = itertools.count()
    for deal, line_up in enumerate(balanced_line_ups(len(agents), teams, seed, first_in_all=first_in_all)):
        rotations = dict.fromkeys(line_up[first:] + line_up[:first] for first in range(teams))
        for sitting in rotations:
            number, seating = next(game), tuple(agents[n] for n in sitting for _ in range(team_size))
            yield Fixture(number, deal, derive_seed(seed, "deals", deal), derive_key(seed, "agents", number), seating)


def balanced_line_ups(agents: int, teams: int, seed: int, *, first_in_all: bool = False) -> Iterator[tuple[int, ...]]:
    """Yield line-ups for ever, as indices of agents, in random orders of seats; with `first_in_all` those with agent 0.

    The next line-up is always one of agents who have met each other least; of these, one of agents who have played
    least; then one that has been drawn least; the rest is random. So all pairs meet about equally often (exactly, with
    two teams, after each round of all pairs), and nobody plays twice before everybody has played.
    """
    if (number := math.comb(agents, teams % agents)) > MAX_LINE_UPS:
        raise ValueError(
            f"{agents} agents have {number:,} line-ups for {teams} teams, and at most {MAX_LINE_UPS:,} are allowed:"
            " name fewer agents"
        )
    rng = np.random.default_rng([seed, agents, teams])
    everybody = tuple(range(agents)) * (teams // agents)
    choices = [everybody + rest for rest in itertools.combinations(range(agents), teams % agents)]
    members = np.array([choice for choice in choices if 0 in choice or not first_in_all])
    first, second = np.array(list(itertools.combinations(range(teams), 2))).T
    met, played, chosen = np.zeros((agents, agents), int), np.zeros(agents, int), np.zeros(len(members), int)
    while True:
        together = met[members[:, first], members[:, second]].sum(axis=1)
        order = np.lexsort((rng.random(len(members)), chosen, played[members].sum(axis=1), together))
        best = members[order[0]]
        chosen[order[0]] += 1
        np.add.at(played, best, 1)
        np.add.at(met, (best[first], best[second]), 1)
        np.add.at(met, (best[second], best[first]), 1)
        yield tuple(rng.permutation(best).tolist())
