"""Write the report of a tournament again, and serve it: a click on a game makes its page and opens it.

For example: t2r report results
             t2r report results --no-serve --agreement 100
"""

import argparse
from collections.abc import Callable
from pathlib import Path

from t2r_env.basics.packages import needs
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.opening import open_in_browser
from t2r_env.commands.options import agents_help


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments of the subcommand."""
    parser.add_argument("folder", type=Path, help="the folder of the tournament, or of a rating")
    parser.add_argument(
        "--agents",
        nargs="+",
        metavar="AGENT",
        help="repeat the agents of the tournament, if some have import paths, since their code is run, ask somebody or"
        f" search for long: {agents_help()} (default: none)",
    )
    parser.add_argument(
        "--agreement",
        type=int,
        default=20,
        metavar="GAMES",
        help="ask all agents at the decisions of so many games how often they choose alike; fewer if it would take more"
        " than half a minute (default: %(default)s)",
    )
    parser.add_argument(
        "--review",
        action="store_true",
        help="show each game that is opened with its review, where there is a network of values for it (default: the"
        " replay alone)",
    )
    parser.add_argument("--no-serve", action="store_true", help="only write the report (default: serve it, too)")
    parser.add_argument("--port", type=int, help="port to listen on (default: 8765, or any that is free)")
    parser.add_argument("--no-open", action="store_true", help="only print the address (default: open it)")


def run(arguments: argparse.Namespace) -> int:
    """Write the report, and serve it on this machine until Ctrl-C."""
    with needs("tournament"):
        from t2r_agents.comparing.review import page
        from t2r_agents.comparing.tournament import terminal
    if arguments.no_serve and (arguments.no_open or arguments.review or arguments.port is not None):
        raise UsageError("--no-serve goes without --port, --no-open and --review")
    with usage_errors():
        report, figures, make_page = terminal.write_again(
            arguments.folder,
            arguments.agents or (),
            arguments.agreement,
            page.usual_review if arguments.review else lambda replay: None,
        )
    print(f"the report: {report}", flush=True)
    return 0 if arguments.no_serve else _serve(report, figures, make_page, arguments)


def _serve(report: Path, figures: Path, make_page: Callable[[int], Path], arguments: argparse.Namespace) -> int:
    with needs("play"):
        from t2r_agents.browser.network import LOOPBACK, listen, own_origin
        from t2r_agents.browser.report_pages import ReportPages
        from t2r_agents.browser.serving import Server
    with usage_errors():
        listener = listen(LOOPBACK, arguments.port)
    with listener:
        pages = ReportPages(report, figures, make_page)
        address = f"{own_origin(listener)}/{pages.token}/"
        print(f"It is served at {address}\nCtrl-C stops the server.", flush=True)
        if not arguments.no_open:
            open_in_browser(address)
        Server(pages, listener).run_until_stopped()
    return 0
