"""Compile the rules, the agents and the features now, so that nothing waits for it later.

What is compiled is kept in the user's cache folder, or in the folder that T2R_ENV_CACHE_DIR names, which can then be
shipped as one that can only be read. Environments with the same versions of t2r_env, Python, NumPy and Numba share it,
on processors of the same model.
"""

import argparse
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor, as_completed
from contextlib import ExitStack
from multiprocessing import get_context
from pathlib import Path
from typing import Literal

import numpy as np

from t2r_env.agents import agent_names, choose_actions, decisions_of, find_agent, opinions
from t2r_env.basics.cores import count_cores
from t2r_env.commands import usage_errors
from t2r_env.commands.options import agents_help
from t2r_env.configuration import Configuration, configure
from t2r_env.core import quick_start
from t2r_env.core.cache import cache_folder, is_news
from t2r_env.core.compiled import announce_nothing
from t2r_env.features import feature_names
from t2r_env.games import Games
from t2r_env.rules import batch
from t2r_env.seeding import other_seeds
from t2r_env.variants import VARIANTS, load_variant
from t2r_env.variants.variant import RULESETS

Part = Literal["rules", "agent", "features"]

EXCEPT = ("policy", "human", "llm")
"""Named agents that compile nothing."""


def compile_rules(configuration: Configuration) -> None:
    """Call each function of the core that Python calls."""
    games = Games(configuration, seed=0)
    games.step([games.masks[0].argmax()])
    games.play_random(1)
    games.observe([0], [1])
    games.global_state()
    games.views()
    games.set_states([0], games.determinize([0], [1]))
    position = decisions_of(games, np.zeros(1, np.int64), np.zeros(1, np.uint64)).position()
    for route in position.routes[:1]:
        position.payments(route)
    other_seeds(np.zeros((1, 2), np.uint64), 1)


def compile_part(variant: str, part: Part, name: str) -> str:
    """Compile the rules of a variant, or an agent or features for it; return a line that says how long it took."""
    began = time.perf_counter()
    configuration = configure(variant)
    ruleset = configuration.variant.ruleset.replace("_", " ")
    if part == "rules":
        compile_rules(configuration)
        title = f"rules of the {ruleset}"
    elif part == "agent":
        try:
            agent = find_agent(name, configuration)
        except ValueError as error:  # it exists, but not for this ruleset
            return f"{name} does not play the {ruleset}: {error}"
        if not (getattr(agent, "asks_person", False) or getattr(agent, "asks_server", False)):
            given = decisions_of(Games(configuration, seed=0), np.zeros(1, np.int64), np.zeros(1, np.uint64))
            choose_actions(agent, given)
            opinions(agent, given)  # to tell the chances to win, some compile more
        title = f"{name} in the {ruleset}"
    else:
        Games(configuration, features=name, seed=0)
        title = f"features {name} of the {ruleset}"
    return f"{title}: {time.perf_counter() - began:.1f} s"


def compile_all(agents: Sequence[str], features: Sequence[str]) -> Iterator[str]:
    """Compile the rules, and these agents and features, for each ruleset; yield a line about each, when it is done.

    A process does all of one ruleset, since much of it is the same. They run side by side where cores are free.
    """
    parts: list[tuple[Part, str]] = [("rules", ""), *(("agent", name) for name in agents)]
    parts += (("features", name) for name in features)
    # one variant of each: the others are played by the same machine code
    variants = [next(it for it in VARIANTS if load_variant(it).ruleset == ruleset) for ruleset in RULESETS]
    if count_cores() < len(variants):
        for variant in variants:
            for part in parts:
                yield compile_part(variant, *part)
        return
    with ExitStack() as stack:
        running: list[Future[str]] = []
        for variant in variants:
            process = stack.enter_context(ProcessPoolExecutor(1, get_context("spawn"), initializer=announce_nothing))
            stack.callback(process.shutdown, cancel_futures=True)
            running += [process.submit(compile_part, variant, *part) for part in parts]
        for done in as_completed(running):
            yield done.result()


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument(
        "--agents",
        nargs="*",
        metavar="AGENT",
        help=f"{agents_help()} (default: all named ones but {', '.join(EXCEPT)}, and the features; no agent: the"
        " rules alone)",
    )


def run(arguments: argparse.Namespace) -> int:
    """Compile, and say how long it took."""
    agents, features = arguments.agents, list[str]()
    if agents is None:
        agents, features = [name for name in agent_names() if name not in EXCEPT], [*feature_names()]
    with usage_errors():
        for name in agents:
            find_agent(name)
    print("compiling, which takes up to a minute", flush=True)
    is_news()  # no longer
    for line in compile_all(agents, features):
        print(line, flush=True)
    if folder := cache_folder(Path(batch.__file__), quick_start.IS_USED):
        print(f"the machine code is in {folder.parent}")
    return 0
