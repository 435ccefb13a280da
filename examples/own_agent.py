"""An agent of one's own in a tournament against `random` and `greedy`.

An agent is a class with one method, `act`. It gets the decisions of many games at once and returns one legal action
for each of them. A tournament knows it by its import path, `module:Class`. Here that is `own_agent:Claimer`, since
Python looks for modules in the folder of the script that it runs.

    python examples/own_agent.py
    python examples/own_agent.py --variant usa --games 60
    t2r tournament --agents examples.own_agent:Claimer racer    # the same agent from the command line
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_agents.tournament import Tournament
from t2r_agents.tournament.standings import Standings, compute_standings
from t2r_env import configure
from t2r_env.agents import Decisions


class Claimer:
    """Claims a route whenever it can, otherwise draws cards from the deck; refuses the tickets that it may refuse."""

    stateless = True
    """It keeps nothing from one decision to the next: one instance may act in many games of a tournament together."""
    preferred = ("claim", "draw_deck", "refuse_ticket")
    """Blocks of actions, best first."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """A legal action for each of the k decisions, shape (k,)."""
        masks = self._masks(decisions)
        return np.array([self._choose(mask, seed) for mask, seed in zip(masks, decisions.seeds, strict=True)])

    def _masks(self, decisions: Decisions) -> NDArray[np.int8]:
        """The legal actions of the best block that has any; all legal actions where none of the blocks does."""
        blocks = decisions.configuration.layout.actions
        masks = decisions.masks.copy()
        for name in reversed(self.preferred):
            if name in blocks:
                block = blocks[name].slice
                better = np.zeros_like(masks)
                better[:, block] = decisions.masks[:, block]
                masks = np.where(better.any(axis=1, keepdims=True), better, masks)
        return masks

    def _choose(self, mask: NDArray[np.int8], seed: np.uint64) -> int:
        """One of the actions of a mask. Each decision has its own seed, so that games can be repeated."""
        return int(np.random.default_rng(seed).choice(np.flatnonzero(mask)))


def play(variant: str, num_players: int | None, games: int, seed: int) -> Standings:
    """Play a tournament, each deal from all seats, and print its standings."""
    agents = ["own_agent:Claimer", "random", "greedy"]
    tournament = Tournament(configure(variant, num_players), agents, games, seed)
    for _ in tournament.play():
        pass  # plays some games at a time; `tournament.entries` collects them
    standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
    print(f"{'agent':20}{'games':>6}{'wins':>8}  {'95 % interval':16}{'score':>6}")
    for standing in standings.agents:
        wins = standing.wins
        print(
            f"{standing.agent:20}{standing.games:6}{wins.value:8.1%}  {f'{wins.low:.1%} to {wins.high:.1%}':16}"
            f"{standing.score:6.1f}"
        )
    return standings


def main(command: Sequence[str] | None = None) -> Standings:
    """Play as the command line says."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--games", type=int, default=300, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    return play(arguments.variant, arguments.num_players, arguments.games, arguments.seed)


if __name__ == "__main__":
    main()
