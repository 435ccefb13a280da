"""A player that has never seen the map: the agent `any_board` on the published maps, against other agents.

    python -m benchmarks.any_board --agents any_board t2r_agents.playing.planner:AnyMapPlanner --page docs/any_board.md
    python -m benchmarks.any_board --agents any_board any_board:mine.safetensors --variants new_york --games 200

Two players (in Team Asia four: two teams), each deal from both seats. The page's text stays; the tables are written
between its marks. Rows are kept in `--out`, so the same command goes on after an interruption; after a change of the
agents give it another file.
"""

import argparse
import json
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.progress import track

from benchmarks.markdown import measured, table, write_parts
from t2r_agents.comparing.evaluate import match, result_of
from t2r_env import VARIANTS, configure
from t2r_env.agents import find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.writing import replacing

MAPS = tuple(variant for variant in VARIANTS if variant != "card_game")
OPPONENTS = ("random", "greedy", "planner")
NOTE = """Wins in % with 95 % confidence intervals. The network was trained on generated maps alone, with two players, \
and has seen none of these. \
`t2r_agents.playing.planner:AnyMapPlanner` is the planner with parameters for any map, whose plan it sees."""


def measure(agent: str, variant: str, opponent: str, games: int, seed: int) -> list[float]:
    """Return the share of wins and its interval."""
    configuration = configure(variant)
    batches = match(configuration, find_agent(agent, configuration), opponent, games, seed)
    wins = result_of(configuration, [entry for entries in batches for entry in entries]).wins
    return [wins.value, wins.low, wins.high]


def rows_of(agent: str, variants: Sequence[str], found: dict[str, list[float]]) -> list[list[str]]:
    """Return the table of an agent: a row for each map, then the mean."""
    rows, means = [], []
    for variant in variants:
        wins = [found[f"{agent} {variant} {opponent}"] for opponent in OPPONENTS]
        means.append([it[0] for it in wins])
        cells = [f"{100 * value:.1f} ({100 * low:.1f}–{100 * high:.1f})" for value, low, high in wins]
        rows.append([variant.replace("_", " "), *cells])
    return [*rows, ["mean", *(f"{100 * mean:.1f}" for mean in np.mean(means, axis=0))]]


def main(command: Sequence[str] | None = None) -> int:
    """Play and print the tables. Returns 0, or 130 if interrupted; exits with 2 for a wrong command line."""
    given = sys.argv[1:] if command is None else list(command)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.any_board", description="Play maps never seen.")
    add = parser.add_argument
    add("--agents", nargs="+", default=["any_board"], metavar="AGENT", help="(default: any_board)")
    add("--variants", nargs="+", default=list(MAPS), choices=MAPS, metavar="VARIANT", help="(default: all maps)")
    add("--games", type=int, default=1000, help="games against each agent on each map (default: 1000)")
    add("--seed", type=int, default=33_000_000, help="of the first deal (default: 33000000)")
    add(
        "--out", type=Path, default=Path("build/any_board.json"), metavar="FILE", help="(default: build/any_board.json)"
    )
    add("--page", type=Path, metavar="FILE", help="write into this page, too (default: only print)")
    arguments = parser.parse_args(given)
    try:
        check_integer("--games", arguments.games, 1)
        check_seed(arguments.seed)
        for agent in arguments.agents:
            find_agent(agent)
    except ValueError as error:
        parser.error(str(error))
    key = f"{arguments.games} games, seed {arguments.seed}"
    kept = json.loads(arguments.out.read_text()) if arguments.out.exists() else {}
    found: dict[str, list[float]] = kept.setdefault(key, {})
    wanted = [(agent, it, other) for agent in arguments.agents for it in arguments.variants for other in OPPONENTS]
    missing = [it for it in wanted if " ".join(it) not in found]
    try:
        for agent, variant, opponent in track(missing, "matches", console=Console(stderr=True)):
            found[" ".join((agent, variant, opponent))] = measure(
                agent, variant, opponent, arguments.games, arguments.seed
            )
            arguments.out.parent.mkdir(parents=True, exist_ok=True)
            with replacing(arguments.out) as new:
                new.write_text(json.dumps(kept), encoding="utf-8")
    except KeyboardInterrupt:
        print("interrupted; the same command goes on", file=sys.stderr)
        return 130
    headings = ("map", *(f"against {opponent}" for opponent in OPPONENTS))
    tables = [table(agent, headings, rows_of(agent, arguments.variants, found)) for agent in arguments.agents]
    try:
        write_parts({"measured": measured("benchmarks.any_board", given, [NOTE, *tables])}, arguments.page)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
