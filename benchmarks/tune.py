"""Tune an agent's parameters for one game by CMA-ES, so that it wins more often against other agents.

    python -m benchmarks.tune --variant usa --out build/tune/usa.json
    python -m benchmarks.tune --variant usa --num-players 3 --out build/tune/usa_3.json --write
    python -m benchmarks.tune --generated-maps 20 --against planner greedy racer --out build/tune/any.json --write

An agent can be tuned if it has a method `tunable_parameters(configuration)`, which returns a `Parameter` by name, and
if its class takes other values as the argument `parameters`. CMA-ES (Hansen and Ostermeier 2001; the package `cma`)
sees each range as the numbers from 0 to 1. All candidates of a generation play the same deals, each deal from all
seats, and each generation has new deals. The result is the mean of the last distribution. It is compared with the
present parameters on deals that the search has not played. `--write` puts a better result into the planner's table.

With `--generated-maps` the parameters are those for any map: each generation has new maps for two players, those on
which `any_board` is trained, and the mean of each map counts as one deal. They are in the unit of a map with the usual
number of trains.

The file of `--out` is written after every generation. The same command goes on from there, also with more generations.
It finds the same parameters for every number of processes.
"""

import argparse
import json
import math
import shlex
import signal
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import asdict, replace
from functools import lru_cache, partial
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import cma
import numpy as np
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from t2r_agents.comparing.tournament.playing import play
from t2r_agents.comparing.tournament.ratings import DEVIATES, Interval
from t2r_agents.comparing.tournament.schedule import make_schedule
from t2r_agents.playing.any_board.maps import training_map
from t2r_agents.playing.planner.map_game import fit_parameters
from t2r_agents.playing.planner.map_game.records import PARAMETERS
from t2r_agents.playing.planner.parameters import Parameter
from t2r_agents.playing.planner.tuned import ANY_MAP, Entry, any_map_parameters, options_of, write_entry
from t2r_env import Configuration, __version__, configure
from t2r_env.agents import find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.cores import count_cores
from t2r_env.basics.reading import parse_json, read_text
from t2r_env.basics.writing import replacing
from t2r_env.commands.options import add_configuration, agents_help, options_given
from t2r_env.seeding import derive_seed

LEAST_DEVIATION = 0.3
"""The standard deviation of a parameter does not fall below this many of its integers: rounding would hide the rest."""
SETTINGS = ("agent", "against", "generated_maps", "games", "population", "sigma", "margin_weight", "seed")
"""The arguments on which the candidates depend, besides those of the game."""
MAX_BYTES = 1 << 24
Map = Callable[[Callable[[Mapping[str, int]], Any], Iterable[Mapping[str, int]]], Iterable[Any]]
"""The type of `map`, for a function of parameters."""


def play_deals(
    game: Configuration, agent: str, against: Sequence[str], seed: int, games: int, parameters: Mapping[str, int]
) -> NDArray[np.float64]:
    """Let the agent with these parameters play at least this many games, and two deals against each opponent.

    Each deal is played from all seats. Returns wins and margins over the best other team, means over the games of a
    deal, of shape (opponents, deals, 2).
    """
    teams, size, found = game.num_teams, game.variant.team_size, []
    names = ["tuned", *(f"opponent {seat}" for seat in range(1, teams))]
    make: Any = type(find_agent(agent, game))
    for index, opponent in enumerate(against):
        each = max(2 * teams, math.ceil(games / len(against)))
        fixtures = make_schedule(names, teams, size, each, derive_seed(seed, "opponents", index))
        players = dict.fromkeys(names, find_agent(opponent, game)) | {"tuned": make(parameters=parameters)}
        entries = play(game, players, fixtures)[::size]  # one entry for each team
        scores = np.array([entry.score for entry in entries]).reshape(-1, teams)
        is_own = np.array([entry.agent == "tuned" for entry in entries]).reshape(-1, teams)
        wins = [entry.win for entry in entries if entry.agent == "tuned"]
        margins = scores[is_own] - np.where(is_own, np.iinfo(np.int64).min, scores).max(axis=1)
        found.append(np.stack([wins, margins], axis=1).reshape(-1, teams, 2).mean(axis=1))
    return np.array(found)


def play_maps(
    maps: int, agent: str, against: Sequence[str], seed: int, games: int, parameters: Mapping[str, int]
) -> NDArray[np.float64]:
    """Let the agent play as by `play_deals` on this many generated maps, with the parameters for any map.

    Returns wins and margins, means over the games on a map, of shape (opponents, maps, 2).
    """
    found = []
    for index in range(maps):
        game = _generated_game(derive_seed(seed, "maps", index))
        fitted = fit_parameters(parameters, game)
        on_map = play_deals(game, agent, against, derive_seed(seed, "deals", index), math.ceil(games / maps), fitted)
        found.append(on_map.mean(axis=1))
    return np.stack(found, axis=1)


