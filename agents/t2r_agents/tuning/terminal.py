"""A search made from the command line: `t2r tune`, and its output on the terminal."""

import argparse
import secrets
import shlex
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from pathlib import Path
from time import perf_counter
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from t2r_agents.planner.parameters import check_parameters, defaults_of
from t2r_agents.planner.tuned import Entry, options_of, write_entry
from t2r_agents.tuning.folder import Folder, FolderError
from t2r_agents.tuning.tuning import Evaluation, Round, Settings, Share, Tuning, Validation, as_fields, parameters_of
from t2r_agents.tuning.workers import Team, Workers
from t2r_env import Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.checks import check_integer
from t2r_env.commands import usage_errors
from t2r_env.commands.options import absolute_variant, describe_options, options_given
from t2r_env.reading import parse_json, read_text

MAX_START_BYTES = 1 << 20
DEFAULTS = {"variant": "usa", "agent": "planner", "against": ["planner:v1", "racer", "long_routes", "one_plan"]}


def run(arguments: argparse.Namespace) -> int:
    """Search, and compare the result with the start.

    Returns 130 if interrupted, 1 if a process has ended or a file can't be written; the evaluations played are kept.
    Raises UsageError for arguments that are not allowed.
    """
    with usage_errors():
        processes = check_integer("--processes", arguments.processes, 1)
        folder, tuning = _prepare(arguments)
        if arguments.write and tuning.settings.agent != "planner":
            raise ValueError("--write is for the agent planner, whose table it is")
    console = Console(stderr=True)
    try:
        validation = _play(tuning, folder, processes, console)
    except KeyboardInterrupt:
        console.print(f"interrupted after {len(tuning.evaluations)} evaluations, which are kept; --resume goes on")
        return 130
    except (ChildProcessError, OSError) as error:
        print(f"t2r tune: error: {error}; {len(tuning.evaluations)} evaluations are kept", file=sys.stderr)
        return 1
    _show(tuning, validation)
    if not validation.is_better(tuning.settings.mirror_weight):
        print("the result is not better than what is played with at present: the interval of its gain reaches zero")
    elif arguments.write:
        _write(tuning, validation)
    print(f"the search and its result are in {folder.path}")
    return 0


def command(settings: Settings) -> str:
    """The command that makes this search; start.json is what it started from."""
    parts: list[object] = ["t2r", "tune", "--variant", settings.variant, "--num-players", settings.num_players]
    parts += describe_options({name: it for name, it in settings.options.items() if name != "turn_limit"})
    parts += ["--agent", settings.agent, "--against", *settings.against]
    plain = ("games", "sweeps", "step", "generations", "population", "sigma", "margin_weight", "mirror_weight")
    for name in (*plain, "validation_games", "seed"):
        parts += [f"--{name.replace('_', '-')}", getattr(settings, name)]
    parts += ["--start", "start.json"]
    return shlex.join(map(str, [*parts, *(["--only", *settings.only] if settings.only else [])]))


def _prepare(arguments: argparse.Namespace) -> tuple[Folder, Tuning]:
    """The folder, and the search with the evaluations played so far."""
    given = {field.name: getattr(arguments, field.name) for field in fields(Settings) if field.name != "options"}
    given = {name: value for name, value in given.items() if value is not None}
    options, start = options_given(arguments), given.pop("start", None)
    if "variant" in given:
        given["variant"] = absolute_variant(given["variant"])
    if arguments.resume:
        folder = Folder(arguments.resume)
        settings = folder.settings()
        if start:
            given["start"] = _start(start, settings.agent, settings.configuration())
        tuning = Tuning(_resumed(folder, given, options))
        folder.resume(tuning)
        return folder, tuning
    chosen: dict[str, Any] = DEFAULTS | {"seed": secrets.randbits(64)} | given
    configuration = configure(chosen["variant"], chosen.get("num_players"), **options)
    chosen |= {"num_players": configuration.num_players, "options": dict(configuration.options)}
    chosen["start"] = _start(start or "table", chosen["agent"], configuration)
    tuning = Tuning(Settings(**chosen))
    folder = Folder(arguments.out)
    folder.begin(tuning)
    return folder, tuning


def _resumed(folder: Folder, given: Mapping[str, Any], options: Mapping[str, Any]) -> Settings:
    """The settings of the search of this folder, with the number of generations that the command names.

    Raises FolderError if the command names other settings.
    """
    settings = folder.settings()
    present = vars(settings) | settings.options
    for name, value in {**given, **options}.items():
        if name != "generations" and value != present.get(name):
            raise FolderError(f"{name} must be {present.get(name)} as in {folder.path}, not {value}")
    return replace(settings, generations=given.get("generations", settings.generations))


