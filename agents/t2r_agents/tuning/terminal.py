"""A search made from the command line: `t2r tune`, and its output on the terminal."""

import argparse
import secrets
import shlex
import sys
from collections.abc import Mapping
from dataclasses import fields, replace
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn
from rich.table import Table

from t2r_agents.planner.tuned import Entry, options_of, write_entry
from t2r_agents.tuning.folder import Folder, FolderError
from t2r_agents.tuning.tuning import Generation, Settings, Share, Tuning, Validation, as_fields
from t2r_agents.tuning.workers import Team, Workers
from t2r_env import configure
from t2r_env.checks import check_integer
from t2r_env.commands import usage_errors
from t2r_env.commands.options import absolute_variant, describe_options, options_given

DEFAULTS = {"variant": "usa", "agent": "planner", "against": ["planner:v1", "racer", "long_routes", "one_plan"]}


def run(arguments: argparse.Namespace) -> int:
    """Search, and compare the result with the start.

    Returns 130 if interrupted, 1 if a process has ended or a file can't be written; the generations played are kept.
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
        console.print(f"interrupted after {len(tuning.generations)} generations, which are kept; --resume goes on")
        return 130
    except (ChildProcessError, OSError) as error:
        print(f"t2r tune: error: {error}; {len(tuning.generations)} generations are kept", file=sys.stderr)
        return 1
    _show(tuning, validation)
    if not validation.is_better:
        print("the result is not better than the start: the interval of its gain reaches zero")
    elif arguments.write:
        _write(tuning, validation)
    print(f"the search and its result are in {folder.path}")
    return 0


def command(settings: Settings) -> str:
    """The command that makes this search."""
    parts: list[object] = ["t2r", "tune", "--variant", settings.variant, "--num-players", settings.num_players]
    parts += describe_options({name: it for name, it in settings.options.items() if name != "turn_limit"})
    parts += ["--agent", settings.agent, "--against", *settings.against]
    for name in ("games", "generations", "population", "sigma", "margin_weight", "validation_games", "seed"):
        parts += [f"--{name.replace('_', '-')}", getattr(settings, name)]
    return shlex.join(map(str, [*parts, *(["--only", *settings.only] if settings.only else [])]))


def _prepare(arguments: argparse.Namespace) -> tuple[Folder, Tuning]:
    """The folder, and the search with the generations played so far."""
    given = {field.name: getattr(arguments, field.name) for field in fields(Settings) if field.name != "options"}
    given = {name: value for name, value in given.items() if value is not None}
    options = options_given(arguments)
    if "variant" in given:
        given["variant"] = absolute_variant(given["variant"])
    if arguments.resume:
        folder = Folder(arguments.resume)
        tuning = Tuning(_resumed(folder, given, options))
        folder.resume(tuning)
        return folder, tuning
    chosen: dict[str, Any] = DEFAULTS | {"seed": secrets.randbits(64)} | given
    configuration = configure(chosen["variant"], chosen.get("num_players"), **options)
    chosen |= {"num_players": configuration.num_players, "options": dict(configuration.options)}
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


def _play(tuning: Tuning, folder: Folder, processes: int, console: Console) -> Validation:
    """Play the generations that are missing, and validate, with a progress bar."""
    settings = tuning.settings
    team = Team(tuning.configuration, settings.agent, settings.against, settings.seed)
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeElapsedColumn())
    each = tuning.matches_of_a_generation
    with (
        Progress(*columns, TimeRemainingColumn(), console=console, speed_estimate_period=300) as progress,
        Workers(team, processes) as workers,
    ):
        done = len(tuning.generations)
        task = progress.add_task("matches", total=settings.generations * each, completed=done * each)
        if processes > 1:
            progress.console.print("compiling")
            workers.warm_up(tuning.first_task())
        for generation in tuning.play(workers):
            if generation:
                folder.add(generation)
                progress.update(task, completed=(generation.number + 1) * each)
                progress.console.print(_line(generation, tuning), soft_wrap=True, highlight=False)
            else:
                progress.advance(task)
        progress.update(task, description="proof on fresh deals")
        validation = tuning.validate(workers)
        folder.write(tuning, validation)
    return validation


def _line(generation: Generation, tuning: Tuning) -> str:
    """A generation in a line: the mean and the best fitness, and the mean share of wins against each of the pool."""
    mean = sum(generation.fitness) / len(generation.fitness)
    wins = [sum(of) / len(of) for of in zip(*generation.wins, strict=True)]
    against = ", ".join(f"{name} {100 * it:.0f} %" for name, it in zip(tuning.settings.against, wins, strict=True))
    games = tuning.games_of(generation)
    return (
        f"generation {generation.number}: fitness {mean:.3f}, best {max(generation.fitness):.3f}; wins {against};"
        f" {games / generation.seconds:,.0f} games/s"
    )


def _show(tuning: Tuning, validation: Validation) -> None:
    """Print the parameters and the comparison."""
    console = Console()
    table = Table(title=f"{tuning.settings.agent}, {tuning.configuration.title}")
    for heading in ("parameter", "from", "start", "result", "to"):
        table.add_column(heading, justify="left" if heading == "parameter" else "right")
    for name, it in tuning.parameters.items():
        table.add_row(name, *map(str, (it.low, it.default, tuning.result[name], it.high)))
    console.print(table)
    table = Table(title=f"share of wins, one against the others, {validation.deals:,} fresh deals each")
    for heading in ("against", "start", "result"):
        table.add_column(heading, justify="left" if heading == "against" else "right")
    for name in tuning.settings.against:
        table.add_row(name, _percent(validation.start[name]), _percent(validation.result[name]))
    table.add_row("mean", _percent(validation.start_of_all), _percent(validation.result_of_all))
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
        made={"command": command(settings), "start": tuning.start, **as_fields(validation)},
    )
    write_entry(entry)
    print("the result is in the table of tuned parameters")
