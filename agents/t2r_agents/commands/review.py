"""Review a recorded game: what each decision was worth, and what luck did.

Chances to win are judged by a network of values that comes with the library. Each of their changes is split into the
decision, against the choice of the first agent, and luck. With the folder of a tournament and the number of one of its
games, that game is played again by its agents.

For example: t2r review game.json
             t2r review results 17 --agents policy planner --rollouts 200
             t2r review game.json --page review.html
"""

import argparse
from importlib import import_module
from pathlib import Path

from t2r_env.basics.checks import check_integer
from t2r_env.basics.packages import needs
from t2r_env.commands import UsageError, check_new_file, usage_errors
from t2r_env.commands.options import agents_help
from t2r_env.commands.progress import progress_line
from t2r_env.commands.replay import add_game, check_game, find_recorded
from t2r_env.render.replay_page import save_replay_html

PLAYED_BY = "--played-by"
"""The flag of the agents of a tournament: `--agents` names those that review."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    add_game(parser, PLAYED_BY)
    add = parser.add_argument
    add(
        "--agents",
        nargs="+",
        default=[],
        metavar="AGENT",
        help=f"who reviews, the first one for the summary: {agents_help()} (default: policy, or planner where there is"
        " none)",
    )
    add(
        "--rollouts",
        type=int,
        default=0,
        metavar="GAMES",
        help="judge decisions by so many games, which the first agent plays to the end after each of both actions"
        " (default: by the values)",
    )
    add(
        "--from-true",
        action="store_true",
        help="let these begin from the true position (default: from deals of what the seat could not know)",
    )
    add(
        "--page",
        type=Path,
        metavar="FILE",
        help="write the replay's page with the review: chances, mistakes, better actions (default: none)",
    )
    add("--seat", type=int, help="with --page, what this seat knew, and nothing else of the game (default: everything)")
    add("--names", nargs="+", metavar="NAME", help="names of the players (default: those of the tournament's agents)")
    add("--table", action="store_true", help="print a line for each decision, too (default: the summary)")
    add("--json", action="store_true", help="print all of it as JSON (default: as text)")
    add("--parquet", type=Path, metavar="FILE", help="write decisions as Parquet; needs the extra data (default: none)")


def run(arguments: argparse.Namespace) -> int:
    """Review the game, and print it."""
    with needs("tournament"):
        from t2r_agents.comparing.review import review_game, summarise
        from t2r_agents.comparing.review.page import page_review
        from t2r_agents.comparing.review.tables import save_parquet, to_json
        from t2r_agents.comparing.review.terminal import print_review
    check_game(arguments)
    if arguments.from_true and not arguments.rollouts:
        raise UsageError("--from-true needs --rollouts")
    if arguments.json and arguments.table:
        raise UsageError("--json goes without --table: it has all decisions")
    if arguments.seat is not None and not arguments.page:
        raise UsageError("--seat needs --page")
    check_new_file("--page", arguments.page)
    check_new_file("--parquet", arguments.parquet)
    if arguments.parquet:
        with needs("data"):
            import_module("pyarrow")  # missed now, and not when the review is made
    with usage_errors():
        played_by = arguments.played_by or ()
        recorded = find_recorded(arguments.file, arguments.game, arguments.variant, played_by, PLAYED_BY)
        if arguments.seat is not None:
            check_integer("--seat", arguments.seat, 0, recorded.replay.configuration.num_players - 1)
        with progress_line("decisions reviewed") as progress:
            review = review_game(
                recorded.replay,
                arguments.agents,
                rollouts=arguments.rollouts,
                from_true=arguments.from_true,
                progress=progress,
            )
        names = arguments.names or recorded.names
        summary = summarise(review, names)
        if arguments.page:
            with progress_line(f"pictures of {arguments.page.name}") as progress:
                save_replay_html(
                    arguments.page,
                    recorded.replay,
                    names=names,
                    seat=arguments.seat,
                    review=page_review(review),
                    reason=recorded.reason,
                    progress=progress,
                )
    if arguments.parquet:
        with usage_errors():
            save_parquet(arguments.parquet, review)
    if arguments.json:
        print(to_json(review, summary))
    else:
        print_review(review, summary, decisions=arguments.table)
    return 0
