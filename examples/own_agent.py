"""An agent of your own in a tournament against `random` and `greedy`.

An agent is a class with one method, `act`. It gets the decisions of many games at once and returns one legal action
for each of them. A tournament takes its import path, `module:Class`: here `own_agent:Claimer`, because Python also
looks for modules in the folder of the script.

    python examples/own_agent.py
    python examples/own_agent.py --variant usa --games 60
    t2r tournament --agents examples.own_agent:Claimer racer    # the same agent from the command line
"""

import argparse
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from t2r_agents.comparing.tournament import Tournament
from t2r_agents.comparing.tournament.standings import Standings, compute_standings
from t2r_env import configure
from t2r_env.agents import Decisions


class Claimer:
    """Claims a route if that is legal, otherwise draws cards from the deck; refuses tickets where it may."""

    stateless = True
    """It keeps nothing from one decision to the next, so one instance may act in many games of a tournament."""
    preferred = ("claim", "draw_deck", "refuse_ticket")
    """Blocks of actions, best first."""

    def act(self, decisions: Decisions) -> NDArray[np.int64]:
        """Return a legal action for each of the k decisions, shape (k,)."""
        blocks = decisions.configuration.layout.actions
        preferred = [blocks[name] for name in self.preferred if name in blocks]
        actions = []
        for mask, seed in zip(decisions.masks, decisions.seeds, strict=True):
            legal = [block.start + np.flatnonzero(mask[block.slice]) for block in preferred]
            best = next((found for found in legal if found.size), np.flatnonzero(mask))
            actions.append(np.random.default_rng(seed).choice(best))  # its own seed, so that games can be repeated
        return np.array(actions)


def play(variant: str, num_players: int | None, games: int, seed: int) -> Standings:
    """Play a tournament, each deal from all seats, and print its standings."""
    agents = ["own_agent:Claimer", "random", "greedy"]
    tournament = Tournament(configure(variant, num_players), agents, games, seed)
    for _ in tournament.play():
        pass  # plays some games at a time; `tournament.entries` collects them
    standings = compute_standings(tournament.entries, tournament.configuration.variant.team_size)
    for it in standings.agents:
        print(f"{it.agent:20}{it.games:4} games, {it.wins.value:.1%} won ({it.wins.low:.1%} to {it.wins.high:.1%})")
    return standings


def main(command: Sequence[str] | None = None) -> Standings:
    """Play with the arguments of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="the name of a variant, or a folder")
    parser.add_argument("--num-players", type=int, help="the fewest that the variant allows by default")
    parser.add_argument("--games", type=int, default=300, help="in all")
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args(command)
    return play(arguments.variant, arguments.num_players, arguments.games, arguments.seed)


if __name__ == "__main__":
    main()
