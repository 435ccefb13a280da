"""The command `t2r values`: its folder, its progress, and what it tells at the end."""

import argparse
import json
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from t2r_agents.playing.values import Judge, ValueInputs, Values
from t2r_env import Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.writing import replacing
from t2r_env.commands import usage_errors
from t2r_env.commands.options import options_given
from t2r_env.commands.progress import progress_line
from t2r_train.values.calibration import PHASES, calibrate, ceiling
from t2r_train.values.learning import learn_values
from t2r_train.values.positions import (
    CHECKED_WITH,
    GAMES_AT_ONCE,
    LEARNED_FROM,
    SLIPS,
    Positions,
    PositionsError,
    agents_for,
    play_positions,
    possible_agents,
)

FILE, SETTINGS = "values.safetensors", "settings.json"
CHECK_SEED, SELF_PLAY_SEED = 900_000_000, 800_000_000
"""The first seeds of the games that values are checked with, far from those of the games that are learned from."""
STRONGEST = "policy"
"""The agent that plays against itself in the third set of games, and whose play-outs are the ceiling there."""


def run(arguments: argparse.Namespace) -> int:
    """Make a network of values; return the status of `going_on`. Raises UsageError for wrong arguments."""
    configuration, folder, seed = begin(arguments)

    def make() -> None:
        values = make_values(configuration, folder, arguments.games, arguments.check_games, seed)
        values.save(folder / FILE)
        _tell(folder / FILE, values.training)

    return going_on(make)


def going_on(make: Callable[[], None]) -> int:
    """Make a network; return 0, or 130 if that was interrupted, or 1 if a file can't be read or written."""
    try:
        make()
    except KeyboardInterrupt:
        print("interrupted: the games are kept, and the same command goes on", file=sys.stderr)
        return 130
    except (OSError, PositionsError) as error:
        print(f"{error}; the games are kept, and the same command goes on", file=sys.stderr)
        return 1
    return 0


def begin(arguments: argparse.Namespace) -> tuple[Configuration, Path, int]:
    """Return what is to be played, the folder, which then exists, and the seed. Raises UsageError for wrong ones."""
    with usage_errors():
        configuration = configure(arguments.variant or "usa", arguments.num_players, **options_given(arguments))
        check_integer("--games", arguments.games, 1)
        check_integer("--check-games", arguments.check_games, 1)
        seed, folder = check_seed(arguments.seed), arguments.out
        folder.mkdir(parents=True, exist_ok=True)
        _check_settings(folder / SETTINGS, configuration.identity | {"seed": str(seed)})
    return configuration, folder, seed


def make_values(configuration: Configuration, folder: Path, games: int, check_games: int, seed: int) -> Values:
    """Return a network that has learned from games, which are kept in the folder, and its calibration.

    The numbers of games are rounded up to whole files.
    """
    began = time.monotonic()
    games, check_games = whole_files(games), whole_files(check_games)
    inputs = ValueInputs(configuration)
    learned, checked = (possible_agents(configuration, names) for names in (LEARNED_FROM, CHECKED_WITH))
    positions = positions_in(configuration, folder / "learned_from", learned, SLIPS, seed, games)
    training: dict[str, Any] = {"games": games, "positions": len(positions), "agents": learned, "seed": str(seed)}
    with progress_line("learning") as progress:
        values = learn_values(inputs, positions, seed, progress, training)
    others = positions_in(configuration, folder / "checked_with", checked, (0.0,), seed + CHECK_SEED, check_games)
    judge = Judge(configuration, values)
    training["calibration"] = {"games": check_games, "agents": checked} | calibrate(judge, others)
    if possible_agents(configuration, [STRONGEST]):
        own = positions_in(configuration, folder / "self_play", [STRONGEST], (0.0,), seed + SELF_PLAY_SEED, check_games)
        found = calibrate(judge, own)
        found["ceiling"] = ceiling(configuration, own, find_agent(STRONGEST, configuration), seed)
        training["self_play"] = {"games": check_games, "agents": [STRONGEST]} | found
    training["minutes"] = round((time.monotonic() - began) / 60, 1)
    return values


def _check_settings(file: Path, settings: Mapping[str, Any]) -> None:
    """Write the settings into a new folder. Raises ValueError if the folder is of others."""
    if not file.exists():
        with replacing(file) as new:
            new.write_text(json.dumps(settings, indent=1), encoding="utf-8")
    elif _read_settings(file) != settings:
        raise ValueError(f"{file.parent} holds games of another configuration or seed: name another folder")


def _read_settings(file: Path) -> object:
    try:
        return json.loads(file.read_text("utf-8"))
    except ValueError as error:
        raise ValueError(f"{file} is damaged ({error}): name another folder") from None


def whole_files(games: int) -> int:
    """Return the number of games in the files that hold this many."""
    return -(-games // GAMES_AT_ONCE) * GAMES_AT_ONCE


def positions_in(
    configuration: Configuration, folder: Path, names: Sequence[str], slips: Sequence[float], seed: int, games: int
) -> Positions:
    """Return the positions of games of agents, as many as whole files hold; those in the folder are read.

    The first game is that of the seed, modulo 2^64. Raises OSError and PositionsError.
    """
    folder.mkdir(exist_ok=True)
    agents, number = agents_for(configuration, names), games // GAMES_AT_ONCE
    with progress_line(f"games of {', '.join(names)}") as progress:
        for part in range(number):
            file = folder / f"{part}.npz"
            if not file.exists():
                first = (seed + part * GAMES_AT_ONCE) % 2**64
                play_positions(configuration, agents, slips, first, GAMES_AT_ONCE).save(file)
            progress(part + 1, number)
    return Positions.joined(
        [Positions.load(folder / f"{part}.npz", configuration.ruleset.state) for part in range(number)]
    )


def _tell(file: Path, training: Mapping[str, Any]) -> None:
    """Print what the network has learned from, and its Brier scores."""
    print(f"{file}: from {training['positions']:,} positions of {training['games']:,} games")
    for title, kind in (("other agents", "calibration"), ("the policy against itself", "self_play")):
        for name in ("known", "everything", "ceiling"):
            if scores := training.get(kind, {}).get(name):
                brier = scores.get("brier", scores)
                told = ", ".join(f"{phase} {brier[phase][0]:.3f}" for phase in PHASES)
                print(f"Brier score, games of {title}, {name}: {told}")