@lru_cache(maxsize=1024)
def _generated_game(seed: int) -> Configuration:
    return configure(training_map(seed), 2)


def mean_of(values: NDArray[np.float64]) -> Interval:
    """Return the mean over opponents and deals, (opponents, deals), with its 95 % interval."""
    width = DEVIATES * math.sqrt(values.var(axis=1, ddof=1).sum() / values.shape[1]) / len(values)
    return Interval(float(values.mean()), float(values.mean() - width), float(values.mean() + width))


class Search:
    """A search, and the file that keeps the fitness of all its candidates.

    Raises ValueError for settings that are not allowed, and for a file of another search.
    """

    def __init__(self, game: Configuration | None, arguments: argparse.Namespace) -> None:
        """Begin a search for a game, or for generated maps."""
        self.arguments, self.file = arguments, arguments.out
        self.parameters: Mapping[str, Parameter]
        if game:
            agent: Any = [find_agent(name, game) for name in (*arguments.against, arguments.agent)][-1]
            if not hasattr(agent, "tunable_parameters"):
                raise ValueError(f"the agent {arguments.agent!r} has no parameters to tune")
            self._play_deals = partial(play_deals, game, arguments.agent, arguments.against)
            self.parameters = agent.tunable_parameters(game)
        else:
            self._play_deals = partial(play_maps, arguments.generated_maps, arguments.agent, arguments.against)
            present = any_map_parameters()
            self.parameters = {
                name: replace(it, default=present.get(name, it.default)) for name, it in PARAMETERS.items()
            }
        self.present = {name: it.default for name, it in self.parameters.items()}
        self.fitness: list[list[float]] = []
        """The fitness of each candidate of each generation."""
        random = np.random.default_rng(check_seed(arguments.seed))
        options = {
            "popsize": check_integer("--population", arguments.population, 3),
            "bounds": [0, 1],
            "minstd": [LEAST_DEVIATION / (it.high - it.low) for it in self.parameters.values()],
            "randn": lambda *shape: random.standard_normal(shape),
            "seed": math.nan,  # NumPy's global generator is left alone
            "verbose": -10,
            "verb_log": 0,
            "verb_disp": 0,
        }
        start = [(it.default - it.low) / (it.high - it.low) for it in self.parameters.values()]
        self._strategy = cma.CMAEvolutionStrategy(start, arguments.sigma, options)
        self._about = {"library": __version__, "identity": game.identity if game else ANY_MAP, "present": self.present}
        self._about["settings"] = {name: str(getattr(arguments, name)) for name in SETTINGS}
        if self.file.exists():
            content = parse_json(read_text(self.file, MAX_BYTES))
            if not isinstance(content, dict) or any(content.get(name) != it for name, it in self._about.items()):
                raise ValueError(f"{self.file} holds another search: other settings, another agent or another version")
            for values in content["fitness"]:
                self._tell(self._strategy.ask(), values)

    def _tell(self, points: Sequence[NDArray[np.float64]], values: list[float]) -> None:
        self._strategy.tell(points, [-value for value in values])
        self.fitness.append(values)

    def evolve(self, do: Map) -> None:
        """Play a generation and keep it."""
        points = self._strategy.ask()
        seed = derive_seed(self.arguments.seed, "tuning", len(self.fitness))
        evaluate = partial(self._play_deals, seed, self.arguments.games)
        means = [found.mean(axis=(0, 1)) for found in do(evaluate, [self._values_of(point) for point in points])]
        self._tell(points, [float(wins + self.arguments.margin_weight * margin / 100) for wins, margin in means])
        self.save()

    def compare(self, do: Map) -> dict[str, Any]:
        """Compare the result with the present parameters on deals that the search has not played."""
        seed = derive_seed(self.arguments.seed, "validation", 0)
        evaluate = partial(self._play_deals, seed, self.arguments.validation_games)
        present, found = (it[:, :, 0] for it in do(evaluate, [self.present, self.result]))
        shares = {"start_of_all": mean_of(present), "result_of_all": mean_of(found), "gain": mean_of(found - present)}
        return {"deals": present.shape[1]} | {name: asdict(share) for name, share in shares.items()}

    @property
    def result(self) -> dict[str, int]:
        """The parameters found so far."""
        return self._values_of(self._strategy.result.xfavorite)

    def _values_of(self, point: NDArray[np.float64]) -> dict[str, int]:
        """Return the parameters nearest to a point of the unit cube."""
        ranges = zip(self.parameters.items(), point)
        return {name: it.low + round(float(x) * (it.high - it.low)) for (name, it), x in ranges}

    def save(self, **more: Any) -> None:
        """Write the file."""
        self.file.parent.mkdir(parents=True, exist_ok=True)
        with replacing(self.file) as new:
            content = {**self._about, "fitness": self.fitness, "result": self.result, **more}
            new.write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")


