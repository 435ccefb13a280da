"""Score a game played at a table: routes, tickets, the longest path and all bonuses, by the rules of its variant.

What each player has at the end stands in a file; --template prints one to be filled in.

For example: t2r score --variant europe --num-players 3 --template > evening.toml
             t2r score evening.toml
"""

import argparse
import io
import json
import sys

from t2r_env.basics.plain import print_file
from t2r_env.commands import UsageError, usage_errors
from t2r_env.commands.options import absolute_variant, add_configuration, options_given
from t2r_env.configuration import configure

STDIN = "-"


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """Say which arguments the subcommand takes."""
    parser.add_argument(
        "file", nargs="?", help=f"the score sheet, TOML or (*.json) JSON; {STDIN} reads TOML from stdin (default: none)"
    )
    parser.add_argument("--json", action="store_true", help="print the score as JSON (default: as text)")
    parser.add_argument(
        "--template",
        action="store_true",
        help="print a score sheet of the game that the following arguments name, with examples (default: score FILE)",
    )
    parser.add_argument(
        "--bga",
        action="store_true",
        help="FILE is the log of a finished game on Board Game Arena: print it as a score sheet, without names; the"
        " following arguments say which game it was (default: FILE is a score sheet)",
    )
    add_configuration(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print the score of a sheet, or a sheet to be filled in."""
    from t2r_env.basics.reading import parse_json, read_text
    from t2r_env.render.score import score_report, score_text
    from t2r_env.score_sheet import parse_sheet, read_sheet, score_sheet, sheet_text, template
    from t2r_env.score_sheet.board_game_arena import MAX_LOG_BYTES, sheet_of_log

    options = options_given(arguments)
    is_named = options or arguments.variant or arguments.num_players is not None
    if arguments.template == (arguments.file is not None):
        raise UsageError("name the file of a score sheet, or print one to be filled in with --template")
    if arguments.bga and (arguments.template or arguments.json or arguments.num_players is not None):
        raise UsageError("--bga goes without --template, --json and --num-players")
    if is_named and not arguments.template and not arguments.bga:
        raise UsageError("the score sheet itself says what was played: its variant, options and players")
    with usage_errors():
        if arguments.template:
            variant = arguments.variant or "usa"
            print_file(template(configure(variant, arguments.num_players, **options), absolute_variant(variant)))
            return 0
        if arguments.bga:
            log = parse_json(read_text(arguments.file, MAX_LOG_BYTES))
            print_file(sheet_text(sheet_of_log(log, arguments.variant or "usa", **options)))
            return 0
        is_stdin = arguments.file == STDIN
        if is_stdin and sys.stdin is None:
            raise UsageError("the standard input is closed: name a file")
        if is_stdin and isinstance(sys.stdin, io.TextIOWrapper):
            sys.stdin.reconfigure(encoding="utf-8")
        sheet = parse_sheet(sys.stdin.read(), is_json=False) if is_stdin else read_sheet(arguments.file)
        report = score_report(score_sheet(sheet))
    print(json.dumps(report) if arguments.json else score_text(report), end="\n" if arguments.json else "")
    return 0
