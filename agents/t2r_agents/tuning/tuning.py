"""The search for parameters: CMA-ES over their ranges, and the proof on fresh deals.

All candidates of a generation play the same deals against every agent of the pool, each deal from every team, and each
generation plays new deals. CMA-ES sees each range as the numbers from 0 to 1; candidates are rounded to integers. What
is found is the mean of the last generation's distribution, which has seen all generations, and not the luckiest of the
candidates. It is then compared with the start on deals that nobody has played.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from time import perf_counter
from typing import Any, Protocol, runtime_checkable

import cma
import numpy as np
from numpy.typing import NDArray

from t2r_agents.planner.parameters import Parameter
from t2r_agents.tuning.matches import Match
from t2r_agents.tuning.workers import Task, Workers
from t2r_env import Configuration, configure
from t2r_env.agents import Agent, find_agent
from t2r_env.checks import check_integer, check_seed

DEVIATES = 1.96
"""95 % of a normal distribution lie within so many standard deviations of the mean."""
LEAST_DEVIATION = 0.3
"""The standard deviation of a parameter does not fall below so many of its integers: rounding would hide the rest."""
MAX_SIGMA = 1.0


@runtime_checkable
class Tunable(Protocol):
    """An agent with parameters. Its class is called with `parameters=` to play with other values."""

    def parameters(self, configuration: Configuration) -> Mapping[str, Parameter]:
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
    generations: int = 30
    population: int = 14
    """Candidates of a generation."""
    sigma: float = 0.2
    """The first standard deviation of each parameter, in units of its range."""
    margin_weight: float = 0.25
    """What a mean margin of 100 points counts besides the share of wins."""
    validation_games: int = 4000
    """That the result and the start play each at the end, likewise."""
    only: list[str] = field(default_factory=list)
    """The parameters that are tuned; all, if it is empty."""

    def __post_init__(self) -> None:
        """Raise ValueError or TypeError for a value that is not allowed."""
        check_seed(self.seed)
        for name, least in (("games", 1), ("generations", 1), ("population", 3), ("validation_games", 1)):
            check_integer(name, getattr(self, name), least, 10_000_000)
        if not 0 < self.sigma <= MAX_SIGMA:
            raise TuningError(f"sigma must be above 0 and at most {MAX_SIGMA}, not {self.sigma}")
        if not 0 <= self.margin_weight < math.inf:
            raise TuningError(f"margin_weight must be a number from 0, not {self.margin_weight}")
        if not self.against or len(set(self.against)) < len(self.against):
            raise TuningError(f"the pool must be one or more different agents, not {', '.join(self.against) or 'none'}")

    def configuration(self) -> Configuration:
        """Variant, players and options. Raises ValueError or TypeError if they are not allowed."""
        return configure(self.variant, self.num_players, **self.options)


@dataclass(frozen=True)
class Generation:
    """The candidates of a generation and their results, in the order in which they were proposed."""

    number: int
    candidates: list[list[int]]
    fitness: list[float]
    wins: list[list[float]]
    """Share of games won, by candidate and agent of the pool."""
    seconds: float = field(compare=False)


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
    """Start and result on fresh deals."""

    deals: int
    """Against each agent of the pool."""
    start: dict[str, Share]
    """By agent of the pool."""
    result: dict[str, Share]
    start_of_all: Share
    result_of_all: Share
    gain: Share
    """Of the result over the start, on the same deals."""

    @property
    def is_better(self) -> bool:
        """Whether the whole interval of the gain is above zero."""
        return self.gain.low > 0


class Tuning:
    """A search that has been made in part or in whole.

    Raises ValueError or TypeError if the settings do not fit: agents, names of parameters, options.
    """

    def __init__(self, settings: Settings) -> None:
        self.settings = settings
        self.configuration = settings.configuration()
        self.parameters = tunable_parameters(settings.agent, self.configuration)
        """All of the agent's parameters; the defaults are where the search starts."""
        if unknown := sorted(set(settings.only) - self.parameters.keys()):
            raise TuningError(f"there is no parameter {unknown[0]!r}; there are: {', '.join(self.parameters)}")
        self.tuned = {name: it for name, it in self.parameters.items() if not settings.only or name in settings.only}
        self.pool: list[Agent] = [find_agent(name, self.configuration) for name in settings.against]
        self.generations: list[Generation] = []
        self._strategy = self._new_strategy()

    @property
    def start(self) -> dict[str, int]:
        """The parameters where the search starts."""
        return {name: it.default for name, it in self.parameters.items()}

    @property
    def result(self) -> dict[str, int]:
        """The parameters found so far: the mean of the distribution."""
        return self.start | dict(zip(self.tuned, self._rounded(self._strategy.result.xfavorite), strict=True))

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
        start = [(it.default - it.low) / (it.high - it.low) for it in self.tuned.values()]
        return cma.CMAEvolutionStrategy(start, self.settings.sigma, options)

    def _rounded(self, point: NDArray[np.float64]) -> list[int]:
        """The integers nearest to a point of the unit cube."""
        return [it.low + round(float(x) * (it.high - it.low)) for it, x in zip(self.tuned.values(), point, strict=True)]

    # Generations

    def restore(self, generations: Sequence[Generation]) -> None:
        """Take over generations that were played before. Raises TuningError for others than this search would play."""
        for generation in generations:
            points, candidates = self._ask()
            if (generation.number, generation.candidates) != (len(self.generations), candidates):
                raise TuningError(f"generation {generation.number} is not of this search, or of another version of cma")
            self._tell(points, generation)

    def play(self, workers: Workers) -> Iterator[Generation | None]:
        """Play the generations that are missing; yield each, and None after each match of it."""
        while len(self.generations) < self.settings.generations:
            points, candidates = self._ask()
            number, each = len(self.generations), self._deals(self.settings.games)
            deals = range(number * each, (number + 1) * each)
            different = dict.fromkeys(map(tuple, candidates))
            pairs = [(one, opponent) for one in different for opponent in self._opponents]
            matches: dict[tuple[tuple[int, ...], int], Match] = {}
            began = perf_counter()
            for pair, match in zip(pairs, workers.play([self._task(*pair, deals, "tuning") for pair in pairs])):
                matches[pair] = match
                yield None
            of_candidates = [[matches[tuple(one), opponent] for opponent in self._opponents] for one in candidates]
            fitness = [
                float(np.mean([it.fitness(self.settings.margin_weight) for it in played])) for played in of_candidates
            ]
            wins = [[float(it.wins.mean()) for it in played] for played in of_candidates]
            generation = Generation(number, candidates, fitness, wins, perf_counter() - began)
            self._tell(points, generation)
            yield generation

    def _ask(self) -> tuple[list[NDArray[np.float64]], list[list[int]]]:
        points = self._strategy.ask()
        return points, [self._rounded(point) for point in points]

    def _tell(self, points: list[NDArray[np.float64]], generation: Generation) -> None:
        self._strategy.tell(points, [-fitness for fitness in generation.fitness])
        self.generations.append(generation)

    @property
    def _opponents(self) -> range:
        return range(len(self.pool))

    def first_task(self) -> Task:
        """A short match of the start, for warming up."""
        return self._task([self.start[name] for name in self.tuned], 0, range(1), "warming up")

    def games_of(self, generation: Generation) -> int:
        """The games that were played in a generation."""
        different = len(set(map(tuple, generation.candidates)))
        return different * len(self.pool) * self._deals(self.settings.games) * self.configuration.num_teams

    @property
    def matches_of_a_generation(self) -> int:
        """At most; fewer if candidates are the same."""
        return self.settings.population * len(self.pool)

    def _deals(self, games: int) -> int:
        """Against each agent of the pool."""
        return math.ceil(games / (len(self.pool) * self.configuration.num_teams))

    def _task(self, candidate: Sequence[int], opponent: int, deals: range, purpose: str) -> Task:
        parameters = self.start | dict(zip(self.tuned, candidate, strict=True))
        # each agent of the pool has deals of its own, so that more deals are played
        first = deals.start * len(self.pool) + opponent * len(deals)
        return Task(parameters, opponent, range(first, first + len(deals)), purpose)

    # The proof

    def validate(self, workers: Workers) -> Validation:
        """Compare result and start on fresh deals."""
        deals = range(max(2, self._deals(self.settings.validation_games)))
        points = [[self.start[name] for name in self.tuned], [self.result[name] for name in self.tuned]]
        tasks = [self._task(point, opponent, deals, "validation") for point in points for opponent in self._opponents]
        wins = [match.wins.mean(axis=1) for match in workers.play(tasks)]
        start, result = wins[: len(self.pool)], wins[len(self.pool) :]
        names = self.settings.against
        return Validation(
            deals=len(deals),
            start={name: Share.of([each]) for name, each in zip(names, start, strict=True)},
            result={name: Share.of([each]) for name, each in zip(names, result, strict=True)},
            start_of_all=Share.of(start),
            result_of_all=Share.of(result),
            gain=Share.of([after - before for before, after in zip(start, result, strict=True)]),
        )


def tunable_parameters(name: str, configuration: Configuration) -> Mapping[str, Parameter]:
    """What can be tuned of an agent for a configuration. Raises ValueError if nothing can."""
    agent = find_agent(name, configuration)
    if not isinstance(agent, Tunable) or not (parameters := agent.parameters(configuration)):
        raise TuningError(f"the agent {name!r} has no parameters to tune for {configuration}")
    return parameters


def as_fields(value: Settings | Generation | Validation) -> dict[str, Any]:
    """A record as JSON holds it. A seed is a string: other readers of JSON may not hold 64 bits."""
    fields = asdict(value)
    return fields | {"seed": str(fields["seed"])} if "seed" in fields else fields