def main(command: Sequence[str] | None = None) -> int:
    """Search and compare. Returns 0, 1 after an error or 130 if interrupted; exits with 2 for a wrong command line."""
    given = sys.argv[1:] if command is None else command
    parser = _parser()
    arguments = parser.parse_args(given)
    try:
        for name in ("generations", "games", "validation_games", "processes"):
            check_integer(f"--{name.replace('_', '-')}", getattr(arguments, name), 1)
        if not 0 < arguments.sigma <= 1 or not 0 <= arguments.margin_weight < math.inf:
            raise ValueError("--sigma must be above 0 and at most 1, and --margin-weight a number, at least 0")
        if arguments.write and arguments.agent != "planner":
            raise ValueError("--write is for the agent planner, whose table it is")
        game = _game_of(arguments)
        search = Search(game, arguments)
    except (TypeError, ValueError, KeyError, OSError) as error:
        parser.error(str(error))
    console = Console(stderr=True)
    try:
        ignoring = signal.signal, (signal.SIGINT, signal.SIG_IGN)  # the first process handles an interruption
        with ProcessPoolExecutor(arguments.processes, get_context("spawn"), *ignoring) as pool:
            do: Map = pool.map if arguments.processes > 1 else map
            for number in track(range(len(search.fitness), arguments.generations), "generations", console=console):
                search.evolve(do)
                told = f"fitness {np.mean(search.fitness[-1]):.3f}, best {max(search.fitness[-1]):.3f}"
                console.print(f"generation {number + 1}: {told}", highlight=False)
            compared = search.compare(do)
            search.save(compared=compared)
    except KeyboardInterrupt:
        console.print(f"interrupted: {len(search.fitness)} generations are kept, and the same command goes on")
        return 130
    except (BrokenProcessPool, OSError) as error:
        console.print(f"{error}; {len(search.fitness)} generations are kept", markup=False)
        return 1
    print(json.dumps({"result": search.result, **compared}, indent=1))
    if compared["gain"]["low"] <= 0:
        print("the result is not better than the present parameters: the interval of its gain reaches zero")
    elif arguments.write:
        said = shlex.join(["python", "-m", "benchmarks.tune", *given])
        made = {"command": said, "started_from": search.present, **compared}
        key = (game.variant.id, game.num_players, options_of(game)) if game else (ANY_MAP, 2, {})
        write_entry(Entry(*key, search.result, made))
    return 0


def _game_of(arguments: argparse.Namespace) -> Configuration | None:
    """Return the game to tune for, None for generated maps. Raises ValueError for arguments that don't fit together."""
    options = options_given(arguments)
    if not arguments.generated_maps:
        return configure(arguments.variant or "usa", arguments.num_players, **options)
    check_integer("--generated-maps", arguments.generated_maps, 2)
    if arguments.agent != "planner" or arguments.variant or arguments.num_players or options:
        raise ValueError("--generated-maps is for the agent planner and two players: name no game beside it")
    for name in arguments.against:
        find_agent(name)
    return None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.tune", description="Tune an agent by CMA-ES.")
    add_configuration(parser)
    add = parser.add_argument
    add("--out", type=Path, required=True, metavar="FILE", help="keep the search in this file, or go on with it")
    maps = "tune the planner for any map, on this many new generated maps in each generation (default: one game)"
    add("--generated-maps", type=int, default=0, metavar="NUMBER", help=maps)
    add("--agent", default="planner", help="the agent to tune (default: planner)")
    pool = ["planner", "racer", "long_routes", "one_plan"]
    add("--against", nargs="+", default=pool, metavar="AGENT", help=f"{agents_help()} (default: {' '.join(pool)})")
    add("--generations", type=int, default=30, help="generations in all (default: 30)")
    add("--population", type=int, default=14, help="candidates of a generation (default: 14)")
    add("--games", type=int, default=400, help="games of a candidate, against all agents together (default: 400)")
    add("--sigma", type=float, default=0.1, help="first deviation, in units of a parameter's range (default: 0.1)")
    add("--margin-weight", type=float, default=0.25, help="what 100 points of mean margin count (default: 0.25)")
    add("--validation-games", type=int, default=4000, help="games of the comparison at the end (default: 4000)")
    add("--seed", type=int, default=0, help="seed of the search and of the deals (default: 0)")
    add("--processes", type=int, default=count_cores(), help="number of processes (default: one for each core)")
    add("--write", action="store_true", help="put a better result into the planner's table (default: only tell it)")
    return parser


if __name__ == "__main__":
    sys.exit(main())
