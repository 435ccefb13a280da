"""Train a policy by MaskablePPO in self-play, after lessons from an agent.

python -m train.ppo --variant usa --players 2 --out usa
python -m train.ppo --resume usa
"""

import argparse
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from t2r_env import VARIANTS
from t2r_env.checks import check_integer
from train.settings import CHANGEABLE, Settings, settings_for
from train.training import CHECKPOINT, POLICY, Training

OPTIONS = ("tickets", "advanced_technologies", "turn_limit")
NAMED = ("variant", "players", "steps", "seed")
"""Settings with an argument of their own."""
OTHERS: dict[str, Any] = {
    entry.name: entry.default for entry in fields(Settings) if entry.name not in NAMED and entry.name != "options"
}
"""The other settings with what they usually are."""


def main(command: Sequence[str] | None = None) -> int:
    """Train, or go on training.

    Returns 2 for a wrong command line, and 130 if it was interrupted; `--resume` then goes on.
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
        print(f"stopped at once: what came after the last {CHECKPOINT} is lost", file=sys.stderr)
        return 130


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m train.ppo", description="Train a policy in self-play.")
    places = parser.add_mutually_exclusive_group(required=True)
    places.add_argument("--out", type=Path, metavar="FOLDER", help="for checkpoint, policy and curves")
    places.add_argument(
        "--resume",
        type=Path,
        metavar="FOLDER",
        help=f"go on with the training that lies there; of the settings may change: {', '.join(CHANGEABLE)}",
    )
    parser.add_argument("--variant", help="a game, or the path of a folder (usa)")
    parser.add_argument("--players", type=int, help="seats (default: the fewest that the game allows)")
    parser.add_argument("--steps", type=int, help="decisions of the learner in all")
    parser.add_argument("--seed", type=int, help="of networks, games and all chance (0)")
    parser.add_argument("--tickets", help="the ticket deck")
    parser.add_argument(
        "--advanced-technologies", action="store_const", const=True, help="in the United Kingdom (UK12)"
    )
    parser.add_argument("--turn-limit", type=int, help="turns of all seats after which a game is truncated (C19)")
    parser.add_argument("--threads", type=int, default=torch.get_num_threads(), help="of PyTorch (one for each core)")
    parser.add_argument(
        "--set",
        nargs="+",
        action="extend",
        default=[],
        metavar="NAME=VALUE",
        help=f"other settings, which train/settings.py explains: {', '.join(OTHERS)}",
    )
    return parser


def _prepare(arguments: argparse.Namespace) -> Training:
    """The training that is meant. Raises ValueError, TypeError or OSError if there can be none."""
    given = {name: value for name in NAMED if (value := getattr(arguments, name)) is not None}
    given |= dict(_setting(text) for text in arguments.set)
    options = {name: value for name in OPTIONS if (value := getattr(arguments, name)) is not None}
    if arguments.resume:
        return Training(arguments.resume, changes=given | options)
    variant = given.get("variant", "usa")
    if variant not in VARIANTS and Path(variant).is_dir():
        variant = str(Path(variant).resolve())  # it may be resumed from elsewhere
    settings = settings_for(variant, given | {"options": options})
    if (arguments.out / CHECKPOINT).exists():
        raise ValueError(f"a training lies in {arguments.out} already: --resume goes on with it")
    return Training(arguments.out, settings)


def _setting(text: str) -> tuple[str, Any]:
    """A setting from the command line, read by the type of its default."""
    name, equals, value = text.partition("=")
    if not equals or name not in OTHERS:
        raise ValueError(f"--set takes NAME=VALUE with one of these names: {', '.join(OTHERS)}; not {text!r}")
    default = OTHERS[name]
    try:
        if isinstance(default, tuple):
            kind = type(default[0])
            return name, tuple(kind(part) for part in value.split(",") if part)
        return name, type(default)(value)
    except ValueError:
        raise ValueError(
            f"the setting {name} is of the type {type(default).__name__}, like {default!r}, not {value!r}"
        ) from None


def _train(training: Training) -> int:
    settings, console = training.settings, Console()
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    with interruptible() as is_interrupted, Progress(*columns, console=console, speed_estimate_period=300) as progress:
        lessons = progress.add_task(
            "games looked at", total=settings.lessons, completed=training.lessons, visible=bool(settings.teacher)
        )
        steps = progress.add_task("decisions", total=settings.steps, completed=training.step)

        def tell(news: str) -> None:
            progress.update(lessons, completed=training.lessons)
            progress.update(steps, completed=training.step)
            if news:
                console.print(news, highlight=False, soft_wrap=True)

        training.run(tell, is_interrupted)
    console.print(f"{POLICY}, {CHECKPOINT}, curves.csv and curves.png are in {training.folder}")
    return 0 if training.is_done else 130


@contextmanager
def interruptible() -> Iterator[Any]:
    """A first Ctrl-C is only noted, so that what is under way is finished; a second one is an error as usual."""
    noted: list[bool] = []

    def note(*_: object) -> None:
        if noted:
            raise KeyboardInterrupt
        noted.append(True)
        print("\nstopping after this update; once more to stop at once", file=sys.stderr)

    former = signal.signal(signal.SIGINT, note)
    try:
        yield lambda: bool(noted)
    finally:
        signal.signal(signal.SIGINT, former)


if __name__ == "__main__":
    sys.exit(main())
