"""The command `t2r beliefs`: its folder, its progress, and what it tells at the end."""

import argparse
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from t2r_agents.playing.beliefs import BeliefNetwork, Beliefs
from t2r_env import Configuration
from t2r_env.commands.progress import progress_line
from t2r_train.beliefs.learning import PHASES, calibrate, learn_beliefs, measure
from t2r_train.values.positions import CHECKED_WITH, LEARNED_FROM, SLIPS, possible_agents
from t2r_train.values.terminal import CHECK_SEED, SELF_PLAY_SEED, begin, going_on, positions_in, whole_files

FILE = "beliefs.safetensors"
CALIBRATION_SEED = 700_000_000
"""The first seeds of games without slips, which say how sure beliefs may be: slips make tickets harder to tell."""
STRONGEST = ("policy", "planner")
"""The agents of the second set of games that beliefs are checked with."""


def run(arguments: argparse.Namespace) -> int:
    """Make a network of beliefs; return the status of `going_on`. Raises UsageError for wrong arguments."""
    configuration, folder, seed = begin(arguments)

    def make() -> None:
        network = make_beliefs(configuration, folder, arguments.games, arguments.check_games, seed)
        network.save(folder / FILE)
        _tell(folder / FILE, network.training)

    return going_on(make)


def make_beliefs(configuration: Configuration, folder: Path, games: int, check_games: int, seed: int) -> BeliefNetwork:
    """Return a network that has learned from this many games, which are kept in the folder, and how well it does.

    The games are those of `t2r values` with the same seed.
    """
    games, check_games = whole_files(games), whole_files(check_games)
    learned = possible_agents(configuration, LEARNED_FROM)
    positions = positions_in(configuration, folder / "learned_from", learned, SLIPS, seed, games)
    training: dict[str, Any] = {"games": games, "positions": len(positions), "agents": learned, "seed": str(seed)}
    with progress_line("learning") as progress:
        network = learn_beliefs(configuration, positions, seed, progress, training)
    further = positions_in(configuration, folder / "no_slips", learned, (0.0,), seed + CALIBRATION_SEED, check_games)
    network = calibrate(configuration, network, further)
    beliefs, checks = Beliefs(configuration, network), {}
    others = ("other_agents", CHECKED_WITH[:2], CHECK_SEED), ("strongest", STRONGEST, SELF_PLAY_SEED)
    for name, named, first in others:
        agents = possible_agents(configuration, named)
        checked = positions_in(configuration, folder / name, agents, (0.0,), seed + first, check_games)
        checks[name] = {"games": check_games, "agents": agents} | measure(beliefs, checked, seed)
    return replace(network, training=dict(network.training) | checks)


def _tell(file: Path, training: Mapping[str, Any]) -> None:
    """Print what the network has learned from, and how much of the log-loss it saves."""
    print(f"{file}: from {training['positions']:,} positions of {training['games']:,} games")
    for name in ("other_agents", "strongest"):
        for phase in PHASES:
            ours, even, saved, low, high = training[name]["tickets"][phase]
            print(
                f"games of {', '.join(training[name]['agents'])}, {phase}: log-loss of a seat's tickets {ours:.2f},"
                f" dealt evenly {even:.2f}: {saved:.0%} less ({low:.0%} to {high:.0%})"
            )
