"""What each part of a training's recipe brings: the baseline, and the baseline with one change at a time.

    python -m benchmarks.recipe --page docs/learning.md
    python -m benchmarks.recipe --only baseline kl_slow --timesteps 1000000 --seeds 5 --out more_steps

One policy is trained for each of SETTINGS and each seed, on one thread. At the end it plays the opponents of the
evaluations on fresh deals, the same for all policies, each deal from all seats (as `t2r evaluate` with its own seed).

The output folder has a folder for each training, `results.json`, `recipe.md` (the table and what it means) and
`recipe.svg` (win rates by timesteps), all rewritten after every training. The same command resumes after an
interruption: complete trainings are not repeated, and those that were interrupted go on. The folder that it chooses by
itself is named after the sources. `--page` puts the table and the picture into a page, between the marks
`<!-- recipe -->` and `<!-- end of recipe -->`, when all is complete.
"""

import argparse
import json
import re
import shlex
import shutil
import signal
import sys
import threading
import time
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, dataclass, field
from multiprocessing import active_children, get_context
from multiprocessing.queues import SimpleQueue
from multiprocessing.synchronize import Event
from pathlib import Path
from statistics import fmean, median, stdev, variance
from textwrap import fill
from typing import Any

import matplotlib
import numpy as np
import torch
from matplotlib.figure import Figure
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

from benchmarks.machine import describe_machine, describe_versions
from benchmarks.strength import MIN_WIDTH, SOURCES, Table, sources_digest
from t2r_agents.policy import PolicyAgent
from t2r_agents.tournament.workers import end_with_parent
from t2r_env.checks import check_integer
from t2r_env.commands.options import absolute_variant
from t2r_env.writing import replacing
from t2r_train.checkpoint import Checkpoint
from t2r_train.curves import TIMESTEPS
from t2r_train.evaluate import match, result_of
from t2r_train.settings import Settings, settings_for
from t2r_train.terminal import interruptible, setting_of
from t2r_train.training import CHECKPOINT, POLICY, WIN_RATE, Training


@dataclass(frozen=True)
class Setting:
    """A row of the comparison."""

    name: str
    """Also of its folder."""
    changes: dict[str, Any]
    """What differs from the baseline."""
    why: str

    def text(self) -> str:
        """The changes as `--set` takes them."""
        return _as_text(self.changes)


BASELINE: dict[str, Any] = {"eval_freq": 5}
"""The defaults of `t2r train`, but for more evaluations."""
IMITATION = {"expert": "planner", "imitation_timesteps": 300_000, "prior_weight": 0, "critic_warmup": 0}
SETTINGS = (
    Setting("baseline", {}, "the defaults of t2r train"),
    Setting("imitation", {"features": "", **IMITATION}, "whether the plan in the observation is needed at all"),
    Setting("plan_imitation", IMITATION, "imitation of the planner in the place of the weight on its action"),
    Setting("prior_5", {"prior_weight": 5}, "a beginning closer to the planner"),
    Setting("entropy", {"ent_coef": 0.02}, "more exploration, as for games with hidden information"),
    Setting("epochs_3", {"n_epochs": 3}, "more from the same games, at a higher cost of learning"),
    Setting("kl_slow", {"kl_coef": 0.2, "kl_reference_decay": 0.9}, "close to an average of the former policies"),
    Setting("critic_blind", {"critic": "observation"}, "a critic that sees no more than the policy"),
    Setting("pool", {"latest_policy_share": 0.25, "fixed_opponents_share": 0.6}, "mostly against fixed opponents"),
    Setting("last_weights", {"average_decay": 0}, "the weights of the last iteration instead of averages"),
)

DEALS_SEED = 0
"""Of the matches at the end: the default of `t2r evaluate`. Evaluations during training have other deals."""
LAST = 0.1
"""The share of the iterations, the last ones, of which entropy and explained variance are means."""
RESULT = "result.json"
MARKS = re.compile(r"(<!-- recipe -->\n).*?(<!-- end of recipe -->)", re.DOTALL)
PICTURE = "recipe.svg"
COLUMNS = 3
"""Of the picture."""
SECONDS_BETWEEN_LOOKS = 0.5
"""How often progress is shown, and Ctrl-C looked for."""


# One training


