"""The search for parameters: sweeps over single parameters, then CMA-ES, and the proof on fresh deals.

A sweep tries a step down and a step up of each parameter, all on the same deals; then the changes that gained the most
are tried together, one after the other, on other deals. The steps become smaller from sweep to sweep. CMA-ES goes on
from there: it sees each range as the numbers from 0 to 1; candidates are rounded to integers; all candidates of a
generation play the same deals, each generation new ones. What is found is the mean of the last generation's
distribution, which has seen all generations, and not the luckiest of the candidates. It is then compared with what the
agent plays with at present, on deals that nobody has played.

All of it is made of rounds: lists of candidates that play the deals of a block.
"""

import math
from collections.abc import Generator, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any, Protocol, runtime_checkable

import cma
import numpy as np
from numpy.typing import NDArray

from t2r_agents.planner.parameters import Parameter, check_parameters
from t2r_agents.tuning.matches import Match, Mirror
from t2r_agents.tuning.workers import Task, Workers
from t2r_env import Configuration, configure
from t2r_env.agents import Agent, find_agent
from t2r_env.checks import check_integer, check_seed

DEVIATES = 1.96
"""95 % of a normal distribution lie within so many standard deviations of the mean."""
LEAST_DEVIATION = 0.3
"""The standard deviation of a parameter does not fall below so many of its integers: rounding would hide the rest."""
MAX_SIGMA = 1.0
NEXT_STEP = 0.6
"""The steps of a sweep, as a share of those of the sweep before."""
LOW_PART = 0.3
"""In this lowest part of its range, a parameter's steps are half as long: many matter more when they are small."""
LEAST_GAIN = 0.005
"""The gain in fitness from which a change is tried with others."""
MOST_CHANGES = 9
"""That are tried together in a sweep."""


@runtime_checkable
class Tunable(Protocol):
    """An agent with parameters. Its class is called with `parameters=` to play with other values."""

    def tunable_parameters(self, configuration: Configuration) -> Mapping[str, Parameter]:
        """By name what can be tuned for a configuration; the default is what this agent plays with."""
        ...


class TuningError(ValueError):
    """Something of the settings does not fit together; the message says what."""


@dataclass(frozen=True)
class Settings:
    """The settings of a search. The same settings find the same parameters."""

    variant: str
    """The name of a variant, or the path of its folder."""
    num_players: int
    options: dict[str, Any]
    agent: str
    """Name or import path of the agent to be tuned."""
    against: list[str]
    """The pool."""
    seed: int
    games: int = 400
    """That each candidate plays, against all of the pool together; rounded up to whole deals for each."""
    sweeps: int = 3
    step: float = 0.2
    """Of the first sweep, in units of a parameter's range."""
    generations: int = 10
    population: int = 14
    """Candidates of a generation."""
    sigma: float = 0.05
    """The first standard deviation of each parameter, in units of its range."""
    margin_weight: float = 0.25
    """What a mean margin of 100 points counts besides the share of wins."""
    mirror_weight: float = 0.0
    """What 100 points of the winner's mean score count, in games in which the candidate has all seats."""
    validation_games: int = 4000
    """That the result and the start play each at the end, likewise."""
    only: list[str] = field(default_factory=list)
    """The parameters that are tuned; all, if it is empty."""
    start: dict[str, int] = field(default_factory=dict)
    """Where the search starts; for parameters that it does not name, with what the agent plays with at present."""

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value that is not allowed."""
        check_seed(self.seed)
        least = {"games": 1, "sweeps": 0, "generations": 0, "population": 3, "validation_games": 1}
        for name, smallest in least.items():
            check_integer(name, getattr(self, name), smallest, 10_000_000)
        for name, most in (("sigma", MAX_SIGMA), ("step", 1.0)):
            if not 0 < getattr(self, name) <= most:
                raise TuningError(f"{name} must be above 0 and at most {most}, not {getattr(self, name)}")
        for name in ("margin_weight", "mirror_weight"):
            if not 0 <= getattr(self, name) < math.inf:
                raise TuningError(f"{name} must be a number from 0, not {getattr(self, name)}")
        if not self.against or len(set(self.against)) < len(self.against):
            raise TuningError(f"the pool must be one or more different agents, not {', '.join(self.against) or 'none'}")

    def configuration(self) -> Configuration:
        """Variant, players and options. Raises ValueError or TypeError if they are not allowed."""
        return configure(self.variant, self.num_players, **self.options)


@dataclass(frozen=True)
class Evaluation:
    """A candidate's results on the deals of a block."""

    block: int
    candidate: list[int]
    """The values of the parameters that are tuned."""
    fitness: float
    wins: list[float]
    """Share of games won, by agent of the pool."""
    mirror: float | None
    """The winner's mean score in games of the candidate alone, if it counts."""