def _start(start: str, name: str, configuration: Configuration) -> dict[str, int]:
    """All parameters where a search starts. Raises ValueError if they are not those of the agent, or can't be read."""
    parameters = parameters_of(name, configuration)
    present = defaults_of(parameters)
    if start == "table":
        return present
    if start == "defaults":
        defaults = getattr(find_agent(name, configuration), "default_parameters", lambda _: present)
        return dict(defaults(configuration))
    try:
        given = parse_json(read_text(Path(start), MAX_START_BYTES))
    except OSError as error:
        raise ValueError(f"--start must be table, defaults or a file: {error}") from None
    except ValueError as error:
        raise ValueError(f"--start {start}: {error}") from None
    if not isinstance(given, dict):
        raise ValueError(f"--start {start} must contain an object of parameters by name")
    return present | check_parameters(parameters, given)


def _play(tuning: Tuning, folder: Folder, processes: int, console: Console) -> Validation:
    """Play the evaluations that are missing, and validate, with a progress bar."""
    settings = tuning.settings
    team = Team(tuning.configuration, settings.agent, settings.against, settings.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    with (
        Progress(*columns, TimeRemainingColumn(), console=console, speed_estimate_period=300) as progress,
        Workers(team, processes) as workers,
    ):
        task = progress.add_task("evaluations", total=sum(tuning.blocks))
        if processes > 1:
            progress.console.print("compiling")
            workers.warm_up(tuning.first_task())
        began, new = perf_counter(), 0
        for step in tuning.play(workers):
            if isinstance(step, Evaluation):
                folder.add(step)
                new += 1
                progress.advance(task)
            else:
                speed = new * tuning.games_of_an_evaluation / (perf_counter() - began)
                began, new = perf_counter(), 0
                # what a block before did not need is done too
                before = sum(tuning.blocks[: step.block])
                progress.update(task, completed=before + sum(block == step.block for block, _ in tuning.evaluations))
                progress.console.print(_line(step, tuning, speed), soft_wrap=True, highlight=False)
                folder.write(tuning)
        progress.update(task, completed=sum(tuning.blocks), description="proof on fresh deals")
        validation = tuning.validate(workers)
        folder.write(tuning, validation)
    return validation


def _line(played: Round, tuning: Tuning, speed: float) -> str:
    """A round in a line: the mean and the best fitness, and the mean share of wins against each of the pool."""
    fitness, every = played.fitness, played.evaluations
    wins = [sum(of) / len(of) for of in zip(*(it.wins for it in every), strict=True)]
    parts = [f"{name} {100 * it:.0f} %" for name, it in zip(tuning.settings.against, wins, strict=True)]
    text = f"{played.stage}: fitness {sum(fitness) / len(fitness):.3f}"
    if len(every) > 1:
        text += f", first {fitness[0]:.3f}, best {max(fitness):.3f}"
    text += f"; wins {', '.join(parts)}"
    scores = [it.mirror for it in every if it.mirror is not None]
    if scores:
        text += f"; winners alone {sum(scores) / len(scores):.1f} points"
    return text + (f"; {speed:,.0f} games/s" if speed else "")


def _show(tuning: Tuning, validation: Validation) -> None:
    """Print the parameters and the comparison."""
    console = Console()
    table = Table(title=f"{tuning.settings.agent}, {tuning.configuration.title}")
    for heading in ("parameter", "from", "present", "start", "result", "to"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for name, it in tuning.parameters.items():
        table.add_row(name, *map(str, (it.low, it.default, tuning.start[name], tuning.result[name], it.high)))
    console.print(table)
    table = Table(title=f"share of wins, one against the others, {validation.deals:,} fresh deals each")
    for heading in ("against", "present", "result"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name in tuning.settings.against:
        table.add_row(name, _percent(validation.start[name]), _percent(validation.result[name]))
    table.add_row("mean", _percent(validation.start_of_all), _percent(validation.result_of_all))
    console.print(table)
    table = Table(title=f"games of it alone: means of the winner, {validation.deals:,} games each")
    for heading in ("", "present", "result"):
        table.add_column(heading, justify="right" if heading else "left")
    for name, before in validation.start_mirror.items():
        table.add_row(name, f"{before:.1f}", f"{validation.result_mirror[name]:.1f}")
    console.print(table)
    print(f"gain: {_percent(validation.gain)}")


def _percent(share: Share) -> str:
    return f"{100 * share.value:.1f} ± {50 * (share.high - share.low):.1f} %"


def _write(tuning: Tuning, validation: Validation) -> None:
    """Write the result into the table of tuned parameters."""
    settings, configuration = tuning.settings, tuning.configuration
    entry = Entry(
        variant=configuration.variant.id,
        num_players=configuration.num_players,
        options=options_of(configuration),
        parameters=tuning.result,
        made={"command": command(settings), "started_from": tuning.start, **as_fields(validation)},
    )
    write_entry(entry)
    print("the result is in the table of tuned parameters")