@dataclass(frozen=True)
class Result:
    """A complete training."""

    setting: str
    seed: int
    settings: dict[str, Any]
    """All of them (t2r_train.settings)."""
    games: int
    """Against each opponent, at the end."""
    wins: dict[str, dict[str, float]]
    """Against each opponent: `value`, and `low` and `high` of the 95 % interval of this policy's share."""
    curves: dict[str, list[list[float]]]
    """Against each opponent: timesteps and share of wins in each evaluation of the training."""
    decisions_per_second: float | None
    """Decisions of PPO by the processor's time: the median of the iterations without evaluation. None if there were
    none since the training was resumed."""
    entropy: float
    explained_variance: float


@dataclass(frozen=True)
class Job:
    """A training to be done, and its folder."""

    setting: str
    folder: Path
    settings: Settings
    games: int

    def result(self) -> Result | None:
        """Its result if it is complete. Raises ValueError if the folder holds another training, or can't be read."""
        path, result, held = self.folder / RESULT, None, None
        try:
            if path.exists():
                result = Result(**json.loads(path.read_text(encoding="utf-8")))
                held = result.settings, result.games
            elif (self.folder / CHECKPOINT).exists():
                held = as_json(Checkpoint.load(self.folder / CHECKPOINT).settings), self.games
        except (TypeError, ValueError) as error:
            raise ValueError(f"{self.folder} can't be resumed: {error}") from None
        if held not in (None, (as_json(self.settings), self.games)):
            raise ValueError(
                f"{self.folder} holds a training with other settings: give the same ones, or another folder"
            )
        return result

    def train(self, stop: Event, timesteps: "SimpleQueue[int]") -> Result | None:
        """Train, or go on, until it is complete or `stop` is set: then None. Puts how many timesteps were added."""
        if stop.is_set():
            return None
        begun = (self.folder / CHECKPOINT).exists()
        training = Training(self.folder, None if begun else self.settings, device="cpu")
        timesteps.put(before := training.num_timesteps)
        rates: list[float] = []
        clock = time.process_time()

        def report(line: str) -> None:
            nonlocal before, clock
            added, passed = training.num_timesteps - before, time.process_time() - clock
            before, clock = training.num_timesteps, time.process_time()
            timesteps.put(added)
            if added and not line:  # an iteration of PPO without evaluation
                rates.append(added / passed)

        training.run(report, stop.is_set)
        if not training.is_done:
            return None
        agent, wins = PolicyAgent(self.folder / POLICY), {}  # from the file, whose weights are rounded
        for opponent in self.settings.eval_opponents:
            entries = []
            for batch in match(training.configuration, agent, opponent, self.games, DEALS_SEED):
                if stop.is_set():
                    return None
                entries += batch
            wins[opponent] = asdict(result_of(training.configuration, entries).wins)
        rows = training.curves.rows
        last = [row for row in rows if "train/entropy_loss" in row]
        last = last[-max(1, round(LAST * len(last))) :]
        result = Result(
            setting=self.setting,
            seed=self.settings.seed,
            settings=as_json(self.settings),
            games=self.games,
            wins=wins,
            curves={
                name: [[row[TIMESTEPS], row[column]] for row in rows if (column := f"{WIN_RATE}{name}") in row]
                for name in self.settings.eval_opponents
            },
            decisions_per_second=median(rates) if rates else None,
            entropy=-fmean(row["train/entropy_loss"] for row in last),
            explained_variance=fmean(row["train/explained_variance"] for row in last),
        )
        write(self.folder / RESULT, json.dumps(asdict(result), indent=2) + "\n")
        return result


def as_json(settings: Settings) -> dict[str, Any]:
    """Settings as a file has them."""
    fields: dict[str, Any] = json.loads(json.dumps(asdict(settings)))
    return fields


def write(path: Path, text: str) -> None:
    """Write a file, which is there before and after an interruption."""
    with replacing(path) as new:
        new.write_text(text, encoding="utf-8")


# The results