@dataclass(frozen=True)
class Round:
    """Candidates that were played on the same deals, in the order in which they were proposed."""

    stage: str
    """What they are, in words."""
    block: int
    evaluations: list[Evaluation]

    @property
    def fitness(self) -> list[float]:
        """Of each candidate."""
        return [it.fitness for it in self.evaluations]


@dataclass(frozen=True)
class Share:
    """A share of wins, or a difference of two, with its 95 % confidence interval over deals."""

    value: float
    low: float
    high: float

    @staticmethod
    def of(wins: Sequence[NDArray[np.float64]]) -> "Share":
        """The mean over agents of the pool, given for each of them the share on each deal."""
        means = [float(each.mean()) for each in wins]
        variance = sum(float(each.var(ddof=1)) / len(each) if len(each) > 1 else math.inf for each in wins)
        width = DEVIATES * math.sqrt(variance) / len(wins)
        value = sum(means) / len(wins)
        return Share(value, value - width, value + width)


@dataclass(frozen=True)
class Validation:
    """What the agent plays with at present (`start`) and the result, on fresh deals."""

    deals: int
    """Against each agent of the pool."""
    start: dict[str, Share]
    """By agent of the pool."""
    result: dict[str, Share]
    start_of_all: Share
    result_of_all: Share
    gain: Share
    """Of the result over the start, on the same deals."""
    start_mirror: dict[str, float]
    """Of games with itself in all seats, the winner's means, as in `Mirror`."""
    result_mirror: dict[str, float]

    def is_better(self, mirror_weight: float) -> bool:
        """Whether the whole interval of the gain is above zero; if the winner's score in games with itself was sought
        too, whether that is higher and the gain's interval reaches zero at least."""
        if mirror_weight and self.result_mirror["score"] > self.start_mirror["score"]:
            return self.gain.high > 0
        return self.gain.low > 0


Played = tuple[list[Match], Mirror | None]
"""A candidate's matches against each agent of the pool, and its mirror if it was asked for."""


