"""How fast workers play a tournament: processes on this machine, and workers on a Ray cluster of our own.

It needs the extra `ray`. Seconds are those on the wall, from the first results of all workers to the last ones, so that
starting and compiling do not count. All play the same games, in turn, several times; the median of the rates counts.

    python -m benchmarks.workers
    python -m benchmarks.workers --agents racer greedy --games 4000
"""

import argparse
import statistics
import time
from collections.abc import Sequence

from rich.console import Console
from rich.progress import track
from rich.table import Table

from benchmarks.machine import describe_machine
from t2r_agents.ray_cluster import connected
from t2r_agents.tournament import Tournament
from t2r_agents.tournament.ray_workers import play_on_ray
from t2r_agents.tournament.workers import Workers, play_in_processes
from t2r_env import configure

WAYS: dict[str, Workers] = {"processes": play_in_processes, "Ray": play_on_ray}


def rate(variant: str, agents: Sequence[str], games: int, workers: int, play: Workers) -> float:
    """Return games per second. Raises ValueError if there are too few games for that."""
    tournament = Tournament(configure(variant), agents, games, 0)
    begun, before = 0.0, 0
    for number, _ in enumerate(tournament.play(workers, play), 1):
        if number == workers:
            begun, before = time.perf_counter(), len(tournament.entries)
    played = (len(tournament.entries) - before) / tournament.configuration.num_players
    if not begun or not played:
        raise ValueError(f"{games} games are over as soon as {workers} workers have begun: take more")
    return played / (time.perf_counter() - begun)


def main(command: Sequence[str] | None = None) -> dict[tuple[str, int], float]:
    """Measure what the command line says and print a table; return the games per second by way and workers."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", default="new_york", help="(default: %(default)s)")
    parser.add_argument("--agents", nargs="+", default=["ismcts:400", "greedy"], metavar="AGENT")
    parser.add_argument("--games", type=int, default=200, help="of each measurement (default: %(default)s)")
    parser.add_argument("--workers", type=int, nargs="+", default=[1, 2], metavar="NUMBER", help="(default: 1 and 2)")
    parser.add_argument("--rounds", type=int, default=3, help="measurements of each (default: 3)")
    arguments = parser.parse_args(command)
    cases = [(way, number) for way in WAYS for number in arguments.workers]
    rates: dict[tuple[str, int], list[float]] = {case: [] for case in cases}
    with connected("local", max(arguments.workers)):
        for way, number in track(cases * arguments.rounds, "measuring"):
            made = rate(arguments.variant, arguments.agents, arguments.games, number, WAYS[way])
            rates[way, number].append(made)
    title = f"{' and '.join(arguments.agents)}, {arguments.variant}, {arguments.games} games, {describe_machine()}"
    table = Table("workers", "games/s", "from", "to", title=title)
    for (way, number), all_rates in rates.items():
        shown = statistics.median(all_rates), min(all_rates), max(all_rates)
        table.add_row(f"{number}, {way}", *(f"{it:.3g}" for it in shown))
    Console().print(table)
    return {case: statistics.median(all_rates) for case, all_rates in rates.items()}


if __name__ == "__main__":
    main()