@dataclass
class Report:
    """All results so far."""

    command: str
    recipe: dict[str, Any]
    """What the baseline has beside the defaults."""
    baseline: Settings
    chosen: Sequence[Setting]
    results: list[Result] = field(default_factory=list)

    def of(self, setting: Setting) -> list[Result]:
        """The results of a setting, one for each seed."""
        own = [result for result in self.results if result.setting == setting.name]
        return sorted(own, key=lambda result: result.seed)

    def fields(self) -> dict[str, Any]:
        """All of it, as JSON has it."""
        return {
            "command": self.command,
            "machine": describe_machine(),
            "versions": versions(),
            "settings": [asdict(setting) for setting in self.chosen],
            "results": [asdict(result) for result in self.results],
        }

    def table(self) -> Table:
        """Means over the seeds."""
        opponents = self.baseline.eval_opponents
        headings = [f"wins against {name}, %" for name in opponents]
        rows = []
        for setting in self.chosen:
            own = self.of(setting)
            if not own:
                continue
            rates = [it.decisions_per_second for it in own if it.decisions_per_second is not None]
            rows.append(
                [
                    f"{setting.name}: `{setting.text()}`" if setting.changes else setting.name,
                    str(len(own)),
                    *(_mean_and_spread([100 * it.wins[name]["value"] for it in own]) for name in opponents),
                    f"{fmean(rates):,.0f}" if rates else "–",
                    f"{fmean(it.entropy for it in own):.3f}",
                    f"{fmean(it.explained_variance for it in own):.2f}",
                ]
            )
        more = ["decisions/s", "entropy", "explained variance"]
        return Table("One change at a time", ["setting", "seeds", *headings, *more], rows)

    def markdown(self) -> str:
        """The table and what it means; a picture beside it may follow."""
        settings = self.baseline
        games = max((result.games for result in self.results), default=0)
        text = (
            f"`{self.command}`, on {describe_machine()}, with"
            f" {', '.join(f'{name} {version}' for name, version in versions().items())}. {settings.configuration()};"
            f" {settings.total_timesteps:,} timesteps of PPO on one thread, after the"
            f" imitation where there is one. The baseline is"
            f" `{_as_text(self.recipe)}`, and else the defaults; each other row changes what it names and nothing else."
            f" Win rates are those of the policies at the end, in {games:,} games against each agent: the same deals"
            " for all, each from all seats. Figures are means over the seeds; ± is the standard deviation from seed to"
            f" seed. {self._noise()}Decisions a second are those of PPO by the processor's time, without evaluations."
            f" Entropy (nats) and explained variance are means of the last {LAST:.0%} of the iterations."
        )
        return "\n\n".join([text, self.table().markdown()]) + "\n"

    def _noise(self) -> str:
        """What chance alone makes of the differences between rows."""
        opponent = self.baseline.eval_opponents[-1]
        shares = [[100 * it.wins[opponent]["value"] for it in self.of(setting)] for setting in self.chosen]
        spreads = [(len(own) - 1, variance(own)) for own in shares if len(own) > 1]
        if not spreads:
            return ""
        freedom = sum(degrees for degrees, _ in spreads)
        pooled = (sum(degrees * spread for degrees, spread in spreads) / freedom) ** 0.5
        seeds = max(map(len, shares))
        return (
            f"Over all rows that is {pooled:.1f} points against {opponent}: the difference of two means of {seeds} has"
            f" a standard error of {pooled * (2 / seeds) ** 0.5:.1f} points, and less than twice that may be chance. "
        )

    def draw(self, path: Path) -> None:
        """Draw the win rates by timesteps against the last opponent: each change beside the baseline."""
        opponent = self.baseline.eval_opponents[-1]
        baseline = next(setting for setting in SETTINGS if not setting.changes)
        panels = [it for it in self.chosen if it is not baseline and self.of(it)] or [baseline]
        rows = -(-len(panels) // COLUMNS)
        with matplotlib.rc_context({"svg.hashsalt": "recipe", "svg.fonttype": "none", "font.size": 9}):
            figure = Figure(figsize=(8.3, 0.8 + 1.75 * rows), layout="constrained")
            grid = figure.subplots(rows, COLUMNS, sharex=True, sharey=True, squeeze=False)
            for axes, panel in zip(grid.flat, panels):
                for setting, colour in ((panel, "tab:red"), (baseline, "0.45")):
                    if curves := [result.curves[opponent] for result in self.of(setting)]:
                        timesteps, shares = together(curves)
                        low, high = shares.min(axis=0), shares.max(axis=0)
                        axes.fill_between(timesteps, low, high, color=colour, alpha=0.2, lw=0)
                        axes.plot(timesteps, shares.mean(axis=0), color=colour)
                axes.set_title(panel.name, fontsize=10, fontweight="bold")
                axes.text(0.97, 0.05, fill(panel.text(), 32), transform=axes.transAxes, ha="right", fontsize=7)
                axes.grid(alpha=0.3)
                axes.tick_params(labelbottom=True)
            for axes in grid.flat[len(panels) :]:
                axes.set_visible(False)
            figure.supxlabel("timesteps of PPO, thousands", fontsize=10)
            figure.supylabel(f"wins against {opponent}, %", fontsize=10)
            with replacing(path) as new:
                figure.savefig(new, format="svg", facecolor="white", metadata={"Date": None})

    def save(self, folder: Path) -> None:
        """Write `results.json`, `recipe.md` and the picture."""
        self.draw(folder / PICTURE)
        write(folder / "results.json", json.dumps(self.fields(), indent=2) + "\n")
        write(folder / "recipe.md", self.markdown() + f"\n{self.link('.')}\n")

    def link(self, folder: str) -> str:
        """The picture in Markdown."""
        opponent = self.baseline.eval_opponents[-1]
        return (
            f"![Win rate against {opponent} by timesteps, for each setting beside the baseline]({folder}/{PICTURE})\n\n"
            "Lines are means over the seeds and bands their range, in the evaluations during training"
            f" ({self.baseline.n_eval_episodes} games each). Grey is the baseline."
        )

    def put(self, page: Path, folder: Path) -> None:
        """Put table and picture into a page; the picture, from this folder, in `images` beside the page."""
        (page.parent / "images").mkdir(exist_ok=True)
        with replacing(page.parent / "images" / PICTURE) as new:
            shutil.copyfile(folder / PICTURE, new)
        block = f"\n{self.markdown()}\n{self.link('images')}\n\n"
        write(page, MARKS.sub(lambda marks: f"{marks[1]}{block}{marks[2]}", page.read_text(encoding="utf-8")))


def together(curves: Sequence[Sequence[Sequence[float]]]) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Curves of several seeds at the same timesteps: thousands of timesteps (k,), and shares in % (seeds, k).

    Iterations differ a little in length, so values are interpolated, where all seeds have values on both sides.
    """
    points = [np.array(curve) for curve in curves]
    begin, end = max(curve[0, 0] for curve in points), min(curve[-1, 0] for curve in points)
    timesteps = np.unique(np.clip(points[0][:, 0], begin, end))
    shares = [np.interp(timesteps, curve[:, 0], curve[:, 1]) for curve in points]
    return timesteps / 1000, 100 * np.array(shares)


def versions() -> dict[str, str]:
    """Those that a training's speed and results depend on."""
    return describe_versions() | {"torch": torch.__version__}


def _mean_and_spread(figures: Sequence[float]) -> str:
    return f"{fmean(figures):.1f}" + (f" ± {stdev(figures):.1f}" if len(figures) > 1 else "")


def _as_text(settings: Mapping[str, Any]) -> str:
    return " ".join(
        f"{name}={','.join(map(str, value)) if isinstance(value, tuple) else value}" for name, value in settings.items()
    )


# The command


def main(command: Sequence[str] | None = None) -> int:
    """Train what is missing and print the table.

    Returns 0, 130 if it was interrupted, or 1 after an error; what was trained is kept. Exits with 2 for a wrong
    command line.
    """
    parser = _parser()
    given = sys.argv[1:] if command is None else list(command)
    arguments = parser.parse_args(given)
    if arguments.out is None:
        arguments.out = Path("build") / "recipe" / sources_digest(SOURCES[0].parent / "train")
    try:
        for name in ("timesteps", "seeds", "games", "processes"):
            check_integer(f"--{name}", getattr(arguments, name), 1)
        if arguments.out.exists() and not arguments.out.is_dir():
            raise ValueError(f"--out must be a folder, and {arguments.out} is a file")
        if arguments.page and not MARKS.search(arguments.page.read_text(encoding="utf-8")):
            raise ValueError(f"{arguments.page} has no marks <!-- recipe --> and <!-- end of recipe -->")
        report, jobs = draw_up(arguments, shlex.join(["python", "-m", "benchmarks.recipe", *given]))
        results = [job.result() for job in jobs]
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    report.results = [result for result in results if result]
    missing = [job for job, result in zip(jobs, results) if not result]
    try:
        status = _train(missing, len(jobs), arguments.processes, report, arguments.out)
        Console(width=max(Console().width, MIN_WIDTH)).print(report.table().rich())
        if not status:
            report.save(arguments.out)
            if arguments.page:
                report.put(arguments.page, arguments.out)
    except KeyboardInterrupt:
        print("stopped at once: the same command resumes from the last checkpoints", file=sys.stderr)
        return 130
    except (BrokenProcessPool, TypeError, ValueError, OSError) as error:
        print(f"{error}; complete trainings are kept, and the same command resumes", file=sys.stderr)
        return 1
    return status


def draw_up(arguments: argparse.Namespace, command: str) -> tuple[Report, list[Job]]:
    """What a command line describes. Raises ValueError or TypeError for settings that are not allowed."""
    recipe = BASELINE | dict(map(setting_of, arguments.set))
    given = recipe | {"total_timesteps": arguments.timesteps}
    variant = absolute_variant(arguments.variant)
    chosen = [setting for setting in SETTINGS if setting.name in arguments.only]

    def job(setting: Setting, seed: int) -> Job:
        settings = settings_for(variant, given | setting.changes | {"seed": seed})
        return Job(setting.name, arguments.out / setting.name / str(seed), settings, arguments.games)

    baseline = settings_for(variant, given)
    baseline.configuration()
    # seed by seed, so that an interruption leaves all settings with about as many
    return Report(command, recipe, baseline, chosen), [
        job(it, seed) for seed in range(arguments.seeds) for it in chosen
    ]


def _parser() -> argparse.ArgumentParser:
    names = [setting.name for setting in SETTINGS]
    width = max(map(len, names))
    listed = "\n".join(f"  {it.name:<{width}}  {it.why}{f': {it.text()}' * bool(it.changes)}" for it in SETTINGS)
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.recipe",
        description="Compare the settings of a training, one change at a time.",
        epilog=f"the settings:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--variant", default="new_york", help="a name, or the path of a folder (default: new_york)")
    parser.add_argument("--timesteps", type=int, default=1_500_000, help="of PPO (default: 1500000)")
    parser.add_argument("--seeds", type=int, default=3, help="trainings of each setting (default: 3)")
    parser.add_argument(
        "--only", nargs="+", choices=names, default=names, metavar="NAME", help="some of the settings (default: all)"
    )
    parser.add_argument("--games", type=int, default=1000, help="against each opponent at the end (default: 1000)")
    parser.add_argument(
        "--set",
        nargs="+",
        default=[],
        metavar="NAME=VALUE",
        help="settings of all trainings, as `t2r train` takes them",
    )
    parser.add_argument("--processes", type=int, default=1, help="trainings at a time, each on one thread (default: 1)")
    parser.add_argument(
        "--out", type=Path, metavar="FOLDER", help="the output folder (default: one in build/recipe, by the sources)"
    )
    parser.add_argument(
        "--page", type=Path, metavar="FILE", help="a page with marks for the table and the picture (default: none)"
    )
    return parser