class Tuning:
    """A search that has been made in part or in whole.

    Raises ValueError or TypeError if the settings do not fit: agents, names of parameters, options.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.configuration = settings.configuration()
        self.parameters = parameters_of(settings.agent, self.configuration)
        """All of the agent's parameters; the defaults are what it plays with at present."""
        if unknown := sorted(set(settings.only) - self.parameters.keys()):
            raise TuningError(f"there is no parameter {unknown[0]!r}; there are: {', '.join(self.parameters)}")
        self.tuned = {name: it for name, it in self.parameters.items() if not settings.only or name in settings.only}
        self.pool: list[Agent] = [find_agent(name, self.configuration) for name in settings.against]
        self.start = self.present | check_parameters(self.parameters, settings.start)
        """The parameters where the search starts."""
        self.evaluations: dict[tuple[int, tuple[int, ...]], Evaluation] = {}
        """Those that were played, by block and candidate."""
        self._found = [self.start[name] for name in self.tuned]

    @property
    def present(self) -> dict[str, int]:
        """The parameters that the agent plays with at present."""
        return {name: it.default for name, it in self.parameters.items()}

    @property
    def result(self) -> dict[str, int]:
        """The parameters found so far."""
        return self._all(self._found)

    def _all(self, candidate: Sequence[int]) -> dict[str, int]:
        """A candidate's values, and those of the parameters that are not tuned."""
        return self.start | dict(zip(self.tuned, candidate, strict=True))

    # The search

    def restore(self, evaluations: Iterable[Evaluation]) -> None:
        """Take over evaluations that were played before. Raises TuningError for what this search can't have played."""
        for it in evaluations:
            check_integer("block", it.block, 0)
            check_parameters(self.tuned, dict(zip(self.tuned, it.candidate, strict=True)))
            numbers = [it.fitness, *it.wins, *([] if it.mirror is None else [it.mirror])]
            if len(it.wins) != len(self.pool) or not all(type(x) is float and math.isfinite(x) for x in numbers):
                raise TuningError(f"the evaluation of {it.candidate} in block {it.block} is not of this search")
            self.evaluations[it.block, tuple(it.candidate)] = it

    def play(self, workers: Workers) -> Iterator[Evaluation | Round]:
        """Search from the start; yield each evaluation that was missing, when it was played, and each round."""
        yield from self._sweep(workers)
        yield from self._evolve(workers)

    def _sweep(self, workers: Workers) -> Iterator[Evaluation | Round]:
        point = [self.start[name] for name in self.tuned]
        for sweep in range(self.settings.sweeps):
            step = self.settings.step * NEXT_STEP**sweep
            steps = [
                [*point[:which], value, *point[which + 1 :]]
                for which, parameter in enumerate(self.tuned.values())
                for value in steps_of(parameter, point[which], step)
            ]
            played = yield from self._round(workers, f"sweep {sweep}", 2 * sweep, [point, *steps])
            base, *fitness = played.fitness
            gains: dict[int, tuple[float, int]] = {}
            for candidate, of in zip(steps, fitness, strict=True):
                (which,) = (at for at, value in enumerate(candidate) if value != point[at])
                if of - base > max(LEAST_GAIN, gains.get(which, (0.0, 0))[0]):
                    gains[which] = of - base, candidate[which]
            changes = sorted(gains.items(), key=lambda it: -it[1][0])[:MOST_CHANGES]
            stage, block = f"sweep {sweep}, so far", 2 * sweep + 1
            if changes:
                best = (yield from self._round(workers, stage, block, [point])).fitness[0]
            for which, (_, value) in changes:
                stage = f"sweep {sweep}, {list(self.tuned)[which]} {value}"
                changed = [*point[:which], value, *point[which + 1 :]]
                of = (yield from self._round(workers, stage, block, [changed])).fitness[0]
                if of > best:
                    best, point = of, changed
            self._found = point

    def _evolve(self, workers: Workers) -> Iterator[Evaluation | Round]:
        if not self.settings.generations:
            return
        strategy = self._new_strategy()
        for generation in range(self.settings.generations):
            points = strategy.ask()
            candidates = [self._rounded(point) for point in points]
            block = 2 * self.settings.sweeps + generation
            played = yield from self._round(workers, f"generation {generation}", block, candidates)
            strategy.tell(points, [-fitness for fitness in played.fitness])
            self._found = self._rounded(strategy.result.xfavorite)

    def _new_strategy(self) -> cma.CMAEvolutionStrategy:
        random = np.random.default_rng(self.settings.seed)
        options = {
            "popsize": self.settings.population,
            "bounds": [0, 1],
            "minstd": [LEAST_DEVIATION / (it.high - it.low) for it in self.tuned.values()],
            "randn": lambda *shape: random.standard_normal(shape),
            "seed": math.nan,  # NumPy's global generator is left alone
            "verbose": -10,
            "verb_log": 0,
            "verb_disp": 0,
        }
        start = [(x - it.low) / (it.high - it.low) for it, x in zip(self.tuned.values(), self._found, strict=True)]
        return cma.CMAEvolutionStrategy(start, self.settings.sigma, options)

    def _rounded(self, point: NDArray[np.float64]) -> list[int]:
        """The integers nearest to a point of the unit cube."""
        return [it.low + round(float(x) * (it.high - it.low)) for it, x in zip(self.tuned.values(), point, strict=True)]

    # Rounds

    def _round(
        self, workers: Workers, stage: str, block: int, candidates: list[list[int]]
    ) -> Generator[Evaluation | Round, None, Round]:
        """Play the candidates that were not played on the deals of this block; each block has deals of its own."""
        missing = [it for it in dict.fromkeys(map(tuple, candidates)) if (block, it) not in self.evaluations]
        each, weights = self._deals(self.settings.games), self.settings
        of_missing = [self._all(candidate) for candidate in missing]
        deals = range(block * each, (block + 1) * each)
        results = self._evaluate(workers, of_missing, deals, "tuning", weights.mirror_weight > 0)
        for candidate, (matches, mirror) in zip(missing, results, strict=True):
            fitness = float(np.mean([it.fitness(weights.margin_weight) for it in matches]))
            score = mirror.means()["score"] if mirror else None
            if score is not None:
                fitness += weights.mirror_weight * score / 100
            wins = [float(it.wins.mean()) for it in matches]
            evaluation = Evaluation(block, list(candidate), fitness, wins, score)
            self.evaluations[block, candidate] = evaluation
            yield evaluation
        played = Round(stage, block, [self.evaluations[block, tuple(it)] for it in candidates])
        yield played
        return played

    def _evaluate(
        self, workers: Workers, candidates: Sequence[Mapping[str, int]], deals: range, purpose: str, with_mirror: bool
    ) -> Iterator[Played]:
        """Play these deals with each candidate against each agent of the pool, and alone."""
        opponents: list[int | None] = [*range(len(self.pool)), *([None] if with_mirror else [])]
        tasks = [self._task(candidate, of, deals, purpose) for candidate in candidates for of in opponents]
        results = workers.play(tasks)
        for _ in candidates:
            played = [next(results) for _ in opponents]
            mirrors = [it for it in played if isinstance(it, Mirror)]
            yield [it for it in played if isinstance(it, Match)], mirrors[0] if mirrors else None

    def _deals(self, games: int) -> int:
        """Against each agent of the pool."""
        return math.ceil(games / (len(self.pool) * self.configuration.num_teams))

    def _task(self, parameters: Mapping[str, int], opponent: int | None, deals: range, purpose: str) -> Task:
        # each agent of the pool has deals of its own, so that more deals are played
        first = deals.start * len(self.pool) + (opponent or 0) * len(deals)
        return Task(parameters, opponent, range(first, first + len(deals)), purpose)

    def first_task(self) -> Task:
        """A short match of the start, for warming up."""
        return self._task(self.start, 0, range(1), "warming up")

    @property
    def games_of_an_evaluation(self) -> int:
        """Against the pool and alone."""
        deals = self._deals(self.settings.games)
        return deals * (len(self.pool) * self.configuration.num_teams + (self.settings.mirror_weight > 0))

    @property
    def blocks(self) -> list[int]:
        """The evaluations of each block, at most."""
        sweep = [1 + 2 * len(self.tuned), 1 + min(MOST_CHANGES, len(self.tuned))]
        return sweep * self.settings.sweeps + [self.settings.population] * self.settings.generations

    # The proof

    def validate(self, workers: Workers) -> Validation:
        """Compare the result on fresh deals with what the agent plays with at present."""
        deals = range(max(2, self._deals(self.settings.validation_games)))
        played = list(self._evaluate(workers, [self.present, self.result], deals, "validation", True))
        start, result = ([match.wins.mean(axis=1) for match in matches] for matches, _ in played)
        start_mirror, result_mirror = (mirror.means() if mirror else {} for _, mirror in played)
        names = self.settings.against
        return Validation(
            deals=len(deals),
            start={name: Share.of([each]) for name, each in zip(names, start, strict=True)},
            result={name: Share.of([each]) for name, each in zip(names, result, strict=True)},
            start_of_all=Share.of(start),
            result_of_all=Share.of(result),
            gain=Share.of([after - before for before, after in zip(start, result, strict=True)]),
            start_mirror=start_mirror,
            result_mirror=result_mirror,
        )


def steps_of(parameter: Parameter, value: int, step: float) -> list[int]:
    """A step down and a step up from a value, as far as the range goes; the step in units of the range."""
    length = step * (parameter.high - parameter.low)
    if value < parameter.low + LOW_PART * (parameter.high - parameter.low):
        length /= 2
    whole = max(1, round(length))
    return [it for it in (max(parameter.low, value - whole), min(parameter.high, value + whole)) if it != value]


def parameters_of(name: str, configuration: Configuration) -> Mapping[str, Parameter]:
    """What can be tuned of an agent for a configuration. Raises ValueError if nothing can."""
    agent = find_agent(name, configuration)
    if not isinstance(agent, Tunable) or not (parameters := agent.tunable_parameters(configuration)):
        raise TuningError(f"the agent {name!r} has no parameters to tune for {configuration}")
    return parameters


def as_fields(value: Settings | Evaluation | Validation) -> dict[str, Any]:
    """A record as JSON holds it. A seed is a string: other readers of JSON may not hold 64 bits."""
    fields = asdict(value)
    return fields | {"seed": str(fields["seed"])} if "seed" in fields else fields
