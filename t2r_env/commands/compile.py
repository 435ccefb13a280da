"""Compile the rules, the agents and the features now, so that nothing waits for it later.

What is compiled is kept in the user's cache folder, or in the folder that T2R_ENV_CACHE_DIR names, which can then be
shipped as one that can only be read. Environments with the same versions of t2r_env, Python, NumPy and Numba share it.
"""

import argparse
import time
from collections.abc import Iterator

import numpy as np

from t2r_env.agents import Agent, agent_names, choose_actions, decisions_of, find_agent
from t2r_env.commands import usage_errors
from t2r_env.commands.options import agents_help
from t2r_env.configuration import Configuration, configure
from t2r_env.core.compiled import cache_root
from t2r_env.features import feature_names
from t2r_env.games import Games
from t2r_env.seeding import other_seeds
from t2r_env.variants import VARIANTS, load_variant
from t2r_env.variants.variant import RULESETS

EXCEPT = ("policy",)
"""Named agents that compile nothing."""


def compile_rules(configuration: Configuration) -> None:
    """Call each function of the core that Python calls."""
    games = Games(configuration)
    games.step([games.masks[0].argmax()])
    games.play_random(1)
    games.observe([0], [1])
    games.global_state()
    games.views()
    games.set_states([0], games.determinize([0], [0], [1]))
    other_seeds(np.zeros((1, 2), np.uint64), 1)


def compile_agent(agent: Agent, configuration: Configuration) -> None:
    """Let an agent act once; one that asks a person has a method `compile(configuration)` instead."""
    if hasattr(agent, "compile"):
        agent.compile(configuration)
        return
    choose_actions(agent, decisions_of(Games(configuration), np.zeros(1, np.int64), np.zeros(1, np.uint64)))


def one_of_each_ruleset() -> Iterator[str]:
    """A variant of each ruleset: the others are played by the same machine code."""
    for ruleset in RULESETS:
        yield next(variant for variant in VARIANTS if load_variant(variant).ruleset == ruleset)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument(
        "--agents",
        nargs="*",
        metavar="AGENT",
        help=f"{agents_help()} (default: all named ones but {' and '.join(EXCEPT)}, and the features; no agent: the"
        " rules alone)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Compile, and say how long it took."""
    names, features = arguments.agents, list[str]()
    if names is None:
        names, features = [name for name in agent_names() if name not in EXCEPT], [*feature_names()]
    configurations = [configure(variant) for variant in one_of_each_ruleset()]
    with usage_errors():
        agents = {name: find_agent(name) for name in names}
    for configuration in configurations:
        ruleset = configuration.variant.ruleset.replace("_", " ")
        began = time.perf_counter()
        compile_rules(configuration)
        print(f"rules of the {ruleset}: {time.perf_counter() - began:.1f} s", flush=True)
        for name, agent in agents.items():
            began = time.perf_counter()
            compile_agent(agent, configuration)
            print(f"{name} in the {ruleset}: {time.perf_counter() - began:.1f} s", flush=True)
        for name in features:
            began = time.perf_counter()
            Games(configuration, features=name)
            print(f"features {name} of the {ruleset}: {time.perf_counter() - began:.1f} s", flush=True)
    print(f"the machine code is in {cache_root()}")
    return 0
