"""Measure what the search with a policy finds: regret at the root, before and after, and the time that it takes.

    python -m benchmarks.search --variant usa --tickets classic --simulations 280

The policy that comes with the library plays games against itself; some of their decisions are searched. One line of
JSON: how much less the policy, and the policy that the search has improved, may expect than the best action (values
from -1 to 1; what half of the simulations find is judged by the other half), and the seconds for each decision of a
batch. Means over games, with 95 % intervals.
"""

import argparse
import json
import math
import time
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from benchmarks.machine import describe_machine, describe_versions
from t2r_agents.comparing.tournament.ratings import DEVIATES
from t2r_agents.playing.ismcts.policy_search import PolicySearch
from t2r_env import Configuration, Games, configure
from t2r_env.agents import decisions_of, find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.commands.options import add_configuration, options_given
from t2r_env.seeding import agent_keys, decision_seeds

COLUMNS = ("regret_before", "regret_after", "seconds")
BATCH = 64
"""Games that are played together."""


def measure(configuration: Configuration, simulations: int, number: int, every: int, seed: int) -> NDArray[np.float64]:
    """Return COLUMNS of the decisions searched in each of a number of games, means, (games, 3).

    About one of `every` decisions with a choice is searched.
    """
    policy, search = find_agent("policy", configuration), PolicySearch(None)
    games = Games(configuration, batch=number, seed=seed, autoreset=False)
    keys, rng = agent_keys(games.seeds), np.random.default_rng(seed)
    totals, counts = np.zeros((number, len(COLUMNS))), np.zeros(number)
    while (running := np.flatnonzero(games.masks.any(axis=1))).size:
        actions = np.zeros(number, np.int64)
        decisions = decisions_of(games, running, decision_seeds(games, running, keys))
        actions[running] = policy.act(decisions)
        chosen = np.flatnonzero((decisions.masks.sum(axis=1) > 1) & (rng.random(len(running)) < 1 / every))
        if chosen.size:
            began = time.perf_counter()
            found = search.search(decisions.take(chosen), simulations)
            seconds = (time.perf_counter() - began) / len(chosen)
            totals[running[chosen]] += np.column_stack([found.regrets, np.full(len(chosen), seconds)])
            counts[running[chosen]] += 1
        games.step(actions)
    return totals[counts > 0] / counts[counts > 0, None]


def main(command: Sequence[str] | None = None) -> None:
    """Measure and print. Exits with 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.search", description="Measure search with a policy.")
    add_configuration(parser)
    add = parser.add_argument
    add("--simulations", type=int, default=280, help="for each decision (default: 280)")
    add("--games", type=int, default=256, help="of the policy against itself (default: 256)")
    add("--every", type=int, default=16, help="about one of this many decisions is searched (default: 16)")
    add("--seed", type=int, default=77_000_000, help="of the games (default: 77000000)")
    arguments = parser.parse_args(command)
    try:
        for name, least in (("simulations", 1), ("games", 2), ("every", 1)):  # one game has no interval
            check_integer(f"--{name}", getattr(arguments, name), least)
        check_seed(arguments.seed)
        configuration = configure(arguments.variant or "usa", arguments.num_players, **options_given(arguments))
        PolicySearch(None).check(configuration)
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    measure(configuration, 6, 1, 4, arguments.seed)  # compiles
    parts = []
    for begin in track(range(0, arguments.games, BATCH), "games", console=Console(stderr=True)):
        number, seed = min(BATCH, arguments.games - begin), arguments.seed + begin
        parts.append(measure(configuration, arguments.simulations, number, arguments.every, seed))
    games = np.concatenate(parts)
    widths = DEVIATES * games.std(axis=0, ddof=1) / math.sqrt(len(games))
    means = zip(COLUMNS, games.mean(axis=0).tolist(), widths.tolist(), strict=True)
    told = {name: {"value": mean, "low": mean - width, "high": mean + width} for name, mean, width in means}
    about = {"identity": configuration.identity, "simulations": arguments.simulations, "games": len(games)}
    print(json.dumps({**about, **told, "machine": describe_machine(), "versions": describe_versions()}))


if __name__ == "__main__":
    main()
