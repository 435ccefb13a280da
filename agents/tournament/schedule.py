"""Who plays against whom, from which seats and on which deals.

A line-up says who plays: as many agents as there are sides or, with fewer agents, all of them over and over. Rotating
it over the seats on the same deal takes the luck of the deal and of the seat out of the comparison. In team games a
place of the line-up is a team.
"""

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from t2r_env.games import LARGEST_SEED


@dataclass(frozen=True)
class Fixture:
    """A game to be played."""

    game: int
    deal: int
    seed: int
    """Of the deal: `env.reset(seed=...)` deals it again."""
    rng: int
    """The word from which the agents' chance follows."""
    seating: tuple[str, ...]
    """Who sits on seat 0, 1, ..."""


def draw_up(agents: Sequence[str], teams: int, team_size: int, games: int, seed: int) -> list[Fixture]:
    """Whole deals until there are games enough. With more games the schedule goes on; what was there stays."""
    seatings: list[tuple[int, tuple[str, ...]]] = []
    line_ups = balanced_line_ups(len(agents), teams, seed)
    for deal in itertools.count():
        if len(seatings) >= games:
            break
        line_up = next(line_ups)
        rotations = dict.fromkeys(line_up[first:] + line_up[:first] for first in range(teams))
        seatings += [(deal, tuple(agents[n] for n in sitting for _ in range(team_size))) for sitting in rotations]
    rng = np.random.default_rng(seed).integers(2**64, size=len(seatings), dtype=np.uint64)
    return [
        Fixture(game, deal, (seed + deal) % (LARGEST_SEED + 1), int(rng[game]), seating)
        for game, (deal, seating) in enumerate(seatings)
    ]


def balanced_line_ups(agents: int, teams: int, seed: int) -> Iterator[tuple[int, ...]]:
    """Line-ups of agents, by number, without end and in an order of seats that chance makes.

    The next one is always of those who have met each other least; among these, of those who have played least; then of
    those who have been this line-up least; then chance decides. So all pairs meet about equally often, with two sides
    exactly after each round of them, and nobody plays twice before everybody has played.
    """
    rng = np.random.default_rng([seed, agents, teams])
    everybody = tuple(range(agents)) * (teams // agents)
    choices = [everybody + rest for rest in itertools.combinations(range(agents), teams % agents)]
    members = np.array(choices)
    first, second = np.array(list(itertools.combinations(range(teams), 2))).T
    met, played, chosen = np.zeros((agents, agents), int), np.zeros(agents, int), np.zeros(len(choices), int)
    while True:
        together = met[members[:, first], members[:, second]].sum(axis=1)
        order = np.lexsort((rng.random(len(choices)), chosen, played[members].sum(axis=1), together))
        best = members[order[0]]
        chosen[order[0]] += 1
        np.add.at(played, best, 1)
        np.add.at(met, (best[first], best[second]), 1)
        np.add.at(met, (best[second], best[first]), 1)
        yield tuple(rng.permutation(best).tolist())
