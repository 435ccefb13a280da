"""The tables of docs/strength.md: tournaments of all pairs of agents, and of one agent on all seats.

    python -m benchmarks.strength --page docs/strength.md
    python -m benchmarks.strength --variants usa --agents ismcts:200 planner racer --games 40

Pairs play every variant with the fewest players that it allows. The planner on all seats plays with every number of
players, and so do policy and search where results of the best people are known. `--out` gets a folder for each
tournament. The same command goes on after an interruption. After a change of the agents give it another folder.
"""

import argparse
import math
import re
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import fmean
from typing import Any

from rich.console import Console
from rich.progress import track

from benchmarks.ladder import playing
from benchmarks.markdown import table, write_page
from t2r_agents.comparing.rating.ladder import REFERENCES
from t2r_agents.comparing.tournament.columns import point_columns, result_columns
from t2r_agents.comparing.tournament.folder import Folder
from t2r_agents.comparing.tournament.playing import Entry
from t2r_agents.comparing.tournament.ratings import Interval
from t2r_agents.comparing.tournament.standings import compute_standings
from t2r_agents.comparing.tournament.tournament import Settings
from t2r_env import VARIANTS, Configuration, configure
from t2r_env.basics.checks import check_integer
from t2r_env.basics.cores import count_cores

OPTIONS: dict[str, dict[str, Any]] = {"usa": {"tickets": "classic"}}
"""The options of variants that are not played with their defaults."""
COLUMNS = ("wins", "Elo", "score", "tickets made", "failed", "turns", "decisions/s", "forfeits")
ALONE = "planner"
BESIDE_PEOPLE = (ALONE, "policy", "ismcts:32,policy")
"""Who plays on all seats where results of the best people are known (USA, 4 players, mega tickets)."""
PEOPLE = ["usa", "4", "mega", "finalists of 2025", "27", "157.1", "69.8", "73.4", "6.4", "–", "35.4", "4.4"]
"""Their row of the table of winners: 27 games, semi-finals and finals of the online world tournament."""
NOTE = """Each deal is played from all seats, with the fewest players that the variant allows. A tie counts as half a \
win. Elo ratings have a mean of 1500 in each variant. Intervals in brackets are 95 % confidence intervals. Scores, \
tickets and turns (of all seats together) are means per game. [Ratings](ratings.md) are on another scale."""
Played = list[tuple[Settings, list[Entry]]]


def draw_up(variants: Sequence[str], agents: Sequence[str], games: int) -> list[Settings]:
    """Return the tournaments of all pairs, then those of one agent on all seats, with this many games of each.

    Raises ValueError or TypeError for variants and agents that don't exist.
    """

    def settings(game: Configuration, agents: list[str], games: int) -> Settings:
        return Settings(game.variant.id, game.num_players, dict(game.options), agents, games, seed=0)

    check_integer("--games", games, 1)
    mega = configure("usa", 4, tickets="mega")
    beside = BESIDE_PEOPLE if "usa" in variants else ()
    pairs, alone = [], [settings(mega, [name], games) for name in beside]
    for variant in variants:
        smallest = configure(variant, **OPTIONS.get(variant, {}))
        names = playing(agents, smallest)
        number = math.ceil(games * math.comb(len(names), 2) / math.comb(smallest.num_teams, 2))
        pairs.append(settings(smallest, names, number))
        for players in smallest.variant.player_numbers:
            alone.append(settings(configure(variant, players, **OPTIONS.get(variant, {})), [ALONE], games))
    return pairs + alone


def play(settings: Settings, out: Path, processes: int) -> list[Entry]:
    """Play the games that are missing, and return all. Raises FolderError for a folder of another tournament."""
    agents = str(len(settings.agents)) if len(settings.agents) > 1 else re.sub(r"\W", "_", settings.agents[0])
    folder = Folder(out / f"{settings.variant}_{settings.num_players}_{settings.options['tickets']}_{agents}")
    if folder.exists() and folder.settings() == settings:
        tournament = folder.resume(settings)
    else:
        folder.begin(settings)
        tournament = settings.tournament()
    for entries in tournament.play(processes):
        folder.add(entries)
    return tournament.entries


