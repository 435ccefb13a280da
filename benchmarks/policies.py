"""The table of docs/policies.md: the library's policies against planners, with every number of players.

    python -m benchmarks.policies --page docs/policies.md
    python -m benchmarks.policies --variants usa --games 200

One policy, or in team games one team of it, plays against planners on all other seats, each deal from all seats. The
page's text stays; the table is written between its marks. Rows are kept in `--out`, so the same command goes on after
an interruption. After a change of the agents give it another file.
"""

import argparse
import json
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.markdown import measured, table, write_parts
from t2r_agents.playing.policy import PolicyAgent, shipped_policy
from t2r_agents.playing.policy_file import PolicyError
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.agents import find_agent
from t2r_env.basics.checks import check_integer, check_seed
from t2r_env.basics.writing import replacing
from t2r_env.variants import load_variant
from t2r_train.exploit import respond

OPPONENT = "planner"
NOTE = """One policy, in Team Asia one team of it, plays against planners on all other seats, each deal from all \
seats. Intervals in brackets are 95 % confidence intervals. Score, tickets made and failed are the policy's means, \
turns those of a player. The policies are files of `agents/t2r_agents/playing/policies/`, whose cards say how they \
were trained."""
HEADINGS = ("game", "tickets", "players", "wins, %", "equal share", "score", "made", "failed", "turns")


def trained_for(variants: Sequence[str]) -> Iterator[Configuration]:
    """Yield the configurations of these variants for which the library has a policy."""
    for name in variants:
        variant = load_variant(name)
        for tickets in variant.ticket_decks:
            for number in variant.player_numbers:
                configuration = configure(name, number, tickets=tickets)
                try:
                    shipped_policy(configuration).check(configuration)
                except PolicyError:
                    continue
                yield configuration


def measure(configuration: Configuration, games: int, seed: int) -> list[str]:
    """Return the row of a configuration, as HEADINGS has it."""
    result = respond(configuration, PolicyAgent(), find_agent(OPPONENT), games, seed)
    wins, players = result.wins, configuration.num_players
    return [
        configuration.variant.id.replace("_", " "),
        configuration.options["tickets"],
        str(players),
        f"{100 * wins.value:.1f} ({100 * wins.low:.1f}–{100 * wins.high:.1f})",
        f"{100 / configuration.num_teams:.1f}",
        f"{result.score or 0:.1f}",
        f"{result.completed or 0:.2f}",
        f"{result.failed or 0:.2f}",
        f"{(result.turns or 0) / players:.1f}",
    ]


def main(command: Sequence[str] | None = None) -> int:
    """Play and print the table. Returns 0, or 130 if interrupted; exits with 2 for a wrong command line."""
    given = sys.argv[1:] if command is None else list(command)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.policies", description="Play policies.")
    add = parser.add_argument
    add("--variants", nargs="+", default=list(VARIANTS), metavar="VARIANT", help="their names (default: all)")
    add("--games", type=int, default=2000, help="games of each configuration (default: 2000)")
    add("--seed", type=int, default=31_000_000, help="of the first deal (default: 31000000)")
    add("--out", type=Path, default=Path("build/policies.json"), metavar="FILE", help="(default: build/policies.json)")
    add("--page", type=Path, metavar="FILE", help="write into this page, too (default: only print)")
    arguments = parser.parse_args(given)
    try:
        games, seed = check_integer("--games", arguments.games, 1), check_seed(arguments.seed)
        configurations = list(trained_for(arguments.variants))
        rows: dict[str, Any] = json.loads(arguments.out.read_text("utf-8")) if arguments.out.exists() else {}
        arguments.out.parent.mkdir(parents=True, exist_ok=True)
        for configuration in track(configurations, "configurations", console=Console(stderr=True)):
            key = f"{configuration.title}, {games} games, seed {seed}"
            if key not in rows:
                rows[key] = measure(configuration, games, seed)
                with replacing(arguments.out) as new:
                    new.write_text(json.dumps(rows, indent=1), encoding="utf-8")
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("interrupted: all rows are kept, and the same command goes on", file=sys.stderr)
        return 130
    shown = [rows[f"{it.title}, {games} games, seed {seed}"] for it in configurations]
    parts = [NOTE, table(f"policies against {OPPONENT}s, {games} games each", HEADINGS, shown)]
    try:
        write_parts({"measured": measured("benchmarks.policies", given, parts)}, arguments.page)
    except (ValueError, OSError) as error:
        parser.error(str(error))
    return 0


if __name__ == "__main__":
    sys.exit(main())
