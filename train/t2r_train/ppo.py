"""Train a policy by MaskablePPO in self-play, after imitation of an agent.

python -m t2r_train.ppo --variant usa --num-players 2 --out usa
python -m t2r_train.ppo --resume usa
"""

import argparse
import signal
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from t2r_env import VARIANTS
from t2r_env.checks import check_integer
from t2r_train.settings import CHANGEABLE, Settings, settings_for
from t2r_train.training import CHECKPOINT, POLICY, Training

OPTIONS = ("tickets", "advanced_technologies", "turn_limit")
"""Options of variants, each with a flag."""
FLAGS = ("variant", "num_players", "total_timesteps", "seed")
"""Settings with a flag of their own."""
DEFAULTS: dict[str, Any] = {
    entry.name: entry.default for entry in fields(Settings) if entry.name not in FLAGS and entry.name != "options"
}
"""The settings that `--set` takes, with their defaults."""


def main(command: Sequence[str] | None = None) -> int:
    """Train, or resume a training.

    Returns 0, 130 if it was interrupted, or 1 if a file can't be written: `--resume` then continues it. Exits with 2
    for a wrong command line.
    """
    parser = _parser()
    arguments = parser.parse_args(command)
    try:
        torch.set_num_threads(check_integer("threads", arguments.threads, 1))
        training = _prepare(arguments)
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    try:
        return _train(training)
    except KeyboardInterrupt:
        print(f"stopped at once: everything after the last {CHECKPOINT} is lost", file=sys.stderr)
        return 130
    except OSError as error:  # a full disk, or a folder that has become read-only
        print(f"{error}; --resume continues from the last {CHECKPOINT}", file=sys.stderr)
        return 1


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m t2r_train.ppo", description="Train a policy in self-play.")
    folders = parser.add_mutually_exclusive_group(required=True)
    folders.add_argument("--out", type=Path, metavar="FOLDER", help="where to write checkpoint, policy and curves")
    folders.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help=f"continue the training in this folder; these settings may change: {', '.join(CHANGEABLE)}",
    )
    parser.add_argument("--variant", help="the name of a variant, or the path of its folder (default: usa)")
    parser.add_argument("--num-players", type=int, help="default: the fewest that the variant allows")
    parser.add_argument("--total-timesteps", type=int, help="decisions of the learner (default: by variant)")
    parser.add_argument("--seed", type=int, help="of network, games and minibatches (default: 0)")
    parser.add_argument("--tickets", help="the ticket deck")
    parser.add_argument(
        "--advanced-technologies", action="store_const", const=True, help="in the United Kingdom (UK12)"
    )
    parser.add_argument("--turn-limit", type=int, help="turns of all seats after which a game is truncated (C19)")
    parser.add_argument(
        "--threads", type=int, default=torch.get_num_threads(), help="of PyTorch (default: one for each core)"
    )
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help=f"other settings, documented in train/t2r_train/settings.py: {', '.join(DEFAULTS)}",
    )
    return parser


def _prepare(arguments: argparse.Namespace) -> Training:
    """The training that the command line describes. Raises ValueError, TypeError or OSError if it is not possible."""
    given = {name: value for name in FLAGS if (value := getattr(arguments, name)) is not None}
    given |= dict(_setting(text) for text in arguments.set)
    options = {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}
    if arguments.resume:
        return Training(arguments.resume, changes=given | options)
    variant = given.get("variant", "usa")
    if variant not in VARIANTS and Path(variant).is_dir():
        variant = str(Path(variant).resolve())  # it may be resumed from another folder
    settings = settings_for(variant, given | {"options": options})
    if (arguments.out / CHECKPOINT).exists():
        raise ValueError(f"there is a training in {arguments.out} already: --resume continues it")
    return Training(arguments.out, settings)


def _setting(text: str) -> tuple[str, Any]:
    """The name and value of NAME=VALUE, the value being converted to the type of the setting's default."""
    name, equals, value = text.partition("=")
    if not equals or name not in DEFAULTS:
        raise ValueError(f"--set takes NAME=VALUE with one of these names: {', '.join(DEFAULTS)}; not {text!r}")
    default = DEFAULTS[name]
    try:
        if isinstance(default, tuple):
            element = type(default[0])
            return name, tuple(element(part) for part in value.split(",") if part)
        return name, type(default)(value)
    except ValueError:
        raise ValueError(f"{name} must be of type {type(default).__name__}, like {default!r}, not {value!r}") from None


def _train(training: Training) -> int:
    """Train with a progress bar; return the exit status."""
    settings, console = training.settings, Console()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with interruptible() as is_interrupted, Progress(*columns, console=console, speed_estimate_period=300) as progress:
        games = progress.add_task(
            "imitated games",
            total=settings.imitation_games,
            completed=training.imitated_games,
            visible=bool(settings.expert),
        )
        timesteps = progress.add_task("timesteps", total=settings.total_timesteps, completed=training.num_timesteps)

        def report(line: str) -> None:
            progress.update(games, completed=training.imitated_games)
            progress.update(timesteps, completed=training.num_timesteps)
            if line:
                console.print(line, highlight=False, soft_wrap=True)

        training.run(report, is_interrupted)
    console.print(f"{POLICY}, {CHECKPOINT}, curves.csv and curves.png are in {training.folder}")
    return 0 if training.is_done else 130


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether Ctrl-C was pressed. Pressed again, it raises KeyboardInterrupt as usual."""
    interrupted = False

    def handle(*_: object) -> None:
        nonlocal interrupted
        if interrupted:
            raise KeyboardInterrupt
        interrupted = True
        print("\nstopping after this iteration; press Ctrl-C again to stop at once", file=sys.stderr)

    former = signal.signal(signal.SIGINT, handle)
    try:
        yield lambda: interrupted
    finally:
        signal.signal(signal.SIGINT, former)


if __name__ == "__main__":
    sys.exit(main())