def pair_tables(pairs: Played) -> list[str]:
    """Return the table of all win rates, and for each variant the tables of its pairs and of its agents."""
    wins: dict[str, dict[str, Interval]] = {}
    text = []
    for settings, entries in pairs:
        it, title = compute_standings(entries, settings.configuration().variant.team_size), settings.title()
        wins[settings.variant] = {row.agent: row.wins for row in it.agents}
        rows = [[row.agent, *map(_percent, own)] for row, own in zip(it.agents, it.head_to_head)]
        headings = ["agent", *wins[settings.variant]]
        text.append(table(f"{title}: win rate of the row's agent against the column's, %", headings, rows))
        known = point_columns(it.parts) | result_columns(it)
        shown = {name: known[name] for name in COLUMNS if name in known}
        rows = [[row.agent, *(show(row) for show in shown.values())] for row in it.agents]
        text.append(table(title, ["agent", *shown], rows))
    met = {name: [own.get(name) for own in wins.values()] for agents in wins.values() for name in agents}
    best = sorted(met, key=lambda name: -fmean(share.value for share in met[name] if share))
    rows = [[name, *map(_percent, met[name])] for name in best]
    return [table("win rate in all variants, %", ["agent", *(it.replace("_", " ") for it in wins)], rows), *text]


def _percent(share: Interval | None) -> str:
    return "–" if share is None else f"{100 * share.value:.1f}"


def winners_table(alone: Played) -> str:
    """Return the means over the winners of games with one agent on all seats, and those of people."""
    columns: dict[str, Callable[[Entry], float]] = {
        "points": lambda it: it.score,
        "of routes": lambda it: it.parts.get("routes", 0),
        "of tickets": lambda it: it.parts["tickets"],
        "tickets held": lambda it: it.completed + it.failed,
        "made": lambda it: it.completed,
        "turns of a player": lambda it: it.turns / players,
        "points a turn": lambda it: it.score * players / it.turns,
    }
    rows = []
    for settings, entries in alone:
        players, all_wins = settings.num_players, sum(it.win for it in entries) or 1
        means = [f"{sum(it.win * of(it) for it in entries) / all_wins:.1f}" for of in columns.values()]
        game = (settings.variant.replace("_", " "), str(players), settings.options["tickets"], settings.agents[0])
        rows.append([*game, str(settings.games), *means])
    rows.append(PEOPLE)
    return table("winners, one agent on all seats", ["game", "players", "tickets", "agent", "games", *columns], rows)


def main(command: Sequence[str] | None = None) -> int:
    """Play and print the tables. Returns 0, or 130 if interrupted; exits with 2 for a wrong command line."""
    given = sys.argv[1:] if command is None else list(command)
    parser = argparse.ArgumentParser(prog="python -m benchmarks.strength", description="Compare agents' strength.")
    add = parser.add_argument
    add("--variants", nargs="+", default=list(VARIANTS), metavar="VARIANT", help="their names (default: all)")
    add("--agents", nargs="+", default=list(REFERENCES), metavar="AGENT", help=f"(default: {' '.join(REFERENCES)})")
    add("--games", type=int, default=200, help="games of each pair, and of the planner alone (default: 200)")
    add("--processes", type=int, default=count_cores(), help="number of processes (default: one for each core)")
    add("--out", type=Path, default=Path("build/strength"), metavar="FOLDER", help="(default: build/strength)")
    add("--page", type=Path, metavar="FILE", help="write the page here, too (default: only print it)")
    arguments = parser.parse_args(given)
    played: Played = []
    try:
        processes = check_integer("--processes", arguments.processes, 1)
        matches = draw_up(arguments.variants, arguments.agents, arguments.games)
        for it in track(matches, "tournaments", console=Console(stderr=True)):
            played.append((it, play(it, arguments.out, processes)))
    except (TypeError, ValueError, OSError) as error:
        parser.error(str(error))
    except KeyboardInterrupt:
        print("interrupted: all games played are kept, and the same command goes on", file=sys.stderr)
        return 130
    pairs, alone = ([(it, own) for it, own in played if (len(it.agents) > 1) == many] for many in (True, False))
    parts = [NOTE, *pair_tables(pairs), winners_table(alone)]
    write_page("How strong the agents are", "benchmarks.strength", given, parts, arguments.page)
    return 0


if __name__ == "__main__":
    sys.exit(main())
