"""Training from the command line: `t2r train`, and its output on the terminal."""

import argparse
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from types import MappingProxyType
from typing import Any

import torch
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from t2r_agents.playing.policy_file import PolicyError
from t2r_env.agents import POLICY_SUFFIX
from t2r_env.basics.checks import check_integer
from t2r_env.basics.writing import is_new
from t2r_env.commands import usage_errors
from t2r_env.commands.options import absolute_variant, count, options_given
from t2r_env.commands.progress import SECONDS, SECONDS_BETWEEN_LINES, repeatedly
from t2r_train.checkpoint import CheckpointError
from t2r_train.learner import DivergedError
from t2r_train.pool import OpponentError
from t2r_train.ranks import joined
from t2r_train.settings import DEFAULTS, FLAGS, FROM_RULES, settings_for
from t2r_train.training import CHECKPOINT, POLICY, Training

LEFTOVERS = ("curves.csv", "curves.csv.new", "curves.png", "tensorboard", f"{CHECKPOINT}.new")
"""The files of a training run that ended before its first checkpoint."""
KEPT = f"policy_[0-9]*{POLICY_SUFFIX}*"
"""The pattern of its further files there, with `keep_every`."""


@joined()
def run(arguments: argparse.Namespace) -> int:
    """Train, or resume a training run.

    Returns 0, 130 if it was interrupted, or 1 if a file can't be written: `--resume` then continues it. Raises
    UsageError for arguments that are not allowed.
    """
    with usage_errors():
        if arguments.from_rules and arguments.resume:
            raise ValueError("--from-rules begins a training run: give it with --out")
        training = prepare(arguments, FROM_RULES if arguments.from_rules else {})
    return train(training)


def train(training: Training) -> int:
    """Train with a progress bar; return the exit status, as `run` does."""
    try:
        return _train(training)
    except KeyboardInterrupt:
        print(f"stopped at once: {_what_goes_on(training)}", file=sys.stderr)
        return 130
    except torch.OutOfMemoryError as error:
        print(_too_large(training.settings.n_envs, error), file=sys.stderr)
        return 1
    except (OSError, OpponentError, DivergedError, PolicyError, CheckpointError) as error:
        # OSError: a full disk, or a folder that is read-only now; PolicyError: weights too large for a file
        print(f"{error}; {_what_goes_on(training)}", file=sys.stderr)
        return 1


def _what_goes_on(training: Training) -> str:
    """Return what is left of a training run that ended suddenly."""
    if (training.folder / CHECKPOINT).exists():
        return f"--resume continues from the last {CHECKPOINT}"
    return "nothing is saved yet, and the same command begins again"


def prepare(arguments: argparse.Namespace, settings: Mapping[str, Any] = MappingProxyType({})) -> Training:
    """Return the training run of the command line, with these `settings` where it names no others.

    Raises ValueError, TypeError or OSError if it is not possible.
    """
    try:
        return _prepare(arguments, settings)
    except torch.OutOfMemoryError as error:
        raise ValueError(_too_large("as many", error)) from None


def _too_large(games: object, error: torch.OutOfMemoryError) -> str:
    """Return what helps where a GPU has too little memory, as a line."""
    reason, *_ = str(error).splitlines()
    return f"the GPU has no room for {games} games: take fewer (--set n_envs=1024), or --device cpu ({reason})"


def _prepare(arguments: argparse.Namespace, settings: Mapping[str, Any]) -> Training:
    if arguments.threads is not None:
        check_integer("--threads", arguments.threads, 1)
    how = {"device": arguments.device, "threads": arguments.threads}
    given = {name: value for name in FLAGS if (value := getattr(arguments, name)) is not None}
    if "num_players" in given:
        numbers = given["num_players"]
        given["num_players"] = tuple(numbers) if isinstance(numbers, list) else (numbers,)
    given |= dict(setting_of(text) for text in arguments.set)
    options = options_given(arguments)
    if arguments.resume:
        return Training(arguments.resume, changes=given | options, **how)
    variant = absolute_variant(given.get("variant", "usa"))  # it may be resumed from another folder
    chosen = settings_for(variant, {**settings, **given, "options": options})
    if (arguments.out / CHECKPOINT).exists():
        raise ValueError(f"there is a training run in {arguments.out} already: --resume continues it")
    kept = {file.name for file in arguments.out.glob(KEPT)}
    if not is_new(arguments.out, {*LEFTOVERS, *kept}):
        raise ValueError(f"--out must be a new or empty folder, and {arguments.out} is not")
    return Training(arguments.out, chosen, **how)


def setting_of(text: str) -> tuple[str, Any]:
    """Return the name and value of NAME=VALUE, the value being converted to the type of the setting's default."""
    name, equals, value = text.partition("=")
    if not equals or name not in DEFAULTS:
        raise ValueError(f"--set takes NAME=VALUE with one of these names: {', '.join(DEFAULTS)}; not {text!r}")
    default = DEFAULTS[name]
    try:
        if isinstance(default, tuple):
            element = count if type(default[0]) is int else type(default[0])
            return name, tuple(element(part) for part in value.split(",") if part)
        return name, count(value) if type(default) is int else type(default)(value)
    except ValueError:
        raise ValueError(f"{name} must be of type {type(default).__name__}, like {default!r}, not {value!r}") from None


def _train(training: Training) -> int:
    settings, console = training.settings, Console(quiet=not training.ranks.is_first)
    columns = (
        TextColumn("{task.description}"),
        BarColumn(bar_width=20),
        TextColumn("{task.completed:,.0f}/{task.total:,.0f}"),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
    )
    progress = Progress(*columns, console=console, speed_estimate_period=300)
    task = progress.add_task("timesteps", total=settings.total_timesteps, completed=training.done)

    def show() -> None:
        progress.update(task, completed=training.done)

    def tell() -> None:
        console.print(training.position, highlight=False, soft_wrap=True)

    def report(line: str) -> None:
        show()
        if line:
            console.print(line, highlight=False, soft_wrap=True, markup=False)

    if training.is_done:
        console.print(f"{training.title}; --total-timesteps with more goes on", highlight=False, soft_wrap=True)
    else:
        console.print(training.title, highlight=False, soft_wrap=True)
    shown = (show, SECONDS) if console.is_terminal else (tell, SECONDS_BETWEEN_LINES)
    with interruptible() as is_interrupted, progress, repeatedly(*shown):
        training.run(report, is_interrupted)
    console.print(f"{POLICY}, {CHECKPOINT}, curves.csv and curves.png are in {training.folder}", markup=False)
    return 0 if training.is_done else 130


@contextmanager
def interruptible() -> Iterator[Callable[[], bool]]:
    """Yield a function that tells whether Ctrl-C was pressed. Pressed again, it raises KeyboardInterrupt as usual.

    Outside the main thread, which alone is interrupted, it was never pressed.
    """
    if threading.current_thread() is not threading.main_thread():
        yield lambda: False
        return
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
