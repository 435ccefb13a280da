"""Flat Monte Carlo search as an agent: try each legal action in several determinizations, and finish by random play.

`Decisions.determinize` gives states in which all that the acting seat can't know is dealt again (OpenSpiel's
`resample_from_infostate`), so the search never sees hidden cards, nor the cards that will be drawn. The action with
the best mean lead at the end is chosen.

    python examples/search.py
    python examples/search.py --variant usa --games 20 --determinizations 50
    t2r tournament --variant new_york --agents examples.search:SearchAgent:50 greedy --games 40    # from the checkout
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.standings import compute_standings
from t2r_env import Games, configure
from t2r_env.agents import Decisions


class SearchAgent:
    """Searches each decision by itself. Its argument is the number of determinizations of a decision."""

    stateless = True

    def __init__(self, determinizations: str = "20") -> None:
        self.determinizations = int(determinizations)
        if self.determinizations < 1:
            raise ValueError(f"a search needs at least 1 determinization, not {determinizations}")

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each of the k decisions, shape (k,)."""
        return np.array([self.search(decision) for decision in decisions.split()], np.int64)

    def search(self, decision: Decisions) -> int:
        """Return the best action of one decision."""
        legal, number = np.flatnonzero(decision.masks[0]), self.determinizations
        rng = np.random.default_rng(decision.seeds[0])
        states = decision.determinize(rng.integers(2**64, size=(1, number), dtype=np.uint64))[0]
        tried = Games(decision.configuration, batch=len(legal) * number, autoreset=False, observe=False, seed=0)
        tried.set_states(None, np.tile(states, len(legal)))
        seat = int(tried.current[0])
        tried.step(np.repeat(legal, number))
        while not (tried.terminated | tried.truncated).all():
            tried.play_random(100, seed=int(rng.integers(2**32)))
        leads = lead(tried.results.scores, seat).reshape(len(legal), number)
        return int(legal[leads.mean(axis=1).argmax()])


def lead(scores: NDArray[np.int64], seat: int) -> NDArray[np.int64]:
    """Return the points by which a seat is ahead of the best other one, (k,), from the scores, (k, seats)."""
    difference: NDArray[np.int64] = scores[:, seat] - np.delete(scores, seat, axis=1).max(axis=1)
    return difference


def main(command: Sequence[str] | None = None) -> tuple[float, float, float]:
    """Play with the arguments of the command line; return the share of wins and its 95 % interval."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--games", type=int, default=40)
    parser.add_argument("--determinizations", type=int, default=20, help="of each decision")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    configuration = configure(arguments.variant, arguments.num_players)
    agents = [f"search:SearchAgent:{arguments.determinizations}", "random"]
    tournament = Tournament(configuration, agents, arguments.games, arguments.seed)
    for _ in tournament.play():
        pass  # plays some games at a time; `tournament.entries` collects them
    standings = compute_standings(tournament.entries, configuration.variant.team_size)
    wins = next(it.wins for it in standings.agents if it.agent == agents[0])
    print(f"{wins.value:.1%} of {arguments.games} games won against random play ({wins.low:.1%} to {wins.high:.1%})")
    return wins.value, wins.low, wins.high


if __name__ == "__main__":
    main()
