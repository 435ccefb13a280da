"""Throughput: decisions and games per second, one line of JSON per layer.

    python -m benchmarks.throughput --variant usa --num-players 2 --tickets classic

Only decisions with a choice count: neither random events nor forced actions. The layers are

- `rules`: random play in the core, which lists the legal actions;
- `mask`: the same, with the mask written for every decision;
- `observation`: the same, with mask and observation written for every decision;
- `games`: `Games.step` from Python, with a random agent that chooses from the masks;
- `features`: the same, with the derived features `plan` after each observation;
- `graph`: the same as `games`, with graphs written after each step; of maps, and only if it is named;
- `vector`: the Gymnasium vector environment, with random opponents in the core, and a learner that chooses at random
  from the masks. Only the learner's decisions count;
- `vector_greedy`: the same with `greedy` opponents;
- `aec`: the PettingZoo environment, `step` and `last` with the actions of recorded games (choosing them takes no time).

Every layer is warmed up first, which compiles it, and then measured several times. The best run and the median are
reported.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import track

import t2r_env
from benchmarks.machine import describe_machine, describe_versions
from t2r_env.agents import RandomAgent, choose_evenly, decisions_of
from t2r_env.envs.vector import SeatVectorEnvironment
from t2r_env.games import Games
from t2r_env.rules import batch as core

Counts = tuple[int, int]
"""The numbers of decisions and of ended games in a run."""

Work = Callable[[float], Counts]
"""Plays for about this many seconds. `benchmarks.compare` calls that of other revisions, so its type is a contract."""


def repeat_for(seconds: float, once: Callable[[], Counts]) -> Counts:
    """Call `once` until the time is over; return the sums of its counts."""
    end = time.perf_counter() + seconds
    decisions = games = 0
    while time.perf_counter() < end:
        played, ended = once()
        decisions += played
        games += ended
    return decisions, games


def play_without_masks(arguments: argparse.Namespace) -> Work:
    """Random play in the core, without masks and observations."""
    games = make_games(arguments, observe=False)
    configuration, steps = games.configuration, 500
    batch = games.core_batch._replace(masks=np.zeros((games.batch, 0), np.int8))
    scratch, rows = configuration.ruleset.new_scratch(), np.arange(games.batch)
    games.rngs[:] = rows

    def once() -> Counts:
        return games.batch * steps, core.run(core.PLAY_RANDOM, batch, scratch, rows, decisions=steps)

    return lambda seconds: repeat_for(seconds, once)


def play_in_core(arguments: argparse.Namespace, *, observe: bool) -> Work:
    """Random play in the core, with masks, and with observations if `observe`."""
    games, steps = make_games(arguments, observe=observe), 500
    seeds = iter(range(10**9))
    return lambda seconds: repeat_for(
        seconds, lambda: (games.batch * steps, games.play_random(steps, seed=next(seeds)))
    )


def play_games(arguments: argparse.Namespace, **observed: Any) -> Work:
    """Play by `Games.step` from Python with the actions of a random agent. `observed` are arguments of `Games`."""
    games, agent = make_games(arguments, observe=True, **observed), RandomAgent()
    rng = np.random.default_rng(0)

    def once() -> Counts:
        seeds = rng.integers(2**64, size=games.batch, dtype=np.uint64)
        games.step(agent.act(decisions_of(games, np.arange(games.batch), seeds)))
        return games.batch, int(np.count_nonzero(games.terminated | games.truncated))

    return lambda seconds: repeat_for(seconds, once)


def play_vector(arguments: argparse.Namespace, opponents: str) -> Work:
    """Play in the Gymnasium vector environment with a learner that plays at random."""
    environment = SeatVectorEnvironment(
        arguments.variant,
        arguments.players,
        arguments.batch,
        opponents=opponents,
        autoreset_mode="SameStep",  # in other modes some steps only reset a game
        threads=arguments.threads,
        **options_of(arguments),
    )
    masks = [environment.reset(seed=0)[0]["action_mask"]]
    rng = np.random.default_rng(0)

    def once() -> Counts:
        seeds = rng.integers(2**64, size=environment.num_envs, dtype=np.uint64)
        observations, _, terminated, truncated, _ = environment.step(choose_evenly(masks[0], seeds))
        masks[0] = observations["action_mask"]
        return environment.num_envs, int(np.count_nonzero(terminated | truncated))

    return lambda seconds: repeat_for(seconds, once)


def play_recorded_aec(arguments: argparse.Namespace) -> Work:
    """Play by `step` and `last` of the PettingZoo environment, with recorded actions."""
    environment = t2r_env.env(arguments.variant, arguments.players, **options_of(arguments))
    records = [record_actions(arguments, seed) for seed in range(20)]
    indices = iter(range(10**9))

    def once() -> Counts:
        seed = next(indices) % len(records)
        environment.reset(seed=seed)
        for action in records[seed]:
            environment.last()
            environment.step(action)
        return len(records[seed]), 1

    return lambda seconds: repeat_for(seconds, once)


def record_actions(arguments: argparse.Namespace, seed: int) -> list[int]:
    """Play a random game and return its actions."""
    games = Games(
        arguments.variant, arguments.players, seed=seed, autoreset=False, record=True, **options_of(arguments)
    )
    rng = np.random.default_rng(seed)
    while not (games.terminated[0] or games.truncated[0]):
        games.step([rng.choice(np.flatnonzero(games.masks[0]))])
    return games.history()[1]


LAYERS: dict[str, Callable[[argparse.Namespace], Work]] = {
    "rules": play_without_masks,
    "mask": lambda arguments: play_in_core(arguments, observe=False),
    "observation": lambda arguments: play_in_core(arguments, observe=True),
    "games": play_games,
    "features": lambda arguments: play_games(arguments, features="plan"),
    "graph": lambda arguments: play_games(arguments, observation="graph"),
    "vector": lambda arguments: play_vector(arguments, "random"),
    "vector_greedy": lambda arguments: play_vector(arguments, "greedy"),
    "aec": play_recorded_aec,
}
"""By its name the function that prepares a layer. `benchmarks.compare` calls those of other revisions, too."""


def options_of(arguments: argparse.Namespace) -> dict[str, Any]:
    """Return the options of the variant that were given."""
    tickets = {"tickets": arguments.tickets} if arguments.tickets else {}
    return tickets | ({"advanced_technologies": True} if arguments.advanced_technologies else {})


def make_games(arguments: argparse.Namespace, *, observe: bool, **observed: Any) -> Games:
    """Return the batch of games that the command line describes."""
    return Games(
        arguments.variant,
        arguments.players,
        batch=arguments.batch,
        threads=arguments.threads,
        observe=observe,
        seed=0,
        **observed,
        **options_of(arguments),
    )


def measure(name: str, arguments: argparse.Namespace) -> dict[str, Any]:
    """Warm a layer up, measure it several times, and return what to print."""
    work = LAYERS[name](arguments)
    work(0.2)
    rates, decisions, games = [], 0, 0
    for _ in track(range(arguments.runs), f"{name:>13}", console=arguments.console, transient=True):
        start = time.perf_counter()
        played, ended = work(arguments.seconds)
        rates.append(played / (time.perf_counter() - start))
        decisions += played
        games += ended
    per_game = decisions / games if games else float("nan")
    return {
        "variant": arguments.variant,
        "players": arguments.players,
        **options_of(arguments),
        "batch": 1 if name == "aec" else arguments.batch,
        "threads": 1 if name in ("aec", "rules") else arguments.threads,
        "layer": name,
        "decisions_per_second": round(max(rates)),
        "decisions_per_second_median": round(statistics.median(rates)),
        "games_per_second": round(max(rates) / per_game, 1),
        "games_per_second_median": round(statistics.median(rates) / per_game, 1),
        "decisions_per_game": round(per_game, 1),
        "runs": arguments.runs,
        "machine": describe_machine(),
        "versions": describe_versions(),
    }


def add_arguments(parser: argparse.ArgumentParser, layers: list[str]) -> None:
    """Add the arguments that say what is measured; `layers` are measured by default."""
    add = parser.add_argument
    add("--num-players", dest="players", type=int, help="number of players (default: the fewest possible)")
    add("--tickets", help="the ticket deck (default: that of the variant)")
    add("--advanced-technologies", action="store_true", help="in the United Kingdom (UK12)")
    add("--batch", type=int, default=1024, help="games played in parallel (default: 1024)")
    add("--threads", type=int, default=1, help="threads that share a batch (default: 1)")
    known = f"any of {', '.join(LAYERS)} (default: {' '.join(layers)})"
    add("--layers", nargs="+", choices=LAYERS, default=layers, metavar="LAYER", help=known)


def main(command: list[str] | None = None) -> int:
    """Measure and print. Returns 0; exits with 2 for a wrong command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.throughput", description="Decisions per second.")
    parser.add_argument("--variant", default="usa", help="name of a variant, or path of its folder (default: usa)")
    add_arguments(parser, [layer for layer in LAYERS if layer != "graph"])  # which the Card Game has not
    parser.add_argument("--runs", type=int, default=7, help="number of runs of each layer (default: 7)")
    parser.add_argument("--seconds", type=float, default=1.0, help="length of a run (default: 1)")
    arguments = parser.parse_args(command)
    arguments.console = Console(stderr=True)
    try:
        games = t2r_env.Games(
            arguments.variant,
            arguments.players,
            arguments.batch,
            threads=arguments.threads,
            seed=0,
            **options_of(arguments),
        )
    except (TypeError, ValueError) as error:
        parser.error(str(error))
    arguments.players = games.num_players
    for name in arguments.layers:
        print(json.dumps(measure(name, arguments)), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