def _train(jobs: Sequence[Job], total: int, processes: int, report: Report, out: Path) -> int:
    """Train with a progress bar; return the exit status."""
    context = get_context("spawn")
    stop, timesteps = context.Event(), context.SimpleQueue()
    columns = (TextColumn("{task.description}"), BarColumn(), TextColumn("{task.percentage:>3.0f} %"))
    with (
        interruptible() as is_interrupted,
        Progress(*columns, TimeElapsedColumn(), TimeRemainingColumn(), console=Console(stderr=True)) as progress,
        ProcessPoolExecutor(processes, context, _begin, (stop, timesteps)) as workers,
    ):
        task = progress.add_task("", total=len(jobs) * report.baseline.total_timesteps)
        futures: set[Future[Result | None]] = {workers.submit(_work, job) for job in jobs}
        try:
            while futures:
                progress.update(task, description=f"{len(report.results)} of {total} trainings")
                done, futures = wait(futures, SECONDS_BETWEEN_LOOKS, FIRST_COMPLETED)
                for added in _drain(timesteps):
                    progress.advance(task, added)
                for result in [future.result() for future in done]:
                    if result:
                        report.results.append(result)
                        report.save(out)
                if is_interrupted():
                    stop.set()
        except BaseException:
            stop.set()
            for process in active_children():
                process.terminate()
            raise
    if is_interrupted():
        print("interrupted: complete trainings are kept, and the same command resumes", file=sys.stderr)
    return 130 if is_interrupted() else 0


def _drain(queue: "SimpleQueue[int]") -> Iterator[int]:
    while not queue.empty():
        yield queue.get()


_shared: tuple[Event, "SimpleQueue[int]"]
"""In a process that trains: whether to stop, and where to put timesteps."""


def _begin(stop: Event, timesteps: "SimpleQueue[int]") -> None:
    """Begin a process."""
    global _shared
    _shared = stop, timesteps
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
    threading.Thread(target=end_with_parent, daemon=True).start()
    torch.set_num_threads(1)


def _work(job: Job) -> Result | None:
    return job.train(*_shared)


if __name__ == "__main__":
    sys.exit(main())
